/* network/simulator.h - a simulation in progress: macro steps of one state, with subsystems that need more
 * than linear algebra. */
#pragma once

#include "network/dynamics.h"
#include "network/reference.h"
#include "network/turns.h"

/* How one subsystem takes its micro steps. */
typedef struct simulator_subsystem {
    bool staged;      /* stage by stage (dynamics_step.c): nonlinear, or a source at an input */
    bool sourced;     /* a source at an input, and not staged: taken as linear over a micro step */
    matrix_block one; /* unless staged: the block of one micro step */
} simulator_subsystem;

/* The end of a recorded micro step: the subsystem's states, inputs and outputs begin at values[at] of the
 * buffer, one after the other. */
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
    costab_coupling coupling; /* with the macro step at hand */
    costab_network_work *work;
    network_hooks hooks; /* those of simulator.c */
    simulator_subsystem *subs;
    /* What simulator_make_map knows (`mapped`): the next states, the inputs at the steps' ends and the
     * outputs there, from the states. */
    network_product states, ends, outputs;
    bool mapped;
    step_turns *turns;        /* NULL: all macro steps are alike */
    int64_t index;            /* of the macro step at hand */
    double blow_up;           /* magnitude of a state that ends the run */
    bool records_micro_steps; /* into `buffer`; set after simulator_make */
    bool whole_steps;         /* else: linear subsystems may take all micro steps of a macro step at once */
    network_stop stop;        /* set after simulator_make */
    bool diverged;            /* a state has passed blow_up, */
    int diverged_subsystem;   /* one of this subsystem's */
    double diverged_at;       /* at this time */
    bool no_value;            /* as an equation has no finite value */
    char reason[COSTAB_REASON_MAX];
    dynamics_fault fault;                /* of the macro step at hand */
    bool had_event;                      /* in some model: the monolithic solution has another past */
    double *room;                        /* for micro steps and blocks */
    int *iwork;                          /* likewise */
    newton_space loop;                   /* of feedthrough at the start of a macro step */
    double *input_room;                  /* MATRIX_POWERS numbers for each input of the subsystem with most */
    double *initial_slopes;              /* x' at t = 0 */
    double *zeros;                       /* as many as there are inputs, or outputs */
    double *loop_inputs;                 /* of loop_residual: all inputs, */
    const double *loop_x, *loop_delayed; /* all states, and what inputs take from outside the loop */
    simulator_buffer buffer;
} simulator;

/* Prepares everything but an initial state. `sim` is all zero the first time; its memory is kept from one
 * time to the next, and freed by simulator_free. turns (NULL: all macro steps are the coupling's): borrowed.
 */
costab_status simulator_make(simulator *sim, const costab_network *network, const costab_coupling *coupling,
                             step_turns *turns, double blow_up, costab_error *error);
void simulator_free(simulator *sim);

/* Where all is linear and macro steps are alike, a step becomes a product with the map of unit states. It
 * tells neither of micro steps nor what was delivered. */
costab_status simulator_make_map(simulator *sim, costab_error *error);

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
