/* Measures the consistency of given operating points with the network, for warnings: linearised elsewhere,
 * the subsystems give a wrong stability.
 * 1. Network point: with all states and inputs unknown, one Newton step from the given values, with held
 *    states (rest_held.c), approximates the nearest equilibrium of the network.
 * 2. Misfit: the largest relative change of an eigenvalue of the monolithic matrix A + B (I - L D)^-1 L C by
 *    that step, without the eigenvalues near 0, as many as held states. It is dimensionless, and 0 for values
 * without effect on the linearisation.
 * 3. Name: the equation with the largest residual relative to its largest term gives the least consistent
 *    value, preferably an input.
 * Cost: O(N^3) for N states and inputs. Limitation: the step is of first order; crossing eigenvalues are
 * compared with the nearest ones. */
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"
#include "model/rest.h"

/* Larger networks are skipped, since reading a model would take seconds. */
enum { SIZE_MAX_COMPARED = 1000 };
/* NEUTRAL: share of the largest eigenvalue regarded as rounding. FULFILLED: relative residual of a consistent
 * value. */
#define NEUTRAL   1e-12
#define FULFILLED 1e-6

/* ---- Eigenvalues ---- */

/* Computes the eigenvalues of the monolithic matrix from J. *found is false if a feedthrough loop has no
 * solution. */
static costab_status find_eigenvalues(const model_rest *r, double *re, double *im, bool *found,
                                      costab_error *error) {
    const size_t n = (size_t)r->states, m = (size_t)(r->size - r->states), size = (size_t)r->size;
    memory_local_array(double, a, n *n + 1, error);
    memory_local_array(double, loop, m *m + 1, error);
    memory_local_array(double, by_states, m *n + 1, error);
    memory_local_array(lapack_int, pivots, m + 1, error);
    for (size_t j = 0; j < n; j++) {
        memcpy(a + j * n, r->J + j * size, n * sizeof *a);
        memcpy(by_states + j * m, r->J + j * size + n, m * sizeof *a);
    }
    for (size_t j = 0; j < m; j++) memcpy(loop + j * m, r->J + (n + j) * size + n, m * sizeof *a);
    *found = m == 0 ||
             LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)m, (int)n, loop, (int)m, pivots, by_states, (int)m) == 0;
    for (size_t j = 0; j < n && *found; j++)
        for (size_t k = 0; k < m; k++)
            for (size_t i = 0; i < n; i++) a[j * n + i] -= r->J[(n + k) * size + i] * by_states[j * m + k];
    *found =
        *found && LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', (int)n, a, (int)n, re, im, NULL, 1, NULL, 1) == 0;
    return COSTAB_OK;
}

/* Marks the smallest eigenvalues, one per held state. */
static void set_aside(int n, int count, const double *re, const double *im, bool *aside) {
    for (int k = 0; k < count && k < n; k++) {
        int least = -1;
        for (int i = 0; i < n; i++)
            if (!aside[i] && (least < 0 || hypot(re[i], im[i]) < hypot(re[least], im[least]))) least = i;
        aside[least] = true;
    }
}

/* Computes the largest relative difference between eigenvalues of a and the nearest ones of b. */
static costab_status compare(int n, int neutral, const double *const a[2], const double *const b[2],
                             double *misfit, costab_error *error) {
    memory_local_array(bool, aside, (size_t)n + 1, error);
    memory_local_array(bool, used, (size_t)n + 1, error);
    double largest = 0;
    set_aside(n, neutral, a[0], a[1], aside);
    set_aside(n, neutral, b[0], b[1], used);
    for (int i = 0; i < n; i++) largest = fmax(largest, hypot(b[0][i], b[1][i]));
    for (int i = 0; i < n; i++) {
        int near = -1;
        double apart = 0;
        for (int k = 0; k < n && !aside[i]; k++) {
            const double distance = hypot(a[0][i] - b[0][k], a[1][i] - b[1][k]);
            if (used[k] || (near >= 0 && distance >= apart)) continue;
            near = k;
            apart = distance;
        }
        if (near < 0) continue;
        used[near] = true;
        const double modulus = hypot(b[0][near], b[1][near]);
        if (apart > NEUTRAL * largest) *misfit = fmax(*misfit, apart / fmax(modulus, NEUTRAL * largest));
    }
    return COSTAB_OK;
}

/* ---- Names ---- */

/* Returns true if an entry of z is a given value of a nonlinear subsystem. */
static bool is_given(const model_rest *r, int entry) {
    int i;
    const model_subsystem *from = &r->instance->model->body->subsystems[rest_subsystem(r, entry, &i)];
    return r->unknown[entry] && (from->equations != NULL || from->foreign) &&
           (!from->solve || (from->inputs_given && i >= from->states));
}

/* Returns the least consistent entry, preferably an input; -1 if there is none. F and its terms are taken at
 * the given values. */
static int find_worst(const model_rest *r) {
    int worst = -1;
    double most = FULFILLED;
    for (int k = 0; k < r->size; k++) {
        const int i = (r->states + k) % r->size;
        if (worst >= r->states && i < r->states) break;
        const double off = r->terms[i] > 0 ? fabs(r->F[i]) / r->terms[i] : 0;
        if (off <= most || !is_given(r, i)) continue;
        most = off;
        worst = i;
    }
    return worst;
}

static void name(const model_rest *r, model_misfit *found) {
    const int worst = find_worst(r);
    char usual[24];
    int i = 0;
    found->subsystem = worst >= 0 ? rest_subsystem(r, worst, &i) : 0;
    char what[300] = "the operating point does not fit the connections";
    const model_subsystem *from = &r->instance->model->body->subsystems[found->subsystem];
    if (worst >= 0 && worst < r->states)
        (void)snprintf(what, sizeof what, "the operating point is not an equilibrium: |%.80s'| = %.3g there",
                       model_state_name(from, i, usual), fabs(r->F[worst]));
    else if (worst >= 0)
        (void)snprintf(what, sizeof what,
                       "the operating point does not fit the connections: the input %.80s is %.6g there, but "
                       "receives %.6g",
                       from->input_names[i - from->states], r->z[worst], r->z[worst] - r->F[worst]);
    (void)snprintf(
        found->words, sizeof found->words,
        "subsystem '%.60s': %s (misfit %.3g: one step of Newton's method to the equilibrium of the "
        "network changes an eigenvalue by this share); %s to find it",
        from->name, what, found->misfit,
        from->solve ? "leave out 'inputs: given'" : "write 'operating_point: solve' in the model");
}

/* ---- The misfit ---- */

static bool gives_points(const costab_model *model) {
    const model_body *body = model->body;
    bool given = false;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        const bool nonlinear = from->equations != NULL || (from->foreign && !from->sampled);
        given = given || (nonlinear && (!from->solve || from->inputs_given));
    }
    return given && model_has_numbers(model);
}

/* Computes the Newton step from z into r->trial, shortened until values there are finite. Returns false on
 * failure. */
static bool step_to_network(model_rest *r) {
    double share = 1;
    if (!rest_step(r)) return false;
    for (int half = 0; half < 40; half++, share /= 2) {
        memcpy(r->trial, r->z, (size_t)(r->size + r->motions) * sizeof *r->z);
        for (int j = 0; j < r->column_count; j++) r->trial[r->columns[j]] += share * r->step[j];
        rest_drop_roundings(r, NEUTRAL);
        if (rest_evaluate(r, r->trial, r->trial_F, r->trial_terms, r->J)) return true;
    }
    return false;
}

/* Linear subsystems have no given values and take those of the step. */
static void take_linear_values(model_rest *r) {
    const model_body *body = r->instance->model->body;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        if (from->equations != NULL || from->foreign) continue;
        memcpy(r->z + r->state[s], r->trial + r->state[s], (size_t)from->states * sizeof *r->z);
        memcpy(r->z + r->input[s], r->trial + r->input[s], (size_t)from->inputs * sizeof *r->z);
    }
}

static costab_status measure(model_rest *r, model_misfit *found, costab_error *error) {
    const size_t n = (size_t)r->states;
    const model_body *body = r->instance->model->body;
    memory_local_array(double, values, 4 * n + 1, error);
    double *const a[2] = {values, values + n}, *const b[2] = {values + 2 * n, values + 3 * n};
    bool known = true;
    costab_error held = {.status = COSTAB_OK};
    if (n == 0 || !rest_load(r, r->z)) return COSTAB_OK; /* no states, no eigenvalues */
    for (int s = 0; s < body->subsystem_count && r->instance->rest != NULL; s++)
        if (body->subsystems[s].solve) {
            model_rest_point(r->instance->rest, s, r->local);
            memcpy(r->z + r->state[s], r->local, (size_t)body->subsystems[s].states * sizeof *r->z);
            memcpy(r->z + r->input[s], r->local + body->subsystems[s].states,
                   (size_t)body->subsystems[s].inputs * sizeof *r->z);
        }
    if (rest_choose_held(r, r->z, &held) == COSTAB_MEMORY) return error_memory(error);
    if (!rest_evaluate(r, r->z, r->F, r->terms, r->J)) return COSTAB_OK;
    TRY(find_eigenvalues(r, a[0], a[1], &known, error));
    if (!known || !step_to_network(r)) return COSTAB_OK;
    TRY(find_eigenvalues(r, b[0], b[1], &known, error));
    if (!known) return COSTAB_OK;
    int neutral = 0;
    for (int i = 0; i < r->states; i++) neutral += r->held[i];
    TRY(compare(r->states, neutral, (const double *const *)a, (const double *const *)b, &found->misfit,
                error));
    take_linear_values(r);
    if (rest_evaluate(r, r->z, r->F, r->terms, NULL)) name(r, found);
    return COSTAB_OK;
}

costab_status model_misfit_find(costab_model_instance *instance, model_misfit *found, costab_error *error) {
    ends_by(model_rest_free) model_rest *r = NULL;
    *found = (model_misfit){.misfit = 0};
    if (!gives_points(instance->model) || (instance->rest != NULL && !instance->rest->solved))
        return COSTAB_OK;
    TRY(model_rest_make(instance, true, &r, error));
    found->skipped = r->size > SIZE_MAX_COMPARED;
    return found->skipped ? COSTAB_OK : measure(r, found, error);
}

costab_status costab_model_instance_misfit(costab_model_instance *instance, char words[COSTAB_MISFIT_MAX],
                                           costab_error *error) {
    model_misfit found;
    words[0] = '\0';
    TRY(model_misfit_find(instance, &found, error));
    if (found.misfit > MODEL_MISFIT) (void)snprintf(words, COSTAB_MISFIT_MAX, "%s", found.words);
    return COSTAB_OK;
}

bool costab_model_instance_gives_points(const costab_model_instance *instance) {
    return gives_points(instance->model);
}
