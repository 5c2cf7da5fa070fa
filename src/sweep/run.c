/* The run: tiles in parallel, their results committed in the order of their numbers. Each thread holds one
 * tile: it evaluates and packs it, then waits for its turn to commit. */
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/sweep.h"

/* What one thread works with. */
typedef struct worker {
    void *blocks[COSTAB_FIELDS_MAX];
    costab_packed packed[COSTAB_FIELDS_MAX];
} worker;

static void worker_end(worker *w) {
    for (int f = 0; f < COSTAB_FIELDS_MAX; f++) {
        memory_free(w->blocks[f]);
        memory_free(w->packed[f].bytes);
    }
}

static costab_status worker_begin(worker *w, const costab_plan *plan, costab_error *error) {
    memset(w, 0, sizeof *w);
    for (int f = 0; f < plan->field_count; f++) {
        size_t shape[COSTAB_AXES_MAX], values = 1;
        costab_tile_shape(plan, f, NULL, shape);
        for (int r = 0; r < plan->fields[f].rank; r++) values *= shape[r];
        w->blocks[f] = memory_alloc(values, costab_type_size(plan->fields[f].type));
        if (w->blocks[f] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

static costab_status compute(const costab_plan *plan, const costab_evaluator *evaluator,
                             const costab_sink *sink, const costab_tile *tile, worker *w,
                             costab_error *error) {
    void *carried[COSTAB_FIELDS_MAX];
    for (int f = 0; f < plan->field_count; f++)
        carried[f] = costab_tile_values(plan, f, tile) > 0 ? w->blocks[f] : NULL;
    costab_status status = evaluator->evaluate(evaluator->context, tile, carried, error);
    for (int f = 0; f < plan->field_count && status == COSTAB_OK; f++)
        if (carried[f] != NULL) status = sink->pack(sink->context, tile, f, carried[f], &w->packed[f], error);
    return status;
}

static costab_status commit(const costab_plan *plan, const costab_sink *sink, const costab_tile *tile,
                            const worker *w, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int f = 0; f < plan->field_count && status == COSTAB_OK; f++)
        if (costab_tile_values(plan, f, tile) > 0)
            status = sink->commit(sink->context, tile, f, &w->packed[f], error);
    return status;
}

/* The first failure of a run; later ones are dropped. */
typedef struct failure {
    atomic_int status;
    costab_error error;
} failure;

static void fail(failure *first, costab_status status, const costab_error *error) {
    int none = COSTAB_OK;
    if (atomic_compare_exchange_strong(&first->status, &none, (int)status)) first->error = *error;
}

static int thread_count(const costab_run_options *options, size_t tiles) {
    int threads = options->threads > 0 ? options->threads : omp_get_max_threads();
    return (size_t)threads < tiles ? threads : (int)tiles;
}

costab_status costab_run(const costab_plan *plan, const costab_evaluator *evaluator, const costab_sink *sink,
                         const costab_run_options *options, costab_error *error) {
    size_t tiles, points;
    costab_status status = costab_plan_size(plan, &tiles, &points, error);
    if (status != COSTAB_OK) return status;

    failure first = {.status = COSTAB_OK};
    int threads = thread_count(options, tiles);
#pragma omp parallel num_threads(threads) default(none) shared(plan, evaluator, sink, options, tiles, first)
    {
        costab_error own = {0};
        worker w;
        costab_status mine = worker_begin(&w, plan, &own);
        if (mine != COSTAB_OK) fail(&first, mine, &own);
#pragma omp for ordered schedule(dynamic, 1)
        for (size_t i = 0; i < tiles; i++) {
            costab_tile tile;
            costab_plan_tile(plan, i, &tile);
            if (atomic_load(&first.status) == COSTAB_OK) {
                mine = compute(plan, evaluator, sink, &tile, &w, &own);
                if (mine != COSTAB_OK) fail(&first, mine, &own);
            }
#pragma omp ordered
            if (atomic_load(&first.status) == COSTAB_OK) {
                mine = commit(plan, sink, &tile, &w, &own);
                if (mine == COSTAB_OK && options->progress != NULL &&
                    options->progress(options->progress_context, i + 1, tiles))
                    mine = error_set(&own, COSTAB_CANCELLED, "stopped");
                if (mine != COSTAB_OK) fail(&first, mine, &own);
            }
        }
        worker_end(&w);
    }
    status = (costab_status)atomic_load(&first.status);
    if (status != COSTAB_OK && error != NULL) *error = first.error;
    return status;
}
