/* network/dynamics.h - one subsystem in a simulation: its functions and its micro steps, linear or not. */
#ifndef NETWORK_DYNAMICS_H
#define NETWORK_DYNAMICS_H

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

/* dx = f(t, x, u), y = g(t, x, u). */
costab_status dynamics_slope(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                             double *dx, costab_error *error);
costab_status dynamics_output(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                              double *y, costab_error *error);

/* Workspace of a step. */
size_t dynamics_work(const costab_subsystem *subsystem);
size_t dynamics_iwork(const costab_subsystem *subsystem);

/* One Runge-Kutta step h from time t, x in place. COSTAB_NUMERIC where implicit stages are not found. */
costab_status dynamics_step(const costab_network *network, int s, double t, double h,
                            const dynamics_input *input, double *x, double *work, int *iwork,
                            costab_error *error);

#endif
