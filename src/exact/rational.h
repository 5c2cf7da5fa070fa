/* exact/rational.h - numbers as they were written. */
#pragma once

#include "base/error.h"
#include "base/flint.h"

/* Reads a rational number of any size: a decimal, a fraction, or a sum, difference, product or quotient of
 * such, with parentheses (formula/formula.h). COSTAB_INVALID where the text is none, or divides by 0;
 * COSTAB_MEMORY. */
costab_status rational_read(const char *text, fmpq_t number, costab_error *error);
