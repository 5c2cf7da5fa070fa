/* Builds the program of a macro step (program.h). This file and rows.c, which numbers the history values,
 * implement all options of couplings (docs/explanation/algorithms.md, Maps).
 *
 * 1. begin: outputs at the start of the step, from inputs stored by the last step or by solving the
 *    feedthrough loop; slopes of outputs if they are exchanged.
 * 2. guess: the initial iterate, from the outputs at the start or from the predictor.
 * 3. sweep: for each subsystem in order, the coefficients of its inputs as sums of its connections'
 *    polynomials (exchange.h), its new states from its block, and its outputs at the end. Outputs follow at
 *    once (gauss-seidel) or after all subsystems have advanced.
 * 4. keep: every row of the map's new state.
 *
 * Cost: some instructions per connection and row, once per structure and macro step of the multirate
 * cycle. */
#include "network/program.h"

#include "base/error.h"
#include "base/memory.h"
#include "network/exchange.h"
#include "network/rows.h"

/* ---- Instructions ---- */

static step_instruction *put(step_program *p, step_instruction one) {
    p->failed |= !memory_grows(&p->code, &p->capacity, (size_t)p->count + 1);
    if (p->failed) return &p->lost;
    p->code[p->count] = one;
    return &p->code[p->count++];
}

static step_row at(step_bank bank, int row) {
    return (step_row){bank, row};
}

static step_row input_row(const network_subsystem *sub, int power, int input) {
    return at((step_bank)(BANK_INPUT + power), sub->u + input);
}

static bool follows(step_row next, step_row first, int rows) {
    return next.bank == first.bank && next.row == first.row + rows;
}

/* Adjacent copies or clears are merged. Cleared rows have from = to. */
static void put_rows(step_program *p, step_kind kind, step_row to, step_row from, int rows) {
    step_instruction *last = p->count > p->closed ? &p->code[p->count - 1] : NULL;
    if (rows == 0) return;
    if (last != NULL && last->kind == kind && follows(to, last->to, last->rows) &&
        follows(from, last->from, last->rows))
        last->rows += rows;
    else
        (void)put(p,
                  (step_instruction){.kind = kind, .to = to, .from = from, .rows = rows, .connection = -1});
}

static void copy(step_program *p, step_row to, step_row from, int rows) {
    put_rows(p, STEP_COPY, to, from, rows);
}

static void clear(step_program *p, step_row to, int rows) {
    put_rows(p, STEP_CLEAR, to, to, rows);
}

static step_instruction *add(step_program *p, bool fresh, step_row to, double weight, step_row from,
                             int rows) {
    return put(p, (step_instruction){.kind = STEP_ADD,
                                     .fresh = fresh,
                                     .to = to,
                                     .from = from,
                                     .rows = rows,
                                     .weight = weight,
                                     .connection = -1});
}

/* Multiplies by a rows x columns part of a subsystem's matrix. Without columns, fresh rows are cleared. */
static void multiply(step_program *p, bool fresh, step_row to, int rows, int s, step_matrix matrix,
                     int column, int columns, step_row from) {
    if (rows == 0) return;
    if (columns == 0) {
        if (fresh) clear(p, to, rows);
        return;
    }
    (void)put(p, (step_instruction){.kind = STEP_MULTIPLY,
                                    .fresh = fresh,
                                    .to = to,
                                    .from = from,
                                    .rows = rows,
                                    .subsystem = s,
                                    .connection = -1,
                                    .matrix = matrix,
                                    .column = column,
                                    .columns = columns});
}

/* Prevents merging of later instructions with earlier ones. */
static int close(step_program *p) {
    return p->closed = p->count;
}

/* Starts a group of instructions that a simulation replaces by its hook; end_call ends the group. */
static int begin_call(step_program *p, step_call call, int s) {
    (void)put(p, (step_instruction){.kind = STEP_CALL, .call = call, .subsystem = s, .connection = -1});
    return close(p);
}

static void end_call(step_program *p, int begun) {
    if (!p->failed) p->code[begun - 1].skip = close(p) - begun;
}

/* ---- Signals ---- */

step_row program_signal(const costab_network_work *work, int from, int signal, int back) {
    if (back < 0) return at(BANK_END, signal);
    int row = work->subs[from].active ? back - 1 : back;
    return row < 0 ? at(BANK_BEGIN, signal) : at(BANK_STATE, work->newest_row[signal] + row);
}

/* Adds coefficient `power` of the signal of connection c to a row of an input. *fresh: the row has no value
 * yet. */
static void deliver(costab_network_work *work, int c, const polynomial_rule *rule, int shift, int power,
                    bool *fresh, step_row to) {
    const costab_connection *connection = &work->network->connections[c];
    int o = work->subs[connection->from].y + connection->output;
    for (int i = 0; i < rule->count; i++) {
        const polynomial_node *node = &rule->nodes[i];
        int signal = node->slope ? work->outputs + o : o, back = node->back < 0 ? -1 : node->back + shift;
        double weight = node->weight[power];
        if (weight == 0) continue;
        if (node->slope) weight *= work->subs[connection->to].stride;
        step_instruction *one =
            add(work->program, *fresh, to, weight, program_signal(work, connection->from, signal, back), 1);
        one->connection = c;
        one->per_step = node->slope;
        *fresh = false;
    }
}

/* ---- Start of the step ---- */

/* Inputs of subsystem s at the start of the step from connections with delay or dead time, and from
 * subsystems that do not exchange at this macro step. */
static void inputs_at_begin(costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    for (int i = 0; i < sub->m; i++) {
        bool fresh = true;
        for (int c = work->first_to[s]; c >= 0; c = work->next_to[c]) {
            if (work->network->connections[c].input != i || !exchange_given(work, c, work->step_index))
                continue;
            polynomial_rule rule;
            int shift;
            exchange_rule(work, c, work->step_index, true, &rule, &shift);
            deliver(work, c, &rule, shift, 0, &fresh, input_row(sub, 0, i));
        }
        if (fresh) clear(work->program, input_row(sub, 0, i), 1);
    }
}

/* y = C x + D u of subsystem s at the start of the step. */
static void begin_output(costab_network_work *work, int s, step_row u) {
    const network_subsystem *sub = &work->subs[s];
    step_row y = at(BANK_BEGIN, sub->y);
    multiply(work->program, true, y, sub->q, s, STEP_C, 0, sub->n, at(BANK_STATE, sub->x));
    if (work->network->subsystems[s].D != NULL)
        multiply(work->program, false, y, sub->q, s, STEP_D, 0, sub->m, u);
}

/* Solved feedthrough: (I - D L0) y0 = C x + D (inputs from the other connections). */
static void solve_begin(costab_network_work *work) {
    step_program *p = work->program;
    for (int s = 0; s < work->count; s++) {
        if (work->subs[s].active)
            inputs_at_begin(work, s);
        else
            clear(p, input_row(&work->subs[s], 0, 0), work->subs[s].m);
    }
    int call = begin_call(p, CALL_SOLVE, 0);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        if (sub->active)
            begin_output(work, s, input_row(sub, 0, 0));
        else
            clear(p, at(BANK_BEGIN, sub->y), sub->q);
    }
    (void)put(p, (step_instruction){.kind = STEP_SOLVE, .to = at(BANK_BEGIN, 0), .connection = -1});
    end_call(p, call);
}

/* Delayed feedthrough: outputs of subsystem s at the start of the step, from the inputs stored by the last
 * step. */
static void delayed_begin(costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    step_program *p = work->program;
    step_row u = input_row(sub, 0, 0);
    if (sub->held >= 0)
        copy(p, u, at(BANK_STATE, sub->held), sub->m);
    else if (work->hooks != NULL)
        clear(p, u, sub->m);
    int call = begin_call(p, CALL_OUTPUT, s);
    begin_output(work, s, u);
    end_call(p, call);
}

/* y' = C (A x + B u) + D u'. */
static void output_slope(costab_network_work *work, int s, step_row x, step_row u, step_row u_slope,
                         step_row y) {
    const network_subsystem *sub = &work->subs[s];
    step_program *p = work->program;
    step_row rate = at(BANK_RATE, 0);
    multiply(p, true, rate, sub->n, s, STEP_A, 0, sub->n, x);
    multiply(p, false, rate, sub->n, s, STEP_B, 0, sub->m, u);
    multiply(p, true, y, sub->q, s, STEP_C, 0, sub->n, rate);
    if (work->network->subsystems[s].D != NULL) multiply(p, false, y, sub->q, s, STEP_D, 0, sub->m, u_slope);
}

static void begin(costab_network_work *work) {
    step_program *p = work->program;
    if (work->has_loop) solve_begin(work);
    for (int s = 0; s < work->count; s++) {
        const network_subsystem *sub = &work->subs[s];
        if (!sub->active) continue;
        if (!work->has_loop) delayed_begin(work, s);
        if (!work->slopes || sub->discrete) continue;
        int call = begin_call(p, CALL_SLOPE, s);
        output_slope(work, s, at(BANK_STATE, sub->x), at(BANK_STATE, sub->held),
                     at(BANK_STATE, sub->held_slope), at(BANK_BEGIN, work->outputs + sub->y));
        end_call(p, call);
    }
}

/* ---- Initial iterate: y_n, or the predictor's extrapolation ---- */

static void guess(costab_network_work *work) {
    polynomial_rule rule;
    exchange_guess(work, &rule);
    copy(work->program, at(BANK_END, 0), at(BANK_BEGIN, 0), work->signals);
    for (int s = 0; s < work->count && rule.count > 1; s++)
        for (int o = work->subs[s].y; o < work->subs[s].y + work->subs[s].q; o++)
            for (int i = 0; i < rule.count && work->guess_number[o] >= 0; i++)
                (void)add(work->program, i == 0, at(BANK_END, o), polynomial_end(&rule.nodes[i]),
                          program_signal(work, s, o, i), 1);
}

/* ---- A sweep ---- */

/* Adds the area correction alpha (L mean - input sent last). */
static void correct_area(costab_network_work *work, int s, int input, bool *fresh) {
    const network_subsystem *sub = &work->subs[s];
    double alpha = work->coupling.area_correction;
    step_row to = input_row(sub, 0, input);
    for (int c = work->first_to[s]; c >= 0; c = work->next_to[c]) {
        const costab_connection *connection = &work->network->connections[c];
        if (connection->input != input) continue;
        int mean = work->subs[connection->from].extra_row + connection->output;
        add(work->program, *fresh, to, alpha, at(BANK_STATE, mean), 1)->connection = c;
        *fresh = false;
    }
    (void)add(work->program, *fresh, to, -alpha, at(BANK_STATE, sub->sent + input), 1);
    *fresh = false;
}

/* Coefficients of the inputs of subsystem s. */
static void inputs(costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    for (int power = 0; power <= work->degree; power++)
        for (int i = 0; i < sub->m; i++) {
            bool fresh = true;
            for (int c = work->first_to[s]; c >= 0; c = work->next_to[c]) {
                polynomial_rule rule;
                int shift;
                if (work->network->connections[c].input != i) continue;
                exchange_rule(work, c, work->step_index, false, &rule, &shift);
                deliver(work, c, &rule, shift, power, &fresh, input_row(sub, power, i));
            }
            if (work->area && power == 0) correct_area(work, s, i, &fresh);
            if (fresh) clear(work->program, input_row(sub, power, i), 1);
        }
}

/* Inputs, and their slopes per second, at the local end of the subsystem. */
static void inputs_at_end(costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    step_program *p = work->program;
    bool moves = sub->clock.q > 1; /* local ends differ from 1 */
    step_row end = at(BANK_INPUT_END, sub->u), slope = at(BANK_SLOPE_END, sub->u);
    copy(p, end, input_row(sub, 0, 0), sub->m);
    for (int l = 1; l <= work->degree && sub->m > 0; l++) {
        step_instruction *one = add(p, false, end, 1, input_row(sub, l, 0), sub->m);
        one->subsystem = s;
        one->per_local = moves ? l : 0;
    }
    if (work->slopes && work->degree == 0) clear(p, slope, sub->m);
    for (int l = 1; l <= work->degree && work->slopes && sub->m > 0; l++) {
        step_instruction *one = add(p, l == 1, slope, (double)l / sub->stride, input_row(sub, l, 0), sub->m);
        one->subsystem = s;
        one->per_local = moves ? l - 1 : 0;
        one->per_step = -1;
    }
}

/* Expands the inputs about the start of the first micro step. */
static void shift_inputs(costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    for (int first = 0; first < work->degree && sub->m > 0; first++)
        for (int l = work->degree - 1; l >= first; l--) {
            step_instruction *one =
                add(work->program, false, input_row(sub, l, 0), 1, input_row(sub, l + 1, 0), sub->m);
            one->subsystem = s;
            one->per_begin = 1;
        }
}

step_row program_advanced(const costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    return sub->extra == 0 ? at(BANK_NEXT, sub->x) : at(BANK_ADVANCED, sub->advanced_row);
}

/* States and method history at the end of the step of subsystem s. */
static void advance(costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    step_program *p = work->program;
    step_row x1 = program_advanced(work, s), x = at(BANK_STATE, sub->x);
    int rows = sub->n + sub->extra, carried = sub->integrates_outputs ? 0 : sub->extra;
    int call = begin_call(p, CALL_ADVANCE, s);
    if (sub->clock.q > 1) shift_inputs(work, s);
    multiply(p, true, x1, rows, s, STEP_PHI, 0, sub->n, x);
    multiply(p, false, x1, rows, s, STEP_PHI, sub->n, carried, at(BANK_STATE, sub->extra_row));
    for (int l = 0; l <= work->degree; l++) {
        int before = p->count;
        multiply(p, false, x1, rows, s, STEP_INPUT, 0, sub->m, input_row(sub, l, 0));
        if (p->count > before) p->code[before].power = l;
    }
    if (sub->n > 0)
        (void)put(
            p, (step_instruction){
                   .kind = STEP_GAIN, .to = x1, .from = x, .rows = sub->n, .subsystem = s, .connection = -1});
    if (carried > 0)
        (void)put(p, (step_instruction){.kind = STEP_GAIN,
                                        .to = at(BANK_ADVANCED, sub->advanced_row + sub->n),
                                        .from = at(BANK_STATE, sub->extra_row),
                                        .rows = carried,
                                        .subsystem = s,
                                        .connection = -1});
    end_call(p, call);
}

/* Outputs of subsystem s, and their slopes, at the end of its step. */
static void end_output(costab_network_work *work, int s) {
    const network_subsystem *sub = &work->subs[s];
    step_program *p = work->program;
    step_row x = program_advanced(work, s), u = at(BANK_INPUT_END, sub->u), y = at(BANK_END, sub->y);
    int call = begin_call(p, CALL_END_OUTPUT, s);
    multiply(p, true, y, sub->q, s, STEP_C, 0, sub->n, x);
    if (work->network->subsystems[s].D != NULL) multiply(p, false, y, sub->q, s, STEP_D, 0, sub->m, u);
    end_call(p, call);
    if (!work->slopes || sub->discrete) return;
    call = begin_call(p, CALL_END_SLOPE, s);
    output_slope(work, s, x, u, at(BANK_SLOPE_END, sub->u), at(BANK_END, work->outputs + sub->y));
    end_call(p, call);
}

static void sweep(costab_network_work *work) {
    bool renew = work->coupling.scheme == COSTAB_GAUSS_SEIDEL;
    /* With jacobi only simulations use the new outputs. */
    bool unused = work->coupling.scheme == COSTAB_JACOBI && work->hooks == NULL;
    for (int i = 0; i < work->count; i++) {
        int s = work->order[i];
        if (!work->subs[s].active) continue;
        inputs(work, s);
        if (work->hooks != NULL || work->subs[s].held >= 0 ||
            (work->network->subsystems[s].D != NULL && !unused))
            inputs_at_end(work, s);
        advance(work, s);
        if (renew) end_output(work, s);
    }
    for (int s = 0; s < work->count && !renew && !unused; s++)
        if (work->subs[s].active) end_output(work, s);
}

/* ---- The new state ---- */

/* New value of a row of a subsystem that has advanced. */
static void keep_row(costab_network_work *work, int r) {
    const map_row *row = &work->rows[r];
    const network_subsystem *sub = &work->subs[row->subsystem];
    step_program *p = work->program;
    step_row to = at(BANK_NEXT, r);
    int u = sub->u + row->index, signal = sub->y + row->index;
    if (row_is_slope(row->kind)) signal += work->outputs;
    switch (row->kind) {
    case ROW_STATE:
        if (sub->extra > 0) copy(p, to, at(BANK_ADVANCED, sub->advanced_row + row->index), 1);
        break;
    case ROW_HELD:
        copy(p, to, at(BANK_INPUT_END, u), 1);
        break;
    case ROW_HELD_SLOPE:
        copy(p, to, at(BANK_SLOPE_END, u), 1);
        break;
    case ROW_BEFORE:
    case ROW_BEFORE_SLOPE:
        copy(p, to, at(BANK_ADVANCED, sub->advanced_row + sub->n + r - sub->extra_row), 1);
        break;
    case ROW_MEAN:
        add(p, true, to, 1.0 / sub->stride, at(BANK_ADVANCED, sub->advanced_row + sub->n + row->index), 1)
            ->per_step = -1;
        break;
    case ROW_SENT:
        copy(p, to, at(BANK_INPUT, u), 1);
        break;
    default: /* previous values age by one step */
        copy(p, to, row->back == 1 ? at(BANK_BEGIN, signal) : at(BANK_STATE, r - 1), 1);
        break;
    }
}

static void keep(costab_network_work *work) {
    for (int r = 0; r < work->size; r++)
        if (work->subs[work->rows[r].subsystem].active)
            keep_row(work, r);
        else
            copy(work->program, at(BANK_NEXT, r), at(BANK_STATE, r), 1);
}

/* Builds work->program for macro step work->step_index. */
static costab_status build(costab_network_work *work, costab_error *error) {
    step_program *p = work->program;
    p->count = p->closed = 0;
    p->of = -1;
    p->failed = false;
    begin(work);
    p->parts.begin = close(p);
    if (work->coupling.scheme == COSTAB_ITERATED) guess(work);
    p->parts.guess = close(p);
    sweep(work);
    p->parts.sweep = close(p);
    keep(work);
    p->parts.keep = close(p);
    if (p->failed) return error_memory(error);
    p->of = work->step_index % work->cycle;
    return COSTAB_OK;
}

costab_status programs_begin(costab_network_work *work, costab_error *error) {
    if (work->programs == NULL) TRY(memory_make(&work->programs, PROGRAMS, error));
    for (int i = 0; i < PROGRAMS; i++) work->programs[i].of = -1;
    return COSTAB_OK;
}

void programs_free(step_program *programs) {
    for (int i = 0; i < PROGRAMS && programs != NULL; i++) memory_free(programs[i].code);
    memory_free(programs);
}

costab_status program_select(costab_network_work *work, int64_t index, costab_error *error) {
    work->step_index = index;
    for (int s = 0; s < work->count; s++) {
        network_subsystem *sub = &work->subs[s];
        sub->active = index % sub->stride == 0;
        if (!sub->active) continue;
        sub->micro_steps = clock_step(&sub->clock, index / sub->stride);
        sub->block = &sub->blocks[sub->block_count > 1 && sub->micro_steps.count == sub->counts[1] ? 1 : 0];
    }
    int64_t of = index % work->cycle;
    work->program = &work->programs[of % PROGRAMS];
    return work->program->of == of ? COSTAB_OK : build(work, error);
}
