/* The null space of the monolithic matrix over the rationals, and what is left of a map beside it.
 *
 * 1. A x + B u = 0, C x + D u - y = 0, L y - u = 0 in fractions; balls that are no exact numbers end it.
 * 2. Gauss's elimination: columns without a pivot are free, which are states where the network is well
 *    posed.
 * 3. Motions that begin there (ball_motion.c), as far as the coupling keeps them.
 * 4. Images of both in the map's state, as what each row remembers of signals that stand still or go
 *    straight.
 * 5. The map in a basis of these and of the states that do not tell them apart: the rest has the other
 *    eigenvalues.
 *
 * Exact but for step 5, which encloses. Not guaranteed: that a model's numbers are exact. */
#include "proof/ball_neutral.h"

#include "base/memory.h"
#include "proof/ball_motion.h"

/* An exact real ball as a fraction. */
static bool exact(const acb_t ball, fmpq_t number) {
    fmpz_t mantissa, exponent;
    bool is = acb_is_exact(ball) && acb_is_real(ball) && acb_is_finite(ball);
    if (!is) return false;
    flint_each(fmpz_init, mantissa, exponent);
    arf_get_fmpz_2exp(mantissa, exponent, arb_midref(acb_realref(ball)));
    is = fmpz_cmp_si(exponent, -4000) > 0 && fmpz_cmp_si(exponent, 4000) < 0;
    if (is) {
        slong shift = fmpz_get_si(exponent);
        fmpz_set(fmpq_numref(number), mantissa);
        fmpz_one(fmpq_denref(number));
        if (shift >= 0)
            fmpq_mul_2exp(number, number, (ulong)shift);
        else
            fmpq_div_2exp(number, number, (ulong)-shift);
    }
    flint_each(fmpz_clear, mantissa, exponent);
    return is;
}

/* to (first row, first column) += a block; false where an entry is not exact. */
static bool add_block(const acb_mat_t block, slong row, slong column, fmpq_mat_t to) {
    fmpq_t number;
    fmpq_init(number);
    bool is = true;
    for (slong i = 0; i < acb_mat_nrows(block) && is; i++)
        for (slong j = 0; j < acb_mat_ncols(block) && is; j++) {
            is = exact(acb_mat_entry(block, i, j), number);
            if (is) fmpq_set(fmpq_mat_entry(to, row + i, column + j), number);
        }
    fmpq_clear(number);
    return is;
}

typedef struct sizes {
    slong x, u, y;
} sizes;

/* Unknowns (x, u, y): A x + B u = 0, C x + D u - y = 0, L y - u = 0. */
static bool set_equations(const ball_network *network, sizes n, fmpq_mat_t equations) {
    bool is = true;
    slong x = 0, u = 0, y = 0;
    fmpq_t gain;
    fmpq_init(gain);
    for (int s = 0; s < network->subsystem_count && is; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        is = add_block(sub->A, x, x, equations) && add_block(sub->B, x, n.x + u, equations) &&
             add_block(sub->C, n.x + y, x, equations) && add_block(sub->D, n.x + y, n.x + u, equations);
        for (int i = 0; i < sub->outputs; i++)
            fmpq_set_si(fmpq_mat_entry(equations, n.x + y + i, n.x + n.u + y + i), -1, 1);
        for (int i = 0; i < sub->inputs; i++)
            fmpq_set_si(fmpq_mat_entry(equations, n.x + n.y + u + i, n.x + u + i), -1, 1);
        x += sub->states, u += sub->inputs, y += sub->outputs;
    }
    for (int i = 0; i < network->connection_count && is; i++) {
        const ball_connection *c = &network->connections[i];
        slong row = n.x + n.y + c->input, column = n.x + n.u + c->output;
        for (int s = 0; s < c->to; s++) row += network->subsystems[s].inputs;
        for (int s = 0; s < c->from; s++) column += network->subsystems[s].outputs;
        is = exact(c->gain, gain);
        if (is)
            fmpq_add(fmpq_mat_entry(equations, row, column), fmpq_mat_entry(equations, row, column), gain);
    }
    fmpq_clear(gain);
    return is;
}

/* Columns without a pivot: u and y follow from x where the network is well posed, so with x in the last
 * columns the free ones are states. Into rows[], and the vectors into null_space (all x modes). */
static bool take_null_space(sizes n, const fmpq_mat_t reduced, slong rank, fmpq_mat_t null_space, int *rows) {
    slong all = n.x + n.u + n.y, other = n.u + n.y, found = 0, pivot = 0;
    bool states = true;
    for (slong c = 0; c < all; c++) {
        if (pivot < rank && !fmpq_is_zero(fmpq_mat_entry(reduced, pivot, c))) {
            pivot++;
            continue;
        }
        states = states && c >= other;
        if (found == all - rank || !states) return false;
        rows[found] = (int)(c - other);
        fmpq_set_si(fmpq_mat_entry(null_space, c, found), 1, 1);
        slong row = 0; /* those before have a pivot in columns before c */
        for (slong p = 0; p < all && row < rank; p++) {
            if (fmpq_is_zero(fmpq_mat_entry(reduced, row, p))) continue;
            fmpq_neg(fmpq_mat_entry(null_space, p, found), fmpq_mat_entry(reduced, row++, c));
        }
        found++;
    }
    return found == all - rank;
}

static void set_balls(const fmpq_mat_t from, acb_mat_t to) {
    acb_mat_init(to, fmpq_mat_nrows(from), fmpq_mat_ncols(from));
    for (slong i = 0; i < fmpq_mat_nrows(from); i++)
        for (slong j = 0; j < fmpq_mat_ncols(from); j++)
            acb_set_fmpq(acb_mat_entry(to, i, j), fmpq_mat_entry(from, i, j), 256);
}

/* The null_space, with the motions where the coupling keeps them, into the network. */
static void take_all(ball_network *network, sizes n, const fmpq_mat_t equations, const fmpq_mat_t reduced,
                     slong rank) {
    slong all = n.x + n.u + n.y, modes = all - rank, motions = 0;
    int *rows = network->free_rows = memory_alloc((size_t)(2 * n.x) + 1, sizeof *rows);
    fmpq_mat_t null_space, velocity;
    fmpq_mat_init(null_space, all, modes);
    bool found = rows != NULL && modes <= n.x && take_null_space(n, reduced, rank, null_space, rows);
    if (found && ball_keeps_lines(network))
        motions = ball_motion_add(equations, n.x, null_space, velocity, rows + modes);
    else
        fmpq_mat_init(velocity, all, modes);
    if (found) {
        set_balls(null_space, network->null_space);
        set_balls(velocity, network->velocity);
        network->modes = (int)(modes + motions);
    }
    flint_each(fmpq_mat_clear, null_space, velocity);
}

void ball_neutral_find(ball_network *network) {
    sizes n = {0, 0, 0};
    ball_neutral_free(network);
    for (int s = 0; s < network->subsystem_count; s++) {
        n.x += network->subsystems[s].states;
        n.u += network->subsystems[s].inputs;
        n.y += network->subsystems[s].outputs;
    }
    slong all = n.x + n.u + n.y;
    fmpq_mat_t equations, turned, reduced;
    fmpq_mat_init(equations, all, all);
    fmpq_mat_init(turned, all, all);
    fmpq_mat_init(reduced, all, all);
    if (set_equations(network, n, equations)) {
        for (slong i = 0; i < all; i++)
            for (slong j = 0; j < all; j++)
                fmpq_set(fmpq_mat_entry(turned, i, j < n.x ? n.u + n.y + j : j - n.x),
                         fmpq_mat_entry(equations, i, j));
        slong rank = fmpq_mat_rref(reduced, turned);
        if (rank < all) take_all(network, n, turned, reduced, rank);
    }
    flint_each(fmpq_mat_clear, equations, turned, reduced);
}

void ball_neutral_free(ball_network *network) {
    if (network->modes > 0) {
        flint_each(acb_mat_clear, network->null_space, network->velocity);
    }
    memory_free(network->free_rows);
    network->free_rows = NULL;
    network->modes = 0;
}

/* ---- What is left ---- */

/* Rows of z += factor * those of the vectors, or of their velocities. */
static void add_rows(const ball_stepper *st, const acb_mat_t from, slong source, int count,
                     const acb_t factor, int first, acb_mat_t z) {
    for (int i = 0; i < count && first >= 0; i++)
        for (int k = 0; k < st->network->modes; k++)
            acb_addmul(acb_mat_entry(z, first + i, k), acb_mat_entry(from, source + i, k), factor,
                       st->precision);
}

/* What stands still in z, and what changes: `back` macro steps ago. */
static void add_signal(const ball_stepper *st, slong source, long back, int row, acb_mat_t z) {
    acb_t factor;
    acb_init(factor);
    acb_one(factor);
    add_rows(st, st->network->null_space, source, 1, factor, row, z);
    acb_mul_si(factor, st->network->macro_step, -back, st->precision);
    add_rows(st, st->network->velocity, source, 1, factor, row, z);
    acb_clear(factor);
}

/* Former values of an output, the new one of a longer step, and their slopes per macro step. */
static void add_outputs(const ball_stepper *st, int o, long stride, acb_mat_t z) {
    slong y = st->inputs + o;
    add_signal(st, y, 0, st->ahead[o], z);
    for (int age = 0; age < st->depth[o]; age++) add_signal(st, y, (age + 1) * stride, st->past[o] + age, z);
    if (!st->slopes) return;
    int slope = st->outputs + o;
    acb_srcptr H = st->network->macro_step;
    add_rows(st, st->network->velocity, y, 1, H, st->ahead[slope], z);
    for (int age = 0; age < st->depth[slope]; age++)
        add_rows(st, st->network->velocity, y, 1, H, st->past[slope] + age, z);
}

/* The states some micro steps ago. */
static void add_former(const ball_stepper *st, int s, acb_mat_t z) {
    const ball_subsystem *sub = &st->network->subsystems[s];
    slong x = st->inputs + st->outputs + st->x[s];
    acb_t factor;
    acb_init(factor);
    for (int k = 0; k < sub->method->former; k++) {
        int row = st->extra[s] + k * sub->states;
        acb_one(factor);
        add_rows(st, st->network->null_space, x, sub->states, factor, row, z);
        if (sub->substeps > 0) {
            acb_mul_si(factor, st->network->macro_step, -(k + 1) * sub->stride, st->precision);
            acb_div_si(factor, factor, sub->substeps, st->precision);
        } else {
            acb_set_d(factor, -sub->step);
            acb_mul_si(factor, factor, k + 1, st->precision);
        }
        add_rows(st, st->network->velocity, x, sub->states, factor, row, z);
    }
    acb_clear(factor);
}

/* The equilibria and motions in the map's state. */
static void fill(const ball_stepper *st, acb_mat_t z) {
    const ball_network *network = st->network;
    acb_t one;
    acb_init(one);
    acb_one(one);
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        slong u = st->u[s], y = st->inputs + st->y[s], x = st->inputs + st->outputs + st->x[s];
        add_rows(st, network->null_space, x, sub->states, one, st->x[s], z);
        add_rows(st, network->null_space, u, sub->inputs, one, st->held[s], z);
        add_rows(st, network->null_space, u, sub->inputs, one, st->sent[s], z);
        add_rows(st, network->velocity, u, sub->inputs, network->macro_step, st->bend[s], z);
        if (st->area) add_rows(st, network->null_space, y, sub->outputs, one, st->extra[s], z);
        if (!st->area) add_former(st, s, z);
        for (int o = st->y[s]; o < st->y[s] + sub->outputs; o++) add_outputs(st, o, sub->stride, z);
    }
    acb_clear(one);
}

void ball_neutral_reduce(const ball_stepper *st, acb_mat_t matrix) {
    const ball_network *network = st->network;
    slong size = acb_mat_nrows(matrix), left = size - network->modes;
    if (network->modes == 0) return;
    acb_mat_t z, rest;
    acb_mat_init(z, st->size, network->modes);
    acb_mat_init(rest, left, left);
    fill(st, z);
    slong row = 0;
    for (slong i = 0; i < size; i++) {
        slong column = 0;
        bool set_aside = false;
        for (int k = 0; k < network->modes; k++) set_aside = set_aside || network->free_rows[k] == i;
        if (set_aside) continue;
        for (slong j = 0; j < size; j++) {
            bool other = false;
            for (int k = 0; k < network->modes; k++) other = other || network->free_rows[k] == j;
            if (other) continue;
            acb_ptr entry = acb_mat_entry(rest, row, column++);
            acb_set(entry, acb_mat_entry(matrix, i, j));
            for (int k = 0; k < network->modes; k++)
                acb_submul(entry, acb_mat_entry(z, i, k), acb_mat_entry(matrix, network->free_rows[k], j),
                           st->precision);
        }
        row++;
    }
    acb_mat_swap(matrix, rest);
    flint_each(acb_mat_clear, rest, z);
}
