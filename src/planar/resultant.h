/* planar/resultant.h - resultants of polynomials in a and d, with respect to d. */
#ifndef PLANAR_RESULTANT_H
#define PLANAR_RESULTANT_H

#include <stdbool.h>

#include "base/flint.h"

/* The resultant of f = sum of f[k] d^k, k <= f_degree, and g, with coefficients that are polynomials in a: a
 * polynomial in a that vanishes where f and g have a common root, or both lose their leading term.
 * f[f_degree] and g[g_degree] are not the zero polynomial. */
void resultant_in_d(fmpz_poly_t resultant, const fmpz_poly_struct *f, slong f_degree,
                    const fmpz_poly_struct *g, slong g_degree);

#endif
