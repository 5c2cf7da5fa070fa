/* network/lane_points.h - points of one structure side by side in SIMD lanes (batch.h). */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/eigen_lanes.h"

/* Up to work->width points, and what is kept from call to call: of each such member who sets it, and what
 * holds while it is set. Matrices and macro steps hold the lanes' numbers of each entry side by side. */
typedef struct network_batch {
    /* Set when the workspace is laid out: maps of its structure are computed in lanes. */
    bool usable;

    int count;                                          /* of the points of this call */
    const double *steps;                                /* macro steps: one entry */
    costab_network_point *points;                       /* results, the caller's */
    double *maps, *monos;                               /* M, size^2 entries; A_mono, states^2 */
    bool map_waits[LANES_MOST], mono_waits[LANES_MOST]; /* that matrix's eigenvalues are still to be found */

    /* Set by the first call with its numbers: all but what their maps tell. Points with the same numbers
     * begin with it. common_of: the network_numbers.shared of `common`; 0: unknown. */
    costab_network_point common;
    uint64_t common_of;
    /* Set with common_of: A_mono is without equilibria and doubt; otherwise these points are left to the
     * scalar code. */
    bool common_regular;
    /* Set by powers that left most A_mono open, reset by eigenvalues that found most of them stable: powers
     * of A_mono are not tried. */
    bool powers_fail;

    /* Workspace: */
    double *spare;           /* size^2 entries: a copy of matrices for code that destroys them */
    double *eigen_work;      /* eigen_lanes_work(size) */
    eigen_lanes_found found; /* eigenvalues of the matrices that were in `spare` */
    eigen_lanes_components map_components, mono_components;
} network_batch;
