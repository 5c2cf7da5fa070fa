/* One macro step of one subsystem in balls (ball_advance.h; docs/algorithms.md, Ball proofs).
 *
 * 1. An exact method: the exponential of [A h, B h, 0; 0, 0, I; 0, 0, 0], the system extended by the input
 *    and its derivatives, balanced by powers of 2. Derivatives become coefficients by l!.
 * 2. Another method: one micro step (ball_solver.c) as a block on states, carried values and the coefficients
 *    of the input. These become those of the next micro step's time: s^r = (sigma + 1)^r. The block to the
 *    power of the number of micro steps is the macro step.
 * 3. With the integrals of outputs: the same of a system with them as further states, y its derivatives.
 *
 * Cost: (stages x states)^3, log2 of the micro steps times. Not guaranteed: that an implicit stage can be
 * solved for on wide balls. */
#include "proof/ball_advance.h"

#include <math.h>

#include "base/memory.h"
#include "network/loop.h"

void ball_multiply_rows(const acb_mat_t matrix, const acb_mat_t from, int begin, int first, bool add,
                        slong precision, acb_mat_t to) {
    slong rows = acb_mat_nrows(matrix), inner = acb_mat_ncols(matrix), width = acb_mat_ncols(from);
    for (slong r = 0; r < rows; r++)
        for (slong k = 0; k < width; k++) {
            acb_ptr entry = acb_mat_entry(to, first + r, k);
            if (!add) acb_zero(entry);
            for (slong i = 0; i < inner; i++)
                if (!acb_is_zero(acb_mat_entry(from, begin + i, k)))
                    acb_addmul(entry, acb_mat_entry(matrix, r, i), acb_mat_entry(from, begin + i, k),
                               precision);
        }
}

/* [out] powers: exponents of 2 such that the matrix is balanced when row i is divided, and column i
 * multiplied, by 2^powers[i]. The balls of an exponential grow with the norm. */
static bool balance(const acb_mat_t matrix, slong *powers) {
    slong n = acb_mat_nrows(matrix);
    memory_local double *sizes = memory_alloc((size_t)(n * n + n) + 1, sizeof *sizes);
    if (sizes == NULL) return false;
    flint_local(mag, size);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            acb_get_mag(size, acb_mat_entry(matrix, i, j));
            sizes[i * n + j] = i == j ? 0 : mag_get_d(size);
        }
    loop_balance((int)n, sizes, sizes + n * n);
    for (slong i = 0; i < n; i++) powers[i] = -ilogb(sizes[n * n + i]);
    return true;
}

/* Entry (i, j) times 2^(sign (powers[j] - powers[i])). */
static void rescale(acb_mat_t matrix, const slong *powers, int sign) {
    for (slong i = 0; i < acb_mat_nrows(matrix); i++)
        for (slong j = 0; j < acb_mat_ncols(matrix); j++)
            acb_mul_2exp_si(acb_mat_entry(matrix, i, j), acb_mat_entry(matrix, i, j),
                            sign * (powers[j] - powers[i]));
}

/* Step 1, in derivatives of the input. */
static bool exact_step(const ball_subsystem *s, int degree, const acb_t h, slong precision, acb_mat_t block) {
    int n = s->states, m = s->inputs;
    acb_mat_zero(block);
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++)
            acb_mul(acb_mat_entry(block, r, c), acb_mat_entry(s->A, r, c), h, precision);
        for (int c = 0; c < m; c++)
            acb_mul(acb_mat_entry(block, r, n + c), acb_mat_entry(s->B, r, c), h, precision);
    }
    for (int i = n; i < n + m * degree; i++) acb_one(acb_mat_entry(block, i, i + m));
    memory_local slong *powers = memory_alloc((size_t)acb_mat_nrows(block) + 1, sizeof *powers);
    bool balanced = powers != NULL && balance(block, powers);
    if (balanced) {
        rescale(block, powers, 1);
        acb_mat_exp(block, block, precision);
        rescale(block, powers, -1);
    }
    return balanced;
}

/* Sets the block's rows from `first` on: the input's coefficients in the time of the next micro step. */
static void shift_input(int first, int inputs, int degree, acb_mat_t block) {
    flint_local(fmpz, choose);
    for (int l = 0; l <= degree; l++)
        for (int r = l + 1; r <= degree; r++)
            for (int c = 0; c < inputs; c++) {
                fmpz_bin_uiui(choose, (ulong)r, (ulong)l);
                acb_set_fmpz(acb_mat_entry(block, first + l * inputs + c, first + r * inputs + c), choose);
            }
}

int ball_carried(const ball_subsystem *s) {
    return s->method->kind == COSTAB_GENERALIZED_ALPHA ? s->pairs : s->method->former * s->states;
}

/* Step 2, in coefficients of the input in the first micro step's time. */
static bool many_steps(const ball_subsystem *s, int degree, const acb_t length, long count, slong precision,
                       acb_mat_t block) {
    flint_local(acb, h);
    acb_set_si(h, count);
    acb_div(h, length, h, precision);
    acb_mat_one(block);
    bool made = ball_solver_step(s, degree, h, precision, block);
    shift_input(s->states + ball_carried(s), s->inputs, degree, block);
    if (made) acb_mat_pow_ui(block, block, (ulong)count, precision);
    return made;
}

bool ball_advance(const ball_subsystem *s, int degree, const acb_t length, slong precision,
                  acb_mat_t advance) {
    int n = s->states + ball_carried(s), m = s->inputs, columns = n + m * (degree + 1);
    bool exact = s->method->kind == COSTAB_EXACT, made = true;
    long count = exact ? 1 : s->substeps;
    flint_local_matrix(acb_mat, columns, columns, block);
    flint_local(acb, factor);
    if (exact)
        made = exact_step(s, degree, length, precision, block);
    else
        made = count > 0 && many_steps(s, degree, length, count, precision, block);
    acb_one(factor);
    for (int c = 0; c < columns && made; c++) {
        int l = c < n ? 0 : (c - n) / m;
        if (c >= n && l > 0 && (c - n) % m == 0) {
            /* l! for a derivative; 1/count^l for a coefficient in the first micro step's time */
            if (exact)
                acb_mul_si(factor, factor, l, precision);
            else
                acb_div_si(factor, factor, count, precision);
        }
        for (int r = 0; r < n; r++)
            acb_mul(acb_mat_entry(advance, r, c), acb_mat_entry(block, r, c), factor, precision);
    }
    return made;
}

bool ball_advance_means(const ball_subsystem *s, int degree, const acb_t length, slong precision,
                        acb_mat_t advance) {
    int n = s->states, q = s->outputs, m = s->inputs;
    ball_subsystem wide = *s;
    wide.states = n + q;
    acb_mat_init(wide.A, n + q, n + q);
    acb_mat_init(wide.B, n + q, m);
    for (int r = 0; r < n + q; r++) {
        for (int c = 0; c < n; c++)
            acb_set(acb_mat_entry(wide.A, r, c),
                    r < n ? acb_mat_entry(s->A, r, c) : acb_mat_entry(s->C, r - n, c));
        for (int c = 0; c < m; c++)
            acb_set(acb_mat_entry(wide.B, r, c),
                    r < n ? acb_mat_entry(s->B, r, c) : acb_mat_entry(s->D, r - n, c));
    }
    bool made = ball_advance(&wide, degree, length, precision, advance);
    flint_each(acb_mat_clear, wide.A, wide.B);
    return made;
}
