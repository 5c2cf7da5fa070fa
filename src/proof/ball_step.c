/* The macro step in balls, by the definition of the couplings (docs/algorithms.md, Ball proofs).
 *
 * Every signal is a row: a linear form, with coefficients in balls, of the columns (ball_step.h).
 * 1. Outputs at the step's begin t_n from states; with `feedthrough: solved` by the linear system of
 *    connections without delay.
 * 2. A subsystem's step: the coefficients of its input polynomials, as its connections deliver them
 *    (ball_rule.h); its states at the end (ball_advance.h); its outputs at the end.
 * 3. Jacobi and Gauss-Seidel: step 2 for each subsystem in order; the next ones see its new outputs.
 * 4. A fixed number of iterations: the predictor's guesses, then step 2 for all subsystems so many times.
 * 5. Iteration to convergence: step 2 with guesses v as columns gives v = J v + N z, so v = (I - J)^-1 N z.
 * 6. What is remembered becomes rows of the next state.
 *
 * Cost: products of states x width, in balls. Not guaranteed: that a linear system can be solved on wide
 * balls. */
#include "proof/ball_step.h"

#include "proof/ball_advance.h"

/* ---- Signals ---- */

/* row of target += factor * one column. */
static void add_column(const ball_stepper *st, const acb_t factor, int row, int column, acb_mat_t target) {
    acb_ptr entry = acb_mat_entry(target, row, column);
    acb_add(entry, entry, factor, st->precision);
}

/* row of target += factor * a row of another matrix. */
static void add_row(const ball_stepper *st, const acb_t factor, const acb_mat_t from, int source, int row,
                    acb_mat_t target) {
    for (int k = 0; k < st->width; k++)
        if (!acb_is_zero(acb_mat_entry(from, source, k)))
            acb_addmul(acb_mat_entry(target, row, k), acb_mat_entry(from, source, k), factor, st->precision);
}

/* row of target += factor * a signal of subsystem `from`, of that age (ball_node). */
static void add_signal(const ball_stepper *st, int from, int signal, int age, const acb_t factor, int row,
                       acb_mat_t target) {
    bool active = ball_is_active(st, from);
    int former = active ? age - 1 : age;
    if (age < 0 && active)
        add_row(st, factor, st->next, signal, row, target);
    else if (age < 0)
        add_column(st, factor, row, st->ahead_column[signal], target);
    else if (former < 0)
        add_row(st, factor, st->now, signal, row, target);
    else
        add_column(st, factor, row, st->newest_column[signal] + former, target);
}

/* row of target += factor * the coefficient of s^power in what the rule delivers. */
static void add_power(const ball_stepper *st, const ball_connection *c, const ball_rule *rule, int power,
                      const acb_t factor, int row, acb_mat_t target) {
    flint_local(fmpq, coefficient);
    flint_local(acb, product);
    for (int i = 0; i < rule->count; i++) {
        const ball_node *node = &rule->nodes[i];
        fmpq_poly_get_coeff_fmpq(coefficient, node->weight, power);
        if (fmpq_is_zero(coefficient)) continue;
        acb_set_fmpq(product, coefficient, st->precision);
        acb_mul(product, product, factor, st->precision);
        if (node->factor != NULL) acb_mul(product, product, node->factor, st->precision);
        int output = st->y[c->from] + c->output;
        add_signal(st, c->from, node->slope ? st->outputs + output : output, node->age, product, row, target);
    }
}

/* Adds what one connection delivers to the coefficients of its input. */
static void deliver(ball_stepper *st, const ball_connection *c) {
    ends_by(ball_rule_clear) ball_rule rule = {.count = 0};
    ball_stepper_rule(st, c, st->macro_step, false, &rule);
    int row = st->u[c->to] + c->input;
    for (int l = 0; l <= ball_rule_degree(&rule); l++)
        add_power(st, c, &rule, l, c->gain, l * st->inputs + row, st->input);
    if (!st->area) return;
    flint_local(acb, factor); /* the share of L times the mean */
    acb_mul(factor, st->network->area_correction, c->gain, st->precision);
    add_column(st, factor, row, st->carried_column[c->from] + c->output, st->input);
}

/* ---- One subsystem ---- */

static void zero_rows(acb_mat_t matrix, int first, int count) {
    for (int i = first; i < first + count; i++)
        for (slong k = 0; k < acb_mat_ncols(matrix); k++) acb_zero(acb_mat_entry(matrix, i, k));
}

/* Inputs and their slopes where the subsystem's micro steps end: at 1 of its macro step's time, but for a
 * clock. */
static void end_input(ball_stepper *st, int s) {
    int inputs = st->network->subsystems[s].inputs;
    flint_local(acb, power, before, end);
    acb_one(end);
    if (st->turns[s] > 0) {
        ends_by(ball_clock_step_clear) ball_clock_step taken = {.count = 0};
        ball_clock_step_find(st, s, &taken);
        acb_set_fmpq(end, taken.end, st->precision);
    }
    acb_one(power);
    zero_rows(st->end, st->u[s], inputs);
    zero_rows(st->end_slope, st->u[s], inputs);
    for (int l = 0; l <= st->degree; l++) {
        for (int i = st->u[s]; i < st->u[s] + inputs; i++)
            for (int k = 0; k < st->width; k++) {
                acb_ptr entry = acb_mat_entry(st->input, l * st->inputs + i, k);
                acb_addmul(acb_mat_entry(st->end, i, k), entry, power, st->precision);
                acb_addmul(acb_mat_entry(st->end_slope, i, k), entry, before, st->precision);
            }
        acb_mul_si(before, power, l + 1, st->precision); /* (l + 1) end^l */
        acb_mul(power, power, end, st->precision);
    }
}

/* The coefficients of all input polynomials of a subsystem, and the inputs at its end. */
static void gather_input(ball_stepper *st, int s) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    flint_local(acb, factor);
    for (int l = 0; l <= st->degree; l++) zero_rows(st->input, l * st->inputs + st->u[s], sub->inputs);
    for (int c = 0; c < st->network->connection_count; c++)
        if (st->network->connections[c].to == s) deliver(st, &st->network->connections[c]);
    if (st->area) acb_neg(factor, st->network->area_correction);
    for (int i = 0; i < sub->inputs && st->area; i++)
        add_column(st, factor, st->u[s] + i, st->sent_column[s] + i, st->input);
    end_input(st, s);
    for (int i = st->u[s]; i < st->u[s] + sub->inputs; i++)
        for (int k = 0; k < st->width; k++)
            acb_div_si(acb_mat_entry(st->end_slope, i, k), acb_mat_entry(st->end_slope, i, k), sub->stride,
                       st->precision);
}

/* [out] made: the matrix of ball_advance for this macro step. With a clock it is changed to take the
 * coefficients U_l of the macro step's time s: its micro steps have their own time t, s = start + (end -
 * start) t. */
static void find_advance(const ball_stepper *st, int s, acb_mat_t made) {
    int inputs = st->network->subsystems[s].inputs;
    bool first = st->turns[s] == 0;
    ends_by(ball_clock_step_clear) ball_clock_step taken = {.count = 0};
    if (!first) ball_clock_step_find(st, s, &taken);
    first = first || taken.count == st->ticks[s] / st->turns[s];
    acb_mat_set(made, first ? st->advance[s] : st->longer[s]);
    if (st->turns[s] == 0) return;
    int rows = (int)acb_mat_nrows(made);
    flint_local(fmpq_poly, line, power);
    flint_local(fmpq, weight);
    flint_local(acb, factor);
    fmpq_sub(weight, taken.end, taken.start);
    fmpq_poly_set_coeff_fmpq(line, 1, weight);
    fmpq_poly_set_coeff_fmpq(line, 0, taken.start);
    fmpq_poly_one(power);
    for (int l = 0; l <= st->degree; l++, fmpq_poly_mul(power, power, line))
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < inputs; c++) {
                acb_ptr entry = acb_mat_entry(made, r, rows + l * inputs + c);
                acb_zero(entry);
                for (int k = 0; k <= l; k++) {
                    fmpq_poly_get_coeff_fmpq(weight, power, k);
                    acb_set_fmpq(factor, weight, st->precision);
                    acb_addmul(
                        entry, factor,
                        acb_mat_entry(first ? st->advance[s] : st->longer[s], r, rows + k * inputs + c),
                        st->precision);
                }
            }
}

/* Advances one subsystem from t_n under the input that its connections deliver. */
static void advance(ball_stepper *st, int s) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    int rows = sub->states + st->carried_count[s];
    flint_local_matrix(acb_mat, rows, acb_mat_ncols(st->advance[s]), steps);
    find_advance(st, s, steps);
    gather_input(st, s);
    zero_rows(st->x1, st->advanced_row[s], rows);
    for (int r = 0; r < rows; r++) {
        for (int k = 0; k < sub->states; k++)
            acb_set(acb_mat_entry(st->x1, st->advanced_row[s] + r, st->x[s] + k), acb_mat_entry(steps, r, k));
        for (int k = 0; k < st->carried_count[s] && !st->area; k++) /* integrals of outputs begin at 0 */
            acb_set(acb_mat_entry(st->x1, st->advanced_row[s] + r, st->carried_column[s] + k),
                    acb_mat_entry(steps, r, sub->states + k));
    }
    acb_mat_t weights;
    for (int l = 0; l <= st->degree; l++) {
        int first = rows + l * sub->inputs;
        acb_mat_window_init(weights, steps, 0, first, rows, first + sub->inputs);
        ball_multiply_rows(weights, st->input, l * st->inputs + st->u[s], st->advanced_row[s], true,
                           st->precision, st->x1);
        acb_mat_window_clear(weights);
    }
}

/* A subsystem's outputs, and their slopes, at the end of its step. */
static void renew(ball_stepper *st, int s) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    int y = st->y[s], slope = st->outputs + y, x = st->advanced_row[s], u = st->u[s];
    ball_multiply_rows(sub->C, st->x1, x, y, false, st->precision, st->next);
    if (sub->feedthrough) ball_multiply_rows(sub->D, st->end, u, y, true, st->precision, st->next);
    if (!st->slopes) return;
    ball_multiply_rows(st->slope_x[s], st->x1, x, slope, false, st->precision, st->next);
    ball_multiply_rows(st->slope_u[s], st->end, u, slope, true, st->precision, st->next);
    if (sub->feedthrough) ball_multiply_rows(sub->D, st->end_slope, u, slope, true, st->precision, st->next);
}

/* ---- Signals at t_n ---- */

/* row of target += row r of a matrix times the columns from `first` on; nothing where `first` is -1. */
static void add_columns(const ball_stepper *st, const acb_mat_t matrix, int r, int first, int row,
                        acb_mat_t target) {
    for (slong k = 0; k < acb_mat_ncols(matrix) && first >= 0; k++)
        add_column(st, acb_mat_entry(matrix, r, k), row, first + (int)k, target);
}

/* Step 1: outputs that depend on outputs of the same instant, by connections without delay. */
static bool solve_loop(ball_stepper *st) {
    const ball_network *network = st->network;
    flint_local_matrix(acb_mat, st->outputs, st->outputs, loop);
    flint_local(acb, factor);
    acb_mat_one(loop);
    acb_mat_t values;
    acb_mat_window_init(values, st->now, 0, 0, st->outputs, st->width);
    for (int i = 0; i < network->connection_count; i++) {
        const ball_connection *c = &network->connections[i];
        const ball_subsystem *sub = &network->subsystems[c->to];
        if (!sub->feedthrough || !ball_is_active(st, c->to)) continue;
        ends_by(ball_rule_clear) ball_rule rule = {.count = 0};
        ball_stepper_rule(st, c, st->macro_step, true, &rule);
        for (int r = 0; r < sub->outputs; r++) {
            acb_mul(factor, acb_mat_entry(sub->D, r, c->input), c->gain, st->precision);
            if (c->delay > 0 || !ball_is_active(st, c->from)) {
                add_power(st, c, &rule, 0, factor, st->y[c->to] + r, st->now);
            } else {
                acb_ptr entry = acb_mat_entry(loop, st->y[c->to] + r, st->y[c->from] + c->output);
                acb_sub(entry, entry, factor, st->precision);
            }
        }
    }
    flint_local_matrix(acb_mat, st->outputs, st->width, solution);
    bool solved = acb_mat_solve(solution, loop, values, st->precision) != 0;
    if (solved) acb_mat_set(values, solution);
    acb_mat_window_clear(values);
    return solved;
}

/* Step 1. */
static bool signals_now(ball_stepper *st) {
    const ball_network *network = st->network;
    bool solve = network->coupling.feedthrough == COSTAB_SOLVED;
    acb_mat_zero(st->now);
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        for (int r = 0; r < sub->outputs && ball_is_active(st, s); r++) {
            int row = st->y[s] + r, slope = st->outputs + row;
            add_columns(st, sub->C, r, st->x[s], row, st->now);
            if (!solve) add_columns(st, sub->D, r, st->held_column[s], row, st->now);
            if (!st->slopes) continue;
            add_columns(st, st->slope_x[s], r, st->x[s], slope, st->now);
            add_columns(st, st->slope_u[s], r, st->held_column[s], slope, st->now);
            add_columns(st, sub->D, r, st->held_slope_column[s], slope, st->now);
        }
    }
    return !solve || solve_loop(st);
}

/* ---- Iterations ---- */

/* Step 2 for all subsystems under the present guesses, which are outputs at the end; then the new outputs. */
static void sweep(ball_stepper *st) {
    for (int s = 0; s < st->network->subsystem_count; s++) advance(st, s);
    for (int s = 0; s < st->network->subsystem_count; s++) renew(st, s);
}

/* Step 4: the first guesses, which the predictor extrapolates. */
static void predict(ball_stepper *st) {
    const costab_coupling *coupling = &st->network->coupling;
    ball_times times = {.n = 0, .source = 1, .target = 1};
    ends_by(ball_rule_clear) ball_rule rule = {.count = 0};
    flint_local(fmpq, end, one);
    flint_local(acb, factor);
    fmpq_one(one);
    ball_rule_extrapolate(&(ball_extrapolation){.hold = coupling->predictor}, &times, false, &rule);
    for (int s = 0; s < st->network->subsystem_count; s++)
        for (int o = st->y[s]; o < st->y[s] + st->network->subsystems[s].outputs; o++) {
            if (st->guess_number[o] < 0) continue;
            zero_rows(st->next, o, 1);
            for (int i = 0; i < rule.count; i++) {
                fmpq_poly_evaluate_fmpq(end, rule.nodes[i].weight, one);
                acb_set_fmpq(factor, end, st->precision);
                add_signal(st, s, o, rule.nodes[i].age, factor, o, st->next);
            }
        }
}

/* Step 4: each sweep begins with (1 - w) of the last guess and w of what came out of it, w the relaxation. */
static void sweep_often(ball_stepper *st) {
    flint_local_matrix(acb_mat, st->signals, st->width, last);
    flint_local(acb, rest);
    acb_one(rest);
    acb_sub(rest, rest, st->network->relaxation, st->precision);
    predict(st);
    for (int i = 0; i < st->network->coupling.iterations; i++) {
        acb_mat_set(last, st->next);
        sweep(st);
        for (int o = 0; o < st->signals && !acb_is_zero(rest); o++)
            for (int k = 0; k < st->width && st->guess_number[o] >= 0; k++) {
                acb_ptr entry = acb_mat_entry(st->next, o, k);
                acb_mul(entry, entry, st->network->relaxation, st->precision);
                acb_addmul(entry, acb_mat_entry(last, o, k), rest, st->precision);
            }
    }
}

/* Step 5: replaces the columns of the guesses in all results by (I - J)^-1 N z. `iteration` holds J. */
static bool close_iteration(ball_stepper *st, const acb_mat_t iteration) {
    flint_local_matrix(acb_mat, st->guesses, st->guesses, loop);
    flint_local_matrix(acb_mat, st->guesses, st->size, rows);
    acb_mat_one(loop);
    acb_mat_sub(loop, loop, iteration, st->precision);
    for (int y = 0; y < st->signals; y++)
        for (int k = 0; k < st->size && st->guess_number[y] >= 0; k++)
            acb_set(acb_mat_entry(rows, st->guess_number[y], k), acb_mat_entry(st->next, y, k));
    bool solved = acb_mat_solve(rows, loop, rows, st->precision) != 0;
    acb_mat_t *results[] = {&st->x1, &st->end, &st->end_slope};
    for (size_t i = 0; i < sizeof results / sizeof *results && solved; i++)
        for (slong r = 0; r < acb_mat_nrows(*results[i]); r++)
            for (int k = 0; k < st->size; k++)
                for (int g = 0; g < st->guesses; g++)
                    acb_addmul(acb_mat_entry(*results[i], r, k), acb_mat_entry(*results[i], r, st->size + g),
                               acb_mat_entry(rows, g, k), st->precision);
    return solved;
}

/* Step 5; with `only_iteration` the matrix of the relaxed iteration, I - w (I - J), alone. */
static bool converge(ball_stepper *st, bool only_iteration, acb_mat_t iteration) {
    acb_mat_zero(st->next);
    for (int y = 0; y < st->signals; y++)
        if (st->guess_number[y] >= 0) acb_one(acb_mat_entry(st->next, y, st->size + st->guess_number[y]));
    sweep(st);
    for (int y = 0; y < st->signals; y++)
        for (int g = 0; g < st->guesses && st->guess_number[y] >= 0; g++)
            acb_set(acb_mat_entry(iteration, st->guess_number[y], g),
                    acb_mat_entry(st->next, y, st->size + g));
    if (!only_iteration) return close_iteration(st, iteration);
    acb_mat_scalar_mul_acb(iteration, iteration, st->network->relaxation, st->precision);
    for (int g = 0; g < st->guesses; g++) {
        acb_ptr entry = acb_mat_entry(iteration, g, g);
        acb_sub(entry, entry, st->network->relaxation, st->precision);
        acb_add_si(entry, entry, 1, st->precision);
    }
    return true;
}

/* ---- The macro step ---- */

bool ball_stepper_take(ball_stepper *st, bool only_iteration, acb_mat_t iteration) {
    int count = st->network->subsystem_count;
    if (!signals_now(st)) return false;
    acb_mat_set(st->next, st->now);
    if (ball_converges(st->network)) return converge(st, only_iteration, iteration);
    if (st->network->coupling.scheme == COSTAB_ITERATED) {
        sweep_often(st);
        return true;
    }
    for (int i = 0; i < count; i++)
        for (int s = 0; s < count; s++) {
            if (st->position[s] != i || !ball_is_active(st, s)) continue;
            advance(st, s);
            renew(st, s);
        }
    return true;
}

void ball_stepper_map(const ball_stepper *st, acb_mat_t map) {
    acb_mat_zero(map);
    for (int r = 0; r < st->size; r++) {
        const ball_row *row = &st->rows[r];
        if (!ball_is_active(st, row->subsystem) || row->from == NULL) { /* what does not exchange stays */
            acb_one(acb_mat_entry(map, r, ball_is_active(st, row->subsystem) ? r - 1 : r));
            continue;
        }
        for (int k = 0; k < st->size; k++) {
            acb_ptr entry = acb_mat_entry(map, r, k);
            acb_set(entry, acb_mat_entry(row->from, row->source, k));
            if (row->mean) acb_div(entry, entry, st->network->macro_step, st->precision);
        }
    }
}
