/* method/chebyshev.h - polynomial interpolation at the Chebyshev-Lobatto points of [-1, 1] (the extreme
 * points of T_n), and the intervals on which an interpolant may not exceed an error.
 *
 * A polynomial p of degree n is the sum of coefficients[k] T_k, k <= n. */
#pragma once

#include <stdbool.h>

/* [out] points: the n + 1 points, ascending. */
void chebyshev_points(int n, double *points);

/* [out] shares: p(x) is the sum of shares[i] p(points[i]), by the barycentric formula. */
void chebyshev_shares(int n, const double *points, double x, double *shares);

/* Entry (i, j) of the derivative matrix: p'(points[i]) is the sum of its products with p(points[j]). */
double chebyshev_derivative(int n, int i, int j);

/* Degrees of a table: 8, 16 and 32. Their points are nested. */
enum { CHEBYSHEV_LEAST = 8, CHEBYSHEV_MOST = 32, CHEBYSHEV_DEGREES = 3, CHEBYSHEV_COSINES = 192 };

/* Points of each degree, k = 0, 1, 2, and the cosines of equidistant angles from 0 to 2 pi. */
typedef struct chebyshev_table {
    double points[CHEBYSHEV_DEGREES][CHEBYSHEV_MOST + 1];
    double cosines[CHEBYSHEV_COSINES];
} chebyshev_table;

void chebyshev_table_make(chebyshev_table *table);

/* Returns the k-th degree, k = 0, 1, 2. */
static inline int chebyshev_degree(int k) {
    return CHEBYSHEV_LEAST << k;
}

/* Computes the n + 1 coefficients from the values at the points. n: 8, 16, 24 or 32. */
void chebyshev_coefficients(const chebyshev_table *table, int n, const double *values, double *coefficients);

/* Maps p in [from, to] to [-1, 1], exactly at both ends. */
static inline double chebyshev_coordinate(double p, double from, double to) {
    return ((p - from) - (to - p)) / (to - from);
}

/* Estimates the interpolation error as eight times the sum of the magnitudes of the last half of the
 * coefficients, since a few of them may all be small by chance. The last quarter counts fully, the quarter
 * before it only by the excess over the rounding error `hidden`. */
double chebyshev_error(int degree, const double *coefficients, double hidden);

/* Returns p(x). [out] *slope: p'(x), never NULL. */
double chebyshev_value(int degree, const double *coefficients, double x, double *slope);

/* An interval in [-1, 1]. `final`: more points would not narrow it. */
typedef struct chebyshev_interval {
    double from, to;
    bool final;
} chebyshev_interval;

enum { CHEBYSHEV_INTERVALS = 48 };

/* Writes the ascending intervals of possible |p| <= error into `unresolved` (CHEBYSHEV_INTERVALS entries) and
 * returns their number. Elsewhere |p| > error up to rounding. Halves segments and bounds p on each by
 * Taylor's theorem. If the array is full, joins intervals across the gaps between them. */
int chebyshev_unresolved(int degree, const double *coefficients, double error,
                         chebyshev_interval *unresolved);

/* Sorts intervals and joins touching ones in place; returns the number left. A joined interval is final only
 * if all its parts are. */
int chebyshev_join(chebyshev_interval *all, int count);

/* Replaces the first of two ascending lists of intervals by their intersection and returns its number. A
 * common end alone does not count. Keeps the first list (also a valid result) if the intersection exceeds
 * CHEBYSHEV_INTERVALS. */
int chebyshev_meet(chebyshev_interval *all, int count, const chebyshev_interval *others, int other_count);
