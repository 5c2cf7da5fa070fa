/* Curves that are seen to stay apart: points planted on two curves, or on one where it stands upright, must
 * lie in the ranges that are left, and where curves are apart by construction nothing is left. */
#include "planar/projection_apart.h"

#include <math.h>

#include "base/memory.h"
#include "support/support.h"

enum { PACK = 8, DEGREE = 3 };

/* A polynomial with small coefficients, packed: that of a^i e^j is of[i][j]. */
typedef struct polynomial {
    long of[2 * DEGREE + 1][2 * DEGREE + 1];
} polynomial;

static polynomial random_polynomial(rng *r) {
    polynomial f = {{{0}}};
    const int degree_a = rng_int(r, 0, DEGREE), degree_e = rng_int(r, 1, DEGREE);
    for (int i = 0; i <= degree_a; i++)
        for (int j = 0; j <= degree_e; j++) f.of[i][j] = rng_int(r, -9, 9);
    f.of[rng_int(r, 0, degree_a)][degree_e] = 1;
    return f;
}

static polynomial product(const polynomial *f, const polynomial *g) {
    polynomial h = {{{0}}};
    for (int i = 0; i <= DEGREE; i++)
        for (int j = 0; j <= DEGREE; j++)
            for (int k = 0; k <= DEGREE; k++)
                for (int l = 0; l <= DEGREE; l++) h.of[i + k][j + l] += f->of[i][j] * g->of[k][l];
    return h;
}

/* f := p_den f - (its value at (x, y) / 16 times p_den): it vanishes there. x and y in quarters. */
static void plant(polynomial *f, int x, int y) {
    long value = 0, most = 1;
    for (int k = 0; k < 4 * DEGREE; k++) most *= 2; /* 4^(2 DEGREE) */
    for (int i = 0; i <= DEGREE; i++)
        for (int j = 0; j <= DEGREE; j++) {
            long term = f->of[i][j] * most;
            for (int k = 0; k < i; k++) term = term / 4 * x;
            for (int k = 0; k < j; k++) term = term / 4 * y;
            value += term;
        }
    for (int i = 0; i <= DEGREE; i++)
        for (int j = 0; j <= DEGREE; j++) f->of[i][j] *= most;
    f->of[0][0] -= value;
}

static void set_form(apart *a, int which, const polynomial *f) {
    integer_poly packed;
    mpz_t c;
    integer_init(&packed);
    mpz_init(c);
    for (int i = 0; i <= 2 * DEGREE; i++)
        for (int j = 0; j <= 2 * DEGREE; j++) {
            mpz_set_si(c, f->of[i][j]);
            if (f->of[i][j] != 0) integer_set_coefficient(&packed, PACK * i + j, c);
        }
    assert_true(apart_form_set(&a->form[which], &packed, PACK));
    integer_clear(&packed);
    mpz_clear(c);
}

static void ask_all(apart *a, int curves) {
    a->curves = curves;
    for (int i = 0; i < curves; i++) a->wanted[i] = (UINT32_C(1) << curves) - 1;
}

static bool holds(planar_range range, double x) {
    return range.low <= x && x <= range.high;
}

/* Two curves through one point, and a curve with a double point there: near and far, of both signs. */
static void planted_points(void **state) {
    (void)state;
    rng r = rng_start("planted_points");
    const int rounds = (int)effort(150);
    apart *a = memory_alloc(1, sizeof *a);
    assert_non_null(a);
    for (int n = 0; n < rounds; n++) {
        const int far_a = n % 3 == 0 ? 30 : 1, far_e = n % 2 == 0 ? 20 : 1;
        const int x = far_a * rng_int(&r, -16, 16), y = far_e * rng_int(&r, -6, 6);
        polynomial f = random_polynomial(&r), g = random_polynomial(&r);
        plant(&f, x, y);
        plant(&g, x, y);
        *a = (apart){.low = -150, .high = 150};
        ask_all(a, 2);
        set_form(a, 0, &f);
        set_form(a, 1, &g);
        assert_true(apart_find(a));
        check_true(holds(a->range[0][1], x / 4.0), "round %d: both pass (%g, %g)", n, x / 4.0, y / 4.0);
        polynomial small = random_polynomial(&r), other = random_polynomial(&r);
        plant(&small, x, y);
        for (int i = 0; i <= DEGREE; i++) /* as planted, with entries that keep their product in a long */
            for (int j = 0; j <= DEGREE; j++) other.of[i][j] = i + j == 0 ? -y : i == 0 && j == 1 ? 4 : 0;
        const polynomial both = product(&small, &other);
        *a = (apart){.low = -150, .high = 150};
        ask_all(a, 1);
        set_form(a, 0, &both);
        assert_true(apart_find(a));
        check_true(holds(a->range[0][0], x / 4.0), "round %d: a double point (%g, %g)", n, x / 4.0, y / 4.0);
    }
    memory_free(a);
}

/* e = a^2 + 1, e = a, e = -3: of the first and the second no a has both, the second and the third meet at a =
 * -3 alone, and none has double points. */
static void curves_apart(void **state) {
    (void)state;
    const polynomial curve[3] = {{{{1, -1}, {0}, {1}}}, {{{0, 1}, {-1}}}, {{{3, 1}}}};
    apart *a = memory_alloc(1, sizeof *a);
    assert_non_null(a);
    a->low = -8;
    a->high = 8;
    ask_all(a, 3);
    for (int k = 0; k < 3; k++) set_form(a, k, &curve[k]);
    assert_true(apart_find(a));
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const planar_range range = a->range[i][j];
            const bool meet = i == 1 && j == 2;
            check_true((range.low <= range.high) == meet, "curves %d and %d: from %g to %g", i, j, range.low,
                       range.high);
            if (meet) check_true(holds(range, -3) && range.low > -4 && range.high < -2, "near -3");
        }
    a->low = -1.5; /* then nothing is asked of -3 */
    assert_true(apart_find(a));
    check_true(a->range[1][2].low > a->range[1][2].high, "not in the range");
    memory_free(a);
}

/* One bound, x0 + x1 Delta > 0 with x0 = a - 2 and x1 = 1, and Delta > 0 or < 0 by the sign of `fold`: lines
 * that meet where it is violated for every Delta tell of nothing. */
static void unstable_points(void **state) {
    (void)state;
    const polynomial line = {{{0, 1}, {-1}}}, level = {{{0, 4}}}, one = {{{1}}}, minus = {{{-1}}},
                     rising = {{{-2}, {1}}};
    apart *a = memory_alloc(1, sizeof *a);
    assert_non_null(a);
    for (int positive = 0; positive < 2; positive++)
        for (int y = -4; y <= 8; y += 4) {
            polynomial at = level;
            at.of[0][0] = -y;
            *a = (apart){.low = -8, .high = 8, .bounds = 1};
            ask_all(a, 2);
            set_form(a, 0, &line);
            set_form(a, 1, &at);
            set_form(a, APART_CURVES, &one);
            set_form(a, APART_CURVES + 1, positive ? &one : &minus);
            set_form(a, APART_CURVES + 2, &rising);
            set_form(a, APART_CURVES + 3, &one);
            assert_true(apart_find(a));
            const double x = y / 4.0;
            const bool stable = positive || x >= 2; /* for some Delta, or next to one that is */
            check_true(holds(a->range[0][1], x) == stable, "they meet at %g, Delta %s 0: stable %d", x,
                       positive ? ">" : "<", stable);
        }
    memory_free(a);
}

/* 0 < Delta < 1, or Delta > 0, is stable everywhere: where Delta is bounded nothing is asked, as all regions
 * that a box may hold are there throughout. Near Gamma = 0 it may hold SS, too. */
static void points_that_stay(void **state) {
    (void)state;
    const polynomial line = {{{0, 1}, {-1}}}, level = {{{-2, 1}}}, one = {{{1}}}, minus = {{{-1}}},
                     zero = {{{0}}};
    apart *a = memory_alloc(1, sizeof *a);
    assert_non_null(a);
    for (int bounded = 0; bounded < 2; bounded++)
        for (int known = 0; known < 2; known++) {
            *a = (apart){.low = -8, .high = 8, .bounds = 1, .unit = known};
            ask_all(a, 2);
            set_form(a, 0, &line);
            set_form(a, 1, &level);
            set_form(a, APART_CURVES, &one);
            set_form(a, APART_CURVES + 1, &one);
            set_form(a, APART_CURVES + 2, &one);
            set_form(a, APART_CURVES + 3, bounded ? &minus : &zero);
            assert_true(apart_find(a));
            const bool asked = !(bounded && known);
            check_true(holds(a->range[0][1], 2) == asked, "they meet at 2, Delta bounded %d: asked %d",
                       bounded, asked);
        }
    memory_free(a);
}

/* A curve whose leading coefficient in e vanishes at x reaches infinity there: near and far; not where all is
 * unstable. That of another, (a^2 + 1) e + 3, has no root. */
static void curves_at_infinity(void **state) {
    (void)state;
    rng r = rng_start("curves_at_infinity");
    const polynomial one = {{{1}}}, minus = {{{-1}}};
    apart *a = memory_alloc(1, sizeof *a);
    assert_non_null(a);
    for (int n = 0; n < 60; n++) {
        const int x = rng_int(&r, -16, 16) * (n % 3 == 0 ? 20 : 1), degree = rng_int(&r, 1, DEGREE);
        polynomial f[2] = {random_polynomial(&r), {{{3, 1}, {0}, {0, 1}}}};
        for (int i = 0; i <= DEGREE; i++)
            for (int j = degree; j <= DEGREE; j++) f[0].of[i][j] = 0;
        f[0].of[0][degree] = -x; /* 4 a - x */
        f[0].of[1][degree] = 4;
        for (int unstable = 0; unstable < 2; unstable++) {
            *a = (apart){.low = -150, .high = 150, .bounds = 1, .unit = 1, .curves = 2, .rising = 3};
            set_form(a, 0, &f[0]);
            set_form(a, 1, &f[1]);
            for (int k = 0; k < 4; k++) set_form(a, APART_CURVES + k, &one);
            if (unstable) { /* -1 - Delta > 0 and Delta > 0 */
                set_form(a, APART_CURVES + 2, &minus);
                set_form(a, APART_CURVES + 3, &minus);
            }
            assert_true(apart_find(a));
            check_true(holds(a->far[0], x / 4.0) == !unstable, "round %d: at %g, unstable %d", n, x / 4.0,
                       unstable);
            check_true(a->far[1].low > a->far[1].high, "round %d: nowhere", n);
        }
    }
    memory_free(a);
}

/* (2 e - 1)^2 (p e + q) is positive but on a line where boxes end, where its coefficients are what rounding
 * has left of 0. The line is met at a = 1. */
static void rounding(void **state) {
    (void)state;
    rng r = rng_start("rounding");
    const polynomial other = {{{1, -2}}}, rising = {{{-1, -2}, {2}}};
    apart *a = memory_alloc(1, sizeof *a);
    assert_non_null(a);
    for (int n = 0; n < 30; n++) {
        polynomial f = {{{rng_int(&r, 1, 99), rng_int(&r, 1, 99)}}};
        f = product(&f, &other);
        f = product(&f, &other);
        *a = (apart){.low = -8, .high = 8};
        ask_all(a, 2);
        set_form(a, 0, &f);
        set_form(a, 1, &rising); /* 2 e = 2 a - 1 */
        assert_true(apart_find(a));
        check_true(holds(a->range[0][1], 1), "round %d: met at 1", n);
    }
    memory_free(a);
}

/* Degrees that are too large are refused. */
static void large_degrees(void **state) {
    (void)state;
    integer_poly packed;
    mpz_t c;
    apart_form form;
    integer_init(&packed);
    mpz_init_set_ui(c, 1);
    integer_set_coefficient(&packed, APART_LENGTH - 1, c);
    assert_true(apart_form_set(&form, &packed, APART_LENGTH + 1));
    integer_set_coefficient(&packed, APART_LENGTH, c);
    assert_false(apart_form_set(&form, &packed, APART_LENGTH + 1));
    integer_clear(&packed);
    mpz_clear(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planted_points),   cmocka_unit_test(curves_apart),
        cmocka_unit_test(unstable_points),  cmocka_unit_test(rounding),
        cmocka_unit_test(points_that_stay), cmocka_unit_test(curves_at_infinity),
        cmocka_unit_test(large_degrees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
