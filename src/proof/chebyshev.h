/* proof/chebyshev.h - interpolation at Chebyshev-Lobatto points, and where an interpolant is surely not 0. */
#pragma once

#include <stdbool.h>

/* Degrees in use: nested, each twice the one before. */
enum { CHEBYSHEV_LEAST = 8, CHEBYSHEV_MOST = 32, CHEBYSHEV_DEGREES = 3 };

/* Points in [-1, 1], ascending, and the transforms from values to coefficients. Some 40 kB. */
typedef struct chebyshev_table {
    double points[CHEBYSHEV_DEGREES][CHEBYSHEV_MOST + 1];
    double transform[CHEBYSHEV_DEGREES][(CHEBYSHEV_MOST + 1) * (CHEBYSHEV_MOST + 1)];
} chebyshev_table;

void chebyshev_table_make(chebyshev_table *table);

/* degree + 1 points of [-1, 1], ascending, and the transform from values there to coefficients, row-major. */
void chebyshev_points(int degree, double *points, double *transform);

/* The degree of number k: 8, 16, 32. */
static inline int chebyshev_degree(int k) {
    return CHEBYSHEV_LEAST << k;
}

/* coefficients (degree + 1) from the values at the points. */
void chebyshev_coefficients(const chebyshev_table *table, int k, const double *values, double *coefficients);

/* p in [from, to] as a number of [-1, 1], exact at both ends. */
static inline double chebyshev_coordinate(double p, double from, double to) {
    return ((p - from) - (to - p)) / (to - from);
}

/* What the interpolation's error is taken as: eight times the sum of the magnitudes of the last half of the
 * coefficients, as a few of them may all be small by chance; those before the last quarter by what each is
 * above `hidden`. */
double chebyshev_error(int degree, const double *coefficients, double hidden);

/* Whether points that divide an interval into so many parts are no further apart, on average, than `most`,
 * but for rounding. Points further apart may miss what is between them. */
bool chebyshev_dense(double width, int parts, double most);

/* p(x); [out] *slope: p'(x). */
double chebyshev_value(int degree, const double *coefficients, double x, double *slope);

/* An interval in [-1, 1]. `final`: more points would not make it narrower. */
typedef struct chebyshev_interval {
    double from, to;
    bool final;
} chebyshev_interval;

enum { CHEBYSHEV_INTERVALS = 48 };

/* Where |p| may not exceed `error`: ascending intervals into `unresolved` (CHEBYSHEV_INTERVALS entries),
 * their number returned; all else is clear. By centred forms of second order on segments that are halved.
 * Where there would be more intervals than entries the last one reaches to the end. */
int chebyshev_unresolved(int degree, const double *coefficients, double error,
                         chebyshev_interval *unresolved);

/* Sorts intervals and joins those that touch, in place; returns how many are left. A joined one is final only
 * if all of it is. */
int chebyshev_join(chebyshev_interval *all, int count);

/* What two lists of ascending intervals share, in the place of the first, unless these are more than
 * CHEBYSHEV_INTERVALS; returns how many it has then. Ends are clear: what shares no more shares nothing. */
int chebyshev_meet(chebyshev_interval *all, int count, const chebyshev_interval *others, int other_count);
