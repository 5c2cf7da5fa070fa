/* network/newton.h - Newton's method with differences for the Jacobian, for small systems. */
#ifndef NETWORK_NEWTON_H
#define NETWORK_NEWTON_H

#include "costab/base.h"

typedef costab_status (*newton_residual)(void *context, const double *y, double *r, costab_error *error);

/* Doubles and ints of workspace for n unknowns. */
size_t newton_work(int n);
size_t newton_iwork(int n);

/* Solves r(y) = 0 from the guess y, in place; *found tells whether it converged. A status other than
 * COSTAB_OK comes from the residual. */
costab_status newton_solve(int n, newton_residual residual, void *context, double *y, double *work,
                           int *iwork, bool *found, costab_error *error);

#endif
