/* network/lane_points.h - points of one structure in SIMD lanes (batch.h). */
#pragma once

#include <stdint.h>

#include "costab/network.h"
#include "method/eigen_lanes.h"

/* Up to work->width points, and data reused by the next call. Matrices and macro steps store the values of
 * all lanes of an entry contiguously. */
typedef struct network_batch {
    /* True if lanes can compute maps of this structure; set with the layout. */
    bool usable;

    int count;                                          /* points of this call */
    const double *steps;                                /* macro steps: one entry */
    costab_network_point *points;                       /* results, owned by the caller */
    double *maps, *monos;                               /* M, size^2 entries; A_mono, states^2 entries */
    bool map_waits[LANES_MOST], mono_waits[LANES_MOST]; /* eigenvalues of this matrix are pending */

    /* Numbers of the continuous system for all points with equal `shared` numbers; copied to each point. Set
     * by the first call. common_of: network_numbers.shared of `common`; 0: unknown. */
    costab_network_point common;
    uint64_t common_of;
    /* Set with common_of. True if A_mono has no equilibria and no inexact entries; otherwise the scalar code
     * analyses these points. */
    bool common_regular;
    /* Powers of A_mono left most points undecided: skip them. Reset when eigenvalues find most points
     * stable. */
    bool powers_fail;

    /* Workspace: */
    double *spare;           /* size^2 entries: a copy for code that overwrites matrices */
    double *eigen_work;      /* eigen_lanes_work(size) */
    eigen_lanes_found found; /* eigenvalues of the matrices copied to `spare` */
    eigen_lanes_components map_components, mono_components;
} network_batch;
