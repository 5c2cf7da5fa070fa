/* Energy that a port of a power bond takes in a macro step: the integral of u y. u is the signal delivered by
 * the port's connection, y the subsystem's output along its own solution, which is recomputed from the state
 * at the start of the step.
 *
 * Runge-Kutta methods use their own quadrature: sum h b_i u(t_i) y(X_i, u(t_i)) over stages and micro steps.
 *
 * The method exact:
 * 1. Moments of the states up to the end T, v_l = int (T - t)^l / l! x dt, satisfy v_0' = x, v_l' = v_(l-1).
 *    They extend the linear system, whose exact micro steps are taken.
 * 2. With u in powers of T - t the energy is a sum of C times moments. (Van Loan's quadratic form also needs
 *    the exponential of -G, which overflows if G is stiff.)
 * 3. Feedthrough adds the integral of a product of polynomials, by Gauss' rule.
 *
 * Cost: a macro step of the subsystem with degree + 2 times its states. Other methods have no quadrature: the
 * energy is NaN. */
#include "network/energy.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/dynamics.h"
#include "network/step.h"

/* Number of states and moments: one moment per power of the delivered polynomial. */
static int extended_states(const costab_network_work *work, int s) {
    return work->subs[s].n * (work->degree + 2);
}

/* ---- Preparation ---- */

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Builds A and B of states and moments in meter->next: extended_states rows. */
static matrix_system extended_system(const energy_meter *meter, const simulator *sim, int s) {
    const costab_subsystem *subsystem = &sim->network->subsystems[s];
    int n = subsystem->states, m = subsystem->inputs, all = extended_states(sim->work, s);
    double *A = meter->next, *B = A + all * all;
    memset(A, 0, (size_t)(all * (all + m)) * sizeof *A);
    for (int i = 0; i < n; i++) memcpy(A + i * all, subsystem->A + i * n, (size_t)n * sizeof *A);
    for (int i = n; i < all; i++) A[i * all + i - n] = 1;
    if (n * m > 0) memcpy(B, subsystem->B, (size_t)(n * m) * sizeof *B);
    return (matrix_system){.n = all, .m = m, .degree = sim->work->degree, .A = A, .B = B};
}

/* Argument of lay_meter. */
typedef struct meter_of {
    energy_meter *meter;
    const simulator *sim;
} meter_of;

static void lay_meter(void *owner, network_arena *arena) {
    const meter_of *made = owner;
    energy_meter *meter = made->meter;
    const simulator *sim = made->sim;
    int degree = sim->work->degree;
    size_t x = 0, u = 0, next = 0, space = 0, ints = 0;
    meter->ports = arena_take(arena, (size_t)sim->work->count, sizeof *meter->ports);
    for (int s = 0; s < sim->work->count; s++) {
        const costab_subsystem *subsystem = &sim->network->subsystems[s];
        bool exact = subsystem->method.kind == COSTAB_EXACT;
        size_t m = (size_t)subsystem->inputs, all = (size_t)extended_states(sim->work, s);
        matrix_system system = {.n = (int)all, .m = (int)m, .degree = degree};
        matrix_block one = {.phi = NULL};
        x = larger(x, larger(all, (size_t)subsystem->states + (size_t)subsystem->outputs));
        u = larger(u, m);
        next = larger(next, all * (all + m));
        if (exact) {
            space = larger(space, matrix_step_work(&subsystem->method, &system));
            ints = larger(ints, matrix_step_iwork(&subsystem->method, &system));
            one.phi = arena_take(arena, all * all, sizeof(double));
            for (int l = 0; l <= degree; l++) one.input[l] = arena_take(arena, all * m, sizeof(double));
        } else if (subsystem->method.kind == COSTAB_RUNGE_KUTTA) {
            space = larger(space, dynamics_work(subsystem));
            ints = larger(ints, dynamics_iwork(subsystem));
        }
        if (meter->ports != NULL) meter->ports[s] = (energy_port){.one = one};
    }
    meter->x = arena_take(arena, x, sizeof(double));
    meter->u = arena_take(arena, MATRIX_POWERS * u, sizeof(double));
    meter->u_rates = arena_take(arena, MATRIX_POWERS * u, sizeof(double));
    meter->next = arena_take(arena, next, sizeof(double));
    meter->space = arena_take(arena, space, sizeof(double));
    meter->iwork = arena_take(arena, ints, sizeof(int));
}

costab_status energy_make(energy_meter *meter, const simulator *sim, costab_error *error) {
    meter_of made = {meter, sim};
    TRY(arena_fill(&meter->memory, lay_meter, &made, error));
    for (int b = 0; b < sim->network->bond_count; b++) {
        meter->ports[sim->network->bonds[b].subsystem1].bonded = true;
        meter->ports[sim->network->bonds[b].subsystem2].bonded = true;
    }
    for (int s = 0; s < sim->work->count; s++) {
        energy_port *port = &meter->ports[s];
        costab_method_kind kind = sim->network->subsystems[s].method.kind;
        port->metered = kind == COSTAB_EXACT || kind == COSTAB_RUNGE_KUTTA;
        if (!port->bonded || kind != COSTAB_EXACT) continue;
        double h = sim->work->subs[s].clock.h;
        matrix_system system = extended_system(meter, sim, s);
        (void)matrix_steps(&sim->network->subsystems[s].method, &system, h,
                           h / work_length(sim->work, &sim->work->subs[s]), 1, &port->one, meter->space,
                           meter->iwork);
    }
    return COSTAB_OK;
}

/* ---- One macro step ---- */

/* A port in the macro step just taken. */
typedef struct port_step {
    const energy_meter *meter;
    const simulator *sim;
    const network_subsystem *sub;
    int s, output;                   /* subsystem, output */
    double length;                   /* length of the subsystem's step in seconds */
    double tick;                     /* length of a micro step in units of that step */
    double delivered[MATRIX_POWERS]; /* u in powers of local time */
} port_step;

static double polynomial_at(const double *c, double s) {
    return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

/* Polynomials of the inputs in powers of seconds, in meter->u_rates. */
static dynamics_input inputs_in_time(const port_step *v) {
    const double *input[MATRIX_POWERS];
    for (int l = 0; l <= v->sim->work->degree; l++) input[l] = v->sim->work->u[l] + v->sub->u;
    return simulator_in_time(v->sim, v->sub, input, v->meter->u_rates);
}

/* Takes micro steps that integrate the outputs times u. */
static costab_status integrate_runge_kutta(const port_step *v, double *energy, costab_error *error) {
    const energy_meter *meter = v->meter;
    const costab_method *method = &v->sim->network->subsystems[v->s].method;
    dynamics_input input = inputs_in_time(v);
    double factors[COSTAB_STAGES_MAX], *integrals = meter->x + v->sub->n;
    memset(integrals, 0, (size_t)v->sub->q * sizeof *integrals);
    for (int64_t j = 0; j < v->sub->micro_steps.count; j++) {
        double fraction = v->sub->micro_steps.start + (double)j * v->tick;
        for (int i = 0; i < method->stages; i++)
            factors[i] = polynomial_at(v->delivered, fraction + method->c[i] * v->tick);
        dynamics_micro_step step = {.network = v->sim->network,
                                    .s = v->s,
                                    .t = simulator_time(v->sim, fraction * v->sub->stride),
                                    .h = v->sub->clock.h,
                                    .input = &input,
                                    .integrals = true,
                                    .factors = factors};
        TRY(dynamics_step(&step, meter->x, meter->space, meter->iwork, error));
    }
    *energy = integrals[v->output];
    return COSTAB_OK;
}

/* Integral of the delivered signal times D u over a micro step. */
static double feedthrough_energy(const port_step *v, double fraction, const double *c) {
    static const double nodes[2] = {0.33998104358485626, 0.86113631159405258};
    static const double weights[2] = {0.65214515486254614, 0.34785484513745386};
    const costab_subsystem *subsystem = &v->sim->network->subsystems[v->s];
    int m = v->sub->m;
    double sum = 0;
    for (int k = 0; k < 4 && subsystem->D != NULL; k++) {
        double sigma = 0.5 * v->tick * (1 + (k % 2 ? 1 : -1) * nodes[k / 2]), y = 0;
        for (int i = 0; i < m; i++) {
            double own[MATRIX_POWERS] = {c[i], c[m + i], c[2 * m + i], c[3 * m + i]};
            y += subsystem->D[v->output * m + i] * polynomial_at(own, sigma);
        }
        sum += 0.5 * v->tick * v->length * weights[k / 2] * y * polynomial_at(v->delivered, fraction + sigma);
    }
    return sum;
}

/* Advances states and moments by a micro step. */
static void extended_step(const port_step *v, const matrix_block *one, const double *c) {
    int all = extended_states(v->sim->work, v->s), m = v->sub->m;
    double *x = v->meter->x, *next = v->meter->next;
    matrix_multiply(all, all, 1, one->phi, x, next);
    for (int l = 0; l <= v->sim->work->degree; l++)
        matrix_multiply_add(all, m, 1, one->input[l], c + l * m, next);
    memcpy(x, next, (size_t)all * sizeof *x);
}

/* Integrates by moments. */
static void integrate_exact(const port_step *v, double *energy) {
    const costab_subsystem *subsystem = &v->sim->network->subsystems[v->s];
    const matrix_block *one = &v->meter->ports[v->s].one;
    dynamics_input input = inputs_in_time(v);
    int n = v->sub->n;
    memset(v->meter->x + n, 0, (size_t)(extended_states(v->sim->work, v->s) - n) * sizeof(double));
    for (int64_t j = 0; j < v->sub->micro_steps.count; j++) {
        double fraction = v->sub->micro_steps.start + (double)j * v->tick;
        simulator_micro_inputs(v->sim, v->s, simulator_time(v->sim, fraction * v->sub->stride), &input,
                               v->meter->u);
        *energy += feedthrough_energy(v, fraction, v->meter->u);
        extended_step(v, one, v->meter->u);
    }
    /* Coefficients of the delivered polynomial in powers of the time left to the end of the last micro
     * step. */
    const double *d = v->delivered;
    double end = v->sub->micro_steps.start + (double)v->sub->micro_steps.count * v->tick;
    double left[MATRIX_POWERS] = {polynomial_at(d, end), -(d[1] + end * (2 * d[2] + 3 * end * d[3])),
                                  d[2] + 3 * end * d[3], -d[3]};
    double factor = 1;
    for (int l = 0; l <= v->sim->work->degree; l++) {
        for (int i = 0; i < n; i++)
            *energy += factor * left[l] * subsystem->C[v->output * n + i] * v->meter->x[(l + 1) * n + i];
        factor *= (l + 1) / v->length;
    }
}

costab_status energy_port_work(energy_meter *meter, const simulator *sim, const double *state, int c,
                               int output, double *energy, costab_error *error) {
    const costab_network_work *work = sim->work;
    int s = sim->network->connections[c].to;
    const network_subsystem *sub = &work->subs[s];
    port_step v = {meter,
                   sim,
                   sub,
                   s,
                   output,
                   .length = work_length(work, sub),
                   .tick = (double)sub->clock.q / (double)sub->clock.p};
    *energy = 0;
    if (!sub->active) return COSTAB_OK;
    if (!meter->ports[s].metered) {
        *energy = (double)NAN;
        return COSTAB_OK;
    }
    work_delivered_polynomial(work, c, state, v.delivered);
    memcpy(meter->x, state + sub->x, (size_t)sub->n * sizeof *meter->x);
    if (sim->network->subsystems[s].method.kind == COSTAB_RUNGE_KUTTA)
        return integrate_runge_kutta(&v, energy, error);
    integrate_exact(&v, energy);
    return COSTAB_OK;
}
