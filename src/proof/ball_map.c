/* The macro step by its definition.
 *
 * Every signal is a row of coefficients: a linear form in the columns, which are the map's state and, under
 * an iteration to convergence, the guesses behind it. The map's state is all x, then the input that each
 * subsystem with delayed feedthrough ended with, then former outputs. */
#include "proof/ball_map.h"

#include "base/error.h"
#include "base/memory.h"
#include "proof/ball_advance.h"

typedef struct stepper {
    const ball_network *network;
    slong precision;
    int states, inputs, outputs, degree;
    int *x, *u, *y;    /* first row of each subsystem among all states, inputs, outputs */
    int *held;         /* per subsystem: first column of its held inputs; -1: none */
    int *past, *depth; /* per output: first column of its former values, and their number */
    int *guess;        /* per output: its number among the guesses; -1: nobody needs it */
    int *position;     /* per subsystem: its place in the gauss-seidel order */
    int guesses, size, width;
    acb_mat_t *advance;  /* per subsystem: states x (states + inputs (degree + 1)) */
    acb_mat_t now, next; /* outputs x width: y at t_n, and the newest y at t_{n+1} */
    acb_mat_t input;     /* (degree + 1) inputs x width: the coefficients of the input polynomials */
    acb_mat_t end, x1;   /* inputs x width, states x width: at the subsystems' ends */
} stepper;

static bool converges(const ball_network *network) {
    int iterations = network->coupling.iterations;
    return network->coupling.scheme == COSTAB_ITERATED && (iterations == 0 || iterations == COSTAB_NEWTON);
}

/* ---- Networks in balls ---- */

/* What has no ball arithmetic; NULL: nothing. */
static const char *no_balls(const costab_network *network, const costab_coupling *coupling) {
    const struct {
        bool there;
        const char *name;
    } rows[] = {
        {coupling->micro_steps != COSTAB_WHOLE, "micro steps that do not divide the macro step"},
        {coupling->smoothed, "smoothed extrapolation"},
        {coupling->interpolation == COSTAB_HERMITE || coupling->extrapolation == COSTAB_HERMITE, "slopes"},
        {coupling->predictor != COSTAB_CONSTANT, "predictors"},
        {coupling->relaxation != 0 && coupling->relaxation != 1, "relaxation"},
        {coupling->area_correction != 0, "area correction"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].there) return rows[i].name;
    for (int s = 0; s < network->subsystem_count; s++) {
        costab_method_kind kind = network->subsystems[s].method.kind;
        if (kind != COSTAB_RUNGE_KUTTA && kind != COSTAB_EXACT)
            return "methods with positions, velocities or memory";
        if (network->subsystems[s].stride > 1) return "strides";
    }
    for (int c = 0; c < network->connection_count; c++)
        if (network->connections[c].delay_time > 0) return "delays in seconds";
    return NULL;
}

costab_status ball_network_make(const costab_network *like, const costab_coupling *coupling,
                                ball_network *network, costab_error *error) {
    *network = (ball_network){.coupling = *coupling};
    acb_init(network->macro_step);
    const char *without = no_balls(like, coupling);
    if (without != NULL)
        return error_set(error, COSTAB_INVALID, "there is no ball arithmetic, and so no proof, for %s",
                         without);
    network->subsystems = memory_alloc((size_t)like->subsystem_count + 1, sizeof *network->subsystems);
    network->connections = memory_alloc((size_t)like->connection_count + 1, sizeof *network->connections);
    if (network->subsystems == NULL || network->connections == NULL) return error_memory(error);
    for (int s = 0; s < like->subsystem_count; s++) {
        const costab_subsystem *from = &like->subsystems[s];
        ball_subsystem *to = &network->subsystems[s];
        to->states = from->states, to->inputs = from->inputs, to->outputs = from->outputs;
        to->method = &from->method;
        acb_mat_init(to->A, from->states, from->states);
        acb_mat_init(to->B, from->states, from->inputs);
        acb_mat_init(to->C, from->outputs, from->states);
        acb_mat_init(to->D, from->outputs, from->inputs);
        network->subsystem_count = s + 1;
    }
    for (int c = 0; c < like->connection_count; c++) {
        const costab_connection *from = &like->connections[c];
        ball_connection *to = &network->connections[c];
        to->from = from->from, to->output = from->output, to->to = from->to, to->input = from->input;
        to->delay = from->delay;
        acb_init(to->gain);
        network->connection_count = c + 1;
    }
    return COSTAB_OK;
}

void ball_network_free(ball_network *network) {
    for (int s = 0; s < network->subsystem_count; s++) {
        acb_mat_clear(network->subsystems[s].A);
        acb_mat_clear(network->subsystems[s].B);
        acb_mat_clear(network->subsystems[s].C);
        acb_mat_clear(network->subsystems[s].D);
    }
    for (int c = 0; c < network->connection_count; c++) acb_clear(network->connections[c].gain);
    acb_clear(network->macro_step);
    memory_free(network->subsystems);
    memory_free(network->connections);
    *network = (ball_network){0};
}

static void take_matrix(acb_mat_t to, const double *from) {
    for (slong i = 0; i < acb_mat_nrows(to); i++)
        for (slong j = 0; j < acb_mat_ncols(to); j++)
            acb_set_d(acb_mat_entry(to, i, j), from == NULL ? 0 : from[i * acb_mat_ncols(to) + j]);
}

void ball_network_set(const costab_network *from, const costab_coupling *coupling, ball_network *network) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *f = &from->subsystems[s];
        ball_subsystem *t = &network->subsystems[s];
        take_matrix(t->A, f->A);
        take_matrix(t->B, f->B);
        take_matrix(t->C, f->C);
        take_matrix(t->D, f->D);
        t->feedthrough = !acb_mat_is_zero(t->D);
        t->substeps = f->substeps;
    }
    for (int c = 0; c < network->connection_count; c++)
        acb_set_d(network->connections[c].gain, from->connections[c].gain);
    acb_set_d(network->macro_step, coupling->macro_step);
}

/* ---- What a connection delivers ---- */

/* Coefficients of the Lagrange polynomial through the node `which` of s = nodes[]. */
static void lagrange(const int *nodes, int count, int which, fmpq_poly_t basis) {
    fmpq_poly_t factor;
    fmpq_poly_init(factor);
    fmpq_poly_set_si(basis, 1);
    for (int i = 0; i < count; i++) {
        if (i == which) continue;
        fmpq_poly_zero(factor);
        fmpq_poly_set_coeff_si(factor, 1, 1);
        fmpq_poly_set_coeff_si(factor, 0, -nodes[i]);
        fmpq_poly_mul(basis, basis, factor);
        fmpq_poly_scalar_div_si(basis, basis, nodes[which] - nodes[i]);
    }
    fmpq_poly_clear(factor);
}

static int output_row(const stepper *st, const ball_connection *c) {
    return st->y[c->from] + c->output;
}

static bool is_known(const stepper *st, const ball_connection *c) {
    if (c->delay > 0 || st->network->coupling.scheme == COSTAB_JACOBI) return false;
    return st->network->coupling.scheme == COSTAB_ITERATED || st->position[c->from] < st->position[c->to];
}

/* target += factor * y, `age` macro steps old: the outputs at t_n, or a column of the state. */
static void add_value(const stepper *st, int output, int age, const acb_t factor, int target_row,
                      acb_mat_t target) {
    if (age > 0) {
        acb_ptr entry = acb_mat_entry(target, target_row, st->past[output] + age - 1);
        acb_add(entry, entry, factor, st->precision);
        return;
    }
    const acb_mat_struct *source = age == 0 ? st->now : st->next;
    for (int k = 0; k < st->width; k++)
        acb_addmul(acb_mat_entry(target, target_row, k), acb_mat_entry(source, output, k), factor,
                   st->precision);
}

/* Adds what one connection delivers over the macro step to the coefficients of its input. A node at s = 1
 * stands for the new value, one at -j for y_{n-delay-j}. */
static void deliver(stepper *st, const ball_connection *c) {
    bool known = is_known(st, c);
    int order = known ? (int)st->network->coupling.interpolation : (int)st->network->coupling.extrapolation;
    int nodes[8], count = order + 1;
    for (int i = 0; i < count; i++) nodes[i] = known ? 1 - i : -i;
    fmpq_poly_t basis;
    fmpq_t coefficient;
    acb_t factor;
    fmpq_poly_init(basis);
    fmpq_init(coefficient);
    acb_init(factor);
    for (int i = 0; i < count; i++) {
        lagrange(nodes, count, i, basis);
        for (int l = 0; l <= order; l++) {
            fmpq_poly_get_coeff_fmpq(coefficient, basis, l);
            if (fmpq_is_zero(coefficient)) continue;
            acb_set_fmpq(factor, coefficient, st->precision);
            acb_mul(factor, factor, c->gain, st->precision);
            add_value(st, output_row(st, c), known ? -nodes[i] : c->delay - nodes[i], factor,
                      l * st->inputs + st->u[c->to] + c->input, st->input);
        }
    }
    acb_clear(factor);
    fmpq_clear(coefficient);
    fmpq_poly_clear(basis);
}

/* ---- The macro step ---- */

/* Advances one subsystem from t_n under the input that its connections deliver, and renews its y_{n+1}. */
static void advance(stepper *st, int s) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    for (int l = 0; l <= st->degree; l++)
        for (int i = 0; i < sub->inputs; i++)
            for (int k = 0; k < st->width; k++)
                acb_zero(acb_mat_entry(st->input, l * st->inputs + st->u[s] + i, k));
    for (int c = 0; c < st->network->connection_count; c++)
        if (st->network->connections[c].to == s) deliver(st, &st->network->connections[c]);
    for (int r = 0; r < sub->states; r++)
        for (int k = 0; k < st->width; k++) {
            acb_ptr entry = acb_mat_entry(st->x1, st->x[s] + r, k);
            if (k >= st->x[s] && k < st->x[s] + sub->states)
                acb_set(entry, acb_mat_entry(st->advance[s], r, k - st->x[s]));
            else
                acb_zero(entry);
        }
    for (int i = 0; i < sub->inputs; i++)
        for (int k = 0; k < st->width; k++) acb_zero(acb_mat_entry(st->end, st->u[s] + i, k));
    acb_mat_t weights;
    for (int l = 0; l <= st->degree; l++) {
        int first = sub->states + l * sub->inputs;
        acb_mat_window_init(weights, st->advance[s], 0, first, sub->states, first + sub->inputs);
        ball_multiply_rows(weights, st->input, l * st->inputs + st->u[s], st->x[s], true, st->precision,
                           st->x1);
        acb_mat_window_clear(weights);
        for (int i = 0; i < sub->inputs; i++)
            for (int k = 0; k < st->width; k++)
                acb_add(acb_mat_entry(st->end, st->u[s] + i, k), acb_mat_entry(st->end, st->u[s] + i, k),
                        acb_mat_entry(st->input, l * st->inputs + st->u[s] + i, k), st->precision);
    }
}

static void renew_output(stepper *st, int s) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    ball_multiply_rows(sub->C, st->x1, st->x[s], st->y[s], false, st->precision, st->next);
    if (sub->feedthrough)
        ball_multiply_rows(sub->D, st->end, st->u[s], st->y[s], true, st->precision, st->next);
}

/* y at t_n: C x + D (held input), or the loop of the connections without delay solved. */
static bool outputs_now(stepper *st) {
    const ball_network *network = st->network;
    bool solve = network->coupling.feedthrough == COSTAB_SOLVED;
    acb_mat_zero(st->now);
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        for (int r = 0; r < sub->outputs; r++) {
            for (int c = 0; c < sub->states; c++)
                acb_set(acb_mat_entry(st->now, st->y[s] + r, st->x[s] + c), acb_mat_entry(sub->C, r, c));
            for (int c = 0; c < sub->inputs && st->held[s] >= 0; c++)
                acb_set(acb_mat_entry(st->now, st->y[s] + r, st->held[s] + c), acb_mat_entry(sub->D, r, c));
        }
    }
    if (!solve) return true;
    acb_mat_t loop;
    acb_t factor;
    acb_mat_init(loop, st->outputs, st->outputs);
    acb_init(factor);
    acb_mat_one(loop);
    for (int i = 0; i < network->connection_count; i++) {
        const ball_connection *c = &network->connections[i];
        const ball_subsystem *sub = &network->subsystems[c->to];
        for (int r = 0; r < sub->outputs && sub->feedthrough; r++) {
            acb_mul(factor, acb_mat_entry(sub->D, r, c->input), c->gain, st->precision);
            if (c->delay > 0) {
                add_value(st, output_row(st, c), c->delay, factor, st->y[c->to] + r, st->now);
            } else {
                acb_ptr entry = acb_mat_entry(loop, st->y[c->to] + r, output_row(st, c));
                acb_sub(entry, entry, factor, st->precision);
            }
        }
    }
    bool solved = acb_mat_solve(st->now, loop, st->now, st->precision) != 0;
    acb_clear(factor);
    acb_mat_clear(loop);
    return solved;
}

/* All subsystems under the present guesses; then the guesses are renewed. */
static void sweep(stepper *st) {
    for (int s = 0; s < st->network->subsystem_count; s++) advance(st, s);
    for (int s = 0; s < st->network->subsystem_count; s++) renew_output(st, s);
}

/* Replaces the columns of the guesses by what they are at the fixed point v = J v + N z: (I - J)^-1 N z.
 * `iteration` holds J. */
static bool close_iteration(stepper *st, const acb_mat_t iteration) {
    acb_mat_t loop, rows;
    acb_mat_init(loop, st->guesses, st->guesses);
    acb_mat_init(rows, st->guesses, st->size);
    acb_mat_one(loop);
    acb_mat_sub(loop, loop, iteration, st->precision);
    for (int y = 0; y < st->outputs; y++)
        for (int k = 0; k < st->size && st->guess[y] >= 0; k++)
            acb_set(acb_mat_entry(rows, st->guess[y], k), acb_mat_entry(st->next, y, k));
    bool solved = acb_mat_solve(rows, loop, rows, st->precision) != 0;
    acb_mat_t *results[] = {&st->x1, &st->end};
    for (int i = 0; i < 2 && solved; i++)
        for (slong r = 0; r < acb_mat_nrows(*results[i]); r++)
            for (int k = 0; k < st->size; k++)
                for (int g = 0; g < st->guesses; g++)
                    acb_addmul(acb_mat_entry(*results[i], r, k), acb_mat_entry(*results[i], r, st->size + g),
                               acb_mat_entry(rows, g, k), st->precision);
    acb_mat_clear(loop);
    acb_mat_clear(rows);
    return solved;
}

/* [out] iteration: guesses x guesses where the coupling converges, else untouched. */
static bool take_step(stepper *st, bool only_iteration, acb_mat_t iteration) {
    const costab_coupling *coupling = &st->network->coupling;
    if (!outputs_now(st)) return false;
    acb_mat_set(st->next, st->now);
    if (coupling->scheme != COSTAB_ITERATED) {
        for (int i = 0; i < st->network->subsystem_count; i++) {
            int s = i;
            for (int j = 0; j < st->network->subsystem_count; j++)
                if (st->position[j] == i) s = j;
            advance(st, s);
            renew_output(st, s);
        }
        return true;
    }
    if (!converges(st->network)) {
        for (int i = 0; i < coupling->iterations; i++) sweep(st);
        return true;
    }
    acb_mat_zero(st->next);
    for (int y = 0; y < st->outputs; y++)
        if (st->guess[y] >= 0) acb_one(acb_mat_entry(st->next, y, st->size + st->guess[y]));
    sweep(st);
    for (int y = 0; y < st->outputs; y++)
        for (int g = 0; g < st->guesses && st->guess[y] >= 0; g++)
            acb_set(acb_mat_entry(iteration, st->guess[y], g), acb_mat_entry(st->next, y, st->size + g));
    return only_iteration || close_iteration(st, iteration);
}

/* ---- The stepper ---- */

static void free_stepper(stepper *st) {
    for (int s = 0; st->advance != NULL && s < st->network->subsystem_count; s++)
        acb_mat_clear(st->advance[s]);
    acb_mat_clear(st->now);
    acb_mat_clear(st->next);
    acb_mat_clear(st->input);
    acb_mat_clear(st->end);
    acb_mat_clear(st->x1);
    memory_free(st->advance);
    memory_free(st->x);
}

/* Rows and columns of everything. */
static void lay_out(stepper *st) {
    const ball_network *network = st->network;
    const costab_coupling *coupling = &network->coupling;
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        st->x[s] = st->states, st->u[s] = st->inputs, st->y[s] = st->outputs;
        st->states += sub->states, st->inputs += sub->inputs, st->outputs += sub->outputs;
        st->position[s] = s;
    }
    for (int i = 0; i < network->subsystem_count && coupling->order != NULL; i++)
        st->position[coupling->order[i]] = i;
    st->size = st->states;
    for (int s = 0; s < network->subsystem_count; s++) {
        bool holds = coupling->feedthrough == COSTAB_DELAYED && network->subsystems[s].feedthrough;
        st->held[s] = holds ? st->size : -1;
        if (holds) st->size += network->subsystems[s].inputs;
    }
    for (int y = 0; y < st->outputs; y++) st->depth[y] = 0, st->guess[y] = -1;
    st->degree = 0;
    for (int i = 0; i < network->connection_count; i++) {
        const ball_connection *c = &network->connections[i];
        bool known = is_known(st, c);
        int order = known ? (int)coupling->interpolation : (int)coupling->extrapolation,
            y = output_row(st, c);
        int depth = known ? order - 1 : order + c->delay;
        if (depth > st->depth[y]) st->depth[y] = depth;
        if (order > st->degree) st->degree = order;
        if (converges(network) && c->delay == 0 && st->guess[y] < 0) st->guess[y] = st->guesses++;
    }
    for (int y = 0; y < st->outputs; y++) {
        st->past[y] = st->size;
        st->size += st->depth[y];
    }
    st->width = st->size + st->guesses;
}

static bool make_stepper(const ball_network *network, slong precision, stepper *st) {
    int outputs = 0, count = network->subsystem_count;
    for (int s = 0; s < count; s++) outputs += network->subsystems[s].outputs;
    *st = (stepper){.network = network, .precision = precision};
    st->x = memory_alloc(5 * (size_t)count + 3 * (size_t)outputs + 1, sizeof *st->x);
    st->advance = memory_alloc((size_t)count + 1, sizeof *st->advance);
    if (st->x != NULL && st->advance != NULL) {
        st->u = st->x + count, st->y = st->u + count, st->held = st->y + count;
        st->position = st->held + count, st->past = st->position + count;
        st->depth = st->past + outputs, st->guess = st->depth + outputs;
        lay_out(st);
    }
    acb_mat_init(st->now, st->outputs, st->width);
    acb_mat_init(st->next, st->outputs, st->width);
    acb_mat_init(st->input, st->inputs * (st->degree + 1), st->width);
    acb_mat_init(st->end, st->inputs, st->width);
    acb_mat_init(st->x1, st->states, st->width);
    if (st->x == NULL || st->advance == NULL) return false;
    bool made = true;
    for (int s = 0; s < count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        acb_mat_init(st->advance[s], sub->states, sub->states + sub->inputs * (st->degree + 1));
        made = made && ball_advance(sub, st->degree, network->macro_step, precision, st->advance[s]);
    }
    return made;
}

static void gather_map(const stepper *st, acb_mat_t map) {
    for (int i = 0; i < st->states; i++)
        for (int k = 0; k < st->size; k++) acb_set(acb_mat_entry(map, i, k), acb_mat_entry(st->x1, i, k));
    for (int s = 0; s < st->network->subsystem_count; s++)
        for (int i = 0; i < st->network->subsystems[s].inputs && st->held[s] >= 0; i++)
            for (int k = 0; k < st->size; k++)
                acb_set(acb_mat_entry(map, st->held[s] + i, k), acb_mat_entry(st->end, st->u[s] + i, k));
    for (int y = 0; y < st->outputs; y++)
        for (int age = 0; age < st->depth[y]; age++)
            for (int k = 0; k < st->size; k++) {
                if (age == 0)
                    acb_set(acb_mat_entry(map, st->past[y], k), acb_mat_entry(st->now, y, k));
                else if (k == st->past[y] + age - 1)
                    acb_one(acb_mat_entry(map, st->past[y] + age, k));
            }
}

/* ---- The continuous system ---- */

/* A + B (I - L D)^-1 L C, then (shift - A)^-1 (shift + A). */
static bool system_matrix(const stepper *st, const arb_t shift, acb_mat_t matrix) {
    const ball_network *network = st->network;
    slong precision = st->precision;
    acb_mat_t B, LC, LD, left, right;
    acb_mat_init(B, st->states, st->inputs);
    acb_mat_init(LC, st->inputs, st->states);
    acb_mat_init(LD, st->inputs, st->inputs);
    acb_mat_init(left, st->states, st->states);
    acb_mat_init(right, st->states, st->states);
    acb_mat_one(LD);
    for (int i = 0; i < network->connection_count; i++) {
        const ball_connection *c = &network->connections[i];
        const ball_subsystem *from = &network->subsystems[c->from];
        int row = st->u[c->to] + c->input;
        for (int k = 0; k < from->states; k++)
            acb_addmul(acb_mat_entry(LC, row, st->x[c->from] + k), c->gain,
                       acb_mat_entry(from->C, c->output, k), precision);
        for (int k = 0; k < from->inputs; k++)
            acb_submul(acb_mat_entry(LD, row, st->u[c->from] + k), c->gain,
                       acb_mat_entry(from->D, c->output, k), precision);
    }
    bool solved = acb_mat_solve(LC, LD, LC, precision) != 0;
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        for (int r = 0; r < sub->states; r++)
            for (int k = 0; k < sub->inputs; k++)
                acb_set(acb_mat_entry(B, st->x[s] + r, st->u[s] + k), acb_mat_entry(sub->B, r, k));
    }
    acb_mat_mul(matrix, B, LC, precision);
    for (int s = 0; s < network->subsystem_count; s++)
        for (int r = 0; r < network->subsystems[s].states; r++)
            for (int k = 0; k < network->subsystems[s].states; k++) {
                acb_ptr entry = acb_mat_entry(matrix, st->x[s] + r, st->x[s] + k);
                acb_add(entry, entry, acb_mat_entry(network->subsystems[s].A, r, k), precision);
            }
    for (int i = 0; i < st->states; i++) acb_set_arb(acb_mat_entry(right, i, i), shift);
    acb_mat_sub(left, right, matrix, precision);
    acb_mat_add(right, right, matrix, precision);
    solved = solved && acb_mat_solve(matrix, left, right, precision) != 0;
    acb_mat_clear(B);
    acb_mat_clear(LC);
    acb_mat_clear(LD);
    acb_mat_clear(left);
    acb_mat_clear(right);
    return solved;
}

bool ball_network_matrix(const ball_network *network, ball_part part, const arb_t shift, slong precision,
                         acb_mat_t matrix) {
    stepper st;
    bool made = make_stepper(network, precision, &st);
    int size = part == BALL_ITERATION ? st.guesses : part == BALL_STEP ? st.size : st.states;
    acb_mat_init(matrix, size, size);
    if (made && part == BALL_SYSTEM) {
        made = system_matrix(&st, shift, matrix);
    } else if (made) {
        acb_mat_t iteration;
        acb_mat_init(iteration, st.guesses, st.guesses);
        made = take_step(&st, part == BALL_ITERATION, iteration);
        if (made && part == BALL_ITERATION) acb_mat_set(matrix, iteration);
        if (made && part == BALL_STEP) gather_map(&st, matrix);
        acb_mat_clear(iteration);
    }
    free_stepper(&st);
    return made;
}
