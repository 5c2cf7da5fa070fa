/* oracle.h - muParser as an independent reader of expressions: the same grammar, another program. */
#pragma once

#include "formula/formula.h"

/* The expression's value at values and local; false where muParser refuses it or finds several values. */
bool oracle_value(const char *text, const formula_scope *scope, double *values, double *local, double *value);
