/* sweep/plan.h - what a plan must keep to. */
#ifndef SWEEP_PLAN_H
#define SWEEP_PLAN_H

#include "costab/sweep.h"

/* Whether the meanings of a field's codes are those of CF conventions: a word of letters, digits and _-.+@
 * per code, one blank between two. */
bool plan_names_codes(const costab_field *field);

#endif
