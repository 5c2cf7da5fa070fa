/* network/lane_points.h - points of a workspace's form that wait for the others of their lanes (batch.h). */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/eigen_lanes.h"

/* Points in lanes, and what is still to be found of them. */
typedef struct lane_points {
    int count;
    size_t tags[LANES];
    costab_network_point points[LANES]; /* all but what waits */
    const double *steps;                /* their macro steps */
    double *maps, *monos;
    bool map_waits[LANES], mono_waits[LANES]; /* the eigenvalues of a matrix are to be found */
} lane_points;

/* Points of the form at hand that wait for the others of their lanes; see batch.h. */
typedef struct network_batch {
    lane_points now, late; /* late: those that powers have not decided */
    double *own_steps, *late_steps;
    double *room, *spare;    /* spare: a copy of matrices, which is destroyed */
    eigen_lanes_found found; /* eigenvalues */
    eigen_lanes_components zeros, mono_zeros;
    costab_network_point share; /* of points with the last one's numbers: all but what their maps say */
    uint64_t shared;            /* of network_batch_group: the numbers that it is of; 0: not known */
    bool regular;               /* false: such points must be looked at alone */
    bool powers_fail;           /* they did not tell that continuous systems are stable, the last time */
    bool moved;                 /* the last point had other numbers than the one before */
    bool mapped;                /* maps are made in lanes, from: */
    uint64_t numbers;           /* of network_batch_add: what was compared last; 0: not known */
    bool bare; /* the last point was asked for its map's eigenvalues alone: `share` is older */
} network_batch;
