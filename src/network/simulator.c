/* The hooks that turn a macro step of linear forms into one of numbers: each subsystem takes its micro steps
 * one by one, by the block of one micro step where it is linear, else stage by stage. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/dynamics.h"
#include "network/newton.h"
#include "network/simulator.h"

double simulator_time(const simulator *sim, double fraction) {
    return ((double)sim->index + fraction) * sim->coupling.macro_step;
}

/* ---- Samples
 * ------------------------------------------------------------------------------------------------- */

static costab_status record(simulator *sim, int s, double fraction, const double *x, const double *u,
                            costab_error *error) {
    const network_part *part = &sim->work->parts[s];
    simulator_buffer *b = &sim->buffer;
    size_t length = (size_t)part->n + (size_t)part->m + (size_t)part->q;
    void *samples = memory_grow(b->samples, &b->capacity, b->count + 1, sizeof *b->samples);
    if (samples != NULL) b->samples = samples;
    void *values = memory_grow(b->values, &b->room, b->used + length, sizeof *b->values);
    if (values != NULL) b->values = values;
    if (samples == NULL || values == NULL) return error_memory(error);
    double t = simulator_time(sim, fraction), *to = b->values + b->used;
    b->samples[b->count++] = (simulator_sample){t, s, b->used};
    b->used += length;
    memcpy(to, x, (size_t)part->n * sizeof *to);
    memcpy(to + part->n, u, (size_t)part->m * sizeof *to);
    return dynamics_output(&sim->network->subsystems[s], t, x, u, to + part->n + part->m, error);
}

/* ---- Micro steps
 * --------------------------------------------------------------------------------------------- */

/* One micro step of an exactly solved subsystem with sources: its input linear over the micro step. */
static void exact_with_sources(simulator *sim, int s, double t, double h, const dynamics_input *input,
                               double *x) {
    const network_part *part = &sim->work->parts[s];
    double *from = sim->inner, *slope = from + part->m, *out = slope + part->m;
    for (int i = 0; i < part->m; i++) {
        from[i] = input->u0[i] + (t - input->t0) * input->slope[i];
        slope[i] = from[i] + h * input->slope[i];
    }
    dynamics_sources(sim->network, s, t, from);
    dynamics_sources(sim->network, s, t + h, slope);
    double ratio = h / sim->coupling.macro_step;
    for (int i = 0; i < part->m; i++) slope[i] = (slope[i] - from[i]) / ratio;
    const matrix_block *one = &sim->parts[s].one;
    matrix_multiply(part->n, part->n, 1, one->phi, x, out);
    matrix_multiply_add(part->n, part->m, 1, one->u, from, out);
    matrix_multiply_add(part->n, part->m, 1, one->v, slope, out);
    memcpy(x, out, (size_t)part->n * sizeof *x);
}

static void linear_step(simulator *sim, int s, double fraction, const double *u0, const double *slope,
                        double *x) {
    const network_part *part = &sim->work->parts[s];
    const matrix_block *one = &sim->parts[s].one;
    double *from = sim->inner, *out = from + part->m;
    for (int i = 0; i < part->m; i++) from[i] = u0[i] + fraction * slope[i];
    matrix_multiply(part->n, part->n, 1, one->phi, x, out);
    matrix_multiply_add(part->n, part->m, 1, one->u, from, out);
    matrix_multiply_add(part->n, part->m, 1, one->v, slope, out);
    memcpy(x, out, (size_t)part->n * sizeof *x);
}

static bool too_large(const simulator *sim, int n, const double *x) {
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= sim->blow_up)) return true;
    return false;
}

static costab_status advance(void *context, int s, const double *x, const double *u0, const double *u1,
                             double *x1, costab_error *error) {
    simulator *sim = (simulator *)context;
    const network_part *part = &sim->work->parts[s];
    const simulator_part *how = &sim->parts[s];
    double H = sim->coupling.macro_step, *slope = sim->line, *rate = slope + part->m, *now = rate + part->m;
    for (int i = 0; i < part->m; i++) {
        slope[i] = u1[i] - u0[i];
        rate[i] = slope[i] / H;
    }
    memcpy(x1, x, (size_t)part->n * sizeof *x1);
    dynamics_input input = {simulator_time(sim, 0), u0, rate};
    double tick = (double)part->clock.q / (double)part->clock.p;
    for (int64_t j = 0; j < part->beat.count; j++) {
        double fraction = part->beat.start + (double)j * tick, t = simulator_time(sim, fraction);
        costab_status status = COSTAB_OK;
        if (how->staged)
            status = dynamics_step(sim->network, s, t, part->clock.h, &input, x1, sim->inner, sim->inner_int,
                                   error);
        else if (how->sourced)
            exact_with_sources(sim, s, t, part->clock.h, &input, x1);
        else
            linear_step(sim, s, fraction, u0, slope, x1);
        if (status != COSTAB_OK) return status;
        if (too_large(sim, part->n, x1)) {
            sim->diverged = true;
            sim->who = s;
            return COSTAB_CANCELLED;
        }
        if (!sim->local || !sim->work->final_sweep) continue;
        double end = j + 1 == part->beat.count ? part->beat.end : fraction + tick;
        for (int i = 0; i < part->m; i++) now[i] = u0[i] + end * slope[i];
        dynamics_sources(sim->network, s, simulator_time(sim, end), now);
        status = record(sim, s, end, x1, now, error);
        if (status != COSTAB_OK) return status;
    }
    return COSTAB_OK;
}

static costab_status output(void *context, int s, bool end, const double *x, double *u, double *y,
                            costab_error *error) {
    simulator *sim = (simulator *)context;
    double t = simulator_time(sim, end ? sim->work->parts[s].beat.end : 0);
    if (end) dynamics_sources(sim->network, s, t, u);
    return dynamics_output(&sim->network->subsystems[s], t, x, u, y, error);
}

/* ---- Solved feedthrough
 * -------------------------------------------------------------------------------------- */

/* r = y - g(x, L0 y + delayed inputs + sources) */
static costab_status loop_residual(void *context, const double *y, double *r, costab_error *error) {
    simulator *sim = (simulator *)context;
    const costab_network_work *work = sim->work;
    double *u = sim->loop_inputs, t = simulator_time(sim, 0);
    memcpy(u, sim->loop_delayed, (size_t)work->inputs * sizeof *u);
    for (int c = 0; c < sim->network->connection_count; c++) {
        const costab_connection *k = &sim->network->connections[c];
        if (k->delay > 0) continue;
        u[work->parts[k->to].u + k->input] += k->gain * y[work->parts[k->from].y + k->output];
    }
    for (int s = 0; s < work->count; s++) {
        const network_part *part = &work->parts[s];
        dynamics_sources(sim->network, s, t, u + part->u);
        costab_status status = dynamics_output(&sim->network->subsystems[s], t, sim->loop_x + part->x,
                                               u + part->u, r + part->y, error);
        if (status != COSTAB_OK) return status;
    }
    for (int i = 0; i < work->outputs; i++) r[i] = y[i] - r[i];
    return COSTAB_OK;
}

static costab_status solve(void *context, const double *x, const double *delayed, double *y0,
                           costab_error *error) {
    simulator *sim = (simulator *)context;
    sim->loop_x = x;
    sim->loop_delayed = delayed;
    int n = sim->work->outputs;
    bool found = false;
    costab_status status;
    memset(y0, 0, (size_t)n * sizeof *y0);
    if (sim->hooks.iterate) {
        status = newton_solve(n, loop_residual, sim, y0, sim->inner, sim->inner_int, &found, error);
        if (status == COSTAB_OK && !found)
            return error_set(error, COSTAB_NUMERIC, "the feedthrough loop has no solution at t = %.6g",
                             simulator_time(sim, 0));
        return status;
    }
    /* Linear: the residual of 0 is the negative right-hand side. */
    status = loop_residual(sim, y0, sim->inner, error);
    for (int i = 0; i < n; i++) y0[i] = -sim->inner[i];
    matrix_solve(n, sim->work->loop_matrix, sim->work->loop_pivots, 1, y0);
    return status;
}

/* ---- Setting up
 * ---------------------------------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void lay(void *owner, network_arena *arena) {
    simulator *sim = owner;
    size_t inner = newton_work(sim->work->outputs), inner_int = newton_iwork(sim->work->outputs), inputs = 0;
    sim->parts = arena_take(arena, (size_t)sim->work->count, sizeof *sim->parts);
    for (int s = 0; s < sim->work->count; s++) {
        const costab_subsystem *subsystem = &sim->network->subsystems[s];
        size_t n = (size_t)subsystem->states, m = (size_t)subsystem->inputs;
        bool exact = subsystem->method.kind == COSTAB_EXACT;
        inner = larger(inner, matrix_step_work(&subsystem->method, subsystem->states, subsystem->inputs));
        inner = larger(inner, larger(exact ? 0 : dynamics_work(subsystem), 2 * m + n));
        inner_int =
            larger(inner_int, matrix_step_iwork(&subsystem->method, subsystem->states, subsystem->inputs));
        inner_int = larger(inner_int, exact ? 0 : dynamics_iwork(subsystem));
        inputs = larger(inputs, m);
        matrix_block one = {.phi = arena_take(arena, n * n, sizeof(double))};
        one.u = arena_take(arena, n * m, sizeof(double));
        one.v = arena_take(arena, n * m, sizeof(double));
        if (sim->parts != NULL) sim->parts[s] = (simulator_part){.one = one};
    }
    sim->inner = arena_take(arena, inner, sizeof(double));
    sim->inner_int = arena_take(arena, inner_int, sizeof(int));
    sim->line = arena_take(arena, 3 * inputs, sizeof(double));
    sim->loop_inputs = arena_take(arena, (size_t)sim->work->inputs, sizeof(double));
}

static void choose_steps(simulator *sim) {
    for (int s = 0; s < sim->work->count; s++) {
        const costab_subsystem *subsystem = &sim->network->subsystems[s];
        simulator_part *part = &sim->parts[s];
        part->sourced = dynamics_has_sources(sim->network, s);
        part->staged =
            subsystem->dynamics != NULL || (part->sourced && subsystem->method.kind != COSTAB_EXACT);
        if (subsystem->dynamics != NULL) sim->hooks.iterate = true;
    }
}

static costab_status make_micro_steps(simulator *sim, costab_error *error) {
    for (int s = 0; s < sim->work->count; s++) {
        const costab_subsystem *subsystem = &sim->network->subsystems[s];
        const network_part *part = &sim->work->parts[s];
        if (sim->parts[s].staged) continue;
        matrix_system system = {part->n, part->m, subsystem->A, subsystem->B};
        double h = part->clock.h;
        if (!matrix_steps(&subsystem->method, &system, h, h / sim->coupling.macro_step, 1, &sim->parts[s].one,
                          sim->inner, sim->inner_int))
            return work_singular(subsystem, h, error);
    }
    return COSTAB_OK;
}

costab_status simulator_make(simulator *sim, const costab_network *network, const costab_coupling *coupling,
                             double blow_up, costab_error *error) {
    *sim = (simulator){.memory = sim->memory,
                       .network = network,
                       .coupling = *coupling,
                       .work = sim->work,
                       .hooks = {.context = sim, .advance = advance, .output = output, .solve = solve},
                       .blow_up = blow_up,
                       .who = -1,
                       .buffer = sim->buffer};
    sim->buffer.count = sim->buffer.used = 0;
    if (coupling->micro_steps == COSTAB_REAL_POWER)
        return error_set(
            error, COSTAB_INVALID,
            "micro_steps: real-power stands for complex states and cannot be simulated; take clocks");
    costab_status status = sim->work != NULL ? COSTAB_OK : costab_network_work_create(&sim->work, error);
    if (status == COSTAB_OK) status = work_prepare(sim->work, network, coupling, &sim->hooks, error);
    if (status == COSTAB_OK) status = arena_fill(&sim->memory, lay, sim, error);
    if (status != COSTAB_OK) return status;
    choose_steps(sim);
    return make_micro_steps(sim, error);
}

void simulator_free(simulator *sim) {
    memory_free(sim->memory.base);
    memory_free(sim->buffer.samples);
    memory_free(sim->buffer.values);
    costab_network_work_destroy(&sim->work);
}

costab_status simulator_step(simulator *sim, const double *state, double *next, costab_error *error) {
    return work_step(sim->work, sim->index, 1, state, next, error);
}

void simulator_initial(const simulator *sim, const reference *ref, double *state) {
    const costab_network_work *work = sim->work;
    memcpy(state, ref->z, (size_t)work->states * sizeof *state);
    for (int s = 0; s < work->count; s++) {
        const network_part *part = &work->parts[s];
        for (int i = 0; part->held >= 0 && i < part->m; i++) state[part->held + i] = ref->u[part->u + i];
    }
    for (int o = 0; o < work->outputs; o++)
        for (int j = 0; j < work->depth[o]; j++) state[work->history[o] + j] = ref->y[o];
}
