/* area/resultant.h - resultants and discriminants of polynomials in a and d, with respect to d. */
#pragma once

#include <stdbool.h>

#include "area/watch.h"
#include "base/flint.h"

/* A polynomial in a and d: the sum of coefficient[k] d^k, k <= degree, whose coefficients are polynomials in
 * a. The leading one is not the zero polynomial. */
typedef struct bivariate {
    int degree;
    fmpz_poly_struct *coefficient;
} bivariate;

/* The resultant of f and g, a polynomial in a that vanishes where both have a common root, or lose their
 * leading terms; with g = f, f's discriminant (degree >= 2), which vanishes where two roots of f are one.
 * [out] resultant: initialised. False where the watch ends it. */
bool resultant_in_d(fmpz_poly_t resultant, const bivariate *f, const bivariate *g, search_watch *watch);

/* An estimate of the operations that it takes. */
double resultant_cost(const bivariate *f, const bivariate *g);
