/* Makes the time histories of a network a study: for each coupling of a model a co-simulation and the
 * monolithic solution.
 *   1. Signals: those named in the model, or all states, inputs and outputs; always the power and energies of
 *      all power bonds.
 *   2. Plan: for each coupling the time, the signals and the monolithic signals at communication points; on
 *      request also at the ends of micro steps, with times for each subsystem. Shorter runs end with NaN.
 *   3. A run is one tile. A run without micro steps and with more than WHOLE_VALUES numbers is cut into
 *      tiles.
 *   4. Each coupling's run has one runner (simulator), from its first tile to its last. A tile waits until
 *      the runner has finished the previous tile.
 *   5. A run starts at t = 0, or at the last saved state of a checkpoint if that is not after the tile.
 *   6. The state at the end of each tile is saved as the tile's note. A stopped run continues from it, bit
 *      for bit. The note of the last tile is the reason why the run ended early.
 *
 * Cost: a simulation per coupling. Limitations: as for network/simulator.c. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analysis/moves.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "network/history.h"
#include "study/study.h"
#include "sweep/packed.h"
#include "sweep/run.h"

/* ---- Runs ---- */

/* Axes of a history's plan: LOCAL counts the micro steps of a signal. */
enum { HISTORY_COUPLING, HISTORY_STEP, HISTORY_SIGNAL, HISTORY_LOCAL };

/* Simulator that continues one coupling's run from tile to tile. */
typedef struct runner {
    struct runner *next; /* in the list of idle runners */
    costab_model_instance *instance;
    costab_network_simulator *simulator;
    int64_t at; /* while idle: communication point at which it continues; -1: it cannot continue */
    bool busy;
    const costab_tile *tile; /* current tile */
    size_t *local;           /* number of recorded micro steps of each signal */
} runner;

typedef struct runner_pool runner_pool;

typedef struct network_history {
    costab_study base;
    analysis_variant variant;
    double until;
    bool local; /* values at micro steps are stored, too */
    /* Sequences of macro steps of some couplings, from model->history or from the caller; borrowed. */
    const costab_history_steps *turns;
    int turn_count;
    int signal_count;
    struct costab_network_signal *signals; /* bonds have subsystem -1 */
    /* Signals of the network are numbered from first_number[subsystem] on, signals of bonds last.
     * first_wanted: for each signal the first equal wanted signal. next_wanted: for each wanted signal the
     * next equal one. -1: none. */
    int *first_number, *first_wanted, *next_wanted;
    runner_pool *pool;
} network_history;

/* Time between two checks for cancellation while a thread waits for the previous tile. */
#define WAIT_NANOSECONDS 20000000

/* The runners, and for each coupling the last state saved with the tiles of a checkpoint. */
struct runner_pool {
    pthread_mutex_t lock; /* held while a run starts: instances of a model are made one after the other */
    pthread_cond_t changed;
    int couplings;
    runner **running;      /* the runner of each coupling; NULL: its run has not begun, or is over */
    runner *idle;          /* list of runners of finished runs */
    text *saved_states;    /* last saved state of each coupling (history_save); empty: none */
    int64_t *saved_points; /* communication point of each saved state, from 0 */
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

/* Returns true if a saved state is later than communication point `at`, and not later than `point`. */
static bool saved_state_is_ahead(const runner_pool *pool, size_t coupling, int64_t at, int64_t point) {
    return pool->saved_states[coupling].size > 0 && pool->saved_points[coupling] > at &&
           pool->saved_points[coupling] <= point;
}

static bool is_stopped(void *context) {
    return costab_tile_stopped(((const runner *)context)->tile);
}

/* Returns the macro steps that a coupling takes in turn; NULL: all steps are the coupling's own macro step.
 */
static const costab_history_steps *history_turns(const network_history *h, size_t coupling) {
    const char *name = h->variant.couplings[coupling].name;
    for (int i = 0; i < h->turn_count; i++)
        if (h->turns[i].coupling == NULL || strcmp(h->turns[i].coupling, name) == 0) return &h->turns[i];
    return NULL;
}

/* Starts a coupling's run at t = 0, or at its last saved state if that is not after `point`, the first
 * communication point of the current tile. */
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
    const text *state = &h->pool->saved_states[coupling];
    if (saved_state_is_ahead(h->pool, coupling, 0, point))
        TRY(history_restore(r->simulator, state->data, state->size, error));
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

/* Takes the runner of the tile's run, at or before the tile's first point. Waits for the previous tile.
 * COSTAB_CANCELLED if the sweep is stopped. */
static costab_status history_runner_take(const network_history *h, const costab_tile *tile, runner **taken,
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
    text_local state = {0};
    history_save(r->simulator, &state);
    return state.failed ? error_memory(error) : packed_set(note, state.data, state.size, error);
}

/* Gives a runner back at the end of a tile. After a failure (`status`) the run cannot continue. Returns
 * status, or an error of this function. */
static costab_status history_runner_give(const network_history *h, const costab_tile *tile, runner *r,
                                         costab_status status, costab_error *error) {
    runner_pool *pool = h->pool;
    const size_t end = tile->start[HISTORY_STEP] + tile->count[HISTORY_STEP];
    const bool last = end == h->base.plan.axes[HISTORY_STEP].count;
    const char *ending = h->base.endings[tile->start[HISTORY_COUPLING]];
    if (!status && tile->note != NULL && !last) status = save_state(r, tile->note, error);
    if (!status && tile->note != NULL && last && ending != NULL)
        status = packed_set(tile->note, ending, strlen(ending), error);
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

/* Notes why a coupling's run ended early. */
static costab_status history_runner_ended(const network_history *h, size_t coupling, const char *reason,
                                          costab_error *error) {
    (void)pthread_mutex_lock(&h->pool->lock);
    char **ending = &h->base.endings[coupling];
    if (*ending == NULL) *ending = memory_copy(reason);
    bool failed = *ending == NULL;
    (void)pthread_mutex_unlock(&h->pool->lock);
    return failed ? error_memory(error) : COSTAB_OK;
}

/* Takes back the note of a checkpoint's tile (costab_notes.give): the state from which the run continues, or
 * of the last tile the reason why the run ended early. */
static costab_status take_note_back(void *context, const costab_tile *tile, const void *bytes, size_t size,
                                    costab_error *error) {
    const network_history *h = context;
    runner_pool *pool = h->pool;
    const size_t coupling = tile->start[HISTORY_COUPLING],
                 end = tile->start[HISTORY_STEP] + tile->count[HISTORY_STEP];
    if (end == h->base.plan.axes[HISTORY_STEP].count) {
        text_local reason = {0};
        text_append_n(&reason, bytes, size);
        return reason.failed ? error_memory(error) : history_runner_ended(h, coupling, reason.data, error);
    }
    text *state = &pool->saved_states[coupling];
    (void)pthread_mutex_lock(&pool->lock);
    state->size = 0;
    text_append_n(state, bytes, size);
    pool->saved_points[coupling] = (int64_t)end;
    bool failed = state->failed;
    (void)pthread_mutex_unlock(&pool->lock);
    return failed ? error_memory(error) : COSTAB_OK;
}

/* [out] *pool: free with history_runners_free, also after an error. */
static costab_status history_runners_create(runner_pool **made, int couplings, costab_error *error) {
    runner_pool *pool = *made = memory_alloc(1, sizeof *pool);
    if (pool == NULL) return error_memory(error);
    *pool = (runner_pool){
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .couplings = couplings};
    TRY(memory_make(&pool->running, (size_t)couplings, error));
    TRY(memory_make(&pool->saved_states, (size_t)couplings, error));
    return memory_make(&pool->saved_points, (size_t)couplings, error);
}

static void history_runners_free(runner_pool *pool) {
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

/* ---- The study ---- */

/* Axes, and fields over them. */
enum { COUPLING = HISTORY_COUPLING, STEP = HISTORY_STEP, SIGNAL = HISTORY_SIGNAL, LOCAL = HISTORY_LOCAL };
enum { SIGNALS_MAX = 4096 };

/* Number of values of a field up to which a run is one tile, and in each tile of a longer run. */
#define WHOLE_VALUES ((size_t)1 << 20)
#define TILE_VALUES  ((size_t)1 << 18)
/* Largest number of values of a field at the ends of micro steps of a run; such a run is a single tile. */
#define LOCAL_VALUES_MAX ((size_t)1 << 24)

enum {
    AT_POINTS = 1U << COUPLING | 1U << STEP | 1U << SIGNAL,
    AT_MICRO_STEPS = 1U << COUPLING | 1U << SIGNAL | 1U << LOCAL,
};

/* Signals of a bond: power, energies and spurious energy. */
enum { BOND_SIGNALS = COSTAB_SIGNAL_ENERGY_MADE - COSTAB_SIGNAL_POWER + 1 };

static const study_field fields[] = {
    {.name = "time",
     .axes = 1U << COUPLING | 1U << STEP,
     .long_name = "time of the communication point; nan after the end of the run",
     .unit = "s"},
    {0, AT_POINTS, "value", "signal of the co-simulation at the communication point", NULL, NULL},
    {0, AT_POINTS, "monolithic", "signal of the monolithic system", NULL, NULL},
    {0, AT_MICRO_STEPS, "local_time", "time of the signal's micro step; nan after the last", NULL, "s"},
    {0, AT_MICRO_STEPS, "local_value", "signal of the co-simulation at the end of a micro step", NULL, NULL},
    {0, AT_MICRO_STEPS, "local_monolithic", "signal of the monolithic system at that time", NULL, NULL},
};
enum { FIELDS = sizeof fields / sizeof fields[0], FIELDS_WITHOUT_LOCAL = 3 };

/* ---- The signals ---- */

/* Returns the number of states that can be stored: a subsystem with its own stepper does not show any. */
static int states_of(const costab_subsystem *s) {
    return s->stepper != NULL ? 0 : s->states;
}

/* Returns the number of a signal among all signals of the network (first_number). */
static int number_of(const network_history *h, const costab_network *network, int subsystem,
                     costab_signal_kind kind, int index) {
    if (subsystem < 0)
        return h->first_number[network->subsystem_count] + BOND_SIGNALS * index +
               (int)(kind - COSTAB_SIGNAL_POWER);
    const costab_subsystem *s = &network->subsystems[subsystem];
    int before = kind == COSTAB_SIGNAL_STATE   ? 0
                 : kind == COSTAB_SIGNAL_INPUT ? states_of(s)
                                               : states_of(s) + s->inputs;
    return h->first_number[subsystem] + before + index;
}

/* Appends a signal to the wanted signals. */
static void want(network_history *h, const costab_network *network, costab_signal_kind kind, int subsystem,
                 int index) {
    int k = h->signal_count++, *at = &h->first_wanted[number_of(h, network, subsystem, kind, index)];
    h->signals[k] = (struct costab_network_signal){.kind = kind, .subsystem = subsystem, .index = index};
    h->next_wanted[k] = -1;
    while (*at >= 0) at = &h->next_wanted[*at];
    *at = k;
}

static costab_status check_wanted(const costab_network *network, const costab_network_history *wanted,
                                  costab_error *error) {
    bool good = wanted->signal_count == 0 || (wanted->signal_count > 0 && wanted->signals != NULL);
    for (int i = 0; good && i < wanted->signal_count; i++) {
        const struct costab_network_signal *signal = &wanted->signals[i];
        char name[COSTAB_SIGNAL_NAME_MAX];
        good = signal->kind <= COSTAB_SIGNAL_OUTPUT &&
               costab_signal_name(network, signal->subsystem, signal->kind, signal->index, name)[0] != '\0' &&
               (signal->kind != COSTAB_SIGNAL_STATE ||
                signal->index < states_of(&network->subsystems[signal->subsystem]));
    }
    return good ? COSTAB_OK : error_invalid(error, "history: a wanted signal does not exist");
}

/* Chooses the signals named in the model, or all; always includes the power and energies of the bonds. */
static costab_status choose_signals(network_history *h, const costab_network *network,
                                    const costab_network_history *wanted, costab_error *error) {
    int subsystems = network->subsystem_count, all = 0, count;
    TRY(check_wanted(network, wanted, error));
    h->until = wanted->until;
    h->local = wanted->local;
    h->turns = wanted->turns;
    h->turn_count = wanted->turn_count;
    TRY(memory_make(&h->first_number, (size_t)subsystems + 1, error));
    for (int s = 0; s < subsystems; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        h->first_number[s] = all;
        all += states_of(subsystem) + subsystem->inputs + subsystem->outputs;
    }
    h->first_number[subsystems] = all;
    all += BOND_SIGNALS * network->bond_count;
    count = wanted->signal_count > 0 ? wanted->signal_count + BOND_SIGNALS * network->bond_count : all;
    if (count > SIGNALS_MAX)
        return error_invalid(error, "history: more than %d signals; name those wanted", SIGNALS_MAX);
    TRY(memory_make(&h->first_wanted, (size_t)all, error));
    TRY(memory_make(&h->next_wanted, (size_t)count, error));
    TRY(memory_make(&h->signals, (size_t)count, error));
    for (int n = 0; n < all; n++) h->first_wanted[n] = -1;
    for (int i = 0; i < wanted->signal_count; i++)
        want(h, network, wanted->signals[i].kind, wanted->signals[i].subsystem, wanted->signals[i].index);
    for (int s = 0; s < subsystems && wanted->signal_count == 0; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        for (int i = 0; i < states_of(subsystem); i++) want(h, network, COSTAB_SIGNAL_STATE, s, i);
        for (int i = 0; i < subsystem->inputs; i++) want(h, network, COSTAB_SIGNAL_INPUT, s, i);
        for (int i = 0; i < subsystem->outputs; i++) want(h, network, COSTAB_SIGNAL_OUTPUT, s, i);
    }
    for (int b = 0; b < network->bond_count; b++)
        for (int k = 0; k < BOND_SIGNALS; k++)
            want(h, network, (costab_signal_kind)(COSTAB_SIGNAL_POWER + k), -1, b);
    return COSTAB_OK;
}

/* ---- The plan ---- */

/* Context of signal_label: the signals, and the network with their names. */
typedef struct labelling {
    const network_history *h;
    const costab_network *network;
} labelling;

static const char *signal_label(const void *context, size_t i, char space[STUDY_LABEL_MAX]) {
    const labelling *l = context;
    const struct costab_network_signal *signal = &l->h->signals[i];
    char own[COSTAB_SIGNAL_NAME_MAX];
    const char *name = costab_signal_name(l->network, signal->subsystem, signal->kind, signal->index, own);
    if (signal->subsystem < 0)
        snprintf(space, STUDY_LABEL_MAX, "%s", name);
    else
        snprintf(space, STUDY_LABEL_MAX, "%s.%s", l->network->subsystems[signal->subsystem].name, name);
    return space;
}

static const char *coupling_label(const void *context, size_t i, char space[STUDY_LABEL_MAX]) {
    (void)space;
    return ((const analysis_variant *)context)->couplings[i].name;
}

/* [out] *macro, micro: number of macro steps of a coupling's run, and of micro steps of each subsystem. */
static costab_status count_run(const network_history *h, int c, const costab_network *network,
                               const costab_coupling *coupling, int64_t *macro, int64_t *micro,
                               costab_error *error) {
    const costab_history_steps *wanted = history_turns(h, (size_t)c);
    ends_by(turns_free) step_turns turns = {.count = 0};
    TRY(wanted != NULL ? turns_make(&turns, network, coupling, wanted->steps, (int64_t)wanted->count, error)
                       : costab_coupling_check(network, coupling, error));
    return history_count(network, coupling, wanted != NULL ? &turns : NULL, h->until, macro, micro, error);
}

/* [out] *steps: number of communication points of the longest run; *points: largest number of micro steps of
 * a wanted signal. */
static costab_status count_points(const network_history *h, const costab_model_instance *instance,
                                  size_t *steps, size_t *points, costab_error *error) {
    const costab_network *network = costab_model_instance_network(instance);
    memory_local_array(int64_t, micro, (size_t)network->subsystem_count, error);
    *steps = *points = 1;
    for (int c = 0; c < h->variant.coupling_count; c++) {
        costab_coupling coupling;
        int64_t macro;
        TRY(analysis_variant_coupling(&h->variant, instance, c, &coupling, error));
        TRY(count_run(h, c, network, &coupling, &macro, micro, error));
        if ((size_t)macro + 1 > *steps) *steps = (size_t)macro + 1;
        for (int k = 0; k < h->signal_count; k++)
            if (h->signals[k].subsystem >= 0 && (size_t)micro[h->signals[k].subsystem] > *points)
                *points = (size_t)micro[h->signals[k].subsystem];
    }
    return COSTAB_OK;
}

/* Makes one tile per coupling, unless the run is too long. */
static costab_status cut(network_history *h, size_t steps, size_t points, costab_error *error) {
    costab_plan *plan = &h->base.plan;
    size_t signals = (size_t)h->signal_count, most = steps > points ? steps : points;
    plan->swept = STEP + 1;
    costab_plan_choose_tiles(plan, 1);
    plan->tile_shape[STEP] = steps;
    if (h->local && most > LOCAL_VALUES_MAX / signals)
        return error_invalid(error,
                             "history, local: %zu micro steps of %zu signals are more than %zu "
                             "values: take a shorter time, fewer signals, or leave `local` out",
                             most, signals, LOCAL_VALUES_MAX);
    if (!h->local && steps > WHOLE_VALUES / signals) plan->tile_shape[STEP] = TILE_VALUES / signals;
    return COSTAB_OK;
}

static costab_status make_plan(network_history *h, const costab_model_instance *instance,
                               costab_error *error) {
    size_t steps, points;
    labelling l = {h, costab_model_instance_network(instance)};
    costab_axis couplings = {
        .name = "coupling", .count = (size_t)h->variant.coupling_count, .long_name = "coupling of the model"};
    costab_axis signals = {
        .name = "signal", .count = (size_t)h->signal_count, .long_name = "subsystem and signal"};
    TRY(count_points(h, instance, &steps, &points, error));
    TRY(study_add_labelled(&h->base, couplings, coupling_label, &h->variant, error));
    h->base.histories = couplings.count;
    study_add_axis(
        &h->base,
        (costab_axis){.name = "step", .count = steps, .long_name = "number of the communication point"});
    TRY(study_add_labelled(&h->base, signals, signal_label, &l, error));
    if (h->local)
        study_add_axis(&h->base, (costab_axis){.name = "local",
                                               .count = points,
                                               .long_name = "number of the signal's micro step"});
    for (int f = 0; f < (h->local ? FIELDS : FIELDS_WITHOUT_LOCAL); f++)
        study_plan_field(&h->base.plan, &fields[f], NULL);
    return cut(h, steps, points, error);
}

/* ---- A tile ---- */

/* Context of `record`: the tile that receives the values of a run. */
typedef struct recorder {
    const network_history *h;
    const costab_tile *tile;
    runner *runner;
    void *const *blocks;
} recorder;

/* Stores the k-th signal at a communication point, and at the end of a micro step. */
static void record_point(const recorder *r, const costab_row *row, size_t k) {
    size_t i = (size_t)r->runner->simulator->done - r->tile->start[STEP];
    size_t at = i * (size_t)r->h->signal_count + k;
    ((double *)r->blocks[1])[at] = row->value;
    ((double *)r->blocks[2])[at] = row->monolithic;
}

static void record_local(const recorder *r, const costab_row *row, size_t k) {
    size_t at = k * r->tile->count[LOCAL] + r->runner->local[k]++;
    const double values[] = {row->t, row->value, row->monolithic};
    for (int f = 0; f < FIELDS - FIELDS_WITHOUT_LOCAL; f++)
        ((double *)r->blocks[FIELDS_WITHOUT_LOCAL + f])[at] = values[f];
}

/* Stores a row of the simulator in the tile, once for each equal wanted signal. */
static bool record(void *context, const costab_row *row) {
    recorder *r = (recorder *)context;
    const network_history *h = r->h;
    const costab_network *network = costab_model_instance_network(r->runner->instance);
    if (r->runner->simulator->done < (int64_t)r->tile->start[STEP]) return true; /* before the tile */
    if (row->communication)
        ((double *)r->blocks[0])[(size_t)r->runner->simulator->done - r->tile->start[STEP]] = row->t;
    int k = h->first_wanted[number_of(h, network, row->subsystem, row->kind, row->index)];
    for (; k >= 0; k = h->next_wanted[k])
        if (row->communication)
            record_point(r, row, (size_t)k);
        else
            record_local(r, row, (size_t)k);
    return true;
}

static costab_status evaluate(const costab_study *base, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const network_history *h = (const network_history *)base;
    costab_simulate_outcome outcome;
    recorder r = {.h = h, .tile = tile, .blocks = blocks};
    for (int f = 0; f < base->plan.field_count; f++) {
        size_t count = costab_tile_values(&base->plan, f, tile);
        for (size_t i = 0; i < count; i++) ((double *)blocks[f])[i] = (double)NAN;
    }
    TRY(history_runner_take(h, tile, &r.runner, error));
    costab_status status = history_continue(
        r.runner->simulator, (int64_t)(tile->start[STEP] + tile->count[STEP]), record, &r, &outcome, error);
    if (!status && outcome.diverged)
        status = history_runner_ended(h, tile->start[COUPLING], outcome.reason, error);
    return history_runner_give(h, tile, r.runner, status, error);
}

static void destroy(costab_study *base) {
    network_history *h = (network_history *)base;
    history_runners_free(h->pool);
    for (int c = 0; c < base->ending_count; c++) memory_free(base->endings[c]);
    memory_free(base->endings);
    analysis_variant_free(&h->variant);
    memory_free_all(h->signals, h->first_number, h->first_wanted, h->next_wanted);
}

costab_status network_history_create(const costab_study_history *history, costab_study **created,
                                     costab_error *error) {
    const costab_network_history *wanted = history->wanted;
    ends_by(costab_model_instance_destroy) costab_model_instance *instance = NULL;
    network_history *h = memory_alloc(1, sizeof *h);
    if (h == NULL) return error_memory(error);
    h->base = (costab_study){.evaluate = evaluate, .destroy = destroy};
    *created = &h->base;
    TRY(analysis_variant_make(&h->variant, &history->variant, error));
    h->variant.time_varying = true;
    if (wanted == NULL) wanted = &h->variant.model->history;
    TRY(history_runners_create(&h->pool, h->variant.coupling_count, error));
    TRY(memory_make(&h->base.endings, (size_t)h->variant.coupling_count, error));
    h->base.ending_count = h->variant.coupling_count;
    h->base.notes = (costab_notes){h, take_note_back};
    TRY(analysis_variant_instance(&h->variant, &instance, error));
    TRY(analysis_check_moves(instance, error));
    if (wanted->turn_count > 0) TRY(analysis_check_steps(instance, error));
    TRY(choose_signals(h, costab_model_instance_network(instance), wanted, error));
    return make_plan(h, instance, error);
}
