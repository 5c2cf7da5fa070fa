/* network/modes_links.h - what a connection's gain does to the eigenvalues of a network's matrices.
 *
 * dl/dg = w* (dM/dg) v / (w* v). Only M v for a moved gain is asked for: a macro step of a few columns, not
 * of the unit states. */
#pragma once

#include "costab/modes.h"
#include "network/work.h"

/* A matrix of a network: the monolithic one, the map of a period, or the iteration's. */
typedef struct modes_asked {
    costab_network_work *work;
    const costab_network *network;
    const costab_coupling *coupling;
    costab_modes_of of;
} modes_asked;

/* Vectors of some eigenvalues side by side, n rows of `width` numbers: v and conj(w). A pair has a second
 * column, the imaginary parts. */
typedef struct modes_columns {
    int n, count, width;
    int *first; /* column of each eigenvalue */
    bool *pair;
    double *right, *left;
} modes_columns;

/* The iteration is to convergence, so that it has a matrix of its own. */
bool modes_converges(const costab_coupling *coupling);

/* links[i * connections + c] = |g w* (dM/dg) v| of eigenvalue i, over the sum of row i; rows of zeros where
 * no gain moves it. The vectors are those of the matrix that the workspace makes of the network, for which it
 * is ready afterwards. */
costab_status modes_links(const modes_asked *asked, const modes_columns *columns, double *links,
                          costab_error *error);
