/* sweep/plan.h - a check of plans that other modules need, too. */
#pragma once

#include "costab/sweep.h"

/* Whether the meanings of a field's codes are those of CF conventions: a word of letters, digits and _-.+@
 * per code, one blank between two. */
bool plan_names_codes(const costab_field *field);

/* The present name of a field or column that version 0.1.0 called `name`; else `name`. */
const char *plan_name_now(const char *name);

/* Gives the fields of a file their present names. A field whose present name another one has keeps its own.
 */
void plan_rename_fields(costab_plan *plan);

/* Whether a value is the i-th of an axis of numbers but for rounding, by which ranges of earlier versions
 * differ: seven roundings, three of numbers up to twice the larger end, four of numbers up to that end, half
 * an epsilon each, are 5 epsilon of that end. */
bool plan_has_value(const costab_axis *axis, size_t i, double value);
