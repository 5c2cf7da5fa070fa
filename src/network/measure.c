/* A run in a few numbers: the largest difference of a state from the continuous solution, and the residual
 * energy and the energy made at power bonds. The run is simulated (history.h), and the numbers are taken from
 * its rows; with those of micro steps, unless communication points alone are asked for. A run whose error
 * passes what is enough ends there.
 *
 * Cost: that of the run. Not guaranteed: differences between the points that are compared. */
#include <math.h>

#include "base/error.h"
#include "network/history.h"

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

/* Whether the methods at all bonds have a quadrature of their own. */
static costab_status check_meters(const costab_network *network, costab_error *error) {
    for (int b = 0; b < network->bond_count; b++)
        for (int side = 0; side < 2; side++) {
            int s = side == 0 ? network->bonds[b].subsystem1 : network->bonds[b].subsystem2;
            const costab_method *method = &network->subsystems[s].method;
            if (method->kind == COSTAB_EXACT || method->kind == COSTAB_RUNGE_KUTTA) continue;
            return error_invalid(error,
                                 "spurious_energy: subsystem '%s': %s has no quadrature of its own; "
                                 "take exact or a Runge-Kutta method",
                                 network->subsystems[s].name, method->name);
        }
    return COSTAB_OK;
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
