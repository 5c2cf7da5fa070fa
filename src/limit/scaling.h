/* limit/scaling.h - a function with very different sizes over a cell is divided by 2^q before it is
 * interpolated.
 *
 * A product of many factors varies over hundreds of decades where each of them varies by a few per cent, and
 * no polynomial follows that. Its logarithm is the sum of theirs, which one of low degree does follow. f /
 * 2^q, q a polynomial in the parameter p and log p (p > 0), has the zeros of f and is analytic where f is. */
#pragma once

#include "limit/crossing.h"

enum { SCALING_SAMPLES = 36, SCALING_DEGREE = 8 };

typedef struct scaling {
    int nodes, samples, terms; /* samples: nodes and check points; terms: of q, without the constant */
    double basis[SCALING_DEGREE + 1][SCALING_SAMPLES]; /* the terms at the samples: log p first where p > 0 */
} scaling;

/* For nodes at the ascending parameters p, the first and last of which are the cell's ends, and `more` check
 * points that follow them; degree: of the polynomial, at most SCALING_DEGREE. */
void scaling_make(scaling *t, int nodes, int more, const double *p, int degree);

/* Fits q to log2 |f| at the nodes by least squares and divides by 2^q, all but a constant, at all samples.
 * How large q is adds to the rounding. */
void scaling_divide(const scaling *t, crossing_value *values);

/* log2 of the largest over the smallest size, of the numbers that are not 0. */
double scaling_spread(const crossing_value *values, int count);
