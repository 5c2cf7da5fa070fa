/* Sinks for the rows of a simulation (history.c): collection of all rows, measures of a run, and the largest
 * error of each signal. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/network.h"
#include "network/history.h"
#include "network/monolithic.h"
#include "network/network.h"

/* ---- All rows ---- */

typedef struct collector {
    costab_rows *rows;
    bool failed;
} collector;

/* Appends each row; stops the simulation if memory is exhausted. */
static bool keep(void *context, const costab_row *row) {
    collector *c = context;
    costab_rows *rows = c->rows;
    c->failed = !memory_grows(&rows->items, &rows->capacity, rows->count + 1);
    if (!c->failed) rows->items[rows->count++] = *row;
    return !c->failed;
}

costab_status costab_network_rows(const costab_network *network, const costab_coupling *coupling,
                                  const costab_simulate_options *options, costab_rows *rows,
                                  costab_simulate_outcome *outcome, costab_error *error) {
    collector c = {.rows = rows};
    *rows = (costab_rows){.count = 0};
    costab_status status = costab_network_simulate(network, coupling, options, keep, &c, outcome, error);
    return c.failed ? error_memory(error) : status;
}

void costab_rows_free(costab_rows *rows) {
    memory_free(rows->items);
    *rows = (costab_rows){.count = 0};
}

/* ---- Measures ----
 * The largest difference between a state and the continuous solution, the residual energy and the spurious
 * energy of power bonds. The error uses micro steps unless `exchanges` restricts it to communication points.
 * A run ends when its error exceeds `enough`.
 *
 * Cost: that of the run. Limitation: differences between the compared times are missed. */

typedef struct measuring {
    costab_measures *measures;
    double enough;
} measuring;

static bool take(void *context, const costab_row *row) {
    const measuring *m = context;
    costab_measures *measures = m->measures;
    if (row->kind == COSTAB_SIGNAL_ENERGY) measures->energy_residual += row->value;
    if (row->kind == COSTAB_SIGNAL_ENERGY_MADE) measures->energy_made += row->value;
    if (row->kind != COSTAB_SIGNAL_STATE) return true;
    double difference = fabs(row->value - row->monolithic);
    if (isnan(difference)) difference = (double)INFINITY;
    measures->error = fmax(measures->error, difference);
    return measures->error <= m->enough;
}

/* COSTAB_INVALID unless the methods at all bonds have a quadrature. */
static costab_status check_meters(const costab_network *network, costab_error *error) {
    for (int b = 0; b < network->bond_count; b++)
        for (int side = 0; side < 2; side++) {
            int s = side == 0 ? network->bonds[b].subsystem1 : network->bonds[b].subsystem2;
            const costab_method *method = &network->subsystems[s].method;
            if (method->kind == COSTAB_EXACT || method->kind == COSTAB_RUNGE_KUTTA) continue;
            return error_invalid(error,
                                 "spurious_energy: subsystem '%s': %s has no quadrature; "
                                 "take exact or a Runge-Kutta method",
                                 network->subsystems[s].name, method->name);
        }
    return COSTAB_OK;
}

/* COSTAB_INVALID if errors are requested of a network whose monolithic solution is unknown. */
static costab_status check_reference(const costab_network *network, costab_error *error) {
    if (monolithic_unknown(network))
        return error_invalid(
            error, "errors are unknown: the continuous system of an FMU for co-simulation is not known");
    if (reference_exists(network)) return COSTAB_OK;
    return network_refuse_dead_time(
        network, "error",
        "the monolithic solution is computed for linear subsystems without sources "
        "alone",
        error);
}

costab_status costab_network_measure(costab_network_simulator *h, const costab_network *network,
                                     const costab_coupling *coupling, const costab_measure_options *wanted,
                                     costab_measures *measures, costab_error *error) {
    costab_simulate_options options = {.until = wanted->horizon,
                                       .local = wanted->error && !wanted->exchanges,
                                       .monolithic = wanted->error,
                                       .energy_made = wanted->energy_made,
                                       .stop = wanted->stop,
                                       .stop_context = wanted->stop_context};
    costab_simulate_outcome outcome = {.diverged = false};
    measuring m = {measures, wanted->enough > 0 ? wanted->enough : (double)INFINITY};
    *measures = (costab_measures){.error = 0};
    costab_status status = wanted->energy_made ? check_meters(network, error) : COSTAB_OK;
    if (!status) status = history_start(h, network, coupling, &options, error);
    if (!status && wanted->error) status = check_reference(network, error);
    if (!status) status = history_continue(h, h->points, take, &m, &outcome, error);
    if (status == COSTAB_CANCELLED && measures->error > m.enough) status = COSTAB_OK;
    if (!wanted->error || status) measures->error = (double)NAN;
    if (!wanted->energy_residual || status) measures->energy_residual = (double)NAN;
    if (!wanted->energy_made || status) measures->energy_made = (double)NAN;
    if (status || !outcome.diverged) return status;
    if (wanted->error) measures->error = (double)INFINITY;
    if (wanted->energy_residual)
        measures->energy_residual = copysign((double)INFINITY, measures->energy_residual);
    if (wanted->energy_made) measures->energy_made = copysign((double)INFINITY, measures->energy_made);
    return COSTAB_OK;
}

costab_status costab_network_error(const costab_network *network, const costab_coupling *coupling,
                                   double horizon, double *error_found, costab_error *error) {
    ends_by(costab_network_simulator_destroy) costab_network_simulator *h = NULL;
    const costab_measure_options wanted = {.horizon = horizon, .error = true};
    costab_measures measures;
    *error_found = (double)NAN;
    TRY(costab_network_simulator_create(&h, error));
    TRY(costab_network_measure(h, network, coupling, &wanted, &measures, error));
    *error_found = measures.error;
    return COSTAB_OK;
}

/* ---- Signal by signal ----
 * A row for each state and output has the largest difference from the continuous solution over all micro
 * steps, with its time, and the largest value of that solution. Errors of the subsystem that diverges first
 * are infinite. */

/* States and outputs of subsystem s start at row first[s]. */
typedef struct gatherer {
    costab_signal_errors *errors;
    int *first;
    const costab_network *network;
} gatherer;

static costab_status make_rows(gatherer *g, costab_error *error) {
    const costab_network *network = g->network;
    costab_signal_errors *errors = g->errors;
    int count = 0;
    TRY(memory_make(&g->first, (size_t)network->subsystem_count + 1, error));
    for (int s = 0; s < network->subsystem_count; s++) {
        g->first[s] = count;
        count += network->subsystems[s].states + network->subsystems[s].outputs;
    }
    TRY(memory_make(&errors->rows, (size_t)count + 1, error));
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        for (int i = 0; i < of->states + of->outputs; i++, errors->count++) {
            costab_signal_error *row = &errors->rows[errors->count];
            bool state = i < of->states;
            row->signal = (costab_signal){s, state ? i : i - of->states,
                                          state ? COSTAB_SIGNAL_STATE : COSTAB_SIGNAL_OUTPUT};
        }
    }
    return COSTAB_OK;
}

/* Updates the errors by one row of the run. */
static bool take_row(void *context, const costab_row *row) {
    const gatherer *g = context;
    if (row->kind != COSTAB_SIGNAL_STATE && row->kind != COSTAB_SIGNAL_OUTPUT) return true;
    int at = g->first[row->subsystem] + row->index;
    if (row->kind == COSTAB_SIGNAL_OUTPUT) at += g->network->subsystems[row->subsystem].states;
    costab_signal_error *of = &g->errors->rows[at];
    double difference = fabs(row->value - row->monolithic);
    if (isnan(difference)) difference = (double)INFINITY;
    of->largest = fmax(of->largest, fabs(row->monolithic));
    if (!(difference > of->error)) return true;
    of->error = difference;
    of->t = row->t;
    return true;
}

/* Sets infinite errors after divergence, and the worst state. */
static void finish_rows(costab_signal_errors *errors) {
    errors->worst = -1;
    for (size_t i = 0; i < errors->count; i++) {
        costab_signal_error *row = &errors->rows[i];
        if (errors->outcome.diverged && row->signal.subsystem == errors->outcome.subsystem) {
            row->error = (double)INFINITY;
            row->t = errors->outcome.ended_at;
        }
        if (row->signal.kind == COSTAB_SIGNAL_STATE &&
            (errors->worst < 0 || row->error > errors->rows[errors->worst].error))
            errors->worst = (long)i;
    }
}

costab_status costab_network_signal_errors(const costab_network *network, const costab_coupling *coupling,
                                           const costab_simulate_options *options,
                                           costab_signal_errors *errors, costab_error *error) {
    gatherer g = {.errors = errors, .network = network};
    costab_simulate_options all = *options;
    all.local = all.monolithic = true;
    all.energy_made = false;
    all.points = 0;
    *errors = (costab_signal_errors){.worst = -1};
    costab_status status = costab_network_check(network, error);
    if (!status) status = check_reference(network, error);
    if (!status) status = make_rows(&g, error);
    if (!status)
        status = costab_network_simulate(network, coupling, &all, take_row, &g, &errors->outcome, error);
    if (!status) finish_rows(errors);
    memory_free(g.first);
    return status;
}

void costab_signal_errors_free(costab_signal_errors *errors) {
    memory_free(errors->rows);
    *errors = (costab_signal_errors){.worst = -1};
}
