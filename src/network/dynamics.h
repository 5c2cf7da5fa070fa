/* network/dynamics.h - one subsystem in a simulation: its functions and its micro steps, linear or not. */
#pragma once

#include "costab/network.h"
#include "method/matrix.h"

/* An input that is a polynomial in time, sum rate[l] (t - t0)^l, plus the sources. */
typedef struct dynamics_input {
    double t0;
    int degree;
    const double *rate[MATRIX_POWERS];
} dynamics_input;

/* The same polynomial in powers of the time after t0 + dt: input i's coefficients into c. */
void dynamics_shift(const dynamics_input *input, int i, double dt, double c[MATRIX_POWERS]);

/* Adds what the sources give at time t to the inputs u of subsystem s. */
void dynamics_sources(const costab_network *network, int s, double t, double *u);
bool dynamics_has_sources(const costab_network *network, int s);
/* Adds the sources' slopes at time t, per second; `length` is a time in which they change little. */
void dynamics_source_slopes(const costab_network *network, int s, double t, double length, double *u_slope);

/* dx = f(t, x, u), y = g(t, x, u). */
costab_status dynamics_slope(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                             double *dx, costab_error *error);
costab_status dynamics_output(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                              double *y, costab_error *error);

/* The derivatives of f by the states and the inputs, where f is dx. `room` has place for a column of states.
 * x and u are in the end as they were. */
costab_status dynamics_derivatives(const costab_subsystem *subsystem, double t, double *x, double *u,
                                   const double *dx, double *A, double *B, double *room, costab_error *error);

/* Where a subsystem is, and how its inputs change there (u_slope, per second; NULL: not at all). */
typedef struct dynamics_point {
    const costab_subsystem *subsystem;
    double t, length; /* a time in which the solution changes little: a step of a difference of g */
    const double *x, *u, *u_slope;
} dynamics_point;

/* y' = dg/dx f + dg/du u' + dg/dt. `room`: dynamics_output_slope_work doubles. */
size_t dynamics_output_slope_work(const costab_subsystem *subsystem);
costab_status dynamics_output_slope(const dynamics_point *at, double *dy, double *room, costab_error *error);

/* The first equation of a macro step that had no finite value at finite arguments. */
typedef struct dynamics_fault {
    double most; /* arguments beyond this count as infinite: there the solution had diverged before */
    bool found;
    double t;
    char words[COSTAB_REASON_MAX]; /* which equation, when, and its arguments */
} dynamics_fault;

/* Notes a fault, if it is the first one: one of the `count` values of f (COSTAB_SIGNAL_STATE) or g (OUTPUT)
 * of subsystem s at t, x, u is not finite; or, where it is u that is not, the source of an input. */
void dynamics_look_for_fault(dynamics_fault *fault, const costab_network *network, int s,
                             costab_signal_kind kind, double t, const double *x, const double *u,
                             const double *values);

/* One micro step h from time t, of any method but exact. */
typedef struct dynamics_micro_step {
    const costab_network *network;
    int s;
    double t, h;
    const dynamics_input *input;
    bool integrals;        /* of the outputs, which follow the states */
    const double *factors; /* per stage, of the outputs before they are integrated; NULL: 1 */
    dynamics_fault *fault; /* NULL: none is looked for */
} dynamics_micro_step;

/* Workspace of a step. */
size_t dynamics_work(const costab_subsystem *subsystem);
size_t dynamics_iwork(const costab_subsystem *subsystem);

/* x in place: the states, then the integrals or what the method carries. COSTAB_NUMERIC where implicit stages
 * are not found, COSTAB_INVALID where a position's derivative is not its velocity. */
costab_status dynamics_step(const dynamics_micro_step *step, double *x, double *work, int *iwork,
                            costab_error *error);
