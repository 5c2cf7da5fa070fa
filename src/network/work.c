/* Laying out the workspace and computing what a point needs before its first macro step. */
#include <float.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "method/eigen.h"
#include "network/work.h"

void *arena_take(network_arena *arena, size_t count, size_t size) {
    size_t at = (arena->used + 15) & ~(size_t)15;
    /* A count that cannot be had any more stays at the top, so that the allocation fails. */
    if (at > SIZE_MAX / 4 || (size > 0 && count > (SIZE_MAX / 4 - at) / size)) {
        arena->used = SIZE_MAX / 2;
        return NULL;
    }
    arena->used = at + count * size;
    return arena->base != NULL ? arena->base + at : NULL;
}

/* Lays out twice where the arena is too small: once to measure, once in place. What was there is gone. */
costab_status arena_fill(network_arena *arena, void (*lay)(void *owner, network_arena *arena), void *owner,
                         costab_error *error) {
    network_arena measure = {0};
    lay(owner, &measure);
    if (measure.used > arena->capacity || arena->base == NULL) {
        size_t capacity = measure.used + measure.used / 4 + 64;
        memory_free(arena->base);
        *arena = (network_arena){.base = memory_alloc(capacity, 1)};
        if (arena->base == NULL) return error_memory(error);
        arena->capacity = capacity;
    }
    arena->used = 0;
    lay(owner, arena);
    return COSTAB_OK;
}

costab_status costab_network_work_create(costab_network_work **work, costab_error *error) {
    *work = memory_alloc(1, sizeof **work);
    return *work != NULL ? COSTAB_OK : error_memory(error);
}

void costab_network_work_destroy(costab_network_work **work) {
    if (work == NULL || *work == NULL) return;
    memory_free((*work)->structure.base);
    memory_free((*work)->numbers.base);
    memory_free(*work);
    *work = NULL;
}

bool work_known(const costab_network_work *work, const costab_connection *c) {
    if (c->delay > 0) return false;
    if (work->coupling.scheme == COSTAB_ITERATED) return true;
    return work->coupling.scheme == COSTAB_GAUSS_SEIDEL &&
           work->parts[c->from].position < work->parts[c->to].position;
}

/* ---- Structure: who is where
 * -------------------------------------------------------------------------------- */

static void lay_structure(void *owner, network_arena *arena) {
    costab_network_work *work = owner;
    size_t parts = (size_t)work->count, outputs = (size_t)work->outputs;
    work->parts = arena_take(arena, parts, sizeof *work->parts);
    work->order = arena_take(arena, parts, sizeof *work->order);
    work->history = arena_take(arena, outputs, sizeof *work->history);
    work->depth = arena_take(arena, outputs, sizeof *work->depth);
    work->guess = arena_take(arena, outputs, sizeof *work->guess);
}

static void number_parts(costab_network_work *work) {
    const costab_network *network = work->network;
    bool ordered = work->coupling.scheme == COSTAB_GAUSS_SEIDEL && work->coupling.order != NULL;
    int x = 0, u = 0, y = 0;
    for (int s = 0; s < work->count; s++) {
        const costab_subsystem *from = &network->subsystems[s];
        network_part *part = &work->parts[s];
        part->n = from->states;
        part->m = from->inputs;
        part->q = from->outputs;
        part->x = x;
        part->u = u;
        part->y = y;
        part->held = -1;
        x += from->states;
        u += from->inputs;
        y += from->outputs;
        work->order[s] = ordered ? work->coupling.order[s] : s;
    }
    for (int i = 0; i < work->count; i++) work->parts[work->order[i]].position = i;
}

static int output_row(const costab_network_work *work, const costab_connection *c) {
    return work->parts[c->from].y + c->output;
}

static void number_memory(costab_network_work *work) {
    const costab_network *network = work->network;
    work->size = work->states;
    work->loop = false;
    for (int s = 0; s < work->count; s++) {
        if (network->subsystems[s].D == NULL || work->parts[s].m == 0) continue;
        if (work->coupling.feedthrough == COSTAB_SOLVED) {
            work->loop = true;
            continue;
        }
        work->parts[s].held = work->size;
        work->size += work->parts[s].m;
    }
    for (int o = 0; o < work->outputs; o++) {
        work->history[o] = work->guess[o] = -1;
        work->depth[o] = 0;
    }
    int former = work->coupling.extrapolation == COSTAB_LINEAR ? 1 : 0;
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        int o = output_row(work, connection), depth = connection->delay + former;
        bool known = work_known(work, connection);
        if (!known && depth > work->depth[o]) work->depth[o] = depth;
        if (known && work->coupling.scheme == COSTAB_ITERATED) work->guess[o] = 0;
    }
    work->guesses = 0;
    for (int o = 0; o < work->outputs; o++) {
        if (work->guess[o] == 0) work->guess[o] = work->guesses++;
        if (work->depth[o] == 0) continue;
        work->history[o] = work->size;
        work->size += work->depth[o];
    }
}

/* ---- Numbers
 * ------------------------------------------------------------------------------------------------ */

static costab_status make_clocks(costab_network_work *work, costab_error *error) {
    work->period = 1;
    work->lanes = 1;
    for (int s = 0; s < work->count; s++) {
        network_part *part = &work->parts[s];
        costab_status status = clock_make(work->network, &work->coupling, s, &part->clock, error);
        if (status != COSTAB_OK) return status;
        bool exact = work->network->subsystems[s].method.kind == COSTAB_EXACT;
        if (part->clock.real && !exact) work->lanes = 2;
        work->period = clock_lcm(work->period, part->clock.q, COSTAB_PERIOD_MAX);
        char shown[NUMBER_SHOWN_MAX];
        if (work->period == 0)
            return error_set(
                error, COSTAB_INVALID,
                "the pattern of micro steps repeats only after more than %d macro steps of %s: choose "
                "steps with a smaller common multiple",
                COSTAB_PERIOD_MAX, number_shortest(work->coupling.macro_step, shown));
        part->block_count = part->clock.q > 1 ? 2 : 1;
        part->counts[0] = part->clock.p / part->clock.q;
        part->counts[1] = part->counts[0] + 1;
        if (part->clock.real) part->counts[0] = 1;
    }
    return COSTAB_OK;
}

static double *doubles(network_arena *arena, size_t count) {
    return arena_take(arena, count, sizeof(double));
}

static void lay_blocks(costab_network_work *work, network_arena *arena) {
    size_t most = 0, most_int = 0;
    for (int s = 0; s < work->count; s++) {
        network_part *part = &work->parts[s];
        size_t n = (size_t)part->n, m = (size_t)part->m;
        const costab_method *method = &work->network->subsystems[s].method;
        for (int b = 0; b < part->block_count; b++) {
            matrix_block *block = &part->blocks[b];
            block->phi = doubles(arena, n * n);
            block->u = doubles(arena, n * m);
            block->v = doubles(arena, n * m);
            block->phi_im = work->lanes > 1 ? doubles(arena, n * n) : NULL;
            block->u_im = work->lanes > 1 ? doubles(arena, n * m) : NULL;
            block->v_im = work->lanes > 1 ? doubles(arena, n * m) : NULL;
        }
        size_t need = part->clock.real ? matrix_real_power_work(method, part->n, part->m)
                                       : matrix_step_work(method, part->n, part->m);
        size_t need_int = matrix_step_iwork(method, part->n, part->m);
        if (need > most) most = need;
        if (need_int > most_int) most_int = need_int;
    }
    work->block_work = doubles(arena, most);
    work->block_iwork = arena_take(arena, most_int, sizeof(int));
}

static void lay_rows(costab_network_work *work, network_arena *arena) {
    size_t lanes = (size_t)work->lanes, size = (size_t)work->size, guesses = (size_t)work->guesses;
    size_t columns = size > guesses ? size : guesses, width = columns * lanes;
    size_t x = (size_t)work->states, u = (size_t)work->inputs, y = (size_t)work->outputs;
    work->max_width = (int)width;
    work->y0 = doubles(arena, y * width);
    work->y1 = doubles(arena, y * width);
    work->u0 = doubles(arena, u * width);
    work->u1 = doubles(arena, u * width);
    work->end = doubles(arena, u * width);
    work->x1 = doubles(arena, x * width);
    work->scratch = doubles(arena, (x > u ? x : u) * width * 2);
    work->map = doubles(arena, size * width);
    work->next = doubles(arena, size * width);
    size_t loop = work->loop ? y : 0;
    work->loop_matrix = doubles(arena, loop * loop);
    work->loop_pivots = arena_take(arena, loop, sizeof(int));
    work->guess_matrix = doubles(arena, lanes * guesses * lanes * guesses);
    work->guess_rows = doubles(arena, guesses * width);
    work->guess_pivots = arena_take(arena, lanes * guesses, sizeof(int));
}

static void lay_spectrum(costab_network_work *work, network_arena *arena) {
    size_t lanes = (size_t)work->lanes, size = (size_t)work->size, x = (size_t)work->states;
    size_t u = (size_t)work->inputs, most = lanes * (size_t)work->guesses;
    if (lanes * size > most) most = lanes * size;
    if (x > most) most = x;
    work->mono = doubles(arena, x * x);
    work->mono_loop = doubles(arena, u * u);
    work->mono_rows = doubles(arena, u * x);
    work->mono_pivots = arena_take(arena, u, sizeof(int));
    size_t loops = u > (size_t)work->outputs ? u : (size_t)work->outputs;
    work->condition_work = doubles(arena, 4 * loops);
    work->condition_iwork = arena_take(arena, loops, sizeof(int));
    work->eigen_real = doubles(arena, most);
    work->eigen_imaginary = doubles(arena, most);
    work->eigen_work = doubles(arena, eigen_work((int)most));
    work->eigen_iwork = arena_take(arena, eigen_iwork((int)most), sizeof(int));
    size_t complex_size = lanes > 1 ? size : 0;
    work->eigen_complex = doubles(arena, 4 * complex_size * complex_size + 72 * complex_size);
    work->result_real = doubles(arena, complex_size * complex_size);
    work->result_imaginary = doubles(arena, complex_size * complex_size);
}

static void lay_seen(costab_network_work *work, network_arena *arena) {
    for (int s = 0; s < work->count; s++) {
        network_part *part = &work->parts[s];
        size_t n = (size_t)part->n, m = (size_t)part->m, q = (size_t)part->q;
        size_t counts[4] = {n * n, n * m, q * n, q * m};
        for (int k = 0; k < 4; k++) part->seen[k] = doubles(arena, counts[k]);
    }
    work->seen_connections =
        arena_take(arena, (size_t)work->network->connection_count, sizeof *work->seen_connections);
}

static void lay_numbers(void *owner, network_arena *arena) {
    costab_network_work *work = owner;
    lay_seen(work, arena);
    lay_blocks(work, arena);
    lay_rows(work, arena);
    lay_spectrum(work, arena);
}

costab_status work_singular(const costab_subsystem *subsystem, double h, costab_error *error) {
    char shown[NUMBER_SHOWN_MAX];
    return error_set(error, COSTAB_NUMERIC,
                     "subsystem '%s': the stage equations of %s are singular at the step %s", subsystem->name,
                     subsystem->method.name, number_shortest(h, shown));
}

static bool set_shape(int shape[8], const int wanted[8]) {
    bool same = memcmp(shape, wanted, 8 * sizeof *shape) == 0;
    memcpy(shape, wanted, 8 * sizeof *shape);
    return same;
}

/* The memory stays as it is from point to point while sizes do. */
static costab_status place_numbers(costab_network_work *work, costab_error *error) {
    int sums[8] = {work->states, work->inputs,  work->outputs, work->size,
                   work->lanes,  work->guesses, work->loop,    work->network->connection_count};
    bool same = set_shape(work->shape, sums) && work->numbers.base != NULL;
    for (int s = 0; s < work->count; s++) {
        network_part *part = &work->parts[s];
        const costab_method *method = &work->network->subsystems[s].method;
        int shape[8] = {part->n,           part->m,        part->q,          part->block_count,
                        (int)method->kind, method->stages, method->implicit, part->clock.real};
        if (!set_shape(part->shape, shape)) same = false;
    }
    if (same) return COSTAB_OK;
    work->mono_known = false;
    work->seen_count = -1;
    for (int s = 0; s < work->count; s++) work->parts[s].blocks_known = false;
    costab_status status = arena_fill(&work->numbers, lay_numbers, work, error);
    if (status != COSTAB_OK) work->shape[0] = -1;
    return status;
}

static costab_status place_structure(costab_network_work *work, int count, int outputs, costab_error *error) {
    bool same = work->structure.base != NULL && work->count == count && work->outputs == outputs;
    work->count = count;
    work->outputs = outputs;
    if (same) return COSTAB_OK;
    work->shape[0] = -1;
    costab_status status = arena_fill(&work->structure, lay_structure, work, error);
    if (status == COSTAB_OK) memset(work->parts, 0, (size_t)count * sizeof *work->parts);
    if (status != COSTAB_OK) work->count = 0;
    return status;
}

/* I - D L0, the loop of feedthrough and connections without delay; y by y. */
static costab_status make_loop(costab_network_work *work, costab_error *error) {
    int n = work->outputs;
    double *matrix = work->loop_matrix;
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int i = 0; i < n; i++) matrix[i * n + i] = 1;
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        const network_part *to = &work->parts[connection->to];
        const double *D = work->network->subsystems[connection->to].D;
        if (connection->delay > 0 || D == NULL) continue;
        for (int i = 0; i < to->q; i++)
            matrix[(to->y + i) * n + output_row(work, connection)] -=
                D[i * to->m + connection->input] * connection->gain;
    }
    double norm = matrix_norm_rows(n, matrix);
    bool regular =
        matrix_factor(n, matrix, work->loop_pivots) &&
        matrix_condition(n, matrix, norm, work->condition_work, work->condition_iwork) > n * DBL_EPSILON;
    if (!regular)
        return error_set(
            error, COSTAB_INVALID,
            "feedthrough: the loop of connections without delay cannot be solved, I - D L is singular; "
            "break it with a delay");
    return COSTAB_OK;
}

static costab_status take_sizes(costab_network_work *work, costab_error *error) {
    double x = 0, u = 0, y = 0;
    for (int s = 0; s < work->network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &work->network->subsystems[s];
        x += subsystem->states;
        u += subsystem->inputs;
        y += subsystem->outputs;
    }
    double most = 10000;
    if (x > most || u > most || y > most)
        return error_set(error, COSTAB_INVALID,
                         "the network is too large: %g states, %g inputs, %g outputs; at most %g of each", x,
                         u, y, most);
    if (x < 1)
        return error_set(error, COSTAB_INVALID, "the network has no state: there is nothing to be stable");
    work->states = (int)x;
    work->inputs = (int)u;
    return place_structure(work, work->network->subsystem_count, (int)y, error);
}

costab_status work_prepare(costab_network_work *work, const costab_network *network,
                           const costab_coupling *coupling, const network_hooks *hooks, costab_error *error) {
    if (!work_takes(network, coupling)) return costab_coupling_check(network, coupling, error);
    work->network = network;
    work->coupling = *coupling;
    work->hooks = hooks;
    work->guess_known = false;
    costab_status status = take_sizes(work, error);
    if (status != COSTAB_OK) return status;
    number_parts(work);
    number_memory(work);
    if (work->size > 10000)
        return error_set(error, COSTAB_INVALID,
                         "the map has %d entries with all delays, at most 10000: shorten the delays",
                         work->size);
    status = make_clocks(work, error);
    if (status == COSTAB_OK) status = place_numbers(work, error);
    if (status == COSTAB_OK) {
        work_compare(work);
        status = work_make_blocks(work, error);
    }
    if (status == COSTAB_OK && work->loop) status = make_loop(work, error);
    return status;
}

void work_select(costab_network_work *work, int64_t index) {
    for (int s = 0; s < work->count; s++) {
        network_part *part = &work->parts[s];
        part->beat = clock_beat(&part->clock, index);
        part->block = &part->blocks[part->block_count > 1 && part->beat.count == part->counts[1] ? 1 : 0];
    }
}
