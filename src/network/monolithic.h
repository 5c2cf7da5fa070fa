/* network/monolithic.h - the whole system as one: x' = A x with all loops of feedthrough solved. */
#pragma once

#include "network/loop.h"
#include "network/spectrum.h"

/* What is known of a monolithic matrix. */
typedef struct monolithic_found {
    spectrum_reach reach; /* of all its eigenvalues, equilibria included */
    double least, most;   /* smallest and largest modulus of an eigenvalue */
    double norm;          /* Frobenius */
    bool regular;         /* no structural modes are to be removed */
    bool inexact;         /* entries may be off by much more than their own rounding: */
    double noise;         /* the norm of their errors, balanced as `balanced`; 0: not inexact */
} monolithic_found;

typedef struct monolithic_room {
    bool known;       /* `matrix` is that of the numbers at hand, and `found` of it */
    bool units_known; /* and so are its units and vectors: neutral.c */
    monolithic_found found;
    double *matrix,    /* states^2 */
        *rows,         /* inputs x states: the inputs from the states */
        *rest;         /* room for twice as many */
    loop_factors loop; /* inputs: I - L D */
    double *gain;      /* inputs^2: L D */
    bool feedthrough;  /* `loop` holds factors of I - L D */
    double *inverse;   /* inputs^2: (I - L D)^-1 */
    double *errors;    /* states^2: bounds of the errors of the entries of `matrix`, if it is inexact */
    double *balanced;  /* states^2: D A_mono D^-1, likewise */
    double *scale;     /* 3 states: D, the largest entries of rows and columns */
} monolithic_room;

/* Is a subsystem known by the map of its own steps only? Then the continuous system is not known. */
bool monolithic_unknown(const costab_network *network);

/* The monolithic matrix into work->mono.matrix. Leaves in work->mono.rows the inputs as they follow from the
 * states.
 */
costab_status monolithic_make(costab_network_work *work, costab_error *error);

/* The moduli of an entry's terms may be so many times as large as the entry, or as the balanced matrix in its
 * row and column, before the entry counts as inexact. */
#define MONOLITHIC_CANCELLED 16

/* With the sums of the moduli of the terms of each entry of A_mono: whether an entry is inexact. Leaves in
 * work->mono.balanced and scale the balanced matrix, if one is. */
bool monolithic_inexact(costab_network_work *work, const double *matrix, const double *moduli);

/* After monolithic_make, with the network's numbers at hand: work->mono.errors, how far errors of the model's
 * numbers (16 epsilon of each, and its subsystem's doubt) and rounding may have moved each entry. Returns
 * whether an entry is inexact: sums cancel, or a loop of feedthrough is nearly singular. */
bool monolithic_errors(costab_network_work *work);

/* b = (I - L D)^-1 b, inputs x columns, after monolithic_make where work->mono.feedthrough. */
void monolithic_solve(const costab_network_work *work, int columns, double *b);
