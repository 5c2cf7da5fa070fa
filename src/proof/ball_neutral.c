/* Equilibria and rigid motions over the rationals, and a map without the eigenvalues 1 that belong to them.
 *
 * 1. Equilibria: the null space of A x + B u = 0, C x + D u - y = 0, L y - u = 0 in fractions, by Gauss's
 *    elimination. Where a number is a ball that is not exact there is none. Columns without a pivot are
 *    states, where the network is well posed.
 * 2. Rigid motions, where the coupling reproduces straight lines in time: the same with A x + B u = a
 *    combination of equilibria, whose factors are further unknowns.
 * 3. The vectors z of both in the map's state, by what each row remembers of signals that are constant or
 *    straight lines.
 * 4. With p the rows in which these vectors are the unit matrix, r the others: M_rr - Z_r M_pr has the other
 *    eigenvalues of M (ball_neutral.h).
 *
 * Exact but for step 4, which encloses. Cost: cubic in the number of signals, of rationals that grow. Not
 * guaranteed: that a model's numbers are exact. */
#include "proof/ball_neutral.h"

#include "base/memory.h"

/* ---- Straight lines ---- */

static bool method_keeps_lines(const ball_subsystem *subsystem) {
    costab_method_kind kind = subsystem->method->kind;
    if (kind == COSTAB_RUNGE_KUTTA) return subsystem->tableau.exact;
    return kind == COSTAB_EXACT || kind == COSTAB_NYSTROM || kind == COSTAB_GENERALIZED_ALPHA ||
           kind == COSTAB_BDF;
}

static bool extrapolates_lines(const ball_extrapolation *by) {
    if (by->hold <= COSTAB_HERMITE) return by->hold != COSTAB_CONSTANT;
    return by->hold != COSTAB_SPECTRAL && acb_is_zero(by->weights) && acb_is_one(by->weights + 1);
}

/* Does the coupling reproduce straight lines in time for sure? Connections without delay, all polynomials in
 * use of order 1 or more, no area correction, no clocks of their own, methods whose tableaux are exact and
 * have rows that add up to c. */
static bool keeps_lines(const ball_network *network) {
    const costab_coupling *c = &network->coupling;
    bool jacobi = c->scheme == COSTAB_JACOBI, iterated = c->scheme == COSTAB_ITERATED;
    if (network->corrects_area || (!jacobi && c->interpolation == COSTAB_CONSTANT) ||
        (iterated && c->iterations > 0 && c->predictor == COSTAB_CONSTANT))
        return false;
    for (int i = 0; i < network->connection_count; i++) {
        const ball_connection *of = &network->connections[i];
        const ball_extrapolation by = ball_extrapolation_of(network, of);
        if (of->delay > 0 || of->seconds || (!iterated && !extrapolates_lines(&by))) return false;
    }
    for (int s = 0; s < network->subsystem_count; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        if (!method_keeps_lines(sub) || (sub->substeps == 0 && c->micro_steps == COSTAB_CLOCKS)) return false;
    }
    return true;
}

/* ---- The equations ---- */

/* An exact real ball as a fraction. */
static bool exact(const acb_t ball, fmpq_t number) {
    bool is = acb_is_exact(ball) && acb_is_real(ball) && acb_is_finite(ball);
    if (!is) return false;
    flint_local(fmpz, mantissa, exponent);
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
    return is;
}

/* to (first row, first column) += a block; false where an entry is not exact. */
static bool add_block(const acb_mat_t block, slong row, slong column, fmpq_mat_t to) {
    flint_local(fmpq, number);
    bool is = true;
    for (slong i = 0; i < acb_mat_nrows(block) && is; i++)
        for (slong j = 0; j < acb_mat_ncols(block) && is; j++) {
            is = exact(acb_mat_entry(block, i, j), number);
            if (is) fmpq_set(fmpq_mat_entry(to, row + i, column + j), number);
        }
    return is;
}

typedef struct sizes {
    slong x, u, y;
} sizes;

static slong all_of(sizes n) {
    return n.x + n.u + n.y;
}

/* Rows A x + B u = 0, C x + D u - y = 0, L y - u = 0 of the unknowns (u, y, .., x). */
static bool set_equations(const ball_network *network, sizes n, fmpq_mat_t equations) {
    bool is = true;
    slong x = 0, u = 0, y = 0, states = fmpq_mat_ncols(equations) - n.x;
    flint_local(fmpq, gain);
    for (int s = 0; s < network->subsystem_count && is; s++) {
        const ball_subsystem *sub = &network->subsystems[s];
        is = add_block(sub->A, x, states + x, equations) && add_block(sub->B, x, u, equations) &&
             add_block(sub->C, n.x + y, states + x, equations) && add_block(sub->D, n.x + y, u, equations);
        for (int i = 0; i < sub->outputs; i++)
            fmpq_set_si(fmpq_mat_entry(equations, n.x + y + i, n.u + y + i), -1, 1);
        for (int i = 0; i < sub->inputs; i++)
            fmpq_set_si(fmpq_mat_entry(equations, n.x + n.y + u + i, u + i), -1, 1);
        x += sub->states, u += sub->inputs, y += sub->outputs;
    }
    for (int i = 0; i < network->connection_count && is; i++) {
        const ball_connection *c = &network->connections[i];
        slong row = n.x + n.y + c->input, column = n.u + c->output;
        for (int s = 0; s < c->to; s++) row += network->subsystems[s].inputs;
        for (int s = 0; s < c->from; s++) column += network->subsystems[s].outputs;
        is = exact(c->gain, gain);
        if (is)
            fmpq_add(fmpq_mat_entry(equations, row, column), fmpq_mat_entry(equations, row, column), gain);
    }
    return is;
}

/* ---- Null spaces ---- */

/* The vectors that a system, which is overwritten, takes to 0: columns, in which the states `rows` are the
 * unit matrix. With the states in the last columns those without a pivot are states where the network is well
 * posed, as all else follows from them; false where it is not. [out] vectors: initialised here. */
static bool find_null_space(fmpq_mat_t system, slong states, fmpq_mat_t vectors, int *rows) {
    slong all = fmpq_mat_ncols(system), rank = fmpq_mat_rref(system, system), found = 0, pivots = 0;
    fmpq_mat_init(vectors, all, all - rank);
    for (slong c = 0; c < all; c++) {
        if (pivots < rank && !fmpq_is_zero(fmpq_mat_entry(system, pivots, c))) {
            pivots++;
            continue;
        }
        if (c < all - states) return false;
        rows[found] = (int)(c - (all - states));
        fmpq_one(fmpq_mat_entry(vectors, c, found));
        for (slong p = 0, row = 0; p < c && row < pivots; p++)
            if (!fmpq_is_zero(fmpq_mat_entry(system, row, p)))
                fmpq_neg(fmpq_mat_entry(vectors, p, found), fmpq_mat_entry(system, row++, c));
        found++;
    }
    return true;
}

static void take_rows(const fmpq_mat_t from, slong first, slong end, slong row, acb_mat_t to) {
    for (slong i = first; i < end; i++)
        for (slong j = 0; j < fmpq_mat_ncols(from); j++)
            acb_set_fmpq(acb_mat_entry(to, row + i - first, j), fmpq_mat_entry(from, i, j), 256);
}

/* Keeps vectors of (u, y, factors, x) in the network, with their velocities: equilibria times factors. */
static void keep(ball_network *network, sizes n, const fmpq_mat_t vectors, const fmpq_mat_t equilibria) {
    slong all = all_of(n), more = fmpq_mat_nrows(vectors) - all, modes = fmpq_mat_ncols(vectors);
    network->modes = (int)modes;
    acb_mat_init(network->null_space, all, modes);
    acb_mat_init(network->velocity, all, modes);
    take_rows(vectors, 0, n.u + n.y, 0, network->null_space);
    take_rows(vectors, n.u + n.y + more, all + more, n.u + n.y, network->null_space);
    if (more == 0) return;
    fmpq_mat_t factors;
    fmpq_mat_window_init(factors, vectors, n.u + n.y, 0, n.u + n.y + more, modes);
    flint_local_matrix(fmpq_mat, all, modes, velocity);
    fmpq_mat_mul(velocity, equilibria, factors);
    take_rows(velocity, 0, all, 0, network->velocity);
    fmpq_mat_window_clear(factors);
}

/* Step 2: keeps the equilibria and the rigid motions. */
static void add_motions(ball_network *network, sizes n, const fmpq_mat_t equilibria) {
    slong all = all_of(n), modes = fmpq_mat_ncols(equilibria);
    fmpq_mat_t vectors;
    flint_local_matrix(fmpq_mat, all, all + modes, system);
    (void)set_equations(network, n, system);
    for (slong i = 0; i < n.x; i++)
        for (slong k = 0; k < modes; k++)
            fmpq_neg(fmpq_mat_entry(system, i, n.u + n.y + k), fmpq_mat_entry(equilibria, n.u + n.y + i, k));
    if (find_null_space(system, n.x, vectors, network->free_rows)) keep(network, n, vectors, equilibria);
    fmpq_mat_clear(vectors);
}

void ball_neutral_find(ball_network *network) {
    sizes n = {0, 0, 0};
    ball_neutral_free(network);
    for (int s = 0; s < network->subsystem_count; s++) {
        n.x += network->subsystems[s].states;
        n.u += network->subsystems[s].inputs;
        n.y += network->subsystems[s].outputs;
    }
    network->free_rows = memory_alloc((size_t)n.x + 1, sizeof *network->free_rows);
    fmpq_mat_t vectors;
    flint_local_matrix(fmpq_mat, all_of(n), all_of(n), system);
    if (network->free_rows != NULL && set_equations(network, n, system)) {
        bool found = find_null_space(system, n.x, vectors, network->free_rows) && fmpq_mat_ncols(vectors) > 0;
        if (found && keeps_lines(network))
            add_motions(network, n, vectors);
        else if (found)
            keep(network, n, vectors, vectors);
        fmpq_mat_clear(vectors);
    }
}

void ball_neutral_free(ball_network *network) {
    if (network->modes > 0) flint_each(acb_mat_clear, network->null_space, network->velocity);
    memory_free(network->free_rows);
    network->free_rows = NULL;
    network->modes = 0;
}

/* ---- What is left ---- */

/* Step 3. */
static void fill(const ball_stepper *st, acb_mat_t z) {
    const ball_network *network = st->network;
    flint_local(acb, time);
    for (int i = 0; i < st->size; i++) {
        const ball_row *row = &st->rows[i];
        if (row->signal < 0) continue;
        if (row->slope)
            acb_set(time, network->macro_step);
        else
            ball_row_time(st, row, time);
        for (int k = 0; k < network->modes; k++) {
            acb_ptr entry = acb_mat_entry(z, i, k);
            if (!row->slope) acb_set(entry, acb_mat_entry(network->null_space, row->signal, k));
            acb_addmul(entry, acb_mat_entry(network->velocity, row->signal, k), time, st->precision);
        }
    }
}

/* The rows r of step 4; their number. */
static slong list_left(const ball_network *network, slong size, slong *left) {
    slong count = 0;
    for (slong i = 0; i < size; i++) {
        bool aside = false;
        for (int k = 0; k < network->modes; k++) aside = aside || network->free_rows[k] == i;
        if (!aside) left[count++] = i;
    }
    return count;
}

bool ball_neutral_reduce(const ball_stepper *st, acb_mat_t matrix) {
    const ball_network *network = st->network;
    if (network->modes == 0) return true;
    memory_local slong *left = memory_alloc((size_t)acb_mat_nrows(matrix) + 1, sizeof *left);
    if (left == NULL) return false;
    slong count = list_left(network, acb_mat_nrows(matrix), left);
    flint_local_matrix(acb_mat, st->size, network->modes, z);
    flint_local_matrix(acb_mat, count, count, rest);
    fill(st, z);
    for (slong i = 0; i < count; i++)
        for (slong j = 0; j < count; j++) {
            acb_ptr entry = acb_mat_entry(rest, i, j);
            acb_set(entry, acb_mat_entry(matrix, left[i], left[j]));
            for (int k = 0; k < network->modes; k++)
                acb_submul(entry, acb_mat_entry(z, left[i], k),
                           acb_mat_entry(matrix, network->free_rows[k], left[j]), st->precision);
        }
    acb_mat_swap(matrix, rest);
    return true;
}
