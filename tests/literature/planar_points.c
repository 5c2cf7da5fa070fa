/* The planar system's maps in numbers: reference values of 30 digits and the published closed forms.
 *
 * Trace, determinant and iteration radius must agree to 1e-12 relative to max(1, |value|), or to what the
 * conditioning allows: the running error bound of support/bound.h, which adds the roundings of each operation
 * of the formulas as they reach the result. It exceeds 1e-12 where the weights are large, K = 1 - w
 * P1_a P1_d is near 0 or (spectral radius) the eigenvalues are nearly equal. The reference values hold for
 * the doubles of a, Gamma and Delta as read, so that d = Gamma - a is not rounded in them; the bound contains
 * that rounding.
 *
 * [KNS] T. Kalmar-Nagy, I. Stanciulescu, Can complex systems really be simulated?, 2014. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bound.h"
#include "support/definition.h"
#include "support/planar.h"

#define REFERENCE "tests/reference/planar_points.csv"

/* ---- the reference file ---- */

typedef struct reference {
    costab_scheme scheme;
    double a, gamma, delta;
    real trace, determinant, iteration_radius; /* the last NaN where the cell is empty */
    char class_name[3], tag[32];
} reference;

/* Cuts a line at its commas; returns the number of cells. */
static int split(char *line, char **cells, int most) {
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at && count < most;) {
        cells[count++] = at;
        at = strchr(at, ',');
        if (at) *at++ = '\0';
    }
    return count;
}

static reference parse(char *line) {
    char *cell[10];
    assert_int_equal(split(line, cell, 10), 9);
    reference r;
    check_ok(costab_scheme_find(cell[0], &r.scheme, &why));
    r.a = strtod(cell[1], NULL);
    r.gamma = strtod(cell[2], NULL);
    r.delta = strtod(cell[3], NULL);
    r.trace = strtold(cell[4], NULL);
    r.determinant = strtold(cell[5], NULL);
    snprintf(r.class_name, sizeof r.class_name, "%s", cell[6]);
    r.iteration_radius = *cell[7] ? strtold(cell[7], NULL) : (real)NAN;
    snprintf(r.tag, sizeof r.tag, "%s", cell[8]);
    return r;
}

static void check_value(double value, real expected, real bound, const char *what, const reference *r,
                        size_t *loose) {
    real target = 1e-12L * fmaxl(1.0L, fabsl(expected));
    *loose += fabsl((real)value - expected) > target;
    check_near(value, expected, fmaxl(2.0L * bound, target),
               "%s of %s at a %.17g gamma %.17g delta %.17g (%s)", what, costab_scheme_name(r->scheme), r->a,
               r->gamma, r->delta, r->tag);
}

static void check_reference(const reference *r, size_t *loose) {
    costab_planar planar = planar_named(r->scheme, "rk4", 1, 1);
    costab_planar_point p = point_at(&planar, r->a, r->gamma, r->delta);
    approx_point b = bound_point(&planar, r->a, r->gamma, r->delta);
    check_value(p.trace, r->trace, b.trace.error, "trace", r, loose);
    check_value(p.determinant, r->determinant, b.determinant.error, "determinant", r, loose);
    real radius = define_spectral_radius(r->trace, r->determinant);
    check_value(p.spectral_radius, radius, bound_spectral_radius(&b), "spectral radius", r, loose);
    if (r->scheme == COSTAB_STRONG)
        check_value(p.iteration_radius, r->iteration_radius, b.iteration_radius.error, "iteration radius", r,
                    loose);
    else
        assert_true(isnan(p.iteration_radius));
    check_true(strcmp(costab_class_name(p.class_code), r->class_name) == 0,
               "%s at a %.17g gamma %.17g delta %.17g (%s): class %s, expected %s",
               costab_scheme_name(r->scheme), r->a, r->gamma, r->delta, r->tag,
               costab_class_name(p.class_code), r->class_name);
    assert_int_equal(p.cause == 0, p.class_code & 1);
    /* The row kernel on this one point. */
    costab_planar_slice slice = costab_planar_at(&planar, r->a);
    uint8_t class_code;
    costab_planar_class_row(&slice, r->gamma, 1, &r->delta, &class_code);
    assert_int_equal(class_code, p.class_code);
}

TEST(test_reference_points) {
    FILE *file = fopen(REFERENCE, "r");
    if (!file) fail_msg("%s cannot be opened: run the tests in the project's root", REFERENCE);
    char line[1024];
    size_t count = 0, beside = 0, loose = 0, classes[4] = {0};
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "scheme,a,gamma,delta,trace,determinant,class,iteration_radius,tag\n");
    while (fgets(line, sizeof line, file)) {
        reference r = parse(line);
        check_reference(&r, &loose);
        count++;
        beside += strncmp(r.tag, "near", 4) == 0;
        for (int k = 0; k < 4; k++) classes[k] += strcmp(r.class_name, costab_class_name((uint8_t)k)) == 0;
    }
    fclose(file);
    print_message("# %zu points, %zu of them 1e-9 beside a boundary; UU US SU SS %zu %zu %zu %zu; %zu "
                  "values off by more than 1e-12, within their conditioning\n",
                  count, beside, classes[0], classes[1], classes[2], classes[3], loose);
    assert_int_equal(count, 400);
    assert_int_equal(beside, 120);
    for (int k = 0; k < 4; k++) assert_true(classes[k] > 0);
    assert_true(loose * 100 <= count);
}

/* ---- closed forms ---- */

/* [KNS] eqs. 23 and 24 with their last terms corrected: 24 Tr D and 576 Det D of RK4's simulation. */
TEST(test_rk4_simulation_polynomials) {
    rng r = rng_start("simulation polynomials");
    costab_planar planar = planar_named(COSTAB_SIMULATION, "rk4", 1, 1);
    for (size_t n = 0; n < effort(5000); n++) {
        double gamma = rng_uniform(&r, -7.0, 2.0), delta = rng_uniform(&r, -4.0, 14.0);
        real G = (real)gamma, D = (real)delta, G2 = G * G, G3 = G2 * G;
        real trace = (G2 * G2 + 4 * G3 + 12 * G2 + 24 * G + 48 - 4 * (G2 + 3 * G + 6) * D + 2 * D * D) / 24;
        real determinant = (D * D * D * D + 4 * (G - 2) * D * D * D + 12 * G * (G - 2) * D * D + 24 * G3 * D +
                            24 * (G2 * G2 + 4 * G3 + 12 * G2 + 24 * G + 24)) /
                           576;
        approx_point b = bound_point(&planar, 0.0, gamma, delta);
        costab_planar_point p = point_at(&planar, rng_uniform(&r, -3.0, 3.0), gamma, delta);
        check_near(p.trace, trace, 2.0L * b.trace.error, "trace at %.17g %.17g", gamma, delta);
        check_near(p.determinant, determinant, 2.0L * b.determinant.error, "det at %.17g %.17g", gamma,
                   delta);
    }
}

/* R, P0, P1 and phi of RK4 as polynomials, from section 1's list. */
typedef struct rk4_weights {
    real R, phi, p0, p1;
} rk4_weights;

static rk4_weights rk4(real z) {
    return (rk4_weights){1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24,
                         1 + z / 2 + z * z / 6 + z * z * z / 24, 0.5L + z / 3 + z * z / 8 + z * z * z / 24,
                         0.5L + z / 6 + z * z / 24};
}

/* [KNS] eq. 33 with its coefficients corrected: cross, Tr D as a polynomial in Gamma at fixed a; the Gamma
 * coefficient is
 * -(a^3 - 3a^2 + 6a - 6)/6 and the constant (a^4 + 12 a^2 + 24)/12. */
TEST(test_rk4_cross_trace) {
    rng r = rng_start("cross trace");
    costab_planar planar = planar_named(COSTAB_CROSS, "rk4", 1, 1);
    for (size_t n = 0; n < effort(2000); n++) {
        double x = rng_uniform(&r, -4.0, 3.0), gamma = rng_uniform(&r, -7.0, 2.0),
               delta = rng_uniform(&r, -4.0, 14.0);
        real a = (real)x, G = (real)gamma;
        real trace = G * G * G * G / 24 + (1 - a) * G * G * G / 6 + (a * a - 2 * a + 2) * G * G / 4 -
                     (a * a * a - 3 * a * a + 6 * a - 6) * G / 6 + (a * a * a * a + 12 * a * a + 24) / 12;
        approx_point b = bound_point(&planar, x, gamma, delta);
        check_near(point_at(&planar, x, gamma, delta).trace, trace, 2.0L * b.trace.error, "a %g gamma %g", x,
                   gamma);
    }
}

/* 1 - Tr D + Det D = Delta phi_a phi_d, over K for strong: the difference of the library's numbers against
 * the product in long double, for any micro steps by way of the definition. */
TEST(test_fold_identity) {
    rng r = rng_start("fold identity");
    for (costab_scheme scheme = COSTAB_CROSS; scheme <= COSTAB_STRONG; scheme++) {
        costab_planar planar = planar_named(scheme, "rk4", 1, 1);
        for (size_t n = 0; n < effort(3000); n++) {
            double a = rng_uniform(&r, -4.0, 3.0), gamma = rng_uniform(&r, -7.0, 2.0);
            double delta = rng_uniform(&r, -4.0, 14.0);
            real d = (real)gamma - (real)a, w = (real)a * d - (real)delta;
            rk4_weights A = rk4((real)a), D = rk4(d);
            real K = scheme == COSTAB_STRONG ? 1.0L - w * A.p1 * D.p1 : 1.0L;
            real product = (real)delta * A.phi * D.phi / K;
            approx_point b = bound_point(&planar, a, gamma, delta);
            costab_planar_point p = point_at(&planar, a, gamma, delta);
            real difference = 1.0L - (real)p.trace + (real)p.determinant;
            real bound = 2.0L * (b.trace.error + b.determinant.error) + b.fold.error;
            if (!(fabsl(difference - product) <= bound))
                fail_msg("%s at a %.17g gamma %.17g delta %.17g: %Lg, expected %Lg",
                         costab_scheme_name(scheme), a, gamma, delta, difference, product);
            if (fabsl(product) > b.fold.error) /* and its sign decides the flag */
                assert_int_equal((p.cause & COSTAB_CAUSE_FOLD) != 0, product < 0);
        }
    }
}

/* ---- rows ---- */

#define P_END -2.785293563405281624L /* phi(p) = 0: the end of RK4's real interval */

/* RK4's simulation: the flip boundary is the line Delta = p Gamma - p^2 ([KNS] eqs. 26, 27), and at the end
 * of the row it meets no other; the fold is Delta = 0. Bound: p is known to a few roundings of its size. */
TEST(test_rk4_simulation_row_ends) {
    rng r = rng_start("simulation rows");
    costab_planar planar = planar_named(COSTAB_SIMULATION, "rk4", 1, 1);
    costab_planar_slice slice = costab_planar_at(&planar, 0.0);
    size_t lines = 0, folds = 0;
    for (size_t n = 0; n < effort(2000); n++) {
        double gamma = rng_uniform(&r, -5.6, 0.5);
        costab_interval pieces[COSTAB_ROW_PIECES_MAX];
        int count = costab_planar_row(&slice, gamma, pieces);
        check_true(count <= 1, "RK4's rows are one interval, gamma %.17g", gamma);
        if (gamma > 2 * (double)P_END && gamma < 0) assert_int_equal(count, 1);
        for (int k = 0; k < count; k++) {
            for (int side = 0; side < 2; side++) {
                double end = side ? pieces[k].upper : pieces[k].lower;
                uint8_t cause = side ? pieces[k].upper_cause : pieces[k].lower_cause;
                if (cause == COSTAB_CAUSE_FLIP || (cause == COSTAB_CAUSE_FOLD && end != 0.0)) {
                    real line = P_END * (real)gamma - P_END * P_END;
                    check_near(end, line, 64.0L * 0x1p-53L * (P_END * P_END + fabsl(P_END * (real)gamma)),
                               "the line at gamma %.17g", gamma);
                    lines++;
                }
                folds += cause == COSTAB_CAUSE_FOLD && end == 0.0;
            }
        }
        /* The rows reach from 0 for -2.785 < Gamma < 0, from the line below. */
        if (gamma < 0 && gamma > (double)P_END) assert_true(count == 1 && pieces[0].lower == 0.0);
    }
    assert_true(lines >= effort_least(100) && folds >= effort_least(100));
}

/* Known features of RK4's regions: tips, critical values, thin slivers. A row just inside has an interval,
 * one just outside has none. */
static int pieces_at(costab_scheme scheme, real a, real gamma) {
    costab_planar planar = planar_named(scheme, "rk4", 1, 1);
    costab_planar_slice slice = costab_planar_at(&planar, (double)a);
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    return costab_planar_row(&slice, (double)gamma, pieces);
}

/* Whether a row has an SS part: Gamma < 0 and some stable Delta > 0. */
static bool has_ss(costab_scheme scheme, real a, real gamma) {
    costab_planar planar = planar_named(scheme, "rk4", 1, 1);
    costab_planar_slice slice = costab_planar_at(&planar, (double)a);
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    int count = costab_planar_row(&slice, (double)gamma, pieces);
    return gamma < 0 && count > 0 && pieces[count - 1].upper > 0;
}

TEST(test_rk4_features) {
    /* The simulation's US part reaches 0.474849105595436987, its SS part 2p. */
    assert_int_equal(pieces_at(COSTAB_SIMULATION, 0, 0.474849105595436987L - 1e-9L), 1);
    assert_int_equal(pieces_at(COSTAB_SIMULATION, 0, 0.474849105595436987L + 1e-9L), 0);
    assert_int_equal(pieces_at(COSTAB_SIMULATION, 0, 2 * P_END + 1e-9L), 1);
    assert_int_equal(pieces_at(COSTAB_SIMULATION, 0, 2 * P_END - 1e-9L), 0);
    /* a = p: every co-simulation map has the eigenvalue 1; next to it the intervals come back. */
    for (costab_scheme scheme = COSTAB_CROSS; scheme <= COSTAB_STRONG; scheme++)
        for (int i = 0; i < 100; i++) {
            costab_planar planar = planar_named(scheme, "rk4", 1, 1);
            double gamma = -6.0 + 0.08 * i;
            costab_planar_point point = point_at(&planar, (double)P_END, gamma, 1.0);
            check_near(1.0 - point.trace + point.determinant, 0.0L, 1e-12L, "eigenvalue 1 at a = p, gamma %g",
                       gamma);
        }
    /* SS ends at a = 0.548155220383393130 for cross, 2.785293563405281624 for zigzag, 1.789487605132586641
     * for strong. */
    static const struct {
        costab_scheme scheme;
        real a;
    } last[] = {{COSTAB_CROSS, 0.548155220383393130L},
                {COSTAB_ZIGZAG, 2.785293563405281624L},
                {COSTAB_STRONG, 1.789487605132586641L}};
    for (int k = 0; k < 3; k++) {
        int before = 0, after = 0;
        for (int i = 0; i < 5000; i++) {
            real gamma = -7.0L * (i + 0.5L) / 5000;
            before += has_ss(last[k].scheme, last[k].a - 1e-3L, gamma);
            after += has_ss(last[k].scheme, last[k].a + 1e-3L, gamma);
        }
        check_true(before > 0, "%s has SS below a = %Lg", costab_scheme_name(last[k].scheme), last[k].a);
        check_true(after == 0, "%s has no SS above a = %Lg", costab_scheme_name(last[k].scheme), last[k].a);
    }
    /* strong: a US sliver at 0 < Gamma << 1 for 0 < |a| < 1.789. */
    for (int i = -17; i <= 17; i++)
        assert_int_equal(pieces_at(COSTAB_STRONG, 0.1L * i, 1e-6L), i == 0 ? 0 : 1);
}

/* The isolated points where a complex pair sits on the unit circle at a crossing of RK4's boundaries: Det D =
 * 1 there with Tr D = 2 on gamma_2 (fold and det at once) or Tr D = -2 on gamma_3 ([KNS] section 4). The
 * references have 12 digits, and neither trace nor determinant moves by more than 20 per unit there: 1e-10.
 */
TEST(test_rk4_isolated_points) {
    static const double points[][3] = {{0.438893783955, 6.175295485124, -2.0},
                                       {-4.438893783955, 7.772907404291, -2.0},
                                       {-1.21470643659, 8.61668598073, 2.0}};
    costab_planar planar = planar_named(COSTAB_SIMULATION, "rk4", 1, 1);
    for (int i = 0; i < 3; i++) {
        costab_planar_point p = point_at(&planar, 0.0, points[i][0], points[i][1]);
        check_near(p.determinant, 1.0L, 1e-10L, "det at point %d", i);
        check_near(p.trace, (real)points[i][2], 1e-10L, "trace at point %d", i);
    }
}
