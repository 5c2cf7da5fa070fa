/* The run. Threads take the next tile's number, compute and pack the tile on their own, and leave it in a
 * ring of slots. Whoever finds the next tile of the sequence ready, and nobody else writing, commits it and
 * those behind it: results leave in order, and a thread waits only where the ring is full. */
#include <omp.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/sweep.h"

/* Slots a thread: enough that a thread held up by the system does not hold up the others at once. */
#define SLOTS_PER_THREAD 4

/* A tile on its way from the thread that computed it to the sink. */
typedef struct slot {
    atomic_bool ready;
    costab_tile tile;
    costab_packed packed[COSTAB_FIELDS_MAX];
} slot;

typedef struct runner {
    const costab_plan *plan;
    const costab_evaluator *evaluator;
    const costab_sink *sink;
    const costab_run_options *options;
    size_t first, last; /* tiles to run */
    size_t ring;
    slot *slots; /* tile i uses slots[i % ring] */
    atomic_size_t next, committed;
    omp_lock_t writing;
    atomic_int status; /* of the first failure */
    costab_error error;
} runner;

static bool failed(runner *r) {
    return atomic_load(&r->status) != COSTAB_OK;
}

static void fail(runner *r, costab_status status, const costab_error *error) {
    int none = COSTAB_OK;
    if (atomic_compare_exchange_strong(&r->status, &none, (int)status)) r->error = *error;
}

/* Room for one tile's values, a block a field. */
static costab_status blocks_make(const costab_plan *plan, void **blocks, costab_error *error) {
    for (int f = 0; f < plan->field_count; f++) {
        size_t shape[COSTAB_AXES_MAX], values = 1;
        costab_tile_shape(plan, f, NULL, shape);
        for (int r = 0; r < plan->fields[f].rank; r++) values *= shape[r];
        blocks[f] = memory_alloc(values, costab_type_size(plan->fields[f].type));
        if (blocks[f] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

static costab_status compute(runner *r, slot *s, void *const *blocks, costab_error *error) {
    const costab_plan *plan = r->plan;
    void *carried[COSTAB_FIELDS_MAX];
    for (int f = 0; f < plan->field_count; f++)
        carried[f] = costab_tile_values(plan, f, &s->tile) > 0 ? blocks[f] : NULL;
    costab_status status = r->evaluator->evaluate(r->evaluator->context, &s->tile, carried, error);
    for (int f = 0; f < plan->field_count && status == COSTAB_OK; f++)
        if (carried[f] != NULL)
            status = r->sink->pack(r->sink->context, &s->tile, f, carried[f], &s->packed[f], error);
    return status;
}

static costab_status commit(runner *r, const slot *s, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int f = 0; f < r->plan->field_count && status == COSTAB_OK; f++)
        if (costab_tile_values(r->plan, f, &s->tile) > 0)
            status = r->sink->commit(r->sink->context, &s->tile, f, &s->packed[f], error);
    size_t done = s->tile.index + 1 - r->first;
    if (status == COSTAB_OK && r->options->progress != NULL &&
        r->options->progress(r->options->progress_context, done, r->last - r->first))
        status = error_set(error, COSTAB_CANCELLED, "stopped");
    return status;
}

static slot *next_ready(runner *r) {
    size_t turn = atomic_load(&r->committed);
    slot *s = &r->slots[turn % r->ring];
    return turn < r->last && atomic_load(&s->ready) && !failed(r) ? s : NULL;
}

/* Commits what is ready, unless another thread is at it. A tile that gets ready while the lock is given back
 * is seen by the second look. */
static void drain(runner *r, costab_error *error) {
    while (next_ready(r) != NULL && omp_test_lock(&r->writing)) {
        for (slot *s; (s = next_ready(r)) != NULL;) {
            costab_status status = commit(r, s, error);
            if (status != COSTAB_OK) fail(r, status, error);
            atomic_store(&s->ready, false);
            atomic_fetch_add(&r->committed, 1);
        }
        omp_unset_lock(&r->writing);
    }
}

static void wait_for_room(runner *r, size_t i, costab_error *error) {
    while (i >= atomic_load(&r->committed) + r->ring && !failed(r)) {
        drain(r, error);
        if (i >= atomic_load(&r->committed) + r->ring) nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
}

static void work(runner *r) {
    costab_error error = {.status = COSTAB_OK};
    void *blocks[COSTAB_FIELDS_MAX] = {NULL};
    costab_status status = blocks_make(r->plan, blocks, &error);
    if (status != COSTAB_OK) fail(r, status, &error);
    for (size_t i; !failed(r) && (i = atomic_fetch_add(&r->next, 1)) < r->last;) {
        wait_for_room(r, i, &error);
        if (failed(r)) break; /* the slot may be another's still */
        slot *s = &r->slots[i % r->ring];
        costab_plan_tile(r->plan, i, &s->tile);
        status = compute(r, s, blocks, &error);
        if (status != COSTAB_OK) fail(r, status, &error);
        atomic_store(&s->ready, true);
        drain(r, &error);
    }
    for (int f = 0; f < r->plan->field_count; f++) memory_free(blocks[f]);
}

static costab_status set_range(runner *r, costab_error *error) {
    size_t tiles, points;
    costab_status status = costab_plan_size(r->plan, &tiles, &points, error);
    if (status != COSTAB_OK) return status;
    r->first = r->options->first;
    r->last = r->options->last > 0 ? r->options->last : tiles;
    if (r->first > r->last || r->last > tiles)
        return error_set(error, COSTAB_INVALID, "the plan has no tiles %zu to %zu but only %zu", r->first,
                         r->last, tiles);
    atomic_init(&r->next, r->first);
    atomic_init(&r->committed, r->first);
    return COSTAB_OK;
}

costab_status costab_run(const costab_plan *plan, const costab_evaluator *evaluator, const costab_sink *sink,
                         const costab_run_options *options, costab_error *error) {
    runner r = {.plan = plan, .evaluator = evaluator, .sink = sink, .options = options, .status = COSTAB_OK};
    costab_status status = set_range(&r, error);
    if (status != COSTAB_OK || r.first == r.last) return status;
    int threads = options->threads > 0 ? options->threads : omp_get_max_threads();
    if ((size_t)threads > r.last - r.first) threads = (int)(r.last - r.first);
    r.ring = SLOTS_PER_THREAD * (size_t)threads;
    r.slots = memory_alloc(r.ring, sizeof *r.slots);
    if (r.slots == NULL) return error_memory(error);

    omp_init_lock(&r.writing);
#pragma omp parallel num_threads(threads) default(none) shared(r)
    work(&r);
    omp_destroy_lock(&r.writing);

    for (size_t k = 0; k < r.ring; k++)
        for (int f = 0; f < plan->field_count; f++) memory_free(r.slots[k].packed[f].bytes);
    memory_free(r.slots);
    status = (costab_status)atomic_load(&r.status);
    if (status != COSTAB_OK && error != NULL) *error = r.error;
    return status;
}
