/* Runs of time histories, of which a tile is a piece: who takes which runner, and the places that are noted.
 *   1. A tile is given the runner of its coupling that stands nearest before its first point, or waits for
 *      one that is coming there.
 *   2. Else an idle one, or a new one, begins at t = 0, or where a kept tile noted the state at its end.
 *   3. The state at the end of each tile is its note, from which a run that was stopped continues, to the
 *      last bit.
 * The pool's lock is held while runs begin: instances of a model are made one after the other. */
#include "study/history_runner.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "study/notes.h"

/* How long a thread waits for the piece before its own until it asks whether the run was cancelled. */
#define WAIT_NANOSECONDS 20000000

/* The runners, and the places that kept tiles ended at. */
struct runner_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    runner *runners;
    bool noting;
    study_note *notes;
    text *places;         /* of each coupling the last place that was given; empty if there is none */
    int64_t *place_point; /* the communication point of each */
};

static void runner_free(runner *r) {
    costab_model_instance_destroy(&r->instance);
    costab_network_simulator_destroy(&r->simulator);
    memory_free_all(r->local, r);
}

static costab_status runner_make(const network_history *h, runner **made, costab_error *error) {
    runner *r = *made = memory_alloc(1, sizeof *r);
    if (r == NULL) return error_memory(error);
    r->at = -1;
    r->local = memory_alloc((size_t)h->signal_count, sizeof *r->local);
    costab_status status = r->local != NULL ? COSTAB_OK : error_memory(error);
    if (!status) status = study_variant_instance(&h->variant, &r->instance, error);
    if (!status) status = costab_network_simulator_create(&r->simulator, error);
    if (!status) return COSTAB_OK;
    runner_free(r);
    *made = NULL;
    return status;
}

/* The runner that stands nearest before a point of a coupling's run; or one that is done with its own; or
 * NULL. *coming: one that will stand there is at work. The pool is locked. */
static runner *find_runner(const network_history *h, size_t coupling, int64_t point, bool *coming) {
    runner *best = NULL;
    *coming = false;
    for (runner *r = h->pool->runners; r != NULL; r = r->next) {
        bool mine = r->coupling == coupling && r->at >= 0 && r->at <= point;
        if (mine && r->busy) *coming = true;
        if (mine && !r->busy && (best == NULL || r->at > best->at)) best = r;
    }
    for (runner *r = h->pool->runners; r != NULL && best == NULL; r = r->next) {
        bool over = r->at >= (int64_t)h->base.plan.axes[HISTORY_STEP].count;
        if (!r->busy && (r->at < 0 || over || (r->coupling == coupling && r->at > point))) best = r;
    }
    if (best != NULL && best->at == point) *coming = false;
    return best;
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

/* Whether a kept tile ended behind `at`, and not behind `point`. */
static bool place_helps(const runner_pool *pool, size_t coupling, int64_t at, int64_t point) {
    return pool->places[coupling].size > 0 && pool->place_point[coupling] > at &&
           pool->place_point[coupling] <= point;
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

/* Begins a run at t = 0, or at the place where a kept tile ended. */
static costab_status begin(const network_history *h, runner *r, size_t coupling, int64_t point,
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
    r->coupling = coupling;
    memset(r->local, 0, (size_t)h->signal_count * sizeof *r->local);
    costab_status status = study_variant_coupling(&h->variant, r->instance, (int)coupling, &choices, error);
    if (!status)
        status = history_start(r->simulator, costab_model_instance_network(r->instance), &choices, &options,
                               error);
    const text *place = &h->pool->places[coupling];
    if (!status && place_helps(h->pool, coupling, 0, point))
        status = history_restore(r->simulator, place->data, place->size, error);
    if (!status) r->at = 0;
    return status;
}

costab_status history_runner_take(const network_history *h, const costab_tile *tile, runner **taken,
                                  costab_error *error) {
    runner_pool *pool = h->pool;
    int64_t point = (int64_t)tile->start[HISTORY_STEP];
    bool coming = true, stopped = false;
    costab_status status = COSTAB_OK;
    runner *r = NULL;
    (void)pthread_mutex_lock(&pool->lock);
    while (coming && !stopped) {
        r = find_runner(h, tile->start[HISTORY_COUPLING], point, &coming);
        if (coming) wait_for_change(pool);
        stopped = costab_tile_stopped(tile);
    }
    if (stopped) status = error_set(error, COSTAB_CANCELLED, "stopped");
    if (!status && r == NULL) {
        status = runner_make(h, &r, error); /* instances are made one after the other */
        if (r != NULL) r->next = pool->runners;
        if (r != NULL) pool->runners = r;
    }
    if (!status && (r->at < 0 || r->coupling != tile->start[HISTORY_COUPLING] || r->at > point ||
                    place_helps(pool, r->coupling, r->at, point)))
        status = begin(h, r, tile->start[HISTORY_COUPLING], point, error);
    if (!status) r->busy = true;
    if (!status) r->tile = tile;
    if (!status) *taken = r;
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

costab_status history_runner_give(const network_history *h, const costab_tile *tile, runner *r,
                                  costab_status status, costab_error *error) {
    runner_pool *pool = h->pool;
    (void)pthread_mutex_lock(&pool->lock);
    r->busy = false;
    r->at = !status ? (int64_t)(tile->start[HISTORY_STEP] + tile->count[HISTORY_STEP]) : -1;
    bool last =
        tile->start[HISTORY_STEP] + tile->count[HISTORY_STEP] == h->base.plan.axes[HISTORY_STEP].count;
    if (!status && pool->noting && !last) {
        study_note *note = study_note_of(&pool->notes, tile->index);
        if (note != NULL) history_save(r->simulator, &note->body);
        if (note == NULL || note->body.failed) status = error_memory(error);
    }
    (void)pthread_cond_broadcast(&pool->changed);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

static costab_status take_note(void *context, const costab_tile *tile, costab_packed *to,
                               costab_error *error) {
    runner_pool *pool = ((network_history *)context)->pool;
    (void)pthread_mutex_lock(&pool->lock);
    costab_status status = study_note_take(&pool->notes, tile->index, to, error);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

static costab_status give_note(void *context, const costab_tile *tile, const void *bytes, size_t size,
                               costab_error *error) {
    runner_pool *pool = ((network_history *)context)->pool;
    text *place = &pool->places[tile->start[HISTORY_COUPLING]];
    (void)pthread_mutex_lock(&pool->lock);
    costab_status status = study_note_give(&pool->notes, tile->index, bytes, size, error);
    place->size = 0;
    text_append_n(place, bytes, size);
    pool->place_point[tile->start[HISTORY_COUPLING]] =
        (int64_t)(tile->start[HISTORY_STEP] + tile->count[HISTORY_STEP]);
    if (place->failed) status = error_memory(error);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

costab_notes history_runner_notes(costab_study *base) {
    ((network_history *)base)->pool->noting = true;
    return (costab_notes){.context = base, .take = take_note, .give = give_note};
}

costab_status history_runners_create(runner_pool **made, costab_error *error) {
    runner_pool *pool = *made = memory_alloc(1, sizeof *pool);
    if (pool == NULL) return error_memory(error);
    if (pthread_mutex_init(&pool->lock, NULL) == 0) {
        if (pthread_cond_init(&pool->changed, NULL) == 0) return COSTAB_OK;
        (void)pthread_mutex_destroy(&pool->lock);
    }
    memory_free(pool);
    *made = NULL;
    return error_memory(error);
}

costab_status history_runners_size(runner_pool *pool, int couplings, costab_error *error) {
    pool->places = memory_alloc((size_t)couplings, sizeof *pool->places);
    pool->place_point = memory_alloc((size_t)couplings, sizeof *pool->place_point);
    return pool->places != NULL && pool->place_point != NULL ? COSTAB_OK : error_memory(error);
}

void history_runners_free(runner_pool *pool, int couplings) {
    for (runner *r = pool->runners, *next; r != NULL; r = next) {
        next = r->next;
        runner_free(r);
    }
    for (int c = 0; pool->places != NULL && c < couplings; c++) text_free(&pool->places[c]);
    study_notes_free(&pool->notes);
    (void)pthread_cond_destroy(&pool->changed);
    (void)pthread_mutex_destroy(&pool->lock);
    memory_free_all(pool->places, pool->place_point, pool);
}
