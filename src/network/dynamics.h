/* network/dynamics.h - a linear or nonlinear subsystem in a simulation: its functions and micro steps. */
#pragma once

#include "costab/network.h"
#include "method/matrix.h"

/* An input polynomial in time, sum rate[l] (t - t0)^l. Sources are added separately. */
typedef struct dynamics_input {
    double t0;
    int degree;
    const double *rate[MATRIX_POWERS];
} dynamics_input;

/* Expands the polynomial of input i about t0 + dt. [out] c: coefficients. */
void dynamics_shift(const dynamics_input *input, int i, double dt, double c[MATRIX_POWERS]);

/* Adds the values of the sources at time t to the inputs u of subsystem s. */
void dynamics_sources(const costab_network *network, int s, double t, double *u);
bool dynamics_has_sources(const costab_network *network, int s);
/* Adds the slopes of the sources at time t, per second. length: a time in which they change little. */
void dynamics_source_slopes(const costab_network *network, int s, double t, double length, double *u_slope);

/* dx = f(t, x, u), y = g(t, x, u), of functions or matrices; a subsystem with a stepper has its outputs in x.
 * Errors come from the model's functions. */
costab_status dynamics_slope(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                             double *dx, costab_error *error);
costab_status dynamics_output(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                              double *y, costab_error *error);

/* Computes the derivatives of f by states and inputs; dx: value of f. [out] A: states x states, B: states x
 * inputs. space: `states` doubles. x and u are restored. */
costab_status dynamics_derivatives(const costab_subsystem *subsystem, double t, double *x, double *u,
                                   const double *dx, double *A, double *B, double *space,
                                   costab_error *error);

/* A point of a solution. u_slope: slopes of the inputs per second; NULL: 0. */
typedef struct dynamics_point {
    const costab_subsystem *subsystem;
    double t, length; /* a time in which the solution changes little: scale of the step of differences of g */
    const double *x, *u, *u_slope;
} dynamics_point;

/* y' = dg/dx f + dg/du u' + dg/dt. `space`: dynamics_output_slope_work doubles. */
size_t dynamics_output_slope_work(const costab_subsystem *subsystem);
costab_status dynamics_output_slope(const dynamics_point *at, double *dy, double *space, costab_error *error);

/* The first equation in a macro step whose value is not finite although its arguments are. */
typedef struct dynamics_fault {
    double most; /* larger arguments count as infinite: the solution had diverged before */
    bool found;
    double t;
    char words[COSTAB_REASON_MAX]; /* the equation, its time and its arguments */
} dynamics_fault;

/* Records a fault unless one is recorded: one of the values of f (COSTAB_SIGNAL_STATE) or g (OUTPUT) of
 * subsystem s at t, x, u is not finite, although x and u are. If a source of the subsystem is not finite, the
 * source is the fault. */
void dynamics_look_for_fault(dynamics_fault *fault, const costab_network *network, int s,
                             costab_signal_kind kind, double t, const double *x, const double *u,
                             const double *values);

/* One micro step h from time t, by any method with stages. */
typedef struct dynamics_micro_step {
    const costab_network *network;
    int s;
    double t, h;
    const dynamics_input *input;
    bool integrals;        /* integrate the outputs; the integrals follow the states */
    const double *factors; /* per stage: factor of the outputs under the integral; NULL: 1 */
    dynamics_fault *fault; /* NULL: faults are not recorded */
} dynamics_micro_step;

/* Sizes of the workspace of a step. */
size_t dynamics_work(const costab_subsystem *subsystem);
size_t dynamics_iwork(const costab_subsystem *subsystem);

/* Advances x in place: states, then integrals or the method's history. COSTAB_NUMERIC if implicit stages do
 * not converge, COSTAB_INVALID if a position's derivative is not its velocity. */
costab_status dynamics_step(const dynamics_micro_step *step, double *x, double *work, int *iwork,
                            costab_error *error);
