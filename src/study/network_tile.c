/* A tile of a network sweep: its points, and then the edges of the grid that begin in it. An edge at the
 * tile's end needs the point beyond it: those are analysed too, so that tiles know nothing of each other. */
#include <math.h>
#include <stdint.h>

#include "study/network_study.h"

/* The box of a tile and, along the axes that have edges, of one more point where the grid goes on. */
typedef struct box {
    const costab_tile *tile;
    int axes;
    size_t count[COSTAB_AXES_MAX], stride[COSTAB_AXES_MAX];
    size_t at[COSTAB_AXES_MAX]; /* the present point, from the tile's start */
    size_t number;              /* of that point in the box */
    size_t inside;              /* of that point in the tile, if it lies there */
} box;

static box box_start(const network_study *study, const costab_tile *tile) {
    const costab_plan *plan = &study->base.plan;
    box b = {.tile = tile, .axes = plan->swept};
    for (int k = 0; k < b.axes; k++) b.count[k] = tile->count[k];
    for (int e = 0; e < study->edge_count; e++) {
        int k = study->edge_axes[e];
        if (tile->start[k] + tile->count[k] < plan->axes[k].count) b.count[k]++;
    }
    size_t stride = 1;
    for (int k = b.axes - 1; k >= 0; k--) {
        b.stride[k] = stride;
        stride *= b.count[k];
    }
    return b;
}

/* Along how many axes the present point lies beyond the tile. */
static int box_beyond(const box *b) {
    int beyond = 0;
    for (int k = 0; k < b->axes; k++) beyond += b->at[k] >= b->tile->count[k];
    return beyond;
}

static bool box_next(box *b) {
    if (box_beyond(b) == 0) b->inside++;
    b->number++;
    for (int k = b->axes - 1; k >= 0; k--) {
        if (++b->at[k] < b->count[k]) return true;
        b->at[k] = 0;
    }
    return false;
}

/* Of the present point in the whole grid. */
static size_t grid_number(const network_study *study, const box *b) {
    size_t number = 0;
    for (int k = 0; k < b->axes; k++)
        number = number * study->base.plan.axes[k].count + b->tile->start[k] + b->at[k];
    return number;
}

/* The value of an axis `more` steps after the present point. */
static double value_at(const network_study *study, const box *b, int axis, size_t more) {
    return study->base.plan.axes[axis].values[b->tile->start[axis] + b->at[axis] + more];
}

/* Parameters that stay as they are cost nothing. */
static void set_parameters(const network_study *study, const network_worker *worker, const box *b) {
    for (int k = NETWORK_FIRST_AXIS; k < b->axes; k++)
        costab_model_instance_set(worker->instance, study->base.spec->axis_parameters[k - NETWORK_FIRST_AXIS],
                                  value_at(study, b, k, 0));
}

static void put(const network_study *study, void *const *blocks, network_value which, size_t at,
                double value) {
    int f = study->field[which];
    if (f >= 0) ((double *)blocks[f])[at] = value;
}

network_point_values network_point_values_of(const costab_network_point *point) {
    double none = (double)NAN;
    if (point == NULL) return (network_point_values){none, none, none};
    return (network_point_values){point->spectral_radius, point->spectral_abscissa, point->iteration_radius};
}

void network_tile_put(const network_study *study, void *const *blocks, size_t at, uint8_t code,
                      const network_point_values *values) {
    int f = study->field[NETWORK_VALUE_CLASS];
    if (f >= 0) ((uint8_t *)blocks[f])[at] = code;
    put(study, blocks, NETWORK_VALUE_SPECTRAL_RADIUS, at, values->spectral_radius);
    put(study, blocks, NETWORK_VALUE_SPECTRAL_ABSCISSA, at, values->spectral_abscissa);
    put(study, blocks, NETWORK_VALUE_ITERATION_RADIUS, at, values->iteration_radius);
}

/* NULL: the point cannot be analysed. */
static void put_point(const network_study *study, void *const *blocks, size_t at,
                      const costab_network_point *point) {
    network_point_values values = network_point_values_of(point);
    network_tile_put(study, blocks, at, point != NULL ? point->class_code : NETWORK_FAILED, &values);
    if (point != NULL) return;
    for (network_value which = NETWORK_VALUE_ERROR; which <= NETWORK_VALUE_ENERGY_RESIDUAL; which++)
        put(study, blocks, which, at, (double)NAN);
}

static costab_status run_point(const network_study *study, const network_worker *worker, const box *b,
                               void *const *blocks, costab_error *error) {
    network_run run;
    bool failed;
    costab_error why = {.status = COSTAB_OK};
    costab_status status = network_worker_run(study, worker, b->tile, &run, &failed, &why);
    if (status != COSTAB_OK) {
        if (error != NULL) *error = why;
        return status;
    }
    put(study, blocks, NETWORK_VALUE_ERROR, b->inside, run.error);
    put(study, blocks, NETWORK_VALUE_ERROR_BOUND, b->inside, run.error_bound);
    put(study, blocks, NETWORK_VALUE_ENERGY_RESIDUAL, b->inside, run.energy_residual);
    if (!failed) return COSTAB_OK;
    return network_pool_fail(study->pool, b->tile->index, grid_number(study, b), &why, error);
}

static costab_status look_at_points(const network_study *study, const network_worker *worker,
                                    const costab_tile *tile, void *const *blocks, costab_error *error) {
    box b = box_start(study, tile);
    do {
        int beyond = box_beyond(&b);
        costab_network_point point = {.size = 0};
        costab_error why = {.status = COSTAB_OK};
        bool failed = true;
        if (beyond < 2) { /* no edge leads to a corner */
            set_parameters(study, worker, &b);
            size_t coupling = tile->start[NETWORK_COUPLING] + b.at[NETWORK_COUPLING];
            costab_status status =
                study->class_only
                    ? network_worker_classify(worker, coupling, &point.class_code, &failed, &why)
                    : network_worker_look(worker, coupling, &point, &failed, &why);
            if (status != COSTAB_OK) {
                if (error != NULL) *error = why;
                return status;
            }
        }
        if (beyond == 0) put_point(study, blocks, b.inside, failed ? NULL : &point);
        if (beyond == 0 && failed) {
            costab_status status =
                network_pool_fail(study->pool, tile->index, grid_number(study, &b), &why, error);
            if (status != COSTAB_OK) return status;
        }
        if (beyond == 0 && !failed && study->runs) {
            costab_status status = run_point(study, worker, &b, blocks, error);
            if (status != COSTAB_OK) return status;
        }
        for (int l = 0; l < NETWORK_LEVEL_COUNT; l++)
            if (worker->margins[l] != NULL)
                worker->margins[l][b.number] =
                    failed ? (double)NAN : network_margin(&point, (network_level)l);
    } while (box_next(&b));
    return COSTAB_OK;
}

/* The crossing on the e-th edge from the present point, NaN if there is none. */
static costab_status cross(const network_study *study, const network_worker *worker, const box *b,
                           network_level level, int e, double *crossing, costab_error *error) {
    const double *known = worker->margins[level];
    int axis = study->edge_axes[e];
    *crossing = (double)NAN;
    if (b->at[axis] + 1 >= b->count[axis]) return COSTAB_OK;
    double margins[2] = {known[b->number], known[b->number + b->stride[axis]]};
    if (isnan(margins[0]) || isnan(margins[1]) || (margins[0] < 0) == (margins[1] < 0)) return COSTAB_OK;
    double ends[2] = {value_at(study, b, axis, 0), value_at(study, b, axis, 1)};
    set_parameters(study, worker, b);
    return network_edge_cross(worker, b->tile->start[NETWORK_COUPLING] + b->at[NETWORK_COUPLING], level,
                              study->base.spec->axis_parameters[axis - NETWORK_FIRST_AXIS], ends, margins,
                              crossing, error);
}

static costab_status look_at_edges(const network_study *study, const network_worker *worker,
                                   const costab_tile *tile, void *const *blocks, costab_error *error) {
    box b = box_start(study, tile);
    do {
        if (box_beyond(&b) > 0) continue;
        for (int k = 0; k < NETWORK_LEVEL_COUNT * study->edge_count; k++) {
            network_level level = (network_level)(k / study->edge_count);
            int e = k % study->edge_count;
            double crossing;
            if (!study->levels[level]) continue;
            costab_status status = cross(study, worker, &b, level, e, &crossing, error);
            if (status != COSTAB_OK) return status;
            put(study, blocks, network_level_value(level, e), b.inside, crossing);
        }
    } while (box_next(&b));
    return COSTAB_OK;
}

costab_status network_tile_evaluate(const network_study *study, network_worker *worker,
                                    const costab_tile *tile, void *const *blocks, costab_error *error) {
    costab_status status = look_at_points(study, worker, tile, blocks, error);
    if (status == COSTAB_OK && study->edge_count > 0)
        status = look_at_edges(study, worker, tile, blocks, error);
    return status;
}
