/* area/stability.h - the stability functions of a method with exact coefficients. */
#pragma once

#include "area/surd.h"
#include "costab/method.h"

/* The functions phi, P0 and P1 of a macro step (costab/method.h) as quotients of polynomials in z over Z[sqrt
 * D] (surd.h): phi / den, p0 / den and p1 / den, with phi = p0 + p1 and no factor common to all. */
typedef struct method_exact {
    int root; /* D */
    surd_poly phi, p0, p1, den;
} method_exact;

/* [out] exact: clear it with method_exact_clear in any case. A Runge-Kutta method only; the degrees are
 * `substeps` times those of one micro step. False where memory is out. */
bool method_exact_make(const costab_method *method, int substeps, method_exact *exact);
void method_exact_clear(method_exact *exact);
