/* Runs the program of a macro step (program.h) on columns of doubles.
 *
 * 1. Instructions run in sequence; an iteration repeats the part `sweep` (iterate.h).
 * 2. If the state is 0 (for an iteration matrix J), instructions that read it are skipped.
 * 3. In a simulation a hook replaces the instructions of its call.
 *
 * Cost: the sizes of the products times the width. Operations have the order of map_kernel.c, so results are
 * equal to the last bit. */
#include "network/step.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/exchange.h"
#include "network/iterate.h"
#include "network/rows.h"

/* ---- Maps ---- */

/* Computes the map of a period (docs/explanation/algorithms.md, Maps).
 *
 * 1. Takes the macro steps of the period (step.h) from the unit states.
 * 2. Scales the product by a power of 2 if its norm leaves 2^+-200; *exponent is the sum of these powers.
 *
 * Cost: the macro steps on n columns. */
costab_status map_make(costab_network_work *work, double *iteration_radius, long *exponent,
                       costab_error *error) {
    int size = work->size, width = size * work->halves;
    size_t cells = (size_t)size * (size_t)width;
    memset(work->map, 0, cells * sizeof *work->map);
    for (int i = 0; i < size; i++) work->map[(size_t)i * (size_t)width + (size_t)i] = 1;
    *iteration_radius = work->coupling.scheme == COSTAB_ITERATED ? 0 : (double)NAN;
    *exponent = 0;
    for (int64_t k = 0; k < work->period; k++) {
        TRY(work_step(work, k, width, work->map, work->next, error));
        memcpy(work->map, work->next, cells * sizeof *work->map);
        if (work->iteration.radius > *iteration_radius) *iteration_radius = work->iteration.radius;
        if (work->period == 1) break;
        double norm = matrix_norm(cells, work->map);
        if (!isfinite(norm)) break;
        if (norm < MAP_SCALE_LIMIT && norm > 1 / MAP_SCALE_LIMIT) continue;
        if (norm == 0) break;
        int shift = ilogb(norm);
        *exponent += shift;
        for (size_t e = 0; e < cells; e++) work->map[e] = ldexp(work->map[e], -shift);
    }
    return COSTAB_OK;
}

void map_split(costab_network_work *work) {
    int size = work->size;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            work->map_real[i * size + j] = work->map[i * 2 * size + j];
            work->map_imaginary[i * size + j] = work->map[i * 2 * size + size + j];
        }
}

/* ---- One macro step ---- */

/* Addresses of the program's rows, `width` numbers each. */
typedef struct interpreter {
    costab_network_work *work; /* with the program */
    const network_hooks *hooks;
    int width;
    const double *state;       /* rows of BANK_STATE; NULL: zero */
    double *banks[STEP_BANKS]; /* rows of the other banks */
} interpreter;

static interpreter interpreter_of(costab_network_work *work, int width, const double *state, double *next) {
    interpreter r = {.work = work, .hooks = work->hooks, .width = width, .state = state};
    r.banks[BANK_NEXT] = next;
    r.banks[BANK_BEGIN] = work->y0;
    r.banks[BANK_END] = work->y1;
    for (int l = 0; l <= work->degree; l++) r.banks[BANK_INPUT + l] = work->u[l];
    r.banks[BANK_INPUT_END] = work->end;
    r.banks[BANK_SLOPE_END] = work->end_slope;
    r.banks[BANK_ADVANCED] = work->x1;
    r.banks[BANK_RATE] = work->scratch;
    return r;
}

static double *written_row(const interpreter *r, step_row row) {
    return r->banks[row.bank] + cells(row.row, r->width);
}

static const double *read_row(const interpreter *r, step_row row) {
    return (row.bank == BANK_STATE ? r->state : r->banks[row.bank]) + cells(row.row, r->width);
}

/* ---- Feedthrough loop ---- */

costab_status step_make_loop(costab_network_work *work, costab_error *error) {
    int n = work->outputs;
    double *matrix = work->output_loop.matrix;
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int i = 0; i < n; i++) matrix[i * n + i] = 1;
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        const network_subsystem *to = &work->subs[connection->to], *from = &work->subs[connection->from];
        const double *D = work->network->subsystems[connection->to].D;
        if (work->delays[c] > 0 || work->dead[c] > 0 || D == NULL || !to->active || !from->active) continue;
        for (int i = 0; i < to->q; i++)
            matrix[(to->y + i) * n + from->y + connection->output] -=
                D[i * to->m + connection->input] * connection->gain;
    }
    if (!loop_factor(n, &work->output_loop, &work->loop_space))
        return error_invalid(error, "feedthrough: the loop of connections without delay cannot be solved, "
                                    "I - D L is singular; break it with a delay");
    return COSTAB_OK;
}

/* ---- Instructions ---- */

static double find_factor(const costab_network_work *work, const step_instruction *at) {
    double factor = at->weight;
    if (at->connection >= 0) factor *= work->network->connections[at->connection].gain;
    if (at->per_step > 0) factor *= work->coupling.macro_step;
    if (at->per_step < 0) factor /= work->coupling.macro_step;
    return factor * program_clock_factor(work, at);
}

static void add_rows(const interpreter *r, const step_instruction *at) {
    double factor = find_factor(r->work, at), *to = written_row(r, at->to);
    const double *from = read_row(r, at->from);
    size_t count = cells(at->rows, r->width);
    if (at->fresh)
        for (size_t e = 0; e < count; e++) to[e] = factor * from[e];
    else
        for (size_t e = 0; e < count; e++) to[e] += factor * from[e];
}

/* Matrix of a STEP_MULTIPLY from the first used column. [out] *step: numbers from row to row; *im: imaginary
 * parts, or NULL. */
static const double *find_matrix(const costab_network_work *work, const step_instruction *at, int *step,
                                 const double **im) {
    const costab_subsystem *subsystem = &work->network->subsystems[at->subsystem];
    const network_subsystem *sub = &work->subs[at->subsystem];
    const double *const plain[] = {
        [STEP_A] = subsystem->A, [STEP_B] = subsystem->B, [STEP_C] = subsystem->C, [STEP_D] = subsystem->D};
    *im = NULL;
    if (at->matrix < STEP_PHI) {
        *step = at->columns;
        return plain[at->matrix];
    }
    const matrix_block *block = sub->block;
    bool phi = at->matrix == STEP_PHI;
    *step = phi ? sub->n + sub->extra : sub->m;
    *im = phi ? block->phi_im : block->input_im[at->power];
    if (*im != NULL) *im += at->column;
    return (phi ? block->phi : block->input[at->power]) + at->column;
}

/* Adds im times the other half of complex rows (real parts are in the first half). */
static void add_imaginary(const interpreter *r, const step_instruction *at, int step, const double *im,
                          double *to) {
    int half = r->width / 2;
    for (int i = 0; i < at->rows; i++)
        for (int k = 0; k < at->columns; k++) {
            const double factor = im[i * step + k];
            const double *from = read_row(r, at->from) + cells(k, r->width);
            double *row = to + cells(i, r->width);
            for (int j = 0; j < half; j++) {
                row[j] -= factor * from[half + j];
                row[half + j] += factor * from[j];
            }
        }
}

static void multiply_rows(const interpreter *r, const step_instruction *at) {
    int step;
    const double *im, *re = find_matrix(r->work, at, &step, &im);
    double *to = written_row(r, at->to);
    if (at->fresh) memset(to, 0, cells(at->rows, r->width) * sizeof *to);
    matrix_multiply_add_rows(at->rows, at->columns, r->width, re, step, read_row(r, at->from), to);
    if (im != NULL) add_imaginary(r, at, step, im, to);
}

/* STEP_GAIN: with blocks Phi - I the computed rows are increments of x; they are added to work->gained, then
 * x is added. */
static void keep_gain(const interpreter *r, const step_instruction *at) {
    const costab_network_work *work = r->work;
    const network_subsystem *sub = &work->subs[at->subsystem];
    size_t count = cells(at->rows, r->width);
    double *to = written_row(r, at->to);
    if (work->gained == NULL) return;
    double *gained = work->gained + cells(sub->x, r->width);
    bool states = at->from.row == sub->x && work->final_sweep;
    for (size_t e = 0; e < count && states; e++) gained[e] += to[e];
    const double *from = read_row(r, at->from);
    for (size_t e = 0; e < count && r->state != NULL; e++) to[e] += from[e];
}

/* With multirate the loop contains the subsystems active at this macro step, so it is factored in each. */
static costab_status refactor_loop(const interpreter *r, costab_error *error) {
    return r->work->strided ? step_make_loop(r->work, error) : COSTAB_OK;
}

static costab_status solve_begin(const interpreter *r, const step_instruction *at, costab_error *error) {
    TRY(refactor_loop(r, error));
    loop_solve(r->work->outputs, &r->work->output_loop, r->width, written_row(r, at->to));
    return COSTAB_OK;
}

/* ---- Hooks ---- */

static costab_status call_advance(const interpreter *r, int s, costab_error *error) {
    costab_network_work *work = r->work;
    const network_subsystem *sub = &work->subs[s];
    const double *input[MATRIX_POWERS] = {NULL}, *x = r->state + sub->x;
    for (int l = 0; l <= work->degree; l++) input[l] = work->u[l] + sub->u;
    if (sub->extra > 0) { /* append history values to the states */
        double *full = work->full_state;
        memcpy(full, x, (size_t)sub->n * sizeof *full);
        memcpy(full + sub->n, r->state + sub->extra_row, (size_t)sub->extra * sizeof *full);
        for (int i = 0; i < sub->extra && sub->integrates_outputs; i++) full[sub->n + i] = 0;
        x = full;
    }
    double *x1 = written_row(r, program_advanced(work, s));
    return r->hooks->advance(r->hooks->context, s, x, input, x1, error);
}

static costab_status call_hook(const interpreter *r, const step_instruction *at, costab_error *error) {
    const network_hooks *hooks = r->hooks;
    const costab_network_work *work = r->work;
    const network_subsystem *sub = &work->subs[at->subsystem];
    const double *x = r->state + sub->x, *x1 = written_row(r, program_advanced(work, at->subsystem));
    const double *held = sub->held >= 0 ? r->state + sub->held : NULL,
                 *held_slope = sub->held_slope >= 0 ? r->state + sub->held_slope : NULL;
    double *y0 = work->y0 + sub->y, *y1 = work->y1 + sub->y, *end = work->end + sub->u;
    int s = at->subsystem;
    switch (at->call) {
    case CALL_OUTPUT:
        return hooks->output(hooks->context, s, false, x, work->u[0] + sub->u, y0, error);
    case CALL_SLOPE:
        return hooks->slope(hooks->context, s, false, x, held, held_slope, y0 + work->outputs, error);
    case CALL_SOLVE:
        TRY(refactor_loop(r, error));
        return hooks->solve(hooks->context, r->state, work->u[0], work->y0, error);
    case CALL_ADVANCE:
        return call_advance(r, s, error);
    case CALL_END_OUTPUT:
        return hooks->output(hooks->context, s, true, x1, end, y1, error);
    default:
        return hooks->slope(hooks->context, s, true, x1, end, work->end_slope + sub->u, y1 + work->outputs,
                            error);
    }
}

/* ---- The program ---- */

/* Returns true if the instruction reads a zero state; it is then complete. */
static bool skip_zero_state(const interpreter *r, const step_instruction *at) {
    if (r->state != NULL || at->from.bank != BANK_STATE || at->kind == STEP_GAIN) return false;
    double *to = written_row(r, at->to);
    if (at->fresh || at->kind == STEP_COPY) memset(to, 0, cells(at->rows, r->width) * sizeof *to);
    return true;
}

/* Runs instructions `first` to `last` - 1. */
static costab_status run_instructions(const interpreter *r, int first, int last, costab_error *error) {
    const step_instruction *code = r->work->program->code;
    for (int i = first; i < last; i++) {
        const step_instruction *at = &code[i];
        size_t bytes = cells(at->rows, r->width) * sizeof(double);
        if (at->kind == STEP_CALL) {
            if (r->hooks == NULL) continue;
            TRY(call_hook(r, at, error));
            i += at->skip;
        } else if (at->kind == STEP_CLEAR) {
            memset(written_row(r, at->to), 0, bytes);
        } else if (at->kind == STEP_SOLVE) {
            TRY(solve_begin(r, at, error));
        } else if (skip_zero_state(r, at)) {
            continue;
        } else if (at->kind == STEP_COPY) {
            memcpy(written_row(r, at->to), read_row(r, at->from), bytes);
        } else if (at->kind == STEP_ADD) {
            add_rows(r, at);
        } else if (at->kind == STEP_MULTIPLY) {
            multiply_rows(r, at);
        } else {
            keep_gain(r, at);
        }
    }
    return COSTAB_OK;
}

costab_status step_run(costab_network_work *work, step_part part, int width, const double *state,
                       double *next, costab_error *error) {
    const step_parts *p = &work->program->parts;
    const int ends[] = {0, p->begin, p->guess, p->sweep, p->keep};
    const interpreter r = interpreter_of(work, width, state, next);
    return run_instructions(&r, ends[part], ends[part + 1], error);
}

costab_status work_step(costab_network_work *work, int64_t index, int width, const double *state,
                        double *next, costab_error *error) {
    costab_status status = COSTAB_OK;
    bool iterated = work->coupling.scheme == COSTAB_ITERATED;
    if (work->period > 1)
        status = program_select(work, index, error); /* otherwise all steps equal the
                                                      * first */
    /* A simulation requires the iteration matrix only for the linear fixed point. */
    bool guessed = work->hooks == NULL || (work->coupling.iterations <= 0 && !work->hooks->iterate);
    if (!status && iterated && !work->iteration.known && guessed) status = iterate_map(work, error);
    if (!status) status = step_run(work, PART_BEGIN, width, state, next, error);
    work->final_sweep = !iterated;
    if (!status)
        status = iterated ? iterate_step(work, width, state, next, error)
                          : step_run(work, PART_SWEEP, width, state, next, error);
    if (!status) status = step_run(work, PART_KEEP, width, state, next, error);
    work->final_sweep = false;
    return status;
}

/* ---- Delivered signals ---- */

void work_delivered_polynomial(const costab_network_work *work, int c, const double *state,
                               double u[MATRIX_POWERS]) {
    const costab_connection *connection = &work->network->connections[c];
    int shift, o = work->subs[connection->from].y + connection->output;
    double length = work_length(work, &work->subs[connection->to]);
    polynomial_rule rule;
    exchange_rule(work, c, work->step_index, false, &rule, &shift);
    for (int l = 0; l < MATRIX_POWERS; l++) u[l] = 0;
    for (int i = 0; i < rule.count; i++) {
        const polynomial_node *node = &rule.nodes[i];
        int signal = node->slope ? work->outputs + o : o, back = node->back < 0 ? -1 : node->back + shift;
        const step_row row = program_signal(work, connection->from, signal, back);
        double value = row.bank == BANK_STATE            ? state[row.row]
                       : row.bank == BANK_BEGIN          ? work->y0[row.row]
                       : work->guess_number[row.row] < 0 ? work->y1[row.row]
                                                         : work->iteration.rows[work->guess_number[row.row]];
        for (int l = 0; l <= work->degree; l++)
            u[l] += connection->gain * node->weight[l] * (node->slope ? length : 1) * value;
    }
}

double work_delivered(const costab_network_work *work, int c, const double *state) {
    double u[MATRIX_POWERS], end = work->subs[work->network->connections[c].to].micro_steps.end;
    work_delivered_polynomial(work, c, state, u);
    double delivered = u[work->degree];
    for (int l = work->degree - 1; l >= 0; l--) delivered = u[l] + end * delivered;
    return delivered;
}
