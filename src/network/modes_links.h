/* network/modes_links.h - what a connection's gain does to the eigenvalues of a network's matrices:
 * dl/dg = w* (dM/dg) v / (w* v). */
#pragma once

#include "costab/modes.h"
#include "network/work.h"

/* A matrix of a network: its map over a period, A_mono, or its iteration's J. */
typedef struct modes_matrix {
    costab_network_work *work; /* where it is made */
    const costab_network *network;
    const costab_coupling *coupling;
    costab_modes_of kind;
} modes_matrix;

/* Vectors of some eigenvalues side by side: matrices of n rows and `width` columns, row-major. Eigenvalue i
 * has the columns first[i] and, where it is one of a pair, first[i] + 1: real and imaginary parts. */
typedef struct modes_columns {
    int n, count, width; /* count: of eigenvalues */
    int *first;
    bool *pair;
    double *right, *left; /* v and conj(w) */
} modes_columns;

/* Does the coupling iterate to convergence, so that there is a matrix J? */
bool modes_converges(const costab_coupling *coupling);

/* links[i * connections + c] = |g w* (dM/dg) v| of eigenvalue i by the gain g of connection c, over the sum
 * of row i; rows of zeros where no gain moves it. The vectors are those of the matrix that the workspace
 * makes of the network, for which it is ready afterwards. */
costab_status modes_links(const modes_matrix *of, const modes_columns *columns, double *links,
                          costab_error *error);
