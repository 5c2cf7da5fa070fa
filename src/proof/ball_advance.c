/* Steps of one subsystem in balls (docs/algorithms.md, Ball proofs).
 *
 * 1. Runge-Kutta: the slopes of all stages, one after the other where the tableau is explicit, else as one
 *    linear system, preconditioned by the inverse of its middles.
 * 2. Exact: the exponential of the system that the input's derivatives extend, balanced by powers of 2.
 * 3. Many micro steps: the block on states and input coefficients, which move on, to that power.
 *
 * Cost: (stages x states)^3, log2 of the micro steps times. Not guaranteed: that wide balls leave a stage
 * solvable. */
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

/* block += factor * source, of the same shape. */
static void add_scaled(acb_mat_t block, const acb_mat_t source, const acb_t factor, slong precision) {
    for (slong i = 0; i < acb_mat_nrows(source); i++)
        for (slong j = 0; j < acb_mat_ncols(source); j++)
            acb_addmul(acb_mat_entry(block, i, j), acb_mat_entry(source, i, j), factor, precision);
}

/* num/den + root_num/root_den sqrt(root) */
static void set_exact(acb_t number, const costab_exact *exact, int root, slong precision) {
    fmpq_t part;
    arb_t square;
    fmpq_init(part);
    arb_init(square);
    acb_zero(number);
    fmpq_set_si(part, exact->num, (ulong)exact->den);
    arb_set_fmpq(acb_realref(number), part, precision);
    if (root > 0 && exact->root_num != 0) {
        arb_t share;
        arb_init(share);
        fmpq_set_si(part, exact->root_num, (ulong)exact->root_den);
        arb_set_fmpq(share, part, precision);
        arb_sqrt_ui(square, (ulong)root, precision);
        arb_addmul(acb_realref(number), share, square, precision);
        arb_clear(share);
    }
    arb_clear(square);
    fmpq_clear(part);
}

/* An entry of a tableau: exact where it is known so, else the double that it is. */
static void set_entry(acb_t number, const costab_method *method, double value, const costab_exact *exact,
                      slong precision) {
    if (method->exact)
        set_exact(number, exact, method->exact_root, precision);
    else
        acb_set_d(number, value);
}

/* A (block of x and V) + B V_l c^l: what a stage's slope is without the other stages. */
static void stage_right(const ball_subsystem *s, int degree, int stage, slong precision, acb_mat_t right) {
    int n = s->states, m = s->inputs;
    acb_t factor, power;
    flint_each(acb_init, factor, power);
    acb_one(power);
    set_entry(factor, s->method, s->method->c[stage], &s->method->exact_c[stage], precision);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            acb_set(acb_mat_entry(right, stage * n + r, c), acb_mat_entry(s->A, r, c));
    for (int l = 0; l <= degree; l++) {
        for (int r = 0; r < n; r++)
            for (int c = 0; c < m; c++)
                acb_mul(acb_mat_entry(right, stage * n + r, n + l * m + c), acb_mat_entry(s->B, r, c), power,
                        precision);
        acb_mul(power, power, factor, precision);
    }
    flint_each(acb_clear, factor, power);
}

/* The slopes of all stages of one micro step of length h as forms in (x, V_0..V_degree): stages x states
 * rows. Explicit stages follow one another, which needs no division; implicit ones are one linear system, of
 * wide balls: elimination alone would widen them further than an inverse of their middles applied first. */
static bool stage_slopes(const ball_subsystem *s, int degree, const acb_t h, slong precision,
                         acb_mat_t slopes) {
    const costab_method *method = s->method;
    int n = s->states, stages = method->stages;
    acb_mat_t loop, right, scaled;
    acb_mat_init(loop, stages * n, stages * n);
    acb_mat_init(right, stages * n, acb_mat_ncols(slopes));
    acb_mat_init(scaled, n, n);
    acb_t factor;
    acb_init(factor);
    acb_mat_one(loop);
    for (int i = 0; i < stages; i++) {
        stage_right(s, degree, i, precision, method->implicit ? right : slopes);
        for (int j = 0; j < stages; j++) {
            if (method->A[i][j] == 0) continue;
            set_entry(factor, method, method->A[i][j], &method->exact_A[i][j], precision);
            acb_mul(factor, factor, h, precision);
            acb_mat_scalar_mul_acb(scaled, s->A, factor, precision);
            if (!method->implicit) {
                ball_multiply_rows(scaled, slopes, j * n, i * n, true, precision, slopes);
                continue;
            }
            for (int r = 0; r < n; r++)
                for (int c = 0; c < n; c++) {
                    acb_ptr entry = acb_mat_entry(loop, i * n + r, j * n + c);
                    acb_sub(entry, entry, acb_mat_entry(scaled, r, c), precision);
                }
        }
    }
    bool solved = !method->implicit || acb_mat_solve_precond(slopes, loop, right, precision) != 0;
    flint_each(acb_mat_clear, loop, right, scaled);
    acb_clear(factor);
    return solved;
}

/* The block matrix of one micro step on (x, V_0..V_degree); the V move on by one micro step. */
static bool runge_kutta(const ball_subsystem *s, int degree, const acb_t h, slong precision,
                        acb_mat_t block) {
    int n = s->states, m = s->inputs, stages = s->method->stages;
    acb_mat_t slopes;
    acb_mat_init(slopes, stages * n, n + m * (degree + 1));
    bool solved = stage_slopes(s, degree, h, precision, slopes);
    acb_t factor;
    acb_init(factor);
    for (int i = 0; i < stages && solved; i++) {
        set_entry(factor, s->method, s->method->b[i], &s->method->exact_b[i], precision);
        acb_mul(factor, factor, h, precision);
        acb_mat_t stage;
        acb_mat_window_init(stage, slopes, i * n, 0, (i + 1) * n, n + m * (degree + 1));
        add_scaled(block, stage, factor, precision);
        acb_mat_window_clear(stage);
    }
    acb_clear(factor);
    acb_mat_clear(slopes);
    return solved;
}

/* Exponents of 2 that balance a matrix' rows and columns when row i is divided and column i multiplied by the
 * i-th power: wide balls grow with the norm. */
static bool balance(const acb_mat_t matrix, slong *powers) {
    slong n = acb_mat_nrows(matrix);
    double *sizes = memory_alloc((size_t)(n * n + n) + 1, sizeof *sizes);
    if (sizes == NULL) return false;
    mag_t size;
    mag_init(size);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            acb_get_mag(size, acb_mat_entry(matrix, i, j));
            sizes[i * n + j] = i == j ? 0 : mag_get_d(size);
        }
    mag_clear(size);
    loop_balance((int)n, sizes, sizes + n * n);
    for (slong i = 0; i < n; i++) powers[i] = -ilogb(sizes[n * n + i]);
    memory_free(sizes);
    return true;
}

/* Entry (i, j) times 2^(sign (powers[j] - powers[i])). */
static void rescale(acb_mat_t matrix, const slong *powers, int sign) {
    for (slong i = 0; i < acb_mat_nrows(matrix); i++)
        for (slong j = 0; j < acb_mat_ncols(matrix); j++)
            acb_mul_2exp_si(acb_mat_entry(matrix, i, j), acb_mat_entry(matrix, i, j),
                            sign * (powers[j] - powers[i]));
}

/* The exact solution over a length h: the exponential of the system that the input's derivatives extend. */
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
    slong *powers = memory_alloc((size_t)acb_mat_nrows(block) + 1, sizeof *powers);
    bool balanced = powers != NULL && balance(block, powers);
    if (balanced) {
        rescale(block, powers, 1);
        acb_mat_exp(block, block, precision);
        rescale(block, powers, -1);
    }
    memory_free(powers);
    return balanced;
}

/* The coefficients of the input in the next micro step's time: those of (sigma + 1)^r. */
static void move_on(int first, int inputs, int degree, acb_mat_t block) {
    fmpz_t choose;
    fmpz_init(choose);
    for (int l = 0; l <= degree; l++)
        for (int r = l + 1; r <= degree; r++)
            for (int c = 0; c < inputs; c++) {
                fmpz_bin_uiui(choose, (ulong)r, (ulong)l);
                acb_set_fmpz(acb_mat_entry(block, first + l * inputs + c, first + r * inputs + c), choose);
            }
    fmpz_clear(choose);
}

int ball_carried(const ball_subsystem *s) {
    return s->method->kind == COSTAB_GENERALIZED_ALPHA ? s->pairs : s->method->former * s->states;
}

/* How many micro steps there are in a step of this length; 0: not a whole number of them. */
static long micro_steps(const ball_subsystem *s, const acb_t length) {
    if (s->substeps > 0) return s->substeps;
    double ratio = arf_get_d(arb_midref(acb_realref(length)), ARF_RND_NEAR) / s->step;
    return fabs(ratio - round(ratio)) <= 1e-9 * ratio && ratio < COSTAB_SUBSTEPS_MAX ? lround(ratio) : 0;
}

/* `count` micro steps, their block taken to that power. */
static bool many_steps(const ball_subsystem *s, int degree, const acb_t length, long count, slong precision,
                       acb_mat_t block) {
    acb_t h;
    acb_init(h);
    acb_set_si(h, count);
    acb_div(h, length, h, precision);
    acb_mat_one(block);
    bool made = s->method->kind == COSTAB_RUNGE_KUTTA ? runge_kutta(s, degree, h, precision, block)
                                                      : ball_solver_step(s, degree, h, precision, block);
    move_on(s->states + ball_carried(s), s->inputs, degree, block);
    if (made) acb_mat_pow_ui(block, block, (ulong)count, precision);
    acb_clear(h);
    return made;
}

bool ball_advance(const ball_subsystem *s, int degree, const acb_t length, slong precision,
                  acb_mat_t advance) {
    int n = s->states + ball_carried(s), m = s->inputs, columns = n + m * (degree + 1);
    bool exact = s->method->kind == COSTAB_EXACT, made = true;
    long count = exact ? 1 : micro_steps(s, length);
    acb_mat_t block;
    acb_t factor;
    acb_mat_init(block, columns, columns);
    acb_init(factor);
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
    acb_clear(factor);
    acb_mat_clear(block);
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
