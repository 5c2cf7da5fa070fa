/* Newton's method with the Jacobian made anew in every iteration, so that a linear system is solved to
 * rounding after two or three of them.
 *
 * An update is measured unknown by unknown, against the unknown and the size of what it is made of. A slope
 * at rest is the small difference of large terms: relative to itself it would never settle, and unknowns in
 * other units would hide it. */
#include "network/newton.h"

#include <float.h>
#include <math.h>

#include "method/matrix.h"

enum { ITERATIONS_MAX = 40 };
/* An update this small, relative, ends the iteration: the next one would be about its square. */
#define SMALL 1e-13
/* Where updates no longer shrink they are rounding, if they are below this. */
#define ROUNDING 1e-9

size_t newton_work(int n) {
    return (size_t)n * (size_t)n + 4 * (size_t)n;
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

/* The Jacobian by forward differences from the residual r at y. */
static costab_status differences(const newton_problem *p, double *y, const double *r, double *shifted,
                                 double *jacobian, double *size, costab_error *error) {
    double most = largest(p->n, y);
    for (int j = 0; j < p->n; j++) {
        double kept = y[j], h = sqrt(DBL_EPSILON) * fmax(fabs(kept), 1e-3 * most);
        if (h == 0) h = sqrt(DBL_EPSILON);
        y[j] = kept + h;
        h = y[j] - kept;
        costab_status status = p->residual(p->context, y, shifted, error);
        y[j] = kept;
        if (status) return status;
        for (int i = 0; i < p->n; i++) jacobian[i * p->n + j] = (shifted[i] - r[i]) / h;
        size[j] = most;
    }
    return COSTAB_OK;
}

/* The largest update beside its unknown; NaN counts as infinite. */
static double measure(int n, const double *update, const double *y, const double *size) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        double moved = update[i] == 0 ? 0 : fabs(update[i]) / fmax(fabs(y[i]), size[i]);
        if (!(moved <= most)) most = isnan(moved) ? (double)INFINITY : moved;
    }
    return most;
}

costab_status newton_run(const newton_problem *p, double *y, double *work, int *iwork, bool *found,
                         costab_error *error) {
    int n = p->n;
    double *jacobian = work, *r = work + (size_t)n * (size_t)n, *update = r + n, *size = update + n;
    double before = (double)INFINITY;
    *found = n == 0;
    for (int k = 0; k < ITERATIONS_MAX && !*found; k++) {
        costab_status status = p->residual(p->context, y, r, error);
        if (!status)
            status = p->derivative != NULL ? p->derivative(p->context, y, jacobian, size, error)
                                           : differences(p, y, r, size + n, jacobian, size, error);
        if (status) return status;
        if (!matrix_factor(n, jacobian, iwork)) return COSTAB_OK;
        for (int i = 0; i < n; i++) update[i] = r[i];
        matrix_solve(n, jacobian, iwork, 1, update);
        for (int i = 0; i < n; i++) y[i] -= update[i];
        double moved = measure(n, update, y, size);
        if (!isfinite(moved)) return COSTAB_OK;
        *found = moved <= SMALL || (moved >= before && moved <= ROUNDING);
        before = moved;
    }
    return COSTAB_OK;
}

costab_status newton_solve(int n, newton_residual residual, void *context, double *y, double *work,
                           int *iwork, bool *found, costab_error *error) {
    newton_problem problem = {n, residual, NULL, context};
    return newton_run(&problem, y, work, iwork, found, error);
}
