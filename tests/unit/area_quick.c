/* Areas without FLINT against the same by FLINT, and what they are made of: polynomials in GMP's integers,
 * signs and roots in doubles. */
#include "planar/area_quick.h"

#include <float.h>
#include <math.h>

#include "planar/area_exact.h"
#include "planar/area_rule.h"
#include "planar/area_simulation.h"
#include "planar/quick_roots.h"
#include "support/planar.h"

/* ---- polynomials ---- */

static void to_flint(fmpz_poly_t to, const integer_poly *f) {
    fmpz_t c;
    fmpz_init(c);
    fmpz_poly_zero(to);
    for (int k = 0; k < f->length; k++) {
        fmpz_set_mpz(c, f->c[k]);
        fmpz_poly_set_coeff_fmpz(to, k, c);
    }
    fmpz_clear(c);
}

/* Products of a few small factors, so that common ones are likely, times a constant of many digits. */
static void random_product(rng *r, integer_poly *f) {
    integer_poly factor, product;
    mpz_t number;
    mpz_init(number);
    integer_set_si(f, rng_int(r, 1, 30));
    for (int k = rng_int(r, 1, 4); k > 0; k--) {
        integer_init(&factor);
        integer_init(&product);
        for (int i = rng_int(r, 1, 3); i >= 0; i--) {
            mpz_set_si(number, i == 0 ? 1 : rng_int(r, -2, 2));
            integer_set_coefficient(&factor, i, number);
        }
        integer_add_product(&product, f, &factor, 1);
        integer_set(f, &product);
        integer_clear(&factor);
        integer_clear(&product);
    }
    mpz_ui_pow_ui(number, 3, (unsigned long)rng_int(r, 0, 200));
    integer_scale(f, number);
    mpz_clear(number);
}

/* Greatest common divisors, quotients and the moved variable against FLINT's. */
static void polynomials(void **state) {
    (void)state;
    rng r = rng_start("polynomials");
    int common = 0;
    const int rounds = (int)effort(300);
    fmpz_poly_t left, right, expected, found;
    fmpz_t num;
    fmpz_poly_init(left);
    fmpz_poly_init(right);
    fmpz_poly_init(expected);
    fmpz_poly_init(found);
    fmpz_init(num);
    for (int i = 0; i < rounds; i++) {
        integer_poly f, g, gcd;
        integer_init(&f);
        integer_init(&g);
        integer_init(&gcd);
        random_product(&r, &f);
        random_product(&r, &g);
        to_flint(left, &f);
        to_flint(right, &g);
        fmpz_poly_gcd(expected, left, right);
        fmpz_poly_primitive_part(expected, expected);
        integer_gcd(&gcd, &f, &g);
        to_flint(found, &gcd);
        fmpz_poly_primitive_part(found, found); /* its sign is free */
        check_true(fmpz_poly_equal(found, expected) != 0, "round %d: the common divisor", i);
        common += gcd.length > 1;
        to_flint(found, &gcd);
        fmpz_poly_div(expected, left, found);
        integer_divide(&f, &gcd);
        to_flint(found, &f);
        check_true(fmpz_poly_equal(found, expected) != 0, "round %d: the quotient", i);
        mpz_t middle, half; /* 2^(3 n) g((5 + 7 u) / 8) = (8^n g(x / 8)) at 5 + 7 u */
        mpz_init_set_si(middle, 5);
        mpz_init_set_si(half, 7);
        fmpz_poly_zero(expected);
        for (slong k = 0; k < fmpz_poly_length(right); k++) {
            fmpz_poly_get_coeff_fmpz(num, right, k);
            fmpz_mul_2exp(num, num, (ulong)(3 * (fmpz_poly_degree(right) - k)));
            fmpz_poly_set_coeff_fmpz(expected, k, num);
        }
        fmpz_poly_set_str(left, "2  5 7");
        fmpz_poly_compose(expected, expected, left);
        integer_move(&g, middle, half, 3);
        to_flint(found, &g);
        check_true(fmpz_poly_equal(found, expected) != 0, "round %d: the moved polynomial", i);
        mpz_clear(middle);
        mpz_clear(half);
        integer_clear(&f);
        integer_clear(&g);
        integer_clear(&gcd);
    }
    check_true(common * 4 > rounds, "%d of %d have a common divisor", common, rounds);
    fmpz_poly_clear(left);
    fmpz_poly_clear(right);
    fmpz_poly_clear(expected);
    fmpz_poly_clear(found);
    fmpz_clear(num);
}

/* (x - 1)^3 - 2^-bits has values below any rounding near 1: their signs are those of integers. */
static void signs_are_exact(void **state) {
    (void)state;
    integer_poly f;
    quick_form form;
    mpz_t c;
    integer_init(&f);
    mpz_init(c);
    static const int cube[4] = {-1, 3, -3, 1};
    for (unsigned long bits = 60; bits <= 150; bits += 30) {
        for (int k = 0; k < 4; k++) {
            mpz_set_si(c, cube[k]);
            mpz_mul_2exp(c, c, bits);
            if (k == 0) mpz_sub_ui(c, c, 1);
            integer_set_coefficient(&f, k, c);
        }
        quick_form_set(&form, &f);
        for (int step = -40; step <= 40; step++) {
            const double x = 1 + step * 0x1p-52, off = step * 0x1p-52;
            const double value = off * off * off - ldexp(1, -(int)bits); /* its sign, at least */
            const int expected = (value > 0) - (value < 0);
            check_true(quick_sign(&form, x) == expected, "%lu bits, step %d", bits, step);
        }
    }
    mpz_clear(c);
    integer_clear(&f);
}

/* Roots of several random polynomials: as many as FLINT finds, each in its interval; or a doubt. */
static void roots_are_all_there(void **state) {
    (void)state;
    rng r = rng_start("roots_are_all_there");
    static quick_roots quick;
    const int rounds = (int)effort(200);
    int sure = 0;
    for (int i = 0; i < rounds; i++) {
        real_roots roots;
        fmpz_poly_t copy;
        integer_poly f;
        quick_roots_init(&quick);
        real_roots_init(&roots);
        fmpz_poly_init(copy);
        integer_init(&f);
        for (int k = 0; k < 3; k++) {
            random_product(&r, &f);
            if (i % 4 == 3) { /* two roots of it come within reach of rounding */
                mpz_mul_2exp(f.c[0], f.c[0], (unsigned long)rng_int(&r, 30, 70));
                mpz_add_ui(f.c[0], f.c[0], 1);
                for (int j = 1; j < f.length; j++) mpz_mul_2exp(f.c[j], f.c[j], 45);
            }
            to_flint(copy, &f);
            (void)real_roots_add(&roots, copy);
            quick_roots_add(&quick, &f);
        }
        quick_roots_find(&quick);
        assert_true(real_roots_find(&roots));
        sure += !quick.doubt;
        check_true(quick.doubt || quick.count == roots.count, "round %d: %d roots, not %d", i, quick.count,
                   roots.count);
        for (int k = 0; !quick.doubt && k < quick.count; k++) {
            arb_t ball;
            mpz_t num;
            mpz_init(num);
            arb_init(ball);
            real_roots_ball(&roots, k, 200, ball);
            const double place = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
            check_true(quick.root[k].low <= place && place <= quick.root[k].high, "round %d: root %d", i, k);
            quick_roots_place(&quick, k, 150, num);
            arb_mul_2exp_si(ball, ball, 150);
            fmpz_t place_150;
            fmpz_init(place_150);
            fmpz_set_mpz(place_150, num);
            arb_sub_fmpz(ball, ball, place_150, 300);
            arb_abs(ball, ball);
            arb_sub_ui(ball, ball, 1, 300);
            check_true(quick.doubt || arb_is_negative(ball) != 0, "round %d: root %d to 2^-150", i, k);
            fmpz_clear(place_150);
            arb_clear(ball);
            mpz_clear(num);
        }
        if (!quick.doubt && quick.count > 0) { /* the units are wider than the interval: which root is it? */
            mpz_t num;
            mpz_init(num);
            quick_roots_place(&quick, 0, 1, num);
            check_true(quick.doubt, "round %d: a root in units of 1/2", i);
            mpz_clear(num);
        }
        quick_roots_clear(&quick);
        real_roots_clear(&roots);
        fmpz_poly_clear(copy);
        integer_clear(&f);
    }
    check_true(sure * 10 > rounds * 9, "%d of %d are sure", sure, rounds);
}

/* An integral's error holds what ends off by some share of the range can change. */
static void ends_count(void **state) {
    (void)state;
    const area_rule_form one = {.length = 1, .c = {{1, 0}}, .size = 1};
    area_pair sum;
    double error;
    assert_true(area_rule_pairs(&one, &one, 1e-24, 70, &sum, &error));
    check_near(sum.hi, 2, 0, "the integral of 1");
    check_true(error >= 1e-24 && error < 1e-21, "its error %g", error);
    assert_true(!area_rule_pairs(&one, &one, 1e-18, 70, &sum, &error));
}

/* ---- areas ---- */

static const char *const methods[] = {"euler", "heun",   "ralston",        "ssprk3",      "rk4",    "rk38",
                                      "bs3",   "dopri5", "backward-euler", "trapezoidal", "gauss2", "radau2"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void check_area(const area_region *expected, double area, double error, const char *what) {
    if (expected->infinite || !expected->some) {
        check_true(area == (expected->infinite ? (double)INFINITY : 0) && error == 0,
                   "%s: %.17g with error %g", what, area, error);
        return;
    }
    arb_t off, bound;
    arb_init(off);
    arb_init(bound);
    arb_set_d(off, area);
    arb_sub(off, off, expected->area, 200);
    arb_abs(off, off);
    arb_set_d(bound, error);
    arb_sub(off, off, bound, 200);
    check_true(!arb_is_positive(off), "%s: %.17g is farther off than %g", what, area, error);
    /* half a unit in the last place, and 2^-70 of the area */
    check_true(error <= ldexp(area, -53) * (1 + 0x1p-16), "%s: %.17g is known to %g alone", what, area,
               error);
    arb_clear(off);
    arb_clear(bound);
}

/* Whether it was decided; then FLINT must agree. */
static bool decided(const costab_planar *planar, const area_system *system, double a) {
    enum { ORACLE_BITS = 90 };
    costab_areas areas;
    bool sure;
    assert_int_equal(area_quick(planar, a, &areas, &sure, NULL), COSTAB_OK);
    if (!sure) return false;
    char what[100];
    (void)snprintf(what, sizeof what, "%s with %s at %.17g", costab_scheme_name(planar->scheme),
                   planar->method.name, a);
    area_region regions[2];
    arf_t exact;
    fmpq_t rational;
    arf_init(exact);
    fmpq_init(rational);
    for (int k = 0; k < 2; k++) arb_init(regions[k].area);
    arf_set_d(exact, a);
    arf_get_fmpq(rational, exact);
    assert_int_equal(area_exact_regions(system, rational, NULL, ORACLE_BITS, regions, NULL), COSTAB_OK);
    check_area(&regions[0], areas.us, areas.error_us, what);
    check_area(&regions[1], areas.ss, areas.error_ss, what);
    for (int k = 0; k < 2; k++) arb_clear(regions[k].area);
    arf_clear(exact);
    fmpq_clear(rational);
    return true;
}

/* A random a: ordinary ones, short decimals, halves of integers; those of any magnitude; beside roots of
 * phi. */
static double random_a(rng *r, int kind) {
    static const double places[] = {-2.785293563405282, -2, 2, -1, 0, 1.7894876051325866,
                                    -2.5127453266183286};
    switch (kind) {
    case 0:
        return rng_uniform(r, -8, 8);
    case 1:
        return rng_int(r, -800, 800) / 100.0;
    case 2:
        return rng_int(r, -16, 16) / 2.0;
    case 3:
        return rng_magnitude(r, -12, 6);
    default:
        return places[rng_int(r, 0, 6)] + rng_int(r, -1, 1) * rng_magnitude(r, -16, -3);
    }
}

/* All ordinary ones are decided; whatever is agrees with FLINT. */
static void same_as_balls(void **state) {
    (void)state;
    rng r = rng_start("same_as_balls");
    const int rounds = (int)effort(4);
    int tried = 0, found = 0;
    for (int m = 0; m < METHODS; m++)
        for (int s = COSTAB_CROSS; s <= COSTAB_STRONG; s++) {
            const costab_planar planar = planar_named((costab_scheme)s, methods[m], 1, 1);
            area_system system;
            area_system_init(&planar, &system);
            for (int i = 0; i < rounds; i++)
                for (int kind = 0; kind < 5; kind++) {
                    const double a = random_a(&r, kind);
                    const bool sure = decided(&planar, &system, a);
                    check_true(kind > 2 || sure, "%s with %s at %.17g", costab_scheme_name(planar.scheme),
                               methods[m], a);
                    tried++;
                    found += sure;
                }
            area_system_clear(&system);
        }
    check_true(found * 10 > tried * 8, "%d of %d are decided", found, tried);
}

static void random_tableaux(void **state) {
    (void)state;
    rng r = rng_start("random_tableaux");
    int found = 0;
    const int rounds = (int)effort(30);
    for (int i = 0; i < rounds; i++) {
        const costab_method method = method_random_exact(&r, rng_int(&r, 1, 5), i % 2 == 0);
        const costab_planar planar =
            planar_of((costab_scheme)rng_int(&r, COSTAB_CROSS, COSTAB_STRONG), &method, 1, 1);
        area_system system;
        area_system_init(&planar, &system);
        found += decided(&planar, &system, random_a(&r, i % 3));
        area_system_clear(&system);
    }
    check_true(found * 2 > rounds, "%d of %d are decided", found, rounds);
}

/* phi = (1 + 3z/2) / (1 - z - 3z^2/2) at a = -1, where R = 2: for d below -5/4 or above 1 the rows reach from
 * Delta = 0 to 1 / (1 + 3d/2), in US. Its integral is infinite, as a logarithm is. */
static void logarithmic_tail(void **state) {
    (void)state;
    const costab_entry one = {"1", 1, 1}, none = {"0", 1, 0}, more = {"3/2", 3, 1.5};
    const costab_entry A[4] = {one, more, one, none}, b[2] = {one, none};
    costab_method method;
    costab_areas areas;
    bool sure;
    assert_int_equal(costab_method_from_entries(2, A, b, NULL, &method, NULL), COSTAB_OK);
    const costab_planar planar = planar_of(COSTAB_CROSS, &method, 1, 1);
    assert_int_equal(area_quick(&planar, -1, &areas, &sure, NULL), COSTAB_OK);
    assert_true(sure && isinf(areas.us) && areas.error_us == 0);
    area_system system;
    area_system_init(&planar, &system);
    assert_true(decided(&planar, &system, -1));
    area_system_clear(&system);
}

/* Whether the simulation's areas were decided; then FLINT must agree. */
static bool simulation_decided(const costab_method *method, int substeps) {
    enum { ORACLE_BITS = 75 };
    const costab_planar planar = planar_of(COSTAB_SIMULATION, method, substeps, substeps);
    costab_areas areas;
    bool sure;
    assert_int_equal(area_quick(&planar, 0, &areas, &sure, NULL), COSTAB_OK);
    if (!sure) return false;
    area_region regions[2];
    for (int k = 0; k < 2; k++) arb_init(regions[k].area);
    assert_int_equal(area_simulation_regions(&planar, ORACLE_BITS, regions, NULL), COSTAB_OK);
    check_area(&regions[0], areas.us, areas.error_us, method->name);
    check_area(&regions[1], areas.ss, areas.error_ss, method->name);
    for (int k = 0; k < 2; k++) arb_clear(regions[k].area);
    return true;
}

/* Euler's method has |1 + z| < 1: 4/3 of real pairs and 8/3 of complex ones. */
static void simulations(void **state) {
    (void)state;
    static const char *const explicit_methods[] = {"euler", "heun", "kutta3", "rk4"};
    for (size_t m = 0; m < sizeof explicit_methods / sizeof explicit_methods[0]; m++) {
        const costab_method method = method_named(explicit_methods[m]);
        check_true(simulation_decided(&method, m == 1 ? 3 : 1), "%s", explicit_methods[m]);
    }
    costab_areas areas;
    bool sure;
    const costab_planar euler = planar_named(COSTAB_SIMULATION, "euler", 1, 1);
    assert_int_equal(area_quick(&euler, 0, &areas, &sure, NULL), COSTAB_OK);
    check_near(areas.ss, 4, 0, "Euler's SS");
    check_true(sure && areas.us == 0 && areas.error_us == 0, "Euler's US is empty");
}

/* |1 + z - z^2/8| < 1 holds in two ovals, the second one right of the axis with an end at either end of the
 * angles, where its part of the integral begins with nothing. */
static void oval_on_the_right(void **state) {
    (void)state;
    const costab_entry A[4] = {{"0", 1, 0}, {"0", 1, 0}, {"-1/2", 4, -0.5}, {"0", 1, 0}};
    const costab_entry b[2] = {{"3/4", 3, 0.75}, {"1/4", 3, 0.25}};
    costab_method method;
    assert_int_equal(costab_method_from_entries(2, A, b, NULL, &method, NULL), COSTAB_OK);
    assert_true(simulation_decided(&method, 1));
}

/* |1 + z - z^2/4| < 1 holds in two ovals, mirror images of each other about x = 2, and on the real axis from
 * -w to 0 and from 4 to 4 + w with w = 2 sqrt(3) - 2: US has what SS has, and the pairs with one eigenvalue
 * in either interval. With z = 2 + 2 (s + it) an oval's edge is t^2 = sqrt(8 s^2 + 1) - s^2 - 2, 1 <= |s| <=
 * sqrt(3), and its complex pairs have the area of 2 y^2 dx = 16 t^2 ds. */
static void two_ovals(void **state) {
    (void)state;
    const costab_entry A[4] = {{"0", 1, 0}, {"0", 1, 0}, {"1", 1, 1}, {"0", 1, 0}};
    const costab_entry b[2] = {{"5/4", 3, 1.25}, {"-1/4", 4, -0.25}};
    costab_method method;
    costab_areas areas;
    bool sure;
    assert_int_equal(costab_method_from_entries(2, A, b, NULL, &method, NULL), COSTAB_OK);
    const costab_planar planar = planar_of(COSTAB_SIMULATION, &method, 1, 1);
    assert_int_equal(area_quick(&planar, 0, &areas, &sure, NULL), COSTAB_OK);
    assert_true(sure);
    const real w = 2 * sqrtl(3) - 2;
    check_near(areas.us, (real)areas.ss + w * w * (4 + w),
               areas.error_us + areas.error_ss + 16 * LDBL_EPSILON * 20, "US of two ovals");
    const real root = sqrtl(3), logarithm = (asinhl(sqrtl(24)) - asinhl(sqrtl(8))) / sqrtl(32);
    const real complex_pairs = 16 * ((5 * root - 3) / 2 + logarithm - (3 * root - 1) / 3 - 2 * (root - 1));
    check_near(areas.ss, w * w * w / 6 + complex_pairs, areas.error_ss + 8 * LDBL_EPSILON * 160,
               "SS of an oval");
}

/* What this way does not go is left to the other. */
static void others_are_left(void **state) {
    (void)state;
    costab_areas areas;
    const costab_planar steps = planar_named(COSTAB_CROSS, "rk4", 2, 2),
                        solver = planar_named(COSTAB_CROSS, "exact", 1, 1),
                        irrational = planar_named(COSTAB_CROSS, "sdirk2", 1, 1),
                        whole = planar_named(COSTAB_SIMULATION, "radau2", 1, 1);
    const costab_planar *const all[] = {&steps, &solver, &irrational, &whole};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bool sure = true;
        assert_int_equal(area_quick(all[i], 0.5, &areas, &sure, NULL), COSTAB_OK);
        assert_true(!sure);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials),         cmocka_unit_test(signs_are_exact),
        cmocka_unit_test(roots_are_all_there), cmocka_unit_test(ends_count),
        cmocka_unit_test(same_as_balls),       cmocka_unit_test(random_tableaux),
        cmocka_unit_test(logarithmic_tail),    cmocka_unit_test(simulations),
        cmocka_unit_test(oval_on_the_right),   cmocka_unit_test(two_ovals),
        cmocka_unit_test(others_are_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
