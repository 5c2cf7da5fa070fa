/* The workers of a network sweep: each an instance of the model and a workspace. A thread that begins a tile
 * takes an idle one, and makes another only if there is none: their number follows the threads. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/pattern.h"
#include "study/network_study.h"
#include "sweep/refine.h"

/* Enough for any radius that a double holds. */
#define MARGIN_MAX 1000

costab_status network_pool_create(network_pool **pool, costab_error *error) {
    *pool = memory_alloc(1, sizeof **pool);
    if (*pool == NULL) return error_memory(error);
    if (pthread_mutex_init(&(*pool)->lock, NULL) == 0) return COSTAB_OK;
    memory_free(*pool);
    *pool = NULL;
    return error_memory(error);
}

static void worker_free(network_worker *worker) {
    model_lanes_destroy(&worker->lanes);
    costab_model_instance_destroy(&worker->instance);
    costab_network_work_destroy(&worker->work);
    costab_network_simulator_destroy(&worker->simulator);
    memory_free(worker->known);
    refine_work_destroy(&worker->refine);
    network_crossings_destroy(&worker->crossings);
    memory_free(worker);
}

void network_pool_destroy(network_pool *pool) {
    if (pool == NULL) return;
    for (network_worker *worker = pool->made, *next; worker != NULL; worker = next) {
        next = worker->next_made;
        worker_free(worker);
    }
    study_notes_free(&pool->notes);
    (void)pthread_mutex_destroy(&pool->lock);
    memory_free(pool);
}

static costab_status worker_make(const network_study *study, network_worker **made, costab_error *error) {
    network_worker *worker = *made = memory_alloc(1, sizeof *worker);
    if (worker == NULL) return error_memory(error);
    costab_status status = costab_model_instance_create(study->model, &worker->instance, error);
    if (!status) status = costab_network_work_create(&worker->work, error);
    if (!status && study->runs) status = costab_network_simulator_create(&worker->simulator, error);
    if (!status && study->base.spec->refine_cell > 0 && !study->base.spec->certified)
        status = refine_work_create(&worker->refine, study->box_points, error);
    if (!status && study->levels[NETWORK_LEVEL_RADIUS])
        status = network_crossings_create(&worker->crossings, error);
    if (!status) worker->known = memory_alloc(study->box_points, sizeof *worker->known);
    if (!status && worker->known == NULL) status = error_memory(error);
    if (!status) return COSTAB_OK;
    worker_free(worker);
    *made = NULL;
    return status;
}

costab_status network_worker_take(const network_study *study, network_worker **worker, costab_error *error) {
    network_pool *pool = study->pool;
    costab_status status = COSTAB_OK;
    (void)pthread_mutex_lock(&pool->lock); /* instances are made one after the other */
    *worker = pool->idle;
    if (*worker != NULL) {
        pool->idle = (*worker)->next_idle;
    } else {
        status = worker_make(study, worker, error);
        if (*worker != NULL) {
            (*worker)->next_made = pool->made;
            pool->made = *worker;
        }
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

void network_worker_give(const network_study *study, network_worker *worker) {
    network_pool *pool = study->pool;
    (void)pthread_mutex_lock(&pool->lock);
    worker->next_idle = pool->idle;
    pool->idle = worker;
    (void)pthread_mutex_unlock(&pool->lock);
}

/* What is left of a status where only an exhausted memory is more than a failed point. */
static costab_status point_status(costab_status status, bool *failed) {
    *failed = status != COSTAB_OK;
    return status == COSTAB_MEMORY ? status : COSTAB_OK;
}

costab_status network_worker_analyse(const network_worker *worker, size_t coupling,
                                     costab_network_point *point, bool *failed, costab_error *error) {
    costab_model_instance *instance = worker->instance;
    costab_status status = costab_model_instance_update(instance, error);
    if (!status)
        status =
            costab_network_analyse(worker->work, costab_model_instance_network(instance),
                                   costab_model_instance_coupling(instance, (int)coupling), point, error);
    return point_status(status, failed);
}

costab_status network_worker_classify(const network_worker *worker, size_t coupling, uint8_t *class_code,
                                      bool *failed, costab_error *error) {
    costab_model_instance *instance = worker->instance;
    costab_status status = costab_model_instance_update(instance, error);
    if (!status)
        status = costab_network_classify(worker->work, costab_model_instance_network(instance),
                                         costab_model_instance_coupling(instance, (int)coupling), class_code,
                                         error);
    return point_status(status, failed);
}

static bool is_stopped(void *tile) {
    return costab_tile_stopped(tile);
}

/* What bounds the growth of all sequences of the steps H1 and H2. A chart has many pairs: the bounds are as
 * near as that takes. */
static costab_status pair_radius(const network_box *box, const costab_coupling *choices, double *upper,
                                 costab_error *error) {
    const costab_pattern_options options = {.gap = 1e-3, .products = 1000, .per_step = true};
    const costab_model_instance *instance = box->worker->instance;
    static const char *const names[2] = {"H1", "H2"};
    double steps[2] = {0, 0};
    costab_pattern pattern = {.length = 0};
    costab_status status = COSTAB_OK;
    for (int k = 0; k < 2 && !status; k++) {
        int parameter;
        status = costab_model_find_parameter(box->study->model, names[k], &parameter, error);
        if (!status) steps[k] = costab_model_instance_value(instance, parameter);
    }
    if (!status)
        status = costab_pattern_steps(costab_model_instance_network(instance), choices, steps, 2, &options,
                                      &pattern, error);
    if (!status) *upper = pattern.upper;
    costab_pattern_free(&pattern);
    return status;
}

costab_status network_worker_run(const network_box *box, size_t coupling, double *values, bool *failed,
                                 costab_error *error) {
    const network_worker *worker = box->worker;
    const costab_network *network = costab_model_instance_network(worker->instance);
    const costab_coupling *choices = costab_model_instance_coupling(worker->instance, (int)coupling);
    costab_tile tile = *box->tile;
    unsigned fields = box->study->base.spec->fields;
    costab_measure_options wanted = {.horizon = box->study->model->history.until,
                                     .error = (fields & COSTAB_NETWORK_ERROR) != 0,
                                     .energy_residual = (fields & COSTAB_NETWORK_ENERGY_RESIDUAL) != 0,
                                     .energy_made = (fields & COSTAB_NETWORK_ENERGY_MADE) != 0,
                                     .stop = is_stopped,
                                     .stop_context = &tile};
    costab_bound_options options = {.error = 1, .horizon = wanted.horizon};
    costab_measures measures = {
        .error = (double)NAN, .energy_residual = (double)NAN, .energy_made = (double)NAN};
    costab_bound bound = {.factor = (double)NAN};
    costab_status status = COSTAB_OK, bounded = COSTAB_OK;
    if (wanted.error || wanted.energy_residual || wanted.energy_made)
        status = costab_network_measure(worker->simulator, network, choices, &wanted, &measures, error);
    if (status != COSTAB_MEMORY && status != COSTAB_CANCELLED && (fields & COSTAB_NETWORK_ERROR_BOUND) != 0)
        bounded = costab_network_simulator_bound(worker->simulator, network, &options, &bound,
                                                 !status ? error : NULL);
    if (bounded) bound.factor = (double)NAN;
    values[NETWORK_VALUE_ERROR] = measures.error;
    values[NETWORK_VALUE_ERROR_BOUND] = bound.factor * choices->macro_step;
    values[NETWORK_VALUE_ENERGY_RESIDUAL] = measures.energy_residual;
    values[NETWORK_VALUE_ENERGY_MADE] = measures.energy_made;
    if (!status && !bounded && (fields & COSTAB_NETWORK_PATTERN_RADIUS) != 0)
        status = pair_radius(box, choices, &values[NETWORK_VALUE_PATTERN_RADIUS], error);
    *failed = status != COSTAB_OK || bounded;
    if (status == COSTAB_CANCELLED) return status;
    return status == COSTAB_MEMORY || bounded == COSTAB_MEMORY ? COSTAB_MEMORY : COSTAB_OK;
}

double network_radius(const costab_network_point *point, network_level level, bool rounded) {
    if (level == NETWORK_LEVEL_ITERATION) return point->iteration_radius;
    return point->spectral_radius + (rounded ? point->rounding : 0);
}

double network_margin(double radius) {
    return isnan(radius) ? (double)NAN : fmin(fmax(log(radius), -MARGIN_MAX), MARGIN_MAX);
}
