/* analysis/sobol.h - low-discrepancy points of the unit cube, and distributions of uncertain parameters. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "costab/margin.h"
#include "costab/spec.h"

#define SOBOL_DIMENSIONS 16

/* Returns coordinate `dimension` (below SOBOL_DIMENSIONS) of point i of Sobol's sequence with scrambling
 * `seed`: a number above 0 and below 1. Points of different seeds are independent. */
double sobol_coordinate(int dimension, uint32_t i, uint32_t seed);

/* Returns the quantile u (0 < u < 1) of an uncertain parameter; `nominal`: the model's own value. */
double uncertain_value(const costab_uncertain *uncertain, double nominal, double u);

/* Returns the mean of a quantity computed with each scrambling, and its standard error from the scatter. */
costab_sampled sampled_mean(const double values[COSTAB_SCRAMBLINGS]);
/* As sampled_mean, for a fraction of `samples` in total. The error is at least one sample, since a rarer
 * event may not occur at all. */
costab_sampled sampled_share(const double shares[COSTAB_SCRAMBLINGS], int samples);
