/* The contract of costab_planar_areas, costab_planar_area_digits and costab_planar_window_areas. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "costab/area.h"
#include "support/planar.h"

static costab_planar rk4(costab_scheme scheme) {
    costab_planar planar;
    costab_method m = method_named("rk4");
    check_ok(costab_planar_init(&planar, scheme, &m, 1, 1, &why));
    return planar;
}

TEST(wrong_input) {
    costab_planar planar = rk4(COSTAB_CROSS);
    costab_areas areas;
    costab_window_areas window;
    costab_error error;
    const double up[2] = {0, 1}, down[2] = {1, 0}, open[2] = {0, INFINITY};
    assert_int_equal(costab_planar_areas(&planar, NAN, &areas, &error), COSTAB_INVALID);
    assert_int_equal(error.status, COSTAB_INVALID);
    assert_int_equal(costab_planar_areas(&planar, INFINITY, &areas, NULL), COSTAB_INVALID);
    assert_int_equal(window_areas(&planar, 0, down, up, &window, &error), COSTAB_INVALID);
    assert_int_equal(window_areas(&planar, 0, up, down, &window, &error), COSTAB_INVALID);
    assert_int_equal(window_areas(&planar, 0, up, open, &window, &error), COSTAB_INVALID);
    assert_int_equal(window_areas(&planar, NAN, up, up, &window, &error), COSTAB_INVALID);
}

/* At the root p of phi all areas are 0, but a double next to it is another number: cross has US on both sides
 * of p. Far out and at 0 nothing breaks. */
TEST(special_a) {
    const double p = -2.785293563405281624;
    for (int s = COSTAB_CROSS; s < COSTAB_SCHEME_COUNT; s++) {
        costab_planar planar = rk4((costab_scheme)s);
        costab_areas areas;
        check_ok(costab_planar_areas(&planar, p, &areas, &why));
        check_true(s != COSTAB_CROSS || areas.us > 0, "a double next to p is not p");
        static const double far[] = {1e3, -1e3, 1e6, -1e6, 1e-300, -1e-300, -0.0};
        for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
            check_ok(costab_planar_areas(&planar, far[i], &areas, &why));
            check_true(areas.ss >= 0 && areas.us >= 0, "areas at a = %g", far[i]);
        }
    }
    costab_planar tiny = rk4(COSTAB_STRONG);
    costab_areas areas;
    check_ok(costab_planar_areas(&tiny, 1e-5, &areas, &why));
    check_near(areas.us, 9.1302521757994e-22L, 1e-35L, "the sliver at a = 1e-5");
}

/* Digits: the same numbers as text, 0 and inf, and refusals. */
TEST(digits) {
    costab_planar planar = rk4(COSTAB_STRONG);
    costab_area_digits areas;
    check_ok(costab_planar_area_digits(&planar, "1/2", 40, &areas, &why));
    check_true(strncmp(areas.us, "0.0048937491524529714276482959", 30) == 0, "US at 1/2: %s", areas.us);
    check_true(areas.error_us > 0 && areas.error_us < 1e-42, "its error: %g", areas.error_us);
    costab_area_digits_free(&areas);
    check_ok(costab_planar_area_digits(&planar, "0", 40, &areas, &why));
    assert_string_equal(areas.us, "0");
    costab_area_digits_free(&areas);
    planar = rk4(COSTAB_CROSS);
    check_ok(costab_planar_area_digits(&planar, "-0.5", 40, &areas, &why));
    assert_string_equal(areas.ss, "inf");
    costab_area_digits_free(&areas);
    static const char *const wrong[] = {"", "x", "sqrt(2)", "1/0", "0.5 0.5", "inf", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(costab_planar_area_digits(&planar, wrong[i], 40, &areas, &why), COSTAB_INVALID);
    assert_int_equal(costab_planar_area_digits(&planar, "0", 0, &areas, &why), COSTAB_INVALID);
    assert_int_equal(costab_planar_area_digits(&planar, "0", 1001, &areas, &why), COSTAB_INVALID);
    costab_method method = method_named("rk4");
    check_ok(costab_planar_init(&planar, COSTAB_CROSS, &method, 257, 1, &why));
    assert_int_equal(costab_planar_area_digits(&planar, "0", 20, &areas, &why), COSTAB_INVALID);
    assert_null(areas.ss);
    costab_areas doubles;
    assert_int_equal(costab_planar_areas(&planar, 0, &doubles, &why), COSTAB_INVALID);
}

/* 0.548 is not a double: the bound of the area of SS at 548/1000 excludes the area at the nearest double. The
 * value is of another program, which integrates the rows of the map x+ = R(a) x + b phi(a) y, y+ = R(d) y + c
 * phi(d) x between the roots of their ends in 60 digits. */
TEST(areas_at_what_is_written) {
    const long double expected = 1.65064672376362002178108604180562834497366208e-5L;
    const costab_planar planar = rk4(COSTAB_CROSS);
    static const char *const same[] = {"0.548",   "548/1000",  "137/250",
                                       "5.48e-1", "0.5+0.048", "0.5+(1-0.5)*12/125"};
    costab_areas areas;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        check_ok(costab_planar_areas_at(&planar, same[i], &areas, &why));
        check_true(fabsl(areas.ss - expected) <= areas.error_ss + 1e-23L && areas.error_ss < 2e-21,
                   "%s: %.17g, error %g", same[i], areas.ss, areas.error_ss);
    }
    check_ok(costab_planar_areas(&planar, 0.548, &areas, &why));
    check_true(fabsl(areas.ss - expected) > 1000 * areas.error_ss, "the double: %.17g", areas.ss);
    static const char *const wrong[] = {"",    "1/0", "1/3x", "1e400",  "1e-99999",
                                        "nan", "pi",  "1,2",  "1/(2-2)"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(costab_planar_areas_at(&planar, wrong[i], &areas, &why), COSTAB_INVALID);
    const double gamma[2] = {-4, -1}, delta[2] = {0, 3};
    costab_window_areas window, written;
    check_ok(window_areas(&planar, 0.25, gamma, delta, &window, &why));
    const costab_number a = {0, "1/4"}, g[2] = {{0, "-8/2"}, {0, "-1.0"}}, d[2] = {{0, "0"}, {0, "3"}};
    check_ok(costab_planar_window_areas(&planar, a, g, d, &written, &why));
    assert_memory_equal(&window, &written, sizeof window);
    const costab_number none[2] = {{0, "1/0"}, {0, "3"}}, equal[2] = {{0, "1/3"}, {0, "2/6"}};
    assert_int_equal(costab_planar_window_areas(&planar, none[0], g, d, &written, NULL), COSTAB_INVALID);
    assert_int_equal(costab_planar_window_areas(&planar, a, none, d, &written, NULL), COSTAB_INVALID);
    assert_int_equal(costab_planar_window_areas(&planar, a, g, equal, &written, NULL), COSTAB_INVALID);
}

/* The window of Heun's method from Gamma = -3 to 0 and Delta = 0 to 2, whose top crosses Delta = Gamma^2 / 4.
 * In a row x = Gamma / 2 the stable Delta are between max(0, -4 x - 4) and -2 x + 2 sqrt(1 - (x + 1)^2). */
TEST(window_across_the_parabola) {
    const double gamma[2] = {-3, 0}, delta[2] = {0, 2};
    costab_planar planar = {.scheme = COSTAB_SIMULATION, .method = method_named("heun"), .substeps = {1, 1}};
    costab_window_areas window;
    check_ok(window_areas(&planar, 0, gamma, delta, &window, &why));
    check_near(window.area[COSTAB_SS], 3 + 2 * atanl(1), window.error[COSTAB_SS] + 1e-15L, "3 + pi / 2");
    assert_true(window.error[COSTAB_SS] < 1e-10 && window.area[COSTAB_US] == 0);
}

/* A window around everything holds the areas of the whole plane; windows side by side add up. */
TEST(windows_add_up) {
    rng r = rng_start("windows that add up");
    for (int s = COSTAB_SIMULATION; s < COSTAB_SCHEME_COUNT; s++) {
        /* the simulation's windows take longer: of a method of lower order less so */
        bool simulation = s == COSTAB_SIMULATION;
        costab_planar planar = planar_named((costab_scheme)s, simulation ? "euler" : "rk4", 1, 1);
        for (size_t i = 0; i < (simulation ? effort(1) : effort(2)); i++) {
            double a = rng_uniform(&r, 0.05, 1.9), cut = rng_uniform(&r, -5, 1),
                   level = rng_uniform(&r, -3, 7);
            const double all[2] = {-40, 40}, left[2] = {-40, cut}, right[2] = {cut, 40};
            const double low[2] = {-40, level}, high[2] = {level, 40};
            costab_areas whole;
            costab_window_areas window, parts[4];
            check_ok(costab_planar_areas(&planar, a, &whole, &why));
            check_ok(window_areas(&planar, a, all, all, &window, &why));
            for (int k = 0; k < 4; k++)
                check_ok(window_areas(&planar, a, k % 2 ? right : left, k / 2 ? high : low, &parts[k], &why));
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

/* The method `exact` against quadratures of the rows with 30 digits, split where other bounds end
 * them; its stable set begins, meets its other bound and leaves the window inside of it. */
TEST(exact_in_windows) {
    static const struct {
        costab_scheme scheme;
        double a;
        real ss;
    } cases[] = {{COSTAB_CROSS, 0.5, 344.6676994680114123813L},
                 {COSTAB_ZIGZAG, 0.75, 1889.732563500796478716L},
                 {COSTAB_STRONG, 0.75, 1091.065770668249736511L}};
    const double gamma[2] = {-50, 10}, delta[2] = {-20, 60};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += effort_stride(2)) {
        costab_planar planar = planar_named(cases[i].scheme, "exact", 1, 1);
        costab_window_areas window;
        check_ok(window_areas(&planar, cases[i].a, gamma, delta, &window, &why));
        check_true(window.error[COSTAB_SS] < 1e-12, "its error: %g", window.error[COSTAB_SS]);
        check_near(window.area[COSTAB_SS], cases[i].ss, window.error[COSTAB_SS], "SS of %s",
                   costab_scheme_name(cases[i].scheme));
        check_true(window.area[COSTAB_US] == 0 && window.error[COSTAB_US] == 0, "no US");
    }
}

/* This window contains all of the simulation's stable set with rk4; the areas are known to 18 digits. */
TEST(simulation_in_a_window) {
    costab_planar planar = rk4(COSTAB_SIMULATION);
    costab_window_areas window;
    const double gamma[2] = {-6, 1}, delta[2] = {-2, 14};
    check_ok(window_areas(&planar, 0, gamma, delta, &window, &why));
    check_near(window.area[COSTAB_SS], 32.57320470108170393L, window.error[COSTAB_SS], "SS");
    check_near(window.area[COSTAB_US], 2.00072449049073598L, window.error[COSTAB_US], "US");
    check_true(window.error[COSTAB_SS] < 1e-9 && window.error[COSTAB_US] < 1e-9, "errors: %g, %g",
               window.error[COSTAB_SS], window.error[COSTAB_US]);
}

/* rk4 near Gamma = 0: |R|^2 - 1 = Gamma - Delta^3 / 72 + ..., so that all rows with Gamma < 0 are stable for
 * 0 < Delta < 1, and those with Gamma > 0 above (72 Gamma)^(1/3), whose integral is 3/4 Gamma (72
 * Gamma)^(1/3). The next terms are smaller by Gamma^(2/3). */
TEST(simulation_near_zero_trace) {
    costab_planar planar = rk4(COSTAB_SIMULATION);
    const double widths[] = {1e-12, 1e-16, 1e-20, 1e-100};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        costab_window_areas window;
        const double w = widths[i], gamma[2] = {-w, w}, delta[2] = {-1, 1};
        const real us = w * (1 - 0.75L * cbrtl(72 * w));
        check_ok(window_areas(&planar, 0, gamma, delta, &window, &why));
        check_near(window.area[COSTAB_SS], w, window.error[COSTAB_SS], "SS of width %g", w);
        check_near(window.area[COSTAB_US], us, window.error[COSTAB_US] + 1e-7L * w, "US of width %g", w);
        check_true(window.error[COSTAB_SS] < 1e-12 * w && window.error[COSTAB_US] < 1e-12 * w,
                   "errors: %g, %g", window.error[COSTAB_SS], window.error[COSTAB_US]);
    }
}

/* phi = (1 + 3z/2) / (1 - z - 3z^2/2) at a = -1, where R = 2: for d below -5/4 or above 1 the rows reach from
 * Delta = 0 to 1 / (1 + 3d/2), in US. Its integral is infinite, as a logarithm is. */
TEST(logarithmic_tail) {
    const costab_method method = method_of_texts(2, (const char *const[]){"1", "1", "3/2", "0", "1", "0"});
    const costab_planar planar = planar_of(COSTAB_CROSS, &method, 1, 1);
    costab_areas areas;
    check_ok(costab_planar_areas(&planar, -1, &areas, &why));
    assert_true(isinf(areas.us) && areas.error_us == 0);
}

/* |1 + z + w z^2| < 1 holds with w = 1 also right of the imaginary axis, with w = 3/8 in one part left of it,
 * with w = -1/8 in two ovals, the second one right of the axis with an end at either end of the angles, where
 * its part of the integral begins with nothing. Areas by tests/reference/planar_areas.py. */
TEST(quadratic_stability_functions) {
    static const struct {
        const char *text[6];
        real ss, us;
    } cases[] = {{{"0", "0", "0", "1", "1", "0"}, 3.313799364234217850594L, 0.1045997880780726168647L},
                 {{"5/8", "0", "0", "3/8", "1", "0"}, 16.39558845902687855083L, 0},
                 {{"3/4", "0", "0", "1/4", "-1/2", "0"}, 2.230564959380981987552L, 28.74023295125906511086L}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const costab_method method = method_of_texts(2, cases[i].text);
        const costab_planar planar = planar_of(COSTAB_SIMULATION, &method, 1, 1);
        costab_areas areas;
        check_ok(costab_planar_areas(&planar, 0, &areas, &why));
        check_near(areas.ss, cases[i].ss, areas.error_ss + 8 * LDBL_EPSILON, "SS of case %zu", i);
        check_near(areas.us, cases[i].us, areas.error_us + 16 * LDBL_EPSILON, "US of case %zu", i);
    }
}

/* |1 + z - z^2/4| < 1 holds in two ovals, mirror images of each other about x = 2, and on the real axis from
 * -w to 0 and from 4 to 4 + w with w = 2 sqrt(3) - 2: US has what SS has, and the pairs with one eigenvalue
 * in either interval. With z = 2 + 2 (s + it) an oval's edge is t^2 = sqrt(8 s^2 + 1) - s^2 - 2, 1 <= |s| <=
 * sqrt(3), and its complex pairs have the area of 2 y^2 dx = 16 t^2 ds. */
TEST(two_ovals) {
    const costab_method method = method_of_texts(2, (const char *const[]){"5/4", "0", "0", "-1/4", "1", "0"});
    const costab_planar planar = planar_of(COSTAB_SIMULATION, &method, 1, 1);
    costab_areas areas;
    check_ok(costab_planar_areas(&planar, 0, &areas, &why));
    const real w = 2 * sqrtl(3) - 2;
    check_near(areas.us, (real)areas.ss + w * w * (4 + w),
               areas.error_us + areas.error_ss + 16 * LDBL_EPSILON * 20, "US of two ovals");
    const real root = sqrtl(3), logarithm = (asinhl(sqrtl(24)) - asinhl(sqrtl(8))) / sqrtl(32);
    const real complex_pairs = 16 * ((5 * root - 3) / 2 + logarithm - (3 * root - 1) / 3 - 2 * (root - 1));
    check_near(areas.ss, w * w * w / 6 + complex_pairs, areas.error_ss + 8 * LDBL_EPSILON * 160,
               "SS of an oval");
}
