/* network/structure.h - the equations of a network at rest, their null space, and rigid motions.
 *
 * The equations in z = (x, u, y) of all subsystems, M z = 0:
 *
 *     A x + B u = 0,   C x + D u - y = 0,   L y - u = 0,   L: the gains of the connections.
 *
 * Entries of M are the model's own numbers: loops of feedthrough are not inverted, whose solution would
 * amplify rounding (det M = +-det(I - L D) det A_mono). An equilibrium is a null vector z. A rigid motion
 * z1 + t z solves the differential equations: M z1 = E z, E = 1 for states, else 0. */
#pragma once

#include "costab/network.h"
#include "network/arena.h"

typedef struct structure_room {
    int n, states, inputs, outputs; /* n: unknowns, the sum of the others */
    int equilibria, motions;        /* found */
    double *matrix;                 /* n^2, row-major: R M C */
    double *row_unit, *column_unit; /* n: R and C, powers of 2 */
    double *trusted;                /* n: relative error of the entries of each row */
    double slack;                   /* norm of an error of M that stands for those of computed vectors */
    double *right, *left;           /* n^2: null vectors, one after the other: directions of motions first */
    double *starts, *left_starts;   /* n^2: the y of M y = E v, and the same of the transpose */
    double *products, *bounds;      /* n^2: of left and right vectors */
    double *bordered;               /* 4 n^2 */
    double *work, *rest;            /* room of LAPACK; 2 n^2 */
    int work_size, *iwork;
    double *units; /* n, and room of units.h: */
    double *units_room;
    int *units_iroom;
} structure_room;

/* Room for a network with so many states, inputs and outputs. */
void structure_lay(structure_room *room, int states, int inputs, int outputs, network_arena *arena);

/* room->matrix, with all units, and room->trusted. False if a number is not finite. */
bool structure_fill(structure_room *room, const costab_network *network);

/* The same with room->equilibria, room->motions and their vectors. Also false if LAPACK gives up. */
bool structure_decompose(structure_room *room, const costab_network *network);

/* [out] z: n numbers of the null vector c; start: if not NULL, the z1 of the motion in its direction. */
void structure_vector(const structure_room *room, int c, double *z, double *start);
