/* pattern/pattern_range.h - bounds for sequences of any steps from a range: upper ones by one norm over
 * pieces of the range, lower ones by cycles of steps. */
#pragma once

#include "pattern/sequences.h"
#include "pattern/step_map.h"

enum { RANGE_SAMPLES_MAX = 64, RANGE_STEPS_MAX = 3 };

typedef struct pattern_range {
    step_map *maps;
    double from, to;
    int steps;                                          /* that a map depends on: its own, and those before */
    int count;                                          /* of the samples */
    double samples[RANGE_SAMPLES_MAX][RANGE_STEPS_MAX]; /* the steps of each: its own, then those before */
    double *matrices;                                   /* their maps */
    double *room;
    const costab_pattern_options *options;
} pattern_range;

/* Samples between from and to, both among them, about `count` of them, and their maps; `unbounded`: one of
 * them is not finite. The maps depend on RANGE_STEPS_MAX steps at most. End with pattern_range_free. */
costab_status pattern_range_make(pattern_range *range, step_map *maps, double from, double to, int count,
                                 bool *unbounded, costab_error *error);
void pattern_range_free(pattern_range *range);

/* One norm for all steps of the range, with lengths as weights (`timed`) or 1: the least upper bound found of
 * ln ||M(H)||, per step or per second, and the norm. `below_one`: gives up as soon as a norm is not below 1.
 * [out] norm: free with common_norm_free, also after an error. */
costab_status pattern_range_norm(pattern_range *range, bool timed, bool below_one, common_norm *norm,
                                 double *upper, costab_error *error);

/* Lowers *upper by products, in the coordinates of the norm, where maps depend on their own step alone;
 * `lower`: the growth of a known cycle. */
costab_status pattern_range_products(pattern_range *range, bool timed, const common_norm *norm, double lower,
                                     double *upper, costab_error *error);

/* The cycle that grows most, per step or per second; [out] steps: `length` of them, allocated. */
costab_status pattern_range_cycle(pattern_range *range, bool timed, double *lower, size_t *length,
                                  double **steps, costab_error *error);
