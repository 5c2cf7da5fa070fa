/* A tile of a refined network sweep. The two last axes with several values are cut into blocks of whole
 * coarse cells; each is refined on its own, with the first points of the blocks behind it, so that what a
 * point gets depends on its block alone. A narrow rest at the grid's end is refined with the cells before it.
 * All other axes are gone through one value after the other. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "study/network_study.h"
#include "sweep/refine.h"

/* Cells along the side of a block: enough to follow a boundary for a while, few enough for many tiles. */
#define BLOCK_CELLS 4

enum { MARGIN_RADIUS, MARGIN_ITERATION, MARGIN_ABSCISSA, MARGINS };

/* What is kept of a point that was analysed. */
typedef struct patch_values {
    network_point_values fields;
    double levels[NETWORK_LEVEL_COUNT]; /* margins as crossings of the level 1 are looked for with */
} patch_values;

struct network_patch {
    refine_work *work;
    patch_values *values; /* of the points of a block */
    size_t analysed;      /* points of blocks that were written */
};

/* A block of a tile at one value of the other axes. */
typedef struct block {
    const network_study *study;
    const network_worker *worker;
    const costab_tile *tile;
    size_t at[COSTAB_AXES_MAX]; /* in the grid: of the block's first point */
    size_t before[2];           /* points of the patch along the axes before the block's */
    size_t owned[2];            /* the block's points, without those of the blocks behind */
    refine_patch patch;
} block;

size_t network_refine_block(const network_study *study) {
    return BLOCK_CELLS * study->base.spec->refine_cell;
}

static size_t axis_count(const network_study *study, int a) {
    int axis = study->refine_axes[a];
    return axis < 0 ? 1 : study->base.plan.axes[axis].count;
}

static size_t at_most(size_t n, size_t limit) {
    return n < limit ? n : limit;
}

costab_status network_patch_create(const network_study *study, network_patch **patch, costab_error *error) {
    size_t points = 1;
    for (int a = 0; a < 2; a++) points *= at_most(axis_count(study, a), network_refine_block(study) + 1);
    network_patch *p = *patch = memory_alloc(1, sizeof *p);
    if (p == NULL) return error_memory(error);
    p->values = memory_alloc(points, sizeof *p->values);
    if (p->values == NULL) return error_memory(error);
    return refine_work_create(&p->work, points, error);
}

void network_patch_destroy(network_patch *patch) {
    if (patch == NULL) return;
    refine_work_destroy(&patch->work);
    memory_free(patch->values);
    memory_free(patch);
}

size_t network_patch_analysed(const network_patch *patch) {
    return patch->analysed;
}

/* ---- Looking */

static void set_axis(const block *b, int axis, size_t index) {
    const network_study *study = b->study;
    if (axis < NETWORK_FIRST_AXIS) return;
    costab_model_instance_set(b->worker->instance,
                              study->base.spec->axis_parameters[axis - NETWORK_FIRST_AXIS],
                              study->base.plan.axes[axis].values[index]);
}

/* The index along an axis of the plan of a point of the patch. */
static size_t index_along(const block *b, int axis, size_t number) {
    const int *refined = b->study->refine_axes;
    if (axis == refined[0]) return b->at[axis] + number / b->patch.count[1] - b->before[0];
    if (axis == refined[1]) return b->at[axis] + number % b->patch.count[1] - b->before[1];
    return b->at[axis];
}

static void set_point(const block *b, size_t number) {
    for (int k = NETWORK_FIRST_AXIS; k < b->study->base.plan.swept; k++)
        set_axis(b, k, index_along(b, k, number));
}

static bool is_owned(const block *b, size_t number) {
    const size_t along[2] = {number / b->patch.count[1], number % b->patch.count[1]};
    return along[0] >= b->before[0] && along[0] - b->before[0] < b->owned[0] && along[1] >= b->before[1] &&
           along[1] - b->before[1] < b->owned[1];
}

static costab_status note_failure(const block *b, size_t number, const costab_error *why,
                                  costab_error *error) {
    if (!is_owned(b, number)) return COSTAB_OK;
    size_t of_grid = 0;
    for (int k = 0; k < b->study->base.plan.swept; k++)
        of_grid = of_grid * b->study->base.plan.axes[k].count + index_along(b, k, number);
    return network_pool_fail(b->study->pool, b->tile->index, of_grid, why, error);
}

/* The iteration's radius matters where it decides the class, or where its level 1 is asked for. */
static bool iteration_matters(const block *b) {
    const costab_coupling *coupling =
        costab_model_instance_coupling(b->worker->instance, (int)b->at[NETWORK_COUPLING]);
    return b->study->levels[NETWORK_LEVEL_ITERATION] ||
           (coupling->scheme == COSTAB_ITERATED && coupling->iterations == 0);
}

/* The logarithm of a radius below 1, and what it is more than 1 above. A radius that is convex where it is
 * above, such as the modulus of an eigenvalue that passes 0, makes a margin that is convex; its logarithm
 * would not. Below 1 it is the other way round. */
static double radius_margin(double logarithm) {
    return logarithm > 0 ? expm1(logarithm) : logarithm;
}

static refine_point as_refined(const block *b, const costab_network_point *point, const double *levels) {
    refine_point p = {.code = point->class_code};
    p.margins[MARGIN_RADIUS] = radius_margin(levels[NETWORK_LEVEL_RADIUS]);
    p.margins[MARGIN_ITERATION] =
        iteration_matters(b) ? radius_margin(levels[NETWORK_LEVEL_ITERATION]) : (double)NAN;
    p.margins[MARGIN_ABSCISSA] = point->spectral_abscissa + point->abscissa_rounding;
    return p;
}

static costab_status look_at(const block *b, size_t number, refine_point *seen, costab_error *error) {
    costab_network_point point = {.size = 0};
    costab_error why = {.status = COSTAB_OK};
    bool failed;
    set_point(b, number);
    costab_status status = network_worker_look(b->worker, b->at[NETWORK_COUPLING], &point, &failed, &why);
    if (status != COSTAB_OK) {
        if (error != NULL) *error = why;
        return status;
    }
    patch_values *values = &b->worker->patch->values[number];
    values->fields = network_point_values_of(failed ? NULL : &point);
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++)
        values->levels[l] = failed ? (double)NAN : network_margin(&point, (network_level)l);
    *seen =
        failed ? (refine_point){.code = NETWORK_FAILED, .lone = true} : as_refined(b, &point, values->levels);
    return failed ? note_failure(b, number, &why, error) : COSTAB_OK;
}

static costab_status look(void *context, const size_t *numbers, size_t count, refine_point *points,
                          costab_error *error) {
    const block *b = context;
    costab_status status = COSTAB_OK;
    for (size_t i = 0; i < count && status == COSTAB_OK; i++)
        status = look_at(b, numbers[i], &points[numbers[i]], error);
    return status;
}

/* ---- Writing */

/* The number in the patch of a point of the block. */
static size_t owned_number(const block *b, size_t i, size_t j) {
    return (b->before[0] + i) * b->patch.count[1] + b->before[1] + j;
}

/* Where a point of the block stands in the tile's. */
static size_t inside(const block *b, size_t number) {
    size_t at = 0;
    for (int k = 0; k < b->study->base.plan.swept; k++)
        at = at * b->tile->count[k] + index_along(b, k, number) - b->tile->start[k];
    return at;
}

static void write_points(const block *b, void *const *blocks) {
    network_patch *patch = b->worker->patch;
    const refine_point *points = refine_points(patch->work);
    const network_point_values none = network_point_values_of(NULL);
    uint8_t *computed = blocks[b->study->field[NETWORK_VALUE_COMPUTED]];
    for (size_t i = 0; i < b->owned[0]; i++)
        for (size_t j = 0; j < b->owned[1]; j++) {
            size_t number = owned_number(b, i, j), at = inside(b, number);
            bool looked = refine_looked(patch->work, number);
            network_tile_put(b->study, blocks, at, points[number].code,
                             looked ? &patch->values[number].fields : &none);
            computed[at] = looked;
            patch->analysed += looked;
        }
}

/* The crossing on the edge from a point along the a-th axis, NaN if there is none. */
static costab_status cross(const block *b, network_level level, size_t number, int a, double *crossing,
                           costab_error *error) {
    const size_t along[2] = {number / b->patch.count[1], number % b->patch.count[1]};
    const refine_work *work = b->worker->patch->work;
    size_t next = number + (a == 0 ? b->patch.count[1] : 1);
    *crossing = (double)NAN;
    if (along[a] + 1 >= b->patch.count[a] || !refine_looked(work, number) || !refine_looked(work, next))
        return COSTAB_OK;
    const patch_values *values = b->worker->patch->values;
    const double margins[2] = {values[number].levels[level], values[next].levels[level]};
    if (isnan(margins[0]) || isnan(margins[1]) || (margins[0] < 0) == (margins[1] < 0)) return COSTAB_OK;
    int axis = b->study->refine_axes[a];
    const double *ends = &b->study->base.plan.axes[axis].values[b->at[axis] + along[a] - b->before[a]];
    set_point(b, number);
    return network_edge_cross(b->worker, b->at[NETWORK_COUPLING], level,
                              b->study->base.spec->axis_parameters[axis - NETWORK_FIRST_AXIS], ends, margins,
                              crossing, error);
}

static costab_status write_edges(const block *b, network_level level, int e, double *crossings,
                                 costab_error *error) {
    int a = b->study->edge_axes[e] == b->study->refine_axes[0] ? 0 : 1;
    for (size_t i = 0; i < b->owned[0]; i++)
        for (size_t j = 0; j < b->owned[1]; j++) {
            size_t number = owned_number(b, i, j);
            costab_status status = cross(b, level, number, a, &crossings[inside(b, number)], error);
            if (status != COSTAB_OK) return status;
        }
    return COSTAB_OK;
}

/* ---- Going through */

static costab_status evaluate_block(block *b, void *const *blocks, costab_error *error) {
    const network_study *study = b->study;
    size_t side = network_refine_block(study);
    for (int a = 0; a < 2; a++) {
        int axis = study->refine_axes[a];
        size_t left = axis_count(study, a) - (axis < 0 ? 0 : b->at[axis]);
        bool narrow = left <= 2 * b->patch.cell && left < axis_count(study, a);
        b->before[a] = narrow ? 2 * b->patch.cell : 0;
        b->patch.count[a] = at_most(b->before[a] + left, side + 1);
        b->owned[a] = at_most(left, side);
    }
    costab_status status = refine_run(b->worker->patch->work, &b->patch, error);
    if (status != COSTAB_OK) return status;
    write_points(b, blocks);
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++)
        for (int e = 0; e < study->edge_count && study->levels[l] && status == COSTAB_OK; e++)
            status = write_edges(b, (network_level)l, e,
                                 blocks[study->field[network_level_value((network_level)l, e)]], error);
    return status;
}

/* The next block of the tile; false after the last. */
static bool next_block(block *b) {
    const network_study *study = b->study;
    for (int k = study->base.plan.swept - 1; k >= 0; k--) {
        bool refined = k == study->refine_axes[0] || k == study->refine_axes[1];
        b->at[k] += refined ? network_refine_block(study) : 1;
        if (b->at[k] < b->tile->start[k] + b->tile->count[k]) return true;
        b->at[k] = b->tile->start[k];
    }
    return false;
}

costab_status network_refine_evaluate(const network_study *study, network_worker *worker,
                                      const costab_tile *tile, void *const *blocks, costab_error *error) {
    block b = {.study = study, .worker = worker, .tile = tile};
    b.patch = (refine_patch){
        .cell = study->base.spec->refine_cell, .margins = MARGINS, .look = look, .context = &b};
    for (int k = 0; k < study->base.plan.swept; k++) b.at[k] = tile->start[k];
    do {
        costab_status status = evaluate_block(&b, blocks, error);
        if (status != COSTAB_OK) return status;
    } while (next_block(&b));
    return COSTAB_OK;
}
