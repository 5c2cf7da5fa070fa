/* planar/polynomial.h - real roots of real polynomials of low degree. */
#ifndef PLANAR_POLYNOMIAL_H
#define PLANAR_POLYNOMIAL_H

#define POLYNOMIAL_DEGREE_MAX 40

/* The value of a polynomial with ascending coefficients. */
double polynomial_value(const double *coefficients, int degree, double x);

/* Taylor coefficients about x: shifted[k] = p^(k)(x) / k!, in place of the coefficients. */
void polynomial_shift(double *coefficients, int degree, double x);

/* The points of (lower, upper), which may be infinite, where the polynomial changes its sign, in ascending
 * order. [out] roots: `degree` places; turns: the same of its derivative, or NULL; *turn_count with it.
 * Returns their number. Leading zero coefficients are allowed. */
int polynomial_roots(const double *coefficients, int degree, double lower, double upper, double *roots,
                     double *turns, int *turn_count);

#endif
