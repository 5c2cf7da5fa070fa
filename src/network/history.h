/* network/history.h - a simulated run in pieces: the co-simulation, the monolithic solution beside it, and
 * the rows that are handed over. */
#pragma once

#include "base/text.h"
#include "network/energy.h"
#include "network/simulator.h"

struct costab_network_simulator {
    simulator sim;
    step_turns turns;                    /* of macro steps of unlike lengths; count 0: all are alike */
    reference reference;                 /* the monolithic solution, */
    costab_network_work *reference_work; /* its matrices, */
    bool has_reference;                  /* and whether it is followed; else it stays at t = 0 */
    costab_simulate_options options;
    costab_row_sink sink; /* gets the rows of the piece at hand */
    void *context;        /* the sink's */
    network_arena memory;
    double *state, *next;  /* work->size: the map's state at the begin and the end of a macro step */
    int64_t points, done;  /* communication points of the run, t = 0 among them; those handed over */
    int64_t common_stride; /* macro steps from one point at which all subsystems communicate to the next */
    energy_meter meter;    /* of bonds, where options.energy_made */
    network_arena bound_memory; /* bound.c's */
};

/* The macro steps of a run up to `until`, and (unless `micro` is NULL) the micro steps that each subsystem
 * takes in them. turns: NULL where all are alike. COSTAB_INVALID where there are more than a double counts.
 */
costab_status history_count(const costab_network *network, const costab_coupling *coupling,
                            const step_turns *turns, double until, int64_t *macro_steps, int64_t *micro,
                            costab_error *error);

/* Prepares a run in pieces; the network is borrowed until it is over. */
costab_status history_start(costab_network_simulator *h, const costab_network *network,
                            const costab_coupling *coupling, const costab_simulate_options *options,
                            costab_error *error);

/* Hands over the rows of the communication points from h->done to `last` - 1 (the first is that of t = 0),
 * and of the micro steps up to there. Whether the pieces are few or many, the rows are the same. */
costab_status history_continue(costab_network_simulator *h, int64_t last, costab_row_sink sink, void *context,
                               costab_simulate_outcome *outcome, costab_error *error);

/* Where a run without rows at micro steps stands, between two pieces, and back to it in a run that was
 * started alike: what is handed over then is the same, bit for bit. COSTAB_INVALID for bytes of another run.
 */
void history_save(costab_network_simulator *h, text *to);
costab_status history_restore(costab_network_simulator *h, const void *bytes, size_t size,
                              costab_error *error);
