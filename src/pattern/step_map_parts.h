/* pattern/step_map_parts.h - the structure behind step_map.h, for the files that make it. */
#pragma once

#include "network/by_connection.h"
#include "network/work.h"
#include "pattern/step_map.h"

struct step_map {
    const costab_network *network;
    costab_coupling coupling;
    by_connection *split; /* NULL: no polynomial has more than one node */
    costab_network_work *work;
    network_past past;
    int lengths;     /* of steps before its own that a map depends on, but for delays in seconds */
    int whole, size; /* of the map, and of what remains of it */
    int *read;       /* the map's states that others read; `kept` of them */
    int kept, neutral;
    bool exact, plain; /* plain: former values are kept as they are, in no other coordinates */
    double *basis; /* kept x size, orthonormal: what is orthogonal to removed directions; NULL: all is kept */
    double *room;  /* four matrices whole x whole */
};

/* The map in the new coordinates before anything is removed, whole x whole; infinite where the iteration
 * diverges. NULL: its size alone is set. steps: its own, then those before, as far as they are given; earlier
 * ones are as long as the last of these. */
costab_status step_map_whole(step_map *m, const double *steps, int count, double *map, costab_error *error);

/* What remains of a whole map where unread states and neutral directions are removed. `room`: two matrices.
 */
void step_map_reduce(const step_map *m, const double *whole, double *out, double *room);
