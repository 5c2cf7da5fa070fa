/* Which rows and columns a macro step in balls has (ball_step.h), and the subsystems' own steps.
 *
 * 1. Each subsystem exchanges at every stride-th macro step; one with its own clock takes one of two
 *    neighbouring numbers of micro steps, by turns. After the period's macro steps all repeats.
 * 2. The polynomial of every connection at every macro step of the period tells which former values and
 *    slopes are remembered, which values are guesses of an iteration, and which are new values of a source
 *    whose longer step is under way.
 * 3. Columns: all x; of each subsystem what it remembers; former and new signals; behind the state the
 *    guesses.
 * 4. Each subsystem's own step (ball_advance.h). That of one without a clock is kept, and not made again
 *    where the next ball of parameters differs in other numbers only.
 *
 * Written apart from network/rows.c, to compare with. Cost: that of step 4, and connections times the period
 * for step 2. */
#include <limits.h>

#include "base/memory.h"
#include "network/clock.h"
#include "proof/ball_advance.h"
#include "proof/ball_step.h"

bool ball_converges(const ball_network *network) {
    int iterations = network->coupling.iterations;
    return network->coupling.scheme == COSTAB_ITERATED && (iterations == 0 || iterations == COSTAB_NEWTON);
}

/* Does the target of a connection see its source's new value at macro step n? */
static bool is_known(const ball_stepper *st, const ball_connection *c, long n) {
    const ball_subsystem *from = &st->network->subsystems[c->from];
    if (c->delay > 0 || st->network->coupling.scheme == COSTAB_JACOBI) return false;
    if (st->network->coupling.scheme == COSTAB_ITERATED) return true;
    return n % from->stride != 0 || st->position[c->from] < st->position[c->to];
}

void ball_stepper_rule(const ball_stepper *st, const ball_connection *c, long n, bool held, ball_rule *rule) {
    const costab_coupling *coupling = &st->network->coupling;
    ball_times times = {.n = n,
                        .source = st->network->subsystems[c->from].stride,
                        .target = st->network->subsystems[c->to].stride,
                        .delay = c->delay};
    ball_extrapolation by = ball_extrapolation_of(st->network, c);
    if (held && by.hold > COSTAB_HERMITE)
        by.hold = COSTAB_CONSTANT; /* weighted ones do not begin at the last value */
    if (!held && is_known(st, c, n))
        ball_rule_interpolate(coupling->interpolation, &times, rule);
    else
        ball_rule_extrapolate(&by, &times, coupling->smoothed && !held, rule);
}

/* At least so many former values of a signal are remembered. */
static void keep(ball_stepper *st, int signal, int values) {
    if (values > st->remembered[signal]) st->remembered[signal] = values;
}

/* Step 2 for one connection at macro step n. */
static void note_rule(ball_stepper *st, const ball_connection *c, long n, bool held) {
    bool publishes = n % st->network->subsystems[c->from].stride == 0;
    ends_by(ball_rule_clear) ball_rule rule = {.count = 0};
    ball_stepper_rule(st, c, n, held, &rule);
    int degree = held ? 0 : ball_rule_degree(&rule), output = st->y[c->from] + c->output;
    if (degree > st->degree) st->degree = degree;
    for (int i = 0; i < rule.count; i++) {
        const ball_node *node = &rule.nodes[i];
        int signal = node->slope ? st->outputs + output : output;
        if (node->age >= 0)
            keep(st, signal, node->age + (publishes ? 0 : 1));
        else if (st->network->coupling.scheme == COSTAB_ITERATED)
            st->guess_number[signal] = 0;
        else if (!publishes)
            st->ahead_column[signal] = 0;
    }
}

static void note_connections(ball_stepper *st) {
    const costab_coupling *coupling = &st->network->coupling;
    for (int i = 0; i < st->network->connection_count; i++) {
        const ball_connection *c = &st->network->connections[i];
        for (long n = 0; n < st->period; n++) {
            if (n % st->network->subsystems[c->to].stride != 0) continue;
            note_rule(st, c, n, false);
            if (coupling->feedthrough == COSTAB_SOLVED) note_rule(st, c, n, true);
        }
    }
    for (int o = 0; o < st->outputs && coupling->iterations > 0; o++)
        if (st->guess_number[o] >= 0) keep(st, o, (int)coupling->predictor);
}

static bool uses_slopes(const ball_network *network) {
    const costab_coupling *coupling = &network->coupling;
    bool slopes = coupling->interpolation == COSTAB_HERMITE || coupling->extrapolation == COSTAB_HERMITE;
    for (int c = 0; c < network->connection_count; c++)
        slopes = slopes || ball_extrapolation_of(network, &network->connections[c]).hold == COSTAB_HERMITE;
    return slopes;
}

/* Adds rows: the first as given, each other one with the source and the signal behind those of the one
 * before. Returns the number of the first. */
static int take_rows(ball_stepper *st, int count, ball_row row) {
    int first = st->size;
    bool room = memory_grows(&st->rows, &st->row_capacity, (size_t)(first + count));
    st->size += count;
    for (int i = 0; i < count && room; i++, row.source++, row.signal += row.signal >= 0)
        st->rows[first + i] = row;
    return first;
}

/* Step 3: what a subsystem remembers. */
static void number_part(ball_stepper *st, int s) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    bool delayed = st->network->coupling.feedthrough == COSTAB_DELAYED && sub->feedthrough;
    int u = st->u[s], m = sub->inputs, own = st->advanced_row[s] + sub->states;
    ball_row held = {.subsystem = s, .from = st->end, .source = u, .signal = u}, held_slope = held,
             sent = held;
    ball_row carried = {.subsystem = s, .from = st->x1, .source = own, .signal = -1}, mean = carried;
    held_slope.from = st->end_slope, held_slope.slope = true;
    sent.from = st->input;
    mean.mean = true, mean.signal = st->inputs + st->y[s];
    st->held_column[s] = delayed || st->slopes ? take_rows(st, m, held) : -1;
    st->held_slope_column[s] = st->slopes && sub->feedthrough ? take_rows(st, m, held_slope) : -1;
    st->carried_column[s] = take_rows(st, st->area ? sub->outputs : 0, mean);
    st->sent_column[s] = st->area ? take_rows(st, m, sent) : -1;
    if (st->area) return;
    int former = sub->method->kind == COSTAB_BDF ? sub->method->former : 0; /* others carry slopes */
    for (int k = 0; k < former; k++, carried.source += sub->states) {
        carried.signal = st->inputs + st->outputs + st->x[s];
        carried.back = k + 1, carried.micro = true;
        take_rows(st, sub->states, carried);
    }
    if (former == 0) take_rows(st, st->carried_count[s], carried);
}

/* Step 3: former values of a signal, and its new value of a longer step. */
static void number_signal(ball_stepper *st, int s, int o) {
    bool slope = o >= st->outputs;
    ball_row row = {.subsystem = s, .from = st->now, .source = o, .slope = slope};
    row.signal = st->inputs + (slope ? o - st->outputs : o);
    st->newest_column[o] = st->size;
    for (int age = 0; age < st->remembered[o]; age++, row.from = NULL) {
        row.back = (age + 1) * st->network->subsystems[s].stride;
        take_rows(st, 1, row);
    }
    row.from = st->next, row.back = 0;
    if (st->ahead_column[o] >= 0) st->ahead_column[o] = take_rows(st, 1, row);
    if (st->guess_number[o] >= 0 && ball_converges(st->network)) st->guess_number[o] = st->guesses++;
}

void ball_row_time(const ball_stepper *st, const ball_row *row, acb_t time) {
    const ball_subsystem *sub = &st->network->subsystems[row->subsystem];
    if (row->micro && sub->substeps == 0) {
        acb_set_d(time, -sub->step);
        acb_mul_si(time, time, row->back, st->precision);
        return;
    }
    acb_mul_si(time, st->network->macro_step, -row->back * (row->micro ? sub->stride : 1), st->precision);
    if (row->micro) acb_div_si(time, time, sub->substeps, st->precision);
}

/* A macro step known to so many bits has one ratio to the micro steps within COSTAB_CLOCK_PARTS. */
enum { CLOCK_BITS = 38 };

static bool has_clock(const ball_stepper *st, const ball_subsystem *sub) {
    return st->network->coupling.micro_steps == COSTAB_CLOCKS && sub->substeps == 0;
}

/* The fractions ticks/turns of all clocks; false where the macro step is a wide ball. */
static bool set_clocks(ball_stepper *st) {
    acb_srcptr macro_step = st->network->macro_step;
    double length = arf_get_d(arb_midref(acb_realref(macro_step)), ARF_RND_NEAR);
    for (int s = 0; s < st->network->subsystem_count; s++) {
        const ball_subsystem *sub = &st->network->subsystems[s];
        int64_t ticks = 0, turns = 0;
        st->ticks[s] = st->turns[s] = 0;
        if (!has_clock(st, sub)) continue;
        if (!acb_is_real(macro_step) || acb_rel_accuracy_bits(macro_step) < CLOCK_BITS ||
            !clock_fraction(length * (double)sub->stride / sub->step, COSTAB_CLOCK_PARTS, &ticks, &turns) ||
            ticks > INT_MAX)
            return false;
        st->ticks[s] = (int)ticks;
        st->turns[s] = (int)turns;
    }
    return true;
}

/* ceil(k ticks / turns) */
static long ticks_until(const ball_stepper *st, int s, long k) {
    return (k * st->ticks[s] + st->turns[s] - 1) / st->turns[s];
}

void ball_clock_step_find(const ball_stepper *st, int s, ball_clock_step *taken) {
    long k = st->macro_step / st->network->subsystems[s].stride % st->turns[s];
    long first = ticks_until(st, s, k), last = ticks_until(st, s, k + 1);
    taken->count = last - first;
    flint_each(fmpq_init, taken->start, taken->end);
    fmpq_set_si(taken->start, first * st->turns[s] - k * st->ticks[s], (ulong)st->ticks[s]);
    fmpq_set_si(taken->end, last * st->turns[s] - k * st->ticks[s], (ulong)st->ticks[s]);
}

void ball_clock_step_clear(ball_clock_step *taken) {
    flint_each(fmpq_clear, taken->start, taken->end);
}

/* False where the period is too long. */
static bool number_subsystems(ball_stepper *st) {
    const ball_network *network = st->network;
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        long repeats = sub->stride * (st->turns[s] > 0 ? st->turns[s] : 1);
        st->period = (long)clock_lcm(st->period, repeats, COSTAB_PERIOD_MAX);
        if (st->period == 0) return false;
        st->x[s] = st->states, st->u[s] = st->inputs, st->y[s] = st->outputs;
        st->states += sub->states, st->inputs += sub->inputs, st->outputs += sub->outputs;
        st->position[s] = s;
    }
    for (int i = 0; i < network->subsystem_count && network->coupling.order != NULL; i++)
        st->position[network->coupling.order[i]] = i;
    return true;
}

/* Steps 1 to 3. */
static bool lay_out(ball_stepper *st) {
    st->period = 1;
    if (!number_subsystems(st)) return false;
    st->slopes = uses_slopes(st->network);
    st->area = st->network->corrects_area;
    st->signals = st->slopes ? 2 * st->outputs : st->outputs;
    for (int o = 0; o < 2 * st->outputs; o++)
        st->remembered[o] = 0, st->guess_number[o] = st->ahead_column[o] = -1;
    note_connections(st);
    int count = st->network->subsystem_count, states = st->inputs + st->outputs;
    for (int s = 0; s < count; s++) {
        const ball_subsystem *sub = &st->network->subsystems[s];
        st->carried_count[s] = st->area ? sub->outputs : ball_carried(sub);
        st->advanced_row[s] = st->advanced_rows;
        st->advanced_rows += sub->states + st->carried_count[s];
        take_rows(
            st, sub->states,
            (ball_row){
                .subsystem = s, .from = st->x1, .source = st->advanced_row[s], .signal = states + st->x[s]});
    }
    for (int s = 0; s < count; s++) number_part(st, s);
    for (int first = 0; first < st->signals; first += st->outputs)
        for (int s = 0; s < count; s++)
            for (int o = st->y[s]; o < st->y[s] + st->network->subsystems[s].outputs; o++)
                number_signal(st, s, first + o);
    st->width = st->size + st->guesses;
    return st->row_capacity >= (size_t)st->size;
}

/* ---- Memory ---- */

static bool take_lists(ball_stepper *st) {
    int count = st->network->subsystem_count, outputs = 0;
    for (int s = 0; s < count; s++) outputs += st->network->subsystems[s].outputs;
    int **const lists[] = {&st->x,
                           &st->u,
                           &st->y,
                           &st->advanced_row,
                           &st->held_column,
                           &st->held_slope_column,
                           &st->carried_column,
                           &st->carried_count,
                           &st->sent_column,
                           &st->position,
                           &st->ticks,
                           &st->turns};
    int **const others[] = {&st->newest_column, &st->remembered, &st->guess_number, &st->ahead_column};
    size_t own = sizeof lists / sizeof *lists, signals = sizeof others / sizeof *others;
    int *memory = memory_alloc(own * (size_t)count + signals * 2 * (size_t)outputs + 1, sizeof *memory);
    st->advance = memory_alloc(4 * (size_t)count + 1, sizeof *st->advance);
    st->x = memory;
    if (memory == NULL || st->advance == NULL) return false;
    for (size_t i = 0; i < own; i++) *lists[i] = memory + i * (size_t)count;
    memory += own * (size_t)count;
    for (size_t i = 0; i < signals; i++) *others[i] = memory + i * 2 * (size_t)outputs;
    st->slope_x = st->advance + count;
    st->slope_u = st->slope_x + count;
    st->longer = st->slope_u + count;
    return true;
}

/* H C A and H C B. */
static void make_slopes(const ball_stepper *st, int s) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    acb_mat_mul(st->slope_x[s], sub->C, sub->A, st->precision);
    acb_mat_mul(st->slope_u[s], sub->C, sub->B, st->precision);
    acb_mat_scalar_mul_acb(st->slope_x[s], st->slope_x[s], st->network->macro_step, st->precision);
    acb_mat_scalar_mul_acb(st->slope_u[s], st->slope_u[s], st->network->macro_step, st->precision);
}

void ball_forget_advance(ball_subsystem *subsystem) {
    struct ball_advanced *last = &subsystem->last;
    if (!last->known) return;
    _acb_vec_clear(last->length, 1);
    flint_each(acb_mat_clear, last->A, last->B, last->C, last->D, last->advance);
    last->known = false;
}

static void copy_matrix(const acb_mat_t from, acb_mat_t to) {
    acb_mat_init(to, acb_mat_nrows(from), acb_mat_ncols(from));
    acb_mat_set(to, from);
}

/* Would the subsystem's step be the last one again? Integrals of outputs depend on C and D, too. */
static bool is_kept(const ball_stepper *st, const ball_subsystem *sub, const acb_t length) {
    const struct ball_advanced *last = &sub->last;
    return last->known && last->degree == st->degree && last->precision == st->precision &&
           acb_equal(last->length, length) && acb_mat_equal(last->A, sub->A) &&
           acb_mat_equal(last->B, sub->B) &&
           (!st->area || (acb_mat_equal(last->C, sub->C) && acb_mat_equal(last->D, sub->D)));
}

static bool advance_subsystem(const ball_stepper *st, const ball_subsystem *sub, const acb_t length,
                              acb_mat_t advance) {
    return st->area ? ball_advance_means(sub, st->degree, length, st->precision, advance)
                    : ball_advance(sub, st->degree, length, st->precision, advance);
}

/* Step 4: a step of this length, unless it is the same as last. */
static bool advance_length(const ball_stepper *st, int s, const acb_t length) {
    ball_subsystem *sub = &st->network->subsystems[s];
    struct ball_advanced *last = &sub->last;
    if (is_kept(st, sub, length)) {
        acb_mat_set(st->advance[s], last->advance);
        return true;
    }
    ball_forget_advance(sub);
    if (!advance_subsystem(st, sub, length, st->advance[s])) return false;
    *last = (struct ball_advanced){.known = true, .degree = st->degree, .precision = st->precision};
    last->length = _acb_vec_init(1);
    acb_set(last->length, length);
    copy_matrix(sub->A, last->A);
    copy_matrix(sub->B, last->B);
    copy_matrix(sub->C, last->C);
    copy_matrix(sub->D, last->D);
    copy_matrix(st->advance[s], last->advance);
    return true;
}

/* Step 4: so many micro steps of a subsystem with a clock. */
static bool advance_micro_steps(const ball_stepper *st, int s, long count, acb_mat_t advance) {
    ball_subsystem sub = st->network->subsystems[s];
    if (count == 0) {
        acb_mat_one(advance);
        return true;
    }
    flint_local(acb, length);
    acb_set_d(length, sub.step);
    acb_mul_si(length, length, count, st->precision);
    sub.substeps = count;
    return advance_subsystem(st, &sub, length, advance);
}

static bool make_advance(const ball_stepper *st, int s) {
    if (st->turns[s] > 0) {
        long fewest = st->ticks[s] / st->turns[s];
        return advance_micro_steps(st, s, fewest, st->advance[s]) &&
               (st->turns[s] == 1 || advance_micro_steps(st, s, fewest + 1, st->longer[s]));
    }
    flint_local(acb, length);
    acb_mul_si(length, st->network->macro_step, st->network->subsystems[s].stride, st->precision);
    return advance_length(st, s, length);
}

bool ball_stepper_make(const ball_network *network, bool advances, slong precision, ball_stepper *st) {
    *st = (ball_stepper){.network = network, .precision = precision};
    bool made = take_lists(st), timed = made && (!advances || set_clocks(st));
    made = made && lay_out(st) && timed;
    acb_mat_init(st->now, st->signals, st->width);
    acb_mat_init(st->next, st->signals, st->width);
    acb_mat_init(st->input, st->inputs * (st->degree + 1), st->width);
    acb_mat_init(st->end, st->inputs, st->width);
    acb_mat_init(st->end_slope, st->inputs, st->width);
    acb_mat_init(st->x1, st->advanced_rows, st->width);
    for (int s = 0; s < network->subsystem_count && st->advance != NULL && st->x != NULL; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        int rows = sub->states + st->carried_count[s];
        acb_mat_init(st->advance[s], rows, rows + sub->inputs * (st->degree + 1));
        acb_mat_init(st->longer[s], rows, rows + sub->inputs * (st->degree + 1));
        acb_mat_init(st->slope_x[s], sub->outputs, sub->states);
        acb_mat_init(st->slope_u[s], sub->outputs, sub->inputs);
        if (st->slopes) make_slopes(st, s);
        if (advances) made = made && make_advance(st, s);
    }
    return made;
}

void ball_stepper_free(ball_stepper *st) {
    for (int s = 0; st->advance != NULL && st->x != NULL && s < st->network->subsystem_count; s++)
        flint_each(acb_mat_clear, st->advance[s], st->longer[s], st->slope_x[s], st->slope_u[s]);
    flint_each(acb_mat_clear, st->now, st->next, st->input, st->end, st->end_slope, st->x1);
    memory_free_all(st->advance, st->x, st->rows);
}
