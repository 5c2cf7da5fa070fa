/* The run, alone or as one rank of a team.
 *
 *   1. Alone: threads take tiles (runner.c).
 *   2. Rank 0 of a team is a run like any other whose ring has room for the tiles of all ranks (lead.c).
 *   3. The other ranks are runs as well, whose tiles are those that rank 0 orders and whose sink is rank 0
 *      (follow.c).
 *   4. On each rank of a team one thread more than compute carries messages.
 *
 * A failure of any rank ends all, with its message; the file does not depend on the number of ranks. */
#include <cblas.h>

#include "base/error.h"
#include "base/memory.h"
#include "sweep/message.h"
#include "sweep/runner.h"
#include "sweep/threads.h"

/* Slots per thread: enough that a thread which the system delays does not delay the others at once. There are
 * more for small tiles, such as those of class codes: as long as one thread waits for the disk, or the sink
 * begins, the others compute. */
#define SLOTS_PER_THREAD 4
#define SLOTS_SMALL      512
#define SMALL_BYTES      ((size_t)1 << 18)
#define ROOM_BYTES       ((size_t)1 << 26)

static void runner_free(runner *r) {
    for (size_t k = 0; k < r->ring && r->slots != NULL; k++) {
        for (int f = 0; f < r->plan->field_count; f++) memory_free(r->slots[k].packed[f].bytes);
        memory_free(r->slots[k].note.bytes);
    }
    memory_free_all(r->slots, r->peers);
}

/* The bytes of a full tile. */
static size_t tile_bytes(const costab_plan *plan) {
    size_t bytes = 0;
    for (int f = 0; f < plan->field_count; f++)
        bytes += runner_block_values(plan, f) * costab_type_size(plan->fields[f].type);
    return bytes;
}

static costab_status make_ring(runner *r, size_t threads, costab_error *error) {
    size_t bytes = tile_bytes(r->plan), wanted = bytes > 0 && bytes <= SMALL_BYTES ? ROOM_BYTES / bytes : 0;
    if (wanted > SLOTS_SMALL) wanted = SLOTS_SMALL;
    if (wanted > r->tiles) wanted = r->tiles;
    r->ring = SLOTS_PER_THREAD * threads;
    if (wanted > r->ring) r->ring = wanted;
    return memory_make(&r->slots, r->ring, error);
}

/* The tiles of the range, to the sink. */
static void take_all(runner *r) {
    atomic_store(&r->known, r->last);
    atomic_store(&r->end, r->last);
    atomic_store(&r->next, r->first);
    atomic_store(&r->delivered, r->first);
    r->deliver = runner_commit;
    r->any_thread_delivers = true;
}

static void compute(void *of) {
    runner_work(of);
}

static costab_status run_alone(runner *r, costab_error *error) {
    if (r->first == r->last) return COSTAB_OK;
    TRY(make_ring(r, (size_t)r->threads, error));
    take_all(r);
    threads_run(r->threads, &(threads_work){NULL, compute, r});
    return COSTAB_OK;
}

typedef struct messenger {
    runner *r;
    void (*carry)(runner *r, const runner_blocks *blocks);
    const runner_blocks *blocks;
} messenger;

static void carry_messages(void *of, int count) {
    const messenger *m = of;
    m->carry(m->r, count == 1 ? m->blocks : NULL);
}

static void compute_beside(void *of) {
    runner_work(((const messenger *)of)->r);
}

/* One thread more than compute, asleep for most of its time; it is the one that called, so that all messages
 * are carried by the same. Where the system gives no second one, it computes as well. */
static void run_with_messenger(runner *r, void (*carry)(runner *r, const runner_blocks *blocks)) {
    costab_error error = {.status = COSTAB_OK};
    runner_blocks blocks;
    messenger m = {r, carry, &blocks};
    runner_check(r, runner_blocks_make(r, &blocks, &error), &error);
    threads_run(r->threads + 1, &(threads_work){carry_messages, compute_beside, &m});
    runner_blocks_free(&blocks);
}

static costab_status run_as_lead(runner *r, costab_error *error) {
    size_t threads = 0;
    r->peers = memory_alloc((size_t)r->options->team->size, sizeof *r->peers);
    costab_status status = r->peers != NULL ? runner_gather(r, &threads, error) : error_memory(error);
    if (!status) status = make_ring(r, threads, error);
    if (!status) take_all(r);
    if (!status)
        run_with_messenger(r, runner_lead);
    else
        message_over(r->options->team, status);
    return status;
}

static costab_status run_as_follower(runner *r, costab_error *error) {
    TRY(make_ring(r, (size_t)r->threads, error));
    TRY(runner_join(r, error));
    run_with_messenger(r, runner_follow);
    return COSTAB_OK;
}

static costab_status set_range(runner *r, costab_error *error) {
    size_t points;
    TRY(costab_plan_size(r->plan, &r->tiles, &points, error));
    r->first = r->options->first;
    r->last = r->options->last > 0 ? r->options->last : r->tiles;
    if (r->first > r->last || r->last > r->tiles)
        return error_invalid(error, "the plan has no tiles %zu to %zu but only %zu", r->first, r->last,
                             r->tiles);
    return COSTAB_OK;
}

int costab_run_threads(int asked, size_t tiles) {
    const bool beneath = omp_get_active_level() > 0 && omp_get_active_level() >= omp_get_max_active_levels();
    int threads = asked > 0 ? asked : beneath ? 1 : omp_get_max_threads();
    if (threads > omp_get_thread_limit()) threads = omp_get_thread_limit();
    /* OpenBLAS' serial build is not safe for threads: it would give wrong numbers without a word. */
    if (openblas_get_parallel() == OPENBLAS_SEQUENTIAL) threads = 1;
    if ((size_t)threads > tiles) threads = tiles > 0 ? (int)tiles : 1;
    return threads;
}

static costab_status run(runner *r, costab_error *error) {
    const costab_team *team = r->options->team;
    if (team == NULL || team->size < 2) return run_alone(r, error);
    return team->rank == 0 ? run_as_lead(r, error) : run_as_follower(r, error);
}

costab_status costab_run(const costab_plan *plan, const costab_evaluator *evaluator, const costab_sink *sink,
                         const costab_run_options *options, costab_error *error) {
    static const costab_run_options defaults = {.threads = 0};
    runner r = {.plan = plan,
                .evaluator = evaluator,
                .sink = sink,
                .options = options != NULL ? options : &defaults,
                .ending = PTHREAD_MUTEX_INITIALIZER,
                .over = PTHREAD_COND_INITIALIZER,
                .claimed = ATOMIC_FLAG_INIT};
    if (evaluator == NULL || sink == NULL) return error_invalid(error, "a run needs an evaluator and a sink");
    TRY(set_range(&r, error));
    r.threads = costab_run_threads(r.options->threads, r.last - r.first);
    omp_init_lock(&r.delivering);
    costab_status status = run(&r, error);
    omp_destroy_lock(&r.delivering);
    (void)pthread_cond_destroy(&r.over);
    (void)pthread_mutex_destroy(&r.ending);
    runner_free(&r);
    if (status) return status;
    status = (costab_status)atomic_load(&r.status);
    if (status && error != NULL) *error = r.error;
    return status;
}
