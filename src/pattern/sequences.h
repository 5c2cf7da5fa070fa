/* pattern/sequences.h - bounds of the growth of products of matrices in given coordinates, also if each
 * matrix stands for a set of matrices (the steps of an interval, pattern_range.c); and the spectral radius of
 * one product. */
#pragma once

#include "costab/pattern.h"
#include "pattern/common_norm.h"

/* Returns ln of the spectral radius: -infinity for 0, NaN if LAPACK fails. `work`: eigen_work(n) + 2 n
 * doubles; iwork: eigen_iwork(n). */
double ln_radius(int n, const double *M, double *work, int *iwork);

/* Sets of matrices: matrix i represents all matrices within radii[i] of it, in the coordinates of the norm,
 * with all lengths from its own to longest[i]. */
typedef struct sequence_spread {
    const double *radii, *longest;
} sequence_spread;

/* Computes the bounds of costab_sequences_bound in the coordinates of a given norm. The upper bound covers
 * all represented matrices (spread NULL: the matrices alone). `known`: growth of a known cycle, a floor of
 * the lower bound. */
costab_status sequences_bound_in(const costab_sequence_set *set, const sequence_spread *spread, double known,
                                 const common_norm *norm, const costab_sequences_options *options,
                                 costab_sequences *found, costab_error *error);
