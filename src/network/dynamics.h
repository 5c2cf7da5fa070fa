/* network/dynamics.h - one subsystem in a simulation: its functions and its micro steps, linear or not. */
#ifndef NETWORK_DYNAMICS_H
#define NETWORK_DYNAMICS_H

#include "costab/network.h"

/* An input that is linear in time from u0 at t0, by `slope` a unit of time, plus the sources. */
typedef struct dynamics_input {
    double t0;
    const double *u0, *slope;
} dynamics_input;

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
