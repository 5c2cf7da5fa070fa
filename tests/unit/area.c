/* The parts that areas are made of: the quadrature rule's digits, its error bounds, series;
 * and the contract of costab_planar_areas and costab_planar_window_areas. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "costab/area.h"
#include "planar/area_series.h"
#include "planar/quadrature.h"
#include "planar/quadrature_nodes.h"
#include "support/support.h"

/* 21 Kronrod nodes are exact to degree 31, the 10 Gauss nodes among them to degree 19; that fixes both rules.
 */
static void rule_is_exact(void **state) {
    (void)state;
    for (int degree = 0; degree <= 32; degree += 2) {
        real kronrod = 0, gauss = 0, exact = 2.0L / (degree + 1);
        for (int k = 0; k < QUADRATURE_NODES; k++) {
            const quadrature_node *node = &quadrature_nodes[k];
            real power = powl(node->x, degree) * (k > 0 ? 2 : 1);
            kronrod += node->kronrod * power;
            gauss += node->gauss * power;
        }
        if (degree <= 31)
            check_true(fabsl(kronrod - exact) < 16 * LDBL_EPSILON, "Kronrod's rule at degree %d: %.21Lg",
                       degree, kronrod);
        if (degree <= 19)
            check_true(fabsl(gauss - exact) < 16 * LDBL_EPSILON, "Gauss's rule at degree %d: %.21Lg", degree,
                       gauss);
        if (degree == 20) check_true(fabsl(gauss - exact) > 1e-9L, "Gauss's rule has 10 nodes");
    }
}

static quadrature_sample pole_beside(void *context, wide x) {
    const wide *distance = context;
    return (quadrature_sample){1 / (x + *distance), 0};
}

static quadrature_sample root(void *context, wide x) {
    (void)context;
    return (quadrature_sample){sqrtl(x), 0};
}

static void quadrature_keeps_its_bound(void **state) {
    (void)state;
    for (wide distance = 1; distance > 1e-12L; distance /= 10) {
        quadrature_sum sum = {.converged = true};
        quadrature_add(pole_beside, &distance, 0, 1, 0x1p-55L, &sum);
        wide exact = logl((1 + distance) / distance);
        check_true(sum.converged && fabsl(sum.value - exact) <= sum.truncation + 1e-18L * exact,
                   "pole at distance %Lg: %.20Lg, expected %.20Lg, bound %Lg", distance, sum.value, exact,
                   sum.truncation);
        check_true(sum.truncation <= 1e-15L * exact, "pole at distance %Lg: bound %Lg", distance,
                   sum.truncation);
    }
    quadrature_sum sum = {.converged = true};
    quadrature_add(root, NULL, 0, 4, 0x1p-55L, &sum);
    check_true(fabsl(sum.value - 16.0L / 3) <= sum.truncation + 1e-18L, "square root: %.20Lg", sum.value);
}

/* Sums, products and inverses hold within their rests, at random places of the box. */
static void series_hold(void **state) {
    (void)state;
    rng r = rng_start("series");
    for (size_t i = 0; i < effort(300); i++) {
        double p[21], q[21], centre = rng_uniform(&r, -1, 1), radius = rng_uniform(&r, 0.01, 0.8);
        int n = rng_int(&r, 0, 20), m = rng_int(&r, 0, 20);
        for (int k = 0; k <= 20; k++) {
            p[k] = k <= n ? rng_uniform(&r, -1, 1) : 0;
            q[k] = k <= m ? rng_uniform(&r, -1, 1) : 0;
        }
        q[0] += 9;
        series f = series_polynomial(p, n, centre, radius), g = series_polynomial(q, m, centre, radius),
               inverse;
        series product = series_multiply(&f, &g), sum = series_add(&f, &g);
        bool inverted = series_invert(&g, &inverse);
        for (int j = 0; j < 5; j++) {
            double u = rng_uniform(&r, -1, 1);
            real x = (real)centre + (real)radius * u, fx = 0, gx = 0, values[3] = {0, 0, 0};
            for (int k = 20; k >= 0; k--) {
                fx = fx * x + p[k];
                gx = gx * x + q[k];
            }
            const series *all[3] = {&product, &sum, &inverse};
            for (int s = 0; s < (inverted ? 3 : 2); s++)
                for (int k = SERIES_ORDER; k >= 0; k--) values[s] = values[s] * u + all[s]->coefficient[k];
            real rounding = 1e-13L * series_norm(&f) * series_norm(&g);
            check_near((double)values[0], fx * gx, product.rest + rounding, "product");
            check_near((double)values[1], fx + gx, sum.rest + rounding, "sum");
            if (inverted) check_near((double)values[2], 1 / gx, inverse.rest + 1e-13L, "inverse");
        }
    }
    series zero = series_line(0, 1), inverse;
    check_true(!series_invert(&zero, &inverse), "a function with a root on the box has no inverse");
}

static costab_planar rk4(costab_scheme scheme) {
    costab_planar planar;
    costab_method m = method_named("rk4");
    assert_int_equal(costab_planar_init(&planar, scheme, &m, 1, 1, NULL), COSTAB_OK);
    return planar;
}

static void wrong_input(void **state) {
    (void)state;
    costab_planar planar = rk4(COSTAB_CROSS);
    costab_areas areas;
    costab_window_areas window;
    costab_error error;
    const double up[2] = {0, 1}, down[2] = {1, 0}, open[2] = {0, INFINITY};
    assert_int_equal(costab_planar_areas(&planar, NAN, &areas, &error), COSTAB_INVALID);
    assert_int_equal(error.status, COSTAB_INVALID);
    assert_int_equal(costab_planar_areas(&planar, INFINITY, &areas, NULL), COSTAB_INVALID);
    assert_int_equal(costab_planar_window_areas(&planar, 0, down, up, &window, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_window_areas(&planar, 0, up, down, &window, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_window_areas(&planar, 0, up, open, &window, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_window_areas(&planar, NAN, up, up, &window, &error), COSTAB_INVALID);
}

/* At the root p of phi all areas are 0, but a double next to it is another number: cross has US on both sides
 * of p. Far out and at 0 nothing breaks. */
static void special_a(void **state) {
    (void)state;
    const double p = -2.785293563405281624;
    for (int s = COSTAB_CROSS; s < COSTAB_SCHEME_COUNT; s++) {
        costab_planar planar = rk4((costab_scheme)s);
        costab_areas areas;
        assert_int_equal(costab_planar_areas(&planar, p, &areas, NULL), COSTAB_OK);
        check_true(s != COSTAB_CROSS || areas.us > 0, "a double next to p is not p");
        static const double far[] = {1e3, -1e3, 1e6, -1e6, 1e-300, -1e-300, -0.0};
        for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
            costab_error error = {.message = ""};
            check_true(costab_planar_areas(&planar, far[i], &areas, &error) == COSTAB_OK, "%s",
                       error.message);
            check_true(areas.ss >= 0 && areas.us >= 0, "areas at a = %g", far[i]);
        }
    }
    costab_planar tiny = rk4(COSTAB_STRONG);
    costab_areas areas;
    assert_int_equal(costab_planar_areas(&tiny, 1e-5, &areas, NULL), COSTAB_OK);
    check_near(areas.us, 9.1302521757994e-22L, 1e-35L, "the sliver at a = 1e-5");
}

/* Digits: the same numbers as text, 0 and inf, and refusals. */
static void digits(void **state) {
    (void)state;
    costab_planar planar = rk4(COSTAB_STRONG);
    costab_area_digits areas;
    costab_error error;
    assert_int_equal(costab_planar_area_digits(&planar, "1/2", 40, &areas, &error), COSTAB_OK);
    check_true(strncmp(areas.us, "0.0048937491524529714276482959", 30) == 0, "US at 1/2: %s", areas.us);
    check_true(areas.error_us > 0 && areas.error_us < 1e-42, "its error: %g", areas.error_us);
    costab_area_digits_free(&areas);
    assert_int_equal(costab_planar_area_digits(&planar, "0", 40, &areas, &error), COSTAB_OK);
    assert_string_equal(areas.us, "0");
    costab_area_digits_free(&areas);
    planar = rk4(COSTAB_CROSS);
    assert_int_equal(costab_planar_area_digits(&planar, "-0.5", 40, &areas, &error), COSTAB_OK);
    assert_string_equal(areas.ss, "inf");
    costab_area_digits_free(&areas);
    static const char *const wrong[] = {"", "x", "sqrt(2)", "1/0", "0.5 0.5", "inf", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(costab_planar_area_digits(&planar, wrong[i], 40, &areas, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_area_digits(&planar, "0", 0, &areas, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_area_digits(&planar, "0", 1001, &areas, &error), COSTAB_INVALID);
    costab_method method = method_named("rk4");
    assert_int_equal(costab_planar_init(&planar, COSTAB_CROSS, &method, 20, 1, NULL), COSTAB_OK);
    assert_int_equal(costab_planar_area_digits(&planar, "0", 20, &areas, &error), COSTAB_INVALID);
    assert_null(areas.ss);
}

/* A window around everything holds the areas of the whole plane; windows side by side add up. */
static void windows_add_up(void **state) {
    (void)state;
    rng r = rng_start("windows that add up");
    for (int s = COSTAB_SIMULATION; s < COSTAB_SCHEME_COUNT; s++) {
        costab_planar planar = rk4((costab_scheme)s);
        for (int i = 0; i < 10; i++) {
            double a = rng_uniform(&r, 0.05, 1.9), cut = rng_uniform(&r, -5, 1),
                   level = rng_uniform(&r, -3, 7);
            const double all[2] = {-40, 40}, left[2] = {-40, cut}, right[2] = {cut, 40};
            const double low[2] = {-40, level}, high[2] = {level, 40};
            costab_areas whole;
            costab_window_areas window, parts[4];
            assert_int_equal(costab_planar_areas(&planar, a, &whole, NULL), COSTAB_OK);
            assert_int_equal(costab_planar_window_areas(&planar, a, all, all, &window, NULL), COSTAB_OK);
            for (int k = 0; k < 4; k++)
                assert_int_equal(costab_planar_window_areas(&planar, a, k % 2 ? right : left,
                                                            k / 2 ? high : low, &parts[k], NULL),
                                 COSTAB_OK);
            check_near(window.area[COSTAB_SS], whole.ss, whole.error_ss + window.error[COSTAB_SS],
                       "SS at a = %g", a);
            check_near(window.area[COSTAB_US], whole.us, whole.error_us + window.error[COSTAB_US],
                       "US at a = %g", a);
            for (int c = 0; c < 4; c++) {
                real sum = 0, error = window.error[c];
                for (int k = 0; k < 4; k++) {
                    sum += parts[k].area[c];
                    error += parts[k].error[c];
                }
                check_near(window.area[c], sum, error, "%s of %s at a = %g in four windows",
                           costab_class_name(c), costab_scheme_name(planar.scheme), a);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_is_exact),  cmocka_unit_test(quadrature_keeps_its_bound),
        cmocka_unit_test(series_hold),    cmocka_unit_test(wrong_input),
        cmocka_unit_test(special_a),      cmocka_unit_test(digits),
        cmocka_unit_test(windows_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
