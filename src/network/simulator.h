/* network/simulator.h - a simulation in progress: the macro step of step.c with micro steps of its own. */
#pragma once

#include "network/dynamics.h"
#include "network/reference.h"
#include "network/turns.h"

/* How one subsystem takes its micro steps. */
typedef struct simulator_subsystem {
    bool staged; /* stage by stage: nonlinear, or a source at an input */
    bool sourced;
    matrix_block one; /* else by the block of one micro step */
} simulator_subsystem;

/* The end of a micro step: states, inputs and outputs lie one after the other in the buffer's values. */
typedef struct simulator_sample {
    double t;
    int s;
    size_t at;
} simulator_sample;

typedef struct simulator_buffer {
    simulator_sample *samples;
    double *values;
    size_t count, capacity, used, room;
} simulator_buffer;

typedef struct simulator {
    network_arena memory;
    const costab_network *network;
    costab_coupling coupling;
    costab_network_work *work;
    network_hooks hooks;
    simulator_subsystem *subs;
    step_turns *turns; /* NULL: all macro steps are alike */
    int64_t index;     /* of the macro step at hand */
    double blow_up;    /* magnitude that ends the run */
    bool local;        /* record micro steps */
    bool whole;        /* else linear subsystems may take all of a macro step's at once */
    bool diverged;
    bool events;       /* there was one: the monolithic solution has another past */
    int who;           /* diverged */
    network_stop stop; /* set after simulator_make */
    double *inner;
    int *inner_int;
    double *line; /* per input of one subsystem: values and slopes */
    double *loop_inputs;
    double *rates, *still; /* of the states at the start; zeros for inputs or outputs */
    const double *loop_x, *loop_delayed;
    simulator_buffer buffer;
} simulator;

/* Prepares everything but an initial state. `sim` is all zero the first time; its memory is kept from one
 * time to the next, and freed by simulator_free. turns (NULL: all macro steps are the coupling's): borrowed.
 */
costab_status simulator_make(simulator *sim, const costab_network *network, const costab_coupling *coupling,
                             step_turns *turns, double blow_up, costab_error *error);
void simulator_free(simulator *sim);

/* The time of a point `fraction` macro steps after the begin of the macro step at hand. */
double simulator_time(const simulator *sim, double fraction);

/* The inputs' polynomials, given in powers of a subsystem's local time, in powers of time; `room`: for as
 * many numbers. */
dynamics_input simulator_in_time(const simulator *sim, const network_subsystem *sub,
                                 const double *const input[MATRIX_POWERS], double *room);

/* Macro step number sim->index: state to next. Where a state passes the limit, sim->diverged is set and the
 * status is COSTAB_CANCELLED; it is this status alone where the run is stopped. */
costab_status simulator_step(simulator *sim, const double *state, double *next, costab_error *error);

/* The map's state at the start: initial states, everything remembered as at t = 0 of the monolithic solution.
 */
costab_status simulator_initial(simulator *sim, const reference *ref, double *state, costab_error *error);
