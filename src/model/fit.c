/* Checks a coupling against the numbers of an instance, with positions in the file:
 * 1. Every subsystem has an integer number of micro steps, or a ratio permitted by the coupling
 *    (network/clock.h).
 * 2. The coupling's options are consistent, also with the network.
 * 3. Feedthrough loops are solvable: I - L D is regular, for up to LOOP_MAX inputs; with solved feedthrough
 *    also without the delayed connections.
 * Cost: n^3 / 3 for a loop of n inputs. */
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"
#include "network/clock.h"
#include "network/loop.h"

/* Larger loops are left to the analysis. */
#define LOOP_MAX 1000

static costab_status check_loop(const costab_network *network, bool undelayed, bool *singular,
                                costab_error *error) {
    int n = 0;
    *singular = false;
    for (int s = 0; s < network->subsystem_count; s++) n += network->subsystems[s].inputs;
    if (n == 0 || n > LOOP_MAX) return COSTAB_OK;
    const size_t count = (size_t)n;
    memory_local_array(double, loop, count *count, error);
    memory_local_array(double, work, 4 * count, error);
    memory_local_array(int, iwork, 2 * count, error);
    const loop_space space = {.work = work, .iwork = iwork};
    if (!loop_gain(network, n, undelayed, loop)) return COSTAB_OK;
    for (int e = 0; e < n * n; e++) loop[e] = (e % (n + 1) == 0) - loop[e];
    *singular = !loop_regular(n, loop, &space);
    return COSTAB_OK;
}

/* Returns COSTAB_INVALID: an error of the coupling of this name. place: NULL if it is not in the file. */
static costab_status refuse(const model_place *place, const char *name, const char *reason,
                            costab_error *error) {
    char shown[SPEC_PLACE_MAX];
    if (place == NULL) return error_invalid(error, "coupling '%.200s': %s", name, reason);
    return error_invalid(error, "%s: error: coupling '%.200s': %s",
                         spec_show_place(place->path, place->line, place->column, shown), name, reason);
}

/* Like refuse() for an error of the connections. */
static costab_status refuse_loop(const model_place *place, costab_error *error) {
    char shown[SPEC_PLACE_MAX];
    return error_invalid(error,
                         "%s: error: connections: I - L D is singular: a loop of subsystems with feedthrough "
                         "has no solution; change a gain or an entry of D in it",
                         spec_show_place(place->path, place->line, place->column, shown));
}

static costab_status check_clocks(const costab_model_instance *instance, const char *name,
                                  const costab_coupling *coupling, costab_error *error) {
    const costab_network *network = &instance->network;
    for (int s = 0; s < network->subsystem_count && coupling->macro_step > 0; s++) {
        network_clock clock;
        costab_error why;
        if (clock_make(network, coupling, s, &clock, &why) == COSTAB_OK) continue;
        return refuse(&instance->model->body->subsystems[s].step_place, name, why.message, error);
    }
    return COSTAB_OK;
}

costab_status model_check_coupling(const costab_model_instance *instance, const char *name, int own,
                                   const costab_coupling *coupling, costab_error *error) {
    const costab_network *network = &instance->network;
    const model_body *body = instance->model->body;
    const model_place *place = own >= 0 ? &body->couplings[own].place : NULL;
    costab_error why;
    bool singular;
    TRY(check_clocks(instance, name, coupling, error));
    if (costab_coupling_check(network, coupling, &why) != COSTAB_OK)
        return refuse(place, name, why.message, error);
    TRY(check_loop(network, false, &singular, error));
    if (singular) return refuse_loop(&body->connections_place, error);
    if (coupling->feedthrough == COSTAB_SOLVED) TRY(check_loop(network, true, &singular, error));
    if (!singular) return COSTAB_OK;
    return refuse(place != NULL ? place : &body->connections_place, name,
                  "feedthrough: solved has no solution: I - D L of the connections without delay is singular",
                  error);
}
