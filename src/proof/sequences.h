/* proof/sequences.h - what the bounds of sequences share: products of maps, and the growth of cycles. */
#pragma once

#include "costab/pattern.h"
#include "proof/common_norm.h"

/* ln of the spectral radius; -infinite for 0. `work`: eigen_work(n) + 2 n doubles, iwork: eigen_iwork(n). NaN
 * where LAPACK gives up. */
double ln_radius(int n, const double *M, double *work, int *iwork);

/* Where each matrix stands for all within a radius of it, in the coordinates of the norm, and each length for
 * all up to a longest one. */
typedef struct sequence_spread {
    const double *radii, *longest;
} sequence_spread;

/* The same bounds, in coordinates that were found before; the upper one for all that the matrices stand for
 * (spread, NULL: themselves), the lower one for themselves, and not below `known`, which a cycle is known to
 * reach. */
costab_status sequences_bound_in(const costab_sequence_set *set, const sequence_spread *spread, double known,
                                 const common_norm *norm, const costab_sequences_options *options,
                                 costab_sequences *found, costab_error *error);
