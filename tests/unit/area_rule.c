/* Quadrature in pairs of doubles: its points and weights against Arb's, its integrals against closed forms
 * and against Arb's quadrature. */
#include "planar/area_rule.h"

#include "support/support.h"

static void check_pair_is(const double *found, const arb_t expected, const char *what, int n, int k) {
    arb_t sum, low;
    arb_init(sum);
    arb_init(low);
    arb_set_d(sum, found[0]);
    arb_set_d(low, found[1]);
    arb_add(sum, sum, low, 300);
    arb_sub(sum, sum, expected, 300);
    arb_div(sum, sum, expected, 300);
    arb_mul_2exp_si(sum, sum, 106); /* half a unit of 2^-53 of the second double, with room */
    arb_abs(sum, sum);
    arb_sub_ui(sum, sum, 1, 300);
    check_true(arb_is_negative(sum) != 0, "%s %d of %d points", what, k, n);
    arb_clear(sum);
    arb_clear(low);
}

static void points_and_weights(void **state) {
    (void)state;
    int row = 0;
    arb_t point, weight;
    arb_init(point);
    arb_init(weight);
    for (int n = 16; n <= 64; n *= 2)
        for (int k = 0; k < n / 2; k++, row++) {
            arb_hypgeom_legendre_p_ui_root(point, weight, (ulong)n, (ulong)k, 300);
            check_pair_is(area_rule_points[row], point, "point", n, k);
            check_pair_is(area_rule_points[row] + 2, weight, "weight", n, k);
        }
    assert_int_equal(row, RULE_POINTS / 2);
    arb_clear(point);
    arb_clear(weight);
}

static void check_integral(const arb_poly_t top, const arb_poly_t bottom, const arb_t expected,
                           const char *what) {
    enum { BITS = 69 };
    arb_t found;
    arb_init(found);
    check_true(area_rule_integral(top, bottom, BITS, found), "%s: found", what);
    check_true(arb_contains(found, expected) != 0, "%s: the integral lies in the ball", what);
    check_true(arb_rel_accuracy_bits(found) >= BITS - 2, "%s: %ld bits", what,
               (long)arb_rel_accuracy_bits(found));
    arb_clear(found);
}

/* 1 / (x + c): log((c + 1) / (c - 1)); 1 / (x^2 + c^2): 2 / c atan(1 / c); (x + 3)^20: a polynomial. All
 * times 2^1500 or 2^-1500, too. */
static void closed_forms(void **state) {
    (void)state;
    arb_poly_t top, bottom;
    arb_t expected, c;
    arb_poly_init(top);
    arb_poly_init(bottom);
    arb_init(expected);
    arb_init(c);
    for (slong scale = -1500; scale <= 1500; scale += 1500) {
        arb_poly_zero(bottom);
        arb_poly_one(top);
        arb_poly_set_coeff_si(bottom, 0, 5);
        arb_poly_set_coeff_si(bottom, 1, 2);
        arb_poly_scalar_mul_2exp_si(top, top, scale);
        arb_set_ui(expected, 7);
        arb_div_ui(expected, expected, 3, 300);
        arb_log(expected, expected, 300);
        arb_mul_2exp_si(expected, expected, scale - 1);
        check_integral(top, bottom, expected, "1 / (2 x + 5)");
        arb_poly_zero(bottom);
        arb_poly_set_coeff_si(bottom, 0, 2);
        arb_poly_set_coeff_si(bottom, 2, 1);
        arb_poly_scalar_mul_2exp_si(bottom, bottom, -scale);
        arb_poly_one(top);
        arb_sqrt_ui(c, 2, 300);
        arb_inv(expected, c, 300);
        arb_atan(expected, expected, 300);
        arb_mul(expected, expected, c, 300);
        arb_mul_2exp_si(expected, expected, scale);
        check_integral(top, bottom, expected, "1 / (x^2 + 2)");
    }
    arb_poly_zero(top);
    arb_poly_set_coeff_si(top, 0, 3);
    arb_poly_set_coeff_si(top, 1, 1);
    arb_poly_pow_ui(top, top, 20, 300);
    arb_poly_one(bottom);
    arb_set_si(expected, 4);
    arb_pow_ui(expected, expected, 21, 300);
    arb_set_si(c, 2);
    arb_pow_ui(c, c, 21, 300);
    arb_sub(expected, expected, c, 300);
    arb_div_ui(expected, expected, 21, 300);
    check_integral(top, bottom, expected, "(x + 3)^20");
    arb_poly_clear(top);
    arb_poly_clear(bottom);
    arb_clear(expected);
    arb_clear(c);
}

typedef struct quotient {
    acb_poly_t top, bottom;
} quotient;

static int evaluate(acb_ptr result, const acb_t x, void *context, slong order, slong precision) {
    (void)order;
    const quotient *q = context;
    acb_t top;
    acb_init(top);
    acb_poly_evaluate(result, q->bottom, x, precision);
    acb_inv(result, result, precision);
    acb_poly_evaluate(top, q->top, x, precision);
    acb_mul(result, result, top, precision);
    acb_clear(top);
    return 0;
}

/* Random quotients, with poles anywhere: what is answered is right, within its error. */
static void random_quotients(void **state) {
    (void)state;
    rng r = rng_start("random_quotients");
    size_t answered = 0;
    const size_t rounds = effort(300);
    for (size_t i = 0; i < rounds; i++) {
        arb_poly_t f[2];
        quotient q;
        arb_t found, difference;
        acb_t from, to, part;
        mag_t none;
        arb_init(found);
        arb_init(difference);
        acb_init(from);
        acb_init(to);
        acb_init(part);
        mag_init(none);
        for (int k = 0; k < 2; k++) {
            arb_poly_init(f[k]);
            for (int j = rng_int(&r, 0, 12); j >= 0; j--) {
                arb_set_d(found, rng_magnitude(&r, -3, 3));
                arb_poly_set_coeff_arb(f[k], j, found);
            }
        }
        acb_poly_init(q.top);
        acb_poly_init(q.bottom);
        acb_poly_set_arb_poly(q.top, f[0]);
        acb_poly_set_arb_poly(q.bottom, f[1]);
        acb_set_si(from, -1);
        acb_set_si(to, 1);
        if (area_rule_integral(f[0], f[1], 60, found)) {
            answered++;
            acb_calc_integrate(part, evaluate, &q, from, to, 200, none, NULL, 300);
            check_true(arb_overlaps(found, acb_realref(part)) != 0, "quotient %zu: the balls meet", i);
            check_true(arb_rel_accuracy_bits(acb_realref(part)) > 100, "quotient %zu: the oracle is sharp",
                       i);
            check_true(arb_rel_accuracy_bits(found) >= 58, "quotient %zu: 60 bits", i);
        }
        arb_clear(found);
        arb_clear(difference);
        acb_clear(from);
        acb_clear(to);
        acb_clear(part);
        mag_clear(none);
        for (int k = 0; k < 2; k++) arb_poly_clear(f[k]);
        acb_poly_clear(q.top);
        acb_poly_clear(q.bottom);
    }
    check_true(answered * 20 > rounds, "%zu of %zu quotients have no pole near [-1, 1]", answered, rounds);
}

/* A pole within the range, or as near as no rule can bear: no answer. */
static void poles_are_refused(void **state) {
    (void)state;
    arb_poly_t top, bottom;
    arb_t found;
    arb_poly_init(top);
    arb_poly_init(bottom);
    arb_init(found);
    arb_poly_one(top);
    arb_poly_set_coeff_si(bottom, 1, 1000);
    static const slong places[] = {0, 999, 1000, 1001, -1000};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        arb_poly_set_coeff_si(bottom, 0, places[i]);
        check_true(!area_rule_integral(top, bottom, 60, found), "1 / (1000 x + %ld)", (long)places[i]);
    }
    arb_poly_clear(top);
    arb_poly_clear(bottom);
    arb_clear(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_and_weights), cmocka_unit_test(closed_forms),
                                       cmocka_unit_test(random_quotients),
                                       cmocka_unit_test(poles_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
