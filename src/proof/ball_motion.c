/* Second vectors of Jordan chains of the eigenvalue 0: rigid motions x1 with A x1 = x*.
 *
 * 1. Does the coupling reproduce straight lines on time, and the method too? Else no motion is kept.
 * 2. Rows (x1 | u1, y1 | u*, y*, x*) of the equations in rationals, and Gauss's elimination.
 * 3. One motion for each column that stays free.
 *
 * Exact. Cost: cubic in the number of signals, of rationals that grow. */
#include "proof/ball_motion.h"

/* ---- Straight lines ---- */

static bool method_keeps_lines(const costab_method *method) {
    if (method->kind == COSTAB_SAMPLED) return false;
    return method->kind != COSTAB_RUNGE_KUTTA || method->exact;
}

static bool extrapolates_lines(const ball_extrapolation *by) {
    if (by->hold <= COSTAB_HERMITE) return by->hold != COSTAB_CONSTANT;
    return by->hold != COSTAB_SPECTRAL && acb_is_zero(by->weights) && acb_is_one(by->weights + 1);
}

bool ball_keeps_lines(const ball_network *network) {
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
        if (!method_keeps_lines(sub->method) || (sub->substeps == 0 && c->micro_steps == COSTAB_CLOCKS))
            return false;
    }
    return true;
}

/* ---- The motions ---- */

/* Rows (x1 | u1, y1 | u*, y*, x*) of the motions: of equations w = (null_space c) in the rows of x', one for
 * each c that is free. Returns their number; initialises `found`. */
static slong solve(const fmpq_mat_t equations, slong states, const fmpq_mat_t null_space, fmpq_mat_t found) {
    slong all = fmpq_mat_nrows(equations), modes = fmpq_mat_ncols(null_space), other = all - states;
    fmpq_mat_t system;
    fmpq_mat_init(system, all, all + modes);
    for (slong i = 0; i < all; i++) {
        for (slong j = 0; j < all; j++)
            fmpq_set(fmpq_mat_entry(system, i, j), fmpq_mat_entry(equations, i, j));
        for (slong k = 0; k < modes && i < states; k++)
            fmpq_neg(fmpq_mat_entry(system, i, all + k), fmpq_mat_entry(null_space, other + i, k));
    }
    slong rank = fmpq_mat_rref(system, system), count = all + modes - rank - modes, at = 0;
    fmpq_mat_init(found, count, 2 * all);
    for (slong k = 0; k < modes; k++) {
        bool pivot = false;
        slong row = 0;
        for (slong c = 0; c <= all + k; c++) {
            pivot = row < rank && !fmpq_is_zero(fmpq_mat_entry(system, row, c));
            if (pivot) row++;
        }
        if (pivot || at == count) continue;
        for (slong i = 0; i < all; i++)
            fmpq_set(fmpq_mat_entry(found, at, all + i), fmpq_mat_entry(null_space, i, k));
        row = 0;
        for (slong c = 0; c < all + modes && row < rank; c++) {
            if (fmpq_is_zero(fmpq_mat_entry(system, row, c))) continue;
            const fmpq *value = fmpq_mat_entry(system, row++, all + k);
            for (slong i = 0; i < all && c >= all; i++)
                fmpq_submul(fmpq_mat_entry(found, at, all + i), value,
                            fmpq_mat_entry(null_space, i, c - all));
            if (c < all) fmpq_neg(fmpq_mat_entry(found, at, c >= other ? c - other : states + c), value);
        }
        at++;
    }
    fmpq_mat_clear(system);
    return at;
}

/* The columns (u, y, x) of the null space and the motions, and their velocities. */
static void join(const fmpq_mat_t found, slong states, fmpq_mat_t null_space, fmpq_mat_t velocity,
                 const int *rows) {
    slong all = fmpq_mat_nrows(null_space), modes = fmpq_mat_ncols(null_space),
          motions = fmpq_mat_nrows(found);
    slong other = all - states;
    fmpq_mat_t joined;
    fmpq_mat_init(joined, all, modes + motions);
    fmpq_mat_init(velocity, all, modes + motions);
    for (slong i = 0; i < all; i++) {
        slong from = i >= other ? i - other : states + i;
        for (slong m = 0; m < motions; m++) {
            fmpq_set(fmpq_mat_entry(joined, i, modes + m), fmpq_mat_entry(found, m, from));
            fmpq_set(fmpq_mat_entry(velocity, i, modes + m), fmpq_mat_entry(found, m, all + i));
        }
        for (slong k = 0; k < modes; k++) {
            fmpq_set(fmpq_mat_entry(joined, i, k), fmpq_mat_entry(null_space, i, k));
            for (slong m = 0; m < motions; m++) { /* 0 in the rows of the motions */
                const fmpq *share = fmpq_mat_entry(null_space, other + rows[m], k);
                fmpq_submul(fmpq_mat_entry(joined, i, k), share, fmpq_mat_entry(found, m, from));
                fmpq_submul(fmpq_mat_entry(velocity, i, k), share, fmpq_mat_entry(found, m, all + i));
            }
        }
    }
    fmpq_mat_swap(null_space, joined);
    fmpq_mat_clear(joined);
}

slong ball_motion_add(const fmpq_mat_t equations, slong states, fmpq_mat_t null_space, fmpq_mat_t velocity,
                      int *rows) {
    fmpq_mat_t found;
    slong motions = solve(equations, states, null_space, found), pivots = 0;
    (void)fmpq_mat_rref(found, found);
    for (slong c = 0; c < states && pivots < motions; c++)
        if (!fmpq_is_zero(fmpq_mat_entry(found, pivots, c))) rows[pivots++] = (int)c;
    if (pivots == motions) {
        join(found, states, null_space, velocity, rows);
    } else { /* no row of states for each: none is set aside */
        fmpq_mat_init(velocity, fmpq_mat_nrows(null_space), fmpq_mat_ncols(null_space));
        motions = 0;
    }
    fmpq_mat_clear(found);
    return motions;
}
