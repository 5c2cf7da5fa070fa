/* balls.h - a network's map in balls against the one in doubles. */
#pragma once

#include "network_model.h"

enum { BALLS_MOST = 64 }; /* size of a map */

typedef struct balls_map {
    int size;
    const double *entries;
} balls_map;

/* Compares traces of powers of the two maps, to `bound` times what their roundings may be, and the width of
 * the balls. */
void balls_compare(const costab_network *network, const costab_coupling *coupling, const balls_map *map,
                   real bound, const char *where);

/* Sets equilibria aside in balls and compares traces of powers with and without them: each has the eigenvalue
 * 1. Returns their number. */
int balls_equilibria(const costab_network *network, const costab_coupling *coupling, const char *where);
