/* network/history_map.h - a long linear run by its map.
 *
 * Where all subsystems are linear, nothing comes from outside and every macro step is like the first, the
 * states at its end, the inputs that the subsystems ended with and their outputs are linear in the map's
 * state: one product instead of all micro steps. The numbers differ from those of the micro steps by
 * rounding. */
#ifndef NETWORK_HISTORY_MAP_H
#define NETWORK_HISTORY_MAP_H

#include "network/simulator.h"

/* Rows of the next state, of the inputs at the local ends and of the outputs there: those of a matrix, or
 * where most of its entries are 0 the others alone. */
typedef struct history_map {
    bool known;
    int rows, size;
    double *dense; /* rows x size, or NULL */
    int *starts, *columns;
    double *factors; /* of the entries that are not 0, row by row */
    double *made;    /* a step's rows */
    double most;     /* states beyond it are left to the micro steps, which tell who diverges */
} history_map;

/* Makes the map for a run of so many communication points where it has one and is worth it; map->known. `map`
 * is all zero the first time. */
costab_status history_map_make(history_map *map, simulator *sim, int64_t points, costab_error *error);

/* The macro step from `state` to `next`, with the inputs and outputs in the workspace. False, and nothing is
 * said, where the micro steps have to be taken. */
bool history_map_step(const history_map *map, const simulator *sim, const double *state, double *next);

void history_map_free(history_map *map);

#endif
