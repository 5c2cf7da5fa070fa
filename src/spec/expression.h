/* spec/expression.h - numbers written as constant expressions. */
#ifndef SPEC_EXPRESSION_H
#define SPEC_EXPRESSION_H

#include "spec/formula.h"

#define SPEC_EXPRESSION_MAX FORMULA_SIZE_MAX

/* Evaluates a constant expression such as 1 - 1/sqrt(2), with the constant pi. -x^2 is -(x^2). False, with
 * the reason in words in `reason`, where it is none, is a list, or is not finite. Not for several threads at
 * once. */
bool expression_constant(const char *text, size_t size, double *value, char *reason, size_t reason_size);

#endif
