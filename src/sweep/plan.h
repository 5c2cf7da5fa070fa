/* sweep/plan.h - names and values of plans for other modules: code names of fields, names of version 0.1.0,
 * values of axes up to rounding. */
#pragma once

#include "costab/sweep.h"

/* Returns true if the meanings of a field's codes conform to CF conventions: one word of letters, digits and
 * _-.+@ per code, separated by single blanks. */
bool plan_names_codes(const costab_field *field);

/* Returns the present name of a field or column of version 0.1.0; otherwise `name`. */
const char *plan_name_now(const char *name);

/* Gives the fields of a file their present names. A field keeps its old name if another field has the present
 * name. */
void plan_rename_fields(costab_plan *plan);

/* Returns true if a value is the i-th of an axis of numbers up to rounding. Ranges of earlier versions differ
 * by seven roundings of half an epsilon: three of numbers up to twice the larger end and four up to that end,
 * together 5 epsilon of that end. */
bool plan_has_value(const costab_axis *axis, size_t i, double value);
