/* The simulation with methods whose curves |R(z)| = 1 cross, where R' = 0: its areas and rows. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "costab/area.h"
#include "support/planar.h"

/* The simulation with one step of the polynomial R = 1 + z + c2 z^2 + ..., by the chain of stages whose
 * entries are alpha = c[s] / c[s - 1], .., c[2], as exact fractions. */
static costab_planar chain(int stages, const char *const *alpha) {
    const char *text[COSTAB_STAGES_MAX * (COSTAB_STAGES_MAX + 1)];
    for (int i = 0; i < stages; i++)
        for (int j = -1; j < stages; j++)
            text[i * (stages + 1) + j + 1] = j < 0        ? (i + 1 < stages ? "0" : "1")
                                             : j == i - 1 ? alpha[j]
                                                          : "0";
    const costab_method method = method_of_texts(stages, text);
    return planar_of(COSTAB_SIMULATION, &method, 1, 1);
}

/* Polynomials R and the chains that have them. */
typedef struct stability {
    const char *name;
    int degree;
    double c[6];
    const char *alpha[4];
} stability;

/* R = -1 + 2 (1 + z/(2m))^m; T3(1 + z/9) and T5(1 + z/25) of Chebyshev, with double roots at R = 1 and -1; R
 * = -1 + ((z + 4)^2 + 16)^2 / 512, where they are no real numbers. */
static const stability two = {"two roots", 2, {1, 1, 1.0 / 8}, {"1/8"}},
                       three = {"three roots", 3, {1, 1, 1.0 / 6, 1.0 / 108}, {"1/18", "1/6"}},
                       third = {"T3", 3, {1, 1, 4.0 / 27, 4.0 / 729}, {"1/27", "4/27"}},
                       fifth = {"T5",
                                5,
                                {1, 1, 4.0 / 25, 28.0 / 3125, 16.0 / 78125, 16.0 / 9765625},
                                {"1/125", "4/175", "7/125", "4/25"}},
                       conjugate = {"conjugate roots",
                                    4,
                                    {1, 1, 1.0 / 4, 1.0 / 32, 1.0 / 512},
                                    {"1/16", "1/8", "1/4"}};

static costab_planar with_step(const stability *R) {
    return chain(R->degree, R->alpha);
}

/* ---- Areas ---- */

static void check_area(const stability *R, real expected, real bound) {
    costab_planar planar = with_step(R);
    costab_areas areas;
    check_ok(costab_planar_areas(&planar, 0, &areas, &why));
    check_near(areas.ss, expected, areas.error_ss + bound, "SS of %s", R->name);
    check_true(areas.error_ss <= 1e-16 * areas.ss, "its error: %g", areas.error_ss);
    check_true(areas.us == 0 && areas.error_us == 0, "no US of %s", R->name);
}

/* With w = 1 + z/(2m) the first ones are stable where |w|^m < cos(m arg w): in polar coordinates the complex
 * pairs have the area 32/3 m^3 times the integral of sin(phi) cos(m phi)^(3/m) over 0 < phi < pi where cos(m
 * phi) > 0, and real ones are cubes. */
TEST(areas_in_closed_form) {
    check_area(&two, 64 + 32 * sqrtl(2) * logl(1 + sqrtl(2)), 1e-16L);
    check_area(&three, 36 + 180, 0);
    costab_planar planar = with_step(&two);
    costab_area_digits digits;
    check_ok(costab_planar_area_digits(&planar, "0", 50, &digits, &why));
    /* 64 + 32 sqrt(2) log(1 + sqrt(2)) by mpmath */
    check_true(strncmp(digits.ss, "103.88641536897475285721728513603635216964449999018", 51) == 0 &&
                   digits.error_ss < 1e-46,
               "50 digits: %s", digits.ss);
    costab_area_digits_free(&digits);
    /* by mpmath, row by row: the sum of +-2 v over the ends v = y^2 of a row, integrated over x */
    check_area(&conjugate, 285.0764597671586271382635L, 1e-16L * 285);
}

/* Under w = 1 + z/s^2 = cosh(xi + i eta) Chebyshev's T_s is stable where sinh(s xi) < |sin(s eta)|. Complex
 * pairs have the area 4 s^6 times the integral of Im w = sinh(xi) sin(eta), whose inner one is elementary. */
static real inner(int s, real eta) {
    real c = coshl(asinhl(fabsl(sinl((real)s * eta))) / (real)s), square = sinl(eta) * sinl(eta);
    return sinl(eta) * (c * c * c / 3 - c + 2.0L / 3 + square * (c - 1));
}

/* By tanh(pi/2 sinh t) between the zeros of sin(s eta): halving the step leaves the sum to 1e-17. */
static real chebyshev_area(int s) {
    const real pi = acosl(-1), step = 1.0L / 64, degree = (real)s;
    real sum = 0;
    for (int part = 0; part < s; part++)
        for (int k = -256; k <= 256; k++) {
            real t = (real)k * step, u = pi / 2 * sinhl(t),
                 weight = pi / 2 * coshl(t) / (coshl(u) * coshl(u));
            sum += step * weight * inner(s, ((real)part + (1 + tanhl(u)) / 2) * pi / degree);
        }
    real width = 2 * degree * degree;
    return 4 * powl(degree, 6) * sum * pi / (2 * degree) + width * width * width / 6;
}

TEST(areas_of_chebyshev) {
    check_area(&third, chebyshev_area(3), 1e-15L * 1065);
    check_area(&fifth, chebyshev_area(5), 1e-15L * 21532);
}

/* Curves that pass x = 0 where R is -1 itself: Kinnmark's and Gray's R with R(2i) = -1. By mpmath, row by row
 * between the x at which the number of ends changes. */
TEST(areas_of_curves_that_end_on_the_axis) {
    static const stability longest = {"Kinnmark and Gray", 3, {1}, {"1/2", "1/2"}};
    costab_planar planar = with_step(&longest);
    costab_areas areas;
    check_ok(costab_planar_areas(&planar, 0, &areas, &why));
    check_near(areas.ss, 12.08312550699207715193L, areas.error_ss + 1e-19L, "SS");
    check_near(areas.us, 0.89754323203702091294L, areas.error_us + 1e-20L, "US");
    check_true(areas.error_ss <= 1e-16 * areas.ss && areas.error_us <= 1e-16 * areas.us, "errors: %g, %g",
               areas.error_ss, areas.error_us);
}

/* |R| = 1 and R' = 0 at z0 = r (-3 + 4i)/5, r = 1026/365, where R is neither 1 nor -1. */
TEST(areas_that_are_not_known) {
    static const stability inside = {"inside", 3, {1}, {"1825/9234", "73/342"}};
    costab_planar planar = with_step(&inside);
    costab_areas areas;
    costab_error error;
    assert_int_equal(costab_planar_areas(&planar, 0, &areas, &error), COSTAB_NUMERIC);
    check_true(strstr(error.message, "z = -1.68658") != NULL && strstr(error.message, "2.24877i") != NULL,
               "where: %s", error.message);
}

/* ---- Rows ---- */

static double complex value_of(const stability *R, double complex z) {
    double complex sum = 0;
    for (int k = R->degree; k >= 0; k--) sum = sum * z + R->c[k];
    return sum;
}

/* Classes of rows and points by |R| at both eigenvalues. */
TEST(rows_between_touching_intervals) {
    enum { COUNT = 400 };
    const stability *const all[] = {&two, &three, &third, &fifth, &conjugate};
    rng r = rng_start("rows between touching intervals");
    for (int i = 0; i < 5; i++) {
        const stability *R = all[i];
        costab_planar planar = with_step(R);
        const costab_planar_slice slice = costab_planar_at(&planar, 0);
        const double reach = 2.2 * R->degree * R->degree;
        int stable = 0;
        for (int row = 0; row < 50; row++) {
            double gamma = rng_uniform(&r, -2 * reach, 1), delta[COUNT];
            uint8_t codes[COUNT];
            for (int k = 0; k < COUNT; k++) delta[k] = gamma * gamma * (-0.1 + 0.7 * k / COUNT);
            costab_planar_class_row(&slice, gamma, COUNT, delta, codes);
            for (int k = 0; k < COUNT; k++) {
                double complex root = csqrt(gamma * gamma / 4 - delta[k]);
                double radius =
                    fmax(cabs(value_of(R, gamma / 2 + root)), cabs(value_of(R, gamma / 2 - root)));
                if (fabs(radius - 1) < 1e-9) continue;
                check_true((codes[k] & 1) == (radius < 1), "%s at %g, %g: radius %g", R->name, gamma,
                           delta[k], radius);
                stable += radius < 1;
            }
        }
        check_true(stable > 500, "stable points of %s: %d", R->name, stable);
    }
    costab_planar planar = with_step(&two); /* R(-4) = -1 itself */
    costab_planar_point point;
    const double a = 0, gamma = -6, delta = 8;
    costab_planar_points(&planar, 1, &a, &gamma, &delta, &point);
    check_true((point.class_code & 1) == 0 && point.cause == COSTAB_CAUSE_FLIP, "on the limit");
}
