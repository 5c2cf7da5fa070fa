/* Finds the equilibrium at which a network settles from x0. Newton's method may find a different one; a
 * warning then names an entry that differs. Terms as in rest.h: f, u, L, g, s, held states.
 * 1. Start: x0 of each subsystem if given, otherwise its operating point.
 * 2. Time steps: linearly implicit Euler for x' = f, 0 = u - L g - s: (E/dt - R') d = R with R = (f; -(u - L
 *    g - s)), E = 1 for states and 0 for inputs; once over dt, twice over dt/2, and extrapolated to dt -> 0
 *    (order 2, no oscillation for long steps). The step shrinks if both results differ by more than ACCURACY.
 *    A step beyond the time constant of a growing real mode would be Newton's and go to the saddle nearby. It
 *    shrinks, too: det(E/dt - R') has another sign than for short steps.
 * 3. End: the step is LONG times the fastest time constant and nothing moves.
 * Cost: about 600 solutions of the linear system, O(N^3). Excluded: networks with held states, FMUs or more
 * than UNKNOWNS_MAX unknowns. Limitation: the trajectory is followed to about 1e-3, so a start closer than
 * that to the boundary of two basins may end at the wrong equilibrium. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/rest.h"

enum { STEPS_MAX = 3000, UNKNOWNS_MAX = 200 };
/* Allowed error of a step, relative to a state's value or FLOOR times the largest value. */
#define ACCURACY 1e-4
#define FLOOR    0.1
#define FIRST    1e-3
#define LEAST    1e-8
#define LONG     1e12
#define FAR      1e6 /* times the largest value: the system does not come to rest */
#define STILL    1e-10
#define APART    1e-6

static bool is_asked(const model_rest *r) {
    const model_body *body = r->instance->model->body;
    bool formulas = r->solved && r->column_count == r->row_count && r->row_count <= UNKNOWNS_MAX;
    for (int s = 0; s < body->subsystem_count; s++) formulas = formulas && !body->subsystems[s].foreign;
    return formulas;
}

/* Writes the start into z. */
static bool load_start(model_rest *r, double *z) {
    const model_body *body = r->instance->model->body;
    if (!rest_load(r, z)) return false;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        for (int i = 0; i < from->states && from->x0 >= 0; i++)
            if (r->unknown[r->state[s] + i]) z[r->state[s] + i] = r->instance->slots[from->x0 + i];
    }
    return true;
}

static double derivative(const model_rest *r, int i, int j) {
    return r->J[(size_t)r->rows[j] * (size_t)r->size + (size_t)r->rows[i]];
}

/* Returns the fastest rate of the states, in the units of the unknowns. */
static double fastest(const model_rest *r) {
    double most = 0;
    for (int i = 0; i < r->row_count && r->rows[i] < r->states; i++)
        for (int j = 0; j < r->row_count; j++)
            most = fmax(most, fabs(derivative(r, i, j)) * r->column_units[j] / r->column_units[i]);
    return most;
}

/* Returns the largest value of the start and the equilibrium, in the units of the unknowns. */
static double largest(const model_rest *r, const double *start) {
    double most = 0;
    for (int j = 0; j < r->row_count; j++)
        most = fmax(most, fmax(fabs(r->z[r->rows[j]]), fabs(start[r->rows[j]])) / r->column_units[j]);
    return most;
}

/* Computes next = z + d of a step dt from known F and J at z. [out] *sign: of the determinant. */
static bool take_step(model_rest *r, const double *z, double dt, lapack_int *pivots, double *next,
                      int *sign) {
    const size_t n = (size_t)r->row_count;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) r->matrix[j * n + i] = -derivative(r, (int)i, (int)j);
    for (size_t i = 0; i < n; i++) {
        if (r->rows[i] < r->states) r->matrix[i * n + i] += 1 / dt;
        r->right[i] = r->F[r->rows[i]];
    }
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)n, 1, r->matrix, (int)n, pivots, r->right, (int)n) != 0)
        return false;
    if (next != z) memcpy(next, z, (size_t)r->size * sizeof *z);
    *sign = 1;
    for (size_t i = 0; i < n; i++) {
        next[r->rows[i]] += r->right[i];
        if ((pivots[i] != (lapack_int)i + 1) != (r->matrix[i * n + i] < 0)) *sign = -*sign;
    }
    return true;
}

/* Returns the largest difference of a state, relative to its value in `z`. */
static double difference(const model_rest *r, const double *a, const double *b, const double *z,
                         double most) {
    double largest = 0;
    for (int j = 0; j < r->row_count && r->rows[j] < r->states; j++) {
        const int k = r->rows[j];
        largest = fmax(largest, fabs(a[k] - b[k]) / (fabs(z[k]) + FLOOR * most * r->column_units[j]));
    }
    return largest;
}

/* Follows the network from z until it settles. Requires F and J at z. */
static bool settle(model_rest *r, double *z, double most, double rate, lapack_int *pivots, double *once,
                   double *twice) {
    double dt = FIRST / rate;
    int first, signs[3];
    if (!take_step(r, z, LEAST / rate, pivots, once, &first)) return false;
    for (int k = 0; k < STEPS_MAX; k++) {
        bool fine = take_step(r, z, dt, pivots, once, &signs[0]) &&
                    take_step(r, z, dt / 2, pivots, twice, &signs[1]) &&
                    rest_evaluate(r, twice, r->F, r->terms, r->J) &&
                    take_step(r, twice, dt / 2, pivots, twice, &signs[2]) && signs[0] == first &&
                    signs[1] == first && signs[2] == first;
        const double error = fine ? difference(r, once, twice, z, most) : 1;
        for (int i = 0; i < r->size && fine; i++) twice[i] += twice[i] - once[i];
        fine = fine && error <= ACCURACY && rest_evaluate(r, twice, r->F, r->terms, r->J);
        if (!fine) {
            dt /= 3;
            if (dt * rate < LEAST || !rest_evaluate(r, z, r->F, r->terms, r->J)) return false;
            continue;
        }
        const double change = difference(r, twice, z, z, most);
        memcpy(z, twice, (size_t)r->size * sizeof *z);
        for (int j = 0; j < r->row_count; j++)
            if (!(fabs(z[r->rows[j]]) <= FAR * most * r->column_units[j])) return false;
        if (dt * rate > LONG && change < STILL) return true;
        if (error < ACCURACY / 4) dt *= 2;
    }
    return false;
}

costab_status rest_settle(model_rest *r, int *entry, double *there, costab_error *error) {
    *entry = -1;
    if (!is_asked(r)) return COSTAB_OK;
    const size_t size = (size_t)r->size;
    memory_local_array(double, z, 3 * size + 1, error);
    memory_local_array(lapack_int, pivots, size + 1, error);
    if (!rest_evaluate(r, r->z, r->F, r->terms, r->J) || !rest_step(r)) return COSTAB_OK;
    const double rate = fastest(r);
    if (!load_start(r, z) || !rest_evaluate(r, z, r->F, r->terms, r->J)) return COSTAB_OK;
    const double most = largest(r, z);
    if (!(rate > 0 && most > 0) || !settle(r, z, most, rate, pivots, z + size, z + 2 * size))
        return COSTAB_OK;
    double furthest = APART * most;
    for (int j = 0; j < r->row_count && r->rows[j] < r->states; j++) {
        const double apart = fabs(z[r->rows[j]] - r->z[r->rows[j]]) / r->column_units[j];
        if (apart <= furthest) continue;
        furthest = apart;
        *entry = r->rows[j];
        *there = z[r->rows[j]];
    }
    return COSTAB_OK;
}
