/* network/modes_links.h - sensitivity of a mode to the gains of connections:
 * dl/dg = w* (dM/dg) v / (w* v). */
#pragma once

#include "costab/modes.h"
#include "network/modes_vectors.h"

/* A matrix of a network: its map over a period, A_mono, or its iteration's J. */
typedef struct modes_matrix {
    costab_network_work *work; /* ready for the network, its map or J made last */
    by_connection *split;      /* the network; its gains are changed in turn */
    const costab_coupling *coupling;
    costab_modes_of kind;
    const modes_vectors *vectors; /* of the matrix */
} modes_matrix;

/* links[m * connections + c] = |g w* (dM/dg) v| of eigenvalue chosen[m] by the gain g of connection c, over
 * the sum of row m; rows of zeros if no gain moves the eigenvalue by more than rounding. Afterwards the
 * workspace is ready for other gains. */
costab_status modes_links(const modes_matrix *of, const int *chosen, int count, double *links,
                          costab_error *error);
