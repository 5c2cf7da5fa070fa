/* One micro step of a solver in balls, as a block of linear forms: rows of coefficients of the states, of
 * carried values, and of the input polynomial's coefficients.
 *
 * 1. Slopes K_i of all stages are solved for as one linear system. First order: K_i = A (x + h sum a_ij K_j)
 *    + B u(c_i). Second order (positions q' = v): K_i are the slopes of velocities alone, and positions in
 *    stage i are q + c_i h v + h^2 sum abar_ij K_j.
 * 2. Runge-Kutta and Nystrom: the tableau's stages, one after the other where it is explicit. Generalized
 *    alpha: one stage, for the new acceleration, which is carried. Backward differentiation: one stage, for
 *    the new state's slope; earlier states are carried.
 * 3. The state moves by the slopes.
 *
 * Cost: (stages x slopes)^3. Not guaranteed: that the system can be solved on wide balls. */
#include "proof/ball_advance.h"

typedef struct stages {
    const ball_subsystem *of;
    const costab_method *method;
    bool second;              /* second order: slopes are those of velocities */
    int rows, columns, first; /* slopes of a stage; columns of the forms; the first of the input's */
    int degree;
    slong precision;
    acb_mat_t A, along,
        across; /* rows of A of the slopes: all columns; those of states with slopes; of positions */
    acb_mat_t loop, slopes; /* the matrix of the linear system; its right sides, then its solution */
    acb_t h;
} stages;

/* The state whose slope is in a row. */
static int state_of(const stages *m, int row) {
    return m->second ? m->of->velocities[row] : row;
}

static void stages_begin(stages *m, const ball_subsystem *s, int degree, const acb_t h, slong precision) {
    costab_method_kind kind = s->method->kind;
    bool second = costab_method_paired(s->method);
    int n = s->states, rows = second ? s->pairs : n, first = n + ball_carried(s),
        all = rows * (kind == COSTAB_NYSTROM || kind == COSTAB_RUNGE_KUTTA ? s->method->stages : 1);
    *m = (stages){.of = s, .method = s->method, .second = second, .rows = rows, .first = first};
    m->columns = first + s->inputs * (degree + 1);
    m->degree = degree;
    m->precision = precision;
    acb_mat_init(m->A, rows, n);
    acb_mat_init(m->along, rows, rows);
    acb_mat_init(m->across, rows, rows);
    acb_mat_init(m->loop, all, all);
    acb_mat_init(m->slopes, all, m->columns);
    acb_init(m->h);
    acb_set(m->h, h);
    acb_mat_one(m->loop);
    for (int r = 0; r < rows; r++) {
        int from = state_of(m, r);
        for (int c = 0; c < n; c++) acb_set(acb_mat_entry(m->A, r, c), acb_mat_entry(s->A, from, c));
        for (int c = 0; c < rows; c++) {
            acb_set(acb_mat_entry(m->along, r, c), acb_mat_entry(s->A, from, state_of(m, c)));
            if (second) acb_set(acb_mat_entry(m->across, r, c), acb_mat_entry(s->A, from, s->positions[c]));
        }
    }
}

static void stages_end(stages *m) {
    flint_each(acb_mat_clear, m->A, m->along, m->across, m->loop, m->slopes);
    acb_clear(m->h);
}

/* The right side of stage i at the time c h: A x (second order: with positions q + c h v) + B u(c). */
static void begin_stage(stages *m, int i, const acb_t c) {
    const ball_subsystem *s = m->of;
    flint_local(acb, factor);
    for (int r = 0; r < m->rows; r++) {
        acb_ptr row = acb_mat_entry(m->slopes, i * m->rows + r, 0);
        for (int k = 0; k < s->states; k++) acb_set(row + k, acb_mat_entry(m->A, r, k));
        acb_mul(factor, c, m->h, m->precision);
        for (int k = 0; k < m->rows && m->second; k++)
            acb_addmul(row + s->velocities[k], acb_mat_entry(m->across, r, k), factor, m->precision);
        acb_one(factor);
        for (int l = 0; l <= m->degree; l++, acb_mul(factor, factor, c, m->precision))
            for (int k = 0; k < s->inputs; k++)
                acb_mul(row + m->first + l * s->inputs + k, acb_mat_entry(s->B, state_of(m, r), k), factor,
                        m->precision);
    }
}

/* to, from row and column on, += A times what slopes do to the state that move it by first h, positions by
 * second h^2. */
static void couple(const stages *m, const acb_t first, const acb_t second, acb_mat_t to, int row,
                   int column) {
    flint_local(acb, factor);
    for (int r = 0; r < m->rows; r++)
        for (int c = 0; c < m->rows; c++) {
            acb_ptr entry = acb_mat_entry(to, row + r, column + c);
            acb_mul(factor, first, m->h, m->precision);
            acb_addmul(entry, acb_mat_entry(m->along, r, c), factor, m->precision);
            if (!m->second) continue;
            acb_mul(factor, second, m->h, m->precision);
            acb_mul(factor, factor, m->h, m->precision);
            acb_addmul(entry, acb_mat_entry(m->across, r, c), factor, m->precision);
        }
}

/* Moves the states by first h, and positions by second h^2, times the slopes that begin at a row. */
static void move(const stages *m, const acb_t first, const acb_t second, const acb_mat_t slopes, int row,
                 acb_mat_t block) {
    flint_local(acb, step, square);
    acb_mul(step, first, m->h, m->precision);
    acb_mul(square, second, m->h, m->precision);
    acb_mul(square, square, m->h, m->precision);
    for (int r = 0; r < m->rows; r++)
        for (int k = 0; k < m->columns; k++) {
            acb_srcptr slope = acb_mat_entry(slopes, row + r, k);
            acb_addmul(acb_mat_entry(block, state_of(m, r), k), slope, step, m->precision);
            if (m->second)
                acb_addmul(acb_mat_entry(block, m->of->positions[r], k), slope, square, m->precision);
        }
}

/* Positions move by h v. */
static void drift(const stages *m, acb_mat_t block) {
    for (int r = 0; r < m->rows && m->second; r++)
        acb_set(acb_mat_entry(block, m->of->positions[r], m->of->velocities[r]), m->h);
}

/* Solves for the slopes. Not by elimination alone: the balls stay narrower where the approximate inverse is
 * applied first. */
static bool solve(stages *m, bool forward) {
    if (!forward) return acb_mat_solve_precond(m->slopes, m->loop, m->slopes, m->precision) != 0;
    acb_mat_solve_tril(m->slopes, m->loop, m->slopes, 1, m->precision);
    return true;
}

/* Runge-Kutta and Nystrom. */
static bool tableau(stages *m, acb_mat_t block) {
    const costab_method *t = m->method;
    const exact_tableau *entries = &m->of->tableau;
    flint_local(acb, first, second);
    for (int i = 0; i < t->stages; i++) {
        exact_tableau_entry(entries, &entries->c, i, 0, m->precision, first);
        begin_stage(m, i, first);
        for (int j = 0; j < t->stages; j++) {
            exact_tableau_entry(entries, &entries->A, i, j, m->precision, first);
            acb_neg(first, first);
            acb_set_d(second, m->second ? -t->A_bar[i][j] : 0);
            couple(m, first, second, m->loop, i * m->rows, j * m->rows);
        }
    }
    bool solved = solve(m, !t->implicit);
    drift(m, block);
    for (int i = 0; i < t->stages && solved; i++) {
        exact_tableau_entry(entries, &entries->b, 0, i, m->precision, first);
        acb_set_d(second, m->second ? t->b_bar[i] : 0);
        move(m, first, second, m->slopes, i * m->rows, block);
    }
    return solved;
}

/* (1 - alpha_m) a1 + alpha_m a0 = a((1 - alpha_f) q1 + alpha_f q, (1 - alpha_f) v1 + alpha_f v, u), where q1
 * and v1 are moved by h^2 (1/2 - beta) a0 + h^2 beta a1 and h (1 - gamma) a0 + h gamma a1. */
static bool generalized_alpha(stages *m, acb_mat_t block) {
    int n = m->of->states;
    acb_t rest, gamma[2], beta[2], first, second;
    flint_each(acb_init, rest, gamma[0], gamma[1], beta[0], beta[1], first, second);
    acb_set_d(gamma[1], m->method->gamma);
    acb_set_d(beta[1], m->method->beta);
    acb_one(gamma[0]);
    acb_set_d(beta[0], 0.5);
    acb_sub(gamma[0], gamma[0], gamma[1], m->precision);
    acb_sub(beta[0], beta[0], beta[1], m->precision);
    acb_set_d(rest, -m->method->alpha_f);
    acb_add_si(rest, rest, 1, m->precision);
    begin_stage(m, 0, rest);
    acb_mul(first, rest, gamma[0], m->precision);
    acb_mul(second, rest, beta[0], m->precision);
    couple(m, first, second, m->slopes, 0, n);
    acb_neg(rest, rest);
    acb_mul(first, rest, gamma[1], m->precision);
    acb_mul(second, rest, beta[1], m->precision);
    couple(m, first, second, m->loop, 0, 0);
    acb_set_d(rest, -m->method->alpha_m);
    for (int r = 0; r < m->rows; r++) {
        acb_add(acb_mat_entry(m->slopes, r, n + r), acb_mat_entry(m->slopes, r, n + r), rest, m->precision);
        acb_add(acb_mat_entry(m->loop, r, r), acb_mat_entry(m->loop, r, r), rest, m->precision);
    }
    bool solved = solve(m, false);
    drift(m, block);
    move(m, gamma[0], beta[0], block, n, block); /* whose rows of a0 are the unit matrix still */
    move(m, gamma[1], beta[1], m->slopes, 0, block);
    for (int r = 0; r < m->rows; r++)
        for (int k = 0; k < m->columns; k++)
            acb_set(acb_mat_entry(block, n + r, k), acb_mat_entry(m->slopes, r, k));
    flint_each(acb_clear, rest, gamma[0], gamma[1], beta[0], beta[1], first, second);
    return solved;
}

/* x+ = w + h slope/divisor (A x+ + B u1), w = weights/divisor (x, x_1, ..), and each earlier state becomes
 * the next one. */
static bool backward(stages *m, acb_mat_t block) {
    const costab_method *t = m->method;
    int n = m->rows;
    flint_local(acb, share);
    acb_one(share);
    begin_stage(m, 0, share);
    for (int r = 0; r < m->first; r++) acb_zero(acb_mat_entry(block, r, r));
    for (int k = 0; k <= t->former; k++) {
        acb_set_si(share, t->weights[k]);
        acb_div_si(share, share, t->divisor, m->precision);
        for (int r = 0; r < n; r++) {
            acb_set(acb_mat_entry(block, r, k * n + r), share);
            for (int c = 0; c < n; c++)
                acb_mul(acb_mat_entry(m->slopes, r, k * n + c), acb_mat_entry(m->A, r, c), share,
                        m->precision);
        }
    }
    acb_set_si(share, -t->slope);
    acb_div_si(share, share, t->divisor, m->precision);
    couple(m, share, share, m->loop, 0, 0);
    bool solved = solve(m, false);
    acb_neg(share, share);
    move(m, share, share, m->slopes, 0, block);
    for (int r = n; r < m->first; r++) acb_one(acb_mat_entry(block, r, r - n));
    return solved;
}

/* Whatever is not listed is refused, so that a kind that is new elsewhere is. ball_advance.c makes exact
 * steps. */
bool ball_solver_knows(const costab_method *method) {
    return method->kind == COSTAB_RUNGE_KUTTA || method->kind == COSTAB_EXACT ||
           method->kind == COSTAB_NYSTROM || method->kind == COSTAB_GENERALIZED_ALPHA ||
           method->kind == COSTAB_BDF;
}

bool ball_solver_step(const ball_subsystem *s, int degree, const acb_t h, slong precision, acb_mat_t block) {
    stages m;
    stages_begin(&m, s, degree, h, precision);
    bool made = s->method->kind == COSTAB_BDF                 ? backward(&m, block)
                : s->method->kind == COSTAB_GENERALIZED_ALPHA ? generalized_alpha(&m, block)
                                                              : tableau(&m, block);
    stages_end(&m);
    return made;
}
