/* One macro step: the only place where the master's choices are carried out.
 *
 * At the step's begin the outputs y_n are formed. A subsystem's input line runs from u0 to u1 over the macro
 * step: the sum of its connections, each either extrapolated from y_n (or a delayed value) or, where the
 * target sees the source's new value (work_known), interpolated with it. Jacobi and gauss-seidel advance
 * every subsystem once; an iteration repeats this with guesses of the new outputs. All values are rows of
 * linear forms, so the same code gives the map (from unit states) and a simulated step (from one state); the
 * hooks put micro steps and nonlinear functions in. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/spectrum.h"
#include "network/work.h"

/* A nonlinear iteration has converged where guesses move by less than this, relative. */
#define GUESS_TOLERANCE 1e-13
enum { GUESS_SWEEPS_MAX = 2000 };

static size_t cells(int rows, int width) {
    return (size_t)rows * (size_t)width;
}

static void add_row(double *to, double factor, const double *from, int width) {
    for (int j = 0; j < width; j++) to[j] += factor * from[j];
}

/* out += (re + i im) in; rows of `width`, real parts in the first half, imaginary parts in the second. */
static void add_product(int rows, int inner, int width, const double *re, const double *im, const double *in,
                        double *out) {
    matrix_multiply_add(rows, inner, width, re, in, out);
    if (im == NULL) return;
    int half = width / 2;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++) {
            const double factor = im[i * inner + k];
            const double *from = in + cells(k, width);
            double *to = out + cells(i, width);
            for (int j = 0; j < half; j++) {
                to[j] -= factor * from[half + j];
                to[half + j] += factor * from[j];
            }
        }
}

/* y = C x + D u of one part. */
static costab_status output(costab_network_work *work, int s, bool end, int width, const double *x, double *u,
                            double *y, costab_error *error) {
    const network_part *part = &work->parts[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    if (work->hooks != NULL) return work->hooks->output(work->hooks->context, s, end, x, u, y, error);
    matrix_multiply(part->q, part->n, width, subsystem->C, x, y);
    if (subsystem->D != NULL) matrix_multiply_add(part->q, part->m, width, subsystem->D, u, y);
    return COSTAB_OK;
}

static const double *former(const costab_network_work *work, const double *state, int output_number, int back,
                            int width) {
    return state + cells(work->history[output_number] + back - 1, width);
}

/* ---- The outputs at the macro step's begin
 * ------------------------------------------------------------------ */

/* Solved feedthrough: (I - D L0) y0 = C x + D (inputs from delayed connections). */
static costab_status solve_start(costab_network_work *work, int width, const double *state,
                                 costab_error *error) {
    const costab_network *network = work->network;
    double *delayed = work->u0;
    memset(delayed, 0, cells(work->inputs, width) * sizeof *delayed);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        if (connection->delay == 0) continue;
        int o = work->parts[connection->from].y + connection->output;
        add_row(delayed + cells(work->parts[connection->to].u + connection->input, width), connection->gain,
                former(work, state, o, connection->delay, width), width);
    }
    if (work->hooks != NULL) return work->hooks->solve(work->hooks->context, state, delayed, work->y0, error);
    for (int s = 0; s < work->count; s++) {
        const network_part *part = &work->parts[s];
        costab_status status =
            output(work, s, false, width, state + cells(part->x, width), delayed + cells(part->u, width),
                   work->y0 + cells(part->y, width), error);
        if (status != COSTAB_OK) return status;
    }
    matrix_solve(work->outputs, work->loop_matrix, work->loop_pivots, width, work->y0);
    return COSTAB_OK;
}

static costab_status start_outputs(costab_network_work *work, int width, const double *state,
                                   costab_error *error) {
    if (work->loop) return solve_start(work, width, state, error);
    for (int s = 0; s < work->count; s++) {
        const network_part *part = &work->parts[s];
        double *held = work->u0 + cells(part->u, width);
        memset(held, 0, cells(part->m, width) * sizeof *held);
        if (part->held >= 0)
            memcpy(held, state + cells(part->held, width), cells(part->m, width) * sizeof *held);
        costab_status status = output(work, s, false, width, state + cells(part->x, width), held,
                                      work->y0 + cells(part->y, width), error);
        if (status != COSTAB_OK) return status;
    }
    return COSTAB_OK;
}

/* ---- One subsystem through the macro step
 * ------------------------------------------------------------------- */

/* The input line of part s; new outputs (or guesses) in work->y1. */
static void input_line(costab_network_work *work, int s, int width, const double *state) {
    const costab_network *network = work->network;
    const network_part *part = &work->parts[s];
    double *u0 = work->u0 + cells(part->u, width), *u1 = work->u1 + cells(part->u, width);
    memset(u0, 0, cells(part->m, width) * sizeof *u0);
    memset(u1, 0, cells(part->m, width) * sizeof *u1);
    for (int c = 0; c < network->connection_count; c++) {
        const costab_connection *connection = &network->connections[c];
        if (connection->to != s) continue;
        int o = work->parts[connection->from].y + connection->output, delay = connection->delay;
        double gain = connection->gain, *from = u0 + cells(connection->input, width),
               *to = u1 + cells(connection->input, width);
        const double *old = delay == 0 ? work->y0 + cells(o, width) : former(work, state, o, delay, width);
        if (work_known(work, connection)) {
            const double *fresh = work->y1 + cells(o, width);
            add_row(from, gain, work->coupling.interpolation == COSTAB_LINEAR ? old : fresh, width);
            add_row(to, gain, fresh, width);
        } else {
            add_row(from, gain, old, width);
            add_row(to, gain, old, width);
            if (work->coupling.extrapolation != COSTAB_LINEAR) continue;
            add_row(to, gain, old, width);
            add_row(to, -gain, former(work, state, o, delay + 1, width), width);
        }
    }
}

static costab_status advance(costab_network_work *work, int s, int width, const double *state,
                             costab_error *error) {
    const network_part *part = &work->parts[s];
    const double *x = state + cells(part->x, width);
    double *u0 = work->u0 + cells(part->u, width), *u1 = work->u1 + cells(part->u, width);
    double *end = work->end + cells(part->u, width), *x1 = work->x1 + cells(part->x, width);
    double *begin = work->scratch, *slope = begin + cells(part->m, width);
    bool moves = false;
    for (size_t e = 0; e < cells(part->m, width); e++) {
        slope[e] = u1[e] - u0[e];
        moves = moves || slope[e] != 0;
        begin[e] = u0[e] + part->beat.start * slope[e];
        end[e] = u0[e] + part->beat.end * slope[e];
    }
    if (work->hooks != NULL) return work->hooks->advance(work->hooks->context, s, x, u0, u1, x1, error);
    const matrix_block *block = part->block;
    memset(x1, 0, cells(part->n, width) * sizeof *x1);
    add_product(part->n, part->n, width, block->phi, block->phi_im, x, x1);
    add_product(part->n, part->m, width, block->u, block->u_im, begin, x1);
    if (moves) add_product(part->n, part->m, width, block->v, block->v_im, slope, x1);
    return COSTAB_OK;
}

static costab_status end_output(costab_network_work *work, int s, int width, costab_error *error) {
    const network_part *part = &work->parts[s];
    return output(work, s, true, width, work->x1 + cells(part->x, width), work->end + cells(part->u, width),
                  work->y1 + cells(part->y, width), error);
}

/* All subsystems once. With `renew` after each one its new outputs, else (jacobi, sweeps) after all of them;
 * the map of jacobi does without. */
static costab_status sweep(costab_network_work *work, int width, const double *state, bool renew,
                           costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int i = 0; i < work->count && status == COSTAB_OK; i++) {
        int s = work->order[i];
        input_line(work, s, width, state);
        status = advance(work, s, width, state, error);
        if (status == COSTAB_OK && renew) status = end_output(work, s, width, error);
    }
    bool unused = work->coupling.scheme == COSTAB_JACOBI && work->hooks == NULL;
    for (int s = 0; s < work->count && status == COSTAB_OK && !renew && !unused; s++)
        status = end_output(work, s, width, error);
    return status;
}

/* ---- Iterations
 * --------------------------------------------------------------------------------------------- */

static void take_guesses(const costab_network_work *work, int width, const double *outputs, double *rows) {
    for (int o = 0; o < work->outputs; o++)
        if (work->guess[o] >= 0)
            memcpy(rows + cells(work->guess[o], width), outputs + cells(o, width),
                   (size_t)width * sizeof *rows);
}

static void put_guesses(const costab_network_work *work, int width, const double *rows, double *outputs) {
    for (int o = 0; o < work->outputs; o++)
        if (work->guess[o] >= 0)
            memcpy(outputs + cells(o, width), rows + cells(work->guess[o], width),
                   (size_t)width * sizeof *rows);
}

/* The linear map of guesses to guesses: a sweep of unit guesses from the state 0. Leaves I minus it,
 * factored. */
static costab_status guess_map(costab_network_work *work, const double *zero, costab_error *error) {
    int g = work->guesses, lanes = work->lanes, width = g * lanes, n = lanes * g;
    const network_hooks *hooks = work->hooks;
    double *matrix = work->guess_matrix, *rows = work->guess_rows;
    memset(work->y0, 0, cells(work->outputs, width) * sizeof *rows);
    memset(work->y1, 0, cells(work->outputs, width) * sizeof *rows);
    memset(rows, 0, cells(g, width) * sizeof *rows);
    for (int i = 0; i < g; i++) rows[cells(i, width) + (size_t)i] = 1;
    put_guesses(work, width, rows, work->y1);
    work->hooks = NULL;
    costab_status status = sweep(work, width, zero, false, error);
    work->hooks = hooks;
    if (status != COSTAB_OK) return status;
    take_guesses(work, width, work->y1, rows);
    spectrum_real_form(g, lanes, rows, matrix);
    double abscissa;
    status = spectrum_radius(work, n, matrix, &work->guess_radius, &abscissa, error);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) matrix[i * n + j] = (i == j) - matrix[i * n + j];
    work->guess_singular = !isfinite(work->guess_radius) || !matrix_factor(n, matrix, work->guess_pivots);
    work->guess_known = work->period == 1;
    return status;
}

/* Solves (I - M) w = b for the guesses in work->guess_rows. */
static void solve_guesses(costab_network_work *work, int width) {
    int g = work->guesses, half = width / 2;
    double *rows = work->guess_rows;
    if (work->lanes == 1) {
        matrix_solve(g, work->guess_matrix, work->guess_pivots, width, rows);
        return;
    }
    /* Rows [re | im] become the real parts above the imaginary parts, and back. */
    double *stacked = work->y1;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < g; i++)
            memcpy(stacked + cells(part * g + i, half), rows + cells(i, width) + (size_t)(part * half),
                   (size_t)half * sizeof *rows);
    matrix_solve(2 * g, work->guess_matrix, work->guess_pivots, half, stacked);
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < g; i++)
            memcpy(rows + cells(i, width) + (size_t)(part * half), stacked + cells(part * g + i, half),
                   (size_t)half * sizeof *rows);
}

/* The fixed point of linear guesses: one sweep from the guess 0 gives b of w = M w + b. */
static costab_status converge_linear(costab_network_work *work, int width, const double *state,
                                     costab_error *error) {
    if (work->hooks != NULL && !(work->guess_radius < 1))
        return error_set(
            error, COSTAB_NUMERIC,
            "the coupling iteration does not converge (iteration radius %.6g): take a smaller macro step or "
            "another coupling",
            work->guess_radius);
    if (work->guess_singular) {
        for (size_t e = 0; e < cells(work->guesses, width); e++) work->guess_rows[e] = (double)INFINITY;
    } else {
        memset(work->y1, 0, cells(work->outputs, width) * sizeof *work->y1);
        costab_status status = sweep(work, width, state, false, error);
        if (status != COSTAB_OK) return status;
        take_guesses(work, width, work->y1, work->guess_rows);
        solve_guesses(work, width);
    }
    put_guesses(work, width, work->guess_rows, work->y1);
    return COSTAB_OK;
}

/* Nonlinear guesses, one column: sweeps until they stand still. */
static costab_status converge_sweeps(costab_network_work *work, const double *state, costab_error *error) {
    memcpy(work->y1, work->y0, cells(work->outputs, 1) * sizeof *work->y1);
    for (int k = 0; k < GUESS_SWEEPS_MAX; k++) {
        take_guesses(work, 1, work->y1, work->guess_rows);
        costab_status status = sweep(work, 1, state, false, error);
        if (status != COSTAB_OK) return status;
        double moved = 0, size = 0;
        for (int o = 0; o < work->outputs; o++) {
            if (work->guess[o] < 0) continue;
            double change = fabs(work->y1[o] - work->guess_rows[work->guess[o]]);
            if (!(change <= moved)) moved = change;
            size = fmax(size, fabs(work->y1[o]));
        }
        if (moved <= GUESS_TOLERANCE * fmax(size, 1e-300)) return COSTAB_OK;
        if (!isfinite(moved)) break;
    }
    return error_set(
        error, COSTAB_NUMERIC,
        "the coupling iteration does not converge: take a smaller macro step or another coupling");
}

static costab_status iterate(costab_network_work *work, int width, const double *state, costab_error *error) {
    costab_status status = COSTAB_OK;
    int sweeps = work->coupling.iterations;
    if (sweeps > 0) {
        memcpy(work->y1, work->y0, cells(work->outputs, width) * sizeof *work->y1);
    } else if (work->hooks != NULL && work->hooks->iterate) {
        status = converge_sweeps(work, state, error);
        sweeps = 1;
    } else {
        status = converge_linear(work, width, state, error);
        sweeps = 1;
    }
    for (int k = 1; k <= sweeps && status == COSTAB_OK; k++) {
        work->final_sweep = k == sweeps;
        if (work->final_sweep && work->hooks != NULL) take_guesses(work, width, work->y1, work->guess_rows);
        status = sweep(work, width, state, false, error);
    }
    return status;
}

/* ---- The macro step
 * ----------------------------------------------------------------------------------------- */

static void new_state(const costab_network_work *work, int width, const double *state, double *next) {
    size_t row = (size_t)width * sizeof *next;
    memcpy(next, work->x1, cells(work->states, width) * sizeof *next);
    for (int s = 0; s < work->count; s++) {
        const network_part *part = &work->parts[s];
        if (part->held >= 0)
            memcpy(next + cells(part->held, width), work->end + cells(part->u, width), (size_t)part->m * row);
    }
    for (int o = 0; o < work->outputs; o++) {
        if (work->depth[o] == 0) continue;
        int first = work->history[o];
        memcpy(next + cells(first, width), work->y0 + cells(o, width), row);
        memcpy(next + cells(first + 1, width), state + cells(first, width),
               (size_t)(work->depth[o] - 1) * row);
    }
}

costab_status work_step(costab_network_work *work, int64_t index, int width, const double *state,
                        double *next, costab_error *error) {
    costab_status status = COSTAB_OK;
    bool iterated = work->coupling.scheme == COSTAB_ITERATED;
    work_select(work, index);
    work->final_sweep = !iterated;
    /* A simulation needs the map of guesses only to solve for their fixed point. */
    bool guessed = work->hooks == NULL || (work->coupling.iterations == 0 && !work->hooks->iterate);
    if (iterated && !work->guess_known && guessed) {
        double *zero = work->next;
        memset(zero, 0, cells(work->size, work->guesses * work->lanes) * sizeof *zero);
        status = guess_map(work, zero, error);
    }
    if (status == COSTAB_OK) status = start_outputs(work, width, state, error);
    if (status == COSTAB_OK)
        status = iterated ? iterate(work, width, state, error)
                          : sweep(work, width, state, work->coupling.scheme == COSTAB_GAUSS_SEIDEL, error);
    if (status == COSTAB_OK) new_state(work, width, state, next);
    work->final_sweep = false;
    return status;
}

double work_delivered(const costab_network_work *work, const costab_connection *c, const double *state) {
    int o = work->parts[c->from].y + c->output;
    double old = c->delay == 0 ? work->y0[o] : *former(work, state, o, c->delay, 1), last = old;
    if (work_known(work, c)) {
        last = work->guess[o] >= 0 ? work->guess_rows[work->guess[o]] : work->y1[o];
        if (work->coupling.interpolation == COSTAB_CONSTANT) old = last;
    } else if (work->coupling.extrapolation == COSTAB_LINEAR) {
        last = 2 * old - *former(work, state, o, c->delay + 1, 1);
    }
    return c->gain * (old + work->parts[c->to].beat.end * (last - old));
}
