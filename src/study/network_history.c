/* Time histories of a network: every coupling of a model simulated once, when the study is made, beside the
 * monolithic system. A file holds the signals at communication points and, where asked for, at the ends of
 * micro steps, whose times differ from subsystem to subsystem. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/model.h"
#include "study/study.h"

enum { COUPLING, STEP, SIGNAL, LOCAL };
enum { SIGNALS_MAX = 4096 };

/* A growing series of t, value, monolithic. */
typedef struct series {
    size_t count, capacity;
    double *values; /* three a point */
} series;

/* One signal under one coupling. */
typedef struct track {
    series communication, local;
} track;

typedef struct network_history {
    costab_study base;
    const costab_network_history *asked; /* borrowed until the study is made */
    bool local;
    int coupling_count;
    char **couplings; /* labels */
    int signal_count;
    struct costab_network_signal *signals; /* bonds have subsystem -1 */
    char **labels;                         /* of the signals */
    track *tracks;                         /* coupling by coupling, signal by signal */
    double *steps, *points;                /* values of the axes */
} network_history;

static const costab_field fields[] = {
    {.name = "time",
     .type = COSTAB_F64,
     .rank = 2,
     .axes = {COUPLING, STEP},
     .long_name = "time of the communication point; nan after the end of the run"},
    {.name = "value",
     .type = COSTAB_F64,
     .rank = 3,
     .axes = {COUPLING, STEP, SIGNAL},
     .long_name = "signal of the co-simulation at the communication point"},
    {.name = "monolithic",
     .type = COSTAB_F64,
     .rank = 3,
     .axes = {COUPLING, STEP, SIGNAL},
     .long_name = "signal of the monolithic system"},
    {.name = "local_time",
     .type = COSTAB_F64,
     .rank = 3,
     .axes = {COUPLING, SIGNAL, LOCAL},
     .long_name = "time of the signal's micro step; nan after the last"},
    {.name = "local_value",
     .type = COSTAB_F64,
     .rank = 3,
     .axes = {COUPLING, SIGNAL, LOCAL},
     .long_name = "signal of the co-simulation at the end of a micro step"},
    {.name = "local_monolithic",
     .type = COSTAB_F64,
     .rank = 3,
     .axes = {COUPLING, SIGNAL, LOCAL},
     .long_name = "signal of the monolithic system at that time"},
};
enum { FIELDS = sizeof fields / sizeof fields[0], FIELDS_WITHOUT_LOCAL = 3 };

/* ---- The signals ---- */

static void add_signal(network_history *h, costab_signal_kind kind, int subsystem, int index) {
    h->signals[h->signal_count].kind = kind;
    h->signals[h->signal_count].subsystem = subsystem;
    h->signals[h->signal_count++].index = index;
}

/* Those that the model names, or all; and always the energies of the bonds. */
static costab_status choose_signals(network_history *h, const costab_network *network, costab_error *error) {
    const costab_network_history *asked = h->asked;
    size_t count = (size_t)asked->signal_count + 2 * (size_t)network->bond_count;
    for (int s = 0; s < network->subsystem_count; s++)
        count += (size_t)(network->subsystems[s].states + network->subsystems[s].inputs +
                          network->subsystems[s].outputs);
    if (count > SIGNALS_MAX)
        return error_set(error, COSTAB_INVALID, "history: more than %d signals; name those wanted",
                         SIGNALS_MAX);
    h->signals = memory_alloc(count, sizeof *h->signals);
    h->labels = memory_alloc(count, sizeof *h->labels);
    if (h->signals == NULL || h->labels == NULL) return error_memory(error);
    for (int i = 0; i < asked->signal_count; i++)
        add_signal(h, asked->signals[i].kind, asked->signals[i].subsystem, asked->signals[i].index);
    for (int s = 0; s < network->subsystem_count && asked->signal_count == 0; s++) {
        const costab_subsystem *part = &network->subsystems[s];
        for (int i = 0; i < part->states; i++) add_signal(h, COSTAB_SIGNAL_STATE, s, i);
        for (int i = 0; i < part->inputs; i++) add_signal(h, COSTAB_SIGNAL_INPUT, s, i);
        for (int i = 0; i < part->outputs; i++) add_signal(h, COSTAB_SIGNAL_OUTPUT, s, i);
    }
    for (int b = 0; b < network->bond_count; b++) {
        add_signal(h, COSTAB_SIGNAL_POWER, -1, b);
        add_signal(h, COSTAB_SIGNAL_ENERGY, -1, b);
    }
    return COSTAB_OK;
}

static costab_status label_signals(network_history *h, const costab_network *network, costab_error *error) {
    for (int k = 0; k < h->signal_count; k++) {
        const struct costab_network_signal *signal = &h->signals[k];
        char label[160], own[COSTAB_SIGNAL_NAME_MAX];
        const char *name = costab_signal_name(network, signal->subsystem, signal->kind, signal->index, own);
        bool part = signal->subsystem >= 0;
        snprintf(label, sizeof label, "%s%s%s", part ? network->subsystems[signal->subsystem].name : "",
                 part ? "." : "", name);
        h->labels[k] = memory_copy(label);
        if (h->labels[k] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

/* ---- The runs ---- */

typedef struct recorder {
    network_history *history;
    track *tracks; /* of this coupling */
    bool memory_failed;
} recorder;

static bool push(series *s, const costab_row *row) {
    if (s->count == s->capacity) {
        size_t capacity = s->capacity > 0 ? 2 * s->capacity : 256;
        double *values = memory_resize(s->values, capacity, 3 * sizeof(double));
        if (values == NULL) return false;
        s->values = values;
        s->capacity = capacity;
    }
    double *place = s->values + 3 * s->count++;
    place[0] = row->t;
    place[1] = row->value;
    place[2] = row->monolithic;
    return true;
}

static bool record(void *context, const costab_row *row) {
    recorder *r = (recorder *)context;
    for (int k = 0; k < r->history->signal_count; k++) {
        const struct costab_network_signal *signal = &r->history->signals[k];
        if (signal->kind != row->kind || signal->index != row->index ||
            (row->subsystem >= 0 && signal->subsystem != row->subsystem))
            continue;
        if (!push(row->communication ? &r->tracks[k].communication : &r->tracks[k].local, row)) {
            r->memory_failed = true;
            return false;
        }
    }
    return true;
}

static costab_status simulate(network_history *h, const costab_network *network,
                              const costab_coupling *coupling, int c, costab_error *error) {
    recorder r = {.history = h, .tracks = h->tracks + (size_t)c * (size_t)h->signal_count};
    costab_simulate_options options = {.until = h->asked->until, .local = h->local, .monolithic = true};
    costab_simulate_outcome outcome; /* a run that diverges keeps what it has */
    costab_status status = costab_network_simulate(network, coupling, &options, record, &r, &outcome, error);
    return r.memory_failed ? error_memory(error) : status;
}

static costab_status run_all(network_history *h, const costab_network *network,
                             const costab_coupling *couplings, costab_error *error) {
    costab_status status = choose_signals(h, network, error);
    if (status == COSTAB_OK) status = label_signals(h, network, error);
    if (status != COSTAB_OK) return status;
    h->tracks = memory_alloc((size_t)h->coupling_count * (size_t)h->signal_count, sizeof *h->tracks);
    if (h->tracks == NULL) return error_memory(error);
    for (int c = 0; c < h->coupling_count && status == COSTAB_OK; c++)
        status = simulate(h, network, &couplings[c], c, error);
    return status;
}

/* ---- The plan ---- */

static double *count_up(size_t count) {
    double *values = memory_alloc(count, sizeof(double));
    for (size_t i = 0; values != NULL && i < count; i++) values[i] = (double)i;
    return values;
}

static costab_status make_plan(network_history *h, costab_error *error) {
    costab_plan *plan = &h->base.plan;
    size_t steps = 1, points = 1, couplings = (size_t)h->coupling_count;
    for (size_t k = 0; k < couplings * (size_t)h->signal_count; k++) {
        if (h->tracks[k].communication.count > steps) steps = h->tracks[k].communication.count;
        if (h->tracks[k].local.count > points) points = h->tracks[k].local.count;
    }
    h->steps = count_up(steps);
    h->points = count_up(points);
    if (h->steps == NULL || h->points == NULL) return error_memory(error);
    bool local = h->local;
    plan->axes[COUPLING] = (costab_axis){
        .name = "coupling", .count = couplings, .labels = h->couplings, .long_name = "coupling of the model"};
    plan->axes[STEP] = (costab_axis){
        .name = "step", .count = steps, .values = h->steps, .long_name = "number of the communication point"};
    plan->axes[SIGNAL] = (costab_axis){.name = "signal",
                                       .count = (size_t)h->signal_count,
                                       .labels = h->labels,
                                       .long_name = "subsystem and signal"};
    plan->axes[LOCAL] = (costab_axis){.name = "local",
                                      .count = points,
                                      .values = h->points,
                                      .long_name = "number of the signal's micro step"};
    plan->axis_count = local ? 4 : 3;
    plan->swept = 1;
    for (int f = 0; f < (local ? FIELDS : FIELDS_WITHOUT_LOCAL); f++)
        plan->fields[plan->field_count++] = fields[f];
    costab_plan_choose_tiles(plan, 1);
    return COSTAB_OK;
}

/* The signals at communication points, on the times of the longest series: a bond's energy has no value at
 * the start. */
static void put_communication(const track *tracks, size_t signals, size_t steps, double *time, double *value,
                              double *monolithic) {
    const series *longest = &tracks[0].communication;
    for (size_t k = 1; k < signals; k++)
        if (tracks[k].communication.count > longest->count) longest = &tracks[k].communication;
    for (size_t i = 0; i < steps; i++) time[i] = i < longest->count ? longest->values[3 * i] : (double)NAN;
    for (size_t k = 0; k < signals; k++) {
        const series *s = &tracks[k].communication;
        size_t next = 0;
        for (size_t i = 0; i < steps; i++) {
            bool there = next < s->count && s->values[3 * next] == time[i];
            value[i * signals + k] = there ? s->values[3 * next + 1] : (double)NAN;
            monolithic[i * signals + k] = there ? s->values[3 * next + 2] : (double)NAN;
            next += there;
        }
    }
}

/* A tile is one coupling. */
static costab_status evaluate(const costab_study *base, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    (void)error;
    const network_history *h = (const network_history *)base;
    size_t signals = (size_t)h->signal_count;
    const track *tracks = h->tracks + tile->start[COUPLING] * signals;
    put_communication(tracks, signals, base->plan.axes[STEP].count, blocks[0], blocks[1], blocks[2]);
    size_t points = base->plan.axis_count > LOCAL ? base->plan.axes[LOCAL].count : 0;
    for (size_t k = 0; k < signals; k++) {
        const series *s = &tracks[k].local;
        for (size_t i = 0; i < points; i++)
            for (size_t part = 0; part < 3; part++)
                ((double *)blocks[FIELDS_WITHOUT_LOCAL + part])[k * points + i] =
                    i < s->count ? s->values[3 * i + part] : (double)NAN;
    }
    return COSTAB_OK;
}

static void destroy(costab_study *base) {
    network_history *h = (network_history *)base;
    for (size_t k = 0; h->tracks != NULL && k < (size_t)h->coupling_count * (size_t)h->signal_count; k++) {
        memory_free(h->tracks[k].communication.values);
        memory_free(h->tracks[k].local.values);
    }
    for (int k = 0; h->labels != NULL && k < h->signal_count; k++) memory_free(h->labels[k]);
    for (int c = 0; h->couplings != NULL && c < h->coupling_count; c++) memory_free(h->couplings[c]);
    memory_free(h->couplings);
    memory_free(h->tracks);
    memory_free(h->labels);
    memory_free(h->signals);
    memory_free(h->steps);
    memory_free(h->points);
}

static costab_status copy_names(network_history *h, const char *const *names, costab_error *error) {
    h->couplings = memory_alloc((size_t)h->coupling_count, sizeof *h->couplings);
    if (h->couplings == NULL) return error_memory(error);
    for (int c = 0; c < h->coupling_count; c++) {
        h->couplings[c] = memory_copy(names[c]);
        if (h->couplings[c] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

costab_status network_history_create(const costab_study_history *history, costab_study **created,
                                     costab_error *error) {
    network_history *h = memory_alloc(1, sizeof *h);
    if (h == NULL) return error_memory(error);
    h->base = (costab_study){.evaluate = evaluate, .destroy = destroy};
    h->asked = history->wanted;
    h->local = history->wanted->local;
    h->coupling_count = history->coupling_count;
    *created = &h->base;
    costab_status status = copy_names(h, history->names, error);
    if (status == COSTAB_OK) status = run_all(h, history->network, history->couplings, error);
    return status == COSTAB_OK ? make_plan(h, error) : status;
}

costab_status network_history_of_model(const costab_model *model, costab_study **created,
                                       costab_error *error) {
    costab_model_instance *instance = NULL;
    costab_coupling *couplings = memory_alloc((size_t)model->coupling_count, sizeof *couplings);
    const char **names = memory_alloc((size_t)model->coupling_count, sizeof *names);
    costab_status status = COSTAB_OK;
    if (couplings == NULL || names == NULL) status = error_memory(error);
    if (status == COSTAB_OK) status = costab_model_instance_create(model, &instance, error);
    if (status == COSTAB_OK) {
        for (int c = 0; c < model->coupling_count; c++) {
            couplings[c] = *costab_model_instance_coupling(instance, c);
            names[c] = model->coupling_names[c];
        }
        costab_study_history history = {.network = costab_model_instance_network(instance),
                                        .couplings = couplings,
                                        .names = names,
                                        .coupling_count = model->coupling_count,
                                        .wanted = &model->history};
        status = network_history_create(&history, created, error);
    }
    costab_model_instance_destroy(&instance);
    memory_free(names);
    memory_free(couplings);
    return status;
}
