/* A tile of a network sweep of which every point is analysed.
 *   1. The points are walked with macro steps running fastest, and go through the lanes, eight at a time,
 *      where the model is for that (docs/algorithms.md, Points in lanes); what lanes leave open is analysed
 *      alone.
 *   2. An edge at the tile's end needs the point beyond it: those are analysed too, so that tiles do not
 *      depend on each other.
 *   3. Values and codes are written row by row, and crossings found on edges whose ends lie on different
 *      sides (network_edge.c). A point that cannot be analysed has the class `failed`, and is counted with
 *      the first reason. */
#include <math.h>
#include <stdint.h>

#include "base/error.h"
#include "model/body.h"
#include "network/batch.h"
#include "study/network_study.h"

static bool is_outside(const network_box *b, int axis, const network_place *place) {
    return place->index[axis] < b->first_written[axis] ||
           place->index[axis] >= b->first_written[axis] + b->written[axis];
}

/* Along how many axes a point lies outside the points that are written. */
static int axes_outside(const network_box *b, const network_place *place) {
    int outside = 0;
    for (int k = 0; k < b->study->base.plan.swept; k++) outside += is_outside(b, k, place);
    return outside;
}

bool network_box_is_beyond_tile(const network_box *b, const network_place *place) {
    return axes_outside(b, place) > 0;
}

/* Where a point stands in the tile's blocks; in the whole grid. */
static size_t place_in_tile(const network_box *b, const network_place *place) {
    size_t at = 0;
    for (int k = 0; k < b->study->base.plan.swept; k++)
        at = at * b->tile->count[k] + place->index[k] - b->tile->start[k];
    return at;
}

static size_t place_in_grid(const network_box *b, size_t number) {
    size_t at = 0;
    for (int k = 0; k < b->study->base.plan.swept; k++)
        at = at * b->study->base.plan.axes[k].count + network_box_index(b, k, number);
    return at;
}

/* ---- Analysing */

costab_status network_box_fail(const network_box *b, size_t number, const costab_error *why,
                               costab_error *error) {
    network_place place = network_box_place(b, number);
    if (network_box_is_beyond_tile(b, &place)) return COSTAB_OK;
    return network_pool_fail(b->study->pool, b->tile, place_in_grid(b, number), why, error);
}

static void keep_point(const network_study *study, network_known *known, const costab_network_point *point) {
    known->code = point->class_code;
    network_copy_values(study, FIELD_POINT, point, known->values);
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++)
        known->radii[l] = network_radius(point, (network_level)l, true);
}

/* In place, member by member: a structure that is made and copied took a fifth of a sweep of two states. */
void network_know_code(network_known *known, uint8_t code) {
    known->code = code;
    known->removed = NETWORK_REMOVED_FAILED;
    known->best = NETWORK_FAILED;
    known->analysed = false;
    for (int k = 0; k < NETWORK_FIELDS_MOST; k++) known->values[k] = (double)NAN;
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++) known->radii[l] = (double)NAN;
}

static void know_removed(network_known *known, int count) {
    known->removed = (uint8_t)(count < NETWORK_REMOVED_MOST ? count : NETWORK_REMOVED_MOST);
}

costab_status network_box_analyse(const network_box *b, size_t number, bool class_only,
                                  costab_network_point *point, costab_error *error) {
    network_known *known = &b->worker->known[number];
    costab_error why; /* filling all of its message with zeros took longer than all else here */
    why.status = COSTAB_OK;
    why.message[0] = '\0';
    network_place place = network_box_place(b, number);
    size_t coupling = place.index[NETWORK_COUPLING];
    bool failed;
    network_know_code(known, NETWORK_FAILED);
    network_box_set_parameters_at(b, &place);
    costab_status status = class_only
                               ? network_worker_classify(b->worker, coupling, &known->code, &failed, &why)
                               : network_worker_analyse(b->worker, coupling, point, &failed, &why);
    if (!status && !failed) know_removed(known, costab_network_removed(b->worker->work));
    if (!status && !failed && !class_only) keep_point(b->study, known, point);
    if (!status && !failed && b->study->runs && !network_box_is_beyond_tile(b, &place))
        status = network_worker_run(b, coupling, known, &failed, &why);
    else if (failed)
        known->code = NETWORK_FAILED;
    if (status && error != NULL) *error = why;
    if (status) return status;
    known->analysed = true;
    return failed ? network_box_fail(b, number, &why, error) : COSTAB_OK;
}

/* ---- Writing */

/* Points of the box next to each other along the last axis, all of them of the tile. */
typedef struct box_row {
    size_t number, at, count; /* the first one's number, and its place in the blocks */
} box_row;

static void write_codes(const network_box *b, const box_row *row, void *const *blocks) {
    static const network_value which[] = {NETWORK_VALUE_CLASS, NETWORK_VALUE_COMPUTED, NETWORK_VALUE_BEST,
                                          NETWORK_VALUE_REMOVED};
    const network_known *known = &b->worker->known[row->number];
    for (int k = 0; k < 4; k++) {
        int f = b->study->field[which[k]];
        if (f < 0) continue;
        uint8_t *to = (uint8_t *)blocks[f] + row->at;
        for (size_t i = 0; i < row->count; i++)
            to[i] = k == 0   ? known[i].code
                    : k == 1 ? known[i].analysed
                    : k == 2 ? known[i].best
                             : known[i].removed;
    }
}

static void write_points(const network_box *b, const box_row *row, void *const *blocks) {
    const network_known *known = &b->worker->known[row->number];
    for (size_t i = 0; i < row->count; i++) b->worker->analysed += known[i].analysed;
    write_codes(b, row, blocks);
    for (int n = 0; n < b->study->number_count; n++) {
        int k = b->study->numbers[n];
        double *to = (double *)blocks[b->study->field[k]] + row->at;
        for (size_t i = 0; i < row->count; i++) to[i] = known[i].values[k];
    }
}

/* Finds the crossing on the edge from a point along an axis, if there is one. */
static costab_status find_crossing(const network_box *b, network_level level, int axis, size_t number,
                                   double *crossing, costab_error *error) {
    const network_known *here = &b->worker->known[number], *next = here + b->stride[axis];
    if (!here->analysed || !next->analysed || isnan(here->radii[level]) || isnan(next->radii[level]))
        return COSTAB_OK;
    const network_place place = network_box_place(b, number);
    const network_edge edge = {b->worker, place.index[NETWORK_COUPLING], level,
                               b->study->base.spec->axis_parameters[axis - NETWORK_FIRST_AXIS]};
    const double *ends = &b->study->base.plan.axes[axis].values[place.index[axis]];
    const double margins[2] = {network_margin(here->radii[level]), network_margin(next->radii[level])};
    network_box_set_parameters_at(b, &place);
    return network_edge_find_first(&edge, ends, margins, crossing, error);
}

static bool is_wanted(const network_box *b, const box_row *row, network_level level) {
    size_t coupling = network_box_index(b, NETWORK_COUPLING, row->number);
    return network_level_wanted(b->study, level, coupling_of(b->worker, coupling));
}

/* NaN where there is no crossing, or none is wanted. Beyond the last point of an axis there is no edge. */
static costab_status write_edges(const network_box *b, const box_row *row, network_level level, int edge,
                                 double *to, costab_error *error) {
    int axis = b->study->edge_axes[edge], last = b->study->base.plan.swept - 1;
    const network_known *here = &b->worker->known[row->number], *next = here + b->stride[axis];
    size_t left = b->start[axis] + b->count[axis] - 1 - network_box_index(b, axis, row->number);
    size_t count = axis != last ? (left > 0 ? row->count : 0) : left < row->count ? left : row->count;
    for (size_t i = 0; i < row->count; i++) to[i] = (double)NAN;
    if (!is_wanted(b, row, level)) return COSTAB_OK;
    for (size_t i = 0; i < count; i++)
        if ((here[i].radii[level] < 1) != (next[i].radii[level] < 1))
            TRY(find_crossing(b, level, axis, row->number + i, &to[i], error));
    return COSTAB_OK;
}

static costab_status write_row(const network_box *b, const box_row *row, void *const *blocks,
                               costab_error *error) {
    const network_study *study = b->study;
    write_points(b, row, blocks);
    for (int k = 0; k < NETWORK_LEVEL_COUNT * study->edge_count; k++) {
        network_level level = (network_level)(k / study->edge_count);
        int e = k % study->edge_count;
        if (!study->levels[level]) continue;
        double *block = blocks[study->field[network_level_value(level, e)]];
        TRY(write_edges(b, row, level, e, block + row->at, error));
    }
    return COSTAB_OK;
}

/* The next row; false after the last. */
static bool next_row(const network_box *b, network_place *place) {
    for (int k = b->study->base.plan.swept - 2; k >= 0; k--) {
        if (++place->index[k] < b->first_written[k] + b->written[k]) return true;
        place->index[k] = b->first_written[k];
    }
    return false;
}

costab_status network_box_write(const network_box *b, void *const *blocks, costab_error *error) {
    int swept = b->study->base.plan.swept;
    network_place place;
    costab_status status = COSTAB_OK;
    for (int k = 0; k < swept; k++) place.index[k] = b->first_written[k];
    do {
        box_row row = {.at = place_in_tile(b, &place), .count = b->written[swept - 1]};
        for (int k = 0; k < swept; k++) row.number += (place.index[k] - b->start[k]) * b->stride[k];
        status = write_row(b, &row, blocks, error);
    } while (!status && next_row(b, &place));
    return status;
}

/* ---- A tile of which every point is analysed */

/* All points of a box on their way through the lanes. Of classes alone a box has no points beyond its tile:
 * its numbers are the places in the block. */
typedef struct all_points {
    const network_box *box;
    uint8_t *codes;                   /* the classes' block; NULL: all numbers are wanted, in worker->known */
    uint8_t *removed;                 /* the block of removed modes, which lanes do not have; may be NULL */
    size_t open;                      /* how many of those seen so far are not known */
    bool class_only;                  /* of points in worker->known the class is wanted alone */
    const network_listener *listener; /* NULL: there is none */
} all_points;

/* The result of a point from the lanes; NULL: lanes leave it open. */
static void receive_point(void *context, size_t number, const costab_network_point *point) {
    all_points *all = context;
    all->open -= point != NULL;
    if (all->codes != NULL) {
        all->codes[number] = point != NULL ? point->class_code : NETWORK_NOT_COMPUTED;
        if (all->removed != NULL) all->removed[number] = 0;
    } else if (point != NULL) {
        network_known *known = &all->box->worker->known[number];
        network_know_code(known, point->class_code);
        know_removed(known, 0);
        if (!all->class_only) keep_point(all->box->study, known, point);
        known->analysed = true;
        if (all->listener != NULL) all->listener->tell(all->listener->context, number, point);
    }
}

static bool is_open(const all_points *all, size_t number) {
    uint8_t code = all->codes != NULL ? all->codes[number] : all->box->worker->known[number].code;
    return code == NETWORK_NOT_COMPUTED;
}

static void leave_open(all_points *all, size_t number) {
    all->open++;
    if (all->codes != NULL)
        all->codes[number] = NETWORK_NOT_COMPUTED;
    else
        all->box->worker->known[number].code = NETWORK_NOT_COMPUTED;
}

static costab_status analyse_alone(all_points *all, size_t number, costab_error *error) {
    costab_network_point point = {.size = 0};
    costab_status status = network_box_analyse(all->box, number, all->class_only, &point, error);
    if (!status && all->listener != NULL) all->listener->tell(all->listener->context, number, &point);
    if (all->codes != NULL) all->codes[number] = all->box->worker->known[number].code;
    if (all->removed != NULL) all->removed[number] = all->box->worker->known[number].removed;
    all->open--;
    return status;
}

/* The next point of a walk through the box; false at its end. */
static bool next_point(const network_box *b, network_place *place, size_t *number) {
    for (int i = b->study->base.plan.swept - 1; i >= 0; i--) {
        int k = b->study->walk[i];
        *number += b->stride[k];
        if (++place->index[k] < b->start[k] + b->count[k]) return true;
        place->index[k] = b->start[k];
        *number -= b->count[k] * b->stride[k];
    }
    return false;
}

/* Whether a point is analysed: a corner beyond the tile is at the end of no edge. */
static bool is_needed(const network_box *b, const network_place *place) {
    const int *axes = b->study->edge_axes;
    return b->study->edge_count < 2 || !is_outside(b, axes[0], place) || !is_outside(b, axes[1], place);
}

/* Puts a point into the lanes; analyses it alone where it is not for lanes. */
static costab_status add_point(all_points *all, const network_results *results, const network_place *place,
                               size_t number, costab_error *error) {
    const network_box *b = all->box;
    network_box_set_parameters_at(b, place);
    bool added = !b->study->runs &&
                 network_worker_add_to_batch(b->worker, place->index[NETWORK_COUPLING], number, results);
    return added ? COSTAB_OK : analyse_alone(all, number, error);
}

/* Evaluates the group's points together; one by one where they differ in more than lanes can. */
static costab_status finish_group(all_points *all, const network_results *results, network_group *group,
                                  costab_error *error) {
    const network_box *b = all->box;
    costab_status status = COSTAB_OK;
    if (!network_group_evaluate(b, group, results))
        for (int l = 0; l < group->count && !status; l++) {
            network_place place = network_box_place(b, group->tags[l]);
            status = add_point(all, results, &place, group->tags[l], error);
        }
    group->count = 0;
    return status;
}

static costab_status add_to_group(all_points *all, const network_results *results, network_group *group,
                                  const network_place *place, size_t number, costab_error *error) {
    const network_box *b = all->box;
    double values[COSTAB_AXES_MAX];
    int coupling = (int)place->index[NETWORK_COUPLING];
    if (coupling != group->coupling) TRY(finish_group(all, results, group, error));
    group->coupling = coupling;
    for (int k = NETWORK_FIRST_AXIS; k < b->study->base.plan.swept; k++)
        values[k - NETWORK_FIRST_AXIS] = b->study->base.plan.axes[k].values[place->index[k]];
    network_group_add(b, group, values, number);
    return group->count == LANES ? finish_group(all, results, group, error) : COSTAB_OK;
}

/* A walk of points into the lanes. */
typedef struct lanes_walk {
    all_points all;
    network_results results;
    network_group group;
    bool grouped;
} lanes_walk;

static costab_status begin_walk(lanes_walk *w, costab_error *error) {
    const network_box *b = w->all.box;
    w->results.context = &w->all;
    w->results.take = receive_point;
    costab_status status = b->study->grouped ? network_box_lanes(b, error) : COSTAB_OK;
    w->grouped = b->study->grouped && b->worker->lanes != NULL;
    return status;
}

static costab_status walk_to(lanes_walk *w, const network_place *place, size_t number, costab_error *error) {
    leave_open(&w->all, number);
    return w->grouped ? add_to_group(&w->all, &w->results, &w->group, place, number, error)
                      : add_point(&w->all, &w->results, place, number, error);
}

static costab_status finish_walk(lanes_walk *w, costab_error *error) {
    costab_status status = finish_group(&w->all, &w->results, &w->group, error);
    network_batch_finish(w->all.box->worker->work, &w->results);
    return status;
}

costab_status network_box_analyse_all(const network_box *b, uint8_t *codes, uint8_t *removed,
                                      costab_error *error) {
    lanes_walk w = {.all = {.box = b, .codes = codes, .removed = removed, .class_only = b->study->class_only},
                    .results = {.asked = codes == NULL ? b->study->asked : 0}};
    network_place place = network_box_place(b, 0);
    size_t number = 0;
    costab_status status = begin_walk(&w, error);
    do {
        if (!status && is_needed(b, &place)) status = walk_to(&w, &place, number, error);
    } while (!status && next_point(b, &place, &number));
    costab_status finished = finish_walk(&w, status ? NULL : error);
    status = status ? status : finished;
    while (!status && w.all.open > 0) {
        if (is_needed(b, &place) && is_open(&w.all, number)) status = analyse_alone(&w.all, number, error);
        if (!next_point(b, &place, &number)) break;
    }
    return status;
}

costab_status network_box_analyse_some(const network_box *b, const size_t *numbers, size_t count,
                                       bool class_only, const network_listener *listener,
                                       costab_error *error) {
    unsigned asked = class_only ? 0 : b->study->asked | NETWORK_OF_RADIUS | NETWORK_OF_MONO;
    lanes_walk w = {.all = {.box = b, .class_only = class_only, .listener = listener},
                    .results = {.asked = asked}};
    costab_status status = begin_walk(&w, error);
    for (size_t i = 0; i < count && !status; i++) {
        const network_place place = network_box_place(b, numbers[i]);
        status = walk_to(&w, &place, numbers[i], error);
    }
    costab_status finished = finish_walk(&w, status ? NULL : error);
    status = status ? status : finished;
    for (size_t i = 0; i < count && !status && w.all.open > 0; i++)
        if (is_open(&w.all, numbers[i])) status = analyse_alone(&w.all, numbers[i], error);
    return status;
}

costab_status network_tile_evaluate(const network_study *study, network_worker *worker,
                                    const costab_tile *tile, void *const *blocks, costab_error *error) {
    const network_box b = network_box_of(study, worker, tile);
    int class_field = study->field[NETWORK_VALUE_CLASS], removed = study->field[NETWORK_VALUE_REMOVED];
    bool codes = study->class_only && !study->runs && class_field >= 0;
    TRY(network_box_analyse_all(&b, codes ? blocks[class_field] : NULL, codes ? blocks[removed] : NULL,
                                error));
    if (study->simplicity != NULL) TRY(network_box_best(&b, error));
    return codes ? COSTAB_OK : network_box_write(&b, blocks, error);
}
