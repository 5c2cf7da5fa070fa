/* One sweep over all subsystems: the only place where inputs are put together and subsystems advanced.
 *
 * At the step's begin the outputs y_n are formed. The input of a subsystem over its step is the sum of its
 * connections' polynomials (memory.c), of former values, or of new ones where the target sees them
 * (work_known). All values are rows of linear forms, so the same code gives the map (from unit states) and a
 * simulated step (from one state); the hooks put micro steps and nonlinear functions in. */
#include <string.h>

#include "network/rows.h"
#include "network/work.h"

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

/* y = C x + D u of one subsystem. */
static costab_status output(costab_network_work *work, int s, bool end, int width, const double *x, double *u,
                            double *y, costab_error *error) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    if (work->hooks != NULL) return work->hooks->output(work->hooks->context, s, end, x, u, y, error);
    matrix_multiply(sub->q, sub->n, width, subsystem->C, x, y);
    if (subsystem->D != NULL) matrix_multiply_add(sub->q, sub->m, width, subsystem->D, u, y);
    return COSTAB_OK;
}

/* ---- Slopes ---- */

/* Where a subsystem's outputs have a slope: rows of states, inputs and the inputs' slopes (NULL: 0). */
typedef struct slope_point {
    bool end; /* at the local end, else at the macro step's begin */
    const double *x, *u, *u_slope;
} slope_point;

/* y' = C (A x + B u) + D u' of subsystem s, in the rows of its slopes among `signals`. */
static costab_status output_slope(costab_network_work *work, int s, const slope_point *at, int width,
                                  double *signals, costab_error *error) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    double *dx = work->scratch, *y = signals + cells(work->outputs + sub->y, width);
    if (work->hooks != NULL)
        return work->hooks->slope(work->hooks->context, s, at->end, at->x, at->u, at->u_slope, y, error);
    matrix_multiply(sub->n, sub->n, width, subsystem->A, at->x, dx);
    matrix_multiply_add(sub->n, sub->m, width, subsystem->B, at->u, dx);
    matrix_multiply(sub->q, sub->n, width, subsystem->C, dx, y);
    if (subsystem->D != NULL && at->u_slope != NULL)
        matrix_multiply_add(sub->q, sub->m, width, subsystem->D, at->u_slope, y);
    return COSTAB_OK;
}

/* ---- The outputs at the macro step's begin ---- */

/* The extrapolation, not smoothed, of connection c; without strides its value at t_n is the delayed one. */
static const polynomial_rule *rule_at_begin(const costab_network_work *work, int c, polynomial_rule *local,
                                            int *shift) {
    static const polynomial_rule value = {.count = 1, .nodes = {{.weight = {1, 1}}}};
    if (work->strided) return memory_strided(work, c, work->index, true, local, shift);
    *shift = work->delays[c];
    return &value;
}

/* What the connections outside the loop bring at t_n. */
static void inputs_at_begin(costab_network_work *work, int width, const double *state, double *inputs) {
    memset(inputs, 0, cells(work->inputs, width) * sizeof *inputs);
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        const network_subsystem *to = &work->subs[connection->to], *from = &work->subs[connection->from];
        bool direct = work->network->subsystems[connection->to].D != NULL;
        if (!to->active || (work->delays[c] == 0 && from->active)) continue;
        if (work->strided && !direct) continue; /* its output does not see it, and its rows need not exist */
        polynomial_rule local;
        int shift;
        const polynomial_rule *rule = rule_at_begin(work, c, &local, &shift);
        for (int i = 0; i < rule->count; i++) {
            const polynomial_node *node = &rule->nodes[i];
            int signal = from->y + connection->output + (node->slope ? work->outputs : 0);
            if (node->weight[0] == 0) continue;
            add_row(inputs + cells(to->u + connection->input, width), connection->gain * node->weight[0],
                    sweep_signal(work, state, connection->from, signal, node->back + shift, width), width);
        }
    }
}

/* Solved feedthrough: (I - D L0) y0 = C x + D (inputs from the other connections). */
static costab_status solve_begin(costab_network_work *work, int width, const double *state,
                                 costab_error *error) {
    double *inputs = work->u[0];
    costab_status status = work->strided ? work_make_loop(work, error) : COSTAB_OK;
    if (status) return status;
    inputs_at_begin(work, width, state, inputs);
    if (work->hooks != NULL) return work->hooks->solve(work->hooks->context, state, inputs, work->y0, error);
    for (int s = 0; s < work->count && !status; s++) {
        const network_subsystem *sub = &work->subs[s];
        double *y = work->y0 + cells(sub->y, width);
        if (sub->active)
            status = output(work, s, false, width, state + cells(sub->x, width),
                            inputs + cells(sub->u, width), y, error);
        else
            memset(y, 0, cells(sub->q, width) * sizeof *y);
    }
    if (!status) loop_solve(work->outputs, &work->output_loop, width, work->y0);
    return status;
}

/* Outputs as the inputs held from the last step give them. */
static costab_status delayed_begin(costab_network_work *work, int width, const double *state,
                                   costab_error *error) {
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        double *held = work->u[0] + cells(sub->u, width);
        if (!sub->active) continue;
        memset(held, 0, cells(sub->m, width) * sizeof *held);
        if (sub->held >= 0)
            memcpy(held, state + cells(sub->held, width), cells(sub->m, width) * sizeof *held);
        costab_status status = output(work, s, false, width, state + cells(sub->x, width), held,
                                      work->y0 + cells(sub->y, width), error);
        if (status) return status;
    }
    return COSTAB_OK;
}

costab_status sweep_begin(costab_network_work *work, int width, const double *state, costab_error *error) {
    costab_status status =
        work->loop ? solve_begin(work, width, state, error) : delayed_begin(work, width, state, error);
    for (int s = 0; s < work->count && work->slopes && !status; s++) {
        const network_subsystem *sub = &work->subs[s];
        if (!sub->active) continue;
        slope_point at = {false, state + cells(sub->x, width),
                          sub->held >= 0 ? state + cells(sub->held, width) : NULL,
                          sub->bend >= 0 ? state + cells(sub->bend, width) : NULL};
        status = output_slope(work, s, &at, width, work->y0, error);
    }
    for (int o = 0; o < work->signals && work->strided; o++)
        if (work->ahead[o] >= 0)
            memcpy(work->y1 + cells(o, width), state + cells(work->ahead[o], width),
                   (size_t)width * sizeof *state);
    return status;
}

/* ---- One subsystem through its step ---- */

/* The area correction: + alpha (L mean - what was sent before), constant over the step. */
static void correct_area(costab_network_work *work, int s, int width, const double *state) {
    const network_subsystem *sub = &work->subs[s];
    double alpha = work->coupling.area_correction;
    double *u0 = work->u[0] + cells(sub->u, width);
    for (int c = work->first_to[s]; c >= 0; c = work->next_to[c]) {
        const costab_connection *connection = &work->network->connections[c];
        const network_subsystem *from = &work->subs[connection->from];
        add_row(u0 + cells(connection->input, width), alpha * connection->gain,
                state + cells(from->extra_row + connection->output, width), width);
    }
    for (int i = 0; i < sub->m; i++)
        add_row(u0 + cells(i, width), -alpha, state + cells(sub->sent + i, width), width);
    for (int l = 1; l <= work->degree; l++) /* a simulation with sources */
        memcpy(work->u[l] + cells(sub->u, width), u0, cells(sub->m, width) * sizeof *u0);
}

/* The polynomials of the inputs of subsystem s; new outputs (or guesses) in work->y1. */
static void make_inputs(costab_network_work *work, int s, int width, const double *state) {
    const costab_network *network = work->network;
    const network_subsystem *sub = &work->subs[s];
    for (int l = 0; l <= work->degree; l++)
        memset(work->u[l] + cells(sub->u, width), 0, cells(sub->m, width) * sizeof(double));
    for (int c = work->first_to[s]; c >= 0; c = work->next_to[c]) {
        const costab_connection *connection = &network->connections[c];
        polynomial_rule local;
        int shift, from = connection->from, o = work->subs[from].y + connection->output;
        size_t row = cells(sub->u + connection->input, width);
        const polynomial_rule *rule = memory_rule(work, c, &local, &shift);
        for (const polynomial_term *term = rule->terms; term < rule->terms + rule->term_count; term++) {
            if (term->power > work->degree) continue; /* all inputs are constant: u_1 = u_0 */
            int back = term->back < 0 ? -1 : term->back + shift;
            const double *value =
                sweep_signal(work, state, from, term->slope ? work->outputs + o : o, back, width);
            add_row(work->u[term->power] + row, connection->gain * term->weight, value, width);
        }
    }
    if (work->area) correct_area(work, s, width, state);
}

/* The polynomial in powers of the time after `start`: coefficients c[l], one after the other `size` apart;
 * and what it is at the beat's end. False where it is constant. */
static bool place_inputs(const costab_network_work *work, const network_subsystem *sub, int width,
                         double start, double *c) {
    size_t size = cells(sub->m, width), at = cells(sub->u, width);
    double stop = sub->beat.end;
    const double *u0 = work->u[0] + at;
    double *end = work->end + at;
    if (work->degree == 0) {
        memcpy(c, u0, size * sizeof *c);
        memcpy(end, u0, size * sizeof *c);
        return false;
    }
    bool moves = work->degree > 1;
    const double *u1 = work->u[1] + at;
    for (size_t e = 0; e < size; e++) {
        double slope = u1[e] - u0[e];
        moves = moves || slope != 0;
        c[size + e] = slope;
        c[e] = u0[e] + start * slope;
        end[e] = u0[e] + stop * slope;
    }
    for (int l = 2; l <= work->degree; l++) {
        const double *u = work->u[l] + at;
        double power = stop * stop * (l == 3 ? stop : 1);
        for (size_t e = 0; e < size; e++) {
            c[(size_t)l * size + e] = u[e];
            end[e] += power * u[e];
        }
    }
    if (start == 0 || work->degree < 2) return moves;
    memcpy(c, u0, size * sizeof *c);
    for (int first = 0; first < work->degree; first++)
        for (int l = work->degree - 1; l >= first; l--)
            for (size_t e = 0; e < size; e++)
                c[(size_t)l * size + e] += start * c[((size_t)l + 1) * size + e];
    return true;
}

/* The inputs' slopes at the local end, in units per second. */
static void end_slopes(const costab_network_work *work, const network_subsystem *sub, int width) {
    size_t size = cells(sub->m, width), at = cells(sub->u, width);
    double stop = sub->beat.end, length = work_length(work, sub), *slope = work->end_slope + at;
    memset(slope, 0, size * sizeof *slope);
    for (size_t e = 0; e < size && work->degree > 0; e++)
        slope[e] = (work->u[1][at + e] - work->u[0][at + e]) / length;
    for (int l = 2; l <= work->degree; l++)
        for (size_t e = 0; e < size; e++)
            slope[e] += l * (l == 3 ? stop * stop : stop) / length * work->u[l][at + e];
}

/* States and extra rows of a subsystem one after the other. */
static const double *full_state(const costab_network_work *work, const network_subsystem *sub, int width,
                                const double *state) {
    if (sub->extra == 0) return state + cells(sub->x, width);
    double *full = work->full_state, *extra = full + cells(sub->n, width);
    memcpy(full, state + cells(sub->x, width), cells(sub->n, width) * sizeof *full);
    if (sub->means)
        memset(extra, 0, cells(sub->extra, width) * sizeof *extra);
    else
        memcpy(extra, state + cells(sub->extra_row, width), cells(sub->extra, width) * sizeof *extra);
    return full;
}

/* The blocks stand for Phi - I: x1 is what the step adds to x. */
static void add_gained(const costab_network_work *work, const network_subsystem *sub, int width,
                       const double *x, double *x1) {
    double *gained = work->gained + cells(sub->x, width);
    for (size_t e = 0; e < cells(sub->n, width) && work->final_sweep; e++) gained[e] += x1[e];
    for (size_t e = 0; e < cells(sub->n + sub->extra, width); e++) x1[e] += x[e];
}

static costab_status advance(costab_network_work *work, int s, int width, const double *state,
                             costab_error *error) {
    const network_subsystem *sub = &work->subs[s];
    size_t size = cells(sub->m, width);
    int rows = sub->n + sub->extra;
    double *x1 = work->x1 + cells(sub->full, width);
    const double *x = full_state(work, sub, width, state);
    double start = work->hooks != NULL ? 0 : sub->beat.start;
    int powers = place_inputs(work, sub, width, start, work->scratch) ? work->degree : 0;
    if (work->slopes) end_slopes(work, sub, width);
    if (work->hooks != NULL) {
        const double *input[MATRIX_POWERS];
        for (int l = 0; l < MATRIX_POWERS; l++) input[l] = work->scratch + (size_t)l * size;
        return work->hooks->advance(work->hooks->context, s, x, input, x1, error);
    }
    const matrix_block *block = sub->block;
    memset(x1, 0, cells(rows, width) * sizeof *x1);
    add_product(rows, rows, width, block->phi, block->phi_im, x, x1);
    for (int l = 0; l <= powers; l++)
        add_product(rows, sub->m, width, block->input[l], block->input_im[l],
                    work->scratch + (size_t)l * size, x1);
    if (work->gained != NULL) add_gained(work, sub, width, x, x1);
    return COSTAB_OK;
}

static costab_status end_output(costab_network_work *work, int s, int width, costab_error *error) {
    const network_subsystem *sub = &work->subs[s];
    const double *x = work->x1 + cells(sub->full, width);
    double *end = work->end + cells(sub->u, width);
    costab_status status = output(work, s, true, width, x, end, work->y1 + cells(sub->y, width), error);
    if (status || !work->slopes) return status;
    slope_point at = {true, x, end, work->end_slope + cells(sub->u, width)};
    return output_slope(work, s, &at, width, work->y1, error);
}

costab_status sweep_once(costab_network_work *work, int width, const double *state, bool renew,
                         costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int i = 0; i < work->count && !status; i++) {
        int s = work->order[i];
        if (!work->subs[s].active) continue;
        make_inputs(work, s, width, state);
        status = advance(work, s, width, state, error);
        if (!status && renew) status = end_output(work, s, width, error);
    }
    bool unused = work->coupling.scheme == COSTAB_JACOBI && work->hooks == NULL && !work->wants_outputs;
    for (int s = 0; s < work->count && !status && !renew && !unused; s++)
        if (work->subs[s].active) status = end_output(work, s, width, error);
    return status;
}
