/* proof/trend.h - what a function does all over a cell without being 0: taken out before it is interpolated.
 *
 * A product of many factors varies over hundreds of decades where each of them varies by a few per cent, and
 * no polynomial follows that. Its logarithm is the sum of theirs, which one of low degree does follow. f /
 * 2^q, q a polynomial in the parameter p and log p (p > 0), has the zeros of f and is analytic where f is. */
#ifndef PROOF_TREND_H
#define PROOF_TREND_H

#include "proof/crossing.h"

enum { TREND_PLACES = 36, TREND_DEGREE = 8 };

typedef struct trend {
    int nodes, places, terms;
    double basis[TREND_DEGREE + 1][TREND_PLACES]; /* the terms at the places: log p first where p > 0 */
} trend;

/* p in [from, to] as a number of [-1, 1], exact at both ends. */
static inline double trend_x(double p, double from, double to) {
    return ((p - from) - (to - p)) / (to - from);
}

/* For nodes at the ascending parameters p, the first and last of which are the cell's ends, and `more` places
 * that follow them; degree: of the polynomial, at most TREND_DEGREE. */
void trend_make(trend *t, int nodes, int more, const double *p, int degree);

/* Fits q to log2 |f| at the nodes by least squares and divides by 2^q, all but a constant, at all places.
 * How large q is adds to the rounding. */
void trend_divide(const trend *t, crossing_value *values);

/* Of the numbers that are not 0, how many factors of 2 the largest is above the smallest. */
double trend_spread(const crossing_value *values, int count);

#endif
