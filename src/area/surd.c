/* Arithmetic of polynomials f = u + v sqrt D over Z[sqrt D] on the two integer polynomials u and v. Beyond
 * sums and products:
 *
 * 1. Signs: for u and v of opposite signs, u^2 and D v^2 are compared.
 * 2. Division: the divisor is multiplied by the conjugate of its leading coefficient, which makes this
 *    coefficient an integer. In each step the remainder is multiplied by it instead of divided
 *    (pseudo-division; D. E. Knuth, The Art of Computer Programming 2, 4.6.1).
 * 3. Greatest common divisors: Euclid's algorithm with that division. The common integer factor is divided
 *    out of each remainder.
 *
 * Exact. FLINT does everything over Z (D = 0). With square roots the degrees are small, and products take n^2
 * operations. */
#include "area/surd.h"

void surd_init(surd_poly *f) {
    flint_each(fmpz_poly_init, f->u, f->v);
}

void surd_clear(surd_poly *f) {
    flint_each(fmpz_poly_clear, f->u, f->v);
}

void surd_set(surd_poly *f, const surd_poly *g) {
    fmpz_poly_set(f->u, g->u);
    fmpz_poly_set(f->v, g->v);
}

void surd_zero(surd_poly *f) {
    fmpz_poly_zero(f->u);
    fmpz_poly_zero(f->v);
}

void surd_set_si(surd_poly *f, slong value) {
    fmpz_poly_set_si(f->u, value);
    fmpz_poly_zero(f->v);
}

void surd_swap(surd_poly *f, surd_poly *g) {
    fmpz_poly_swap(f->u, g->u);
    fmpz_poly_swap(f->v, g->v);
}

bool surd_is_zero(const surd_poly *f) {
    return fmpz_poly_is_zero(f->u) && fmpz_poly_is_zero(f->v);
}

slong surd_degree(const surd_poly *f) {
    slong u = fmpz_poly_degree(f->u), v = fmpz_poly_degree(f->v);
    return u > v ? u : v;
}

void surd_add(surd_poly *sum, const surd_poly *f, const surd_poly *g) {
    fmpz_poly_add(sum->u, f->u, g->u);
    fmpz_poly_add(sum->v, f->v, g->v);
}

void surd_sub(surd_poly *difference, const surd_poly *f, const surd_poly *g) {
    fmpz_poly_sub(difference->u, f->u, g->u);
    fmpz_poly_sub(difference->v, f->v, g->v);
}

void surd_mul(surd_poly *product, const surd_poly *f, const surd_poly *g, int radicand) {
    if (radicand == 0) {
        fmpz_poly_mul(product->u, f->u, g->u);
        return;
    }
    flint_local(fmpz_poly, both, cross, other);
    fmpz_poly_mul(both, f->v, g->v);
    fmpz_poly_scalar_mul_si(both, both, radicand);
    fmpz_poly_mul(cross, f->u, g->v);
    fmpz_poly_mul(other, f->v, g->u);
    fmpz_poly_mul(product->u, f->u, g->u);
    fmpz_poly_add(product->u, product->u, both);
    fmpz_poly_add(product->v, cross, other);
}

void surd_scale(surd_poly *f, const fmpz_t factor) {
    fmpz_poly_scalar_mul_fmpz(f->u, f->u, factor);
    fmpz_poly_scalar_mul_fmpz(f->v, f->v, factor);
}

void surd_add_product(surd_poly *sum, const surd_poly *f, const surd_poly *g, slong factor, int radicand) {
    flint_local(surd, product);
    surd_mul(product, f, g, radicand);
    fmpz_poly_scalar_mul_si(product->u, product->u, factor);
    fmpz_poly_scalar_mul_si(product->v, product->v, factor);
    surd_add(sum, sum, product);
}

void surd_remove_content(surd_poly *const *f, int n) {
    flint_local(fmpz, content, one);
    for (int i = 0; i < n && !fmpz_is_one(content); i++) {
        fmpz_poly_content(one, f[i]->u);
        fmpz_gcd(content, content, one);
        fmpz_poly_content(one, f[i]->v);
        fmpz_gcd(content, content, one);
    }
    for (int i = 0; i < n && !fmpz_is_zero(content) && !fmpz_is_one(content); i++) {
        fmpz_poly_scalar_divexact_fmpz(f[i]->u, f[i]->u, content);
        fmpz_poly_scalar_divexact_fmpz(f[i]->v, f[i]->v, content);
    }
}

/* Multiplies coefficient k by scale^k. */
static void scale_coefficients(fmpz_poly_t f, const fmpz_t scale) {
    flint_local(fmpz, power);
    fmpz_set_ui(power, 1);
    for (slong k = 0; k < fmpz_poly_length(f); k++) {
        fmpz *coefficient = fmpz_poly_get_coeff_ptr(f, k);
        fmpz_mul(coefficient, coefficient, power);
        fmpz_mul(power, power, scale);
    }
    _fmpz_poly_normalise(f);
}

void surd_scale_variable(surd_poly *f, const fmpz_t scale) {
    scale_coefficients(f->u, scale);
    scale_coefficients(f->v, scale);
}

void surd_inflate(surd_poly *f, ulong power) {
    fmpz_poly_inflate(f->u, f->u, power);
    fmpz_poly_inflate(f->v, f->v, power);
}

void surd_deflate(surd_poly *f, ulong power) {
    fmpz_poly_deflate(f->u, f->u, power);
    fmpz_poly_deflate(f->v, f->v, power);
}

void surd_reverse(surd_poly *f, slong length) {
    fmpz_poly_reverse(f->u, f->u, length + 1);
    fmpz_poly_reverse(f->v, f->v, length + 1);
}

void surd_norm(fmpz_poly_t norm, const surd_poly *f, int radicand) {
    if (radicand == 0) {
        fmpz_poly_set(norm, f->u);
        return;
    }
    flint_local(fmpz_poly, square);
    fmpz_poly_sqr(square, f->v);
    fmpz_poly_scalar_mul_si(square, square, radicand);
    fmpz_poly_sqr(norm, f->u);
    fmpz_poly_sub(norm, norm, square);
}

/* den^length f(num / den) */
static void value_of(fmpz_t value, const fmpz_poly_t f, const fmpq_t x, slong length) {
    slong degree = fmpz_poly_degree(f);
    flint_local(fmpz, power);
    fmpz_set_ui(power, 1);
    fmpz_zero(value);
    for (slong k = degree; k >= 0; k--) {
        fmpz_mul(value, value, fmpq_numref(x));
        fmpz_addmul(value, fmpz_poly_get_coeff_ptr(f, k), power);
        fmpz_mul(power, power, fmpq_denref(x));
    }
    if (degree >= 0) fmpz_pow_ui(power, fmpq_denref(x), (ulong)(length - degree));
    fmpz_mul(value, value, power);
}

void surd_value(surd_number *value, const surd_poly *f, const fmpq_t x, slong length) {
    value_of(value->u, f->u, x, length);
    value_of(value->v, f->v, x, length);
}

int surd_sign(const surd_number *x, int radicand) {
    int first = fmpz_sgn(x->u), second = fmpz_sgn(x->v);
    if (second == 0 || first == second) return first;
    if (first == 0) return second;
    /* opposite signs: the larger magnitude decides; equal magnitudes are impossible, because sqrt D is
     * irrational */
    flint_local(fmpz, left, right);
    fmpz_mul(left, x->u, x->u);
    fmpz_mul(right, x->v, x->v);
    fmpz_mul_si(right, right, radicand);
    return fmpz_cmp(left, right) > 0 ? first : second;
}

int surd_sign_at(const surd_poly *f, int radicand, const fmpq_t x) {
    flint_local(surd_number, value);
    surd_value(value, f, x, surd_degree(f));
    return surd_sign(value, radicand);
}

/* ---- division over Q(sqrt D) ---- */

/* Makes the leading coefficient an integer by multiplying f by that coefficient's conjugate. */
static void make_leading_rational(surd_poly *f, int radicand) {
    slong degree = surd_degree(f);
    if (radicand == 0 || fmpz_poly_degree(f->v) < degree) return;
    flint_local(surd, conjugate);
    flint_local(fmpz, c);
    fmpz_poly_get_coeff_fmpz(c, f->u, degree);
    fmpz_poly_set_fmpz(conjugate->u, c);
    fmpz_poly_get_coeff_fmpz(c, f->v, degree);
    fmpz_neg(c, c);
    fmpz_poly_set_fmpz(conjugate->v, c);
    surd_mul(f, f, conjugate, radicand);
}

/* One step of division by g with the integer leading coefficient `leading`: rest := leading rest - term g.
 * [out] term: leading term of the previous rest over x^(deg g). */
static void divide_step(surd_poly *rest, const surd_poly *g, const fmpz_t leading, surd_poly *term,
                        int radicand) {
    slong degree = surd_degree(rest), shift = degree - surd_degree(g);
    flint_local(fmpz, c);
    surd_zero(term);
    fmpz_poly_get_coeff_fmpz(c, rest->u, degree);
    fmpz_poly_set_coeff_fmpz(term->u, shift, c);
    fmpz_poly_get_coeff_fmpz(c, rest->v, degree);
    fmpz_poly_set_coeff_fmpz(term->v, shift, c);
    surd_scale(rest, leading);
    surd_add_product(rest, g, term, -1, radicand);
}

void surd_gcd(surd_poly *gcd, const surd_poly *f, const surd_poly *g, int radicand) {
    if (radicand == 0) {
        fmpz_poly_gcd(gcd->u, f->u, g->u);
        fmpz_poly_zero(gcd->v);
        return;
    }
    flint_local(surd, a, b, term);
    surd_set(a, f);
    surd_set(b, g);
    flint_local(fmpz, leading);
    while (!surd_is_zero(b)) {
        make_leading_rational(b, radicand);
        surd_poly *const one = b;
        surd_remove_content(&one, 1);
        fmpz_poly_get_coeff_fmpz(leading, b->u, surd_degree(b));
        while (surd_degree(a) >= surd_degree(b)) {
            divide_step(a, b, leading, term, radicand);
            surd_poly *const rest = a;
            surd_remove_content(&rest, 1);
        }
        surd_swap(a, b);
    }
    surd_swap(gcd, a);
}

/* f := leading^(deg f - deg g + 1) f / g for a divisor g of f with the integer leading coefficient `leading`.
 * Returns that exponent. */
static ulong divide_out(surd_poly *f, const surd_poly *g, const fmpz_t leading, int radicand) {
    slong below = surd_degree(g), steps = surd_degree(f) - below + 1;
    flint_local(surd, quotient, term);
    for (slong k = steps - 1; k >= 0; k--) {
        surd_scale(quotient, leading);
        if (surd_degree(f) == below + k) {
            divide_step(f, g, leading, term, radicand);
            surd_add(quotient, quotient, term);
        } else {
            surd_scale(f, leading);
        }
    }
    surd_swap(f, quotient);
    return (ulong)steps;
}

void surd_divide_all(surd_poly *const *f, int n, const surd_poly *divisor, int radicand) {
    enum { ALL_MAX = 4 };
    ulong exponent[ALL_MAX], most = 0;
    flint_local(surd, g);
    surd_poly *const one = g;
    flint_local(fmpz, leading, power);
    surd_set(g, divisor);
    make_leading_rational(g, radicand);
    surd_remove_content(&one, 1);
    fmpz_poly_get_coeff_fmpz(leading, g->u, surd_degree(g));
    for (int i = 0; i < n; i++) {
        exponent[i] = surd_is_zero(f[i]) ? 0 : divide_out(f[i], g, leading, radicand);
        if (exponent[i] > most) most = exponent[i];
    }
    for (int i = 0; i < n; i++) {
        fmpz_pow_ui(power, leading, most - exponent[i]);
        surd_scale(f[i], power);
    }
    surd_remove_content(f, n);
}

void surd_reduce(surd_poly *top, surd_poly *bottom, int radicand) {
    surd_poly *const both[2] = {top, bottom};
    flint_local(surd, gcd);
    surd_gcd(gcd, top, bottom, radicand);
    if (surd_degree(gcd) > 0) surd_divide_all(both, 2, gcd, radicand);
    surd_remove_content(both, 2);
}

void surd_get_acb(acb_poly_t balls, const surd_poly *f, int radicand, slong precision) {
    acb_poly_set_fmpz_poly(balls, f->u, precision);
    if (fmpz_poly_is_zero(f->v)) return;
    flint_local(acb_poly, irrational);
    flint_local(acb, factor);
    acb_set_si(factor, radicand);
    acb_sqrt(factor, factor, precision);
    acb_poly_set_fmpz_poly(irrational, f->v, precision);
    acb_poly_scalar_mul(irrational, irrational, factor, precision);
    acb_poly_add(balls, balls, irrational, precision);
}

void surd_number_init(surd_number *x) {
    flint_each(fmpz_init, x->u, x->v);
}

void surd_number_clear(surd_number *x) {
    flint_each(fmpz_clear, x->u, x->v);
}

void surd_number_add_product(surd_number *sum, int sign, const surd_number *x, const surd_number *y,
                             int radicand) {
    void (*const add)(fmpz_t, const fmpz_t, const fmpz_t) = sign > 0 ? fmpz_addmul : fmpz_submul;
    add(sum->u, x->u, y->u);
    if (radicand == 0) return;
    flint_local(fmpz, both);
    fmpz_mul_si(both, x->v, radicand);
    add(sum->u, both, y->v);
    add(sum->v, x->u, y->v);
    add(sum->v, x->v, y->u);
}
