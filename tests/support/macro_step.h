/* macro_step.h - one macro step of a simulation from a given state. */
#pragma once

#include <string.h>

#include "network/simulator.h"
#include "support.h"

/* Takes macro step `index` from a map state in place, by the simulation's own micro steps. */
static inline costab_status macro_step(const costab_network *network, const costab_coupling *coupling,
                                       long index, double *state, costab_error *error) {
    simulator sim = {.index = 0};
    double next[400];
    costab_status status = simulator_make(&sim, network, coupling, NULL, (double)INFINITY, error);
    sim.index = index;
    if (!status) {
        assert_true(sim.work->size <= (int)(sizeof next / sizeof *next));
        status = simulator_step(&sim, state, next, error);
    }
    if (!status) memcpy(state, next, (size_t)sim.work->size * sizeof *state);
    simulator_free(&sim);
    return status;
}
