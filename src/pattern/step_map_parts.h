/* pattern/step_map_parts.h - the internal structure of step_map.h. */
#pragma once

#include "network/by_connection.h"
#include "network/work.h"
#include "pattern/step_map.h"

struct step_map {
    const costab_network *network;
    costab_coupling coupling;
    by_connection *split; /* NULL: every polynomial has a single node */
    costab_network_work *work;
    network_past past;
    int lengths;     /* previous steps with an effect on a map, without delays in seconds */
    int whole, size; /* rows of the full and of the reduced map */
    int *read;       /* states with an effect on others; `kept` of them */
    int kept, neutral;
    bool exact, plain; /* plain: history values are stored untransformed */
    double *basis;     /* kept x size, orthonormal complement of removed directions; NULL: none removed */
    double *room;      /* four matrices whole x whole */
};

/* Computes the full map in the new coordinates, whole x whole; infinite if the iteration diverges. map NULL:
 * only sets the size. steps: its own length, then previous ones; earlier steps are as long as the last one
 * given. */
costab_status step_map_whole(step_map *m, const double *steps, int count, double *map, costab_error *error);

/* Reduces a full map by removing states without effect and fixed directions. `room`: two matrices. */
void step_map_reduce(const step_map *m, const double *whole, double *out, double *room);
