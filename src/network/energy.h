/* network/energy.h - the energy that goes through the ports of power bonds inside a macro step. */
#pragma once

#include "network/simulator.h"

/* One subsystem. */
typedef struct energy_port {
    bool bonded;      /* it is at a bond */
    bool metered;     /* its method has a quadrature of its own */
    matrix_block one; /* of the method exact: a micro step of the states and their moments (energy.c) */
} energy_port;

typedef struct energy_meter {
    network_arena memory;
    costab_method exact;
    energy_port *ports; /* per subsystem */
    /* Room for the subsystem with most: */
    double *x;       /* its states, with moments or the outputs' integrals behind them */
    double *next;    /* the same after a micro step; at first the extended system's A and B */
    double *u;       /* inputs in powers of local time: MATRIX_POWERS of each */
    double *u_rates; /* inputs in powers of seconds, likewise */
    double *room;    /* of the micro step */
    int *iwork;
} energy_meter;

/* Prepares for a simulation that simulator_make has prepared. `meter` is all zero the first time, or has only
 * memory, which is kept and freed by the owner. */
costab_status energy_make(energy_meter *meter, const simulator *sim, costab_error *error);

/* After the step of sim from `state`: the integral over the steps of its target's own of u y, u what
 * connection c delivers and y the target's output `output`. 0 where the target takes no step, NaN where its
 * method has no quadrature of its own. */
costab_status energy_port_work(energy_meter *meter, const simulator *sim, const double *state, int c,
                               int output, double *energy, costab_error *error);
