/* network/monolithic.h - the whole system as one: x' = A x with all loops of feedthrough solved. */
#pragma once

#include "network/loop.h"
#include "network/spectrum.h"

/* What is known of a monolithic matrix. */
typedef struct monolithic_found {
    spectrum_reach reach; /* of all its eigenvalues, equilibria included */
    double least, most;   /* smallest and largest modulus of an eigenvalue */
    double norm;          /* Frobenius */
    bool regular;         /* it is sure that there are no equilibria */
} monolithic_found;

typedef struct monolithic_room {
    bool known;       /* `matrix` is that of the numbers at hand, and `found` of it */
    bool units_known; /* and so are its units: neutral.c */
    monolithic_found found;
    double *matrix,    /* states^2 */
        *rows,         /* inputs x states: the inputs from the states */
        *rest;         /* room for twice as many */
    loop_factors loop; /* inputs: I - L D */
    double *gain;      /* inputs^2: L D */
    bool feedthrough;  /* `loop` holds factors of I - L D */
} monolithic_room;

/* Is a subsystem known by the map of its own steps only? Then the continuous system is not known. */
bool monolithic_unknown(const costab_network *network);

/* The monolithic matrix into work->mono.matrix. Leaves in work->mono.rows the inputs as they follow from the
 * states.
 */
costab_status monolithic_make(costab_network_work *work, costab_error *error);

/* b = (I - L D)^-1 b, inputs x columns, after monolithic_make where work->mono.feedthrough. */
void monolithic_solve(const costab_network_work *work, int columns, double *b);
