/* network/simulator.h - a simulation: macro steps of one state, with nonlinear subsystems, sources and
 * FMUs. */
#pragma once

#include "network/dynamics.h"
#include "network/reference.h"
#include "network/turns.h"

/* Method of a subsystem's micro steps. */
typedef struct simulator_subsystem {
    bool staged;  /* stage by stage (dynamics_step.c): nonlinear, or with a source and a method with stages */
    bool sourced; /* an input has a source; unless staged, it is taken as linear during a micro step */
    matrix_block one; /* unless staged: the matrices of one micro step */
} simulator_subsystem;

/* End of a recorded micro step: states, inputs and outputs of the subsystem are in sequence from values[at]
 * of the buffer. */
typedef struct simulator_sample {
    double t;
    int subsystem;
    size_t at;
} simulator_sample;

typedef struct simulator_buffer {
    simulator_sample *samples;
    size_t count, capacity; /* of samples */
    double *values;
    size_t values_used, values_capacity;
} simulator_buffer;

typedef struct simulator {
    network_arena memory;
    const costab_network *network;
    costab_coupling coupling; /* with the current macro step */
    costab_network_work *work;
    network_hooks hooks; /* hooks of simulator.c */
    simulator_subsystem *subs;
    /* Of simulator_make_map (`mapped`): matrices from the state to the next state, to the inputs at the
     * steps' ends and to the outputs there, one after the other. */
    double *map;
    size_t map_capacity;
    bool mapped;
    step_turns *turns;        /* NULL: all macro steps have equal lengths */
    int64_t index;            /* of the current macro step */
    double blow_up;           /* magnitude of a state that ends the run */
    bool records_micro_steps; /* records to `buffer`; set after simulator_make */
    bool whole_steps;         /* linear subsystems may take all micro steps of a step at once; set after
                               * simulator_make */
    network_stop stop;        /* set after simulator_make */
    bool diverged;            /* a state has exceeded blow_up */
    int diverged_subsystem;   /* subsystem of this state */
    double diverged_at;       /* time of this event */
    bool no_value;            /* an equation has no finite value */
    char reason[COSTAB_REASON_MAX];
    dynamics_fault fault;                /* of the current macro step */
    bool had_event;                      /* a model had an event, so the monolithic solution no longer
                                          * applies */
    double *space;                       /* workspace of micro steps and blocks */
    int *iwork;                          /* workspace of micro steps and blocks */
    newton_space loop;                   /* feedthrough loop at the start of a macro step */
    double *input_space;                 /* MATRIX_POWERS numbers for each input of the largest subsystem */
    double *initial_slopes;              /* x' at t = 0 */
    double *zeros;                       /* size of the inputs or outputs, whichever is larger */
    double *loop_inputs;                 /* loop_residual: all inputs */
    const double *loop_x, *loop_delayed; /* loop_residual: all states, and inputs from outside the loop */
    simulator_buffer buffer;
} simulator;

/* Prepares a simulation except for its initial state. `sim` is zero at first use; later its memory is reused;
 * simulator_free frees it. The network is borrowed. turns: borrowed; NULL: all macro steps have the
 * coupling's length. COSTAB_INVALID for real powers of micro steps; otherwise errors as work_prepare. */
costab_status simulator_make(simulator *sim, const costab_network *network, const costab_coupling *coupling,
                             step_turns *turns, double blow_up, costab_error *error);
void simulator_free(simulator *sim);

/* Prepares macro steps as products with the map, if it is small, the network linear and macro steps equal.
 * Such steps record neither micro steps nor delivered signals. */
costab_status simulator_make_map(simulator *sim, costab_error *error);

/* Time of a point `fraction` macro steps after the start of the current macro step. */
double simulator_time(const simulator *sim, double fraction);

/* Converts the inputs' polynomials from powers of a subsystem's local time to powers of time. space: space
 * for as many numbers. */
dynamics_input simulator_in_time(const simulator *sim, const network_subsystem *sub,
                                 const double *const input[MATRIX_POWERS], double *space);

/* Computes the inputs of a micro step of subsystem s from time t in powers of its local time since then.
 * input: in powers of time. Sources are added; they count as linear during the step. [out] c: MATRIX_POWERS
 * times the inputs, one power after the other. */
void simulator_micro_inputs(const simulator *sim, int s, double t, const dynamics_input *input, double *c);

/* Takes macro step sim->index from state to next. COSTAB_CANCELLED with sim->diverged if a state exceeds the
 * limit; COSTAB_CANCELLED alone if the run is stopped. COSTAB_NUMERIC if an iteration, a feedthrough loop or
 * an implicit stage has no solution; errors of the model's functions. */
costab_status simulator_step(simulator *sim, const double *state, double *next, costab_error *error);

/* Computes the map's state at the start: initial states, and history values as at t = 0 of the monolithic
 * solution. */
costab_status simulator_initial(simulator *sim, const reference *ref, double *state, costab_error *error);
