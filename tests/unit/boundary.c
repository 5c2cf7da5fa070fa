/* Boundary curves: every point is on its zero set, no chord strays, nothing is missed, isolated points are
 * where theory puts them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "costab/area.h"
#include "support.h"

static const double gamma_window[2] = {-7.3, 3.1}, delta_window[2] = {-5.2, 15.7};

/* The condition whose zero set a curve of this cause is. */
static double condition(const costab_planar *planar, double a, double gamma, double delta, uint8_t cause) {
    costab_planar_point p;
    costab_planar_points(planar, 1, &a, &gamma, &delta, &p);
    switch (cause) {
    case COSTAB_CAUSE_DET:
        return 1 - p.determinant;
    case COSTAB_CAUSE_FOLD:
        return 1 - p.trace + p.determinant;
    case COSTAB_CAUSE_FLIP:
        return 1 + p.trace + p.determinant;
    default:
        return 1 - p.iteration_radius;
    }
}

/* Whether the condition takes both signs, or nearly vanishes, on the rim of a box of `share` of the window.
 */
static bool crosses(const costab_planar *planar, double a, double gamma, double delta, uint8_t cause,
                    double share) {
    double width = share * (gamma_window[1] - gamma_window[0]),
           height = share * (delta_window[1] - delta_window[0]);
    bool negative = false, positive = false;
    double largest = 0;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
            double f = condition(planar, a, gamma + 0.5 * i * width, delta + 0.5 * j * height, cause);
            negative = negative || f <= 0;
            positive = positive || f >= 0;
            largest = fmax(largest, isfinite(f) ? fabs(f) : HUGE_VAL);
        }
    /* next to a pole of the map, branches lie closer together than can be sampled */
    if (largest > 30) return true;
    /* two branches may lie closer than the samples: look closer to the middle, too */
    for (double offset = height; offset > 1e-9 * height; offset *= 0.6)
        for (int side = -1; side <= 1; side += 2) {
            double f = condition(planar, a, gamma, delta + side * offset, cause);
            negative = negative || f <= 0;
            positive = positive || f >= 0;
        }
    return negative && positive;
}

static double distance(double x, double y, const costab_curve *c, size_t i) {
    double width = gamma_window[1] - gamma_window[0], height = delta_window[1] - delta_window[0];
    double px = c->gamma[i] / width, py = c->delta[i] / height;
    double qx = c->gamma[i + 1] / width - px, qy = c->delta[i + 1] / height - py;
    double length = qx * qx + qy * qy;
    double t = length > 0 ? fmin(1, fmax(0, ((x / width - px) * qx + (y / height - py) * qy) / length)) : 0;
    return hypot(x / width - px - t * qx, y / height - py - t * qy);
}

static bool near_a_curve(const costab_boundary *b, double gamma, double delta, uint8_t cause, double share) {
    for (size_t c = 0; c < b->count; c++)
        for (size_t i = 0; b->curves[c].cause == cause && i + 1 < b->curves[c].count; i++)
            if (distance(gamma, delta, &b->curves[c], i) < share) return true;
    return false;
}

static void check_curve(const costab_planar *planar, double a, const costab_curve *c, const char *what) {
    for (size_t i = 0; i < c->count; i++) {
        double x = c->gamma[i], y = c->delta[i];
        check_true(x >= gamma_window[0] - 1e-12 && x <= gamma_window[1] + 1e-12 &&
                       y >= delta_window[0] - 1e-12 && y <= delta_window[1] + 1e-12,
                   "%s: (%g, %g) lies outside the window", what, x, y);
        if (i % 7 == 0 && c->count > 1)
            check_true(crosses(planar, a, x, y, c->cause, i == 0 || i + 1 == c->count ? 1e-4 : 1e-6),
                       "%s: (%.12g, %.12g) is not on its curve", what, x, y);
        if (i + 1 < c->count && i % 5 == 0) {
            double mx = 0.5 * (x + c->gamma[i + 1]), my = 0.5 * (y + c->delta[i + 1]);
            check_true(crosses(planar, a, mx, my, c->cause, 1e-4), "%s: the chord at (%g, %g) strays", what,
                       mx, my);
        }
    }
}

/* Wherever a condition changes its sign across a short random segment, a curve passes. A pole of the map
 * changes the sign too, but through infinity: there the condition is not small. */
static void check_complete(rng *r, const costab_planar *planar, double a, const costab_boundary *b,
                           const char *what) {
    static const uint8_t causes[] = {COSTAB_CAUSE_DET, COSTAB_CAUSE_FOLD, COSTAB_CAUSE_FLIP,
                                     COSTAB_CAUSE_ITERATION};
    for (size_t k = 0; k < effort(100); k++) {
        double x = rng_uniform(r, gamma_window[0] + 0.02, gamma_window[1] - 0.02);
        double y = rng_uniform(r, delta_window[0] + 0.02, delta_window[1] - 0.02);
        double dx = rng_uniform(r, -0.01, 0.01), dy = rng_uniform(r, -0.01, 0.01);
        for (int c = 0; c < (planar->scheme == COSTAB_STRONG ? 4 : 3); c++) {
            double f = condition(planar, a, x, y, causes[c]),
                   g = condition(planar, a, x + dx, y + dy, causes[c]);
            if (!(f * g < 0) || fabs(f) > 1 || fabs(g) > 1) continue;
            check_true(near_a_curve(b, x, y, causes[c], 3e-3),
                       "%s: a curve of cause %d is missing at (%g, %g)", what, causes[c], x, y);
        }
    }
}

TEST(curves_lie_on_their_zero_sets) {
    static const char *const methods[] = {"euler", "heun", "rk4", "dopri5", "backward-euler", "radau2"};
    static const double values[] = {-3, -0.5, 0, 0.5, 2};
    rng r = rng_start("boundary");
    size_t number = 0;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        for (int scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++)
            for (int substeps = 1; substeps <= 3; substeps += 2)
                for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
                    if (scheme == COSTAB_SIMULATION && k > 0) continue;
                    costab_method method = method_named(methods[m]);
                    /* next to a pole of sixth order the branches of the iteration lie closer than doubles
                     * tell
                     */
                    if (scheme == COSTAB_STRONG && substeps > 1 && method.implicit) continue;
                    if (number++ % effort_stride(50) != 0) continue;
                    costab_planar planar;
                    costab_boundary b;
                    char what[128];
                    snprintf(what, sizeof what, "%s, %s, %d micro steps, a = %g",
                             costab_scheme_name((costab_scheme)scheme), methods[m], substeps, values[k]);
                    check_ok(costab_planar_init(&planar, (costab_scheme)scheme, &method, substeps, substeps,
                                                &why));
                    check_ok(
                        costab_planar_boundary(&planar, values[k], gamma_window, delta_window, &b, &why));
                    for (size_t c = 0; c < b.count; c++) check_curve(&planar, values[k], &b.curves[c], what);
                    check_complete(&r, &planar, values[k], &b, what);
                    costab_boundary_free(&b);
                }
}

static bool has_point(const costab_boundary *b, uint8_t cause, double gamma, double delta, double bound) {
    for (size_t c = 0; c < b->count; c++)
        if (b->curves[c].cause == cause && b->curves[c].count == 1 &&
            fabs(b->curves[c].gamma[0] - gamma) < bound && fabs(b->curves[c].delta[0] - delta) < bound)
            return true;
    return false;
}

static costab_boundary simulation_boundary(const char *name, int substeps) {
    costab_method method = method_named(name);
    costab_planar planar;
    costab_boundary b;
    check_ok(costab_planar_init(&planar, COSTAB_SIMULATION, &method, substeps, substeps, &why));
    check_ok(costab_planar_boundary(&planar, 0, gamma_window, delta_window, &b, &why));
    return b;
}

/* [KNS] section 4: isolated points of gamma2 and gamma3; the heart-shaped gamma1 is one piece. */
TEST(isolated_points_of_rk4) {
    costab_boundary b = simulation_boundary("rk4", 1);
    assert_true(has_point(&b, COSTAB_CAUSE_FLIP, 0.438893783955, 6.175295485124, 1e-11));
    assert_true(has_point(&b, COSTAB_CAUSE_FLIP, -4.438893783955, 7.772907404291, 1e-11));
    assert_true(has_point(&b, COSTAB_CAUSE_FOLD, -1.21470643659, 8.61668598073, 1e-10));
    size_t det = 0, single = 0;
    for (size_t c = 0; c < b.count; c++) {
        det += b.curves[c].cause == COSTAB_CAUSE_DET;
        single += b.curves[c].count == 1;
    }
    assert_int_equal(det, 1);
    assert_int_equal(single, 3);
    costab_boundary_free(&b);
}

/* The exact solver: Det D = e^Gamma, and e^lambda = +-1 on the imaginary axis at multiples of pi. A million
 * micro steps are next to it: R^m = +-1 has a million solutions, of which one is in the window. */
TEST(isolated_points_of_the_exact_solver) {
    const double pi = acos(-1);
    for (int many = 0; many < 2; many++) {
        costab_boundary b = simulation_boundary(many ? "rk4" : "exact", many ? 1000000 : 1);
        assert_true(has_point(&b, COSTAB_CAUSE_FLIP, 0, pi * pi, many ? 1e-9 : 1e-12));
        assert_int_equal(b.count, 3);
        costab_boundary_free(&b);
    }
}

/* Strong coupling at a = 0 has Det D = 1 on the whole line Gamma = 0, whatever rows the window's width makes:
 * one curve and one line. */
TEST(a_vertical_line_stands_once) {
    static const double windows[][2] = {{-6, 1.5}, {-7.3, 3.1}, {-6, 2}, {-5, 3.7}};
    costab_method method = method_named("rk4");
    costab_planar planar;
    check_ok(costab_planar_init(&planar, COSTAB_STRONG, &method, 1, 1, &why));
    for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
        costab_boundary b;
        size_t det = 0;
        check_ok(costab_planar_boundary(&planar, 0, windows[w], delta_window, &b, &why));
        for (size_t c = 0; c < b.count; c++) det += b.curves[c].cause == COSTAB_CAUSE_DET;
        assert_int_equal(det, 2);
        costab_boundary_free(&b);
    }
}

/* At a double the written number is that double: the curves are the same up to rounding, which moves rows
 * and ends of pieces by less than what a chord may be off. */
TEST(written_numbers) {
    static const char *const methods[] = {"rk4", "radau2", "exact"}, *const written[] = {"0", "3/8", "-2.5"};
    static const int substeps[][2] = {{1, 1}, {3, 2}, {7, 1}, {1000, 12}};
    costab_planar planar;
    costab_boundary b[2];
    for (int n = 0; n < 3 * 4 * 3 * 3; n++) {
        const costab_method method = method_named(methods[n % 3]);
        const char *a = written[n / 3 % 3];
        const int *steps = substeps[n / 9 % 4];
        check_ok(costab_planar_init(&planar, (costab_scheme)(COSTAB_CROSS + n / 36), &method, steps[0],
                                    steps[1], &why));
        check_ok(costab_planar_boundary(&planar, (double[]){0, 0.375, -2.5}[n / 3 % 3], gamma_window,
                                        delta_window, &b[0], &why));
        check_ok(costab_planar_boundary_at(&planar, a, gamma_window, delta_window, &b[1], &why));
        check_true(b[0].count == b[1].count, "case %d: %zu curves and %zu", n, b[0].count, b[1].count);
        for (int k = 0; k < 2; k++)
            for (size_t c = 0; c < b[k].count; c++)
                for (size_t i = 0; i < b[k].curves[c].count && b[k].curves[c].count > 1; i += 7)
                    check_true(near_a_curve(&b[1 - k], b[k].curves[c].gamma[i], b[k].curves[c].delta[i],
                                            b[k].curves[c].cause, 1e-4),
                               "case %d: (%.17g, %.17g)", n, b[k].curves[c].gamma[i],
                               b[k].curves[c].delta[i]);
        costab_boundary_free(&b[0]);
        costab_boundary_free(&b[1]);
    }
    assert_int_equal(costab_planar_boundary_at(&planar, "1/0", gamma_window, delta_window, b, &why),
                     COSTAB_INVALID);
    assert_int_equal(costab_planar_boundary_at(&planar, "1e399", gamma_window, delta_window, b, &why),
                     COSTAB_INVALID);
}

/* Det D = 1 for every Delta at Gamma = 0: one line, and no other curve of det in this window. */
TEST(symmetric_methods_have_a_vertical_line) {
    static const char *const names[] = {"trapezoidal", "gauss2", "exact"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        costab_method method = method_named(names[m]);
        costab_planar planar;
        costab_boundary b;
        size_t lines = 0;
        check_ok(costab_planar_init(&planar, COSTAB_SIMULATION, &method, 1, 1, &why));
        check_ok(costab_planar_boundary(&planar, 0, gamma_window, delta_window, &b, &why));
        for (size_t c = 0; c < b.count; c++) {
            const costab_curve *curve = &b.curves[c];
            if (curve->cause != COSTAB_CAUSE_DET) continue;
            check_true(curve->count == 2 && curve->gamma[0] == 0 && curve->gamma[1] == 0,
                       "%s: a curve of %zu points", names[m], curve->count);
            lines++;
        }
        assert_int_equal(lines, 1);
        costab_boundary_free(&b);
    }
}

TEST(windows_must_be_windows) {
    costab_method method = method_named("rk4");
    costab_planar planar;
    costab_boundary b;
    costab_error error;
    const double backward[2] = {1, 0}, endless[2] = {0, HUGE_VAL};
    check_ok(costab_planar_init(&planar, COSTAB_CROSS, &method, 1, 1, &why));
    assert_int_equal(costab_planar_boundary(&planar, 0, backward, delta_window, &b, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_boundary(&planar, 0, gamma_window, endless, &b, &error), COSTAB_INVALID);
}
