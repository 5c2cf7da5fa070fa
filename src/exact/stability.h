/* exact/stability.h - the stability functions of a method with exact coefficients. */
#pragma once

#include "costab/method.h"
#include "exact/surd.h"

/* phi, P0 and P1 of a macro step as quotients of polynomials in z with integer coefficients (surd.h): phi /
 * den and so on, with phi = P0 + P1 and without a common factor. */
typedef struct method_exact {
    int root; /* of the coefficients */
    surd_poly phi, p0, p1, den;
} method_exact;

/* [out] exact: clear it with method_exact_clear in any case. A Runge-Kutta method only; the degrees are
 * `substeps` times those of one micro step. False where memory is out. */
bool method_exact_make(const costab_method *method, int substeps, method_exact *exact);
void method_exact_clear(method_exact *exact);
