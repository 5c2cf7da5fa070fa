/* Finds the equilibrium at which a network settles from x0. Newton's method may find a different one; a
 * warning then names an entry that differs. Terms as in rest.h: f, u, L, g, s, held states.
 * 1. Start: x0 of each subsystem if given, otherwise its operating point.
 * 2. Time steps: linearly implicit Euler for x' = f, 0 = u - L g - s: (E/dt - R') d = R with R = (f; -(u - L
 *    g - s)), E = 1 for states and 0 for inputs. The step grows by half. It shrinks to a third if a state
 *    changes by more than CHANGE relative to itself (at least FLOOR of the largest value).
 * 3. End: the step is LONG times the fastest time constant and nothing moves.
 * Cost: about 200 solutions of the linear system, O(N^3). Excluded: networks with held states, FMUs or more
 * than UNKNOWNS_MAX unknowns. Limitation: the trajectory is followed to about 30 %, so a start near the
 * boundary of two basins may end at the wrong equilibrium. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/rest.h"

enum { STEPS_MAX = 1000, UNKNOWNS_MAX = 200 };
#define CHANGE 0.3
#define FLOOR  1e-3
#define FIRST  1e-3
#define LEAST  1e-6
#define LONG   1e12
#define STILL  1e-10
#define APART  1e-6

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

/* Computes the change d over dt into r->right from known F and J. */
static bool find_change(model_rest *r, double dt, lapack_int *pivots) {
    const size_t n = (size_t)r->row_count;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) r->matrix[j * n + i] = -derivative(r, (int)i, (int)j);
    for (size_t i = 0; i < n; i++) {
        if (r->rows[i] < r->states) r->matrix[i * n + i] += 1 / dt;
        r->right[i] = r->F[r->rows[i]];
    }
    return LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)n, 1, r->matrix, (int)n, pivots, r->right, (int)n) == 0;
}

/* Returns the largest relative change of a state. */
static double share_of_change(const model_rest *r, const double *z, double most) {
    double share = 0;
    for (int j = 0; j < r->row_count && r->rows[j] < r->states; j++)
        share = fmax(share, fabs(r->right[j]) / (fabs(z[r->rows[j]]) + FLOOR * most * r->column_units[j]));
    return share;
}

/* Follows the network from z until it settles. Requires F and J at z. */
static bool settle(model_rest *r, double *z, double most, double rate, lapack_int *pivots) {
    double dt = FIRST / rate;
    for (int k = 0; k < STEPS_MAX; k++) {
        if (!find_change(r, dt, pivots)) return false;
        const double change = share_of_change(r, z, most);
        memcpy(r->trial, z, (size_t)r->size * sizeof *z);
        for (int j = 0; j < r->row_count; j++) r->trial[r->rows[j]] += r->right[j];
        const bool fine = rest_evaluate(r, r->trial, r->trial_F, r->trial_terms, NULL);
        if (!fine || (change > CHANGE && dt * rate > LEAST)) {
            dt /= 3;
            if (dt * rate < LEAST / 100) return false;
            continue;
        }
        memcpy(z, r->trial, (size_t)r->size * sizeof *z);
        if (!rest_evaluate(r, z, r->F, r->terms, r->J)) return false;
        if (dt * rate > LONG && change < STILL) return true;
        dt *= 1.5;
    }
    return false;
}

costab_status rest_settle(model_rest *r, int *entry, double *there, costab_error *error) {
    *entry = -1;
    if (!is_asked(r)) return COSTAB_OK;
    memory_local_array(double, z, (size_t)r->size + 1, error);
    memory_local_array(lapack_int, pivots, (size_t)r->size + 1, error);
    if (!rest_evaluate(r, r->z, r->F, r->terms, r->J) || !rest_step(r)) return COSTAB_OK;
    const double rate = fastest(r);
    if (!load_start(r, z) || !rest_evaluate(r, z, r->F, r->terms, r->J)) return COSTAB_OK;
    const double most = largest(r, z);
    if (!(rate > 0 && most > 0) || !settle(r, z, most, rate, pivots)) return COSTAB_OK;
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
