/* planar/polynomial.h - real roots of real polynomials of low degree. */
#pragma once

#define POLYNOMIAL_DEGREE_MAX 40

/* The value of a polynomial with ascending coefficients. */
double polynomial_value(const double *coefficients, int degree, double x);

/* Taylor coefficients about x: shifted[k] = p^(k)(x) / k!, in place of the coefficients. */
void polynomial_shift(double *coefficients, int degree, double x);

/* The points of (lower, upper), which may be infinite, where the polynomial changes its sign, in ascending
 * order. Returns their number. [out] roots: room for `degree`; turns: NULL, or room for `degree`, with
 * *turn_count: the same of its derivative, near one of which lies every double root. Leading coefficients may
 * be 0. */
int polynomial_roots(const double *coefficients, int degree, double lower, double upper, double *roots,
                     double *turns, int *turn_count);
