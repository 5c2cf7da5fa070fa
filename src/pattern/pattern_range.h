/* pattern/pattern_range.h - bounds for sequences of arbitrary steps from a range: upper bounds by one norm
 * over intervals of the range, lower bounds by cycles of steps. */
#pragma once

#include "pattern/sequences.h"
#include "pattern/step_map.h"

enum { RANGE_SAMPLES_MAX = 64, RANGE_STEPS_MAX = 3 };

typedef struct pattern_range {
    step_map *maps;
    double from, to;
    int steps; /* steps with an effect on a map: its own and previous ones */
    int count; /* number of samples */
    double samples[RANGE_SAMPLES_MAX]
                  [RANGE_STEPS_MAX]; /* steps of each sample: own step, then previous ones */
    double *matrices;                /* maps of the samples */
    double *workspace;
    const costab_pattern_options *options;
} pattern_range;

/* Chooses about `count` samples from `from` to `to`, both included, and computes their maps. Requires maps
 * that depend on at most RANGE_STEPS_MAX steps. [in] range->options: set by the caller. [out] *unbounded: a
 * map is not finite. Free with pattern_range_free, also after an error. */
costab_status pattern_range_make(pattern_range *range, step_map *maps, double from, double to, int count,
                                 bool *unbounded, costab_error *error);
void pattern_range_free(pattern_range *range);

/* Finds one norm for all steps of the range, weighted by lengths (`timed`) or by 1, and the smallest bound
 * found of ln ||M(H)||, per second or per step. `below_one`: stops as soon as a norm is not below 1. [out]
 * norm: free with common_norm_free, also after an error. */
costab_status pattern_range_norm(pattern_range *range, bool timed, bool below_one, common_norm *norm,
                                 double *upper, costab_error *error);

/* Improves *upper by products in the coordinates of the norm. Requires maps of their own step alone. `lower`:
 * growth of a known cycle. */
costab_status pattern_range_products(pattern_range *range, bool timed, const common_norm *norm, double lower,
                                     double *upper, costab_error *error);

/* Searches the cycle with the fastest growth, per step or per second. [out] steps: allocated, `length` of
 * them. */
costab_status pattern_range_cycle(pattern_range *range, bool timed, double *lower, size_t *length,
                                  double **steps, costab_error *error);
