/* Evaluates a tile of a refined network sweep: finds the classes of all its points, but analyses only points
 * near changes of the class.
 *   1. The two last axes with several values are cut into blocks of BLOCK_CELLS coarse cells along each axis.
 *      A block includes the first points of the following blocks. A narrow rest at the end of the grid is
 *      refined together with the cells before it, or all its points are analysed if that costs less. All
 *      other axes are walked value by value.
 *   2. The classes on every second line of the coarse grid and on the block's sides are found first
 *      (network_line.c). A region across one of these lines is found if it contains a point of the line.
 *   3. The block is refined (sweep/refine.c); points in between get the code of their cell.
 *
 * The code of a point depends on its block alone. Limitation: regions between those lines and smaller than a
 * coarse cell may be missed (docs/explanation/guarantees.md). */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "costab/limit.h"
#include "limit/limit.h"
#include "network/analyse.h"
#include "study/network_study.h"
#include "sweep/refine.h"

/* Cells along the side of a block: enough to follow a boundary and for long lines, few enough for many tiles.
 */
#define BLOCK_CELLS 8

/* Largest change along the side of a cell of the phase per macro step of the fastest subsystem, in radians.
 */
#define PHASE_CHANGE_MAX 1.0

/* Cost of a point with its margins relative to a point with its class alone: 3.2 to 4.3 in lanes, about 4 in
 * scalar code. */
#define EVALUATED_WEIGHT 4.0

enum { MARGIN_RADIUS, MARGIN_ITERATION, MARGIN_ABSCISSA, MARGINS };

/* A block: a box that is refined, and its description for sweep/refine.c. It may have points before and after
 * the points that it writes into the tile. */
typedef struct block {
    network_box box;
    refine_patch patch;
} block;

size_t network_refine_block(const network_study *study) {
    return BLOCK_CELLS * study->base.spec->refine_cell;
}

/* Returns the number of values of the a-th refined axis; 1 if there is none. */
static size_t axis_count(const network_study *study, int a) {
    int axis = study->refine_axes[a];
    return axis < 0 ? 1 : study->base.plan.axes[axis].count;
}

static size_t at_most(size_t n, size_t limit) {
    return n < limit ? n : limit;
}

size_t network_refine_points(const network_study *study) {
    size_t points = 1;
    for (int a = 0; a < 2; a++) points *= at_most(axis_count(study, a), network_refine_block(study) + 1);
    return points + network_refine_block(study) + 1;
}

/* ---- Analysing */

/* Returns true if the iteration radius decides the class, or if its level 1 is requested. */
static bool iteration_matters(const block *b) {
    const costab_coupling *coupling = coupling_of(b->box.worker, b->box.start[NETWORK_COUPLING]);
    return network_level_wanted(b->box.study, NETWORK_LEVEL_ITERATION, coupling) ||
           analyse_converges(coupling);
}

/* Returns the margin of a radius: log(radius) below 1, radius - 1 above. A radius that is convex above 1,
 * such as the modulus of an eigenvalue that passes 0, then has a convex margin, which its logarithm would
 * not. Below 1 the logarithm is the convex choice. */
static double radius_margin(double radius) {
    double logarithm = network_margin(radius);
    return logarithm > 0 ? expm1(logarithm) : logarithm;
}

static refine_point as_refined(const block *b, const costab_network_point *point, const double *radii) {
    /* The margins leave out removed eigenvalues, so they are unrelated if the numbers of these differ. */
    refine_point p = {.kind = point->neutral + point->kept, .code = point->class_code};
    p.margins[MARGIN_RADIUS] = radius_margin(radii[NETWORK_LEVEL_RADIUS]);
    p.margins[MARGIN_ITERATION] =
        iteration_matters(b) ? radius_margin(radii[NETWORK_LEVEL_ITERATION]) : (double)NAN;
    p.margins[MARGIN_ABSCISSA] = point->spectral_abscissa + point->abscissa_rounding;
    return p;
}

/* Destination of analysed points of a block: points[number] (sweep/refine.h). */
typedef struct analysed_points {
    const block *block;
    refine_point *points;
    bool class_only;
} analysed_points;

static void take_point(void *context, size_t number, const costab_network_point *point) {
    const analysed_points *t = context;
    const network_known *known = &t->block->box.worker->known[number];
    t->points[number] = known->code == NETWORK_FAILED ? (refine_point){.code = NETWORK_FAILED, .lone = true}
                        : t->class_only               ? (refine_point){.code = known->code}
                                                      : as_refined(t->block, point, known->radii);
}

static costab_status analyse(void *context, const size_t *numbers, size_t count, refine_point *points,
                             costab_error *error) {
    analysed_points t = {context, points, false};
    const network_listener listener = {&t, take_point};
    return network_box_analyse_some(&t.block->box, numbers, count, t.class_only, &listener, error);
}

static costab_status classify(void *context, const size_t *numbers, size_t count, refine_point *points,
                              costab_error *error) {
    analysed_points t = {context, points, true};
    const network_listener listener = {&t, take_point};
    return network_box_analyse_some(&t.block->box, numbers, count, t.class_only, &listener, error);
}

/* Makes a line of the block. It is outside the written points along one axis, so that failures are not
 * counted and no runs are made. Returns the axis along it. */
static int lay_line(const block *b, int across, size_t at, network_box *line) {
    int axis = b->box.study->refine_axes[across], along = b->box.study->refine_axes[1 - across];
    *line = b->box;
    for (int k = 0; k < line->study->base.plan.swept; k++) {
        line->first_written[k] = line->start[k];
        line->written[k] = line->count[k];
    }
    if (axis >= 0) {
        line->start[axis] += at;
        line->count[axis] = 1;
    }
    line->written[axis >= 0 ? axis : along] = 0;
    network_box_set_strides(line);
    return along;
}

/* Finds the classes of a line (refine_patch.line). The line uses the first entries of worker->known, whose
 * data are saved after the block's points meanwhile. */
static costab_status classify_line(void *context, int across, size_t at, const refine_line *space,
                                   costab_error *error) {
    const block *b = context;
    network_known *known = b->box.worker->known, *kept = known + b->box.points;
    network_box line;
    costab_status status;
    int along = lay_line(b, across, at, &line);
    memcpy(kept, known, line.points * sizeof *known);
    if (along >= 0) {
        status = network_line_classes(&line, along, space, error);
    } else {
        space->changes[0] = 0;
        status = network_box_analyse_all(&line, space->codes, NULL, error);
    }
    memcpy(known, kept, line.points * sizeof *known);
    return status;
}

/* ---- Block by block */

/* Returns true if analysing all points of a narrow rest, `left` by `side` points, costs less than refining it
 * with the cells before it. That costs about two times three rows of lattice points with their margins, and
 * five lines. */
static bool is_little(const block *b, size_t left, size_t side) {
    double cells = (double)side / (double)b->patch.cell;
    return (double)(left * side) <
           2 * b->patch.weight * 3 * (cells + 1) + b->patch.line_weight * 5 * (double)side;
}

/* Makes the block that begins at box.first_written: its points, and the points that it writes. */
static void lay_block(block *b) {
    network_box *box = &b->box;
    size_t side = network_refine_block(box->study), cell = b->patch.cell;
    b->patch.all = false;
    for (int k = 0; k < box->study->base.plan.swept; k++) {
        box->start[k] = box->first_written[k];
        box->count[k] = box->written[k] = 1;
    }
    for (int a = 0; a < 2; a++) {
        int axis = box->study->refine_axes[a];
        b->patch.count[a] = 1;
        if (axis < 0) continue;
        size_t left = axis_count(box->study, a) - box->first_written[axis], before = 0;
        bool narrow = left <= 2 * cell && left < axis_count(box->study, a);
        if (narrow && is_little(b, left, at_most(axis_count(box->study, 1 - a), side)))
            b->patch.all = true;
        else if (narrow)
            before = 2 * cell;
        box->start[axis] -= before;
        box->count[axis] = b->patch.count[a] = at_most(before + left, side + 1);
        box->written[axis] = at_most(left, side);
    }
    for (int a = 0; a < 2 && b->patch.all && b->patch.classify != NULL; a++) {
        int axis = box->study->refine_axes[a];
        if (axis < 0) continue;
        box->start[axis] = box->first_written[axis];
        box->count[axis] = b->patch.count[a] = box->written[axis];
    }
    network_box_set_strides(box);
}

/* [out] *turn: phase of the fastest subsystem per macro step, in radians, at a point of the block; 0 if it is
 * not available. */
static costab_status turn_at(const block *b, size_t number, double *turn, costab_error *error) {
    const network_worker *worker = b->box.worker;
    costab_family_point point = {.turn = 0};
    network_box_set_parameters(&b->box, number);
    costab_status status = costab_model_instance_update(worker->instance, error);
    if (!status)
        status = network_family_point(worker->work, network_of(worker),
                                      coupling_of(worker, b->box.start[NETWORK_COUPLING]), COSTAB_FAMILY_TURN,
                                      &point, error);
    *turn = status ? 0 : point.turn;
    return status == COSTAB_MEMORY ? status : COSTAB_OK;
}

/* Chooses smaller cells if the phase of the fastest subsystem changes much across a cell, because stability
 * alternates with it. */
static costab_status choose_cell(block *b, costab_error *error) {
    const network_box *box = &b->box;
    double first;
    TRY(turn_at(b, 0, &first, error));
    for (int a = 0; a < 2; a++) {
        int axis = box->study->refine_axes[a];
        if (axis < 0 || box->count[axis] < 2) continue;
        double last, each;
        TRY(turn_at(b, (box->count[axis] - 1) * box->stride[axis], &last, error));
        each = fabs(last - first) / (double)(box->count[axis] - 1);
        while (b->patch.cell > 1 && each * (double)b->patch.cell > PHASE_CHANGE_MAX) b->patch.cell /= 2;
    }
    return COSTAB_OK;
}

/* Refines the block at box.first_written and writes it into the tile. */
static costab_status evaluate_block(block *b, void *const *blocks, costab_error *error) {
    network_worker *worker = b->box.worker;
    b->patch.cell = b->box.study->base.spec->refine_cell;
    lay_block(b);
    if (!b->patch.all) TRY(choose_cell(b, error));
    TRY(refine_run(worker->refine, &b->patch, error));
    for (size_t number = 0; number < b->box.points; number++) {
        network_known *known = &worker->known[number];
        uint8_t code = refine_points(worker->refine)[number].code;
        if (refine_is_found(worker->refine, number)) continue;
        if (b->patch.classify == NULL) network_know_code(known, code);
        /* With classes only, the numbers stay unwritten, because clearing them took longer than all other
         * work. */
        known->code = code;
        known->removed = code == NETWORK_FAILED ? NETWORK_REMOVED_FAILED : NETWORK_REMOVED_NOT_COMPUTED;
        known->analysed = false;
    }
    return network_box_write(&b->box, blocks, error);
}

/* Goes on to the next block of the tile; returns false after the last. */
static bool next_block(network_box *b) {
    const network_study *study = b->study;
    for (int k = study->base.plan.swept - 1; k >= 0; k--) {
        bool refined = k == study->refine_axes[0] || k == study->refine_axes[1];
        b->first_written[k] += refined ? network_refine_block(study) : 1;
        if (b->first_written[k] < b->tile->start[k] + b->tile->count[k]) return true;
        b->first_written[k] = b->tile->start[k];
    }
    return false;
}

costab_status network_refine_evaluate(const network_study *study, network_worker *worker,
                                      const costab_tile *tile, void *const *blocks, costab_error *error) {
    block b = {.box = {.study = study, .worker = worker, .tile = tile}};
    bool codes = study->class_only && !study->runs && study->edge_count == 0;
    b.patch = (refine_patch){.margins = MARGINS,
                             .evaluate = analyse,
                             .classify = codes ? classify : NULL,
                             .by_columns = study->walk[study->base.plan.swept - 1] == study->refine_axes[0],
                             .lone_code = NETWORK_FAILED,
                             .weight = codes ? EVALUATED_WEIGHT : 1,
                             .line_weight = codes ? 1 : 1 / EVALUATED_WEIGHT,
                             .line = study->refine_axes[0] >= 0 ? classify_line : NULL,
                             .line_distance = 2 * study->base.spec->refine_cell,
                             .context = &b};
    for (int k = 0; k < study->base.plan.swept; k++) b.box.first_written[k] = tile->start[k];
    do {
        TRY(evaluate_block(&b, blocks, error));
    } while (next_block(&b.box));
    return COSTAB_OK;
}
