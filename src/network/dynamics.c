/* A subsystem's functions, and Runge-Kutta steps that evaluate them stage by stage. */
#include <string.h>

#include "base/error.h"
#include "method/matrix.h"
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

/* The stages of one step: slopes k_i at x + h sum a_ij k_j. */
typedef struct stages {
    const costab_network *network;
    int s;
    double t, h;
    const dynamics_input *input;
    const double *x;
    double *at, *u, *slope;
} stages;

static costab_status stage_slope(const stages *g, int i, const double *k, double *out, costab_error *error) {
    const costab_subsystem *subsystem = &g->network->subsystems[g->s];
    const costab_method *method = &subsystem->method;
    int n = subsystem->states, count = method->implicit ? method->stages : i;
    double t = g->t + method->c[i] * g->h;
    memcpy(g->at, g->x, (size_t)n * sizeof *g->at);
    for (int j = 0; j < count; j++)
        for (int r = 0; r < n && method->A[i][j] != 0; r++) g->at[r] += g->h * method->A[i][j] * k[j * n + r];
    for (int r = 0; r < subsystem->inputs; r++)
        g->u[r] = g->input->u0[r] + (t - g->input->t0) * g->input->slope[r];
    dynamics_sources(g->network, g->s, t, g->u);
    return dynamics_slope(subsystem, t, g->at, g->u, out, error);
}

static costab_status stage_residual(void *context, const double *k, double *r, costab_error *error) {
    const stages *g = (const stages *)context;
    const costab_subsystem *subsystem = &g->network->subsystems[g->s];
    int n = subsystem->states;
    for (int i = 0; i < subsystem->method.stages; i++) {
        costab_status status = stage_slope(g, i, k, g->slope, error);
        if (status != COSTAB_OK) return status;
        for (int j = 0; j < n; j++) r[i * n + j] = k[i * n + j] - g->slope[j];
    }
    return COSTAB_OK;
}

size_t dynamics_work(const costab_subsystem *subsystem) {
    int unknowns = subsystem->method.stages * subsystem->states;
    return (size_t)(2 * subsystem->states + subsystem->inputs) + (size_t)unknowns + newton_work(unknowns);
}

size_t dynamics_iwork(const costab_subsystem *subsystem) {
    return newton_iwork(subsystem->method.stages * subsystem->states);
}

costab_status dynamics_step(const costab_network *network, int s, double t, double h,
                            const dynamics_input *input, double *x, double *work, int *iwork,
                            costab_error *error) {
    const costab_subsystem *subsystem = &network->subsystems[s];
    const costab_method *method = &subsystem->method;
    int n = subsystem->states, unknowns = method->stages * n;
    stages g = {network, s, t, h, input, x, work, work + n, work + n + subsystem->inputs};
    double *k = work + 2 * n + subsystem->inputs;
    costab_status status = COSTAB_OK;
    if (method->implicit) {
        bool found = false;
        for (int i = 0; i < unknowns; i++) k[i] = 0;
        status = newton_solve(unknowns, stage_residual, &g, k, k + unknowns, iwork, &found, error);
        if (status == COSTAB_OK && !found)
            return error_set(
                error, COSTAB_NUMERIC,
                "subsystem '%s' at t = %.6g: the stage equations of %s were not solved; take a smaller step",
                subsystem->name, t, method->name);
    } else {
        for (int i = 0; i < method->stages && status == COSTAB_OK; i++)
            status = stage_slope(&g, i, k, k + i * n, error);
    }
    if (status != COSTAB_OK) return status;
    for (int i = 0; i < method->stages; i++)
        for (int j = 0; j < n; j++) x[j] += h * method->b[i] * k[i * n + j];
    return COSTAB_OK;
}
