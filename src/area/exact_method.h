/* area/exact_method.h - tableaus of Runge-Kutta methods in exact numbers, and the functions phi, P0 and P1 of
 * macro steps with exact coefficients, for areas, critical values and planar points. */
#pragma once

#include "area/number.h"
#include "area/surd.h"
#include "costab/method.h"

/* ---- Tableaus ---- */

/* u + v sqrt(root) */
typedef struct surd_matrix {
    fmpq_mat_t u, v;
} surd_matrix, surd_matrix_t[1];

typedef struct exact_tableau {
    bool exact;          /* true: the numbers of the source text; false: the method's doubles */
    int radicand;        /* D: 2 or 3; 0: all entries are rational */
    surd_matrix A, b, c; /* s x s, 1 x s, s x 1 */
} exact_tableau;

/* Parses a method's source text. The method's doubles are used instead (exact = false) if the numbers do not
 * belong to one Q(sqrt D), b does not sum to 1, or c is not A times the vector of ones. [out] tableau: must
 * be cleared in any case. Returns false if memory is exhausted. */
bool exact_tableau_init(exact_tableau *tableau, const costab_method *method);
void exact_tableau_clear(exact_tableau *tableau);

/* The functions phi, P0 and P1 of a macro step (costab/method.h) as quotients of polynomials in z over Z[sqrt
 * D] (surd.h): phi / den, p0 / den and p1 / den, with phi = p0 + p1 and no factor common to all. */
typedef struct method_exact {
    int radicand; /* D; 0 if all polynomials are rational */
    surd_poly phi, p0, p1, den;
} method_exact;

/* For Runge-Kutta methods. The degrees are `substeps` times those of one micro step. [out] exact: must be
 * cleared in any case. Returns false if memory is exhausted. */
bool method_exact_make(const costab_method *method, int substeps, method_exact *exact);
void method_exact_clear(method_exact *exact);
