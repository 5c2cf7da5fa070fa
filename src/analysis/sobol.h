/* analysis/sobol.h - low-discrepancy points of the unit cube, and the distributions of uncertain parameters.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "costab/margin.h"
#include "costab/spec.h"

#define SOBOL_DIMENSIONS 16

/* Coordinate `dimension` (below SOBOL_DIMENSIONS) of point i of Sobol's sequence under the scrambling `seed`:
 * above 0 and below 1. Points of different seeds are independent. */
double sobol_coordinate(int dimension, uint32_t i, uint32_t seed);

/* The value below which a share u of an uncertain parameter's distribution lies, 0 < u < 1; `nominal` is the
 * model's own value. */
double uncertain_value(const costab_uncertain *uncertain, double nominal, double u);

/* The mean of a number found once with each scrambling; its error by their scatter. */
costab_sampled sampled_mean(const double values[COSTAB_SCRAMBLINGS]);
/* The same of a share of `samples` in all: its error is at least that of one sample, which is how rare may be
 * what none of them shows. */
costab_sampled sampled_share(const double shares[COSTAB_SCRAMBLINGS], int samples);
