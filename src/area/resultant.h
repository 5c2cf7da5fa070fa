/* area/resultant.h - resultants and discriminants of polynomials in a and d, with respect to d. */
#pragma once

#include <stdbool.h>

#include "area/watch.h"
#include "base/flint.h"

/* A polynomial in a and d: the sum of coefficient[k] d^k, k <= degree, with polynomials in a as coefficients.
 * The leading one is not the zero polynomial. */
typedef struct bivariate {
    int degree;
    fmpz_poly_struct *coefficient;
} bivariate;

/* The resultant of f and g, a polynomial in a. It vanishes if both have a common root, or both lose their
 * leading terms. For g = f (degree >= 2), the discriminant of f, which vanishes if two roots coincide. [out]
 * resultant: initialised. Returns false if the search is stopped. */
bool resultant_in_d(fmpz_poly_t resultant, const bivariate *f, const bivariate *g, search_watch *watch);

/* Estimated number of operations. */
double resultant_cost(const bivariate *f, const bivariate *g);
