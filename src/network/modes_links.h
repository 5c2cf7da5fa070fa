/* network/modes_links.h - shares of connections in a mode: |g dl/dg| for each gain g, over the sum for all
 * connections. dl/dg = w* (dM/dg) v / (w* v), with the right and left eigenvectors v and w. */
#pragma once

#include "costab/modes.h"
#include "network/modes_vectors.h"

/* A matrix of a network: the map over a period, the matrix A_mono of the monolithic system, or the matrix of
 * an iteration to convergence (iterate.h). */
typedef struct modes_matrix {
    costab_network_work *work; /* prepared for the network, with its map or iteration matrix */
    by_connection *split; /* the network split by connections; modes_links changes and restores its gains */
    const costab_coupling *coupling;
    costab_modes_of kind;
    const modes_vectors *vectors; /* of the matrix */
} modes_matrix;

/* Computes links[m * connections + c] = |g w* (dM/dg) v| for eigenvalue chosen[m] and the gain g of
 * connection c, divided by the sum of row m. A row is zero if every change is within rounding. The workspace
 * must be prepared again for the network afterwards. */
costab_status modes_links(const modes_matrix *of, const int *chosen, int count, double *links,
                          costab_error *error);
