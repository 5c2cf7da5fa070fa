/* The level curves |R(z)| = 1 of one micro step, R - 1 = P / Q, in exact arithmetic.
 *
 * 1. P and Q from the exact stability function (exact_method.c).
 * 2. Crossings: growth(v) = |P + Q|^2 - |Q|^2 at z = iy is a polynomial in v = y^2; its positive roots are
 *    the crossings with the imaginary axis. Roots with R = 1 or -1 are divided out, because their angles 0
 *    and pi are the ends of the range anyway.
 * 3. Real axis: |R| < 1 is -2 < P / Q < 0, with ends among the roots of P, P + 2Q and Q. The signs of both
 *    conditions at one number between adjacent roots decide each interval.
 *
 * Exact. Cost: isolation of the roots of four polynomials. */
#include "area/level_curves.h"

/* f(iy) f(-iy), |f|^2 on the imaginary axis, in v = y^2. */
static void square_on_axis(surd_poly *square, const surd_poly *f, int radicand) {
    flint_local(surd, mirrored);
    flint_local(fmpz, minus);
    fmpz_set_si(minus, -1);
    surd_set(mirrored, f);
    surd_scale_variable(mirrored, minus);
    surd_mul(square, f, mirrored, radicand);
    surd_deflate(square, 2);
    surd_scale_variable(square, minus); /* (iy)^2 = -v */
}

void level_polynomial_at_end(const level_curves *c, int end, surd_poly *N) {
    surd_set(N, &c->P);
    for (int k = 0; k < 2 * end; k++) surd_add(N, N, &c->Q);
}

/* Finds the crossings with the imaginary axis. At R = 1 or -1 the angle is an end of the range, and a ball
 * around it could not be separated from that end. */
static void add_crossings(level_curves *c) {
    flint_local(surd, rest, level, common);
    surd_poly *const divided = rest;
    surd_set(rest, &c->growth);
    for (int end = 0; end < 2 && !c->axis; end++) {
        level_polynomial_at_end(c, end, level);
        square_on_axis(level, level, c->radicand);
        surd_gcd(common, rest, level, c->radicand);
        while (surd_degree(common) > 0) {
            surd_divide_all(&divided, 1, common, c->radicand);
            surd_gcd(common, rest, level, c->radicand);
        }
    }
    real_roots_add_surd(&c->crossings, rest, c->radicand);
}

bool level_curves_init(level_curves *c, const costab_method *method) {
    ends_by(method_exact_clear) method_exact e;
    const bool fine = method_exact_make(method, 1, &e);
    flint_each(surd_init, &c->P, &c->Q, &c->growth);
    c->radicand = e.radicand;
    surd_set(&c->Q, &e.den);
    fmpz_poly_shift_left(c->P.u, e.phi.u, 1);
    fmpz_poly_shift_left(c->P.v, e.phi.v, 1);
    c->degree = (int)(surd_degree(&c->P) > surd_degree(&c->Q) ? surd_degree(&c->P) : surd_degree(&c->Q));

    flint_local(surd, sum, square);
    surd_add(sum, &c->P, &c->Q);
    square_on_axis(&c->growth, sum, c->radicand);
    square_on_axis(square, &c->Q, c->radicand);
    surd_sub(&c->growth, &c->growth, square);

    c->axis = surd_is_zero(&c->growth);
    c->crossings = (real_roots){.count = 0};
    add_crossings(c);
    return fine && real_roots_find(&c->crossings);
}

void level_curves_clear(level_curves *c) {
    flint_each(surd_clear, &c->P, &c->Q, &c->growth);
    real_roots_clear(&c->crossings);
}

/* P / Q < 0 and (P + 2Q) / Q > 0. */
int level_curves_stable_intervals(const level_curves *c, real_roots *roots, stable_interval *intervals) {
    int count = 0;
    flint_local(surd, flip);
    flint_local(fmpq, z);
    surd_add(flip, &c->P, &c->Q);
    surd_add(flip, flip, &c->Q);
    const surd_poly *const breaks[3] = {&c->P, &c->Q, flip};
    for (int k = 0; k < 3; k++) real_roots_add_surd(roots, breaks[k], c->radicand);
    bool fine = real_roots_find(roots);
    for (int i = -1; fine && i < roots->count; i++) {
        real_roots_between(roots, i, z);
        int q = surd_sign_at(&c->Q, c->radicand, z);
        if (surd_sign_at(&c->P, c->radicand, z) * q >= 0 || surd_sign_at(flip, c->radicand, z) * q <= 0)
            continue;
        intervals[count++] = (stable_interval){i, i + 1, fmpq_sgn(z) > 0};
    }
    return fine ? count : -1;
}
