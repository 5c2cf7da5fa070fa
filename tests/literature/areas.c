/* Published areas, and closed forms. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "costab/area.h"
#include "support/planar.h"

static costab_planar planar_by_name(const char *scheme, const char *method, int m0, int m1) {
    costab_scheme found;
    check_ok(costab_scheme_find(scheme, &found, &why));
    return planar_named(found, method, m0, m1);
}

static costab_areas areas_of(const costab_planar *planar, double a) {
    costab_areas areas;
    check_ok(costab_planar_areas(planar, a, &areas, &why));
    return areas;
}

/* Degrees that cancel, which floating point cannot see: rows that grow with |d|, or no rows at all. */
TEST(decided_exactly) {
    costab_planar zigzag = planar_by_name("zigzag", "trapezoidal", 4, 4),
                  strong = planar_by_name("strong", "gauss2", 1, 1);
    check_true(isinf(areas_of(&zigzag, 2.44).ss) && isinf(areas_of(&zigzag, -26.486461604200436).ss),
               "zigzag with the trapezoidal rule");
    check_true(areas_of(&strong, -2.6118922296737868).us == 0 && areas_of(&strong, -10000).us == 0,
               "strong with gauss2 has no US");
    costab_planar sliver = planar_by_name("strong", "rk4", 1, 1);
    check_near(areas_of(&sliver, 1e-5).us, 9.13e-22L, 1e-24L, "a sliver of 9e-22");
}

/* The method `exact`, strong: closed forms against the lengths of the rows themselves, summed by the midpoint
 * rule (rows end in a corner, so that its error falls with the square of the width). */
TEST(exact_by_rows) {
    enum { ROWS = 40000 };
    costab_planar strong = planar_by_name("strong", "exact", 1, 1),
                  cross = planar_by_name("cross", "exact", 1, 1);
    for (double a = 1.3; a < 1.9; a += 0.1) {
        costab_planar_slice slice = costab_planar_at(&strong, a);
        real sum = 0, far = -60;
        for (int i = 0; i < ROWS; i++) {
            costab_interval piece[COSTAB_ROW_PIECES_MAX];
            double gamma = (double)(far * (i + 0.5L) / ROWS);
            if (costab_planar_row(&slice, gamma, piece) > 0) sum += (real)piece[0].upper - piece[0].lower;
        }
        sum *= -far / ROWS;
        costab_areas areas = areas_of(&strong, a);
        check_near(areas.ss, sum, 1e-5L, "SS of strong with exact at a = %g", a);
        check_true((areas.ss == 0) == (sum == 0) && areas.us == 0, "what there is at a = %g", a);
    }
    check_true(isinf(areas_of(&strong, 1.25).ss) && isinf(areas_of(&strong, -2).ss) &&
                   isinf(areas_of(&strong, 0).ss),
               "infinite below phi(a) = 2");
    costab_area_digits digits;
    check_ok(costab_planar_area_digits(&cross, "0.6931471805599453094172321", 30, &digits, &why));
    assert_string_equal(digits.ss, "inf"); /* a little below log 2 */
    costab_area_digits_free(&digits);
    check_ok(costab_planar_area_digits(&cross, "0.6931471805599453094172322", 30, &digits, &why));
    assert_string_equal(digits.ss, "0"); /* a little above */
    costab_area_digits_free(&digits);
}

/* The root of f(a, .) between low and high, by bisection. */
static real bisected(real (*f)(real, real), real a, real low, real high) {
    bool rising = f(a, high) > 0;
    for (int i = 0; i < 200; i++) {
        real middle = low + 0.5L * (high - low);
        if ((f(a, middle) > 0) == rising)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static real rk4_phi(real z) {
    return 1 + z / 2 + z * z / 6 + z * z * z / 24;
}

static real rk4_p1(real z) {
    return 0.5L + z / 6 + z * z / 24;
}

static real phi_root(real a, real z) {
    (void)a;
    return rk4_phi(z);
}

static real contraction_root(real a, real d) {
    return 1 + d * rk4_p1(d) * a * rk4_p1(a);
}

static real strong_antiderivative(real a, real t) {
    const real root8 = 2.828427124746190097603377L;
    return a * t * t / 2 + 576 / (root8 * (12 + 4 * a + a * a)) * atanl((t + 2) / root8);
}

/* The closed form of A_SS for strong coupling with RK4. */
TEST(strong_closed_form) {
    costab_planar planar = planar_by_name("strong", "rk4", 1, 1);
    real p = bisected(phi_root, 0, -3, -2);
    rng r = rng_start("strong coupling's closed form");
    for (int i = 0; i < 200; i++) {
        double a = rng_uniform(&r, (double)p, 1.7894);
        if (i == 0) a = 0.25;
        real low = p, high = -a;
        /* d P1(d) a P1(a) = -1 has one root on the side where the product is negative */
        if (a > 0) low = fmaxl(p, bisected(contraction_root, a, -60, 0));
        if (a < 0) high = fminl(-(real)a, bisected(contraction_root, a, 0, 200));
        real expected = strong_antiderivative(a, high) - strong_antiderivative(a, low);
        costab_areas areas = areas_of(&planar, a);
        check_near(areas.ss, expected, areas.error_ss + 1e-16L, "A_SS of strong at a = %.17g", a);
        check_near(areas.ss, expected, 1e-13L * expected + 1e-13L, "A_SS of strong at a = %.17g", a);
    }
}

/* Cross at a = 0: the triangle 0 < Delta < -Gamma and so on, p^2/2. Euler: 4 at any a, for cross and zigzag
 * alike. */
TEST(simple_shapes) {
    costab_planar cross = planar_by_name("cross", "rk4", 1, 1);
    real p = bisected(phi_root, 0, -3, -2);
    costab_areas areas = areas_of(&cross, 0);
    check_near(areas.ss, p * p / 2, areas.error_ss + 8 * LDBL_EPSILON, "cross at a = 0");
    static const char *const schemes[] = {"cross", "zigzag", "strong"};
    for (int s = 0; s < 3; s++)
        for (double a = -3; a <= 3; a += 0.75) {
            costab_planar euler = planar_by_name(schemes[s], "euler", 1, 1);
            costab_areas four = areas_of(&euler, a);
            check_near(four.ss, 4, four.error_ss, "%s with euler at a = %g", schemes[s], a);
            check_true(four.us == 0 && four.error_us == 0, "%s with euler has no US at a = %g", schemes[s],
                       a);
        }
}

/* cross at a = 0: with R_a = phi_a = 1 and w = -Delta rows are 0 < Delta < -Gamma where phi_d > 0, which is
 * for m p < d < 0 with m micro steps of rk4: phi_d = (R(d/m)^m - 1) / d, and R is above -1 everywhere. */
TEST(many_micro_steps) {
    real p = bisected(phi_root, 0, -3, -2);
    for (int m = 2; m <= (effort(1) > 1 ? 98 : 14); m *= 7) {
        costab_planar cross = planar_by_name("cross", "rk4", m, m);
        costab_areas areas = areas_of(&cross, 0);
        real expected = m * m * p * p / 2;
        check_near(areas.ss, expected, areas.error_ss + 8 * LDBL_EPSILON * expected,
                   "cross with %d micro steps", m);
        check_near(areas.ss, expected, DBL_EPSILON * expected, "rounding of cross with %d micro steps", m);
        check_true(areas.us == 0, "cross with %d micro steps has no US at a = 0", m);
    }
}

/* Thin and remote parts, and infinities. */
TEST(easy_to_lose) {
    costab_planar strong = planar_by_name("strong", "rk4", 1, 1),
                  zigzag = planar_by_name("zigzag", "rk4", 1, 1);
    /* the sliver at 0 < Gamma << 1 shrinks like a^4 */
    for (double a = 0.03125; a > 1e-3; a /= 2) {
        real ratio = (real)areas_of(&strong, a).us / areas_of(&strong, a / 2).us;
        check_near((double)ratio, 16, 16 * 0.5L * a, "the sliver at a = %g against half of it", a);
    }
    check_near(areas_of(&strong, -1.27319).us, 0.0660933L, 1e-7L, "the largest sliver");
    check_true(areas_of(&zigzag, -3.7617).ss == 0, "zigzag has no SS just above -3.7617713");
    check_true(areas_of(&zigzag, -3.7618).ss > 0 && areas_of(&zigzag, -100).ss > 0, "zigzag has a remote SS");
    check_near(areas_of(&zigzag, 2).us, 0.82752661397608124507L, 1e-14L, "zigzag's US at a = 2");
    /* the exact solver: rows of cross grow like |d| where e^a < 2, else nothing is stable far out */
    costab_planar exact = planar_by_name("cross", "exact", 1, 1);
    check_true(isinf(areas_of(&exact, 0.69).ss) && areas_of(&exact, 0.7).ss == 0,
               "cross with the exact solver");
    check_true(isinf(areas_of(&exact, -2).ss) && areas_of(&exact, -2).us == 0, "cross with the exact solver");
    costab_planar trapezoidal = planar_by_name("simulation", "trapezoidal", 1, 1);
    costab_planar backward = planar_by_name("simulation", "backward-euler", 1, 1);
    check_true(isinf(areas_of(&trapezoidal, 0).ss) && areas_of(&trapezoidal, 0).us == 0,
               "the trapezoidal rule");
    check_true(isinf(areas_of(&backward, 0).ss) && isinf(areas_of(&backward, 0).us), "implicit Euler");
}
