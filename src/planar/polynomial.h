/* planar/polynomial.h - real roots of real polynomials of low degree. */
#pragma once

#define POLYNOMIAL_DEGREE_MAX 40

/* The value of a polynomial with ascending coefficients. */
double polynomial_value(const double *coefficients, int degree, double x);

/* Taylor coefficients about x: shifted[k] = p^(k)(x) / k!, in place of the coefficients. */
void polynomial_shift(double *coefficients, int degree, double x);

/* The points of (lower, upper), which may be infinite, where the polynomial changes its sign, in ascending
 * order. [out] roots: `degree` places; turns: `degree` places, or NULL: the same of its derivative, so that
 * every place where the polynomial comes close to zero without a change of sign is near one of them;
 * *turn_count with it. Returns the
 * number of roots. Leading zero coefficients are allowed. */
int polynomial_roots(const double *coefficients, int degree, double lower, double upper, double *roots,
                     double *turns, int *turn_count);
