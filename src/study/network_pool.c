/* The workers of a network sweep: each an instance of the model and a workspace, one for each thread that
 * computes a tile. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "study/network_study.h"
#include "sweep/refine.h"

costab_status network_pool_create(network_pool **pool, costab_error *error) {
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

void network_pool_destroy(network_pool *pool) {
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
    /* Fields of runs state no stability, so that the coefficients may depend on t. The bound of errors is one
     * of these fields but follows from the matrices at t = 0. */
    const unsigned runs = (unsigned)COSTAB_NETWORK_OF_RUN & ~(unsigned)COSTAB_NETWORK_ERROR_BOUND;
    if (!status && (study->base.spec->fields & ~runs) == 0)
        costab_model_instance_allow_time_varying(worker->instance);
    /* Lanes begin with what the defaults give; an FMU that cannot be measured there may be elsewhere. */
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

costab_status network_pool_worker(const network_study *study, int number, network_worker **worker,
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

void network_pool_count(network_pool *pool, network_worker *worker) {
    (void)pthread_mutex_lock(&pool->lock);
    pool->report.analysed += worker->analysed;
    (void)pthread_mutex_unlock(&pool->lock);
    worker->analysed = 0;
}
