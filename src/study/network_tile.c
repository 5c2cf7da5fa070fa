/* Evaluates a tile of a network sweep by analysing all its points; and has the functions on points and rows
 * of a box that refined tiles (network_refine.c) share.
 *   1. The walk through the points has the macro step fastest. Batches of points of a coupling are analysed
 *      in SIMD lanes (docs/explanation/algorithms.md, Points in lanes); points left open by lanes are
 *      analysed one by one (analyse_waiting).
 *   2. An edge at the tile's end needs the point beyond it. Such points are analysed too, so that tiles do
 *      not depend on each other.
 *   3. Values and codes are written row by row of the last axis, and crossings found on edges with ends on
 *      different sides of 1 (network_edge.c). Points that cannot be analysed have the class `failed` and
 *      are counted with the first reason. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "model/body.h"
#include "network/batch.h"
#include "study/network_study.h"

static bool is_outside(const network_box *b, int axis, const network_place *place) {
    return place->index[axis] < b->first_written[axis] ||
           place->index[axis] >= b->first_written[axis] + b->written[axis];
}

/* Returns the number of axes along which a point is outside the written points. */
static int axes_outside(const network_box *b, const network_place *place) {
    int outside = 0;
    for (int k = 0; k < b->study->base.plan.swept; k++) outside += is_outside(b, k, place);
    return outside;
}

bool network_box_is_beyond_tile(const network_box *b, const network_place *place) {
    return axes_outside(b, place) > 0;
}

/* Returns the position of a point in the tile's blocks. */
static size_t place_in_tile(const network_box *b, const network_place *place) {
    size_t at = 0;
    for (int k = 0; k < b->study->base.plan.swept; k++)
        at = at * b->tile->count[k] + place->index[k] - b->tile->start[k];
    return at;
}

/* Returns the position of a point in the whole grid. */
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

/* Stores the numbers of an analysed point. */
static void store_point(const network_study *study, network_known *known, const costab_network_point *point) {
    known->code = point->class_code;
    network_copy_values(study, FIELD_POINT, point, known->values);
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++)
        known->radii[l] = network_radius(point, (network_level)l, true);
}

/* Writes each member: making and copying a structure took a fifth of the time of a sweep with two states. */
void network_know_code(network_known *known, uint8_t code) {
    known->code = code;
    known->removed = NETWORK_REMOVED_FAILED;
    known->best = NETWORK_FAILED;
    known->analysed = false;
    for (int k = 0; k < NETWORK_FIELDS_MOST; k++) known->values[k] = (double)NAN;
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++) known->radii[l] = (double)NAN;
}

/* Stores the number of removed modes, limited to the largest code. */
static void store_removed(network_known *known, int count) {
    known->removed = (uint8_t)(count < NETWORK_REMOVED_MOST ? count : NETWORK_REMOVED_MOST);
}

costab_status network_box_analyse(const network_box *b, size_t number, bool class_only,
                                  costab_network_point *point, costab_error *error) {
    network_known *known = &b->worker->known[number];
    costab_error why; /* its message is not filled with zeros, which took longer than all other work here */
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
    if (!status && !failed) store_removed(known, costab_network_removed(b->worker->work));
    if (!status && !failed && !class_only) store_point(b->study, known, point);
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

/* Written points of the box that are neighbours along the last axis. */
typedef struct box_row {
    size_t number, at, count; /* number of the first point, its position in the blocks, number of points */
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

/* Finds the crossing on the edge from a point along an axis; leaves *crossing if a point was not analysed or
 * has no radius. */
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

/* Writes the crossings on the edges from a row's points; NaN without a crossing, if none is wanted, and for
 * the last point of the axis. */
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

/* Goes on to the next row; returns false after the last. */
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

/* ---- A tile with all its points analysed ---- */

/* A walk through points of a box. */
typedef struct walk {
    const network_box *box;
    /* Destination of classes and removed modes (may be NULL), by the numbers of the points; codes NULL: the
     * results go to worker->known. */
    uint8_t *codes, *removed;
    bool class_only;                  /* only classes are needed */
    unsigned asked;                   /* numbers from lanes: bits of network/batch.h */
    const network_listener *listener; /* NULL: there is none */
    /* Number, coupling and numbers in the box of the points that wait for a full batch of lanes. */
    int count;
    size_t coupling, numbers[LANES_MOST];
} walk;

/* Stores the result of lanes for a point. */
static void take_point(const walk *w, size_t number, const costab_network_point *point) {
    network_known *known = &w->box->worker->known[number];
    if (w->codes != NULL) {
        w->codes[number] = point->class_code;
        if (w->removed != NULL) w->removed[number] = 0;
        return;
    }
    network_know_code(known, point->class_code);
    store_removed(known, 0); /* lanes leave points with removed modes open */
    if (!w->class_only) store_point(w->box->study, known, point);
    known->analysed = true;
    if (w->listener != NULL) w->listener->take(w->listener->context, number, point);
}

static costab_status analyse_alone(const walk *w, size_t number, costab_error *error) {
    costab_network_point point = {.size = 0};
    TRY(network_box_analyse(w->box, number, w->class_only, &point, error));
    if (w->listener != NULL) w->listener->take(w->listener->context, number, &point);
    if (w->codes != NULL) w->codes[number] = w->box->worker->known[number].code;
    if (w->removed != NULL) w->removed[number] = w->box->worker->known[number].removed;
    return COSTAB_OK;
}

/* Analyses the waiting points in SIMD lanes, then one by one the points left open. */
static costab_status analyse_waiting(walk *w, costab_error *error) {
    costab_network_point points[LANES_MOST];
    bool decided[LANES_MOST] = {false};
    int count = w->count;
    w->count = 0;
    if (count > 0 && !network_lanes_run(w->box, w->coupling, count, w->asked, points, decided))
        memset(decided, 0, sizeof decided);
    for (int l = 0; l < count; l++)
        if (decided[l])
            take_point(w, w->numbers[l], &points[l]);
        else
            TRY(analyse_alone(w, w->numbers[l], error));
    return COSTAB_OK;
}

/* Adds a point to the batch of its coupling, which is analysed when it is full. Without lanes, analyses it.
 */
static costab_status visit(walk *w, const network_place *place, size_t number, costab_error *error) {
    const network_box *b = w->box;
    double values[COSTAB_AXES_MAX];
    if (!b->study->grouped || b->worker->lanes == NULL) return analyse_alone(w, number, error);
    if (place->index[NETWORK_COUPLING] != w->coupling) TRY(analyse_waiting(w, error));
    w->coupling = place->index[NETWORK_COUPLING];
    for (int k = NETWORK_FIRST_AXIS; k < b->study->base.plan.swept; k++)
        values[k - NETWORK_FIRST_AXIS] = b->study->base.plan.axes[k].values[place->index[k]];
    network_lanes_set(b->worker, w->count, 0, values, b->study->base.plan.swept - NETWORK_FIRST_AXIS);
    w->numbers[w->count++] = number;
    return w->count == network_lanes_width(b->worker) ? analyse_waiting(w, error) : COSTAB_OK;
}

/* Goes on to the next point in the order of the walk; returns false at the end. */
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

/* Returns true if a point is analysed. A point beyond the tile along both axes with edges is not the end of
 * an edge. */
static bool is_needed(const network_box *b, const network_place *place) {
    const int *axes = b->study->edge_axes;
    return b->study->edge_count < 2 || !is_outside(b, axes[0], place) || !is_outside(b, axes[1], place);
}

costab_status network_box_analyse_all(const network_box *b, uint8_t *codes, uint8_t *removed,
                                      costab_error *error) {
    walk w = {.box = b,
              .codes = codes,
              .removed = removed,
              .class_only = b->study->class_only,
              .asked = codes == NULL ? b->study->asked : 0};
    network_place place = network_box_place(b, 0);
    size_t number = 0;
    if (b->study->grouped) TRY(network_box_lanes(b, error));
    do {
        if (is_needed(b, &place)) TRY(visit(&w, &place, number, error));
    } while (next_point(b, &place, &number));
    return analyse_waiting(&w, error);
}

costab_status network_box_analyse_some(const network_box *b, const size_t *numbers, size_t count,
                                       bool class_only, const network_listener *listener,
                                       costab_error *error) {
    walk w = {.box = b,
              .class_only = class_only,
              .listener = listener,
              .asked = class_only ? 0 : b->study->asked | NETWORK_OF_RADIUS | NETWORK_OF_MONO};
    if (b->study->grouped) TRY(network_box_lanes(b, error));
    for (size_t i = 0; i < count; i++) {
        const network_place place = network_box_place(b, numbers[i]);
        TRY(visit(&w, &place, numbers[i], error));
    }
    return analyse_waiting(&w, error);
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
