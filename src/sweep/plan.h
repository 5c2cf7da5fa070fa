/* sweep/plan.h - a check of plans that other rooms need, too. */
#pragma once

#include "costab/sweep.h"

/* Whether the meanings of a field's codes are those of CF conventions: a word of letters, digits and _-.+@
 * per code, one blank between two. */
bool plan_names_codes(const costab_field *field);
