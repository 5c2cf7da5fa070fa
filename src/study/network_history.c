/* Time histories of a network: each coupling of a model simulated beside the monolithic system. A file holds
 * the signals at communication points and, where asked for, at the ends of micro steps, whose times differ
 * from subsystem to subsystem.
 *
 * A tile is a piece of one coupling's run, and what a piece begins with is what the one before it ended with.
 * A run that has ended a piece therefore waits, as a runner, for the thread that takes the next one. Its
 * place is also noted with the tile, so that a sweep which continues from kept tiles need not begin at t = 0.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/history.h"
#include "study/notes.h"
#include "study/study.h"
#include "study/variant.h"

enum { COUPLING, STEP, SIGNAL, LOCAL };
enum { SIGNALS_MAX = 4096 };

/* Values of a field in a tile: a run with fewer of them is one piece, a longer one is cut. */
#define WHOLE_VALUES ((size_t)1 << 20)
#define PIECE_VALUES ((size_t)1 << 18)
/* Values of a field that one run may have at the ends of micro steps: these are one piece. */
#define LOCAL_VALUES_MAX ((size_t)1 << 24)
/* How long a thread waits for the piece before its own until it asks whether the run was cancelled. */
#define WAIT_NANOSECONDS 20000000

/* One run, between two pieces or in one. */
typedef struct runner {
    struct runner *next;
    costab_model_instance *instance;
    costab_network_simulator *simulator;
    size_t coupling;
    int64_t at; /* the communication point that it continues from; -1: it cannot continue */
    bool busy;
    const costab_tile *tile; /* at work on it */
    size_t *local;           /* micro steps so far, of each signal */
} runner;

/* The runners, and the places that kept tiles ended at. */
typedef struct runner_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    runner *runners;
    bool noting;
    study_note *notes;
    text *places;         /* of each coupling the last place that was given; empty if there is none */
    int64_t *place_point; /* the communication point of each */
} runner_pool;

typedef struct network_history {
    costab_study base;
    study_variant variant;
    double until;
    bool local;
    int signal_count;
    struct costab_network_signal *signals; /* bonds have subsystem -1 */
    /* Every signal of the network has a number: first_number[subsystem] and on, those of the bonds last. Of
     * each the first wanted signal that is this one, and of each wanted signal the next; -1: there is none.
     */
    int *first_number, *first_wanted, *next_wanted;
    runner_pool *pool;
} network_history;

enum {
    AT_POINTS = 1U << COUPLING | 1U << STEP | 1U << SIGNAL,
    AT_MICRO_STEPS = 1U << COUPLING | 1U << SIGNAL | 1U << LOCAL,
};

/* Power, energy and energy made, of every bond. */
enum { BOND_SIGNALS = COSTAB_SIGNAL_ENERGY_MADE - COSTAB_SIGNAL_POWER + 1 };

static const study_field fields[] = {
    {.name = "time",
     .axes = 1U << COUPLING | 1U << STEP,
     .long_name = "time of the communication point; nan after the end of the run"},
    {0, AT_POINTS, "value", "signal of the co-simulation at the communication point", NULL},
    {0, AT_POINTS, "monolithic", "signal of the monolithic system", NULL},
    {0, AT_MICRO_STEPS, "local_time", "time of the signal's micro step; nan after the last", NULL},
    {0, AT_MICRO_STEPS, "local_value", "signal of the co-simulation at the end of a micro step", NULL},
    {0, AT_MICRO_STEPS, "local_monolithic", "signal of the monolithic system at that time", NULL},
};
enum { FIELDS = sizeof fields / sizeof fields[0], FIELDS_WITHOUT_LOCAL = 3 };

/* ---- The signals ---- */

/* A subsystem that steps by itself does not show its states. */
static int states_of(const costab_subsystem *s) {
    return s->stepper != NULL ? 0 : s->states;
}

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

/* Behind those that are wanted already. */
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
               costab_signal_name(network, signal->subsystem, signal->kind, signal->index, name)[0] != '\0';
    }
    return good ? COSTAB_OK
                : error_set(error, COSTAB_INVALID, "history: a signal is wanted that there is not");
}

/* Those that the model names, or all; and always the energies of the bonds. */
static costab_status choose_signals(network_history *h, const costab_network *network,
                                    const costab_network_history *wanted, costab_error *error) {
    int subsystems = network->subsystem_count, all = 0, count;
    costab_status status = check_wanted(network, wanted, error);
    if (status) return status;
    h->until = wanted->until;
    h->local = wanted->local;
    h->first_number = memory_alloc((size_t)subsystems + 1, sizeof *h->first_number);
    if (h->first_number == NULL) return error_memory(error);
    for (int s = 0; s < subsystems; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        h->first_number[s] = all;
        all += states_of(subsystem) + subsystem->inputs + subsystem->outputs;
    }
    h->first_number[subsystems] = all;
    all += BOND_SIGNALS * network->bond_count;
    count = wanted->signal_count > 0 ? wanted->signal_count + BOND_SIGNALS * network->bond_count : all;
    if (count > SIGNALS_MAX)
        return error_set(error, COSTAB_INVALID, "history: more than %d signals; name those wanted",
                         SIGNALS_MAX);
    h->first_wanted = memory_alloc((size_t)all, sizeof *h->first_wanted);
    h->next_wanted = memory_alloc((size_t)count, sizeof *h->next_wanted);
    h->signals = memory_alloc((size_t)count, sizeof *h->signals);
    if (h->first_wanted == NULL || h->next_wanted == NULL || h->signals == NULL) return error_memory(error);
    for (int n = 0; n < all; n++) h->first_wanted[n] = -1;
    for (int i = 0; i < wanted->signal_count; i++)
        want(h, network, wanted->signals[i].kind, wanted->signals[i].subsystem, wanted->signals[i].index);
    for (int s = 0; s < subsystems && wanted->signal_count == 0; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        for (int i = 0; i < states_of(subsystem); i++) want(h, network, COSTAB_SIGNAL_STATE, s, i);
        for (int i = 0; i < subsystem->inputs; i++) want(h, network, COSTAB_SIGNAL_INPUT, s, i);
        for (int i = 0; i < subsystem->outputs; i++) want(h, network, COSTAB_SIGNAL_OUTPUT, s, i);
    }
    for (int b = 0; b < network->bond_count; b++) {
        for (int k = 0; k < BOND_SIGNALS; k++)
            want(h, network, (costab_signal_kind)(COSTAB_SIGNAL_POWER + k), -1, b);
    }
    return COSTAB_OK;
}

/* ---- The plan ---- */

/* What labels are made of. */
typedef struct labelling {
    const network_history *h;
    const costab_network *network;
} labelling;

static const char *signal_label(const void *context, size_t i, char room[STUDY_LABEL_MAX]) {
    const labelling *l = context;
    const struct costab_network_signal *signal = &l->h->signals[i];
    char own[COSTAB_SIGNAL_NAME_MAX];
    const char *name = costab_signal_name(l->network, signal->subsystem, signal->kind, signal->index, own);
    if (signal->subsystem < 0)
        snprintf(room, STUDY_LABEL_MAX, "%s", name);
    else
        snprintf(room, STUDY_LABEL_MAX, "%s.%s", l->network->subsystems[signal->subsystem].name, name);
    return room;
}

static const char *coupling_label(const void *context, size_t i, char room[STUDY_LABEL_MAX]) {
    (void)room;
    return ((const study_variant *)context)->couplings[i].name;
}

/* [out] *steps: communication points of the longest run; *points: micro steps of any wanted signal. */
static costab_status count_rows(const network_history *h, const costab_model_instance *instance,
                                size_t *steps, size_t *points, costab_error *error) {
    const costab_network *network = costab_model_instance_network(instance);
    int64_t *micro = memory_alloc((size_t)network->subsystem_count, sizeof *micro), macro;
    costab_status status = micro != NULL ? COSTAB_OK : error_memory(error);
    *steps = *points = 1;
    for (int c = 0; c < h->variant.coupling_count && !status; c++) {
        costab_coupling coupling;
        status = study_variant_coupling(&h->variant, instance, c, &coupling, error);
        if (!status) status = costab_coupling_check(network, &coupling, error);
        if (!status) status = history_count(network, &coupling, h->until, &macro, micro, error);
        if (status) break;
        if ((size_t)macro + 1 > *steps) *steps = (size_t)macro + 1;
        for (int k = 0; k < h->signal_count; k++)
            if (h->signals[k].subsystem >= 0 && (size_t)micro[h->signals[k].subsystem] > *points)
                *points = (size_t)micro[h->signals[k].subsystem];
    }
    memory_free(micro);
    return status;
}

/* One piece per coupling, unless the run is too long for that. */
static costab_status cut(network_history *h, size_t steps, size_t points, costab_error *error) {
    costab_plan *plan = &h->base.plan;
    size_t signals = (size_t)h->signal_count, most = steps > points ? steps : points;
    plan->swept = STEP + 1;
    costab_plan_choose_tiles(plan, 1);
    plan->tile_shape[STEP] = steps;
    if (h->local && most > LOCAL_VALUES_MAX / signals)
        return error_set(error, COSTAB_INVALID,
                         "history, local: %zu micro steps of %zu signals are more than %zu values: take a "
                         "shorter time, fewer signals, or leave `local` out",
                         most, signals, LOCAL_VALUES_MAX);
    if (!h->local && steps > WHOLE_VALUES / signals) plan->tile_shape[STEP] = PIECE_VALUES / signals;
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
    costab_status status = count_rows(h, instance, &steps, &points, error);
    if (!status) status = study_add_labelled(&h->base, couplings, coupling_label, &h->variant, error);
    if (status) return status;
    study_add_axis(
        &h->base,
        (costab_axis){.name = "step", .count = steps, .long_name = "number of the communication point"});
    status = study_add_labelled(&h->base, signals, signal_label, &l, error);
    if (status) return status;
    if (h->local)
        study_add_axis(&h->base, (costab_axis){.name = "local",
                                               .count = points,
                                               .long_name = "number of the signal's micro step"});
    for (int f = 0; f < (h->local ? FIELDS : FIELDS_WITHOUT_LOCAL); f++)
        study_add_field(&h->base, &fields[f], NULL);
    return cut(h, steps, points, error);
}

/* ---- Runners ---- */

static void runner_free(runner *r) {
    costab_model_instance_destroy(&r->instance);
    costab_network_simulator_destroy(&r->simulator);
    memory_free(r->local);
    memory_free(r);
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
        bool over = r->at >= (int64_t)h->base.plan.axes[STEP].count;
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

static costab_status cancelled(costab_error *error) {
    return error_set(error, COSTAB_CANCELLED, "stopped");
}

/* Whether a kept tile ended behind `at`, and not behind `point`. */
static bool place_helps(const runner_pool *pool, size_t coupling, int64_t at, int64_t point) {
    return pool->places[coupling].size > 0 && pool->place_point[coupling] > at &&
           pool->place_point[coupling] <= point;
}

static bool is_stopped(void *context) {
    return costab_tile_stopped(((const runner *)context)->tile);
}

/* Begins a run at t = 0, or at the place where a kept tile ended. */
static costab_status begin(const network_history *h, runner *r, size_t coupling, int64_t point,
                           costab_error *error) {
    costab_coupling choices;
    costab_simulate_options options = {.until = h->until,
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
    if (status) return status;
    r->at = 0;
    if (!place_helps(h->pool, coupling, 0, point)) return COSTAB_OK;
    const text *place = &h->pool->places[coupling];
    return history_restore(r->simulator, place->data, place->size, error);
}

/* Takes the runner that stands at a tile's first point, or goes there. */
static costab_status runner_take(const network_history *h, const costab_tile *tile, runner **taken,
                                 costab_error *error) {
    runner_pool *pool = h->pool;
    int64_t point = (int64_t)tile->start[STEP];
    bool coming = true, stopped = false;
    costab_status status = COSTAB_OK;
    runner *r = NULL;
    (void)pthread_mutex_lock(&pool->lock);
    while (coming && !stopped) {
        r = find_runner(h, tile->start[COUPLING], point, &coming);
        if (coming) wait_for_change(pool);
        stopped = costab_tile_stopped(tile);
    }
    if (stopped) status = cancelled(error);
    if (!status && r == NULL) {
        status = runner_make(h, &r, error); /* instances are made one after the other */
        if (r != NULL) r->next = pool->runners;
        if (r != NULL) pool->runners = r;
    }
    if (!status && (r->at < 0 || r->coupling != tile->start[COUPLING] || r->at > point ||
                    place_helps(pool, r->coupling, r->at, point)))
        status = begin(h, r, tile->start[COUPLING], point, error);
    if (!status) r->busy = true;
    if (!status) r->tile = tile;
    if (!status) *taken = r;
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

/* Gives a runner back at the end of a tile, or (`status`) where it failed: no other run continues from there.
 */
static costab_status runner_give(const network_history *h, const costab_tile *tile, runner *r,
                                 costab_status status, costab_error *error) {
    runner_pool *pool = h->pool;
    (void)pthread_mutex_lock(&pool->lock);
    r->busy = false;
    r->at = !status ? (int64_t)(tile->start[STEP] + tile->count[STEP]) : -1;
    bool last = tile->start[STEP] + tile->count[STEP] == h->base.plan.axes[STEP].count;
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
    text *place = &pool->places[tile->start[COUPLING]];
    (void)pthread_mutex_lock(&pool->lock);
    costab_status status = study_note_give(&pool->notes, tile->index, bytes, size, error);
    place->size = 0;
    text_append_n(place, bytes, size);
    pool->place_point[tile->start[COUPLING]] = (int64_t)(tile->start[STEP] + tile->count[STEP]);
    if (place->failed) status = error_memory(error);
    (void)pthread_mutex_unlock(&pool->lock);
    return status;
}

static costab_notes notes(costab_study *base) {
    ((network_history *)base)->pool->noting = true;
    return (costab_notes){.context = base, .take = take_note, .give = give_note};
}

/* ---- A tile ---- */

typedef struct recorder {
    const network_history *h;
    const costab_tile *tile;
    runner *runner;
    void *const *blocks;
} recorder;

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

static bool record(void *context, const costab_row *row) {
    recorder *r = (recorder *)context;
    const network_history *h = r->h;
    const costab_network *network = costab_model_instance_network(r->runner->instance);
    if (r->runner->simulator->done < (int64_t)r->tile->start[STEP]) return true; /* on the way there */
    if (row->communication)
        ((double *)r->blocks[0])[(size_t)r->runner->simulator->done - r->tile->start[STEP]] = row->t;
    int k = h->first_wanted[number_of(h, network, row->subsystem, row->kind, row->index)];
    for (; k >= 0; k = h->next_wanted[k]) {
        if (row->communication)
            record_point(r, row, (size_t)k);
        else
            record_local(r, row, (size_t)k);
    }
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
    costab_status status = runner_take(h, tile, &r.runner, error);
    if (status) return status;
    status = history_continue(r.runner->simulator, (int64_t)(tile->start[STEP] + tile->count[STEP]), record,
                              &r, &outcome, error);
    return runner_give(h, tile, r.runner, status, error);
}

static void destroy(costab_study *base) {
    network_history *h = (network_history *)base;
    runner_pool *pool = h->pool;
    for (runner *r = pool->runners, *next; r != NULL; r = next) {
        next = r->next;
        runner_free(r);
    }
    for (int c = 0; pool->places != NULL && c < h->variant.coupling_count; c++) text_free(&pool->places[c]);
    study_notes_free(&pool->notes);
    memory_free(pool->places);
    memory_free(pool->place_point);
    (void)pthread_cond_destroy(&pool->changed);
    (void)pthread_mutex_destroy(&pool->lock);
    memory_free(pool);
    study_variant_free(&h->variant);
    memory_free(h->signals);
    memory_free(h->first_number);
    memory_free(h->first_wanted);
    memory_free(h->next_wanted);
}

static costab_status make_pool(network_history *h, costab_error *error) {
    size_t couplings = (size_t)h->variant.coupling_count;
    h->pool->places = memory_alloc(couplings, sizeof *h->pool->places);
    h->pool->place_point = memory_alloc(couplings, sizeof *h->pool->place_point);
    return h->pool->places != NULL && h->pool->place_point != NULL ? COSTAB_OK : error_memory(error);
}

costab_status network_history_create(const costab_study_history *history, costab_study **created,
                                     costab_error *error) {
    const costab_network_history *wanted = history->wanted;
    costab_model_instance *instance = NULL;
    network_history *h = memory_alloc(1, sizeof *h);
    runner_pool *pool = memory_alloc(1, sizeof *pool);
    if (h == NULL || pool == NULL || pthread_mutex_init(&pool->lock, NULL) != 0) {
        memory_free(h);
        memory_free(pool);
        return error_memory(error);
    }
    (void)pthread_cond_init(&pool->changed, NULL);
    h->base = (costab_study){.evaluate = evaluate, .destroy = destroy, .notes = notes};
    h->pool = pool;
    *created = &h->base;
    costab_status status = study_variant_make(&h->variant, &history->variant, error);
    if (!status && wanted == NULL) wanted = &h->variant.model->history;
    if (!status) status = make_pool(h, error);
    if (!status) status = study_variant_instance(&h->variant, &instance, error);
    if (!status) status = choose_signals(h, costab_model_instance_network(instance), wanted, error);
    if (!status) status = make_plan(h, instance, error);
    costab_model_instance_destroy(&instance);
    return status;
}
