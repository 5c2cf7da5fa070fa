/* network/structure.h - the equilibrium equations of a network, their null space, and rigid motions.
 *
 * The equations in z = (x, u, y) of all subsystems, M z = 0, with the gains L of the connections:
 *
 *       A x + B u = 0,   C x + D u - y = 0,   L y - u = 0.
 *
 * For maps of steps and samples A - I takes the place of A. Entries of M are the model's own numbers.
 * Feedthrough loops are not inverted, because that would amplify rounding (det M = +-det(I - L D) det
 * A_mono). An equilibrium is a null vector z. A rigid motion z1 + t z solves the differential equations: M z1
 * = E z with E = 1 for states and 0 for other unknowns. */
#pragma once

#include "costab/network.h"
#include "network/arena.h"

typedef struct structure_space {
    int n, states, inputs, outputs; /* n: unknowns, the sum of the others */
    int equilibria, motions;        /* numbers found */
    double *matrix;                 /* n^2, row-major: R M C */
    double *row_unit, *column_unit; /* n: scalings R and C, powers of 2 */
    double *trusted;                /* n: relative error of the entries of each row */
    double slack;                   /* norm of an error of M that covers the errors of computed vectors */
    double *right, *left;           /* n^2: null vectors in sequence, directions of motions first */
    double *starts, *left_starts;   /* n^2: y of M y = E v, and its counterpart for the transpose */
    double *products, *bounds;      /* n^2: products of left and right vectors, and their error bounds */
    double *bordered;               /* 4 n^2 */
    double *work, *rest;            /* workspace of LAPACK; 2 n^2 */
    int work_size, *iwork;
    double *units; /* n; then workspace of units.h: */
    double *units_space;
    int *units_ispace;
} structure_space;

/* Lays out the workspace for a network with these numbers of states, inputs and outputs. */
void structure_lay(structure_space *space, int states, int inputs, int outputs, network_arena *arena);

/* Computes space->matrix with its scalings, and space->trusted. Returns false if a number is not finite. */
bool structure_fill(structure_space *space, const costab_network *network);

/* Like structure_fill, then finds space->equilibria, space->motions and their vectors. Returns false also if
 * LAPACK fails. */
bool structure_decompose(structure_space *space, const costab_network *network);

/* [out] z: n numbers of null vector c; start: if not NULL, z1 of the motion in its direction. */
void structure_vector(const structure_space *space, int c, double *z, double *start);
