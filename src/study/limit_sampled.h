/* study/limit_sampled.h - limits of networks with measured maps, which no theory covers. */
#pragma once

#include "costab/study.h"

#define STUDY_SAMPLES 1000

/* Is a subsystem known by the map of its own steps only? */
bool study_is_sampled(const costab_network *network);

/* As costab_study_limit_find, from STUDY_SAMPLES values, by ratio where the range is above 0. */
costab_status study_limit_sampled(const costab_study_family *family,
                                  const costab_study_limit_options *options, costab_study_limit *limit,
                                  costab_error *error);
