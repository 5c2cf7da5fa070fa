/* Advances a subsystem by one micro step h, by any method with stages.
 *
 * All methods have a common form. Stage i has the states x_i = base_i + sum_j W_ij k_j with weights W_ij and
 * slopes k_i = f(x_i). The unknowns k are slopes of all states, or, if a method advances pairs of positions
 * and velocities, of the velocities alone; W_ij then has a second value for positions. costab/method.h
 * defines base, weights and final update of each method.
 *
 * 1. Slopes: stage after stage for explicit methods. Implicit methods solve k_i - f(x_i) = 0 for all stages
 *    by Newton's method from 0 (newton.h), with the Jacobian I [i = j] - W_ij df/dx.
 * 2. Integrals of the outputs, if requested, by the method's weights.
 * 3. States at the end, and the method's history.
 *
 * Cost: one evaluation of f per stage and Newton iteration; implicit methods (stages n)^3. Limitation:
 * Newton's method may fail to converge, which is an error. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "method/method.h"
#include "network/dynamics.h"
#include "network/newton.h"

typedef struct stages {
    const dynamics_micro_step *step;
    const costab_subsystem *subsystem;
    const costab_method *method;
    const double *x; /* at the start of the step: states, then the method's history */
    bool paired;     /* unknowns are slopes of velocities */
    int count;       /* number of stages */
    int unknowns;    /* unknowns per stage */
    /* At the current stage: */
    double *at, *u, *slope; /* its states, its inputs, f of all states */
    double *A, *B;          /* df/dx, df/du */
    double *column;         /* workspace: a column of states or outputs */
    double *end;            /* base of the states at the end of the step */
} stages;

static int stage_count(const costab_method *method) {
    return method->stages > 0 ? method->stages : 1;
}

/* ---- Coefficients of the methods ---- */

/* Time of stage i in the step, 0 to 1. */
static double stage_time(const stages *g, int i) {
    if (g->method->kind == COSTAB_GENERALIZED_ALPHA) return 1 - g->method->alpha_f;
    return g->method->kind == COSTAB_BDF ? 1 : g->method->c[i];
}

/* Weight of slope k_j in the states of stage i, or, for pairs, in the velocities; *position: in the
 * positions. */
static double stage_weight(const stages *g, int i, int j, double *position) {
    const costab_method *m = g->method;
    double h = g->step->h, share = h * (1 - m->alpha_f) / (1 - m->alpha_m);
    switch (m->kind) {
    case COSTAB_NYSTROM:
        *position = h * h * m->A_bar[i][j];
        return h * m->A[i][j];
    case COSTAB_GENERALIZED_ALPHA:
        *position = share * h * m->beta;
        return share * m->gamma;
    case COSTAB_BDF:
        return m->slope * h / m->divisor;
    case COSTAB_RUNGE_KUTTA:
        return h * m->A[i][j];
    case COSTAB_EXACT:
    case COSTAB_SAMPLED:
    case COSTAB_DISCRETE: /* without stages; the compiler warns of a missing kind */
        break;
    }
    return 0;
}

/* Generalized alpha: advances position and velocity of a pair by the old and new accelerations. */
static void add_accelerations(const stages *g, double share, double a0, double a1, double *q, double *v) {
    const costab_method *m = g->method;
    double h = g->step->h;
    *q += share * h * (*v + h * ((0.5 - m->beta) * a0 + m->beta * a1));
    *v += share * h * ((1 - m->gamma) * a0 + m->gamma * a1);
}

/* New acceleration from the stage acceleration k. */
static double new_acceleration(const stages *g, double a0, double k) {
    return (k - g->method->alpha_m * a0) / (1 - g->method->alpha_m);
}

/* States of stage i for zero slopes. */
static void stage_base(const stages *g, int i, double *base) {
    const costab_subsystem *s = g->subsystem;
    int n = s->states;
    const double *carried = g->x + n;
    memcpy(base, g->x, (size_t)n * sizeof *base);
    for (int j = 0; j < n && g->method->kind == COSTAB_BDF; j++) {
        double sum = 0;
        for (int k = 0; k <= g->method->former; k++) sum += g->method->weights[k] * g->x[k * n + j];
        base[j] = sum / g->method->divisor;
    }
    for (int p = 0; p < s->pairs && g->paired; p++) {
        double *q = &base[s->positions[p]], *v = &base[s->velocities[p]];
        if (g->method->kind == COSTAB_NYSTROM)
            *q += g->method->c[i] * g->step->h * *v;
        else
            add_accelerations(g, 1 - g->method->alpha_f, carried[p], new_acceleration(g, carried[p], 0), q,
                              v);
    }
}

/* ---- Stages ---- */

/* Computes states and inputs of stage i. */
static void stage_point(const stages *g, int i, const double *k) {
    const costab_subsystem *s = g->subsystem;
    int count = g->method->implicit ? g->count : i;
    double t = g->step->t + stage_time(g, i) * g->step->h;
    stage_base(g, i, g->at);
    for (int j = 0; j < count; j++) {
        const double *slopes = k + j * g->unknowns;
        double to_position = 0, weight = stage_weight(g, i, j, &to_position);
        for (int e = 0; e < g->unknowns; e++) {
            g->at[g->paired ? s->velocities[e] : e] += weight != 0 ? weight * slopes[e] : 0;
            if (g->paired && to_position != 0) g->at[s->positions[e]] += to_position * slopes[e];
        }
    }
    for (int r = 0; r < s->inputs; r++) {
        double c[MATRIX_POWERS];
        dynamics_shift(g->step->input, r, t - g->step->input->t0, c);
        g->u[r] = c[0];
    }
    dynamics_sources(g->step->network, g->step->s, t, g->u);
}

/* Checks that a position's derivative is its velocity along the run; the model's check covers one point
 * only. */
static costab_status check_positions(const stages *g, double t, costab_error *error) {
    const costab_subsystem *s = g->subsystem;
    for (int p = 0; p < s->pairs; p++) {
        double slope = g->slope[s->positions[p]], velocity = g->at[s->velocities[p]];
        char name[COSTAB_SIGNAL_NAME_MAX];
        if (!(fabs(slope - velocity) > 1e-9 * fmax(fabs(slope), fabs(velocity)))) continue;
        return error_invalid(
            error,
            "subsystem '%s' at t = %.6g: the derivative of position '%s' is %.6g, its velocity "
            "%.6g; %s needs them to be the same",
            s->name, t,
            costab_signal_name(g->step->network, g->step->s, COSTAB_SIGNAL_STATE, s->positions[p], name),
            slope, velocity, g->method->name);
    }
    return COSTAB_OK;
}

/* Computes the slopes f of all states at stage i into g->slope. */
static costab_status stage_slope(const stages *g, int i, const double *k, costab_error *error) {
    double t = g->step->t + stage_time(g, i) * g->step->h;
    stage_point(g, i, k);
    costab_status status = dynamics_slope(g->subsystem, t, g->at, g->u, g->slope, error);
    if (!status && g->step->fault)
        dynamics_look_for_fault(g->step->fault, g->step->network, g->step->s, COSTAB_SIGNAL_STATE, t, g->at,
                                g->u, g->slope);
    return status || !g->paired ? status : check_positions(g, t, error);
}

/* State whose slope is unknown e of a stage. */
static int state_of(const stages *g, int e) {
    return g->paired ? g->subsystem->velocities[e] : e;
}

static costab_status stage_residual(void *context, const double *k, double *r, costab_error *error) {
    const stages *g = (const stages *)context;
    for (int i = 0; i < g->count; i++) {
        TRY(stage_slope(g, i, k, error));
        for (int e = 0; e < g->unknowns; e++)
            r[i * g->unknowns + e] = k[i * g->unknowns + e] - g->slope[state_of(g, e)];
    }
    return COSTAB_OK;
}

/* Jacobian of the stage equations, blocks I [i = j] - W_ij A_i. [out] size: magnitude of the terms of each
 * slope, from f to first order and changes of the states over h. */
static costab_status stage_derivative(void *context, const double *k, double *jacobian, double *size,
                                      costab_error *error) {
    const stages *g = (const stages *)context;
    const costab_subsystem *s = g->subsystem;
    int n = s->states, m = s->inputs, all = g->count * g->unknowns;
    for (int i = 0; i < g->count; i++) {
        TRY(stage_slope(g, i, k, error));
        TRY(dynamics_derivatives(s, g->step->t + stage_time(g, i) * g->step->h, g->at, g->u, g->slope, g->A,
                                 g->B, g->column, error));
        for (int e = 0; e < g->unknowns; e++) {
            int state = state_of(g, e), at = i * g->unknowns + e;
            const double *A = g->A + state * n, *B = g->B + state * m;
            double *row = jacobian + at * all;
            double sum = fabs(g->x[state]) / fabs(g->step->h) + fabs(g->slope[state]);
            for (int j = 0; j < all; j++) {
                int other = j % g->unknowns;
                double to_position = 0, weight = stage_weight(g, i, j / g->unknowns, &to_position);
                row[j] = (j == at) - weight * A[state_of(g, other)] -
                         (g->paired ? to_position * A[s->positions[other]] : 0);
            }
            for (int c = 0; c < n; c++) sum += fabs(A[c] * g->at[c]);
            for (int c = 0; c < m; c++) sum += fabs(B[c] * g->u[c]);
            size[at] = sum;
        }
    }
    return COSTAB_OK;
}

/* Solves for k, `unknowns` numbers per stage, followed in memory by the workspace of Newton's method. */
static costab_status find_slopes(stages *g, double *k, int *iwork, costab_error *error) {
    int all = g->count * g->unknowns;
    for (int i = 0; i < g->count && !g->method->implicit; i++) {
        TRY(stage_slope(g, i, k, error));
        for (int e = 0; e < g->unknowns; e++) k[i * g->unknowns + e] = g->slope[state_of(g, e)];
    }
    if (!g->method->implicit) return COSTAB_OK;
    bool found = false;
    for (int i = 0; i < all; i++) k[i] = 0;
    newton_problem problem = {all, stage_residual, stage_derivative, g};
    TRY(newton_run(&problem, k, k + all, iwork, &found, error));
    if (found) return COSTAB_OK;
    return error_set(
        error, COSTAB_NUMERIC,
        "subsystem '%s' at t = %.6g: the stage equations of %s were not solved; take a smaller step",
        g->subsystem->name, g->step->t, g->method->name);
}

/* ---- End of a step ---- */

static costab_status integrate_outputs(const stages *g, const double *k, double *integrals,
                                       costab_error *error) {
    const costab_subsystem *s = g->subsystem;
    for (int i = 0; i < g->count; i++) {
        stage_point(g, i, k);
        TRY(dynamics_output(s, g->step->t + stage_time(g, i) * g->step->h, g->at, g->u, g->column, error));
        double weight = g->step->h * g->method->b[i] * (g->step->factors != NULL ? g->step->factors[i] : 1);
        for (int o = 0; o < s->outputs; o++) integrals[o] += weight * g->column[o];
    }
    return COSTAB_OK;
}

/* Replaces x by the states at the end of the step. */
static void end_step(const stages *g, const double *k, double *x) {
    const costab_subsystem *s = g->subsystem;
    const costab_method *m = g->method;
    int n = s->states;
    double h = g->step->h, *carried = x + n;
    if (m->kind == COSTAB_BDF) {
        stage_base(g, 0, g->end);
        memmove(carried, x, (size_t)(m->former * n) * sizeof *x);
        for (int j = 0; j < n; j++) x[j] = g->end[j] + m->slope * h / m->divisor * k[j];
        return;
    }
    for (int j = 0; j < n && !g->paired; j++)
        for (int i = 0; i < g->count; i++) x[j] += h * m->b[i] * k[i * n + j];
    for (int p = 0; p < s->pairs && g->paired; p++) {
        double *q = &x[s->positions[p]], *v = &x[s->velocities[p]];
        if (m->kind == COSTAB_GENERALIZED_ALPHA) {
            double a1 = new_acceleration(g, carried[p], k[p]);
            add_accelerations(g, 1, carried[p], a1, q, v);
            carried[p] = a1;
            continue;
        }
        *q += h * *v;
        for (int i = 0; i < g->count; i++) {
            *q += h * h * m->b_bar[i] * k[i * g->unknowns + p];
            *v += h * m->b[i] * k[i * g->unknowns + p];
        }
    }
}

/* ---- One step ---- */

static size_t unknowns_of(const costab_subsystem *subsystem) {
    int each = costab_method_paired(&subsystem->method) ? subsystem->pairs : subsystem->states;
    return (size_t)(stage_count(&subsystem->method) * each);
}

/* Doubles in the workspace before the slopes. */
static size_t before_slopes(const costab_subsystem *subsystem) {
    size_t n = (size_t)subsystem->states, m = (size_t)subsystem->inputs, q = (size_t)subsystem->outputs;
    return 3 * n + m + n * (n + m) + (n > q ? n : q);
}

size_t dynamics_work(const costab_subsystem *subsystem) {
    size_t unknowns = unknowns_of(subsystem);
    return before_slopes(subsystem) + unknowns + newton_work((int)unknowns);
}

size_t dynamics_iwork(const costab_subsystem *subsystem) {
    return unknowns_of(subsystem);
}

costab_status dynamics_step(const dynamics_micro_step *step, double *x, double *work, int *iwork,
                            costab_error *error) {
    const costab_subsystem *s = &step->network->subsystems[step->s];
    int n = s->states, m = s->inputs;
    bool paired = costab_method_paired(&s->method);
    stages g = {.step = step,
                .subsystem = s,
                .method = &s->method,
                .x = x,
                .paired = paired,
                .count = stage_count(&s->method),
                .unknowns = paired ? s->pairs : n,
                .at = work,
                .u = work + n,
                .slope = work + n + m,
                .end = work + 2 * n + m,
                .A = work + 3 * n + m};
    g.B = g.A + n * n;
    g.column = g.B + n * m;
    double *k = work + before_slopes(s);
    TRY(find_slopes(&g, k, iwork, error));
    if (step->integrals) TRY(integrate_outputs(&g, k, x + n, error));
    end_step(&g, k, x);
    return COSTAB_OK;
}
