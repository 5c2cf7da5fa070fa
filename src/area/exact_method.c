/* The functions phi, P0 and P1 of m micro steps of a Runge-Kutta method as exact quotients of polynomials; R
 * = 1 + z phi.
 *
 * 1. One micro step: det(I - z(A - w b')) = det(I - zA) (1 + z b' (I - zA)^-1 w). For w = 0, 1 and c these
 *    three determinants yield the denominator and the numerators of phi and P1 (Hairer, Wanner, Solving
 *    Ordinary Differential Equations II, Proposition IV.3.2). Each requires s products of s x s matrices
 *    (Faddeev and LeVerrier: Gantmacher, Theory of Matrices I, section IV.5). If the tableau is not known
 *    exactly, the method's polynomials with double coefficients are taken as exact.
 * 2. The greatest common divisor of all polynomials is divided out.
 * 3. m micro steps: the numerators are two sums of m products, by Horner's rule.
 *
 * Exact. Cost: polynomials of degree s m, s the number of stages. */
#include "area/exact_method.h"

#include <string.h>

#include "base/error.h"

/* ---- Tableaus ---- */

/* The tableau of a Runge-Kutta method in exact numbers.
 *
 * 1. The entries of the source text are parsed (area/number.c): A and b row by row, and c if present.
 * 2. The tableau is consistent if b sums to 1 and c is the row sums of A. A missing c is set to them.
 * 3. If parsing fails or the tableau is inconsistent, the method's doubles are used as exact numbers. */

static void surd_matrix_init(surd_matrix *M, slong rows, slong columns) {
    fmpq_mat_init(M->u, rows, columns);
    fmpq_mat_init(M->v, rows, columns);
}

static void surd_matrix_clear(surd_matrix *M) {
    flint_each(fmpq_mat_clear, M->u, M->v);
}

FLINT_LOCAL(surd_matrix)

/* Parses a matrix row by row. [in, out] at: moved past its last entry. */
static costab_status read_matrix(const char **at, surd_matrix *M, int *radicand) {
    flint_local(exact_number, x);
    for (slong i = 0; i < fmpq_mat_nrows(M->u); i++)
        for (slong j = 0; j < fmpq_mat_ncols(M->u); j++) {
            const size_t size = strcspn(*at, ";");
            TRY(exact_number_read(*at, size, x, radicand, NULL));
            fmpq_set(fmpq_mat_entry(M->u, i, j), x->u);
            fmpq_set(fmpq_mat_entry(M->v, i, j), x->v);
            *at += size + ((*at)[size] != '\0');
        }
    return COSTAB_OK;
}

static void set_doubles(surd_matrix *M, const double *values, slong stride) {
    fmpq_mat_zero(M->v);
    for (slong i = 0; i < fmpq_mat_nrows(M->u); i++)
        for (slong j = 0; j < fmpq_mat_ncols(M->u); j++)
            rational_of(fmpq_mat_entry(M->u, i, j), values[i * stride + j]);
}

/* sums := the row sums of M */
static void add_rows(const surd_matrix *M, surd_matrix *sums) {
    flint_local_matrix(fmpq_mat, fmpq_mat_ncols(M->u), 1, ones);
    for (slong i = 0; i < fmpq_mat_nrows(ones); i++) fmpq_one(fmpq_mat_entry(ones, i, 0));
    fmpq_mat_mul(sums->u, M->u, ones);
    fmpq_mat_mul(sums->v, M->v, ones);
}

/* Parses the source text and checks its consistency. */
static costab_status read_source(exact_tableau *t, const char *at) {
    TRY(read_matrix(&at, &t->A, &t->radicand));
    TRY(read_matrix(&at, &t->b, &t->radicand));
    flint_local_matrix(surd_matrix, 1, 1, one);
    flint_local_matrix(surd_matrix, fmpq_mat_nrows(t->A.u), 1, rows);
    add_rows(&t->b, one);
    add_rows(&t->A, rows);
    if (*at != '\0')
        TRY(read_matrix(&at, &t->c, &t->radicand));
    else {
        fmpq_mat_set(t->c.u, rows->u);
        fmpq_mat_set(t->c.v, rows->v);
    }
    if (!fmpq_is_one(fmpq_mat_entry(one->u, 0, 0)) || !fmpq_mat_is_zero(one->v) ||
        !fmpq_mat_equal(t->c.u, rows->u) || !fmpq_mat_equal(t->c.v, rows->v))
        return COSTAB_INVALID;
    return COSTAB_OK;
}

bool exact_tableau_init(exact_tableau *t, const costab_method *m) {
    t->radicand = 0;
    surd_matrix_init(&t->A, m->stages, m->stages);
    surd_matrix_init(&t->b, 1, m->stages);
    surd_matrix_init(&t->c, m->stages, 1);
    const costab_status status = read_source(t, m->source);
    t->exact = status == COSTAB_OK;
    if (t->exact) return true;
    t->radicand = 0;
    set_doubles(&t->A, m->A[0], COSTAB_STAGES_MAX);
    set_doubles(&t->b, m->b, COSTAB_STAGES_MAX);
    set_doubles(&t->c, m->c, 1);
    return status != COSTAB_MEMORY;
}

void exact_tableau_clear(exact_tableau *t) {
    flint_each(surd_matrix_clear, &t->A, &t->b, &t->c);
}

/* ---- Stability functions ---- */

/* product := M N */
static void matrix_multiply(surd_matrix *product, const surd_matrix *M, const surd_matrix *N, int radicand) {
    fmpq_mat_mul(product->u, M->u, N->u);
    if (radicand == 0) return;
    flint_local_matrix(fmpq_mat, fmpq_mat_nrows(product->u), fmpq_mat_ncols(product->u), other);
    flint_local(fmpz, factor);
    fmpz_set_si(factor, radicand);
    fmpq_mat_mul(product->v, M->u, N->v);
    fmpq_mat_mul(other, M->v, N->v);
    fmpq_mat_scalar_mul_fmpz(other, other, factor);
    fmpq_mat_add(product->u, product->u, other);
    fmpq_mat_mul(other, M->v, N->u);
    fmpq_mat_add(product->v, product->v, other);
}

/* M += (coefficient k of f) I */
static void add_diagonal(surd_matrix *M, fmpq_poly_t f[2], slong k) {
    flint_local(fmpq, c);
    for (int part = 0; part < 2; part++) {
        fmpq_mat_struct *to = part == 0 ? M->u : M->v;
        fmpq_poly_get_coeff_fmpq(c, f[part], k);
        for (slong i = 0; i < fmpq_mat_nrows(to); i++)
            fmpq_add(fmpq_mat_entry(to, i, i), fmpq_mat_entry(to, i, i), c);
    }
}

/* f := det(I - zM) by Faddeev and LeVerrier. N = I; then for each k the coefficient is -trace(M N)/k, and N
 * becomes M N + (this coefficient) I. */
static void determinant(fmpq_poly_t f[2], const surd_matrix *M, int radicand) {
    slong n = fmpq_mat_nrows(M->u);
    flint_local(fmpz, divisor);
    flint_local_matrix(surd_matrix, n, n, N, next);
    flint_local(fmpq, c);
    fmpq_poly_one(f[0]);
    fmpq_poly_zero(f[1]);
    add_diagonal(N, f, 0);
    for (slong k = 1; k <= n; k++) {
        fmpz_set_si(divisor, -k);
        matrix_multiply(next, M, N, radicand);
        for (int part = 0; part < 2; part++) {
            fmpq_mat_trace(c, part == 0 ? next->u : next->v);
            fmpq_div_fmpz(c, c, divisor);
            fmpq_poly_set_coeff_fmpq(f[part], k, c);
        }
        add_diagonal(next, f, k);
        fmpq_mat_swap(N->u, next->u);
        fmpq_mat_swap(N->v, next->v);
    }
}

/* f := det(I - z(A - w b')) = det(I - zA) (1 + z b' (I - zA)^-1 w). */
static void stage_determinant(const exact_tableau *t, const surd_matrix *w, fmpq_poly_t f[2]) {
    slong n = fmpq_mat_nrows(w->u);
    flint_local_matrix(surd_matrix, n, n, A);
    matrix_multiply(A, w, &t->b, t->radicand);
    fmpq_mat_sub(A->u, t->A.u, A->u);
    fmpq_mat_sub(A->v, t->A.v, A->v);
    determinant(f, A, t->radicand);
}

/* Multiplies n polynomials, each in two parts, by their least common denominator. */
static void make_integers(fmpq_poly_t f[][2], int n, surd_poly *const *to) {
    flint_local(fmpz, common);
    fmpz_set_ui(common, 1);
    for (int k = 0; k < 2 * n; k++) fmpz_lcm(common, common, fmpq_poly_denref(f[k / 2][k % 2]));
    for (int k = 0; k < 2 * n; k++) {
        fmpq_poly_scalar_mul_fmpz(f[k / 2][k % 2], f[k / 2][k % 2], common);
        fmpq_poly_get_numerator(k % 2 == 0 ? to[k / 2]->u : to[k / 2]->v, f[k / 2][k % 2]);
    }
}

/* One micro step from the exact tableau: den = det(I - zA), and the numerators of phi and P1 from the
 * determinants with w = 1 and w = c. */
static void derive(const exact_tableau *t, method_exact *e) {
    slong n = fmpq_mat_nrows(t->c.u);
    flint_local_matrix(surd_matrix, n, 1, none, ones);
    for (slong i = 0; i < n; i++) fmpq_one(fmpq_mat_entry(ones->u, i, 0));
    const surd_matrix *const w[3] = {none, ones, &t->c};
    fmpq_poly_t f[3][2];
    surd_poly *const to[3] = {&e->den, &e->phi, &e->p1};
    for (int k = 0; k < 6; k++) fmpq_poly_init(f[k / 2][k % 2]);
    for (int k = 0; k < 3; k++) stage_determinant(t, w[k], f[k]);
    for (int k = 2; k < 6; k++) {
        fmpq_poly_sub(f[k / 2][k % 2], f[k / 2][k % 2], f[0][k % 2]);
        fmpq_poly_shift_right(f[k / 2][k % 2], f[k / 2][k % 2], 1);
    }
    make_integers(f, 3, to);
    surd_sub(&e->p0, &e->phi, &e->p1);
    for (int k = 0; k < 6; k++) fmpq_poly_clear(f[k / 2][k % 2]);
}

/* One micro step from the coefficients as doubles. */
static void from_doubles(const costab_method *m, method_exact *e) {
    const double *const from[3] = {m->p0, m->p1, m->denominator};
    surd_poly *const to[3] = {&e->p0, &e->p1, &e->den};
    fmpq_poly_t f[3][2];
    flint_local(fmpq, value);
    for (int k = 0; k < 6; k++) fmpq_poly_init(f[k / 2][k % 2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < m->stages + (i == 2); k++) {
            rational_of(value, from[i][k]);
            fmpq_poly_set_coeff_fmpq(f[i][0], k, value);
        }
    make_integers(f, 3, to);
    surd_add(&e->phi, &e->p0, &e->p1);
    for (int k = 0; k < 6; k++) fmpq_poly_clear(f[k / 2][k % 2]);
}

/* Divides out the common divisor of P0, P1 and the denominator. */
static void reduce(method_exact *e) {
    flint_local(surd, gcd);
    surd_gcd(gcd, &e->p0, &e->p1, e->radicand);
    surd_gcd(gcd, gcd, &e->den, e->radicand);
    surd_poly *const all[4] = {&e->phi, &e->p0, &e->p1, &e->den};
    if (surd_degree(gcd) > 0) surd_divide_all(all, 4, gcd, e->radicand);
    surd_remove_content(all, 4);
}

/* m micro steps, over den^m and m^2:
 *     P0_m = sum R^(m-1-j) den^j [(m - j) P0 + (m - j - 1) P1],
 *     P1_m = sum R^(m-1-j) den^j [j P0 + (j + 1) P1],
 * with polynomials of z/m. R and the sums by Horner's rule, then coefficient k is multiplied by m^(degree -
 * k). */
static void repeat(method_exact *e, int m) {
    flint_local(surd, R, power, first, second);
    fmpz_poly_shift_left(R->u, e->phi.u, 1);
    fmpz_poly_shift_left(R->v, e->phi.v, 1);
    surd_add(R, R, &e->den);
    surd_set_si(power, 1);
    for (int j = 0; j < m; j++) {
        surd_poly *const sums[2] = {first, second};
        const slong weight[2][2] = {{m - j, m - j - 1}, {j, j + 1}};
        for (int k = 0; k < 2; k++) {
            surd_mul(sums[k], sums[k], R, e->radicand);
            surd_add_product(sums[k], power, &e->p0, weight[k][0], e->radicand);
            surd_add_product(sums[k], power, &e->p1, weight[k][1], e->radicand);
        }
        surd_mul(power, power, &e->den, e->radicand);
    }
    surd_swap(&e->p0, first);
    surd_swap(&e->p1, second);
    surd_swap(&e->den, power);
    flint_local(fmpz, factor);
    fmpz_set_si(factor, m);
    fmpz_mul(factor, factor, factor);
    surd_scale(&e->den, factor);
    surd_add(&e->phi, &e->p0, &e->p1);
    slong degree = surd_degree(&e->den);
    surd_poly *const all[4] = {&e->phi, &e->p0, &e->p1, &e->den};
    for (int k = 0; k < 4; k++)
        if (surd_degree(all[k]) > degree) degree = surd_degree(all[k]);
    fmpz_set_si(factor, m);
    for (int k = 0; k < 4; k++) {
        surd_reverse(all[k], degree);
        surd_scale_variable(all[k], factor);
        surd_reverse(all[k], degree);
    }
    surd_remove_content(all, 4);
}

bool method_exact_make(const costab_method *method, int substeps, method_exact *exact) {
    ends_by(exact_tableau_clear) exact_tableau tableau;
    const bool fine = exact_tableau_init(&tableau, method);
    flint_each(surd_init, &exact->phi, &exact->p0, &exact->p1, &exact->den);
    exact->radicand = tableau.radicand;
    if (tableau.exact)
        derive(&tableau, exact);
    else
        from_doubles(method, exact);
    /* A tableau with roots may have rational polynomials. */
    if (fmpz_poly_is_zero(exact->p0.v) && fmpz_poly_is_zero(exact->p1.v) && fmpz_poly_is_zero(exact->den.v))
        exact->radicand = 0;
    reduce(exact);
    if (substeps > 1) repeat(exact, substeps);
    if (substeps > 1 && method->implicit) reduce(exact);
    return fine;
}

void method_exact_clear(method_exact *exact) {
    flint_each(surd_clear, &exact->phi, &exact->p0, &exact->p1, &exact->den);
}
