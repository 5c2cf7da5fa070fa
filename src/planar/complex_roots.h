/* planar/complex_roots.h - all roots of a complex polynomial of low degree, in extended precision. */
#ifndef PLANAR_COMPLEX_ROOTS_H
#define PLANAR_COMPLEX_ROOTS_H

#include <complex.h>
#include <stdbool.h>

#define COMPLEX_ROOTS_MAX 40

typedef long double complex wide_complex;

/* The value of a polynomial with ascending coefficients; *slope (if not NULL) its derivative. */
wide_complex complex_value(const wide_complex *coefficients, int degree, wide_complex z, wide_complex *slope);

/* The sum of the magnitudes of its terms, up to a factor between 1 and sqrt 2. */
long double complex_size(const wide_complex *coefficients, int degree, wide_complex z);

/* The `degree` roots; coefficients[degree] != 0. [in] roots: `degree` first guesses, all different, if
 * `started`. False where the iteration does not settle. */
bool complex_roots(const wide_complex *coefficients, int degree, wide_complex *roots, bool started);

#endif
