/* network/newton.h - Newton's method for small systems. */
#pragma once

#include "network/arena.h"

typedef costab_status (*newton_residual)(void *context, const double *y, double *r, costab_error *error);

/* [out] jacobian: dr/dy, n x n, row-major. [out] size: per unknown the magnitude of the terms that it results
 * from; changes by the rounding of this magnitude are insignificant even if the unknown is smaller. */
typedef costab_status (*newton_derivative)(void *context, const double *y, double *jacobian, double *size,
                                           costab_error *error);

typedef struct newton_problem {
    int n;
    newton_residual residual;
    newton_derivative derivative; /* NULL: by differences; all unknowns then have the same magnitude */
    void *context;
} newton_problem;

/* Doubles of workspace for n unknowns. */
size_t newton_work(int n);

/* Solves r(y) = 0 in place from the initial value y. work: newton_work(n); iwork: n. [out] *found: it
 * converged; otherwise y is undefined. A status other than COSTAB_OK comes from the problem's functions. */
costab_status newton_run(const newton_problem *problem, double *y, double *work, int *iwork, bool *found,
                         costab_error *error);

/* Workspace that stores the factors of the last Jacobian for the next call of newton_solve. */
typedef struct newton_space {
    int n;         /* unknowns */
    bool factored; /* `work` and `iwork` contain the factors */
    double *work;  /* newton_work(n) */
    int *iwork;    /* n */
} newton_space;

/* Takes a workspace for n unknowns, without factors, from an arena. */
newton_space newton_lay(network_arena *arena, int n);

/* Like newton_run with a Jacobian by differences. The iteration first reuses the factors of the previous
 * call, and forms a new Jacobian only if convergence is slow. */
costab_status newton_solve(newton_space *space, newton_residual residual, void *context, double *y,
                           bool *found, costab_error *error);
