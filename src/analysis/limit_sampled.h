/* analysis/limit_sampled.h - limits of networks with measured maps, without theoretical guarantees. */
#pragma once

#include "analysis/analysis.h"

/* Number of initial values, and the number if all values share the measured maps. */
#define STUDY_SAMPLES       33
#define STUDY_CHEAP_SAMPLES 1025

/* Returns true if a subsystem is known only by the map of its own steps. */
bool analysis_is_sampled(const costab_network *network);

/* Analyses a family at a value. If it is undefined there, records the reason of the first such value in the
 * limit. */
costab_status analysis_limit_analyse(const analysis_family *family, double value,
                                     costab_analysis_limit *limit, costab_network_point *point, bool *defined,
                                     costab_error *error);

/* Like analysis_limit_find(), from the multiples of a solver's step, or from STUDY_SAMPLES values, in
 * geometric progression if the range is positive, and refinements. [out] limit->single: the values are
 * multiples. */
costab_status analysis_limit_sampled(const analysis_family *family,
                                     const costab_analysis_limit_options *options,
                                     costab_analysis_limit *limit, costab_error *error);
