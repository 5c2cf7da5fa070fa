/* area/number.h - parsing of numbers in exact arithmetic. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/flint.h"
#include "costab/area.h"

/* u + v sqrt(root) with root = 2 or 3, which is stored elsewhere. */
typedef struct exact_number {
    fmpq_t u, v;
} exact_number, exact_number_t[1];

void exact_number_init(exact_number *x);
void exact_number_clear(exact_number *x);
FLINT_LOCAL(exact_number)

/* Parses a number from `size` bytes, at most FORMULA_SIZE_MAX (formula/formula.h): a decimal with any number
 * of digits, a fraction, or a sum, difference, product or quotient of such numbers and of square roots in
 * Q(sqrt 2) or Q(sqrt 3), with parentheses. [in, out] radicand: 0 until a square root occurs; all numbers of
 * a tableau have the same. NULL: square roots are errors. COSTAB_INVALID for other texts and for division by
 * 0; COSTAB_MEMORY. */
costab_status exact_number_read(const char *written, size_t size, exact_number *number, int *radicand,
                                costab_error *error);

/* Parses a rational number. */
costab_status rational_read(const char *written, fmpq_t number, costab_error *error);

/* Returns the given rational number, from its text or its double. COSTAB_INVALID if it is not rational; what:
 * its name for messages. */
costab_status rational_given(costab_number given, const char *what, fmpq_t number, costab_error *error);
/* Like rational_given, for two ascending numbers. */
costab_status rational_range(const costab_number range[2], const char *what, fmpq_t low, fmpq_t high,
                             costab_error *error);

/* Converts a double to a rational number, exactly. */
void rational_of(fmpq_t q, double x);

/* Returns the double nearest to top / bottom, ties to even. */
double rational_nearest(const fmpz_t top, const fmpz_t bottom);

/* ---- Values of a range ---- */

/* [out] values: `count` numbers; number k is the double nearest to FROM + k (TO - FROM) / (count - 1), ties
 * to even. [in] list: FROM:TO:COUNT, validated by number_parse. Ends are exact decimals or fractions, except
 * that ends with a decimal exponent beyond 400 are rounded to doubles. Returns false if memory is
 * exhausted. */
bool range_values(const char *list, size_t count, double *values);
