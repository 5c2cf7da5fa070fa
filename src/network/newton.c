/* Newton's method: the Jacobian by forward differences in every iteration, so that a linear system is solved
 * to rounding after two or three of them. */
#include <float.h>
#include <math.h>

#include "method/matrix.h"
#include "network/newton.h"

enum { ITERATIONS_MAX = 40 };
/* An update this small, relative, ends the iteration: the next one would be about its square. */
#define SMALL 1e-13
/* Where updates no longer shrink they are rounding, if they are below this. */
#define ROUNDING 1e-9

size_t newton_work(int n) {
    return (size_t)n * (size_t)n + 3 * (size_t)n;
}

size_t newton_iwork(int n) {
    return (size_t)n;
}

static double largest(int n, const double *values) {
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(values[i]) <= most)) most = fabs(values[i]);
    return most;
}

costab_status newton_solve(int n, newton_residual residual, void *context, double *y, double *work,
                           int *iwork, bool *found, costab_error *error) {
    double *jacobian = work, *r = work + (size_t)n * (size_t)n, *shifted = r + n, *update = shifted + n;
    double before = (double)INFINITY;
    *found = n == 0;
    for (int k = 0; k < ITERATIONS_MAX && !*found; k++) {
        costab_status status = residual(context, y, r, error);
        if (status != COSTAB_OK) return status;
        double size = largest(n, y);
        for (int j = 0; j < n; j++) {
            double kept = y[j], h = sqrt(DBL_EPSILON) * fmax(fabs(kept), 1e-3 * size);
            if (h == 0) h = sqrt(DBL_EPSILON);
            y[j] = kept + h;
            h = y[j] - kept;
            status = residual(context, y, shifted, error);
            y[j] = kept;
            if (status != COSTAB_OK) return status;
            for (int i = 0; i < n; i++) jacobian[i * n + j] = (shifted[i] - r[i]) / h;
        }
        if (!matrix_factor(n, jacobian, iwork)) return COSTAB_OK;
        for (int i = 0; i < n; i++) update[i] = r[i];
        matrix_solve(n, jacobian, iwork, 1, update);
        for (int i = 0; i < n; i++) y[i] -= update[i];
        double moved = largest(n, update);
        size = fmax(largest(n, y), size);
        if (!isfinite(moved)) return COSTAB_OK;
        *found = moved <= SMALL * size || (moved >= before && moved <= ROUNDING * size) || moved == 0;
        before = moved;
    }
    return COSTAB_OK;
}
