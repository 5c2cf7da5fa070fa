/* proof/tracking.h - cells that are unstable because one tracked eigenvalue is beyond the limit all over
 * them.
 *
 * An eigenvalue that is followed from node to node is an analytic function of the parameter where it meets no
 * other one. Where it is so far beyond the limit that none which it might meet between nodes can displace it
 * to the limit (interpolant_nodes.reach), no other eigenvalue need be known. */
#pragma once

#include "proof/cell.h"

/* Looks for such an eigenvalue where both ends of the cell are unstable and matrices are large. [out] *done:
 * the cell has its verdict, or was bisected because nodes of the least degree are too far apart for one. */
costab_status tracking_settle(cell *c, bool *done, costab_error *error);

/* The furthest eigenvalue of one sample, to be followed by itself. */
typedef struct tracking_single {
    tracked_eigenvalue at[2];
    int last; /* the one of them to which it was followed */
} tracking_single;

/* [out] *single: free with memory_free; NULL where it is not worth it, or the eigenvalue is not found. */
costab_status tracking_single_create(const search *s, const sample *at, tracking_single **single,
                                     costab_error *error);

/* Follows it to `at`. [out] *found: whether it was, with its margin there. */
costab_status tracking_single_margin(const search *s, tracking_single *single, double at, bool *found,
                                     sample_margin *margin, costab_error *error);
