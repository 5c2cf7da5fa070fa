/* network/newton.h - Newton's method for small systems. */
#pragma once

#include "network/arena.h"

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

/* Workspace that keeps the factors of the last Jacobian from one call of newton_solve to the next. */
typedef struct newton_space {
    int n;         /* unknowns */
    bool factored; /* `work` and `iwork` hold the factors */
    double *work;  /* newton_work(n) */
    int *iwork;    /* newton_iwork(n) */
} newton_space;

/* Takes the workspace for n unknowns from an arena, without factors. */
newton_space newton_lay(network_arena *arena, int n);

/* Solves r(y) = 0 like newton_run, with a Jacobian by differences. Solving starts with the factors of the
 * call before, if there are any, and forms a new Jacobian only if these do not converge fast. */
costab_status newton_solve(newton_space *space, newton_residual residual, void *context, double *y,
                           bool *found, costab_error *error);
