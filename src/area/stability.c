/* The functions phi, P0 and P1 of m micro steps of a Runge-Kutta method as exact quotients of polynomials; R
 * = 1 + z phi.
 *
 *  1. One micro step. det(I - z(A - w b')) = det(I - zA) (1 + z b' (I - zA)^-1 w). With w = 0, 1 and c these
 *     three determinants give the denominator and the numerators of phi and P1 (Hairer, Wanner, Solving
 *     Ordinary Differential Equations II, Proposition IV.3.2). Each takes s products of s x s matrices
 *     (Faddeev and LeVerrier: Gantmacher, Theory of Matrices I, section IV.5). For a method whose tableau is
 *     not known exactly its coefficients in doubles count.
 *  2. The greatest common divisor of all polynomials is divided out.
 *  3. m micro steps: the numerators are two sums of m products, by Horner's rule.
 *
 * Exact. Cost: polynomials of degree s m, s the number of stages. */
#include "area/stability.h"

#include "area/tableau.h"

/* product := M N */
static void matrix_multiply(surd_matrix *product, const surd_matrix *M, const surd_matrix *N, int root) {
    fmpq_mat_mul(product->u, M->u, N->u);
    if (root == 0) return;
    flint_local_matrix(fmpq_mat, fmpq_mat_nrows(product->u), fmpq_mat_ncols(product->u), other);
    flint_local(fmpz, factor);
    fmpz_set_si(factor, root);
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

/* f := det(I - zM), by Faddeev and LeVerrier: N = I, and then for each k the coefficient is -trace(M N)/k,
 * and N becomes M N + (this coefficient) I. */
static void determinant(fmpq_poly_t f[2], const surd_matrix *M, int root) {
    slong n = fmpq_mat_nrows(M->u);
    flint_local(fmpz, divisor);
    flint_local_matrix(surd_matrix, n, n, N, next);
    flint_local(fmpq, c);
    fmpq_poly_one(f[0]);
    fmpq_poly_zero(f[1]);
    add_diagonal(N, f, 0);
    for (slong k = 1; k <= n; k++) {
        fmpz_set_si(divisor, -k);
        matrix_multiply(next, M, N, root);
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

/* f := det(I - z(A - w b')), which is det(I - zA) (1 + z b' (I - zA)^-1 w). */
static void stage_determinant(const exact_tableau *t, const surd_matrix *w, fmpq_poly_t f[2]) {
    slong n = fmpq_mat_nrows(w->u);
    flint_local_matrix(surd_matrix, n, n, A);
    matrix_multiply(A, w, &t->b, t->root);
    fmpq_mat_sub(A->u, t->A.u, A->u);
    fmpq_mat_sub(A->v, t->A.v, A->v);
    determinant(f, A, t->root);
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

/* One micro step, from the exact tableau: den = det(I - zA), and the numerators of phi and P1 by the
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

/* One micro step, from the coefficients as doubles. */
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

/* Divides out the common divisor of P0, P1 and the denominator (step 2). */
static void reduce(method_exact *e) {
    flint_local(surd, gcd);
    surd_gcd(gcd, &e->p0, &e->p1, e->root);
    surd_gcd(gcd, gcd, &e->den, e->root);
    surd_poly *const all[4] = {&e->phi, &e->p0, &e->p1, &e->den};
    if (surd_degree(gcd) > 0) surd_divide_all(all, 4, gcd, e->root);
    surd_remove_content(all, 4);
}

/* m micro steps: over den^m and m^2,
 *
 *     P0_m = sum R^(m-1-j) den^j [(m - j) P0 + (m - j - 1) P1],
 *     P1_m = sum R^(m-1-j) den^j [j P0 + (j + 1) P1],
 *
 * with polynomials of z/m: R and the sums by Horner's rule, then coefficient k times m^(degree - k). */
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
            surd_mul(sums[k], sums[k], R, e->root);
            surd_add_product(sums[k], power, &e->p0, weight[k][0], e->root);
            surd_add_product(sums[k], power, &e->p1, weight[k][1], e->root);
        }
        surd_mul(power, power, &e->den, e->root);
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
    exact->root = tableau.root;
    if (tableau.exact)
        derive(&tableau, exact);
    else
        from_doubles(method, exact);
    reduce(exact);
    if (substeps > 1) repeat(exact, substeps);
    if (substeps > 1 && method->implicit) reduce(exact);
    return fine;
}

void method_exact_clear(method_exact *exact) {
    flint_each(surd_clear, &exact->phi, &exact->p0, &exact->p1, &exact->den);
}
