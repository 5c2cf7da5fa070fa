/* method/exact_number.h - the entries of a tableau as exact numbers. */
#pragma once

#include "costab/method.h"
#include "formula/formula.h"

/* The value of an expression of decimals, fractions, square roots and parentheses such as 1/4 - sqrt(3)/6, as
 * a number of Q(sqrt 2) or Q(sqrt 3). [in, out] root: 0 as long as no square root was met, then 2 or 3: the
 * numbers of one tableau have one. False, with *number and *root unchanged, where the expression is not of
 * that kind, has more than 200 steps, or has an integer that does not fit: into 64 bits in the result, into
 * 128 on the way. */
bool exact_number_walk(const formula_tape *tape, costab_exact *number, int *root);

/* The sum of n numbers with one root; false where its integers do not fit into 64 bits. */
bool exact_number_sum(const costab_exact *numbers, int n, costab_exact *sum);

/* The double next to it, as far as long doubles can tell. */
double exact_number_double(const costab_exact *number, int root);
