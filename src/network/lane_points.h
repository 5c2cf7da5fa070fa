/* network/lane_points.h - points of a workspace's form side by side in lanes, and what of them is still to be
 * found (batch.h, lanes_decide.h). */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/eigen_lanes.h"

/* Up to LANES points. Matrices and macro steps hold the lanes' numbers of each entry side by side. */
typedef struct lane_points {
    int count;
    size_t tags[LANES];                       /* the callers' names of the points */
    costab_network_point points[LANES];       /* what is known of each; the rest follows from what waits */
    const double *steps;                      /* macro steps: own_steps, or those of network_numbers */
    double *own_steps;                        /* one entry */
    double *maps, *monos;                     /* M, size^2 entries; A_mono, states^2 */
    bool map_waits[LANES], mono_waits[LANES]; /* that matrix's eigenvalues are to be found */
} lane_points;

/* Points that are computed in lanes, and what is known from point to point:
 *
 *   member          set                                              while it holds
 *   usable          when the workspace is laid out                   maps of its form are made in lanes
 *   last_network    by network_batch_add; 0 when a network is        the next point with this `numbers`
 * differs compared, or A_mono at hand is another point's   in macro step and coupling at most last_bare by
 * network_batch_add                             the last point was asked for eigenvalues of its map alone:
 * `common` is an older one's numbers_differ  by each point or group                           the last
 * point's numbers were not those of the one before: A_mono is left to lanes common          by the first
 * point with its numbers              points with the same numbers begin with it: all but what their maps
 * tell common_of       by network_batch_group; 0: not known             network_numbers.shared of `common`
 *   common_regular  with common_of; false: equilibria, or doubt      points of that group need no scalar code
 *   powers_fail     by powers that left most A_mono open; reset by   powers of A_mono are not tried
 *                   eigenvalues that found most of them stable
 */
typedef struct network_batch {
    lane_points current; /* points that are put in */
    lane_points open;    /* points that powers of their matrices have left open */
    bool usable, last_bare, numbers_differ, common_regular, powers_fail;
    uint64_t last_network, common_of;
    costab_network_point common;
    /* Room: */
    double *spare;           /* size^2 entries: a copy of matrices for code that destroys them */
    double *eigen_work;      /* eigen_lanes_work(size) */
    eigen_lanes_found found; /* eigenvalues of the matrices that were in `spare` */
    eigen_lanes_components map_components, mono_components;
} network_batch;
