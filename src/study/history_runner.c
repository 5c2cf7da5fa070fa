/* Time histories cut into tiles that are pieces of one run: which simulator (runner) continues which run.
 *   1. Each coupling's run has one runner, from its first tile to its last. A tile waits until the runner
 *      has ended the tile before it.
 *   2. A run begins at t = 0, or at the last saved state of a checkpoint's tiles, where that is not behind
 *      the tile.
 *   3. The state at the end of each tile is saved as the tile's note, from which a run that was stopped
 *      continues, to the last bit.
 * The pool's lock is held while runs begin: instances of a model are made one after the other. */
#include "study/history_runner.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "sweep/packed.h"
#include "sweep/run.h"

/* How long a thread waits for the piece before its own until it asks whether the run was cancelled. */
#define WAIT_NANOSECONDS 20000000

/* The runners, and of each coupling the last state that a checkpoint's tiles have saved. */
struct runner_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int couplings;
    runner **running;      /* the runner of each coupling; NULL: its run has not begun, or is over */
    runner *idle;          /* a list of runners whose runs are over */
    text *saved_states;    /* of each coupling the last one (history_save); empty if there is none */
    int64_t *saved_points; /* the communication point of each, from 0 */
};

static void runner_free(runner *r) {
    costab_model_instance_destroy(&r->instance);
    costab_network_simulator_destroy(&r->simulator);
    memory_free_all(r->local, r);
}

static costab_status runner_make(const network_history *h, runner **made, costab_error *error) {
    runner *r = *made = memory_alloc(1, sizeof *r);
    if (r == NULL) return error_memory(error);
    costab_status status = memory_make(&r->local, (size_t)h->signal_count, error);
    if (!status) status = analysis_variant_instance(&h->variant, &r->instance, error);
    if (!status) status = costab_network_simulator_create(&r->simulator, error);
    if (!status) return COSTAB_OK;
    runner_free(r);
    *made = NULL;
    return status;
}

static void wait_for_change(runner_pool *pool) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    (void)pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
}

/* Whether a saved state is later than communication point `at`, and not later than `point`. */
static bool saved_state_is_ahead(const runner_pool *pool, size_t coupling, int64_t at, int64_t point) {
    return pool->saved_states[coupling].size > 0 && pool->saved_points[coupling] > at &&
           pool->saved_points[coupling] <= point;
}

static bool is_stopped(void *context) {
    return costab_tile_stopped(((const runner *)context)->tile);
}

const costab_history_steps *history_turns(const network_history *h, size_t coupling) {
    const char *name = h->variant.couplings[coupling].name;
    for (int i = 0; i < h->turn_count; i++)
        if (h->turns[i].coupling == NULL || strcmp(h->turns[i].coupling, name) == 0) return &h->turns[i];
    return NULL;
}

/* Begins a coupling's run at t = 0, or at its last saved state. point: where the tile at hand begins. */
static costab_status begin_run(const network_history *h, runner *r, size_t coupling, int64_t point,
                               costab_error *error) {
    costab_coupling choices;
    const costab_history_steps *turns = history_turns(h, coupling);
    costab_simulate_options options = {.until = h->until,
                                       .steps = turns != NULL ? turns->steps : NULL,
                                       .step_count = turns != NULL ? (long)turns->count : 0,
                                       .local = h->local,
                                       .monolithic = true,
                                       .energy_made = true,
                                       .stop = is_stopped,
                                       .stop_context = r};
    r->at = -1;
    memset(r->local, 0, (size_t)h->signal_count * sizeof *r->local);
    TRY(analysis_variant_coupling(&h->variant, r->instance, (int)coupling, &choices, error));
    TRY(history_start(r->simulator, costab_model_instance_network(r->instance), &choices, &options, error));
    const text *place = &h->pool->saved_states[coupling];
    if (saved_state_is_ahead(h->pool, coupling, 0, point))
        TRY(history_restore(r->simulator, place->data, place->size, error));
    r->at = 0;
    return COSTAB_OK;
}

/* Gives a coupling's run an idle runner, or a new one. */
static costab_status assign_runner(const network_history *h, size_t coupling, costab_error *error) {
    runner_pool *pool = h->pool;
    runner *r = pool->idle;
    if (r != NULL)
        pool->idle = r->next;
    else
        TRY(runner_make(h, &r, error));
    r->at = -1;
    pool->running[coupling] = r;
    return COSTAB_OK;
}

costab_status history_runner_take(const network_history *h, const costab_tile *tile, runner **taken,
                                  costab_error *error) {
    runner_pool *pool = h->pool;
    const size_t coupling = tile->start[HISTORY_COUPLING];
    const int64_t point = (int64_t)tile->start[HISTORY_STEP];
    bool stopped = false;
    costab_status status = COSTAB_OK;
    (void)pthread_mutex_lock(&pool->lock);
    while (pool->running[coupling] != NULL && pool->running[coupling]->busy && !stopped) {
        wait_for_change(pool);
        stopped = costab_tile_stopped(tile);
    }
    if (stopped) status = error_set(error, COSTAB_CANCELLED, "stopped");
    if (!status && pool->running[coupling] == NULL) status = assign_runner(h, coupling, error);
    runner *r = pool->running[coupling];
    if (!status && (r->at < 0 || r->at > point || saved_state_is_ahead(pool, coupling, r->at, point)))
        status = begin_run(h, r, coupling, point, error);
    if (!status) r->busy = true;
    if (!status) r->tile = tile;
    if (!status) *taken = r;
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

/* Saves the state of a run into a tile's note. */
static costab_status save_state(const runner *r, costab_packed *note, costab_error *error) {
    text_local place = {0};
    history_save(r->simulator, &place);
    return place.failed ? error_memory(error) : packed_set(note, place.data, place.size, error);
}

costab_status history_runner_give(const network_history *h, const costab_tile *tile, runner *r,
                                  costab_status status, costab_error *error) {
    runner_pool *pool = h->pool;
    const size_t end = tile->start[HISTORY_STEP] + tile->count[HISTORY_STEP];
    const bool last = end == h->base.plan.axes[HISTORY_STEP].count;
    if (!status && tile->note != NULL && !last) status = save_state(r, tile->note, error);
    (void)pthread_mutex_lock(&pool->lock);
    r->busy = false;
    r->at = !status ? (int64_t)end : -1;
    if (last) {
        pool->running[tile->start[HISTORY_COUPLING]] = NULL;
        r->next = pool->idle;
        pool->idle = r;
    }
    (void)pthread_cond_broadcast(&pool->changed);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

costab_status history_runner_ended(const network_history *h, size_t coupling, const char *reason,
                                   costab_error *error) {
    (void)pthread_mutex_lock(&h->pool->lock);
    char **ending = &h->base.endings[coupling];
    if (*ending == NULL) *ending = memory_copy(reason);
    bool failed = *ending == NULL;
    (void)pthread_mutex_unlock(&h->pool->lock);
    return failed ? error_memory(error) : COSTAB_OK;
}

/* Reads the note of a checkpoint's tile. */
static costab_status take_note_back(void *context, const costab_tile *tile, const void *bytes, size_t size,
                                    costab_error *error) {
    runner_pool *pool = context;
    text *place = &pool->saved_states[tile->start[HISTORY_COUPLING]];
    (void)pthread_mutex_lock(&pool->lock);
    place->size = 0;
    text_append_n(place, bytes, size);
    pool->saved_points[tile->start[HISTORY_COUPLING]] =
        (int64_t)(tile->start[HISTORY_STEP] + tile->count[HISTORY_STEP]);
    bool failed = place->failed;
    (void)pthread_mutex_unlock(&pool->lock);
    return failed ? error_memory(error) : COSTAB_OK;
}

costab_notes history_runner_notes(runner_pool *pool) {
    return (costab_notes){.context = pool, .give = take_note_back};
}

costab_status history_runners_create(runner_pool **made, int couplings, costab_error *error) {
    runner_pool *pool = *made = memory_alloc(1, sizeof *pool);
    if (pool == NULL) return error_memory(error);
    *pool = (runner_pool){
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .couplings = couplings};
    TRY(memory_make(&pool->running, (size_t)couplings, error));
    TRY(memory_make(&pool->saved_states, (size_t)couplings, error));
    return memory_make(&pool->saved_points, (size_t)couplings, error);
}

void history_runners_free(runner_pool *pool) {
    if (pool == NULL) return;
    for (int c = 0; pool->running != NULL && c < pool->couplings; c++)
        if (pool->running[c] != NULL) runner_free(pool->running[c]);
    for (runner *r = pool->idle, *next; r != NULL; r = next) {
        next = r->next;
        runner_free(r);
    }
    for (int c = 0; pool->saved_states != NULL && c < pool->couplings; c++) text_free(&pool->saved_states[c]);
    (void)pthread_cond_destroy(&pool->changed);
    (void)pthread_mutex_destroy(&pool->lock);
    memory_free_all(pool->running, pool->saved_states, pool->saved_points, pool);
}
