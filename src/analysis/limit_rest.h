/* analysis/limit_rest.h - where along a parameter the network has an operating point. */
#pragma once

#include "costab/analysis.h"

/* [in, out] range: its ends move to the last values that have a point; limit->lost says which, and
 * limit->lost_reason why. COSTAB_INVALID: no value was found that has one. */
costab_status study_limit_rest(const costab_study_family *family, costab_study_limit *limit, double range[2],
                               costab_error *error);

/* Marks the ends of pieces that lie at such ends of the range. */
void study_limit_mark_lost(costab_study_limit *limit, const double range[2]);
