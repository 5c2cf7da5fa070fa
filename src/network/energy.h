/* network/energy.h - energy through the ports of power bonds in a macro step. */
#pragma once

#include "network/simulator.h"

/* One subsystem. */
typedef struct energy_port {
    bool bonded;      /* it belongs to a bond */
    bool metered;     /* its method has a quadrature */
    matrix_block one; /* for the method exact: a micro step of states and moments (energy.c) */
} energy_port;

typedef struct energy_meter {
    network_arena memory;
    energy_port *ports; /* per subsystem */
    /* Workspace, sized for the largest subsystem: */
    double *x;       /* states, followed by moments or the integrals of outputs */
    double *next;    /* states after a micro step; during preparation A and B of the extended system */
    double *u;       /* coefficients of the inputs in local time: MATRIX_POWERS of each */
    double *u_rates; /* coefficients of the inputs in seconds */
    double *space;   /* workspace of the micro step */
    int *iwork;
} energy_meter;

/* Prepares for a simulation after simulator_make. `meter` is zero at first use; later its memory is reused.
 * The owner frees meter->memory.base. COSTAB_MEMORY. */
costab_status energy_make(energy_meter *meter, const simulator *sim, costab_error *error);

/* Integrates u y over the step of connection c's target after the step of sim from `state`. u: the signal
 * delivered by c, y: the target's output `output`. [out] energy: 0 if the target takes no step, NaN if its
 * method has no quadrature. Errors as dynamics_step. */
costab_status energy_port_work(energy_meter *meter, const simulator *sim, const double *state, int c,
                               int output, double *energy, costab_error *error);
