/* How far a run is from the continuous solution, signal by signal.
 *
 * 1. A row for each state and output.
 * 2. The run is simulated with all micro steps and the monolithic solution (history.h); of each row the
 *    largest difference is kept, when it was, and the largest value.
 * 3. Where the run diverges the errors of the subsystem that does are infinite. The worst state is found.
 *
 * Cost: that of the run. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/network.h"

/* States and outputs of subsystem s stand from first[s] on. */
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

/* Step 2 for one row of the run. */
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

/* Step 3. */
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
