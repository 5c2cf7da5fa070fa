/* area/tableau.h - the tableau of a Runge-Kutta method in exact numbers of Q(sqrt D). */
#pragma once

#include "area/number.h"
#include "costab/method.h"

/* u + v sqrt(root) */
typedef struct surd_matrix {
    fmpq_mat_t u, v;
} surd_matrix, surd_matrix_t[1];

void surd_matrix_init(surd_matrix *M, slong rows, slong columns);
void surd_matrix_clear(surd_matrix *M);
FLINT_LOCAL(surd_matrix)

typedef struct exact_tableau {
    bool exact;          /* the entries are those that were written; else they are the method's doubles */
    int root;            /* D: 2 or 3; 0 where all are rational */
    surd_matrix A, b, c; /* s x s, 1 x s, s x 1 */
} exact_tableau;

/* Reads a method's source text. Where that is not written in numbers of one Q(sqrt D), or where b does not
 * sum to 1 or c is not A times the vector of ones, the method's doubles are taken (exact = false). [out]
 * tableau: clear it in any case. False where memory is out. */
bool exact_tableau_init(exact_tableau *tableau, const costab_method *method);
void exact_tableau_clear(exact_tableau *tableau);

/* entry := one entry of a matrix of the tableau as a ball. */
void exact_tableau_entry(const exact_tableau *tableau, const surd_matrix *M, slong i, slong j,
                         slong precision, acb_t entry);
