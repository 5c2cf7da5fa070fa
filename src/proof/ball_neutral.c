/* The kernel of the monolithic matrix over the rationals, and what is left of a map beside it. */
#include "proof/ball_neutral.h"

#include "base/memory.h"

/* An exact real ball as a fraction. */
static bool exact(const acb_t ball, fmpq_t number) {
    fmpz_t mantissa, exponent;
    bool is = acb_is_exact(ball) && acb_is_real(ball) && acb_is_finite(ball);
    if (!is) return false;
    fmpz_init(mantissa);
    fmpz_init(exponent);
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
    fmpz_clear(mantissa);
    fmpz_clear(exponent);
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

/* Columns without a pivot, last first: u and y follow from x where the network is well posed, so with x in
 * the last columns the free ones are states. */
static void take_kernel(ball_network *network, sizes n, const fmpq_mat_t reduced, slong rank) {
    slong all = n.x + n.u + n.y, pivot = 0, modes = n.x + n.u + n.y - rank;
    bool states = true;
    slong *pivots = memory_alloc((size_t)all + 1, sizeof *pivots);
    network->free_rows = memory_alloc((size_t)modes + 1, sizeof *network->free_rows);
    if (pivots == NULL || network->free_rows == NULL) {
        memory_free(pivots);
        return;
    }
    slong found = 0;
    for (slong c = 0; c < all; c++) {
        if (pivot < rank && !fmpq_is_zero(fmpq_mat_entry(reduced, pivot, c))) {
            pivots[pivot++] = c;
        } else {
            states = states && c >= n.u + n.y;
            network->free_rows[found++] = (int)(c - n.u - n.y);
        }
    }
    if (states && found == modes) {
        acb_mat_init(network->kernel, all, modes);
        for (slong k = 0; k < modes; k++) {
            acb_one(acb_mat_entry(network->kernel, n.u + n.y + network->free_rows[k], k));
            for (slong p = 0; p < rank; p++) {
                acb_ptr entry = acb_mat_entry(network->kernel, pivots[p], k);
                acb_set_fmpq(entry, fmpq_mat_entry(reduced, p, n.u + n.y + network->free_rows[k]), 256);
                acb_neg(entry, entry);
            }
        }
        network->modes = (int)modes;
    }
    memory_free(pivots);
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
    fmpq_mat_t equations, turned;
    fmpq_mat_init(equations, all, all);
    fmpq_mat_init(turned, all, all);
    if (set_equations(network, n, equations)) {
        for (slong i = 0; i < all; i++)
            for (slong j = 0; j < all; j++)
                fmpq_set(fmpq_mat_entry(turned, i, j < n.x ? n.u + n.y + j : j - n.x),
                         fmpq_mat_entry(equations, i, j));
        slong rank = fmpq_mat_rref(turned, turned);
        if (rank < all) take_kernel(network, n, turned, rank);
    }
    fmpq_mat_clear(equations);
    fmpq_mat_clear(turned);
}

void ball_neutral_free(ball_network *network) {
    if (network->modes > 0) acb_mat_clear(network->kernel);
    memory_free(network->free_rows);
    network->free_rows = NULL;
    network->modes = 0;
}

/* ---- What is left ---- */

static void copy_rows(const ball_network *network, slong source, int count, int first, acb_mat_t z) {
    for (int i = 0; i < count && first >= 0; i++)
        for (int k = 0; k < network->modes; k++)
            acb_set(acb_mat_entry(z, first + i, k), acb_mat_entry(network->kernel, source + i, k));
}

/* The equilibria in the map's state. */
static void fill(const ball_stepper *st, acb_mat_t z) {
    const ball_network *network = st->network;
    slong u = 0, y = st->inputs, x = st->inputs + st->outputs;
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        copy_rows(network, x + st->x[s], sub->states, st->x[s], z);
        copy_rows(network, u + st->u[s], sub->inputs, st->held[s], z);
        copy_rows(network, u + st->u[s], sub->inputs, st->sent[s], z);
        if (st->area) copy_rows(network, y + st->y[s], sub->outputs, st->extra[s], z);
        if (!st->area && sub->method->kind == COSTAB_BDF2)
            copy_rows(network, x + st->x[s], sub->states, st->extra[s], z);
        for (int o = st->y[s]; o < st->y[s] + sub->outputs; o++) {
            copy_rows(network, y + o, 1, st->ahead[o], z);
            for (int age = 0; age < st->depth[o]; age++) copy_rows(network, y + o, 1, st->past[o] + age, z);
        }
    }
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
    acb_mat_clear(rest);
    acb_mat_clear(z);
}
