/* proof/branch.h - cells that are not stable because one eigenvalue is beyond the limit all over them.
 *
 * An eigenvalue that is followed from node to node is an analytic function of the parameter where it meets no
 * other. How far it is beyond the limit is interpolated like a crossing function: where that is so far above
 * 0 that no other one which it meets between nodes can bring it there (interpolant.h), nothing else needs to
 * be known. A node costs a tenth of all eigenvalues. */
#ifndef PROOF_BRANCH_H
#define PROOF_BRANCH_H

#include "proof/cell.h"

/* Looks for such an eigenvalue of a cell at both ends of which something is beyond the limit. [out] *done:
 * the cell has its verdict, or was divided, being so wide that all eigenvalues would cost more. */
costab_status branch_settle(cell *c, bool *done, costab_error *error);

/* The furthest eigenvalue at one place, to be followed by itself. */
typedef struct branch_single {
    place_branch places[2];
    int last; /* the one of them to which it was followed */
} branch_single;

/* [out] *single: free with memory_free; NULL where it is not worth it, or the eigenvalue is not found. */
costab_status branch_single_create(const search *s, const place *at, branch_single **single,
                                   costab_error *error);

/* Follows it to `at`. [out] *found: whether it was, with its margin there. */
costab_status branch_single_margin(const search *s, branch_single *single, double at, bool *found,
                                   place_margin *margin, costab_error *error);

#endif
