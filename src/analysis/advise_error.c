/* Checks runs of couplings against error limits relative to the monolithic solution. A relative limit without
 * a signal's name applies to each state and each connected output, an absolute one to states only, because
 * outputs have other units.
 * 1. Linear systems without sources: a run without micro steps compares communication points only.
 * 2. If that stays within the limits, and for other systems, a run with all micro steps. Both end at the
 *    first violation.
 * 3. Relative limits refer to the largest values of the monolithic solution in a run of any stable coupling.
 * Cost: a run up to the given time. Limitation: ignores everything after that time. */
#include <math.h>

#include "analysis/advise.h"
#include "analysis/limit_sampled.h"
#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"
#include "network/network.h"

/* Steps of the run that finds the largest values. */
enum { LARGEST_STEPS = 5000 };

static int signal_at(const advise_errors *errors, int subsystem, costab_signal_kind kind, int index) {
    return errors->first[2 * subsystem + (kind == COSTAB_SIGNAL_OUTPUT)] + index;
}

static int signal_of(const advise_errors *errors, const costab_row *row) {
    return signal_at(errors, row->subsystem, row->kind, row->index);
}

static bool is_state_or_output(const costab_row *row) {
    return row->kind == COSTAB_SIGNAL_STATE || row->kind == COSTAB_SIGNAL_OUTPUT;
}

/* ---- Runs ---- */

static bool is_stopped(void *context) {
    return advise_ask_progress(context, NULL) != COSTAB_OK;
}

/* Sets up the network at a macro step; linear subsystems are run by their matrices instead of functions. */
static costab_status set_up(adviser *a, const advise_candidate *c, double H, costab_network *network,
                            costab_coupling *coupling, costab_error *error) {
    const costab_network *model;
    TRY(advise_network_at(a, c, H, &model, coupling, error));
    *network = *model;
    network->subsystems = a->errors.subsystems;
    for (int s = 0; s < model->subsystem_count; s++) {
        a->errors.subsystems[s] = model->subsystems[s];
        if (a->errors.linear[s]) a->errors.subsystems[s].dynamics = NULL;
    }
    return costab_coupling_check(network, coupling, error);
}

static costab_status run_coupling(adviser *a, const advise_candidate *c, double H, bool local,
                                  costab_row_sink sink, bool *diverged, costab_error *error) {
    costab_network network;
    costab_coupling coupling;
    costab_simulate_outcome outcome = {.diverged = false};
    costab_simulate_options options = {.until = a->options->until,
                                       .local = local,
                                       .monolithic = true,
                                       .stop = is_stopped,
                                       .stop_context = a};
    TRY(set_up(a, c, H, &network, &coupling, error));
    TRY(costab_network_simulator_run(a->simulator, &network, &coupling, &options, sink, &a->errors, &outcome,
                                     error));
    *diverged = outcome.diverged;
    return COSTAB_OK;
}

static bool row_is_within(void *context, const costab_row *row) {
    const advise_errors *errors = context;
    return !is_state_or_output(row) ||
           fabs(row->value - row->monolithic) <= errors->allowed[signal_of(errors, row)] ||
           errors->allowed[signal_of(errors, row)] == (double)INFINITY;
}

/* Determines if a run stays within the limits; `local`: at micro steps as well. A diverging iteration or
 * stage violates them. */
static costab_status stays_within(adviser *a, const advise_candidate *c, double H, bool local, bool *kept,
                                  costab_error *error) {
    bool diverged;
    costab_status status = run_coupling(a, c, H, local, row_is_within, &diverged, error);
    *kept = !status && !diverged;
    if (status == COSTAB_NUMERIC) return COSTAB_OK;
    if (status != COSTAB_CANCELLED) return status;
    return advise_ask_progress(a, error); /* cancelled by a violation, or by the user */
}

costab_status advise_keeps_errors(adviser *a, const advise_candidate *c, double H, bool quick, bool *kept,
                                  costab_error *error) {
    *kept = !a->errors.linear_alone;
    TRY(advise_ask_progress(a, error));
    if (a->errors.linear_alone) TRY(stays_within(a, c, H, false, kept, error));
    if (!*kept || (quick && a->errors.linear_alone)) return COSTAB_OK;
    return stays_within(a, c, H, true, kept, error);
}

static bool note_largest(void *context, const costab_row *row) {
    const advise_errors *errors = context;
    if (!is_state_or_output(row)) return true;
    double *largest = &errors->largest[signal_of(errors, row)];
    *largest = fmax(*largest, fabs(row->monolithic));
    return true;
}

/* Computes the largest values of the monolithic solution from any stable run; *found: there is one. */
static costab_status find_largest_values(adviser *a, bool *found, costab_error *error) {
    *found = false;
    for (size_t i = 0; i < a->count; i++) {
        advise_candidate *c = &a->candidates[i];
        bool diverged;
        TRY(advise_find_stable(a, c, error));
        if (isnan(c->row.stable_to)) continue;
        *found = true;
        double H = fmin(c->row.stable_to, a->options->until / LARGEST_STEPS);
        H = advise_smallest_step(c, fmax(H, a->options->lower));
        return run_coupling(a, c, H, true, note_largest, &diverged, error);
    }
    return COSTAB_OK;
}

/* ---- Limits ---- */

static costab_status lay_out(adviser *a, const costab_network *network, costab_error *error) {
    advise_errors *errors = &a->errors;
    size_t count = 0;
    TRY(memory_make(&errors->first, 2 * (size_t)network->subsystem_count + 1, error));
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        errors->first[2 * s] = (int)count;
        errors->first[2 * s + 1] = (int)count + subsystem->states;
        count += (size_t)subsystem->states + (size_t)subsystem->outputs;
    }
    errors->first[2 * network->subsystem_count] = (int)count;
    TRY(memory_make(&errors->subsystems, (size_t)network->subsystem_count, error));
    TRY(memory_make(&errors->linear, (size_t)network->subsystem_count, error));
    TRY(memory_make(&errors->allowed, count + 1, error));
    TRY(memory_make(&errors->largest, count + 1, error));
    errors->linear_alone = network->source_count == 0;
    for (int s = 0; s < network->subsystem_count; s++) {
        TRY(costab_model_instance_linear(a->instance, s, &errors->linear[s], error));
        errors->linear_alone = errors->linear_alone && errors->linear[s];
    }
    for (size_t i = 0; i < count; i++) errors->allowed[i] = (double)INFINITY;
    return COSTAB_OK;
}

/* Returns the limit of one entry for the signal with index `at`. */
static double allowed_of(const adviser *a, const costab_advise_error *entry, int at, int count) {
    if (!entry->relative) return entry->error;
    double most = 0;
    for (int i = 0; i < count && a->errors.largest[at] == 0; i++) most = fmax(most, a->errors.largest[i]);
    return entry->error * fmax(most, a->errors.largest[at]);
}

/* Sets the limits of named signals, in place of those of all. Of several for a signal the smallest counts. */
static costab_status set_named(adviser *a, const costab_network *network, int count, costab_error *error) {
    for (int e = 0; e < a->options->error_count; e++) {
        const costab_advise_error *entry = &a->options->errors[e];
        if (entry->signal == NULL) continue;
        costab_signal of;
        costab_error none;
        if (costab_signal_find(network, entry->signal, &of, &none) ||
            (of.kind != COSTAB_SIGNAL_STATE && of.kind != COSTAB_SIGNAL_OUTPUT))
            return error_invalid(error, "'%s' is not a state or output of the model: expected SUBSYSTEM.NAME",
                                 entry->signal);
        int at = signal_at(&a->errors, of.subsystem, of.kind, of.index);
        bool again = false;
        for (int i = 0; i < e; i++)
            again = again || (entry[i - e].signal != NULL && strcmp(entry[i - e].signal, entry->signal) == 0);
        a->errors.allowed[at] =
            fmin(again ? a->errors.allowed[at] : (double)INFINITY, allowed_of(a, entry, at, count));
    }
    return COSTAB_OK;
}

/* Limits a signal by an entry for all. */
static void set_other(adviser *a, const costab_advise_error *entry, int at, int count) {
    a->errors.allowed[at] = fmin(a->errors.allowed[at], allowed_of(a, entry, at, count));
}

/* Sets the limits of states and connected outputs. */
static void set_others(adviser *a, const costab_network *network, int count) {
    for (int e = 0; e < a->options->error_count; e++) {
        const costab_advise_error *entry = &a->options->errors[e];
        if (entry->signal != NULL) continue;
        for (int s = 0; s < network->subsystem_count; s++)
            for (int i = 0; i < network->subsystems[s].states; i++)
                set_other(a, entry, signal_at(&a->errors, s, COSTAB_SIGNAL_STATE, i), count);
        for (int c = 0; c < network->connection_count && entry->relative; c++) {
            const costab_connection *k = &network->connections[c];
            set_other(a, entry, signal_at(&a->errors, k->from, COSTAB_SIGNAL_OUTPUT, k->output), count);
        }
    }
}

costab_status advise_errors_make(adviser *a, costab_error *error) {
    const costab_advise_options *o = a->options;
    const costab_network *network = costab_model_instance_network(a->instance);
    bool relative = false;
    if (o->error_count == 0) return COSTAB_OK;
    for (int e = 0; e < o->error_count; e++) {
        relative = relative || o->errors[e].relative;
        if (!(o->errors[e].error > 0 && o->until > 0 && isfinite(o->errors[e].error) && isfinite(o->until)))
            return error_invalid(error, "the error and the time up to which it is measured must be positive");
    }
    if (o->until < o->lower)
        return error_invalid(error, "until: %g s; that is before the end of the shortest macro step, %g s",
                             o->until, o->lower);
    if (analysis_is_sampled(network))
        return error_invalid(
            error, "errors: the continuous system of an FMU for co-simulation is not known; compare "
                   "without an error");
    TRY(analysis_check_moves(a->instance, error));
    advise_errors_free(&a->errors);
    TRY(lay_out(a, network, error));
    if (!a->errors.linear_alone)
        TRY(network_refuse_dead_time(network, "errors",
                                     "the monolithic solution is computed for linear subsystems without "
                                     "sources alone; compare without an error",
                                     error));
    a->errors.known = true;
    if (relative) TRY(find_largest_values(a, &a->errors.known, error));
    int count = a->errors.first[2 * network->subsystem_count];
    set_others(a, network, count);
    return set_named(a, network, count, error);
}

void advise_errors_free(advise_errors *errors) {
    memory_free_all(errors->first, errors->allowed, errors->largest, errors->subsystems, errors->linear);
    *errors = (advise_errors){.known = false};
}
