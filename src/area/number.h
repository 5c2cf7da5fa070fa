/* area/number.h - numbers in exact arithmetic, read as they are written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/flint.h"
#include "costab/area.h"

/* u + v sqrt(root), root = 2 or 3, which is stored elsewhere. */
typedef struct exact_number {
    fmpq_t u, v;
} exact_number, exact_number_t[1];

void exact_number_init(exact_number *x);
void exact_number_clear(exact_number *x);
FLINT_LOCAL(exact_number)

/* Reads a number of any size from `size` bytes: a decimal, a fraction, or a sum, difference, product or
 * quotient of such and of square roots that lie in Q(sqrt 2) or Q(sqrt 3), with parentheses
 * (formula/formula.h). [in, out] root: 0 as long as no square root was met; the numbers of one tableau have
 * one. NULL: no square roots. COSTAB_INVALID where it is none, or divides by 0; COSTAB_MEMORY. */
costab_status exact_number_read(const char *written, size_t size, exact_number *number, int *root,
                                costab_error *error);

/* Reads a rational number. */
costab_status rational_read(const char *written, fmpq_t number, costab_error *error);

/* The rational number that was given, as it is written or as a double. COSTAB_INVALID where it is none;
 * `what` is its name. */
costab_status rational_given(costab_number given, const char *what, fmpq_t number, costab_error *error);
/* The same of two that ascend. */
costab_status rational_range(const costab_number range[2], const char *what, fmpq_t low, fmpq_t high,
                             costab_error *error);

/* A double as the rational number that it is. */
void rational_of(fmpq_t q, double x);

/* The double nearest to top / bottom, ties to even. */
double rational_nearest(const fmpz_t top, const fmpz_t bottom);

/* ---- Values of a range ---- */

/* [out] values: `count` numbers, of which number k is the double nearest to FROM + k (TO - FROM) / (count -
 * 1), ties to even. [in] list: FROM:TO:COUNT, which was read (number_parse); the ends are the decimals or
 * fractions that are written there, but one with an exponent of ten beyond 400 the double next to it. False
 * where memory is out. */
bool range_values(const char *list, size_t count, double *values);
