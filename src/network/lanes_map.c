/* Computes the maps of a batch of points by running the program of a macro step (program.h) on rows of
 * vectors.
 *
 * 1. Numbers: matrices, gains and macro steps of all points, contiguous per entry.
 * 2. Blocks [Phi, input parts] of the subsystems' steps: explicit methods in lanes, other methods by the
 *    scalar code lane by lane. Monolithic systems with feedthrough also use the scalar code.
 * 3. Iteration matrix J: the program's sweep on unit values. Lanes compute its eigenvalues, or powers if only
 *    convergence matters and powers decide it. I - J and the feedthrough loop are factored lane by lane.
 * 4. Map: the program on unit states; instructions that read unit states copy instead of multiplying.
 *
 * Cost: that of the scalar code divided by the number of lanes. Results are equal to the last bit. */
#include "network/lanes_map.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "network/analyse.h"
#include "network/iterate.h"
#include "network/network.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/step.h"

lane_shape lane_shape_of(const costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    return (lane_shape){sub->n,
                        sub->m,
                        work->degree,
                        sub->n + (work->degree + 1) * sub->m,
                        subsystem->substeps,
                        &subsystem->method};
}

void lanes_choose(costab_network_work *work, int width) {
    work->eigen_kernels = LANES_OF(width, eigen_kernels);
    work->map_kernels = LANES_OF(width, map_kernels);
    work->width = width;
}

/* ---- Memory ---- */

static int larger(int a, int b) {
    return a > b ? a : b;
}

static void lay_parts(costab_network_work *work, lanes_space *space, network_arena *arena) {
    int block = 0;
    space->parts = arena_take(arena, (size_t)work->count, sizeof *space->parts);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        int rows = sub->n + sub->extra, count = rows * (rows + (work->degree + 1) * sub->m);
        lane_part part = {.explicit = false};
        for (int b = 0; b < sub->block_count; b++) part.block[b] = arena_lanes(arena, work->width, count);
        if (space->parts != NULL) space->parts[s] = part;
        block = larger(block, count);
    }
    space->scratch = arena_lanes(arena, work->width, 3 * block);
}

static void lay_banks(const costab_network_work *work, lanes_space *space, network_arena *arena) {
    int width = larger(work->size, work->guesses), inputs = work->inputs * width;
    space->banks[BANK_STATE] = arena_lanes(arena, work->width, work->period > 1 ? work->size * width : 0);
    space->banks[BANK_BEGIN] = arena_lanes(arena, work->width, work->signals * width);
    space->banks[BANK_END] = arena_lanes(arena, work->width, work->signals * width);
    for (int l = 0; l <= work->degree; l++)
        space->banks[BANK_INPUT + l] = arena_lanes(arena, work->width, inputs);
    space->banks[BANK_INPUT_END] = arena_lanes(arena, work->width, inputs);
    space->banks[BANK_SLOPE_END] = arena_lanes(arena, work->width, work->slopes ? inputs : 0);
    space->banks[BANK_ADVANCED] = arena_lanes(arena, work->width, work->advanced_rows * width);
    space->banks[BANK_RATE] = arena_lanes(arena, work->width, work->slopes ? work->states * width : 0);
}

static void lay_batch(costab_network_work *work, network_arena *arena) {
    int size = work->size;
    network_batch *batch = &work->batch;
    batch->maps = arena_lanes(arena, work->width, size * larger(size, work->guesses));
    batch->monos = arena_lanes(arena, work->width, work->states * work->states);
    batch->spare = arena_lanes(arena, work->width, size * size);
    batch->found = (eigen_lanes_found){.re = arena_lanes(arena, work->width, size),
                                       .im = arena_lanes(arena, work->width, size),
                                       .norm = arena_lanes(arena, work->width, size),
                                       .largest_square = arena_lanes(arena, work->width, size),
                                       .outweighs = arena_lanes(arena, work->width, 1)};
    batch->eigen_work = arena_lanes(arena, work->width, (int)eigen_lanes_work(1, size));
}

/* Lays out the numbers of one lane. */
static void lay_one(const costab_network_work *work, lanes_space *space, network_arena *arena) {
    size_t count = 0;
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        count += cells(sub->n + sub->q, sub->n + sub->m);
    }
    space->one_subsystems = arena_take(arena, (size_t)work->count, sizeof *space->one_subsystems);
    space->one_connections =
        arena_take(arena, (size_t)work->network->connection_count, sizeof *space->one_connections);
    space->one_matrices = arena_take(arena, count, sizeof *space->one_matrices);
}

void lanes_lay(costab_network_work *work, network_arena *arena) {
    int size = work->size, guesses = work->guesses;
    work->batch = (network_batch){.usable = false};
    work->lanes_space = NULL;
    if (size > EIGEN_LANES_MOST || guesses > EIGEN_LANES_MOST || work->halves > 1 || work->hooks != NULL ||
        work->past != NULL)
        return;
    lay_batch(work, arena);
    lanes_space local, *space = arena_take(arena, 1, sizeof *space);
    work->lanes_space = space;
    if (space == NULL) space = &local; /* measuring only */
    *space = (lanes_space){.steps = NULL};
    lay_banks(work, space, arena);
    lay_parts(work, space, arena);
    lay_one(work, space, arena);
    space->inputs = arena_lanes(arena, work->width, work->inputs * work->states);
    space->guess = arena_lanes(arena, work->width, guesses * guesses);
    space->guess_spare = arena_lanes(arena, work->width, guesses * guesses);
    space->guess_rows = arena_lanes(arena, work->width, guesses * larger(size, guesses));
    space->numbers = arena_lanes(arena, work->width, larger(work->outputs, guesses) * larger(size, guesses));
    space->found = (eigen_lanes_found){.re = arena_lanes(arena, work->width, guesses),
                                       .im = arena_lanes(arena, work->width, guesses),
                                       .norm = arena_lanes(arena, work->width, guesses)};
    space->eigen_work = arena_lanes(arena, work->width, (int)eigen_lanes_work(1, guesses));
}

/* ---- Which structures lanes compute ---- */

/* Larger products use BLAS, whose order of operations differs. */
static bool small(int rows, int inner, int columns) {
    return rows * inner * columns <= 16384;
}

static bool is_explicit(const costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    lane_shape shape = lane_shape_of(work, s);
    return subsystem->method.kind == COSTAB_RUNGE_KUTTA && !subsystem->method.implicit &&
           subsystem->substeps > 0 && sub->extra == 0 && small(sub->n, sub->n, shape.width);
}

bool lanes_fit(const costab_network_work *work) {
    bool fits = work->lanes_space != NULL && !monolithic_unknown(work->network) &&
                !network_is_sampled_data(work->network) && !network_has_dead_time(work->network);
    for (int i = 0; i < work->program->count && fits; i++) {
        const step_instruction *at = &work->program->code[i];
        fits = at->kind != STEP_MULTIPLY || small(at->rows, at->columns, work->size);
    }
    if (!fits) return false;
    lanes_space *space = work->lanes_space;
    space->explicit = true;
    space->feedthrough = false;
    for (int s = 0; s < work->count; s++) {
        space->parts[s].explicit = is_explicit(work, s);
        space->explicit = space->explicit && space->parts[s].explicit;
        space->feedthrough = space->feedthrough || work->network->subsystems[s].D != NULL;
    }
    return true;
}

/* ---- Numbers ---- */

void lanes_take_numbers(costab_network_work *work, const network_numbers *numbers) {
    lanes_space *space = work->lanes_space;
    const costab_network *network = work->network;
    memset(space->alone, 0, sizeof space->alone);
    space->steps = numbers->steps;
    space->gains = numbers->gains;
    space->matrices = numbers->matrices;
    if (space->explicit && !space->feedthrough) return;
    space->one = *network;
    work->network = &space->one;
    for (int s = 0; s < work->count; s++) space->one_subsystems[s] = network->subsystems[s];
    for (int c = 0; c < network->connection_count; c++) space->one_connections[c] = network->connections[c];
    space->one.subsystems = space->one_subsystems;
    space->one.connections = space->one_connections;
}

/* ---- The numbers of one lane ---- */

/* Copies `count` numbers of one lane; advances *to. */
static const double *take(int width, const double *lanes, int lane, size_t count, double **to) {
    double *taken = *to;
    if (lanes == NULL) return NULL;
    lane_get(width, lanes, lane, count, taken);
    *to += count;
    return taken;
}

/* Copies the numbers of a lane to the workspace's network. */
static void take_lane(costab_network_work *work, int lane) {
    lanes_space *space = work->lanes_space;
    double *to = space->one_matrices;
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        const network_matrices *of = &space->matrices[s];
        costab_subsystem *one = &space->one_subsystems[s];
        one->A = take(work->width, of->A, lane, cells(sub->n, sub->n), &to);
        one->B = take(work->width, of->B, lane, cells(sub->n, sub->m), &to);
        one->C = take(work->width, of->C, lane, cells(sub->q, sub->n), &to);
        one->D = take(work->width, of->D, lane, cells(sub->q, sub->m), &to);
    }
    for (int c = 0; c < work->network->connection_count; c++)
        space->one_connections[c].gain = space->gains[c][lane];
    work->coupling.macro_step = space->steps[lane];
}

void lanes_solve_begin(const lanes_run *run, double *rows) {
    costab_network_work *work = run->work;
    lanes_space *space = work->lanes_space;
    const size_t count = cells(work->outputs, run->width);
    for (int l = 0; l < work->width; l++) {
        if (space->alone[l]) continue;
        take_lane(work, l);
        space->alone[l] = step_make_loop(work, NULL) != COSTAB_OK;
        if (space->alone[l]) continue;
        lane_get(work->width, rows, l, count, space->numbers);
        loop_solve(work->outputs, &work->output_loop, run->width, space->numbers);
        lane_put(work->width, rows, l, count, space->numbers);
    }
}

/* Copies the scalar code's blocks of a subsystem to a lane. */
static void put_blocks(const costab_network_work *work, int s, int lane) {
    const network_subsystem *sub = &work->subs[s];
    size_t rows = (size_t)(sub->n + sub->extra), m = (size_t)sub->m;
    size_t width = rows + ((size_t)work->degree + 1) * m;
    for (int b = 0; b < sub->block_count; b++)
        for (size_t i = 0; i < rows; i++) {
            const matrix_block *block = &sub->blocks[b];
            double *to = work->lanes_space->parts[s].block[b] + i * width * (size_t)work->width;
            lane_put(work->width, to, lane, rows, block->phi + i * rows);
            for (size_t l = 0; l <= (size_t)work->degree && m > 0; l++)
                lane_put(work->width, to + (rows + l * m) * (size_t)work->width, lane, m,
                         block->input[l] + i * m);
        }
}

/* Returns true if these numbers equal those of the previous lane. */
static bool are_repeated(size_t width, const double *lanes, int lane, size_t count) {
    bool same = true;
    for (size_t i = 0; i < count && lanes != NULL && same; i++) {
        const double *at = lanes + i * width + lane;
        same = memcmp(at, at - 1, sizeof *at) == 0;
    }
    return same;
}

/* Computes the blocks of subsystems with other than explicit methods. */
static void make_scalar_blocks(costab_network_work *work) {
    lanes_space *space = work->lanes_space;
    const size_t width = (size_t)work->width;
    for (int l = 0; l < work->width; l++) {
        take_lane(work, l);
        if (!work_take_clocks(work, work->network, &work->coupling)) space->alone[l] = true;
        for (int s = 0; s < work->count; s++) {
            network_subsystem *sub = &work->subs[s];
            const network_matrices *of = &space->matrices[s];
            if (space->parts[s].explicit) continue;
            sub->blocks_known = sub->blocks_known && l > 0 &&
                                are_repeated(width, of->A, l, cells(sub->n, sub->n)) &&
                                are_repeated(width, of->B, l, cells(sub->n, sub->m)) &&
                                are_repeated(width, of->C, l, cells(sub->q, sub->n)) &&
                                are_repeated(width, of->D, l, cells(sub->q, sub->m));
            if (work_make_block(work, s, NULL)) space->alone[l] = true;
            put_blocks(work, s, l);
        }
    }
    for (int s = 0; s < work->count; s++) work->subs[s].blocks_known = false;
}

/* Computes the monolithic system of a lane with feedthrough. */
static void make_scalar_mono(costab_network_work *work, int lane, double *monos, bool *inexact) {
    lanes_space *space = work->lanes_space;
    take_lane(work, lane);
    if (monolithic_make(work, NULL))
        space->alone[lane] = true;
    else
        *inexact = monolithic_errors(work);
    lane_put(work->width, monos, lane, cells(work->states, work->states), work->mono.matrix);
}

/* ---- Iterations ---- */

/* Computes J into space->guess. */
static void make_guess_map(costab_network_work *work) {
    lanes_space *space = work->lanes_space;
    int g = work->guesses;
    const lanes_run run = {work, g, LANES_ZERO};
    size_t square = cells(g * g, work->width), signals = cells(work->signals * g, work->width);
    memset(space->banks[BANK_BEGIN], 0, signals * sizeof(double));
    memset(space->banks[BANK_END], 0, signals * sizeof(double));
    memset(space->guess, 0, square * sizeof *space->guess);
    for (int i = 0; i < g; i++)
        for (int l = 0; l < work->width; l++) space->guess[i * (g + 1) * work->width + l] = 1;
    iterate_put(work, g * work->width, space->guess, space->banks[BANK_END]);
    work->map_kernels->run(&run, work->program->parts.guess, work->program->parts.sweep);
    iterate_take(work, g * work->width, space->banks[BANK_END], space->guess);
}

/* guess_spare = ((1 - w) I + w J) / radius. */
static void copy_relaxed(const costab_network_work *work, double w, double radius) {
    lanes_space *space = work->lanes_space;
    int g = work->guesses;
    for (int i = 0; i < g; i++)
        for (int j = 0; j < g; j++)
            for (int l = 0; l < work->width; l++) {
                int at = (i * g + j) * work->width + l;
                space->guess_spare[at] = ((i == j ? 1 - w : 0) + w * space->guess[at]) / radius;
            }
}

/* Finds by powers the iterations that converge, away from a pole of the map, and those that diverge, into
 * space->sides. Returns false if a lane remains undecided. */
static bool find_sides(costab_network_work *work) {
    lanes_space *space = work->lanes_space;
    const double w = iterate_relaxation(work);
    eigen_where where[LANES_MOST];
    int open = 0;
    copy_relaxed(work, w, ANALYSE_QUICK_RADIUS);
    eigen_lanes_side(work->eigen_kernels, work->guesses, space->guess_spare, &space->zeros, space->sides,
                     space->eigen_work, work->eigen.iwork);
    for (int l = 0; l < work->width; l++) open += space->sides[l] != EIGEN_INSIDE;
    if (open == 0) return true;
    copy_relaxed(work, w, 1);
    eigen_lanes_side(work->eigen_kernels, work->guesses, space->guess_spare, &space->zeros, where,
                     space->eigen_work, work->eigen.iwork);
    for (int l = 0; l < work->width; l++) {
        if (space->sides[l] == EIGEN_INSIDE) continue;
        space->sides[l] = where[l] == EIGEN_OUTSIDE ? EIGEN_OUTSIDE : EIGEN_UNKNOWN;
        open -= where[l] == EIGEN_OUTSIDE;
    }
    return open == 0;
}

/* Decides convergence by powers if `radius` is false and powers decide all lanes; otherwise computes the
 * eigenvalues of J. */
static void judge_guess_map(costab_network_work *work, bool radius) {
    lanes_space *space = work->lanes_space;
    int g = work->guesses;
    space->sided = g > 0 && !radius && analyse_converges(&work->coupling) && find_sides(work);
    if (space->sided || g == 0) return;
    memcpy(space->guess_spare, space->guess, cells(g * g, work->width) * sizeof *space->guess);
    eigen_lanes_values(work->eigen_kernels, g, space->guess_spare, &space->zeros, &space->found,
                       space->eigen_work, work->eigen.iwork);
    for (int l = 0; l < work->width; l++) space->alone[l] = space->alone[l] || !space->found.known[l];
}

/* Iteration radius of a lane. If only the side is known: 0 if it converges, 2 if it diverges. */
static double radius_of(const costab_network_work *work, int lane) {
    const lanes_space *space = work->lanes_space;
    if (space->sided) return space->sides[lane] == EIGEN_INSIDE ? 0 : 2;
    for (int i = 0; i < work->guesses; i++) {
        work->eigen.real[i] = space->found.re[i * work->width + lane];
        work->eigen.imaginary[i] = space->found.im[i * work->width + lane];
    }
    return iterate_radius(work);
}

/* Takes the radius of a lane's J and factors I - J. */
static void take_guess_map(costab_network_work *work, int lane) {
    lanes_space *space = work->lanes_space;
    int g = work->guesses;
    lane_get(work->width, space->guess, lane, cells(g, g), work->iteration.loop.matrix);
    iterate_factor(work, radius_of(work, lane));
    if (!(space->radius[lane] >= work->iteration.radius)) space->radius[lane] = work->iteration.radius;
    space->alone[lane] = space->alone[lane] || work->iteration.singular || work->iteration.cancels;
}

/* Fixed point w = J w + b of an iteration: a sweep from 0 gives b, w = (I - J)^-1 b. */
static void converge(const lanes_run *run) {
    costab_network_work *work = run->work;
    lanes_space *space = work->lanes_space;
    int g = work->guesses;
    size_t count = cells(g, run->width);
    memset(space->banks[BANK_END], 0, cells(work->signals * run->width, work->width) * sizeof(double));
    work->map_kernels->run(run, work->program->parts.guess, work->program->parts.sweep);
    iterate_take(work, run->width * work->width, space->banks[BANK_END], space->guess_rows);
    for (int l = 0; l < work->width; l++) {
        if (space->alone[l]) continue;
        take_guess_map(work, l);
        lane_get(work->width, space->guess_rows, l, count, space->numbers);
        loop_solve(g, &work->iteration.loop, run->width, space->numbers);
        lane_put(work->width, space->guess_rows, l, count, space->numbers);
    }
    iterate_put(work, run->width * work->width, space->guess_rows, space->banks[BANK_END]);
}

static void iterate(const lanes_run *run, bool radius) {
    costab_network_work *work = run->work;
    lanes_space *space = work->lanes_space;
    const step_parts parts = work->program->parts;
    int sweeps = work->coupling.iterations > 0 ? work->coupling.iterations : 1;
    bool relaxed = iterate_relaxation(work) != 1;
    if (radius || work->coupling.iterations <= 0) {
        make_guess_map(work);
        judge_guess_map(work, radius);
    }
    work->map_kernels->run(run, 0, work->coupling.iterations > 0 ? parts.guess : parts.begin);
    if (work->coupling.iterations <= 0)
        converge(run);
    else
        for (int l = 0; l < work->width && radius; l++)
            if (!space->alone[l]) take_guess_map(work, l);
    for (int k = 1; k <= sweeps; k++) {
        bool relaxes = relaxed && k < sweeps;
        if (relaxes) iterate_take(work, run->width * work->width, space->banks[BANK_END], space->guess_rows);
        work->map_kernels->run(run, parts.guess, parts.sweep);
        if (relaxes) iterate_relax(work, run->width * work->width, space->guess_rows, space->banks[BANK_END]);
    }
    work->map_kernels->run(run, parts.sweep, parts.keep);
}

/* ---- Maps ---- */

/* Leaves lanes to the scalar code whose product over a period would be scaled. */
static void note_scaled(costab_network_work *work, const double *maps) {
    lanes_space *space = work->lanes_space;
    int count = work->size * work->size;
    for (int l = 0; l < work->width; l++) {
        double sum = 0;
        for (int e = 0; e < count; e++) sum += maps[e * work->width + l] * maps[e * work->width + l];
        bool near_one = sqrt(sum) < MAP_SCALE_LIMIT && sqrt(sum) > 1 / MAP_SCALE_LIMIT;
        space->alone[l] = space->alone[l] || !near_one;
    }
}

void lanes_make_maps(costab_network_work *work, double *maps, bool radius) {
    lanes_space *space = work->lanes_space;
    lanes_run run = {work, work->size, LANES_UNIT};
    size_t bytes = cells(work->size * work->size, work->width) * sizeof *maps;
    costab_status status = COSTAB_OK;
    space->banks[BANK_NEXT] = maps;
    for (int l = 0; l < work->width; l++) space->radius[l] = (double)NAN;
    work->map_kernels->blocks(work);
    if (!space->explicit) make_scalar_blocks(work);
    for (int64_t k = 0; k < work->period && !status; k++) {
        if (work->period > 1) status = program_select(work, k, NULL);
        if (status) break;
        if (work->coupling.scheme == COSTAB_ITERATED)
            iterate(&run, radius);
        else
            work->map_kernels->run(&run, 0, work->program->parts.keep);
        if (work->period == 1) break;
        note_scaled(work, maps);
        memcpy(space->banks[BANK_STATE], maps, bytes);
        run.state = LANES_GIVEN;
    }
    for (int l = 0; l < work->width && status; l++) space->alone[l] = true;
}

/* Returns true if terms of an entry of A_mono may cancel: two connections lead from one subsystem to another,
 * or one connection leads back to its own subsystem. */
static bool has_sums(const costab_network *network) {
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *one = &network->connections[c];
        if (one->from == one->to) return true;
        for (int k = 0; k < c; k++)
            if (network->connections[k].from == one->from && network->connections[k].to == one->to)
                return true;
    }
    return false;
}

/* Adds the moduli of the terms of A_mono from connection c. */
static void add_moduli(const costab_network_work *work, int c, double *sums) {
    const costab_connection *connection = &work->network->connections[c];
    const network_subsystem *from = &work->subs[connection->from], *to = &work->subs[connection->to];
    const double *B = work->lanes_space->matrices[connection->to].B, *gain = work->lanes_space->gains[c];
    const double *C = work->lanes_space->matrices[connection->from].C;
    for (int i = 0; i < to->n; i++)
        for (int j = 0; j < from->n; j++) {
            double *sum = sums + ((to->x + i) * work->states + from->x + j) * work->width;
            const double *b = B + (i * to->m + connection->input) * work->width,
                         *cell = C + (connection->output * from->n + j) * work->width;
            for (int l = 0; l < work->width; l++) sum[l] += fabs(b[l] * gain[l] * cell[l]);
        }
}

/* inexact[l]: terms of an entry of A_mono cancel. */
static void find_inexact(costab_network_work *work, const double *monos, bool inexact[LANES_MOST]) {
    int n = work->states;
    double *sums = work->batch.spare;
    memset(sums, 0, cells(n * n, work->width) * sizeof *sums);
    for (int s = 0; s < work->count; s++)
        for (int i = 0; i < work->subs[s].n; i++)
            for (int j = 0; j < work->subs[s].n; j++)
                for (int l = 0; l < work->width; l++)
                    sums[((work->subs[s].x + i) * n + work->subs[s].x + j) * work->width + l] =
                        fabs(work->lanes_space->matrices[s].A[(i * work->subs[s].n + j) * work->width + l]);
    for (int c = 0; c < work->network->connection_count; c++) add_moduli(work, c, sums);
    for (int e = 0; e < n * n; e++)
        for (int l = 0; l < work->width; l++)
            if (sums[e * work->width + l] > MONOLITHIC_CANCELLED * fabs(monos[e * work->width + l]))
                inexact[l] = true;
    for (int l = 0; l < work->width; l++) {
        if (!inexact[l]) continue;
        lane_get(work->width, monos, l, (size_t)(n * n), work->mono.matrix);
        lane_get(work->width, sums, l, (size_t)(n * n), work->mono.errors);
        inexact[l] = monolithic_inexact(work, work->mono.matrix, work->mono.errors);
    }
}

void lanes_make_monos(costab_network_work *work, double *monos, bool inexact[LANES_MOST]) {
    work->mono.known = false;
    for (int l = 0; l < work->width && work->lanes_space->feedthrough; l++)
        make_scalar_mono(work, l, monos, &inexact[l]);
    if (work->lanes_space->feedthrough) return;
    work->map_kernels->mono(work, monos);
    if (has_sums(work->network)) find_inexact(work, monos, inexact);
}
