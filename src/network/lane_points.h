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

/* Points that are computed in lanes, and what is known from point to point: of each such member who sets it,
 * and what holds while it is set. */
typedef struct network_batch {
    lane_points current; /* points that are put in */
    lane_points open;    /* points that powers of their matrices have left open */

    /* Set when the workspace is laid out: maps of its form are made in lanes. */
    bool usable;
    /* Set by network_batch_add, 0 when a network is compared or A_mono at hand is another point's: a next
     * point with this `numbers` differs in macro step and coupling at most. */
    uint64_t last_network;
    /* Set by each point or group: the last point's numbers were not those of the one before. Where that is so
     * of two in turn, A_mono is left to lanes. */
    bool numbers_differ;
    /* Set by the first point with its numbers: all but what their maps tell. Points with the same numbers
     * begin with it. */
    costab_network_point common;
    /* Set by network_batch_group, 0: not known: network_numbers.shared of `common`. */
    uint64_t common_of;
    /* Set with common_of: A_mono is without equilibria and doubt; else points of that group are left to the
     * scalar code. */
    bool common_regular;
    /* Set by powers that left most A_mono open, reset by eigenvalues that found most of them stable: powers
     * of A_mono are not tried. */
    bool powers_fail;

    /* Room: */
    double *spare;           /* size^2 entries: a copy of matrices for code that destroys them */
    double *eigen_work;      /* eigen_lanes_work(size) */
    eigen_lanes_found found; /* eigenvalues of the matrices that were in `spare` */
    eigen_lanes_components map_components, mono_components;
} network_batch;
