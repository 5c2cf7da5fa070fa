/* The workspace: its layout for a network's structure, and the data of a point before its first macro step.
 *
 * 1. A point with the structure and coupling of the last point reuses the layout (versions.c).
 * 2. Otherwise options are checked (choices.c); sizes, rows of the map's state (rows.h), clocks and their
 *    common period are determined; arrays are taken from two blocks of memory (arena.h); the program is built
 *    (program.h).
 * 3. Blocks of subsystems with changed numbers are recomputed (blocks.c).
 *
 * Cost: the layout once per structure, then that of the blocks. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "method/eigen.h"
#include "network/dead_time.h"
#include "network/lanes_map.h"
#include "network/monodromy.h"
#include "network/neutral.h"
#include "network/pencil.h"
#include "network/program.h"
#include "network/rows.h"
#include "network/short_step.h"
#include "network/step.h"

costab_status costab_network_work_create(costab_network_work **work, costab_error *error) {
    TRY(memory_make(work, 1, error));
    lanes_choose(*work, lanes_best());
    return COSTAB_OK;
}

void costab_network_work_destroy(costab_network_work **work) {
    if (work == NULL || *work == NULL) return;
    neutral_free((*work)->neutral);
    short_step_free((*work)->short_step);
    pencil_free((*work)->pencil);
    dead_time_free((*work)->dead_time);
    programs_free((*work)->programs);
    memory_free_all((*work)->structure.base, (*work)->numbers.base, (*work)->rows, (*work)->short_connections,
                    *work);
    *work = NULL;
}

/* ---- Structure: indices of subsystems and signals ---- */

static void lay_structure(void *owner, network_arena *arena) {
    costab_network_work *work = owner;
    size_t subs = (size_t)work->count, signals = 2 * (size_t)work->outputs;
    work->subs = arena_take(arena, subs, sizeof *work->subs);
    work->order = arena_take(arena, subs, sizeof *work->order);
    work->newest_row = arena_take(arena, signals, sizeof *work->newest_row);
    work->remembered = arena_take(arena, signals, sizeof *work->remembered);
    work->guess_number = arena_take(arena, signals, sizeof *work->guess_number);
    work->delays = arena_take(arena, (size_t)work->network->connection_count, sizeof *work->delays);
    work->dead = arena_take(arena, (size_t)work->network->connection_count, sizeof *work->dead);
    work->first_to = arena_take(arena, subs, sizeof *work->first_to);
    work->next_to = arena_take(arena, (size_t)work->network->connection_count, sizeof *work->next_to);
}

/* First rows of each subsystem, its multirate factor, and its position in the order. */
static void number_subsystems(costab_network_work *work) {
    const costab_network *network = work->network;
    bool ordered = work->coupling.scheme == COSTAB_GAUSS_SEIDEL && work->coupling.order != NULL;
    int x = 0, u = 0, y = 0;
    work->strided = false;
    for (int s = 0; s < work->count; s++) {
        const costab_subsystem *from = &network->subsystems[s];
        network_subsystem *sub = &work->subs[s];
        sub->n = from->states;
        sub->m = from->inputs;
        sub->q = from->outputs;
        sub->x = x;
        sub->u = u;
        sub->y = y;
        sub->held = sub->held_slope = sub->sent = -1;
        sub->stride = from->stride > 1 ? from->stride : 1;
        sub->discrete = from->method.kind == COSTAB_DISCRETE;
        if (sub->stride > 1) work->strided = true;
        x += from->states;
        u += from->inputs;
        y += from->outputs;
        work->order[s] = ordered ? work->coupling.order[s] : s;
    }
    for (int i = 0; i < work->count; i++) work->subs[work->order[i]].position = i;
}

/* ---- Numbers ---- */

/* Sets clocks, and the period of clocks and multirate pattern. */
static costab_status make_clocks(costab_network_work *work, costab_error *error) {
    work->period = work->cycle = 1;
    work->halves = 1;
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        network_clock clock;
        TRY(clock_make(work->network, &work->coupling, s, &clock, error));
        subsystem_set_clock(sub, &clock);
        bool exact = work->network->subsystems[s].method.kind == COSTAB_EXACT;
        if (sub->clock.real && !exact) work->halves = 2;
        work->period = clock_lcm(work->period, sub->clock.q * sub->stride, COSTAB_PERIOD_MAX);
        char shown[NUMBER_SHOWN_MAX];
        if (work->period == 0)
            return error_invalid(error,
                                 "the pattern of steps repeats only after more than %d macro steps of %s: "
                                 "choose steps and strides with a smaller common multiple",
                                 COSTAB_PERIOD_MAX, number_shortest(work->coupling.macro_step, shown));
        work->cycle = clock_lcm(work->cycle, sub->stride, COSTAB_PERIOD_MAX);
        sub->block_count = sub->clock.q > 1 ? 2 : 1;
    }
    return COSTAB_OK;
}

static double *take_doubles(network_arena *arena, size_t count) {
    return arena_take(arena, count, sizeof(double));
}

static void lay_block(const costab_network_work *work, const network_subsystem *sub, network_arena *arena,
                      matrix_block *block) {
    size_t n = (size_t)sub->n + (size_t)sub->extra, m = (size_t)sub->m;
    block->phi = take_doubles(arena, n * n);
    block->diagonal = take_doubles(arena, n);
    for (int l = 0; l <= work->degree; l++) block->input[l] = take_doubles(arena, n * m);
    block->phi_im = work->halves > 1 ? take_doubles(arena, n * n) : NULL;
    for (int l = 0; l <= work->degree; l++)
        block->input_im[l] = work->halves > 1 ? take_doubles(arena, n * m) : NULL;
}

static void lay_blocks(costab_network_work *work, network_arena *arena) {
    size_t most = 0, most_int = 0;
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        size_t n = (size_t)sub->n + (size_t)sub->extra, m = (size_t)sub->m;
        const costab_method *method = &work->network->subsystems[s].method;
        for (int b = 0; b < sub->block_count; b++) lay_block(work, sub, arena, &sub->blocks[b]);
        sub->with_integrals = take_doubles(arena, sub->integrates_outputs ? n * (n + m) : 0);
        matrix_system system = work_system(work, s);
        size_t need =
            sub->clock.real ? matrix_real_power_work(method, &system) : matrix_step_work(method, &system);
        size_t need_int = matrix_step_iwork(method, &system);
        if (need > most) most = need;
        if (need_int > most_int) most_int = need_int;
    }
    work->block_work = take_doubles(arena, most);
    work->block_iwork = arena_take(arena, most_int, sizeof(int));
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void lay_step_rows(costab_network_work *work, network_arena *arena) {
    size_t halves = (size_t)work->halves, size = (size_t)work->size, guesses = (size_t)work->guesses;
    size_t width = larger(larger(size, guesses), 1) * halves, signals = (size_t)work->signals;
    size_t x = (size_t)work->states, u = (size_t)work->inputs, y = (size_t)work->outputs;
    size_t powers = (size_t)work->degree + 1, full = (size_t)work->advanced_rows;
    work->y0 = take_doubles(arena, signals * width);
    work->y1 = take_doubles(arena, signals * width);
    for (int l = 0; l <= work->degree; l++) work->u[l] = take_doubles(arena, u * width);
    work->end = take_doubles(arena, u * width);
    work->end_slope = take_doubles(arena, work->slopes ? u * width : 0);
    work->x1 = take_doubles(arena, full * width);
    work->full_state = take_doubles(arena, full > x ? full * width : 0);
    work->scratch = take_doubles(arena, larger(x * 2, u * powers) * width);
    work->map = take_doubles(arena, size * width);
    work->next = take_doubles(arena, size * width);
    size_t loop = work->has_loop ? y : 0;
    work->output_loop = loop_lay(arena, loop);
    work->iteration.loop = loop_lay(arena, halves * guesses);
    work->iteration.matrix = take_doubles(arena, halves * guesses * halves * guesses);
    work->iteration.rows = take_doubles(arena, guesses * width);
    const bool newton = work->coupling.iterations == COSTAB_NEWTON;
    work->iteration.apart = take_doubles(arena, newton ? x * width : 0);
    const bool solves = work->hooks != NULL && newton;
    work->iteration.unknowns = take_doubles(arena, solves ? guesses : 0);
    work->iteration.newton = newton_lay(arena, solves ? work->guesses : 0);
}

static void lay_spectrum(costab_network_work *work, network_arena *arena) {
    size_t halves = (size_t)work->halves, size = (size_t)work->size, x = (size_t)work->states;
    size_t u = (size_t)work->inputs, most = halves * (size_t)work->guesses;
    if (halves * size > most) most = halves * size;
    if (x > most) most = x;
    work->mono.matrix = take_doubles(arena, x * x);
    work->mono.loop = loop_lay(arena, u);
    work->mono.rows = take_doubles(arena, u * x);
    work->mono.rest = take_doubles(arena, 2 * u * x);
    work->mono.gain = take_doubles(arena, u * u);
    work->mono.inverse = take_doubles(arena, u * u);
    work->mono.errors = take_doubles(arena, x * x);
    work->mono.balanced = take_doubles(arena, x * x);
    work->mono.scale = take_doubles(arena, 3 * x);
    monodromy_lay(work, arena);
    size_t loops = larger(u, (size_t)work->outputs);
    work->loop_space = (loop_space){.work = take_doubles(arena, 4 * loops),
                                    .iwork = arena_take(arena, 2 * loops, sizeof(int))};
    work->eigen.real = take_doubles(arena, most);
    work->eigen.imaginary = take_doubles(arena, most);
    work->eigen.modulus = take_doubles(arena, most);
    work->eigen.slack = take_doubles(arena, most);
    work->eigen.components = arena_take(arena, most, sizeof *work->eigen.components);
    work->eigen.work = take_doubles(arena, eigen_work((int)most));
    work->eigen.iwork = arena_take(arena, eigen_iwork((int)most), sizeof(int));
    size_t complex_size = halves > 1 ? size : 0;
    work->eigen.complex_work =
        take_doubles(arena, larger(4 * complex_size * complex_size, eigen_complex_work((int)complex_size)));
    work->map_real = take_doubles(arena, complex_size * complex_size);
    work->map_imaginary = take_doubles(arena, complex_size * complex_size);
}

static void lay_numbers(void *owner, network_arena *arena) {
    costab_network_work *work = owner;
    lay_blocks(work, arena);
    lay_step_rows(work, arena);
    lay_spectrum(work, arena);
    lanes_lay(work, arena);
}

/* Allocates the lists. */
static costab_status place_structure(costab_network_work *work, int count, int outputs, costab_error *error) {
    work->count = count;
    work->outputs = outputs;
    costab_status status = arena_fill(&work->structure, lay_structure, work, error);
    if (status) work->count = 0;
    if (!status) memset(work->subs, 0, (size_t)count * sizeof *work->subs);
    return status;
}

/* Sums states, inputs and outputs, and allocates the lists. */
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
        return error_invalid(error,
                             "the network is too large: %g states, %g inputs, %g outputs; at most %g of each",
                             x, u, y, most);
    work->states = (int)x;
    work->inputs = (int)u;
    return place_structure(work, work->network->subsystem_count, (int)y, error);
}

/* Lays out the workspace. */
static costab_status lay_out(costab_network_work *work, costab_error *error) {
    TRY(take_sizes(work, error));
    number_subsystems(work);
    TRY(rows_number(work, error));
    TRY(make_clocks(work, error));
    TRY(monodromy_times(work, error));
    work->mono.known = false;
    return arena_fill(&work->numbers, lay_numbers, work, error);
}

/* Sets properties of the layout. */
static void note_layout(costab_network_work *work) {
    work->delays_in_seconds = false;
    for (int c = 0; c < work->network->connection_count; c++)
        if (work->network->connections[c].delay_time > 0 || work->network->connections[c].dead_time > 0)
            work->delays_in_seconds = true;
    work->batch.usable = lanes_fit(work);
}

costab_status work_prepare(costab_network_work *work, const costab_network *network,
                           const costab_coupling *coupling, const network_hooks *hooks, costab_error *error) {
    bool kept = work_is_kept(work, network, coupling, hooks) && work_take_clocks(work, network, coupling);
    if (!kept && !work_takes(network, coupling)) return costab_coupling_check(network, coupling, error);
    work->network = network;
    work->coupling = *coupling;
    work->hooks = hooks;
    work->iteration.known = false;
    work->structure_version = 0; /* after an error the layout is invalid */
    if (!kept) TRY(lay_out(work, error));
    if (!kept) TRY(programs_begin(work, error));
    TRY(program_select(work, 0, error));
    work_take_versions(work, kept);
    if (!kept) note_layout(work);
    if (hooks == NULL && work->past == NULL) work->structure_version = network->structure_version;
    for (int s = 0; s < work->count; s++) TRY(work_make_block(work, s, error));
    return work->has_loop && !work->strided ? step_make_loop(work, error) : COSTAB_OK;
}
