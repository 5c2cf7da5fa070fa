/* Multiple roots of the level polynomial of the stability function R = 1 + P/Q (multiple_roots.h).
 *
 * 1. At theta = 0 and pi the level polynomial N, P or P + 2 Q, has integer coefficients if R has rational
 *    ones. It is factored by multiplicities, and the roots of each factor are enclosed in balls.
 * 2. N and Q are expanded at each multiple root. The first `count` coefficients of N are 0; the rest is the
 *    quotient N / (z - root)^count.
 * 3. At other angles a multiple root satisfies R' = 0 and |R| = 1. The roots of P' Q - P Q' are enclosed, and
 *    |R| - 1 is evaluated in balls.
 *
 * Limitation: multiple roots at other angles, and those of R with square roots in the coefficients, are only
 * detected; the curves near them are not resolved. */
#include "area/multiple_roots.h"

static int least_common_multiple(int a, int b) {
    int multiple = a;
    while (multiple % b != 0) multiple += a;
    return multiple;
}

static void multiple_root_init(multiple_root *m, acb_srcptr root, int count) {
    acb_init(m->root);
    flint_each(acb_poly_init, m->quotient, m->Q);
    acb_set(m->root, root);
    m->count = count;
}

/* Expands N and Q at the multiple root. */
static void expand(multiple_root *m, const acb_poly_t N, const acb_poly_t Q, slong precision) {
    acb_poly_taylor_shift(m->quotient, N, m->root, precision);
    acb_poly_shift_right(m->quotient, m->quotient, m->count);
    acb_poly_taylor_shift(m->Q, Q, m->root, precision);
}

/* With square roots in the coefficients no root is searched: multiple_roots_elsewhere() finds such a root,
 * and the area is refused. */
void multiple_roots_init(multiple_roots *roots, const level_curves *curves, int end, slong precision) {
    *roots = (multiple_roots){.order = 1};
    if (curves->radicand != 0) return;
    fmpz_poly_factor_t parts;
    flint_local(surd, level);
    fmpz_poly_factor_init(parts);
    flint_local(acb_poly, N, Q);
    level_polynomial_at_end(curves, end, level);
    if (!fmpz_poly_is_zero(level->u)) fmpz_poly_factor_squarefree(parts, level->u);
    surd_get_acb(N, level, 0, precision);
    surd_get_acb(Q, &curves->Q, 0, precision);
    for (slong k = 0; k < parts->num; k++) {
        int count = (int)parts->exp[k];
        slong degree = fmpz_poly_degree(&parts->p[k]);
        if (count < 2) continue;
        flint_local_vector(acb, roots_of_factor, degree);
        arb_fmpz_poly_complex_roots(roots_of_factor, &parts->p[k], 0, precision);
        for (slong i = 0; i < degree; i++) {
            multiple_root *m = &roots->each[roots->count++];
            multiple_root_init(m, roots_of_factor + i, count);
            expand(m, N, Q, precision);
        }
        roots->order = least_common_multiple(roots->order, count);
    }
    for (int i = 0; i < roots->count; i++) roots->each[i].power = roots->order / roots->each[i].count;
    fmpz_poly_factor_clear(parts);
}

void multiple_roots_clear(multiple_roots *roots) {
    for (int i = 0; i < roots->count; i++) {
        acb_clear(roots->each[i].root);
        flint_each(acb_poly_clear, roots->each[i].quotient, roots->each[i].Q);
    }
    roots->count = 0;
}

/* scaled := f(t v), a polynomial in v. */
static void scale_variable(acb_poly_t scaled, const acb_poly_t f, const acb_t t, slong precision) {
    flint_local(acb_poly, line);
    acb_poly_set_coeff_acb(line, 1, t);
    acb_poly_compose(scaled, f, line, precision);
}

void multiple_root_polynomials(const multiple_root *root, const acb_t t, slong precision, acb_poly_t P,
                               acb_poly_t Q) {
    scale_variable(Q, root->Q, t, precision);
    scale_variable(P, root->quotient, t, precision);
    acb_poly_shift_left(P, P, root->count);
}

/* P' Q - P Q', without multiple factors. */
static void critical_polynomial(const level_curves *c, fmpz_poly_t critical) {
    flint_local(surd, slope, sum);
    for (int k = 0; k < 2; k++) {
        const surd_poly *f = k == 0 ? &c->P : &c->Q, *g = k == 0 ? &c->Q : &c->P;
        fmpz_poly_derivative(slope->u, f->u);
        fmpz_poly_derivative(slope->v, f->v);
        surd_add_product(sum, slope, g, k == 0 ? 1 : -1, c->radicand);
    }
    surd_norm(critical, sum, c->radicand);
    fmpz_poly_derivative(slope->u, critical);
    fmpz_poly_gcd(slope->u, slope->u, critical);
    if (fmpz_poly_degree(slope->u) > 0) fmpz_poly_div(critical, critical, slope->u);
}

/* Returns true if |R(z)| may be 1. For R with rational coefficients, R(z) = 1 and R(z) = -1 are excluded,
 * because multiple_roots_init() covers them. */
static bool is_elsewhere(const level_curves *c, const acb_poly_t P, const acb_poly_t Q, const acb_t z,
                         slong precision) {
    flint_local(acb, p, q, sum);
    flint_local(arb, size, other);
    acb_poly_evaluate(p, P, z, precision);
    acb_poly_evaluate(q, Q, z, precision);
    acb_add(sum, p, q, precision);
    acb_abs(size, sum, precision);
    acb_abs(other, q, precision);
    arb_sub(size, size, other, precision);
    acb_add(sum, sum, q, precision);
    bool known = c->radicand == 0 && (acb_contains_zero(p) || acb_contains_zero(sum));
    return arb_contains_zero(size) && !acb_contains_zero(q) && !known;
}

bool multiple_roots_elsewhere(const level_curves *curves, double z[2]) {
    enum { PRECISION = 256 };
    bool found = false;
    flint_local(fmpz_poly, critical);
    flint_local(acb_poly, P, Q);
    surd_get_acb(P, &curves->P, curves->radicand, PRECISION);
    surd_get_acb(Q, &curves->Q, curves->radicand, PRECISION);
    critical_polynomial(curves, critical);
    slong degree = fmpz_poly_degree(critical);
    if (degree > 0) {
        flint_local_vector(acb, roots, degree);
        arb_fmpz_poly_complex_roots(roots, critical, 0, PRECISION);
        for (slong k = 0; k < degree && !found; k++) {
            found = is_elsewhere(curves, P, Q, roots + k, PRECISION);
            z[0] = arf_get_d(arb_midref(acb_realref(roots + k)), ARF_RND_NEAR);
            z[1] = arf_get_d(arb_midref(acb_imagref(roots + k)), ARF_RND_NEAR);
        }
    }
    return found;
}
