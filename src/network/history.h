/* network/history.h - all that a run needs: the simulation and the monolithic solution beside it. */
#ifndef NETWORK_HISTORY_H
#define NETWORK_HISTORY_H

#include "network/simulator.h"

struct costab_network_simulator {
    simulator sim;
    reference ref;
    costab_network_work *mono; /* the reference's */
    const costab_simulate_options *options;
    costab_row_sink sink;
    void *context;
    network_arena memory;
    double *state, *next;
    network_arena bound_memory; /* bound.c's */
};

#endif
