/* Part of the report on time histories, each with the monolithic solution (costab simulate).
 *   1. The runs: today's coupling at today's step; ABOVE_LIMIT times its limit, to show the instability; and
 *      the recommended coupling at its step.
 *   2. SIGNALS signals with about POINTS points each: the first output of the dominant subsystem and the
 * source of its first connection, otherwise other outputs.
 *   3. The state with the largest error in units of the allowed error.
 *
 * A run ends early if a state has grown to BLOW_UP or an equation has no value; the reason and the time then
 * replace the error. */
#include <math.h>
#include <string.h>

#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "page/report.h"

/* Number of drawn signals; approximate number of points of each. */
enum { SIGNALS = 2, POINTS = 400 };

/* Step of the unstable run relative to the limit; size at which a run ends. */
#define ABOVE_LIMIT 1.05
#define BLOW_UP     1e12

/* A signal to be drawn. */
typedef struct shown {
    int subsystem, index;
    costab_signal_kind kind;
    text t, value, monolithic; /* numbers, joined by commas */
} shown;

/* One run. */
typedef struct run {
    report *report;
    shown signals[SIGNALS];
    int signal_count;
    double every;             /* seconds between drawn points */
    double next;              /* the first row from here on is drawn */
    double at;                /* time of the current rows */
    int *first;               /* of each subsystem: the number of its first state */
    double *errors, *largest; /* largest error and largest monolithic value of each state */
    bool known;               /* there is a monolithic solution */
} run;

static void add(text *list, double value) {
    char digits[40];
    (void)text_format(digits, sizeof digits, "%.6g", value);
    text_printf(list, "%s%s", list->size > 0 ? "," : "", isfinite(value) ? digits : "null");
}

/* Takes a row of the simulation: updates the errors of a state, and stores the values of drawn signals. */
static bool take_row(void *context, const costab_row *row) {
    run *all = context;
    if (row->kind == COSTAB_SIGNAL_STATE && row->subsystem >= 0) {
        size_t k = (size_t)(all->first[row->subsystem] + row->index);
        double error = fabs(row->value - row->monolithic), amount = fabs(row->monolithic);
        if (!isnan(row->monolithic)) all->known = true;
        if (error > all->errors[k] || isnan(row->value))
            all->errors[k] = isnan(row->value) ? (double)INFINITY : error;
        if (amount > all->largest[k]) all->largest[k] = amount;
    }
    if (!row->communication) return true;
    if (row->t >= all->next && row->t != all->at) {
        all->at = row->t;
        all->next = row->t + all->every * (1 - 1e-9);
    }
    if (row->t != all->at) return true;
    for (int i = 0; i < all->signal_count; i++) {
        shown *s = &all->signals[i];
        if (s->subsystem != row->subsystem || s->kind != row->kind || s->index != row->index) continue;
        add(&s->t, row->t);
        add(&s->value, row->value);
        add(&s->monolithic, row->monolithic);
    }
    return true;
}

/* ---- Signals ---- */

static void add_signal(run *all, int subsystem, costab_signal_kind kind, int index) {
    for (int i = 0; i < all->signal_count; i++)
        if (all->signals[i].subsystem == subsystem && all->signals[i].kind == kind &&
            all->signals[i].index == index)
            return;
    if (all->signal_count < SIGNALS)
        all->signals[all->signal_count++] = (shown){.subsystem = subsystem, .kind = kind, .index = index};
}

/* Chooses SIGNALS signals: the first output of the dominant subsystem, the sources of its connections, the
 * first outputs of all subsystems; without outputs its first state. */
static void choose_signals(run *all) {
    const costab_network *network = report_network(all->report);
    int s = all->report->dominant >= 0 ? all->report->dominant : 0;
    if (network->subsystems[s].outputs > 0) add_signal(all, s, COSTAB_SIGNAL_OUTPUT, 0);
    for (int c = 0; c < network->connection_count; c++)
        if (network->connections[c].to == s)
            add_signal(all, network->connections[c].from, COSTAB_SIGNAL_OUTPUT,
                       network->connections[c].output);
    for (int k = 0; k < network->subsystem_count; k++)
        if (network->subsystems[k].outputs > 0) add_signal(all, k, COSTAB_SIGNAL_OUTPUT, 0);
    if (all->signal_count == 0 && network->subsystems[s].states > 0)
        add_signal(all, s, COSTAB_SIGNAL_STATE, 0);
}

/* ---- One run ---- */

static void put_list(report *r, const char *key, const text *list) {
    json_array(&r->out, key);
    if (list->size > 0) text_append_text(&r->data, list);
    if (list->failed) r->data.failed = true;
    json_end_array(&r->out);
}

static void put_signals(run *all) {
    report *r = all->report;
    char made[COSTAB_SIGNAL_NAME_MAX];
    json_array(&r->out, "signals");
    for (int i = 0; i < all->signal_count; i++) {
        shown *s = &all->signals[i];
        text_local name = {0};
        text_printf(&name, "%s.%s", report_network(r)->subsystems[s->subsystem].name,
                    costab_signal_name(report_network(r), s->subsystem, s->kind, s->index, made));
        json_object(&r->out, NULL);
        if (name.failed) r->data.failed = true;
        json_text(&r->out, "name", name.failed ? "" : name.data);
        /* Outputs and states of discrete-time subsystems change at samples only. */
        json_bool(&r->out, "held",
                  report_network(r)->subsystems[s->subsystem].method.kind == COSTAB_DISCRETE);
        put_list(r, "t", &s->t);
        put_list(r, "value", &s->value);
        if (all->known) put_list(r, "monolithic", &s->monolithic);
        json_end_object(&r->out);
    }
    json_end_array(&r->out);
}

/* Returns the allowed error of a state; infinite if no error applies to it. A relative error refers to
 * `largest`, its largest value, or to `of_all`, the largest value of all states, if that is 0. */
static double allowed(const report *r, const char *name, double largest, double of_all) {
    double common = (double)INFINITY;
    for (int i = 0; i < r->error_count; i++) {
        const costab_advise_error *e = &r->errors[i];
        double value = e->relative ? e->error * (largest > 0 ? largest : of_all) : e->error;
        if (e->signal == NULL) common = value;
        if (e->signal != NULL && strcmp(e->signal, name) == 0) return value;
    }
    return common;
}

/* Puts the state with the largest error, in units of the allowed error. */
static void put_error(run *all) {
    report *r = all->report;
    const costab_network *network = report_network(r);
    double worst = -1, of_all = 0, limit = 0, error = 0, largest = 0;
    text of = {0};
    char made[COSTAB_SIGNAL_NAME_MAX];
    int count = all->first[network->subsystem_count];
    for (int k = 0; k < count; k++) of_all = fmax(of_all, all->largest[k]);
    for (int s = 0; s < network->subsystem_count; s++)
        for (int i = 0; i < network->subsystems[s].states; i++) {
            size_t k = (size_t)(all->first[s] + i);
            text name = {0};
            text_printf(&name, "%s.%s", network->subsystems[s].name,
                        costab_signal_name(network, s, COSTAB_SIGNAL_STATE, i, made));
            if (name.failed) r->data.failed = true;
            double may = allowed(r, name.failed ? "" : name.data, all->largest[k], of_all);
            double share = all->errors[k] / may;
            if (share > worst) {
                worst = share;
                limit = may;
                error = all->errors[k];
                largest = all->largest[k];
                text_free(&of);
                of = name;
            } else {
                text_free(&name);
            }
        }
    if (worst >= 0 && !of.failed) {
        json_text(&r->out, "error_of", of.data);
        json_number(&r->out, "error", error);
        json_maybe(&r->out, "allowed", isinf(limit) ? (double)NAN : limit);
        json_number(&r->out, "largest", largest);
    }
    text_free(&of);
}

static costab_status make_space(run *all, costab_error *error) {
    const costab_network *network = report_network(all->report);
    int count = 0;
    TRY(memory_make(&all->first, (size_t)network->subsystem_count + 1, error));
    for (int s = 0; s < network->subsystem_count; s++) {
        all->first[s] = count;
        count += network->subsystems[s].states;
    }
    all->first[network->subsystem_count] = count;
    TRY(memory_make(&all->errors, (size_t)count + 1, error));
    return memory_make(&all->largest, (size_t)count + 1, error);
}

static void free_run(run *all) {
    for (int i = 0; i < all->signal_count; i++) {
        text_free(&all->signals[i].t);
        text_free(&all->signals[i].value);
        text_free(&all->signals[i].monolithic);
    }
    memory_free_all(all->first, all->errors, all->largest);
}

/* Simulates with the instance's macro step, and puts the signals and the error. [out] *known: whether the
 * error is known. */
static costab_status put_run(report *r, const analysis_variant *variant, bool *known, costab_error *error) {
    ends_by(free_run) run all = {.report = r, .every = r->until / POINTS, .at = -1};
    const costab_simulate_options options = {.until = r->until,
                                             .local = true,
                                             .monolithic = true,
                                             .blow_up = BLOW_UP,
                                             .stop = report_stops,
                                             .stop_context = r};
    costab_simulate_outcome outcome = {.diverged = false};
    costab_coupling coupling;
    costab_error why;
    TRY(make_space(&all, error));
    choose_signals(&all);
    costab_status status = analysis_check_moves(r->instance, &why);
    if (!status) status = analysis_variant_coupling(variant, r->instance, 0, &coupling, &why);
    if (!status)
        status =
            costab_network_simulate(report_network(r), &coupling, &options, take_row, &all, &outcome, &why);
    if (status) return report_refused(r, status, &why, error);
    json_bool(&r->out, "diverged", outcome.diverged);
    if (outcome.diverged) json_number(&r->out, "ended_at", outcome.ended_at);
    if (outcome.diverged) report_text(r, "reason", outcome.reason);
    *known = all.known && !outcome.diverged;
    if (*known) put_error(&all);
    put_signals(&all);
    return COSTAB_OK;
}

static costab_status put_history(report *r, const char *title, double step, const char *coupling,
                                 costab_error *error) {
    costab_variant requested = r->requested;
    ends_by(analysis_variant_free) analysis_variant variant = {.coupling_count = 0};
    bool known = false;
    text_local options = {0};
    requested.couplings = &coupling;
    json_object(&r->out, NULL);
    json_text(&r->out, "title", title);
    json_number(&r->out, "step", step);
    json_text(&r->out, "coupling", coupling);
    TRY(analysis_variant_make(&variant, &requested, error));
    if (step != r->step) TRY(report_set(r, step, error));
    TRY(put_run(r, &variant, &known, error));
    TRY(report_reset(r, error));
    report_add_step(r, &options, step);
    text_append_number(&options, " --until ", r->until);
    json_array(&r->out, "commands");
    if (strcmp(coupling, r->variant.couplings[0].name) == 0) coupling = NULL;
    report_command(r, "simulate", coupling, &options);
    text_append(&options, " --error");
    if (known) report_command(r, "simulate", coupling, &options);
    json_end_array(&r->out);
    json_end_object(&r->out);
    return COSTAB_OK;
}

/* Returns the step rounded down to the few digits of the command, which is then simulated. */
static double shown_step(double step) {
    return report_rounded(step * (1 + 1e-12), NUMBER_LIMIT_DIGITS, -1);
}

enum { RUNS = 3 };

costab_status report_histories(report *r, costab_error *error) {
    const char *own = r->variant.couplings[0].name;
    json_array(&r->out, "histories");
    TRY(put_history(r, "today", r->step, own, error));
    (void)report_progress(r, 1.0 / RUNS);
    if (r->limit_is == COSTAB_END_LIMIT && r->limit >= r->step)
        TRY(put_history(r, "5 % above the limit", shown_step(ABOVE_LIMIT * r->limit), own, error));
    (void)report_progress(r, 2.0 / RUNS);
    if (r->recommended != NULL)
        TRY(put_history(r, "recommended", shown_step(r->recommended_step), r->recommended, error));
    json_end_array(&r->out);
    return COSTAB_OK;
}
