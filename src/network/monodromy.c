/* The sampled-data system: the map over a period of all samples (docs/explanation/algorithms.md, Sampled-data
 * systems).
 *
 * 1. Sample times are integer multiples of a grain. The span T is their least common multiple; all
 *    discrete-time subsystems take a sample at its start.
 * 2. Between samples z' = F z: A_mono (monolithic.h) with zero rows for discrete-time states. Their outputs w
 *    = C z are held.
 * 3. At an instant with samples z+ = A z + B v in the sampled subsystems. The inputs v are the left limits u
 *    = K z, except for new outputs of other sampled subsystems: v = u + L (C z+ - C z). This is the linear
 *    system (I - L C B) v = u + L (C A - C) z. Outputs of continuous subsystems use the old w, so no loop
 *    contains them.
 * 4. The map over T is the product of the maps of all instants and of exp(F dt) between them.
 *
 * Cost: n^3 per instant. Limitation: the product overflows if the system grows by 1e308 within T. */
#include "network/monodromy.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/network.h"

bool network_is_sampled_data(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind == COSTAB_DISCRETE) return true;
    return false;
}

costab_status network_refuse_sampled_data(const costab_network *network, const char *what, const char *why,
                                          costab_error *error) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].method.kind == COSTAB_DISCRETE)
            return error_invalid(error, "%s: not with the discrete-time subsystem '%s': %s", what,
                                 network->subsystems[s].name, why);
    return COSTAB_OK;
}

/* ---- Times of samples ---- */

costab_status monodromy_times(costab_network_work *work, costab_error *error) {
    int64_t span;
    TRY(network_sample_times(work->network, &work->mono.grain, &span, error));
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        sub->every = sub->discrete ? llround(work->network->subsystems[s].step / work->mono.grain) : 0;
    }
    work->mono.instants = span;
    work->mono.span = (double)span * work->mono.grain;
    return COSTAB_OK;
}

int64_t monodromy_next(const costab_network_work *work, int64_t at) {
    int64_t next = INT64_MAX;
    for (int s = 0; s < work->count; s++) {
        int64_t every = work->subs[s].every, after = every > 0 ? (at / every + 1) * every : INT64_MAX;
        if (after < next) next = after;
    }
    return next;
}

/* ---- Samples ---- */

void monodromy_lay(costab_network_work *work, network_arena *arena) {
    monolithic_space *mono = &work->mono;
    size_t x = mono->span > 0 ? (size_t)work->states : 0, u = mono->span > 0 ? (size_t)work->inputs : 0;
    mono->flow = arena_take(arena, x * x, sizeof(double));
    mono->step = arena_take(arena, x * x, sizeof(double));
    mono->sampled = arena_take(arena, x * x, sizeof(double));
    mono->sampled_inputs = arena_take(arena, 2 * u * x, sizeof(double));
    mono->direct = loop_lay(arena, u);
    mono->step_work =
        arena_take(arena, x > 0 ? monolithic_exponential_work(work->states) : 0, sizeof(double));
}

static bool is_due(const network_subsystem *sub, int64_t at) {
    return sub->discrete && at % sub->every == 0;
}

/* row += factor times row `output` of C A, or of C B. given: A or B, with `width` columns. */
static void add_output(const costab_subsystem *of, int output, double factor, const double *given, int width,
                       double *row) {
    for (int k = 0; k < of->states; k++)
        add_row(row, factor * of->C[output * of->states + k], given + k * width, width);
}

/* Adds the contributions of connection c between sampled subsystems: to I - L C B, and L (C A - C) z to the
 * inputs v. */
static void add_link(costab_network_work *work, int c, int columns, const double *z, double *v) {
    const costab_connection *connection = &work->network->connections[c];
    const costab_subsystem *from = &work->network->subsystems[connection->from];
    const network_subsystem *source = &work->subs[connection->from];
    int row = work->subs[connection->to].u + connection->input, n = source->n;
    double *change = work->mono.sampled; /* free workspace here */
    memset(change, 0, (size_t)n * sizeof *change);
    add_output(from, connection->output, connection->gain, from->A, n, change);
    for (int k = 0; k < n; k++) change[k] -= connection->gain * from->C[connection->output * n + k];
    for (int k = 0; k < n; k++)
        add_row(v + cells(row, columns), change[k], z + cells(source->x + k, columns), columns);
    add_output(from, connection->output, -connection->gain, from->B, source->m,
               work->mono.direct.matrix + cells(row, work->inputs) + source->u);
}

/* Computes the inputs of sampled subsystems. [in, out] v: initially u. */
static costab_status find_inputs(costab_network_work *work, int64_t at, int columns, const double *z,
                                 double *v, costab_error *error) {
    int inputs = work->inputs;
    double *matrix = work->mono.direct.matrix;
    bool linked = false;
    for (int e = 0; e < inputs * inputs; e++) matrix[e] = e % (inputs + 1) == 0;
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        if (!is_due(&work->subs[connection->from], at) || !is_due(&work->subs[connection->to], at)) continue;
        add_link(work, c, columns, z, v);
        linked = true;
    }
    if (!linked) return COSTAB_OK;
    if (!loop_factor(inputs, &work->mono.direct, &work->loop_space))
        return error_invalid(error,
                             "discrete-time subsystems that take samples at the same time form a loop of "
                             "direct links without solution: give one of them a computation delay of 1");
    loop_solve(inputs, &work->mono.direct, columns, v);
    return COSTAB_OK;
}

costab_status monodromy_sample(costab_network_work *work, int64_t at, int columns, const double *u, double *z,
                               costab_error *error) {
    double *v = work->mono.sampled_inputs, *next = work->mono.sampled;
    if (work->inputs > 0) memcpy(v, u, cells(work->inputs, columns) * sizeof *v);
    TRY(find_inputs(work, at, columns, z, v, error));
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const costab_subsystem *of = &work->network->subsystems[s];
        double *own = z + cells(sub->x, columns);
        if (!is_due(sub, at) || sub->n == 0) continue;
        matrix_multiply(sub->n, sub->n, columns, of->A, own, next);
        matrix_multiply_add(sub->n, sub->m, columns, of->B, v + cells(sub->u, columns), next);
        memcpy(own, next, cells(sub->n, columns) * sizeof *own);
    }
    return COSTAB_OK;
}

/* ---- The map ---- */

costab_status monodromy_make(costab_network_work *work, costab_error *error) {
    int n = work->states, inputs = work->inputs;
    size_t bytes = cells(n, n) * sizeof(double);
    double *map = work->mono.matrix, *u = work->mono.sampled_inputs + cells(inputs, n);
    int64_t gap = 0;
    TRY(monolithic_make(work, error));
    if (n == 0) return COSTAB_OK;
    memcpy(work->mono.flow, map, bytes);
    for (int s = 0; s < work->count; s++)
        if (work->subs[s].discrete)
            memset(work->mono.flow + cells(work->subs[s].x, n), 0,
                   cells(work->subs[s].n, n) * sizeof(double));
    for (int e = 0; e < n * n; e++) map[e] = e % (n + 1) == 0;
    for (int64_t at = 0, next; at < work->mono.instants; at = next) {
        if (inputs > 0) matrix_multiply(inputs, n, n, work->mono.rows, map, u);
        TRY(monodromy_sample(work, at, n, u, map, error));
        next = monodromy_next(work, at);
        if (next - at != gap)
            monolithic_exponential(n, work->mono.flow, (double)(next - at) * work->mono.grain,
                                   work->mono.step, work->mono.step_work);
        gap = next - at;
        matrix_multiply(n, n, n, work->mono.step, map, work->mono.sampled);
        memcpy(map, work->mono.sampled, bytes);
    }
    return COSTAB_OK;
}
