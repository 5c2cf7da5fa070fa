/* network/newton.h - Newton's method for small systems. */
#pragma once

#include "costab/base.h"

typedef costab_status (*newton_residual)(void *context, const double *y, double *r, costab_error *error);

/* [out] jacobian: dr/dy, n x n, row-major. [out] size: for each unknown, how large the quantities are that it
 * is made of: a change of the unknown by the rounding of that size means nothing, however small the unknown
 * itself is. */
typedef costab_status (*newton_derivative)(void *context, const double *y, double *jacobian, double *size,
                                           costab_error *error);

typedef struct newton_problem {
    int n;
    newton_residual residual;
    newton_derivative derivative; /* NULL: by differences; all unknowns are then taken to be of one size */
    void *context;
} newton_problem;

/* Doubles and ints of workspace for n unknowns. */
size_t newton_work(int n);
size_t newton_iwork(int n);

/* Solves r(y) = 0 from the guess y, in place; *found tells whether it converged. A status other than
 * COSTAB_OK comes from the problem's functions. */
costab_status newton_run(const newton_problem *problem, double *y, double *work, int *iwork, bool *found,
                         costab_error *error);

/* The same, with differences. */
costab_status newton_solve(int n, newton_residual residual, void *context, double *y, double *work,
                           int *iwork, bool *found, costab_error *error);
