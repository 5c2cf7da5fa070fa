/* Micro steps of solvers with structure or memory, in balls. Forms are rows of coefficients: of states, of
 * what is carried, of the input's coefficients.
 *
 * 1. Nystrom: all stages' accelerations as one linear system; positions and velocities move on by them.
 * 2. Generalized alpha: one linear system for the new acceleration, which is carried.
 * 3. Backward differentiation: one linear system for the new state; earlier ones move back.
 *
 * Cost: (stages x pairs)^3. Not guaranteed: that the systems can be solved on wide balls. */
#include "proof/ball_advance.h"

/* Positions and velocities of a subsystem: v' = Aq q + Av v + B u. */
typedef struct motion {
    const ball_subsystem *subsystem;
    const costab_method *method;
    int pairs, columns, degree;
    slong precision;
    acb_mat_t Aq, Av, B;
    acb_mat_t q, v, a, u; /* forms: at the begin; u: all of the input's coefficients */
} motion;

/* to += factor * matrix * form */
static void add_product(const motion *m, const acb_mat_t matrix, const acb_mat_t form, const acb_t factor,
                        acb_mat_t to) {
    acb_mat_t product;
    acb_mat_init(product, acb_mat_nrows(matrix), acb_mat_ncols(form));
    acb_mat_mul(product, matrix, form, m->precision);
    acb_mat_scalar_addmul_acb(to, product, factor, m->precision);
    acb_mat_clear(product);
}

/* to += factor * B * the input at that time of the micro step. */
static void add_input(const motion *m, const acb_t time, acb_mat_t to) {
    acb_t power;
    acb_mat_t coefficient;
    acb_init(power);
    acb_one(power);
    int inputs = m->subsystem->inputs;
    for (int l = 0; l <= m->degree; l++) {
        acb_mat_window_init(coefficient, m->u, l * inputs, 0, (l + 1) * inputs, m->columns);
        add_product(m, m->B, coefficient, power, to);
        acb_mat_window_clear(coefficient);
        acb_mul(power, power, time, m->precision);
    }
    acb_clear(power);
}

static void motion_start(motion *m, const ball_subsystem *s, int degree, slong precision) {
    int p = s->pairs, n = s->states, carried = ball_carried(s);
    *m = (motion){.subsystem = s,
                  .method = s->method,
                  .pairs = p,
                  .columns = n + carried + s->inputs * (degree + 1),
                  .degree = degree,
                  .precision = precision};
    acb_mat_init(m->Aq, p, p);
    acb_mat_init(m->Av, p, p);
    acb_mat_init(m->B, p, s->inputs);
    acb_mat_init(m->q, p, m->columns);
    acb_mat_init(m->v, p, m->columns);
    acb_mat_init(m->a, p, m->columns);
    acb_mat_init(m->u, s->inputs * (degree + 1), m->columns);
    for (int i = 0; i < p; i++) {
        int row = s->velocities[i];
        for (int j = 0; j < p; j++) {
            acb_set(acb_mat_entry(m->Aq, i, j), acb_mat_entry(s->A, row, s->positions[j]));
            acb_set(acb_mat_entry(m->Av, i, j), acb_mat_entry(s->A, row, s->velocities[j]));
        }
        for (int j = 0; j < s->inputs; j++) acb_set(acb_mat_entry(m->B, i, j), acb_mat_entry(s->B, row, j));
        acb_one(acb_mat_entry(m->q, i, s->positions[i]));
        acb_one(acb_mat_entry(m->v, i, s->velocities[i]));
        if (carried > 0) acb_one(acb_mat_entry(m->a, i, n + i));
    }
    for (int i = 0; i < s->inputs * (degree + 1); i++) acb_one(acb_mat_entry(m->u, i, n + carried + i));
}

static void motion_end(motion *m) {
    flint_each(acb_mat_clear, m->Aq, m->Av, m->B, m->q, m->v, m->a, m->u);
}

/* Rows of the block at these places. */
static void put(const acb_mat_t form, const int *places, acb_mat_t block) {
    for (slong i = 0; i < acb_mat_nrows(form); i++)
        for (slong j = 0; j < acb_mat_ncols(form); j++)
            acb_set(acb_mat_entry(block, places[i], j), acb_mat_entry(form, i, j));
}

/* block(i, j) -= factor * matrix */
static void subtract_block(const motion *m, const acb_mat_t matrix, const acb_t factor, int i, int j,
                           acb_mat_t loop) {
    for (int r = 0; r < m->pairs; r++)
        for (int c = 0; c < m->pairs; c++)
            acb_submul(acb_mat_entry(loop, i * m->pairs + r, j * m->pairs + c), acb_mat_entry(matrix, r, c),
                       factor, m->precision);
}

/* K_i = a(q + c_i h v + h^2 sum A_bar K, v + h sum A K, u(c_i)): pairs x stages rows. */
static bool nystrom_stages(const motion *m, const acb_t h, acb_mat_t stages) {
    const costab_method *method = m->method;
    int p = m->pairs, count = method->stages;
    acb_mat_t loop, right;
    acb_t factor, one;
    acb_mat_init(loop, count * p, count * p);
    flint_each(acb_init, factor, one);
    acb_one(one);
    acb_mat_one(loop);
    for (int i = 0; i < count; i++) {
        acb_mat_window_init(right, stages, i * p, 0, (i + 1) * p, m->columns);
        acb_set_d(factor, method->c[i]);
        add_input(m, factor, right);
        acb_mul(factor, factor, h, m->precision);
        add_product(m, m->Aq, m->q, one, right);
        add_product(m, m->Aq, m->v, factor, right);
        add_product(m, m->Av, m->v, one, right);
        acb_mat_window_clear(right);
        for (int j = 0; j < count; j++) {
            acb_set_d(factor, method->A[i][j]);
            acb_mul(factor, factor, h, m->precision);
            subtract_block(m, m->Av, factor, i, j, loop);
            acb_set_d(factor, method->A_bar[i][j]);
            acb_mul(factor, factor, h, m->precision);
            acb_mul(factor, factor, h, m->precision);
            subtract_block(m, m->Aq, factor, i, j, loop);
        }
    }
    bool solved = acb_mat_solve(stages, loop, stages, m->precision) != 0;
    acb_mat_clear(loop);
    flint_each(acb_clear, factor, one);
    return solved;
}

static bool nystrom(motion *m, const acb_t h, acb_mat_t block) {
    int p = m->pairs;
    acb_mat_t stages, stage;
    acb_t factor;
    acb_init(factor);
    acb_mat_init(stages, m->method->stages * p, m->columns);
    bool solved = nystrom_stages(m, h, stages);
    acb_mat_scalar_addmul_acb(m->q, m->v, h, m->precision);
    for (int i = 0; i < m->method->stages; i++) {
        acb_mat_window_init(stage, stages, i * p, 0, (i + 1) * p, m->columns);
        acb_set_d(factor, m->method->b[i]);
        acb_mul(factor, factor, h, m->precision);
        acb_mat_scalar_addmul_acb(m->v, stage, factor, m->precision);
        acb_set_d(factor, m->method->b_bar[i]);
        acb_mul(factor, factor, h, m->precision);
        acb_mul(factor, factor, h, m->precision);
        acb_mat_scalar_addmul_acb(m->q, stage, factor, m->precision);
        acb_mat_window_clear(stage);
    }
    put(m->q, m->subsystem->positions, block);
    put(m->v, m->subsystem->velocities, block);
    acb_mat_clear(stages);
    acb_clear(factor);
    return solved;
}

/* Moves positions and velocities on by the shares h^2 (1/2 - beta) or h^2 beta, h (1 - gamma) or h gamma of
 * an acceleration. */
static void accelerate(const motion *m, const acb_t h, bool newer, const acb_mat_t a, acb_mat_t q,
                       acb_mat_t v) {
    acb_t share;
    acb_init(share);
    acb_set_d(share, newer ? m->method->beta : 0.5);
    arb_t less;
    arb_init(less);
    arb_set_d(less, m->method->beta);
    if (!newer) arb_sub(acb_realref(share), acb_realref(share), less, m->precision);
    acb_mul(share, share, h, m->precision);
    acb_mul(share, share, h, m->precision);
    acb_mat_scalar_addmul_acb(q, a, share, m->precision);
    acb_set_d(share, newer ? m->method->gamma : 1);
    arb_set_d(less, m->method->gamma);
    if (!newer) arb_sub(acb_realref(share), acb_realref(share), less, m->precision);
    acb_mul(share, share, h, m->precision);
    acb_mat_scalar_addmul_acb(v, a, share, m->precision);
    arb_clear(less);
    acb_clear(share);
}

/* (1 - alpha_m) a1 + alpha_m a0 = a((1 - alpha_f) q1 + alpha_f q, (1 - alpha_f) v1 + alpha_f v, u), where q1
 * and v1 are q + .. and v + .. of a0 so far. */
static bool alpha_stage(const motion *m, const acb_t h, const acb_mat_t q1, const acb_mat_t v1,
                        acb_mat_t a1) {
    int p = m->pairs;
    acb_mat_t loop, unit, q, v;
    acb_t now, former, rest;
    flint_each(acb_init, now, former, rest);
    acb_mat_init(loop, p, p);
    acb_mat_init(unit, p, p);
    acb_mat_init(q, p, p);
    acb_mat_init(v, p, p);
    acb_set_d(former, m->method->alpha_f);
    acb_one(now);
    acb_sub(now, now, former, m->precision);
    acb_mat_zero(a1);
    add_product(m, m->Aq, q1, now, a1);
    add_product(m, m->Aq, m->q, former, a1);
    add_product(m, m->Av, v1, now, a1);
    add_product(m, m->Av, m->v, former, a1);
    add_input(m, now, a1);
    acb_set_d(rest, m->method->alpha_m);
    acb_neg(rest, rest);
    acb_mat_scalar_addmul_acb(a1, m->a, rest, m->precision);
    acb_mat_one(unit);
    accelerate(m, h, true, unit, q, v); /* what a1 adds to q1 and v1 */
    acb_add_si(rest, rest, 1, m->precision);
    acb_mat_scalar_mul_acb(loop, unit, rest, m->precision);
    acb_neg(now, now);
    add_product(m, m->Aq, q, now, loop);
    add_product(m, m->Av, v, now, loop);
    bool solved = acb_mat_solve(a1, loop, a1, m->precision) != 0;
    flint_each(acb_mat_clear, loop, unit, q, v);
    flint_each(acb_clear, now, former, rest);
    return solved;
}

static bool generalized_alpha(motion *m, const acb_t h, acb_mat_t block) {
    acb_mat_t q1, v1, a1;
    acb_mat_init(q1, m->pairs, m->columns);
    acb_mat_init(v1, m->pairs, m->columns);
    acb_mat_init(a1, m->pairs, m->columns);
    acb_mat_set(q1, m->q);
    acb_mat_set(v1, m->v);
    acb_mat_scalar_addmul_acb(q1, m->v, h, m->precision);
    accelerate(m, h, false, m->a, q1, v1);
    bool solved = alpha_stage(m, h, q1, v1, a1);
    accelerate(m, h, true, a1, q1, v1);
    put(q1, m->subsystem->positions, block);
    put(v1, m->subsystem->velocities, block);
    for (int i = 0; i < m->pairs; i++)
        for (int k = 0; k < m->columns; k++)
            acb_set(acb_mat_entry(block, m->subsystem->states + i, k), acb_mat_entry(a1, i, k));
    flint_each(acb_mat_clear, q1, v1, a1);
    return solved;
}

/* divisor x+ = weights (x, x_1, ..) + slope h (A x+ + B u1), and each earlier state becomes the next one. */
static bool backward(const ball_subsystem *s, int degree, const acb_t h, slong precision, acb_mat_t block) {
    const costab_method *m = s->method;
    int n = s->states, kept = (m->former + 1) * n, columns = kept + s->inputs * (degree + 1);
    acb_mat_t loop, right;
    acb_t share;
    acb_mat_init(loop, n, n);
    acb_mat_init(right, n, columns);
    acb_init(share);
    acb_mul_si(share, h, m->slope, precision);
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++)
            acb_submul(acb_mat_entry(loop, r, c), acb_mat_entry(s->A, r, c), share, precision);
        acb_add_ui(acb_mat_entry(loop, r, r), acb_mat_entry(loop, r, r), (ulong)m->divisor, precision);
        for (int k = 0; k <= m->former; k++) acb_set_si(acb_mat_entry(right, r, k * n + r), m->weights[k]);
        for (int k = kept; k < columns; k++)
            acb_mul(acb_mat_entry(right, r, k), acb_mat_entry(s->B, r, (k - kept) % s->inputs), share,
                    precision);
    }
    bool solved = acb_mat_solve(right, loop, right, precision) != 0;
    for (int r = 0; r < kept; r++)
        for (int k = 0; k < columns; k++)
            if (r < n)
                acb_set(acb_mat_entry(block, r, k), acb_mat_entry(right, r, k));
            else
                acb_set_si(acb_mat_entry(block, r, k), k == r - n);
    flint_each(acb_mat_clear, loop, right);
    acb_clear(share);
    return solved;
}

bool ball_solver_step(const ball_subsystem *s, int degree, const acb_t h, slong precision, acb_mat_t block) {
    if (s->method->kind == COSTAB_BDF) return backward(s, degree, h, precision, block);
    motion m;
    motion_start(&m, s, degree, precision);
    bool made = s->method->kind == COSTAB_NYSTROM ? nystrom(&m, h, block) : generalized_alpha(&m, h, block);
    motion_end(&m);
    return made;
}
