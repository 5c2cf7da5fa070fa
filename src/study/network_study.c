/* Plans a network sweep and evaluates its tiles.
 *   1. Axes: the coupling, then the swept parameters. Fields: numbers and codes of each point; and the
 *      crossings of 1 on the grid's edges, if the spectral or the iteration radius is requested over one or
 *      two axes with several values.
 *   2. Tiles: squares or rows of points, such that few points are analysed in two tiles. Within a tile the
 *      macro step varies fastest, because least of a point depends on it.
 *   3. A tile is refined (network_refine.c), or all its points are analysed (network_tile.c).
 *
 * Grid and model alone determine the tiles, and so the bytes of the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "method/eigen_lanes.h"
#include "model/body.h"
#include "network/analyse.h"
#include "network/batch.h"
#include "network/monolithic.h"
#include "study/network_study.h"
#include "sweep/refine.h"
#include "sweep/run.h"

enum {
    TILES = 128,            /* least number of tiles, if these do not get too small: threads end together */
    TILE_POINTS_MAX = 1024, /* an interrupted sweep loses one tile per thread */
    TILE_POINTS_MIN = 16,   /* along one axis; the point beyond the tile is analysed twice */
    TILE_SIDE_MIN = 16,     /* over two axes; the points beyond the tile are analysed twice */
    TILE_SIDE_MAX = 32,
    TILE_SIDE_REFINED = 128, /* most points of refined sweeps cost nothing */
    COST_OF_PROGRAMS = 128,  /* of a point with FMUs or a solved operating point; small network: 1 */
    COST_OF_RUNS = 16,
    COST_FROM_STATES = 64, /* number of states from which the cost of a point grows with its cube */
};

static const study_codes class_codes = {
    .kind = COSTAB_CODES_VALUES,
    .count = 14,
    .values = {COSTAB_UU, COSTAB_US, COSTAB_SU, COSTAB_SS, COSTAB_NU, COSTAB_NS, COSTAB_SN, COSTAB_UN,
               COSTAB_NN, COSTAB_XU, COSTAB_XS, COSTAB_XN, NETWORK_NOT_COMPUTED, NETWORK_FAILED},
    .meanings = "UU US SU SS NU NS SN UN NN XU XS XN not_computed failed",
    .fill = NETWORK_NOT_COMPUTED,
};
static const study_codes best_codes = {
    .kind = COSTAB_CODES_VALUES,
    .count = 7,
    .values = {COSTAB_BEST_OTHER, COSTAB_BEST_CHOSEN, COSTAB_BEST_TIE, COSTAB_BEST_NONE,
               COSTAB_BEST_UNDECIDED, NETWORK_NOT_COMPUTED, NETWORK_FAILED},
    .meanings = "other best tie none undecided not_computed failed",
    .fill = NETWORK_NOT_COMPUTED,
};
static const study_codes removed_codes = {
    .kind = COSTAB_CODES_VALUES,
    .count = NETWORK_REMOVED_MOST + 3,
    .values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, NETWORK_REMOVED_MOST, NETWORK_REMOVED_NOT_COMPUTED,
               NETWORK_REMOVED_FAILED},
    .meanings = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 not_computed failed",
    .fill = NETWORK_REMOVED_NOT_COMPUTED,
};
static const study_codes computed_codes = {
    .kind = COSTAB_CODES_VALUES, .count = 2, .values = {0, 1}, .meanings = "filled analysed"};

/* Datasets in addition to the fields of a spec. */
static const study_field other_fields[NETWORK_VALUE_COUNT] = {
    [NETWORK_VALUE_COMPUTED] = {0, 0, "computed",
                                "whether the point was analysed, or its class is that of the cell around it",
                                &computed_codes, NULL},
    [NETWORK_VALUE_REMOVED] = {0, 0, "removed_modes",
                               "structural modes removed from the macro step's map: equilibria and rigid "
                               "motions that the model has at all values of its parameters; 13 and more: 13",
                               &removed_codes, NULL},
    [NETWORK_VALUE_LEVEL_ONE] = {0, 0, "level_one_",
                                 "value of this axis at which the spectral radius passes 1 between the "
                                 "point and the next along it; nan where it does not",
                                 NULL, NULL},
    [NETWORK_VALUE_ITERATION_ONE] = {0, 0, "iteration_one_",
                                     "value of this axis at which the iteration radius passes 1 between the "
                                     "point and the next along it; nan where it does not",
                                     NULL, NULL},
};

/* Reports an axis whose name would clash in the results file. */
static costab_status refuse(const network_study *study, costab_error *error, const char *name,
                            const char *why) {
    return error_invalid(error, "%s: error: axes, %s: %s; rename the parameter", study->model->path, name,
                         why);
}

/* Plans the crossings of the requested radii. The spectral radius includes the values at which iterations
 * until convergence start to diverge, because classes change there, too. */
static void plan_levels(network_study *study) {
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++)
        study->levels[l] = study->edge_count > 0 && network_level_asked(study, (network_level)l);
    for (int c = 0; c < study->model->coupling_count && study->levels[NETWORK_LEVEL_RADIUS]; c++) {
        const model_coupling *coupling = &study->model->body->couplings[c];
        if (coupling->slot[COUPLING_OF_iterations] < 0 && analyse_converges(&coupling->choices))
            study->levels[NETWORK_LEVEL_ITERATION] = true;
    }
    if (!study->levels[NETWORK_LEVEL_RADIUS] && !study->levels[NETWORK_LEVEL_ITERATION])
        study->edge_count = 0;
}

_Static_assert(1U << NETWORK_VALUE_BEST == COSTAB_NETWORK_BEST, "a value's number is its row");

/* Plans the fields and the numbers that they need from points. */
static void plan_numbers(network_study *study) {
    study->class_only = true;
    study->asked = NETWORK_OF_RADIUS;
    for (int k = 0; k < network_field_count(); k++) {
        const network_field *field = network_field_at(k);
        if ((study->base.spec->fields >> k & 1) == 0 || field->layer == FIELD_CLASS ||
            field->layer == FIELD_BEST)
            continue;
        study->numbers[study->number_count++] = k;
        if (field->layer != FIELD_POINT) continue;
        study->class_only = false;
        study->asked |= field->asked != 0 ? field->asked : NETWORK_OF_REST;
    }
}

/* Plans the axes, and what depends on which of them have several values (`wide` axes). */
static costab_status plan_axes(network_study *study, costab_error *error) {
    const costab_model *model = study->model;
    const costab_spec *spec = study->base.spec;
    costab_plan *plan = &study->base.plan;
    if (spec->axis_count == 0 && spec->uncertain_count > 0)
        return error_invalid(
            error, "%s: error: all axes are uncertain; give 'axes' a parameter with values, too, perhaps one",
            model->path);
    if (spec->uncertain_count > 0 && (spec->fields & COSTAB_NETWORK_OF_SAMPLES) == 0)
        return error_invalid(
            error,
            "%s: error: no field uses the uncertain parameters; write for instance 'fields: [probability]'",
            spec->path);
    if (spec->axis_count == 0)
        return error_invalid(
            error,
            "%s: error: a sweep needs the key 'axes' or 'history'; write for "
            "instance 'axes: {%s: {from: 0.1, to: 5, points: 50}}', or chart the model with 'costab sweep --axis'",
            model->path, model->parameter_count > 0 ? model->parameters[0].name : "H");
    plan->axes[NETWORK_COUPLING] = (costab_axis){.name = "coupling",
                                                 .count = (size_t)model->coupling_count,
                                                 .labels = model->coupling_names,
                                                 .long_name = "coupling of the subsystems"};
    int wide = 0;
    study->refine_axes[0] = study->refine_axes[1] = -1;
    for (int i = 0; i < spec->axis_count; i++) {
        int k = NETWORK_FIRST_AXIS + i;
        plan->axes[k] = spec->axes[i];
        if (plan->axes[k].unit == NULL)
            plan->axes[k].unit = costab_model_parameter_unit(model, spec->axis_parameters[i]);
        if (plan->axes[k].long_name == NULL) plan->axes[k].long_name = "parameter of the model";
        if (spec->axes[i].count < 2) continue;
        study->refine_axes[0] = study->refine_axes[1];
        study->refine_axes[1] = k;
        if (wide < NETWORK_EDGES_MAX) study->edge_axes[wide] = k;
        wide++;
    }
    plan->axis_count = plan->swept = NETWORK_FIRST_AXIS + spec->axis_count;
    plan_numbers(study);
    study->edge_count = wide <= NETWORK_EDGES_MAX ? wide : 0;
    plan_levels(study);
    study->runs = (spec->fields & (COSTAB_NETWORK_OF_RUN | COSTAB_NETWORK_PATTERN_RADIUS |
                                   COSTAB_NETWORK_OF_SAMPLES | COSTAB_NETWORK_OF_BEST)) != 0;
    return COSTAB_OK;
}

/* Adds a field over the coupling and all swept parameters. */
static void add_field(network_study *study, int which, study_field field) {
    field.axes = (1U << study->base.plan.swept) - 1;
    study->field[which] = study_plan_field(&study->base.plan, &field, NULL);
}

/* Adds the crossings along the e-th axis with edges. */
static costab_status add_crossings(network_study *study, network_level level, int e, costab_error *error) {
    const costab_plan *plan = &study->base.plan;
    study_field field = other_fields[network_level_value(level, 0)];
    const char *axis = plan->axes[study->edge_axes[e]].name;
    char name[2 * COSTAB_NAME_MAX];
    (void)snprintf(name, sizeof name, "%s%s", field.name, axis);
    if (strlen(name) >= COSTAB_NAME_MAX) return refuse(study, error, axis, "the name is too long");
    if (costab_plan_axis(plan, name) >= 0)
        return refuse(study, error, name, "the results file has a field of this name");
    field.name = name;
    field.unit = plan->axes[study->edge_axes[e]].unit;
    add_field(study, network_level_value(level, e), field);
    return COSTAB_OK;
}

static costab_status plan_fields(network_study *study, costab_error *error) {
    const costab_spec *spec = study->base.spec;
    for (int k = 0; k < NETWORK_VALUE_COUNT; k++) study->field[k] = -1;
    for (int k = 0; k < network_field_count(); k++) {
        const network_field *of = network_field_at(k);
        const study_codes *codes = of->layer == FIELD_CLASS  ? &class_codes
                                   : of->layer == FIELD_BEST ? &best_codes
                                                             : NULL;
        if ((spec->fields >> k & 1) != 0)
            add_field(study, k, (study_field){1U << k, 0, of->name, of->meaning, codes, of->unit});
    }
    if (spec->refine_cell > 0) add_field(study, NETWORK_VALUE_COMPUTED, other_fields[NETWORK_VALUE_COMPUTED]);
    add_field(study, NETWORK_VALUE_REMOVED, other_fields[NETWORK_VALUE_REMOVED]);
    for (int l = 0; l < NETWORK_LEVEL_COUNT; l++)
        for (int e = 0; e < study->edge_count && study->levels[l]; e++)
            TRY(add_crossings(study, (network_level)l, e, error));
    return COSTAB_OK;
}

/* Orders the axes of the walk through a tile, the macro step last and so fastest: least of a point depends on
 * it, so little is computed again. Points are grouped in lanes if the fastest axis with several values is a
 * parameter, and no field needs a run. */
static costab_status plan_walk(network_study *study, costab_error *error) {
    ends_by(costab_model_instance_destroy) costab_model_instance *instance = NULL;
    TRY(model_instance_make(study->model, &instance, error));
    int count = 0, swept = study->base.plan.swept;
    for (int last = 0; last < 2; last++)
        for (int k = 0; k < swept; k++) {
            bool step =
                k >= NETWORK_FIRST_AXIS &&
                model_instance_is_step(instance, study->base.spec->axis_parameters[k - NETWORK_FIRST_AXIS]);
            if (step != (last != 0)) continue;
            study->walk[count++] = k;
            if (study->base.plan.axes[k].count > 1) study->grouped = k >= NETWORK_FIRST_AXIS && !study->runs;
        }
    return COSTAB_OK;
}

/* Returns n, limited to the range from low to high. */
static size_t between(size_t n, size_t low, size_t high) {
    return n < low ? low : n > high ? high : n;
}

static int states_of(const costab_model *model) {
    int states = 0;
    for (int s = 0; s < model->body->subsystem_count; s++) states += model->body->subsystems[s].states;
    return states;
}

/* Estimated cost of a point relative to a point of a small network. The plan alone determines it: tiles must
 * not depend on measured times. */
static size_t cost_of(const network_study *study) {
    const costab_spec *spec = study->base.spec;
    const model_body *body = study->model->body;
    double size = (double)states_of(study->model) / COST_FROM_STATES,
           cost = size > 1 ? size * size * size : 1;
    bool programs = body->solves;
    for (int s = 0; s < body->subsystem_count; s++) programs = programs || body->subsystems[s].foreign;
    if (programs) cost *= COST_OF_PROGRAMS;
    if (study->runs) cost *= COST_OF_RUNS;
    if ((spec->fields & COSTAB_NETWORK_OF_SAMPLES) != 0) cost *= spec->samples;
    if ((spec->fields & COSTAB_NETWORK_OF_BEST) != 0) cost *= study->model->coupling_count;
    return cost < TILE_POINTS_MAX ? (size_t)cost : TILE_POINTS_MAX;
}

/* Least side of tiles over two axes with edges, because points beyond a tile are analysed twice. With lanes
 * points are cheap enough for the largest tiles. */
static size_t least_side(const network_study *study) {
    bool lanes = !study->runs && states_of(study->model) > 0 && states_of(study->model) <= EIGEN_LANES_MOST;
    return lanes ? TILE_SIDE_MAX : TILE_SIDE_MIN;
}

/* Plans tiles of a grid without edges, of which no point is analysed twice: all values of the fastest axis,
 * then of the next. */
static void plan_long_tiles(network_study *study, size_t share) {
    costab_plan *plan = &study->base.plan;
    for (int i = plan->swept - 1; i >= 0; i--) {
        size_t count = plan->axes[study->walk[i]].count;
        plan->tile_shape[study->walk[i]] = between(share, 1, count);
        share = count < share ? share / count : 1;
    }
}

/* Plans tiles. wide: number of axes with several values. With edges, tiles are parts of one axis, or squares
 * of two axes: rows would have many points just beyond them. Tiles of expensive points are small, so that
 * threads and slices end together and an interrupted sweep loses little. The tiles depend on grid and model
 * alone, and so does the file. */
static costab_status plan_tiles(network_study *study, int wide, costab_error *error) {
    costab_plan *plan = &study->base.plan;
    size_t tiles, points;
    costab_plan_choose_tiles(plan, TILE_POINTS_MAX);
    TRY(costab_plan_size(plan, &tiles, &points, error));
    const int *edges = study->edge_axes;
    bool alone = study->runs && study->edge_count == 0; /* runs take long */
    size_t cost = cost_of(study);
    size_t share = between(between(points / TILES, alone ? 1 : TILE_POINTS_MIN, TILE_POINTS_MAX) / cost, 1,
                           TILE_POINTS_MAX);
    if (study->edge_count == 0) {
        plan_long_tiles(study, share);
    } else if (wide == 1) {
        plan->tile_shape[edges[0]] = between(share, 1, plan->axes[edges[0]].count);
    } else {
        size_t side = between((size_t)sqrt((double)points / TILES), least_side(study), TILE_SIDE_MAX);
        size_t area = between(side * side / cost, 1, side * side);
        size_t first = plan->axes[edges[0]].count, second = plan->axes[edges[1]].count;
        side = (size_t)sqrt((double)area);
        plan->tile_shape[edges[0]] = between(second < side ? area / second : side, 1, first);
        plan->tile_shape[edges[1]] = between(area / plan->tile_shape[edges[0]], 1, second);
    }
    /* All couplings of a point are compared in one tile. */
    bool best = (study->base.spec->fields & COSTAB_NETWORK_OF_BEST) != 0;
    plan->tile_shape[NETWORK_COUPLING] = best ? plan->axes[NETWORK_COUPLING].count : 1;
    study->box_points = 1;
    for (int k = 0; k < plan->swept; k++) {
        bool beyond = false;
        for (int e = 0; e < study->edge_count; e++) beyond = beyond || edges[e] == k;
        study->box_points *= plan->tile_shape[k] + beyond;
    }
    return COSTAB_OK;
}

/* Plans tiles of whole blocks. */
static void plan_refined_tiles(network_study *study) {
    costab_plan *plan = &study->base.plan;
    size_t block = network_refine_block(study);
    size_t side =
        block < TILE_SIDE_REFINED && cost_of(study) == 1 ? TILE_SIDE_REFINED / block * block : block;
    for (int k = 0; k < plan->swept; k++) {
        bool refined = k == study->refine_axes[0] || k == study->refine_axes[1];
        plan->tile_shape[k] = refined ? between(side, 1, plan->axes[k].count) : 1;
    }
    study->box_points = network_refine_points(study);
}

/* ---- Workers: one per thread, with an instance of the model and a workspace ---- */
static costab_status pool_create(network_pool **pool, costab_error *error) {
    TRY(memory_make(pool, 1, error));
    **pool = (network_pool){.lock = PTHREAD_MUTEX_INITIALIZER};
    return COSTAB_OK;
}

static void worker_free(network_worker *worker) {
    model_lanes_destroy(&worker->lanes);
    memory_free_all(worker->sample_codes, worker->contenders);
    costab_model_instance_destroy(&worker->instance);
    costab_network_work_destroy(&worker->work);
    costab_network_simulator_destroy(&worker->simulator);
    memory_free(worker->known);
    refine_work_destroy(&worker->refine);
    memory_free(worker);
}

static void pool_destroy(network_pool *pool) {
    if (pool == NULL) return;
    for (network_worker *worker = pool->made, *next; worker != NULL; worker = next) {
        next = worker->next;
        worker_free(worker);
    }
    (void)pthread_mutex_destroy(&pool->lock);
    memory_free(pool);
}

static costab_status worker_make(const network_study *study, network_worker **made, costab_error *error) {
    network_worker *worker = *made = memory_alloc(1, sizeof *worker);
    if (worker == NULL) return error_memory(error);
    costab_status status = model_instance_make(study->model, &worker->instance, error);
    /* With fields of runs alone, stability is not analysed, and the coefficients may depend on t. This
     * excludes the error bound, which uses the matrices at t = 0. */
    const unsigned runs = (unsigned)COSTAB_NETWORK_OF_RUN & ~(unsigned)COSTAB_NETWORK_ERROR_BOUND;
    if (!status && (study->base.spec->fields & ~runs) == 0)
        costab_model_instance_allow_time_varying(worker->instance);
    /* Lanes start with the values at the defaults; an FMU that cannot be measured there may be measurable
     * elsewhere. */
    if (!status) status = costab_model_instance_update(worker->instance, error);
    if (status == COSTAB_INVALID && worker->instance != NULL) status = COSTAB_OK;
    if (!status) status = costab_network_work_create(&worker->work, error);
    if (!status && study->runs) status = costab_network_simulator_create(&worker->simulator, error);
    if (!status && study->base.spec->refine_cell > 0)
        status = refine_work_create(&worker->refine, study->box_points, error);
    if (!status) status = memory_make(&worker->known, study->box_points, error);
    if (!status) return COSTAB_OK;
    worker_free(worker);
    *made = NULL;
    return status;
}

/* Returns the worker of a thread and makes it at the first call. Thread-safe. */
static costab_status pool_worker(const network_study *study, int number, network_worker **worker,
                                 costab_error *error) {
    network_pool *pool = study->pool;
    costab_status status = COSTAB_OK;
    (void)pthread_mutex_lock(&pool->lock); /* instances are made one after the other */
    *worker = pool->made;
    while (*worker != NULL && (*worker)->number != number) *worker = (*worker)->next;
    if (*worker == NULL) {
        status = worker_make(study, worker, error);
        if (*worker != NULL) {
            (*worker)->number = number;
            (*worker)->next = pool->made;
            pool->made = *worker;
        }
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

/* Adds a worker's points that were analysed since the last call to the report. */
static void pool_count(network_pool *pool, network_worker *worker) {
    (void)pthread_mutex_lock(&pool->lock);
    pool->report.analysed += worker->analysed;
    (void)pthread_mutex_unlock(&pool->lock);
    worker->analysed = 0;
}

/* ---- The study ---- */

static costab_status evaluate(const costab_study *base, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const network_study *study = (const network_study *)base;
    network_worker *worker = NULL;
    TRY(pool_worker(study, tile->worker, &worker, error));
    if (study->base.spec->refine_cell == 0) return network_tile_evaluate(study, worker, tile, blocks, error);
    costab_status status = network_refine_evaluate(study, worker, tile, blocks, error);
    pool_count(study->pool, worker);
    return status;
}

static void destroy(costab_study *base) {
    network_study *study = (network_study *)base;
    memory_free_all(study->samples, study->simplicity);
    pool_destroy(study->pool);
}

/* Refuses runs without motion, which have no error, at both the first and the last values of all axes. */
static costab_status check_moves(const network_study *study, costab_model_instance *instance,
                                 costab_error *error) {
    const costab_spec *spec = study->base.spec;
    if ((spec->fields & COSTAB_NETWORK_OF_RUN) == 0) return COSTAB_OK;
    costab_status status = COSTAB_OK;
    for (int last = 1; last >= 0; last--) {
        for (int i = 0; i < spec->axis_count; i++)
            costab_model_instance_set(instance, spec->axis_parameters[i],
                                      spec->axes[i].values[last ? spec->axes[i].count - 1 : 0]);
        costab_status updated = costab_model_instance_update(instance, error);
        if (updated == COSTAB_INVALID) continue; /* such points fail by themselves */
        if (updated) return updated;
        if (last || status) status = analysis_check_moves(instance, error);
        if (status && status != COSTAB_INVALID) return status;
    }
    return status;
}

/* Makes one worker in advance, so that errors common to all points are reported before anything is written.
 */
static costab_status try_worker(network_study *study, costab_error *error) {
    network_worker *worker = NULL;
    const costab_spec *spec = study->base.spec;
    if (!model_has_numbers(study->model)) return COSTAB_OK;
    TRY(pool_worker(study, 0, &worker, error));
    for (int i = 0; i < spec->axis_count; i++)
        costab_model_instance_set(worker->instance, spec->axis_parameters[i], spec->axes[i].values[0]);
    TRY(model_instance_check_fixed(worker->instance, spec->axis_parameters, spec->axis_count, error));
    TRY(check_moves(study, worker->instance, error));
    if ((spec->fields & COSTAB_NETWORK_PATTERN_RADIUS) != 0)
        TRY(analysis_check_steps(worker->instance, error));
    if ((spec->fields & COSTAB_NETWORK_ERROR) != 0 &&
        monolithic_unknown(costab_model_instance_network(worker->instance)))
        return error_invalid(error,
                             "fields: error: the continuous system of an FMU for co-simulation is not known");
    if ((study->base.spec->fields & COSTAB_NETWORK_OF_SAMPLES) != 0)
        TRY(network_samples_make(study, worker->instance, error));
    if ((study->base.spec->fields & COSTAB_NETWORK_OF_BEST) != 0)
        TRY(network_best_make(study, worker, error));
    return COSTAB_OK;
}

costab_status network_study_create(const costab_spec *spec, costab_study **created, costab_error *error) {
    network_study *study = memory_alloc(1, sizeof *study);
    if (study == NULL) return error_memory(error);
    study->base = (costab_study){.spec = spec, .evaluate = evaluate, .destroy = destroy};
    study->model = spec->model;
    *created = &study->base;
    int wide = 0;
    for (int i = 0; i < spec->axis_count; i++) wide += spec->axes[i].count > 1;
    TRY(pool_create(&study->pool, error));
    study->base.report = &study->pool->report;
    study->base.notes = network_pool_notes(study->pool);
    TRY(plan_axes(study, error));
    TRY(plan_fields(study, error));
    TRY(plan_walk(study, error));
    TRY(plan_tiles(study, wide, error));
    if (spec->refine_cell > 0) plan_refined_tiles(study);
    return try_worker(study, error);
}
