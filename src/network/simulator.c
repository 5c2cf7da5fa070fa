/* A macro step of a simulation: the program of step.c on one column of numbers. Four hooks (network_hooks)
 * replace its linear algebra.
 *
 * 1. Advance of a subsystem by micro steps. Linear without sources: the matrix block of a micro step, or of
 *    the whole step if neither micro steps are recorded nor bonds exist. Exact solvers and maps (of steps, of
 *    samples) with sources: the block of a micro step, during which the sources count as linear. Others:
 * stage by stage (dynamics_step.c), or by their stepper (FMUs).
 * 2. Outputs and their slopes from states, inputs and sources (dynamics.c).
 * 3. Feedthrough loop at the start of the step: by the linear system, or by Newton's method if a subsystem is
 *    nonlinear.
 * 4. Divergence: a state beyond blow_up ends the run. The reported reason is the first equation of the macro
 *    step without a finite value, otherwise the state.
 * 5. Long linear runs with equal macro steps and without sources use the map of unit states (step.h), if it
 *    is small and while states are far below the limit.
 *
 * Cost: n^2 per micro step of a linear subsystem, a solver's step otherwise; with the map its entries.
 * Limitation: an exact solver is not exact if sources are not linear during its micro steps. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "network/simulator.h"
#include "network/step.h"

double simulator_time(const simulator *sim, double fraction) {
    if (sim->turns == NULL) return ((double)sim->index + fraction) * sim->coupling.macro_step;
    return turns_begin(sim->turns, sim->index) + fraction * sim->coupling.macro_step;
}

/* ---- Samples ---- */

/* Records the end of a micro step of subsystem s, `fraction` macro steps after the start, with its
 * outputs. */
static costab_status record(simulator *sim, int s, double fraction, const double *x, const double *u,
                            costab_error *error) {
    const network_subsystem *sub = &sim->work->subs[s];
    simulator_buffer *b = &sim->buffer;
    size_t length = (size_t)sub->n + (size_t)sub->m + (size_t)sub->q;
    TRY(memory_reserve(&b->samples, &b->capacity, b->count + 1, error));
    TRY(memory_reserve(&b->values, &b->values_capacity, b->values_used + length, error));
    double t = simulator_time(sim, fraction), *to = b->values + b->values_used;
    b->samples[b->count++] = (simulator_sample){t, s, b->values_used};
    b->values_used += length;
    memcpy(to, x, (size_t)sub->n * sizeof *to);
    memcpy(to + sub->n, u, (size_t)sub->m * sizeof *to);
    return dynamics_output(&sim->network->subsystems[s], t, x, u, to + sub->n + sub->m, error);
}

/* ---- Micro steps ---- */

/* x = Phi x + sum input_l c_l with the block of one micro step. The coefficients c are at the start of
 * sim->space, one power after the other. */
static void apply_block(simulator *sim, int s, double *x) {
    const network_subsystem *sub = &sim->work->subs[s];
    const matrix_block *one = &sim->subs[s].one;
    int rows = sub->n + sub->extra;
    double *c = sim->space, *out = c + MATRIX_POWERS * sub->m;
    matrix_multiply(rows, rows, 1, one->phi, x, out);
    for (int l = 0; l <= sim->work->degree; l++)
        matrix_multiply_add(rows, sub->m, 1, one->input[l], c + l * sub->m, out);
    memcpy(x, out, (size_t)rows * sizeof *x);
}

void simulator_micro_inputs(const simulator *sim, int s, double t, const dynamics_input *input, double *c) {
    const network_subsystem *sub = &sim->work->subs[s];
    double h = sub->clock.h, length = work_length(sim->work, sub);
    for (int i = 0; i < sub->m; i++) {
        double at[MATRIX_POWERS], power = 1;
        dynamics_shift(input, i, t - input->t0, at);
        for (int l = 0; l < MATRIX_POWERS; l++, power *= length) c[l * sub->m + i] = at[l] * power;
    }
    for (int k = 0; k < sim->network->source_count; k++) {
        const costab_source *source = &sim->network->sources[k];
        if (source->subsystem != s) continue;
        double now = source->value(source->context, t), later = source->value(source->context, t + h);
        c[source->input] += now;
        c[sub->m + source->input] += (later - now) / (h / length);
    }
}

/* One micro step by its block, without sources, `fraction` steps of the subsystem after the start of its
 * step. local: inputs in powers of such steps. */
static void linear_step(simulator *sim, int s, double fraction, const dynamics_input *local, double *x) {
    const network_subsystem *sub = &sim->work->subs[s];
    for (int i = 0; i < sub->m; i++) {
        double at[MATRIX_POWERS];
        dynamics_shift(local, i, fraction, at);
        for (int l = 0; l < MATRIX_POWERS; l++) sim->space[l * sub->m + i] = at[l];
    }
    apply_block(sim, s, x);
}

/* Returns true, and records the divergence, if a state of subsystem s exceeds the limit at time t. */
static bool is_beyond_limit(simulator *sim, int s, double t, const double *x) {
    const costab_subsystem *of = &sim->network->subsystems[s];
    char name[COSTAB_SIGNAL_NAME_MAX];
    int i = 0;
    while (i < of->states && fabs(x[i]) <= sim->blow_up) i++;
    if (i == of->states) return false;
    sim->diverged = true;
    sim->diverged_subsystem = s;
    sim->no_value = sim->fault.found || isnan(x[i]);
    sim->diverged_at = sim->fault.found ? sim->fault.t : t;
    const char *state = costab_signal_name(sim->network, s,
                                           of->stepper ? COSTAB_SIGNAL_OUTPUT : COSTAB_SIGNAL_STATE, i, name);
    if (sim->fault.found)
        memcpy(sim->reason, sim->fault.words, sizeof sim->reason);
    else if (isnan(x[i]))
        (void)text_format(sim->reason, sizeof sim->reason,
                          "'%s' of subsystem '%.120s' is not a number at t = %.6g", state, of->name, t);
    else
        (void)text_format(sim->reason, sizeof sim->reason, "'%s' of subsystem '%.120s' passed %g at t = %.6g",
                          state, of->name, copysign(sim->blow_up, x[i]), t);
    return true;
}

dynamics_input simulator_in_time(const simulator *sim, const network_subsystem *sub,
                                 const double *const input[MATRIX_POWERS], double *space) {
    dynamics_input rates = {.t0 = simulator_time(sim, 0), .degree = sim->work->degree, .rate = {input[0]}};
    double length = work_length(sim->work, sub), power = 1;
    for (int l = 1; l <= rates.degree; l++, space += sub->m) {
        power *= length;
        for (int i = 0; i < sub->m; i++) space[i] = input[l][i] / power;
        rates.rate[l] = space;
    }
    return rates;
}

/* Takes one micro step by the subsystem's method. input: in powers of seconds; local: as in linear_step. */
static costab_status micro_step(simulator *sim, int s, double fraction, const dynamics_input *input,
                                const dynamics_input *local, double *x, costab_error *error) {
    const network_subsystem *sub = &sim->work->subs[s];
    const simulator_subsystem *how = &sim->subs[s];
    double t = simulator_time(sim, fraction * sub->stride);
    if (how->staged) {
        dynamics_micro_step step = {.network = sim->network,
                                    .s = s,
                                    .t = t,
                                    .h = sub->clock.h,
                                    .input = input,
                                    .integrals = sub->integrates_outputs,
                                    .fault = &sim->fault};
        return dynamics_step(&step, x, sim->space, sim->iwork, error);
    }
    if (!how->sourced) {
        linear_step(sim, s, fraction, local, x);
        return COSTAB_OK;
    }
    simulator_micro_inputs(sim, s, t, input, sim->space);
    apply_block(sim, s, x);
    return COSTAB_OK;
}

/* Takes a step of a stepper. Its outputs replace its unknown states. */
static costab_status step_by_program(simulator *sim, int s, const double *const input[MATRIX_POWERS],
                                     double *x1, costab_error *error) {
    const network_subsystem *sub = &sim->work->subs[s];
    const costab_stepper *stepper = sim->network->subsystems[s].stepper;
    double t = simulator_time(sim, 0), *inputs = sim->input_space;
    memcpy(inputs, input[0], (size_t)sub->m * sizeof *inputs);
    dynamics_sources(sim->network, s, t, inputs);
    memset(x1, 0, (size_t)sub->n * sizeof *x1);
    costab_status status = stepper->step(stepper->context, t, work_length(sim->work, sub), inputs,
                                         sim->work->degree > 0 ? input[1] : NULL, x1, error);
    return status || !is_beyond_limit(sim, s, t + work_length(sim->work, sub), x1) ? status
                                                                                   : COSTAB_CANCELLED;
}

/* Returns true if all n states are below the square root of the limit. */
static bool are_small(const simulator *sim, int n, const double *x) {
    const double most = sqrt(sim->blow_up);
    bool small = true;
    for (int i = 0; i < n; i++) small &= fabs(x[i]) <= most;
    return small;
}

/* Takes all linear micro steps of a step by one block. Returns false if they must be taken singly: of a
 * nonlinear subsystem, with sources, with a clock of its own, to record them, or, with states above the
 * square root of the limit, to find the micro step that exceeds it. */
static bool whole_step(simulator *sim, int s, const double *x, const double *const input[MATRIX_POWERS],
                       double *x1) {
    const simulator_subsystem *how = &sim->subs[s];
    const network_subsystem *sub = &sim->work->subs[s];
    const matrix_block *block = sub->block;
    int rows = sub->n + sub->extra;
    if (!sim->whole_steps || how->staged || how->sourced || sub->clock.q > 1) return false;
    matrix_multiply(rows, rows, 1, block->phi, x, x1);
    for (int l = 0; l <= sim->work->degree; l++)
        matrix_multiply_add(rows, sub->m, 1, block->input[l], input[l], x1);
    return are_small(sim, rows, x1);
}

/* [out] now: the inputs with sources, `at` steps of the subsystem after the start of its step. */
static void inputs_at(simulator *sim, int s, double at, const dynamics_input *local, double *now) {
    const network_subsystem *sub = &sim->work->subs[s];
    for (int i = 0; i < sub->m; i++) {
        double shifted[MATRIX_POWERS];
        dynamics_shift(local, i, at, shifted);
        now[i] = shifted[0];
    }
    dynamics_sources(sim->network, s, simulator_time(sim, at * sub->stride), now);
}

/* Lets a model with events change its states at the end of a micro step. */
static costab_status handle_event(simulator *sim, int s, double end, const double *now, double *x,
                                  costab_error *error) {
    const costab_dynamics *d = sim->network->subsystems[s].dynamics;
    bool event = false;
    if (d == NULL || d->accept == NULL || !sim->work->final_sweep) return COSTAB_OK;
    double t = simulator_time(sim, end * sim->work->subs[s].stride);
    costab_status status = d->accept(d->context, t, x, now, &event, error);
    sim->had_event = sim->had_event || event;
    return status;
}

/* ---- Hooks (network_hooks) ---- */

static costab_status hook_advance(void *context, int s, const double *x,
                                  const double *const input[MATRIX_POWERS], double *x1, costab_error *error) {
    simulator *sim = (simulator *)context;
    const network_subsystem *sub = &sim->work->subs[s];
    if (sim->network->subsystems[s].stepper != NULL) return step_by_program(sim, s, input, x1, error);
    if (whole_step(sim, s, x, input, x1)) return network_stopped(&sim->stop) ? COSTAB_CANCELLED : COSTAB_OK;
    dynamics_input rates = simulator_in_time(sim, sub, input, sim->input_space),
                   local = {.degree = sim->work->degree};
    for (int l = 0; l <= local.degree; l++) local.rate[l] = input[l];
    double *now = sim->input_space + MATRIX_DEGREE_MAX * sub->m;
    memcpy(x1, x, (size_t)(sub->n + sub->extra) * sizeof *x1);
    double tick = (double)sub->clock.q / (double)sub->clock.p;
    for (int64_t j = 0; j < sub->micro_steps.count; j++) {
        double fraction = sub->micro_steps.start + (double)j * tick;
        double end = j + 1 == sub->micro_steps.count ? sub->micro_steps.end : fraction + tick;
        TRY(micro_step(sim, s, fraction, &rates, &local, x1, error));
        inputs_at(sim, s, end, &local, now);
        TRY(handle_event(sim, s, end, now, x1, error));
        if (network_stopped(&sim->stop)) return COSTAB_CANCELLED;
        if (is_beyond_limit(sim, s, simulator_time(sim, end * sub->stride), x1)) return COSTAB_CANCELLED;
        if (!sim->records_micro_steps || !sim->work->final_sweep) continue;
        TRY(record(sim, s, end * sub->stride, x1, now, error));
    }
    return COSTAB_OK;
}

static costab_status hook_output(void *context, int s, bool end, const double *x, double *u, double *y,
                                 costab_error *error) {
    simulator *sim = (simulator *)context;
    const network_subsystem *sub = &sim->work->subs[s];
    double t = simulator_time(sim, end ? sub->micro_steps.end * sub->stride : 0);
    if (end) dynamics_sources(sim->network, s, t, u);
    if (end && sim->work->slopes)
        dynamics_source_slopes(sim->network, s, t, work_length(sim->work, sub),
                               sim->work->end_slope + sub->u);
    TRY(dynamics_output(&sim->network->subsystems[s], t, x, u, y, error));
    dynamics_look_for_fault(&sim->fault, sim->network, s, COSTAB_SIGNAL_OUTPUT, t, x, u, y);
    return COSTAB_OK;
}

static costab_status hook_slope(void *context, int s, bool end, const double *x, const double *u,
                                const double *u_slope, double *dy, costab_error *error) {
    simulator *sim = (simulator *)context;
    const network_subsystem *sub = &sim->work->subs[s];
    double t = simulator_time(sim, end ? sub->micro_steps.end * sub->stride : 0);
    dynamics_point at = {&sim->network->subsystems[s], t, work_length(sim->work, sub), x, u, u_slope};
    return dynamics_output_slope(&at, dy, sim->space, error);
}

/* r = y - g(x, L0 y + u). L0: gains of connections without delay between active subsystems; u: all other
 * inputs and sources. */
static costab_status loop_residual(void *context, const double *y, double *r, costab_error *error) {
    simulator *sim = (simulator *)context;
    const costab_network_work *work = sim->work;
    double *u = sim->loop_inputs, t = simulator_time(sim, 0);
    memcpy(u, sim->loop_delayed, (size_t)work->inputs * sizeof *u);
    for (int c = 0; c < sim->network->connection_count; c++) {
        const costab_connection *k = &sim->network->connections[c];
        if (work->delays[c] > 0 || work->dead[c] > 0 || !work->subs[k->from].active) continue;
        u[work->subs[k->to].u + k->input] += k->gain * y[work->subs[k->from].y + k->output];
    }
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        if (!sub->active) {
            for (int i = 0; i < sub->q; i++) r[sub->y + i] = 0;
            continue;
        }
        dynamics_sources(sim->network, s, t, u + sub->u);
        TRY(dynamics_output(&sim->network->subsystems[s], t, sim->loop_x + sub->x, u + sub->u, r + sub->y,
                            error));
        dynamics_look_for_fault(&sim->fault, sim->network, s, COSTAB_SIGNAL_OUTPUT, t, sim->loop_x + sub->x,
                                u + sub->u, r + sub->y);
    }
    for (int i = 0; i < work->outputs; i++) r[i] = y[i] - r[i];
    return COSTAB_OK;
}

static costab_status hook_solve(void *context, const double *x, const double *delayed, double *y0,
                                costab_error *error) {
    simulator *sim = (simulator *)context;
    sim->loop_x = x;
    sim->loop_delayed = delayed;
    int n = sim->work->outputs;
    bool found = false;
    memset(y0, 0, (size_t)n * sizeof *y0);
    if (sim->hooks.iterate) {
        TRY(newton_solve(&sim->loop, loop_residual, sim, y0, &found, error));
        if (found) return COSTAB_OK;
        return error_set(error, COSTAB_NUMERIC, "the feedthrough loop has no solution at t = %.6g",
                         simulator_time(sim, 0));
    }
    /* For linear systems the residual at 0 is the negative right-hand side. */
    TRY(loop_residual(sim, y0, sim->space, error));
    for (int i = 0; i < n; i++) y0[i] = -sim->space[i];
    loop_solve(n, &sim->work->output_loop, 1, y0);
    return COSTAB_OK;
}

/* ---- Setting up ---- */

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void lay_simulator(void *owner, network_arena *arena) {
    simulator *sim = owner;
    size_t space = (size_t)sim->work->outputs, ints = 0, inputs = 0;
    sim->subs = arena_take(arena, (size_t)sim->work->count, sizeof *sim->subs);
    for (int s = 0; s < sim->work->count; s++) {
        const costab_subsystem *subsystem = &sim->network->subsystems[s];
        const network_subsystem *sub = &sim->work->subs[s];
        size_t n = (size_t)sub->n + (size_t)sub->extra, m = (size_t)subsystem->inputs;
        bool stepped = subsystem->method.kind != COSTAB_EXACT;
        matrix_system system = work_system(sim->work, s);
        space = larger(space, matrix_step_work(&subsystem->method, &system));
        space = larger(space, larger(stepped ? dynamics_work(subsystem) : 0, (MATRIX_POWERS + 1) * m + n));
        space = larger(space, sim->work->slopes ? dynamics_output_slope_work(subsystem) : 0);
        ints = larger(ints, matrix_step_iwork(&subsystem->method, &system));
        ints = larger(ints, stepped ? dynamics_iwork(subsystem) : 0);
        inputs = larger(inputs, m);
        matrix_block one = {.phi = arena_take(arena, n * n, sizeof(double))};
        for (int l = 0; l <= sim->work->degree; l++) one.input[l] = arena_take(arena, n * m, sizeof(double));
        if (sim->subs != NULL) sim->subs[s] = (simulator_subsystem){.one = one};
    }
    sim->space = arena_take(arena, space, sizeof(double));
    sim->iwork = arena_take(arena, ints, sizeof(int));
    sim->loop = newton_lay(arena, sim->work->has_loop ? sim->work->outputs : 0);
    sim->input_space = arena_take(arena, MATRIX_POWERS * inputs, sizeof(double));
    sim->loop_inputs = arena_take(arena, (size_t)sim->work->inputs, sizeof(double));
    sim->initial_slopes = arena_take(arena, (size_t)sim->work->states, sizeof(double));
    size_t signals = larger((size_t)sim->work->inputs, (size_t)sim->work->outputs);
    sim->zeros = arena_take(arena, signals, sizeof(double));
    if (sim->zeros != NULL) memset(sim->zeros, 0, signals * sizeof(double));
}

/* Chooses the method of each subsystem's micro steps. */
static void choose_micro_steps(simulator *sim) {
    for (int s = 0; s < sim->work->count; s++) {
        const costab_subsystem *subsystem = &sim->network->subsystems[s];
        simulator_subsystem *sub = &sim->subs[s];
        sub->sourced = dynamics_has_sources(sim->network, s);
        sub->staged = subsystem->dynamics != NULL ||
                      (sub->sourced && subsystem->method.kind != COSTAB_EXACT &&
                       subsystem->method.kind != COSTAB_SAMPLED && !sim->work->subs[s].discrete);
        if (subsystem->dynamics != NULL || subsystem->stepper != NULL) sim->hooks.iterate = true;
    }
}

/* Computes the blocks of one micro step. */
static costab_status make_micro_blocks(simulator *sim, costab_error *error) {
    for (int s = 0; s < sim->work->count; s++) {
        const costab_subsystem *subsystem = &sim->network->subsystems[s];
        const network_subsystem *sub = &sim->work->subs[s];
        if (sim->subs[s].staged) continue;
        matrix_system system = work_system(sim->work, s);
        double h = sub->clock.h;
        if (!matrix_steps(&subsystem->method, &system, h, h / work_length(sim->work, sub), 1,
                          &sim->subs[s].one, sim->space, sim->iwork))
            return work_singular(subsystem, h, error);
    }
    return COSTAB_OK;
}

/* Prepares macro step sim->index. */
static costab_status prepare_step(simulator *sim, costab_error *error) {
    sim->work->past = NULL;
    if (sim->turns != NULL) {
        turns_look_back(sim->turns, sim->index);
        sim->work->past = &sim->turns->past;
        sim->coupling.macro_step = turns_length(sim->turns, sim->index);
    }
    TRY(work_prepare(sim->work, sim->network, &sim->coupling, &sim->hooks, error));
    TRY(arena_fill(&sim->memory, lay_simulator, sim, error));
    choose_micro_steps(sim);
    return make_micro_blocks(sim, error);
}

costab_status simulator_make(simulator *sim, const costab_network *network, const costab_coupling *coupling,
                             step_turns *turns, double blow_up, costab_error *error) {
    *sim = (simulator){.memory = sim->memory,
                       .network = network,
                       .coupling = *coupling,
                       .turns = turns,
                       .work = sim->work,
                       .map = sim->map,
                       .map_capacity = sim->map_capacity,
                       .hooks = {.context = sim,
                                 .advance = hook_advance,
                                 .output = hook_output,
                                 .slope = hook_slope,
                                 .solve = hook_solve},
                       .blow_up = blow_up,
                       .diverged_subsystem = -1,
                       .fault = {.most = blow_up},
                       .buffer = sim->buffer};
    sim->buffer.count = sim->buffer.values_used = 0;
    if (coupling->micro_steps == COSTAB_REAL_POWER)
        return error_invalid(
            error, "micro_steps: real-power makes states complex and cannot be simulated; take clocks");
    if (sim->work == NULL) TRY(costab_network_work_create(&sim->work, error));
    return prepare_step(sim, error);
}

void simulator_free(simulator *sim) {
    memory_free_all(sim->memory.base, sim->buffer.samples, sim->buffer.values, sim->map);
    costab_network_work_destroy(&sim->work);
}

/* ---- Steps ---- */

/* Larger maps are mostly zeros: the subsystems' own products are faster. */
enum { MAPPED_MOST = 100 };

costab_status simulator_make_map(simulator *sim, costab_error *error) {
    costab_network_work *work = sim->work;
    double radius;
    long exponent;
    if (sim->hooks.iterate || sim->network->source_count > 0 || sim->turns != NULL || work->period > 1 ||
        work->size > MAPPED_MOST)
        return COSTAB_OK;
    work->hooks = NULL;
    costab_status status = map_make(work, &radius, &exponent, error);
    work->hooks = &sim->hooks;
    TRY(status);
    const size_t states = cells(work->size, work->size), ends = cells(work->inputs, work->size),
                 outputs = cells(work->outputs, work->size);
    TRY(memory_reserve(&sim->map, &sim->map_capacity, states + ends + outputs, error));
    memcpy(sim->map, work->map, states * sizeof *sim->map);
    memcpy(sim->map + states, work->end, ends * sizeof *sim->map);
    memcpy(sim->map + states + ends, work->y1, outputs * sizeof *sim->map);
    sim->mapped = true;
    return COSTAB_OK;
}

/* Takes a step by the map. Returns false if the hooks must take it: the first step checks that an iteration
 * converges, and with states above the square root of the limit the hooks find the micro step that exceeds
 * it. */
static bool step_by_map(simulator *sim, const double *state, double *next) {
    if (!sim->mapped || sim->index == 0) return false;
    const costab_network_work *work = sim->work;
    const double *ends = sim->map + cells(work->size, work->size);
    matrix_multiply(work->size, work->size, 1, sim->map, state, next);
    matrix_multiply(work->inputs, work->size, 1, ends, state, work->end);
    matrix_multiply(work->outputs, work->size, 1, ends + cells(work->inputs, work->size), state, work->y1);
    return are_small(sim, work->size, next);
}

costab_status simulator_step(simulator *sim, const double *state, double *next, costab_error *error) {
    if (sim->turns != NULL) TRY(prepare_step(sim, error));
    if (step_by_map(sim, state, next)) return network_stopped(&sim->stop) ? COSTAB_CANCELLED : COSTAB_OK;
    sim->fault.found = false;
    const costab_status status = work_step(sim->work, sim->index, 1, state, next, error);
    if (status != COSTAB_NUMERIC || !sim->fault.found) return status;
    /* An iteration may fail to converge because an equation has no finite value. */
    const size_t used = strlen(error->message);
    (void)text_format(error->message + used, sizeof error->message - used, ": %s", sim->fault.words);
    return status;
}

/* History values of signals are those at t = 0, as if signals had been constant before. Histories of methods
 * follow the solution's slope at t = 0. Inputs sent exclude sources. */
costab_status simulator_initial(simulator *sim, const reference *ref, double *state, costab_error *error) {
    const costab_network_work *work = sim->work;
    const row_values values = {ref->z, ref->u, ref->y},
                     slopes = {sim->initial_slopes, sim->zeros, sim->zeros};
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        if (sub->integrates_outputs || sub->extra == 0) continue;
        TRY(dynamics_slope(&sim->network->subsystems[s], 0, ref->z + sub->x, ref->u + sub->u,
                           sim->initial_slopes + sub->x, error));
    }
    for (int i = 0; i < work->size; i++) state[i] = row_at(work, i, &values, &slopes);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        double *sources = sim->input_space;
        if (sub->sent < 0) continue;
        memset(sources, 0, (size_t)sub->m * sizeof *sources);
        dynamics_sources(sim->network, s, 0, sources);
        for (int i = 0; i < sub->m; i++) state[sub->sent + i] -= sources[i];
    }
    return COSTAB_OK;
}
