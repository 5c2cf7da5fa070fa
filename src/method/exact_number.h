/* method/exact_number.h - the entries of a tableau as exact numbers. */
#ifndef METHOD_EXACT_NUMBER_H
#define METHOD_EXACT_NUMBER_H

#include "base/flint.h"
#include "costab/method.h"

/* Reads `text`, a sum, difference, product or quotient of decimals, fractions, square roots and parentheses
 * such as 1/4 - sqrt(3)/6, as a number of Q(sqrt 2) or Q(sqrt 3). [in, out] root: 0 as long as no square root
 * was read, then 2 or 3: the numbers of one tableau have one. False, with *number unchanged, where the text
 * is not of that kind or its integers do not fit into 64 bits. */
bool exact_number_read(const char *text, costab_exact *number, int *root);

/* The same for a rational number of any size. */
bool exact_number_rational(const char *text, fmpq_t number);

/* The sum of n numbers with one root; false where its integers do not fit into 64 bits. */
bool exact_number_sum(const costab_exact *numbers, int n, costab_exact *sum);

/* The double next to it. */
double exact_number_double(const costab_exact *number, int root);

#endif
