/* limit/chebyshev.h - polynomial interpolation at the Chebyshev-Lobatto points of [-1, 1] (the extreme points
 * of T_n), and the intervals on which an interpolant exceeds a bound of its error.
 *
 * A polynomial p of a degree is the sum of coefficients[k] T_k, k <= degree. */
#pragma once

#include <stdbool.h>

/* The degrees of a table: 8, 16 and 32. The points of each are every second one of the next. */
enum { CHEBYSHEV_LEAST = 8, CHEBYSHEV_MOST = 32, CHEBYSHEV_DEGREES = 3 };

/* For each degree of the list, number k = 0, 1, 2, its points; and cos(t pi/CHEBYSHEV_MOST). */
typedef struct chebyshev_table {
    double points[CHEBYSHEV_DEGREES][CHEBYSHEV_MOST + 1];
    double cosines[2 * CHEBYSHEV_MOST];
} chebyshev_table;

void chebyshev_table_make(chebyshev_table *table);

/* [out] points: degree + 1 values, ascending. */
void chebyshev_points(int degree, double *points);

/* cos(t pi/degree). */
double chebyshev_cosine(int degree, int t);

/* The k-th degree of the list, k = 0, 1, 2. */
static inline int chebyshev_degree(int k) {
    return CHEBYSHEV_LEAST << k;
}

/* Of the k-th degree: [out] coefficients, as many as values: degree + 1. */
void chebyshev_coefficients(const chebyshev_table *table, int k, const double *values, double *coefficients);

/* p in [from, to] as a number of [-1, 1], exact at both ends. */
static inline double chebyshev_coordinate(double p, double from, double to) {
    return ((p - from) - (to - p)) / (to - from);
}

/* An estimate, not a bound, of the interpolation's error: eight times the sum of the magnitudes of the last
 * half of the coefficients, as a few of them may all be small by chance. Those of the last quarter count
 * fully, those of the quarter before it by what each exceeds `hidden`, the size of rounding. */
double chebyshev_error(int degree, const double *coefficients, double hidden);

/* p(x); [out] *slope: p'(x), never NULL. */
double chebyshev_value(int degree, const double *coefficients, double x, double *slope);

/* An interval in [-1, 1]. `final`: more points would not make it narrower. */
typedef struct chebyshev_interval {
    double from, to;
    bool final;
} chebyshev_interval;

enum { CHEBYSHEV_INTERVALS = 48 };

/* Where |p| may not exceed `error`: ascending intervals into `unresolved` (CHEBYSHEV_INTERVALS entries),
 * their number returned. Everywhere else |p| > error, but for rounding. Shown on segments that are halved, by
 * Taylor's theorem from the middle with a bound of |p''|. Where there would be more intervals than entries
 * some are joined with what is between them. */
int chebyshev_unresolved(int degree, const double *coefficients, double error,
                         chebyshev_interval *unresolved);

/* Sorts intervals and joins those that touch, in place; returns how many are left. A joined one is final only
 * if all of it is. */
int chebyshev_join(chebyshev_interval *all, int count);

/* Replaces the first of two ascending lists of intervals by the intersection of both; returns how many there
 * are then. Intervals that have no more than an end in common do not intersect. The first list stays, which
 * is true as well, where the intersection has more than CHEBYSHEV_INTERVALS. */
int chebyshev_meet(chebyshev_interval *all, int count, const chebyshev_interval *others, int other_count);
