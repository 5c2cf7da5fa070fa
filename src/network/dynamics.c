/* A subsystem's functions, and Runge-Kutta steps that evaluate them stage by stage. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/dynamics.h"
#include "network/newton.h"

void dynamics_sources(const costab_network *network, int s, double t, double *u) {
    for (int i = 0; i < network->source_count; i++)
        if (network->sources[i].subsystem == s)
            u[network->sources[i].input] += network->sources[i].value(network->sources[i].context, t);
}

bool dynamics_has_sources(const costab_network *network, int s) {
    for (int i = 0; i < network->source_count; i++)
        if (network->sources[i].subsystem == s) return true;
    return false;
}

costab_status dynamics_slope(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                             double *dx, costab_error *error) {
    if (subsystem->dynamics != NULL)
        return subsystem->dynamics->f(subsystem->dynamics->context, t, x, u, dx, error);
    matrix_multiply(subsystem->states, subsystem->states, 1, subsystem->A, x, dx);
    matrix_multiply_add(subsystem->states, subsystem->inputs, 1, subsystem->B, u, dx);
    return COSTAB_OK;
}

costab_status dynamics_output(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                              double *y, costab_error *error) {
    if (subsystem->dynamics != NULL)
        return subsystem->dynamics->g(subsystem->dynamics->context, t, x, u, y, error);
    matrix_multiply(subsystem->outputs, subsystem->states, 1, subsystem->C, x, y);
    if (subsystem->D != NULL)
        matrix_multiply_add(subsystem->outputs, subsystem->inputs, 1, subsystem->D, u, y);
    return COSTAB_OK;
}

/* A column of A or B by a forward difference of f, which is dx at x and u; `at` is one of the values of x or
 * u. */
static costab_status difference(const costab_subsystem *subsystem, double t, const double *x, const double *u,
                                const double *dx, double *at, double step, double *shifted,
                                costab_error *error) {
    double kept = *at;
    *at = kept + step;
    step = *at - kept;
    costab_status status = dynamics_slope(subsystem, t, x, u, shifted, error);
    *at = kept;
    for (int i = 0; i < subsystem->states; i++) shifted[i] = (shifted[i] - dx[i]) / step;
    return status;
}

/* The derivatives of f by the states and the inputs, where f is dx. `work` has room for a column. x and u are
 * in the end as they were. */
static costab_status derivatives(const costab_subsystem *subsystem, double t, double *x, double *u,
                                 const double *dx, double *A, double *B, double *work, costab_error *error) {
    const costab_dynamics *d = subsystem->dynamics;
    int n = subsystem->states, m = subsystem->inputs;
    if (d == NULL) memcpy(A, subsystem->A, (size_t)(n * n) * sizeof *A);
    if (d == NULL && m > 0) memcpy(B, subsystem->B, (size_t)(n * m) * sizeof *B);
    if (d == NULL) return COSTAB_OK;
    if (d->jacobian != NULL) return d->jacobian(d->context, t, x, u, A, B, error);
    costab_status status = COSTAB_OK;
    for (int j = 0; j < n + m && !status; j++) {
        double *at = j < n ? &x[j] : &u[j - n], step = sqrt(DBL_EPSILON) * fabs(*at);
        status = difference(subsystem, t, x, u, dx, at, step > 0 ? step : sqrt(DBL_EPSILON), work, error);
        for (int i = 0; i < n; i++) (j < n ? A + i * n + j : B + i * m + j - n)[0] = work[i];
    }
    return status;
}

static double value_at(const dynamics_input *input, int i, double dt) {
    double value = input->rate[input->degree][i];
    for (int l = input->degree - 1; l >= 0; l--) value = input->rate[l][i] + dt * value;
    return value;
}

void dynamics_shift(const dynamics_input *input, int i, double dt, double c[MATRIX_POWERS]) {
    for (int l = 0; l < MATRIX_POWERS; l++) c[l] = l <= input->degree ? input->rate[l][i] : 0;
    for (int first = 0; first < input->degree; first++)
        for (int l = input->degree - 1; l >= first; l--) c[l] += dt * c[l + 1];
}

/* The stages of one step: slopes k_i at x + h sum a_ij k_j. */
typedef struct stages {
    const costab_network *network;
    int s;
    double t, h;
    const dynamics_input *input;
    const double *x;
    double *at, *u, *slope, *A, *B, *column; /* of the stage at hand */
} stages;

static costab_status stage_slope(const stages *g, int i, const double *k, double *out, costab_error *error) {
    const costab_subsystem *subsystem = &g->network->subsystems[g->s];
    const costab_method *method = &subsystem->method;
    int n = subsystem->states, count = method->implicit ? method->stages : i;
    double t = g->t + method->c[i] * g->h;
    memcpy(g->at, g->x, (size_t)n * sizeof *g->at);
    for (int j = 0; j < count; j++)
        for (int r = 0; r < n && method->A[i][j] != 0; r++) g->at[r] += g->h * method->A[i][j] * k[j * n + r];
    for (int r = 0; r < subsystem->inputs; r++) g->u[r] = value_at(g->input, r, t - g->input->t0);
    dynamics_sources(g->network, g->s, t, g->u);
    return dynamics_slope(subsystem, t, g->at, g->u, out, error);
}

static costab_status stage_residual(void *context, const double *k, double *r, costab_error *error) {
    const stages *g = (const stages *)context;
    const costab_subsystem *subsystem = &g->network->subsystems[g->s];
    int n = subsystem->states;
    for (int i = 0; i < subsystem->method.stages; i++) {
        costab_status status = stage_slope(g, i, k, g->slope, error);
        if (status) return status;
        for (int j = 0; j < n; j++) r[i * n + j] = k[i * n + j] - g->slope[j];
    }
    return COSTAB_OK;
}

/* The Jacobian of the stages, of blocks I [i = j] - h a_ij A_i, and the size of what the slopes are made of:
 * the terms of f to first order, and changes of the states over h. */
static costab_status stage_derivative(void *context, const double *k, double *jacobian, double *size,
                                      costab_error *error) {
    const stages *g = (const stages *)context;
    const costab_subsystem *subsystem = &g->network->subsystems[g->s];
    const costab_method *method = &subsystem->method;
    int n = subsystem->states, m = subsystem->inputs, all = n * method->stages;
    for (int i = 0; i < method->stages; i++) {
        costab_status status = stage_slope(g, i, k, g->slope, error);
        if (!status)
            status = derivatives(subsystem, g->t + method->c[i] * g->h, g->at, g->u, g->slope, g->A, g->B,
                                 g->column, error);
        if (status) return status;
        for (int r = 0; r < n; r++) {
            double *row = jacobian + (i * n + r) * all, sum = fabs(g->x[r]) / fabs(g->h) + fabs(g->slope[r]);
            for (int j = 0; j < all; j++)
                row[j] = (j == i * n + r) - g->h * method->A[i][j / n] * g->A[r * n + j % n];
            for (int c = 0; c < n; c++) sum += fabs(g->A[r * n + c] * g->at[c]);
            for (int c = 0; c < m; c++) sum += fabs(g->B[r * m + c] * g->u[c]);
            size[i * n + r] = sum;
        }
    }
    return COSTAB_OK;
}

size_t dynamics_work(const costab_subsystem *subsystem) {
    int n = subsystem->states, m = subsystem->inputs, unknowns = subsystem->method.stages * n;
    return (size_t)(3 * n + m) + (size_t)(n * (n + m)) + (size_t)unknowns + newton_work(unknowns);
}

size_t dynamics_iwork(const costab_subsystem *subsystem) {
    return newton_iwork(subsystem->method.stages * subsystem->states);
}

costab_status dynamics_step(const costab_network *network, int s, double t, double h,
                            const dynamics_input *input, double *x, double *work, int *iwork,
                            costab_error *error) {
    const costab_subsystem *subsystem = &network->subsystems[s];
    const costab_method *method = &subsystem->method;
    int n = subsystem->states, m = subsystem->inputs, unknowns = method->stages * n;
    double *A = work + 3 * n + m, *B = A + n * n, *k = B + n * m;
    stages g = {network, s, t, h, input, x, work, work + n, work + n + m, A, B, work + 2 * n + m};
    costab_status status = COSTAB_OK;
    if (method->implicit) {
        bool found = false;
        for (int i = 0; i < unknowns; i++) k[i] = 0;
        newton_problem problem = {unknowns, stage_residual, stage_derivative, &g};
        status = newton_run(&problem, k, k + unknowns, iwork, &found, error);
        if (!status && !found)
            return error_set(
                error, COSTAB_NUMERIC,
                "subsystem '%s' at t = %.6g: the stage equations of %s were not solved; take a smaller step",
                subsystem->name, t, method->name);
    } else {
        for (int i = 0; i < method->stages && !status; i++) status = stage_slope(&g, i, k, k + i * n, error);
    }
    if (status) return status;
    for (int i = 0; i < method->stages; i++)
        for (int j = 0; j < n; j++) x[j] += h * method->b[i] * k[i * n + j];
    return COSTAB_OK;
}
