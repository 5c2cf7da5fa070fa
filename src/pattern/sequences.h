/* pattern/sequences.h - bounds of sequences in coordinates that are known, of matrices that stand for others.
 */
#pragma once

#include "costab/pattern.h"
#include "pattern/common_norm.h"

/* ln of the spectral radius; -infinite for 0. `work`: eigen_work(n) + 2 n doubles, iwork: eigen_iwork(n). NaN
 * where LAPACK gives up. */
double ln_radius(int n, const double *M, double *work, int *iwork);

/* One per matrix: it stands for all matrices whose distance from it, in the coordinates of the norm, is at
 * most its radius, and its length for all lengths up to the longest. */
typedef struct sequence_spread {
    const double *radii, *longest;
} sequence_spread;

/* The bounds of costab_sequences_bound in the coordinates of a known norm. The upper one is for all sequences
 * of matrices that these stand for (spread NULL: of these). `known`: the growth of a known cycle; the lower
 * bound is not below it. */
costab_status sequences_bound_in(const costab_sequence_set *set, const sequence_spread *spread, double known,
                                 const common_norm *norm, const costab_sequences_options *options,
                                 costab_sequences *found, costab_error *error);
