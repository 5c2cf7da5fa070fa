/* network/history.h - a simulated run that may be interrupted: the co-simulation, the monolithic reference,
 * and the rows passed to a sink. */
#pragma once

#include "base/text.h"
#include "network/energy.h"
#include "network/simulator.h"

struct costab_network_simulator {
    simulator sim;
    step_turns turns;                    /* macro steps of unequal lengths; count 0: all lengths are equal */
    reference reference;                 /* the monolithic solution */
    costab_network_work *reference_work; /* its matrices */
    bool has_reference;                  /* the reference follows the run; otherwise it remains at t = 0 */
    costab_simulate_options options;
    costab_row_sink sink; /* receives the rows of the present part */
    void *context;        /* the sink's */
    network_arena memory;
    double *state, *next;  /* work->size: the map's state at the start and at the end of a macro step */
    int64_t points, done;  /* communication points of the run, including t = 0; number already passed on */
    int64_t common_stride; /* macro steps between points at which all subsystems communicate */
    energy_meter meter;    /* power bonds, if options.energy_made */
    network_arena bound_memory; /* memory of bound.c */
};

/* Counts the macro steps that end by `until`, and (unless `micro` is NULL) each subsystem's micro steps.
 * turns: NULL if all macro steps have equal lengths. COSTAB_INVALID if a double cannot represent the
 * counts. */
costab_status history_count(const costab_network *network, const costab_coupling *coupling,
                            const step_turns *turns, double until, int64_t *macro_steps, int64_t *micro,
                            costab_error *error);

/* Prepares a run. The network, the coupling's order and options->steps are borrowed until its end. Errors as
 * costab_network_simulate. */
costab_status history_start(costab_network_simulator *h, const costab_network *network,
                            const costab_coupling *coupling, const costab_simulate_options *options,
                            costab_error *error);

/* Passes on the rows of the communication points from h->done to `last` - 1 (index 0 is t = 0), and of the
 * micro steps up to the last point. Rows do not depend on how a run is divided into calls. */
costab_status history_continue(costab_network_simulator *h, int64_t last, costab_row_sink sink, void *context,
                               costab_simulate_outcome *outcome, costab_error *error);

/* Saves and restores the state of a run without rows at micro steps, between two calls of history_continue.
 * The restored run must have been started alike; its rows are equal to the last bit. history_save sets
 * to->failed if memory is out. history_restore: COSTAB_INVALID for bytes of another run. */
void history_save(costab_network_simulator *h, text *to);
costab_status history_restore(costab_network_simulator *h, const void *bytes, size_t size,
                              costab_error *error);
