/* Polynomials put together as A p^2 + B p q + C q^2, p = phi(a) and q = phi(d): they are recognised, boxes
 * around the common roots of p and q are told where the form is definite, and nowhere else. */
#include "planar/projection_isolated.h"

#include <math.h>

#include "support/support.h"

enum { LENGTH = ISOLATED_LENGTH };

/* of[j][i]: of d^j a^i. */
typedef struct polynomial {
    long of[LENGTH][LENGTH];
} polynomial;

static void add_product(polynomial *sum, const polynomial *f, const polynomial *g) {
    for (int j = 0; j < LENGTH; j++)
        for (int i = 0; i < LENGTH; i++)
            for (int l = 0; l < LENGTH - j; l++)
                for (int k = 0; k < LENGTH - i; k++) sum->of[j + l][i + k] += f->of[j][i] * g->of[l][k];
}

static polynomial turned(const polynomial *f) {
    polynomial g;
    for (int j = 0; j < LENGTH; j++)
        for (int i = 0; i < LENGTH; i++) g.of[j][i] = f->of[i][j];
    return g;
}

/* factor first second */
static void add_term(polynomial *sum, const polynomial *factor, const polynomial *first,
                     const polynomial *second) {
    polynomial square = {{{0}}};
    add_product(&square, first, second);
    add_product(sum, factor, &square);
}

static double value(const polynomial *f, double a, double d) {
    double sum = 0;
    for (int j = LENGTH - 1; j >= 0; j--) {
        double row = 0;
        for (int i = LENGTH - 1; i >= 0; i--) row = row * a + (double)f->of[j][i];
        sum = sum * d + row;
    }
    return sum;
}

static void set_factor(projection_factor *to, const polynomial *f, resultant_poly rows[LENGTH]) {
    *to = (projection_factor){.coefficient = rows};
    for (int j = 0; j < LENGTH; j++) {
        assert_true(resultant_poly_init(&rows[j], LENGTH));
        for (int i = 0; i < LENGTH; i++) {
            mpz_set_si(rows[j].c[i], f->of[j][i]);
            if (f->of[j][i] == 0) continue;
            rows[j].length = i + 1;
            to->degree = j;
        }
    }
}

static bool make(isolated *at, const polynomial *f, const polynomial *q) {
    resultant_poly rows[2][LENGTH];
    projection_factor factor, line;
    set_factor(&factor, f, rows[0]);
    set_factor(&line, q, rows[1]);
    const bool made = isolated_make(at, &factor, &line);
    for (int j = 0; j < LENGTH; j++)
        for (int k = 0; k < 2; k++) resultant_poly_clear(&rows[k][j]);
    return made;
}

/* phi: (z - root / 2) (z^2 + z + s) or its first factor, times a number. */
static polynomial random_phi(rng *r, int root, bool cubic) {
    const long s = rng_int(r, 1, 5), factor = rng_int(r, 1, 3);
    polynomial q = {{{0}}};
    const long c[4] = {-root * s, 2 * s - root, 2 - root, 2}, line[2] = {-root, 2};
    for (int k = 0; k < (cubic ? 4 : 2); k++) q.of[k][0] = factor * (cubic ? c[k] : line[k]);
    return q;
}

static polynomial linear(rng *r, int most) {
    polynomial f = {{{rng_int(r, -most, most), rng_int(r, -1, 1)}, {rng_int(r, -1, 1)}}};
    return f;
}

/* Around the point, with and without it, and elsewhere: what is seen must be so at points of the box. */
static int check_boxes(rng *r, const isolated *at, const polynomial *f, double root, bool definite) {
    int found = 0;
    for (int k = 0; k < 12; k++) {
        const double half = ldexp(1, -rng_int(r, 2, 9)), far = k < 6 ? half : 2;
        const isolated_ball a = {root + rng_uniform(r, -far, far), half},
                            d = {root + rng_uniform(r, -far, far), half};
        const bool seen = isolated_seen(at, a, d);
        found += seen;
        const bool inside = fabs(a.mid - root) < half && fabs(d.mid - root) < half;
        if (!definite && inside) check_true(!seen, "branches pass a box of %g around %g", half, root);
        int sign = 0;
        for (int n = 0; n < 40 && seen; n++) {
            const double x = a.mid + rng_uniform(r, -half, half), y = d.mid + rng_uniform(r, -half, half);
            if (fabs(x - root) + fabs(y - root) < 1e-3) continue; /* there rounding decides */
            const int here = value(f, x, y) > 0 ? 1 : -1;
            check_true(sign == 0 || sign == here, "it vanishes in a box of %g at (%g, %g)", half, a.mid,
                       d.mid);
            sign = here;
        }
    }
    return found;
}

static void forms(void **state) {
    (void)state;
    rng r = rng_start("forms");
    int found = 0, definite_count = 0;
    const int rounds = (int)effort(300);
    for (int n = 0; n < rounds; n++) {
        const int root = rng_int(&r, -7, 7);
        const polynomial q = random_phi(&r, root, n % 2 == 0), p = turned(&q);
        const polynomial A = linear(&r, 9), B = linear(&r, 9), C = linear(&r, 9);
        polynomial f = {{{0}}};
        add_term(&f, &A, &p, &p);
        add_term(&f, &B, &p, &q);
        add_term(&f, &C, &q, &q);
        isolated at;
        assert_true(make(&at, &f, &q));
        const double x = root / 2.0;
        const double form = 4 * value(&A, x, x) * value(&C, x, x) - value(&B, x, x) * value(&B, x, x);
        if (form == 0) continue;
        definite_count += form > 0;
        const int seen = check_boxes(&r, &at, &f, x, form > 0);
        found += form > 0 && seen > 0;
        f.of[0][0] += rng_int(&r, 1, 5); /* then it does not vanish there */
        check_true(!make(&at, &f, &q), "round %d: no such form", n);
    }
    check_true(definite_count > rounds / 10 && found * 10 > definite_count * 8,
               "%d of %d definite ones are seen", found, definite_count);
}

/* p + q vanishes once, and what is too long or too large is refused. */
static void others(void **state) {
    (void)state;
    isolated at;
    const polynomial q = {{{1}, {2}}}, p = turned(&q), one = {{{1}}};
    polynomial f = {{{0}}};
    add_term(&f, &one, &one, &p);
    add_term(&f, &one, &one, &q);
    assert_false(make(&at, &f, &q));
    polynomial large = {{{1L << 40}, {2}}}, constant = {{{5}}};
    f = (polynomial){{{0}}};
    add_term(&f, &one, &q, &q);
    assert_true(make(&at, &f, &q));
    assert_false(make(&at, &f, &large));
    assert_false(make(&at, &f, &constant));
}

/* (a - t) p^2 + q^2 is definite for a > t: told of the boxes that lie there, as its parts are linear, and of
 * no other one, however little of it lies beyond. */
static void as_far_as_definite(void **state) {
    (void)state;
    rng r = rng_start("as_far_as_definite");
    for (int n = 0; n < 60; n++) {
        const int t = rng_int(&r, -5, 5), root = rng_int(&r, -7, 7);
        const polynomial q = {{{-root}, {2}}}, p = turned(&q), A = {{{-t, 1}}}, C = {{{1}}};
        polynomial f = {{{0}}};
        add_term(&f, &A, &p, &p);
        add_term(&f, &C, &q, &q);
        isolated at;
        assert_true(make(&at, &f, &q));
        const double half = ldexp(1, -rng_int(&r, 0, 6)), less = half * (n % 2 == 0 ? 0.01 : 0.6);
        for (int sign = -1; sign <= 1; sign += 2) {
            const isolated_ball a = {t + half + sign * less, half}, d = {rng_uniform(&r, -4, 4), half};
            check_true(isolated_seen(&at, a, d) == (sign > 0), "a from %.17g, t = %d, root %d / 2",
                       a.mid - half, t, root);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms), cmocka_unit_test(others),
                                       cmocka_unit_test(as_far_as_definite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
