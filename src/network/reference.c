/* The monolithic solution z(t), u(t), y(t) along a simulation.
 *
 * 1. Linear subsystems without sources: z(t + dt) = exp(A_mono dt) z(t); the last four exponentials are
 *    cached.
 * 2. Otherwise the fifth-order method of Dormand and Prince with step doubling. A step and two half steps
 *    differ by 31 times the error of the half steps. This error must be below 1e-13 relative and controls the
 *    step size. Dense output is the polynomial of degree 5 through states and slopes at start, middle and
 *    end; its error, at most h^6 z''''''/300,000, is a fraction of that of the half steps.
 * 3. Inputs and outputs from the states: by the rows of (I - L D)^-1 L C if all is linear, by Newton's method
 *    for a nonlinear feedthrough loop.
 * 4. Samples of discrete-time subsystems: the solution stops at each instant with samples, which use the
 *    inputs just before (monodromy.h). The first instant is t = 0.
 * 5. Linear subsystems with dead time and without sources: dead_history.h. With dead time other networks have
 *    no reference (reference_exists).
 *
 * Cost: n^2 per time, or 17 evaluations per step, independent of the output times. Limitation: errors of the
 * solver accumulate to about 100 times 1e-13. */
#include "network/reference.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/dynamics.h"
#include "network/monodromy.h"
#include "network/network.h"

/* Relative error of an accepted step; the solution has about a hundred times this error. */
#define TOLERANCE 1e-13
/* Relative tolerance of equal times, in grains. */
#define SAME_INSTANT 1e-6
enum { TRIALS_MAX = 200, FIRST_STEPS = 1000 };

static void lay_reference(void *owner, network_arena *arena) {
    reference *ref = owner;
    size_t x = (size_t)ref->work->states, u = (size_t)ref->work->inputs, y = (size_t)ref->work->outputs;
    size_t stages = (size_t)ref->solver.stages;
    ref->z = arena_take(arena, x, sizeof(double));
    ref->u = arena_take(arena, 2 * u, sizeof(double));
    ref->y = arena_take(arena, y, sizeof(double));
    ref->space = arena_take(arena, monolithic_exponential_work((int)x), sizeof(double));
    ref->loop = newton_lay(arena, ref->linear || !ref->work->mono.feedthrough ? 0 : (int)u);
    ref->stages = arena_take(arena, (stages + 2) * x, sizeof(double));
    for (int i = 0; i < REFERENCE_NODES; i++) {
        ref->states[i] = arena_take(arena, x, sizeof(double));
        ref->slopes[i] = arena_take(arena, x, sizeof(double));
    }
    for (int i = 0; i < REFERENCE_CACHE; i++) ref->exponential[i] = arena_take(arena, x * x, sizeof(double));
}

void reference_free(reference *ref) {
    memory_free(ref->memory.base);
    dead_history_free(ref->dead);
}

/* ---- Inputs and slopes ---- */

/* Computes ref->y from states and inputs. */
static costab_status find_outputs(reference *ref, double t, const double *z, const double *u,
                                  costab_error *error) {
    for (int s = 0; s < ref->work->count; s++) {
        const network_subsystem *sub = &ref->work->subs[s];
        TRY(dynamics_output(&ref->network->subsystems[s], t, z + sub->x, u + sub->u, ref->y + sub->y, error));
    }
    return COSTAB_OK;
}

/* Computes the inputs, out = L ref->y + sources. */
static void collect_inputs(const reference *ref, double t, double *out) {
    memset(out, 0, (size_t)ref->work->inputs * sizeof *out);
    for (int c = 0; c < ref->network->connection_count; c++) {
        const costab_connection *k = &ref->network->connections[c];
        out[ref->work->subs[k->to].u + k->input] += k->gain * ref->y[ref->work->subs[k->from].y + k->output];
    }
    for (int s = 0; s < ref->work->count; s++)
        dynamics_sources(ref->network, s, t, out + ref->work->subs[s].u);
}

/* The feedthrough loop at one time and state. */
typedef struct input_loop {
    reference *ref;
    double t;
    const double *z;
} input_loop;

static costab_status loop_residual(void *context, const double *u, double *r, costab_error *error) {
    const input_loop *l = (const input_loop *)context;
    TRY(find_outputs(l->ref, l->t, l->z, u, error));
    collect_inputs(l->ref, l->t, r);
    for (int i = 0; i < l->ref->work->inputs; i++) r[i] = u[i] - r[i];
    return COSTAB_OK;
}

/* Computes ref->u from the states. */
static costab_status find_inputs(reference *ref, double t, const double *z, costab_error *error) {
    const costab_network_work *work = ref->work;
    if (ref->linear) {
        memset(ref->u, 0, (size_t)work->inputs * sizeof *ref->u);
        for (int s = 0; s < work->count && ref->sourced; s++)
            dynamics_sources(ref->network, s, t, ref->u + work->subs[s].u);
        if (ref->sourced && work->mono.feedthrough) loop_solve(work->inputs, &work->mono.loop, 1, ref->u);
        matrix_multiply_add(work->inputs, work->states, 1, work->mono.rows, z, ref->u);
        return COSTAB_OK;
    }
    if (!work->mono.feedthrough) { /* outputs that connections read do not depend on inputs */
        TRY(find_outputs(ref, t, z, ref->u, error));
        collect_inputs(ref, t, ref->u);
        return COSTAB_OK;
    }
    input_loop l = {ref, t, z};
    bool found = false;
    TRY(newton_solve(&ref->loop, loop_residual, &l, ref->u, &found, error));
    if (!found) ref->failed = true;
    return COSTAB_OK;
}

/* Computes ref->u and ref->y from the states. */
static costab_status find_signals(reference *ref, double t, const double *z, costab_error *error) {
    TRY(find_inputs(ref, t, z, error));
    return find_outputs(ref, t, z, ref->u, error);
}

costab_status reference_slope(reference *ref, double t, const double *z, double *dz, costab_error *error) {
    ref->known = false;
    TRY(find_inputs(ref, t, z, error));
    for (int s = 0; s < ref->work->count; s++) {
        const network_subsystem *sub = &ref->work->subs[s];
        if (sub->discrete)
            memset(dz + sub->x, 0, (size_t)sub->n * sizeof *dz);
        else
            TRY(dynamics_slope(&ref->network->subsystems[s], t, z + sub->x, ref->u + sub->u, dz + sub->x,
                               error));
    }
    return COSTAB_OK;
}

/* ---- Advancing ---- */

/* Computes exp(A_mono dt), or exp(F dt) between samples, at position i of the cache. */
static void make_exponential(reference *ref, int i, double dt) {
    ref->cached[i] = dt;
    const monolithic_space *mono = &ref->work->mono;
    monolithic_exponential(ref->work->states, mono->span > 0 ? mono->flow : mono->matrix, dt,
                           ref->exponential[i], ref->space);
}

/* Returns exp(A_mono dt), cached if dt equals a previous value within the rounding of times around t. Valid
 * until the next call. */
static const double *exponential(reference *ref, double dt, double t) {
    double slack = 4 * DBL_EPSILON * fabs(t);
    for (int i = 0; i < REFERENCE_CACHE; i++)
        if (ref->cached[i] > 0 && fabs(ref->cached[i] - dt) <= slack) return ref->exponential[i];
    int i = ref->next_cached;
    ref->next_cached = (i + 1) % REFERENCE_CACHE;
    make_exponential(ref, i, dt);
    return ref->exponential[i];
}

void reference_remember(reference *ref, const double cached[REFERENCE_CACHE], int next) {
    for (int i = 0; i < REFERENCE_CACHE; i++) {
        ref->cached[i] = 0;
        if (cached[i] > 0) make_exponential(ref, i, cached[i]);
    }
    ref->next_cached = next;
}

/* Takes a step of Dormand and Prince's method from z with slope dz. [out] out. */
static costab_status solver_step(reference *ref, double t, double h, const double *z, const double *dz,
                                 double *out, costab_error *error) {
    const costab_method *method = &ref->solver;
    int n = ref->work->states;
    double *k = ref->stages, *at = ref->stages + method->stages * n;
    memcpy(k, dz, (size_t)n * sizeof *k);
    for (int i = 1; i < method->stages; i++) {
        memcpy(at, z, (size_t)n * sizeof *at);
        for (int j = 0; j < i; j++)
            for (int r = 0; r < n; r++) at[r] += h * method->A[i][j] * k[j * n + r];
        TRY(reference_slope(ref, t + method->c[i] * h, at, k + i * n, error));
    }
    memcpy(out, z, (size_t)n * sizeof *out);
    for (int i = 0; i < method->stages; i++)
        for (int r = 0; r < n; r++) out[r] += h * method->b[i] * k[i * n + r];
    return COSTAB_OK;
}

/* Error of two half steps from the first node, relative to the tolerance. */
static double error_ratio(const reference *ref, const double *whole) {
    const double *begin = ref->states[0], *end = ref->states[2];
    double error_size = 0, size = 0;
    for (int i = 0; i < ref->work->states; i++) {
        double difference = fabs(end[i] - whole[i]) / 31;
        if (!(difference <= error_size)) error_size = difference;
        size = fmax(size, fmax(fabs(begin[i]), fabs(end[i])));
    }
    return error_size / (TOLERANCE * size + DBL_MIN);
}

/* Takes an accepted step from the last node; the nodes then describe this step. */
static costab_status adaptive_step(reference *ref, costab_error *error) {
    int n = ref->work->states;
    double t = ref->begin + ref->length, *whole = ref->stages + (ref->solver.stages + 1) * n;
    memcpy(ref->states[0], ref->states[2], (size_t)n * sizeof *ref->states[0]);
    memcpy(ref->slopes[0], ref->slopes[2], (size_t)n * sizeof *ref->slopes[0]);
    for (int trial = 0; trial < TRIALS_MAX; trial++) {
        double h = fmin(ref->step, ref->until - t);
        TRY(solver_step(ref, t, h, ref->states[0], ref->slopes[0], whole, error));
        TRY(solver_step(ref, t, h / 2, ref->states[0], ref->slopes[0], ref->states[1], error));
        TRY(reference_slope(ref, t + h / 2, ref->states[1], ref->slopes[1], error));
        TRY(solver_step(ref, t + h / 2, h / 2, ref->states[1], ref->slopes[1], ref->states[2], error));
        double ratio = error_ratio(ref, whole);
        bool good = ratio <= 1;
        double factor = !isfinite(ratio) ? 0.1 : ratio > 0 ? 0.9 * pow(ratio, -0.2) : 4;
        double next = h * fmin(4, fmax(0.1, factor));
        if (!good || next > ref->step || h == ref->step) ref->step = next;
        if (good) {
            ref->begin = t;
            ref->length = h;
            return reference_slope(ref, t + h, ref->states[2], ref->slopes[2], error);
        }
        if (h < 16 * DBL_EPSILON * fabs(t)) break;
    }
    ref->failed = true;
    return COSTAB_OK;
}

/* Dense output: ref->z at time t, by the Hermite polynomial at the nodes 0, 1/2, 1. */
static void interpolate(reference *ref, double t) {
    const double at = (t - ref->begin) / ref->length, h = ref->length;
    const double lagrange[REFERENCE_NODES] = {2 * (at - 0.5) * (at - 1), -4 * at * (at - 1),
                                              2 * at * (at - 0.5)};
    static const double node[REFERENCE_NODES] = {0, 0.5, 1}, slope_at_node[REFERENCE_NODES] = {-3, 0, 3};
    memset(ref->z, 0, (size_t)ref->work->states * sizeof *ref->z);
    for (int i = 0; i < REFERENCE_NODES; i++) {
        double from = at - node[i], square = lagrange[i] * lagrange[i];
        double value = (1 - 2 * slope_at_node[i] * from) * square, slope = h * from * square;
        for (int r = 0; r < ref->work->states; r++)
            ref->z[r] += value * ref->states[i][r] + slope * ref->slopes[i][r];
    }
}

/* Initialises the last node at ref->begin: t = 0, or an instant. */
static costab_status begin_steps(reference *ref, costab_error *error) {
    memcpy(ref->states[2], ref->z, (size_t)ref->work->states * sizeof *ref->z);
    return reference_slope(ref, ref->begin, ref->states[2], ref->slopes[2], error);
}

/* Advances ref->z to time t by steps. */
static costab_status follow_steps(reference *ref, double t, costab_error *error) {
    const double slack = 4 * DBL_EPSILON * fabs(t);
    if (t > ref->until) ref->until = t;
    if (ref->length == 0 && t > 0) TRY(begin_steps(ref, error));
    if (!(ref->step > 0)) ref->step = ref->until / FIRST_STEPS;
    while (!ref->failed && t - (ref->begin + ref->length) > slack) {
        TRY(adaptive_step(ref, error));
        if (network_stopped(&ref->stop)) return COSTAB_CANCELLED;
    }
    ref->t = t;
    if (!ref->failed && ref->length > 0) interpolate(ref, fmin(t, ref->begin + ref->length));
    return COSTAB_OK;
}

/* Marks the solution as unknown at t. */
static void set_unknown(reference *ref, double t) {
    ref->t = t;
    for (int i = 0; i < ref->work->states; i++) ref->z[i] = (double)NAN;
    for (int i = 0; i < ref->work->inputs; i++) ref->u[i] = (double)NAN;
    for (int i = 0; i < ref->work->outputs; i++) ref->y[i] = (double)NAN;
}

/* Advances the solution to time t without samples. */
static costab_status follow(reference *ref, double t, costab_error *error) {
    costab_status status = COSTAB_OK;
    double left = t - ref->t;
    bool autonomous = ref->linear && !ref->sourced;
    if (ref->known && (left == 0 || (autonomous && left <= 4 * DBL_EPSILON * fabs(t)))) return COSTAB_OK;
    ref->known = false;
    if (autonomous && left > 4 * DBL_EPSILON * fabs(t)) {
        int n = ref->work->states;
        memcpy(ref->stages, ref->z, (size_t)n * sizeof *ref->z);
        matrix_multiply(n, n, 1, exponential(ref, left, t), ref->stages, ref->z);
        ref->t = t;
    }
    if (!autonomous && !ref->failed) status = follow_steps(ref, t, error);
    if (!status && !ref->failed) status = find_signals(ref, t, ref->z, error);
    if (ref->failed) set_unknown(ref, t);
    ref->known = !status && (autonomous || ref->t == t);
    return status;
}

/* Takes the samples at the solution's time. */
static costab_status take_samples(reference *ref, costab_error *error) {
    TRY(monodromy_sample(ref->work, ref->instant, 1, ref->u, ref->z, error));
    ref->known = false;
    ref->begin = ref->t;
    ref->length = 0;
    return find_signals(ref, ref->t, ref->z, error);
}

/* Advances a solution with dead time. */
static costab_status follow_dead_time(reference *ref, double t, costab_error *error) {
    if (ref->known && t <= ref->t) return COSTAB_OK;
    costab_error why = {.status = COSTAB_OK};
    costab_status status = ref->failed ? COSTAB_OK : dead_history_to(ref->dead, t, ref->z, ref->u, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    ref->failed = ref->failed || status;
    ref->t = t;
    ref->known = true;
    if (!ref->failed) return find_outputs(ref, t, ref->z, ref->u, error);
    set_unknown(ref, t);
    return COSTAB_OK;
}

costab_status reference_to(reference *ref, double t, costab_error *error) {
    if (ref->dead != NULL) return follow_dead_time(ref, t, error);
    const double grain = ref->work->mono.grain, slack = SAME_INSTANT * grain, until = ref->until;
    if (ref->work->mono.span == 0) return follow(ref, t, error);
    for (;;) {
        int64_t next = monodromy_next(ref->work, ref->instant);
        ref->until = (double)next * grain;
        if (ref->until > t + slack || ref->failed) break;
        TRY(follow(ref, ref->until, error));
        ref->instant = next;
        if (!ref->failed) TRY(take_samples(ref, error));
    }
    costab_status status = follow(ref, fmax(t, ref->t), error);
    ref->until = until;
    return status;
}

bool reference_exists(const costab_network *network) {
    bool linear = network->source_count == 0;
    for (int s = 0; s < network->subsystem_count; s++)
        linear = linear && network->subsystems[s].dynamics == NULL;
    return !monolithic_unknown(network) && (linear || !network_has_dead_time(network));
}

costab_status reference_make(reference *ref, const costab_network *network, costab_network_work *work,
                             costab_error *error) {
    dead_history_free(ref->dead);
    *ref = (reference){.memory = ref->memory,
                       .solver = ref->solver,
                       .network = network,
                       .work = work,
                       .linear = !monolithic_unknown(network), /* whose first signals the maps do not give */
                       .sourced = network->source_count > 0};
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].dynamics != NULL) ref->linear = false;
    TRY(work->mono.span > 0 ? monodromy_make(work, error) : monolithic_make(work, error));
    if (ref->solver.stages == 0) TRY(costab_method_find("dopri5", &ref->solver, error));
    TRY(arena_fill(&ref->memory, lay_reference, ref, error));
    memset(ref->u, 0, 2 * (size_t)work->inputs * sizeof *ref->u); /* initial value of the loop's solution */
    memset(ref->y, 0, (size_t)work->outputs * sizeof *ref->y);
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        for (int i = 0; i < subsystem->states; i++)
            ref->z[work->subs[s].x + i] = subsystem->x0 != NULL ? subsystem->x0[i] : 0;
    }
    TRY(find_signals(ref, 0, ref->z, error));
    if (ref->failed)
        return error_set(
            error, COSTAB_NUMERIC,
            "the feedthrough loop has no solution at the initial state; change x0 or break the loop");
    if (network_has_dead_time(network) && reference_exists(network))
        return dead_history_make(&ref->dead, work, ref->z, error);
    return work->mono.span > 0 ? take_samples(ref, error) : COSTAB_OK;
}
