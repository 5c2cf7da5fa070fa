/* A run in one number: how far it is from the continuous system, and the energy that is lost between
 * its subsystems. */
#include <math.h>

#include "base/error.h"
#include "network/history.h"

static bool take(void *context, const costab_row *row) {
    costab_measures *measures = context;
    if (row->kind == COSTAB_SIGNAL_ENERGY) measures->energy_residual += row->value;
    if (row->kind != COSTAB_SIGNAL_STATE) return true;
    double difference = fabs(row->value - row->monolithic);
    if (isnan(difference)) difference = (double)INFINITY;
    measures->error = fmax(measures->error, difference);
    return true;
}

costab_status costab_network_measure(costab_network_simulator *h, const costab_network *network,
                                     const costab_coupling *coupling, const costab_measure_options *wanted,
                                     costab_measures *measures, costab_error *error) {
    costab_simulate_options options = {.until = wanted->horizon,
                                       .local = wanted->error,
                                       .monolithic = wanted->error,
                                       .stop = wanted->stop,
                                       .stop_context = wanted->stop_context};
    costab_simulate_outcome outcome;
    *measures = (costab_measures){.error = 0};
    costab_status status =
        costab_network_simulator_run(h, network, coupling, &options, take, measures, &outcome, error);
    if (!wanted->error || status) measures->error = (double)NAN;
    if (!wanted->energy_residual || status) measures->energy_residual = (double)NAN;
    if (status || !outcome.diverged) return status;
    if (wanted->error) measures->error = (double)INFINITY;
    if (wanted->energy_residual)
        measures->energy_residual = copysign((double)INFINITY, measures->energy_residual);
    return COSTAB_OK;
}

costab_status costab_network_error(const costab_network *network, const costab_coupling *coupling,
                                   double horizon, double *error_found, costab_error *error) {
    costab_network_simulator *h = NULL;
    costab_measure_options wanted = {.horizon = horizon, .error = true};
    costab_measures measures = {.error = 0};
    costab_status status = costab_network_simulator_create(&h, error);
    if (!status) status = costab_network_measure(h, network, coupling, &wanted, &measures, error);
    costab_network_simulator_destroy(&h);
    *error_found = measures.error;
    return status;
}
