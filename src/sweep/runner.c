/* The tiles of a run on several threads, delivered in order.
 *
 *   1. A thread takes the next tile's number, computes and packs the tile on its own, and leaves it in a
 *      ring of slots.
 *   2. A thread that finds the next tile of the sequence ready delivers it to the sink and those that are
 *      ready behind it, one thread at a time.
 *   3. A thread waits only where the ring is full; the first failure, or progress, ends all of them.
 *
 * Memory: the ring's packed tiles, and a block for each thread. What is delivered does not depend on threads
 * or timing. */
#include "sweep/runner.h"

#include <time.h>

#include "base/error.h"
#include "base/memory.h"

/* Naps double from the first to the last of these, in nanoseconds: short ones while a tile takes as long, and
 * a thousandth of a processor where there is nothing to do. */
#define NAP_FIRST 20000
#define NAP_LAST  1000000
/* How often an evaluator's question leads to a call of progress, in nanoseconds. */
#define ASK_EVERY 50000000

bool runner_failed(const runner *r) {
    return atomic_load(&r->status) != COSTAB_OK;
}

static void tell_it_is_over(runner *r) {
    (void)pthread_mutex_lock(&r->ending);
    (void)pthread_cond_broadcast(&r->over);
    (void)pthread_mutex_unlock(&r->ending);
}

/* Asleep, and not at the end of a parallel region, where OpenMP's threads (bound ones: threads.c) look again
 * and again for some milliseconds: the thread that delivers goes faster beside one that sleeps. */
static void wait_until_over(runner *r) {
    (void)pthread_mutex_lock(&r->ending);
    while (!runner_failed(r) && atomic_load(&r->delivered) < atomic_load(&r->end))
        (void)pthread_cond_wait(&r->over, &r->ending);
    (void)pthread_mutex_unlock(&r->ending);
}

void runner_check(runner *r, costab_status status, const costab_error *error) {
    if (!status || atomic_flag_test_and_set(&r->claimed)) return;
    r->error = *error;
    atomic_store(&r->status, (int)status);
    tell_it_is_over(r);
}

void runner_nap(unsigned *idle) {
    long length = NAP_FIRST;
    for (unsigned k = 0; k < *idle && length < NAP_LAST; k++) length *= 2;
    nanosleep(&(struct timespec){.tv_nsec = length < NAP_LAST ? length : NAP_LAST}, NULL);
    if (length < NAP_LAST) ++*idle;
}

size_t runner_block_values(const costab_plan *plan, int field) {
    size_t shape[COSTAB_AXES_MAX], values = 1;
    costab_tile_shape(plan, field, NULL, shape);
    for (int r = 0; r < plan->fields[field].rank; r++) values *= shape[r];
    return values;
}

costab_status runner_blocks_make(runner *r, runner_blocks *blocks, costab_error *error) {
    const costab_plan *plan = r->plan;
    *blocks = (runner_blocks){.worker = atomic_fetch_add(&r->workers, 1)};
    for (int f = 0; f < plan->field_count; f++) {
        blocks->of[f] = memory_alloc(runner_block_values(plan, f), costab_type_size(plan->fields[f].type));
        if (blocks->of[f] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

void runner_blocks_free(runner_blocks *blocks) {
    memory_free_list(blocks->of, COSTAB_FIELDS_MAX);
}

bool runner_take(runner *r, size_t *k) {
    size_t next = atomic_load(&r->next);
    do {
        if (next >= atomic_load(&r->known) || next >= atomic_load(&r->delivered) + r->ring) return false;
    } while (!atomic_compare_exchange_weak(&r->next, &next, next + 1));
    *k = next;
    return true;
}

bool costab_tile_stopped(const costab_tile *tile) {
    runner *r = tile->run;
    struct timespec t;
    if (r == NULL) return false;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    long long now = (long long)t.tv_sec * 1000000000 + t.tv_nsec, last = atomic_load(&r->asked);
    if (now - last >= ASK_EVERY && atomic_compare_exchange_strong(&r->asked, &last, now)) runner_ask(r);
    return runner_failed(r);
}

static costab_status compute(runner *r, slot *s, const runner_blocks *blocks, costab_error *error) {
    const costab_plan *plan = r->plan;
    void *carried[COSTAB_FIELDS_MAX];
    for (int f = 0; f < plan->field_count; f++)
        carried[f] = costab_tile_values(plan, f, &s->tile) > 0 ? blocks->of[f] : NULL;
    s->note.size = 0;
    s->tile.note = &s->note;
    s->tile.run = r;
    s->tile.worker = blocks->worker;
    TRY(r->evaluator->evaluate(r->evaluator->context, &s->tile, carried, error));
    for (int f = 0; f < plan->field_count; f++)
        if (carried[f] != NULL)
            TRY(r->sink->pack(r->sink->context, &s->tile, f, carried[f], &s->packed[f], error));
    return COSTAB_OK;
}

bool runner_step(runner *r, const runner_blocks *blocks) {
    size_t k;
    costab_error error = {.status = COSTAB_OK};
    if (runner_failed(r) || !runner_take(r, &k)) return false;
    slot *s = &r->slots[k % r->ring];
    if (r->any_thread_delivers)
        costab_plan_tile(r->plan, k, &s->tile); /* else it was written with the order */
    runner_check(r, compute(r, s, blocks, &error), &error);
    atomic_store(&s->ready, true);
    return true;
}

costab_status runner_commit(runner *r, slot *s, costab_error *error) {
    for (int f = 0; f < r->plan->field_count && r->sink->commit != NULL; f++)
        if (costab_tile_values(r->plan, f, &s->tile) > 0)
            TRY(r->sink->commit(r->sink->context, &s->tile, f, &s->packed[f], error));
    size_t done = s->tile.index + 1 - r->first;
    if (r->options->progress != NULL &&
        r->options->progress(r->options->progress_context, done, r->last - r->first))
        return error_set(error, COSTAB_CANCELLED, "stopped");
    return COSTAB_OK;
}

void runner_ask(runner *r) {
    costab_error error = {.status = COSTAB_OK};
    if (r->options->progress == NULL || !omp_test_lock(&r->delivering)) return;
    size_t done = atomic_load(&r->delivered) - r->first;
    if (r->options->progress(r->options->progress_context, done, r->last - r->first))
        runner_check(r, error_set(&error, COSTAB_CANCELLED, "stopped"), &error);
    omp_unset_lock(&r->delivering);
}

static slot *next_ready(runner *r) {
    size_t turn = atomic_load(&r->delivered);
    slot *s = &r->slots[turn % r->ring];
    return turn < atomic_load(&r->known) && atomic_load(&s->ready) && !runner_failed(r) ? s : NULL;
}

bool runner_deliver(runner *r) {
    costab_error error = {.status = COSTAB_OK};
    if (next_ready(r) == NULL || !omp_test_lock(&r->delivering)) return false;
    slot *s = next_ready(r); /* another thread may have delivered it since */
    if (s != NULL) {
        runner_check(r, r->deliver(r, s, &error), &error);
        atomic_store(&s->ready, false);
        atomic_fetch_add(&r->delivered, 1);
    }
    omp_unset_lock(&r->delivering);
    if (s != NULL && atomic_load(&r->delivered) == atomic_load(&r->end)) tell_it_is_over(r);
    return s != NULL;
}

/* It asks again once the lock is given back: a tile may have got ready before. */
static bool drain(runner *r) {
    bool any = false;
    while (runner_deliver(r)) any = true;
    return any;
}

void runner_work(runner *r) {
    costab_error error = {.status = COSTAB_OK};
    runner_blocks blocks;
    unsigned idle = 0;
    runner_check(r, runner_blocks_make(r, &blocks, &error), &error);
    while (!runner_failed(r) && atomic_load(&r->next) < atomic_load(&r->end)) {
        bool busy = runner_step(r, &blocks);
        if (r->any_thread_delivers) busy |= drain(r);
        if (busy)
            idle = 0;
        else
            runner_nap(&idle);
    }
    runner_blocks_free(&blocks);
    if (r->any_thread_delivers) wait_until_over(r);
}
