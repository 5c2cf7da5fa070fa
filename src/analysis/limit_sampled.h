/* analysis/limit_sampled.h - limits of networks with measured maps, which no theory covers. */
#pragma once

#include "costab/analysis.h"

/* Values that are tried first; where no map is measured anew. */
#define STUDY_SAMPLES       33
#define STUDY_CHEAP_SAMPLES 1025

/* Is a subsystem known by the map of its own steps only? */
bool study_is_sampled(const costab_network *network);

/* Analyses a family at a value. Where it is not defined there the limit says why, for the first such value.
 */
costab_status study_limit_analyse(const costab_study_family *family, double value, costab_study_limit *limit,
                                  costab_network_point *point, bool *defined, costab_error *error);

/* As costab_study_limit_find, from STUDY_SAMPLES values and refinements, by ratio where the range is above 0.
 */
costab_status study_limit_sampled(const costab_study_family *family,
                                  const costab_study_limit_options *options, costab_study_limit *limit,
                                  costab_error *error);
