/* Newton's method for r(y) = 0 with a few unknowns.
 *
 * Simplified method, if factors of an earlier Jacobian exist (newton_solve): y is updated with these factors.
 * It has converged if the second or a later update is below 1e-13. If an update exceeds a tenth of the
 * previous update, y is reset and Newton's method follows.
 *
 * Newton's method:
 * 1. Compute the Jacobian dr/dy in every iteration, by the caller or by forward differences, and factor it.
 * 2. Subtract the update J^-1 r from y. A linear system is solved to rounding after two or three iterations.
 * 3. Stop if the largest relative update is below 1e-13, or is below 1e-9 and does not decrease (rounding).
 *    An update is relative to the larger of the unknown and the magnitude of the terms that it results from:
 *    a slope at rest is a small difference of large terms and would not converge relative to itself.
 *
 * Cost: an evaluation and n^2 per simplified iteration; n + 1 evaluations (by differences) and n^3 per Newton
 * iteration, at most 40. Limitation: a poor initial value may not converge; *found reports it. */
#include "network/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "method/matrix.h"

enum { ITERATIONS_MAX = 40 };
/* Convergence: the next update would be about the square of this. */
#define SMALL 1e-13
/* Updates below this bound may be rounding. */
#define ROUNDING 1e-9
/* Largest ratio of successive updates in the simplified method. */
#define CONTRACTION 0.1

size_t newton_work(int n) {
    return (size_t)n * (size_t)n + 4 * (size_t)n;
}

/* The largest modulus; NaN if a value is. */
static double largest(int n, const double *values) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        if (isnan(values[i])) return values[i];
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

/* Computes the Jacobian by forward differences from the residual r at y. */
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

/* Largest relative update; infinite if an update is NaN. */
static double largest_update(int n, const double *update, const double *y, const double *size) {
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
        TRY(p->residual(p->context, y, r, error));
        TRY(p->derivative != NULL ? p->derivative(p->context, y, jacobian, size, error)
                                  : differences(p, y, r, size + n, jacobian, size, error));
        if (!matrix_factor(n, jacobian, iwork)) return COSTAB_OK;
        for (int i = 0; i < n; i++) update[i] = r[i];
        matrix_solve(n, jacobian, iwork, 1, update);
        for (int i = 0; i < n; i++) y[i] -= update[i];
        double moved = largest_update(n, update, y, size);
        if (!isfinite(moved)) return COSTAB_OK;
        *found = moved <= SMALL || (moved >= before && moved <= ROUNDING);
        before = moved;
    }
    return COSTAB_OK;
}

newton_space newton_lay(network_arena *arena, int n) {
    return (newton_space){.n = n,
                          .work = arena_take(arena, newton_work(n), sizeof(double)),
                          .iwork = arena_take(arena, (size_t)n, sizeof(int))};
}

/* Runs the simplified method; resets y if it does not converge. */
static costab_status run_with_factors(const newton_problem *p, newton_space *space, double *y, bool *found,
                                      costab_error *error) {
    int n = p->n;
    double *jacobian = space->work, *update = jacobian + (size_t)n * (size_t)n, *size = update + n,
           *guess = size + n, before = (double)INFINITY;
    memcpy(guess, y, (size_t)n * sizeof *guess);
    for (int k = 0; !*found; k++) {
        TRY(p->residual(p->context, y, update, error));
        matrix_solve(n, jacobian, space->iwork, 1, update);
        for (int i = 0; i < n; i++) y[i] -= update[i];
        const double most = largest(n, y);
        for (int i = 0; i < n; i++) size[i] = most;
        double moved = largest_update(n, update, y, size);
        *found = k > 0 && moved <= SMALL;
        if (!*found && !(moved <= CONTRACTION * before)) break;
        before = moved;
    }
    if (!*found) memcpy(y, guess, (size_t)n * sizeof *guess);
    return COSTAB_OK;
}

costab_status newton_solve(newton_space *space, newton_residual residual, void *context, double *y,
                           bool *found, costab_error *error) {
    const newton_problem problem = {space->n, residual, NULL, context};
    *found = false;
    if (space->factored) TRY(run_with_factors(&problem, space, y, found, error));
    if (*found) return COSTAB_OK;
    space->factored = false;
    TRY(newton_run(&problem, y, space->work, space->iwork, found, error));
    space->factored = *found && space->n > 0;
    return COSTAB_OK;
}
