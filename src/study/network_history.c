/* Time histories of a network as a study: each coupling of a model simulated beside the monolithic system.
 *   1. The signals: those that the model names, or all states, inputs and outputs; and the power and energies
 *      of all power bonds.
 *   2. The plan: for each coupling time, signals and monolithic signals at communication points; where asked
 *      for, also at the ends of micro steps, whose times differ from subsystem to subsystem. Runs shorter
 *      than the longest end with NaN.
 *   3. A run is one tile; one without micro steps and with more than WHOLE_VALUES numbers is cut, and the
 *      simulator continues from tile to tile (history_runner.c).
 * Cost: a simulation per coupling (network/simulator.c). Not guaranteed: what that does not guarantee. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "study/history_runner.h"
#include "sweep/run.h"

/* Axes, and fields over them. */
enum { COUPLING = HISTORY_COUPLING, STEP = HISTORY_STEP, SIGNAL = HISTORY_SIGNAL, LOCAL = HISTORY_LOCAL };
enum { SIGNALS_MAX = 4096 };

/* Values of a field in a tile: a run with fewer of them is one piece, a longer one is cut. */
#define WHOLE_VALUES ((size_t)1 << 20)
#define PIECE_VALUES ((size_t)1 << 18)
/* Values of a field that one run may have at the ends of micro steps: these are one piece. */
#define LOCAL_VALUES_MAX ((size_t)1 << 24)

enum {
    AT_POINTS = 1U << COUPLING | 1U << STEP | 1U << SIGNAL,
    AT_MICRO_STEPS = 1U << COUPLING | 1U << SIGNAL | 1U << LOCAL,
};

/* Power, energy and energy made, of every bond. */
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
               costab_signal_name(network, signal->subsystem, signal->kind, signal->index, name)[0] != '\0' &&
               (signal->kind != COSTAB_SIGNAL_STATE ||
                signal->index < states_of(&network->subsystems[signal->subsystem]));
    }
    return good ? COSTAB_OK : error_invalid(error, "history: a signal is wanted that there is not");
}

/* Those that the model names, or all; and always the energies of the bonds. */
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
    return ((const analysis_variant *)context)->couplings[i].name;
}

static costab_status count_run(const network_history *h, int c, const costab_network *network,
                               const costab_coupling *coupling, int64_t *macro, int64_t *micro,
                               costab_error *error) {
    const costab_history_steps *wanted = history_turns(h, (size_t)c);
    ends_by(turns_free) step_turns turns = {.count = 0};
    TRY(wanted != NULL ? turns_make(&turns, network, coupling, wanted->steps, (int64_t)wanted->count, error)
                       : costab_coupling_check(network, coupling, error));
    return history_count(network, coupling, wanted != NULL ? &turns : NULL, h->until, macro, micro, error);
}

/* [out] *steps: communication points of the longest run; *points: micro steps of any wanted signal. */
static costab_status count_rows(const network_history *h, const costab_model_instance *instance,
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

/* One piece per coupling, unless the run is too long for that. */
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
    TRY(count_rows(h, instance, &steps, &points, error));
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
    h->base.notes = history_runner_notes(h->pool);
    TRY(analysis_variant_instance(&h->variant, &instance, error));
    TRY(analysis_check_moves(instance, error));
    TRY(choose_signals(h, costab_model_instance_network(instance), wanted, error));
    return make_plan(h, instance, error);
}
