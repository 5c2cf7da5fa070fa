/* Runs tiles on several threads and delivers them in order.
 *   1. A thread takes the number of the next tile, computes and packs the tile, and stores it in a ring of
 *      slots.
 *   2. It then delivers the next tile of the sequence to the sink, if that tile is ready, and the following
 *      ready tiles. One thread at a time delivers.
 *   3. A thread waits if the ring is full, or if all tiles are taken. The first failure, or progress, ends
 *      the run.
 *
 * Memory: the packed tiles of the ring, and a block per field and thread. The delivered bytes do not depend
 * on threads or timing. */
#include <cblas.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/sweep.h"
#include "sweep/run.h"
#include "sweep/threads.h"

/* Slots per thread, so that a thread delayed by the system does not delay the others at once. Tiles of at
 * most SMALL_BYTES, such as tiles of class codes, have up to SLOTS_SMALL slots of together SLOTS_BYTES: while
 * one thread waits for the disk or the sink, the others compute. */
#define SLOTS_PER_THREAD 4
#define SLOTS_SMALL      512
#define SMALL_BYTES      ((size_t)1 << 18)
#define SLOTS_BYTES      ((size_t)1 << 26)

/* Least time between two calls of progress by costab_tile_stopped, in nanoseconds. */
#define PROGRESS_NANOSECONDS 50000000

/* A tile between computation and delivery. */
typedef struct slot {
    bool ready;
    costab_tile tile;
    costab_packed packed[COSTAB_FIELDS_MAX];
    costab_packed note; /* of the tile; size 0: none */
} slot;

typedef struct runner {
    const costab_plan *plan;
    const costab_evaluator *evaluator;
    const costab_sink *sink;
    const costab_run_options *options;
    size_t step;            /* from a tile's index to the next */
    size_t count;           /* number of tiles to run; a place k, 0 <= k < count, is a position among them */
    size_t ring;            /* number of slots */
    slot *slots;            /* the tile at place k uses slots[k % ring] */
    atomic_bool failed;     /* set after `error` */
    atomic_llong asked;     /* time of the last call of progress by costab_tile_stopped, in nanoseconds */
    pthread_mutex_t mutex;  /* for all following members and slot.ready; held during calls of progress */
    pthread_cond_t changed; /* a slot is free, or the run is over */
    size_t next;            /* the next place to take */
    size_t delivered;       /* the next place to deliver */
    bool delivering;        /* a thread is delivering */
    int workers;            /* number of threads that have begun */
    costab_error error;     /* of the first failure */
} runner;

/* One thread's space for a tile's values: a block per field. */
typedef struct space {
    void *blocks[COSTAB_FIELDS_MAX];
    int worker; /* number of the thread: costab_tile.worker */
} space;

static size_t block_values(const costab_plan *plan, int field) {
    size_t shape[COSTAB_AXES_MAX], values = 1;
    costab_tile_shape(plan, field, NULL, shape);
    for (int r = 0; r < plan->fields[field].rank; r++) values *= shape[r];
    return values;
}

/* Ends the run if a call failed; keeps the first failure. The caller holds the mutex. */
static void check(runner *r, costab_status status, const costab_error *error) {
    if (!status || atomic_load(&r->failed)) return;
    r->error = *error;
    r->error.status = status;
    atomic_store(&r->failed, true);
    (void)pthread_cond_broadcast(&r->changed);
}

static void ask_progress(runner *r) {
    const costab_run_options *o = r->options;
    if (o->progress != NULL && o->progress(o->progress_context, r->delivered, r->count))
        check(r, COSTAB_CANCELLED, &(costab_error){.message = "stopped"});
}

bool costab_tile_stopped(const costab_tile *tile) {
    runner *r = tile->run;
    struct timespec t;
    if (r == NULL) return false;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    long long now = (long long)t.tv_sec * 1000000000 + t.tv_nsec, last = atomic_load(&r->asked);
    if (now - last >= PROGRESS_NANOSECONDS && atomic_compare_exchange_strong(&r->asked, &last, now)) {
        (void)pthread_mutex_lock(&r->mutex);
        ask_progress(r);
        (void)pthread_mutex_unlock(&r->mutex);
    }
    return atomic_load(&r->failed);
}

/* Evaluates the tile of a slot and packs its fields. */
static costab_status compute(runner *r, slot *s, const space *own, costab_error *error) {
    const costab_plan *plan = r->plan;
    void *carried[COSTAB_FIELDS_MAX];
    for (int f = 0; f < plan->field_count; f++)
        carried[f] = costab_tile_values(plan, f, &s->tile) > 0 ? own->blocks[f] : NULL;
    s->note.size = 0;
    s->tile.note = &s->note;
    s->tile.run = r;
    s->tile.worker = own->worker;
    TRY(r->evaluator->evaluate(r->evaluator->context, &s->tile, carried, error));
    for (int f = 0; f < plan->field_count; f++)
        if (carried[f] != NULL)
            TRY(r->sink->pack(r->sink->context, &s->tile, f, carried[f], &s->packed[f], error));
    return COSTAB_OK;
}

/* Hands the packed fields of a slot to the sink. */
static costab_status commit(const runner *r, const slot *s, costab_error *error) {
    for (int f = 0; f < r->plan->field_count && r->sink->commit != NULL; f++)
        if (costab_tile_values(r->plan, f, &s->tile) > 0)
            TRY(r->sink->commit(r->sink->context, &s->tile, f, &s->packed[f], error));
    return COSTAB_OK;
}

/* Delivers the ready tiles, unless another thread is delivering; that thread delivers these tiles, too. */
static void deliver(runner *r, costab_error *error) {
    if (r->delivering) return;
    r->delivering = true;
    for (slot *s; (s = &r->slots[r->delivered % r->ring])->ready && !atomic_load(&r->failed);) {
        (void)pthread_mutex_unlock(&r->mutex);
        costab_status status = commit(r, s, error);
        (void)pthread_mutex_lock(&r->mutex);
        check(r, status, error);
        if (status) break;
        s->ready = false;
        r->delivered++;
        ask_progress(r);
        if (r->next < r->count) (void)pthread_cond_signal(&r->changed);
    }
    r->delivering = false;
    if (r->delivered == r->count) (void)pthread_cond_broadcast(&r->changed);
}

/* Makes a thread's space and numbers the thread. The caller holds the mutex. */
static costab_status space_make(runner *r, space *own, costab_error *error) {
    const costab_plan *plan = r->plan;
    *own = (space){.worker = r->workers++};
    for (int f = 0; f < plan->field_count; f++) {
        own->blocks[f] = memory_alloc(block_values(plan, f), costab_type_size(plan->fields[f].type));
        if (own->blocks[f] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

/* Work of each thread. At the end the thread sleeps until all tiles are delivered: at the end of a parallel
 * region OpenMP's threads (threads.c) would spin for some milliseconds and slow down the delivering thread.
 */
static void work(void *of) {
    runner *r = of;
    costab_error error = {.status = COSTAB_OK};
    space own;
    (void)pthread_mutex_lock(&r->mutex);
    check(r, space_make(r, &own, &error), &error);
    while (!atomic_load(&r->failed) && r->delivered < r->count) {
        if (r->next == r->count || r->next == r->delivered + r->ring) {
            (void)pthread_cond_wait(&r->changed, &r->mutex);
            continue;
        }
        const size_t k = r->next++;
        slot *s = &r->slots[k % r->ring];
        (void)pthread_mutex_unlock(&r->mutex);
        costab_plan_tile(r->plan, r->options->first + k * r->step, &s->tile);
        costab_status status = compute(r, s, &own, &error);
        (void)pthread_mutex_lock(&r->mutex);
        check(r, status, &error);
        s->ready = true;
        deliver(r, &error);
    }
    (void)pthread_mutex_unlock(&r->mutex);
    memory_free_list(own.blocks, COSTAB_FIELDS_MAX);
}

/* Returns the bytes of a full tile's values. */
static size_t tile_bytes(const costab_plan *plan) {
    size_t bytes = 0;
    for (int f = 0; f < plan->field_count; f++)
        bytes += block_values(plan, f) * costab_type_size(plan->fields[f].type);
    return bytes;
}

static costab_status make_ring(runner *r, int threads, costab_error *error) {
    size_t bytes = tile_bytes(r->plan), wanted = bytes > 0 && bytes <= SMALL_BYTES ? SLOTS_BYTES / bytes : 0;
    if (wanted > SLOTS_SMALL) wanted = SLOTS_SMALL;
    if (wanted > r->count) wanted = r->count;
    r->ring = SLOTS_PER_THREAD * (size_t)threads;
    if (wanted > r->ring) r->ring = wanted;
    return memory_make(&r->slots, r->ring, error);
}

static void free_ring(runner *r) {
    for (size_t k = 0; k < r->ring && r->slots != NULL; k++) {
        for (int f = 0; f < r->plan->field_count; f++) memory_free(r->slots[k].packed[f].bytes);
        memory_free(r->slots[k].note.bytes);
    }
    memory_free(r->slots);
}

int costab_run_threads(int asked, size_t tiles) {
    const bool beneath = omp_get_active_level() > 0 && omp_get_active_level() >= omp_get_max_active_levels();
    int threads = asked > 0 ? asked : beneath ? 1 : omp_get_max_threads();
    if (threads > omp_get_thread_limit()) threads = omp_get_thread_limit();
    /* OpenBLAS' serial build is not thread-safe: it would silently give wrong numbers. */
    if (openblas_get_parallel() == OPENBLAS_SEQUENTIAL) threads = 1;
    if ((size_t)threads > tiles) threads = tiles > 0 ? (int)tiles : 1;
    return threads;
}

costab_status costab_run(const costab_plan *plan, const costab_evaluator *evaluator, const costab_sink *sink,
                         const costab_run_options *options, costab_error *error) {
    static const costab_run_options defaults = {.threads = 0};
    ends_by(free_ring) runner r = {.plan = plan,
                                   .evaluator = evaluator,
                                   .sink = sink,
                                   .options = options != NULL ? options : &defaults,
                                   .mutex = PTHREAD_MUTEX_INITIALIZER,
                                   .changed = PTHREAD_COND_INITIALIZER};
    size_t tiles, points;
    if (evaluator == NULL || sink == NULL) return error_invalid(error, "a run needs an evaluator and a sink");
    TRY(costab_plan_size(plan, &tiles, &points, error));
    r.step = r.options->step > 0 ? r.options->step : 1;
    r.count = costab_plan_share(tiles, r.options->first, r.step);
    if (r.count == 0) return COSTAB_OK;
    const int threads = costab_run_threads(r.options->threads, r.count);
    TRY(make_ring(&r, threads, error));
    threads_run(threads, work, &r);
    (void)pthread_cond_destroy(&r.changed);
    (void)pthread_mutex_destroy(&r.mutex);
    if (r.error.status && error != NULL) *error = r.error;
    return r.error.status;
}
