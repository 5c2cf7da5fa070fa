/* network/null_space.h - the null space of the monolithic matrix A_mono, and its rigid motions.
 *
 * A_mono = A + B K, where the inputs u = K x of the states x solve (I - L D) K = L C; L: the gains of the
 * connections. Each number of the model is trusted to some epsilon and its subsystem's doubt. So each entry
 * of A_mono has an error bound of its own, E: these epsilons times the moduli
 *
 *     |A| + |B| |T| (|L| |C| + (I + |L D|) |K|), T = (I - L D)^-1.
 *
 * X and W are the right and the left null vectors that the elimination of A_mono finds
 * (method/elimination.h). They count as null vectors where W' A_mono X is within |W|' E |X|: some model whose
 * numbers differ from the given ones by rounding then has as many equilibria. A slow eigenvalue of a stiff
 * model may be tiny beside the matrix; where it is beyond this bound it is known not to be 0.
 *
 * A rigid motion is a generalised null vector x1 of the second order: A_mono x1 = x, A_mono x = 0, so that
 * x1 + t x solves the system: a free mass drifts so. It counts where W' x, which has to be 0 for an x1 to
 * exist, is 0 within its rounding. */
#pragma once

#include "method/elimination.h"
#include "network/work.h"

typedef struct null_space_room {
    int n;
    double *matrix, *errors; /* n^2: A_mono in the units asked for, E */
    elimination parts;       /* n^2 twice, n; ints: n twice */
    double *x, *w, *z, *y;   /* n^2: vectors, one behind the other; A_mono z = x, y' A_mono = w' */
    double *rest, *change;   /* n: a residual, and the correction that it asks for */
    double *moduli, *solved; /* inputs x n: moduli of the inputs, without |T| and with it */
    double *inverse;         /* inputs^2: T */
} null_space_room;

void null_space_lay(null_space_room *room, const costab_network_work *work, network_arena *arena);

/* Once work->mono.matrix is made. units: of the states, powers of 2. Returns the null space's dimension.
 * [out] vectors: at most n, of n numbers each, in these units. First an orthonormal basis of the null space;
 * its last *motions vectors are the x of rigid motions. Then their x1 in the same order, orthogonal to the
 * null space, not of length 1. */
int null_space_find(const costab_network_work *work, const double *units, null_space_room *room,
                    double *vectors, int *motions);
