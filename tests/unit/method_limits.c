/* Where methods are stable: known ends of their intervals on both axes, A-stability and L-stability.
 *
 * Sources of the independent data: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential
 * Equations I, section II.5 (DOPRI5); E. Hairer, G. Wanner, II, sections IV.2, IV.3, IV.5. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/bound.h"
#include "support/definition.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Ends of the real and the imaginary stability interval (-1: a left half plane's worth, 0: none). */
typedef struct known_ends {
    const char *name;
    double real_end, imaginary_end;
} known_ends;

#define CUBIC_END   2.5127453266183286 /* of 1 + z + z^2/2 + z^3/6 */
#define QUARTIC_END 2.785293563405282  /* of 1 + z + z^2/2 + z^3/6 + z^4/24 */

static const known_ends known[] = {
    {"euler", 2., 0.},
    {"heun", 2., 0.},
    {"midpoint", 2., 0.},
    {"ralston", 2., 0.},
    {"kutta3", CUBIC_END, 1.7320508075688772},
    {"ssprk3", CUBIC_END, 1.7320508075688772},
    {"rk4", QUARTIC_END, 2.8284271247461903},
    {"rk38", QUARTIC_END, 2.8284271247461903},
    {"bs3", CUBIC_END, 1.7320508075688772},
    {"dopri5", 0., 0.},
    {"backward-euler", -1., -1.},
    {"trapezoidal", -1., -1.},
    {"gauss2", -1., -1.},
    {"radau2", -1., -1.},
    {"sdirk2", -1., -1.},
};

TEST(test_all_are_known) {
    for (int i = 0; i < costab_method_count(); i++) {
        const char *name = costab_method_name(i);
        size_t found = 0;
        for (size_t k = 0; k < COUNT(known); k++) found += strcmp(name, known[k].name) == 0;
        check_true(found == 1 || strcmp(name, "exact") == 0, "%s", name);
    }
}

/* |R| along the ray z = t (direction), from the library. */
static double modulus(const costab_method *m, double t, bool imaginary) {
    if (!imaginary) return fabs(costab_method_weights(m, 1, -t).R);
    costab_weights_complex w = costab_method_weights_complex(m, 1, (costab_complex){0.0, t});
    return hypot(w.R.re, w.R.im);
}

static double bisect(const costab_method *m, double stable, double unstable, bool imaginary) {
    for (int i = 0; i < 200; i++) {
        double middle = stable + (unstable - stable) / 2;
        if (modulus(m, middle, imaginary) <= 1.0)
            stable = middle;
        else
            unstable = middle;
    }
    return stable;
}

/* The stability interval reaches to `end` and no further. At the end |R| crosses 1 at a slope of at least 1/2
 * for these polynomials, and R is good to about 20 roundings there: 1e-14 and some. */
static void check_end(const costab_method *m, double end, bool imaginary) {
    check_near(bisect(m, end - 0.1, end + 0.1, imaginary), (real)end, 2e-14L, "%s: end of the %s interval",
               m->name, imaginary ? "imaginary" : "real");
    for (int i = 1; i < 1000; i++) {
        double inside = end * i / 1000, limit = 1.0 + (imaginary ? 1e-15 : 0.0);
        check_true(modulus(m, inside, imaginary) < limit, "%s: |R| < 1 at %g", m->name, inside);
        check_true(modulus(m, end * (1 + 1e-6 + i / 200.0), imaginary) > 1.0, "%s: |R| > 1 beyond", m->name);
    }
}

TEST(test_stability_intervals) {
    for (size_t k = 0; k < COUNT(known); k++) {
        costab_method m = method_named(known[k].name);
        if (known[k].real_end > 0) check_end(&m, known[k].real_end, false);
        if (known[k].imaginary_end > 0) check_end(&m, known[k].imaginary_end, true);
        if (known[k].real_end > 0 && known[k].imaginary_end == 0)
            for (double y = 0.02; y < 8.0; y *= 1.1)
                check_true(modulus(&m, y, true) > 1.0, "%s: unstable on the imaginary axis at %g", m.name, y);
    }
}

/* dopri5: R = 1 + z + ... + z^5/120 + z^6/600; its ends on both axes from these coefficients alone. */
static real dopri5_excess(real t, bool imaginary) {
    real t2 = t * t;
    if (!imaginary) {
        real R = 1 - t + t2 / 2 - t2 * t / 6 + t2 * t2 / 24 - t2 * t2 * t / 120 + t2 * t2 * t2 / 600;
        return fabsl(R) - 1;
    }
    real re = 1 - t2 / 2 + t2 * t2 / 24 - t2 * t2 * t2 / 600, im = t - t2 * t / 6 + t2 * t2 * t / 120;
    return re * re + im * im - 1;
}

TEST(test_dopri5_intervals) {
    costab_method m = method_named("dopri5");
    for (int axis = 0; axis < 2; axis++) {
        real low = axis ? 0.5L : 3.0L, high = axis ? 1.5L : 3.5L;
        assert_true(dopri5_excess(low, axis) < 0 && dopri5_excess(high, axis) > 0);
        for (int i = 0; i < 100; i++) {
            real middle = (low + high) / 2;
            if (dopri5_excess(middle, axis) < 0)
                low = middle;
            else
                high = middle;
        }
        if (!axis) check_near((double)low, 3.3065L, 1e-4L, "the known real interval");
        real slope = (dopri5_excess(low + 1e-6L, axis) - dopri5_excess(low - 1e-6L, axis)) / 2e-6L;
        double found = bisect(&m, (double)low - 0.1, (double)low + 0.1, axis);
        check_near(found, low, 64.0L * 0x1p-53L * expl(low) / slope, "dopri5, axis %d", axis);
    }
}

/* By the maximum principle a rational R without poles in the left half plane is A-stable iff |R(iy)| <= 1. */
TEST(test_a_stability) {
    rng r = rng_start("A-stability");
    for (size_t k = 0; k < COUNT(known); k++) {
        if (known[k].real_end > 0 || strcmp(known[k].name, "dopri5") == 0) continue;
        costab_method m = method_named(known[k].name);
        weight_polynomials p = bound_polynomials(&m);
        for (int i = 3; i <= m.stages; i++) assert_true(p.denominator[i] == 0.0L);
        /* 1 + q1 z + q2 z^2 with q1 < 0 <= q2 has its zeros in the right half plane. */
        assert_true(p.denominator[1] < 0.0L);
        if (m.stages > 1) assert_true(p.denominator[2] >= -1e-17L);
        for (size_t n = 0; n < effort(4000); n++) {
            double y = rng_magnitude(&r, -6.0, 12.0), x = -fabs(rng_magnitude(&r, -6.0, 12.0));
            check_true(modulus(&m, y, true) <= 1.0 + 16 * 0x1p-53, "%s: |R(iy)| <= 1 at y = %.17g", m.name,
                       y);
            costab_weights_complex w = costab_method_weights_complex(&m, 1, (costab_complex){x, y});
            check_true(hypot(w.R.re, w.R.im) <= 1.0 + 16 * 0x1p-53, "%s: |R| <= 1 at %.17g%+.17gi", m.name, x,
                       y);
            check_true(fabs(costab_method_weights(&m, 1, x).R) <= 1.0 + 16 * 0x1p-53, "%s: |R(%g)|", m.name,
                       x);
        }
    }
}

/* R(z) tends to 0 like a constant below 6 over z, plus the rounding of 1 + z phi. Gauss's and the trapezoidal
 * rule keep |R| = 1 at infinity instead: the check can tell them apart. */
TEST(test_l_stability) {
    static const char *const damped[] = {"backward-euler", "radau2", "sdirk2"};
    for (size_t k = 0; k < COUNT(damped); k++) {
        costab_method m = method_named(damped[k]);
        check_near(costab_method_weights(&m, 1, -1e12).R, 0.0L, 6e-12L + 64 * 0x1p-53L, "%s at -1e12",
                   m.name);
        check_near(costab_method_weights(&m, 1, -1e300).R, 0.0L, 64 * 0x1p-53L, "%s at -1e300", m.name);
    }
    costab_method gauss = method_named("gauss2"), trapezoidal = method_named("trapezoidal");
    check_near(costab_method_weights(&gauss, 1, -1e12).R, 1.0L, 1e-10L, "gauss2");
    check_near(costab_method_weights(&trapezoidal, 1, -1e12).R, -1.0L, 1e-10L, "trapezoidal");
}
