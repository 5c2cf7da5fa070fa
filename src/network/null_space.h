/* network/null_space.h - the null space of the monolithic matrix A + B W, and the motions that begin there.
 *
 * Each number of the model is trusted to some epsilon and its subsystem's doubt, so each entry of the matrix
 * is known to an error of its own, E: that of the moduli |A| + |B| |T| (|L| |C| + (1 + |L D|) |W|), T = (1 -
 * L D)^-1. Eigenvalues count as 0 where W' A_mono X, of left and right vectors that are 0 elsewhere, is
 * within |W|' E |X|: then some numbers within rounding of the model's have as many equilibria. In a stiff
 * model a slow eigenvalue may be very small beside the matrix, and yet known not to be 0. A motion x1 with
 * A_mono x1 = x, x of the null space, counts likewise, where W' x is 0 to what rounding makes of it. */
#pragma once

#include "method/elimination.h"
#include "network/work.h"

typedef struct null_space_room {
    int n;
    double *matrix, *errors; /* n^2: A_mono in the units asked for, E */
    elimination parts;       /* n^2 twice, n; ints: n twice */
    double *x, *w, *z, *y;   /* n^2: vectors, one behind the other; A_mono z = x, y' A_mono = w' */
    double *rest, *change;   /* n */
    double *moduli, *solved; /* inputs x n: of the inputs, before and after their loop is solved */
    double *inverse;         /* inputs^2: T */
} null_space_room;

void null_space_lay(null_space_room *room, const costab_network_work *work, network_arena *arena);

/* Once work->mono.matrix is made. units: of the states, powers of 2. [out] vectors: in these units, n numbers
 * each: the null space, orthonormal, the last *motions of them at the beginning of a motion, then these
 * motions, in the same order; in all at most n. Returns the null space's dimension. */
int null_space_find(const costab_network_work *work, const double *units, null_space_room *room,
                    double *vectors, int *motions);
