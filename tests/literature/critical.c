/* Critical values of a: RK4's to 1e-10 against 18 digits, with the right events and no others; Heun's in
 * closed form. */
#include <math.h>
#include <string.h>

#include "costab/area.h"
#include "support/support.h"

typedef struct expected {
    real a;
    costab_event event;
} expected;

static void check_micro_steps(const char *scheme, const char *method, const int substeps[2], double low,
                              double high, const expected *all, int n) {
    costab_planar planar;
    costab_scheme found;
    costab_method m = method_named(method);
    costab_critical critical[COSTAB_CRITICAL_MAX];
    size_t count;
    check_ok(costab_scheme_find(scheme, &found, &why));
    check_ok(costab_planar_init(&planar, found, &m, substeps[0], substeps[1], &why));
    const costab_critical_options options = {.low = low, .high = high};
    check_ok(costab_planar_critical(&planar, &options, critical, &count, &why));
    bool taken[COSTAB_CRITICAL_MAX] = {false};
    for (int i = 0; i < n; i++) {
        bool there = false;
        for (size_t k = 0; k < count && !there; k++) {
            if (taken[k] || critical[k].event != all[i].event) continue;
            if (!(fabsl(critical[k].a - all[i].a) <= 1e-10L)) continue;
            there = taken[k] = true;
        }
        check_true(there, "%s with %s: no %s at %.17Lg within 1e-10", scheme, method,
                   costab_event_name(all[i].event), all[i].a);
    }
    for (size_t k = 0; k < count; k++)
        check_true(taken[k], "%s with %s: unexpected %s at %.17g", scheme, method,
                   costab_event_name(critical[k].event), critical[k].a);
    bool complete = m.stages * (substeps[0] > substeps[1] ? substeps[0] : substeps[1]) <= 16;
    for (size_t k = 0; k < count; k++)
        check_true(critical[k].search == (complete ? COSTAB_SEARCH_COMPLETE : COSTAB_SEARCH_NOT_COMPLETE),
                   "the search is complete for up to 16 stages times micro steps");
    for (size_t k = 1; k < count; k++)
        check_true(critical[k - 1].a <= critical[k].a, "events come in ascending order");
}

static void check_events(const char *scheme, const char *method, double low, double high, const expected *all,
                         int n) {
    check_micro_steps(scheme, method, (const int[2]){1, 1}, low, high, all, n);
}

#define COUNT(list) (int)(sizeof list / sizeof list[0])

static const real p = -2.785293563405281624L;

TEST(cross_rk4) {
    const expected events[] = {{-3.160499628997008828L, COSTAB_US_BEGINS},
                               {p, COSTAB_US_INFINITE_BEGINS},
                               {p, COSTAB_SS_BEGINS},
                               {p, COSTAB_SS_INFINITE_BEGINS},
                               {0, COSTAB_SS_INFINITE_ENDS},
                               {0, COSTAB_US_INFINITE_ENDS},
                               {0, COSTAB_US_ENDS},
                               {0.548155220383393130L, COSTAB_SS_ENDS}};
    check_events("cross", "rk4", -8, 8, events, COUNT(events));
    /* ranges that end at numbers of many digits, or far away; next to an end, too, everything is found */
    check_events("cross", "rk4", -100, 100, events, COUNT(events));
    check_events("cross", "rk4", -0.1, 0.3, events + 4, 3);
    check_micro_steps("cross", "rk4", (const int[2]){2, 2}, -0.1, 0.3, events + 4, 3);
}

TEST(zigzag_rk4) {
    const expected events[] = {{-3.761771255137544306L, COSTAB_SS_ENDS},
                               {p, COSTAB_US_ENDS},
                               {p, COSTAB_SS_BEGINS},
                               {1.343330053556043494L, COSTAB_US_BEGINS},
                               {2.232224413997971590L, COSTAB_US_RIGHT_BEGINS},
                               {-p, COSTAB_SS_ENDS}};
    check_events("zigzag", "rk4", -8, 8, events, COUNT(events));
}

/* US is 0 at a = 0 only. */
TEST(strong_rk4) {
    const real edge = 1.789487605132586641L;
    const expected events[] = {{p, COSTAB_SS_BEGINS},           {-edge, COSTAB_US_BEGINS},
                               {-edge, COSTAB_US_RIGHT_BEGINS}, {0, COSTAB_US_ENDS},
                               {0, COSTAB_US_RIGHT_ENDS},       {0, COSTAB_US_BEGINS},
                               {0, COSTAB_US_RIGHT_BEGINS},     {edge, COSTAB_SS_ENDS},
                               {edge, COSTAB_US_ENDS},          {edge, COSTAB_US_RIGHT_ENDS}};
    check_events("strong", "rk4", -8, 8, events, COUNT(events));
    /* another range, not symmetric: the same values */
    check_events("strong", "rk4", -2.5, 1.1, events + 1, 6);
}

/* P1 of m micro steps of rk4: sum over the micro steps of R^(m-1-j) (P0 j/m + P1 (j+1)/m) / m, at z / m. */
static real weight_of_end(real z, int m) {
    const real s = z / m, R = 1 + s + s * s / 2 + s * s * s / 6 + s * s * s * s / 24,
               P1 = 0.5L + s / 6 + s * s / 24, phi = 1 + s / 2 + s * s / 6 + s * s * s / 24;
    real sum = 0;
    for (int j = 0; j < m; j++) sum = sum * R + ((phi - P1) * j + P1 * (j + 1)) / m;
    return sum / m;
}

/* The rows at d = -a, where Gamma is 0, hold no point any more where the iteration ends to contract at Delta
 * = 0: a^2 P1(a) P1(-a) = 1. SS begins at the end of the real interval, m p. */
TEST(strong_rk4_micro_steps) {
    for (int m = 1; m <= 2; m++) {
        real low = 1, high = 3;
        for (int i = 0; i < 100; i++) {
            real middle = (low + high) / 2;
            if (middle * middle * weight_of_end(middle, m) * weight_of_end(-middle, m) < 1)
                low = middle;
            else
                high = middle;
        }
        const expected events[] = {{m * p, COSTAB_SS_BEGINS},      {-low, COSTAB_US_BEGINS},
                                   {-low, COSTAB_US_RIGHT_BEGINS}, {0, COSTAB_US_ENDS},
                                   {0, COSTAB_US_RIGHT_ENDS},      {0, COSTAB_US_BEGINS},
                                   {0, COSTAB_US_RIGHT_BEGINS},    {low, COSTAB_SS_ENDS},
                                   {low, COSTAB_US_ENDS},          {low, COSTAB_US_RIGHT_ENDS}};
        check_micro_steps("strong", "rk4", (const int[2]){m, m}, -8, 8, events, COUNT(events));
    }
}

/* Heun: R = 1 + z + z^2/2, phi = 1 + z/2, min R = 1/2: cross ends where R(a) = 3/2, a = -1 +- sqrt 2. */
TEST(cross_heun) {
    const real root2 = 1.414213562373095048802L;
    const expected events[] = {{-1 - root2, COSTAB_US_BEGINS},
                               {-2, COSTAB_US_INFINITE_BEGINS},
                               {-2, COSTAB_SS_BEGINS},
                               {-2, COSTAB_SS_INFINITE_BEGINS},
                               {0, COSTAB_SS_INFINITE_ENDS},
                               {0, COSTAB_US_INFINITE_ENDS},
                               {0, COSTAB_US_ENDS},
                               {root2 - 1, COSTAB_SS_ENDS}};
    check_events("cross", "heun", -5, 5, events, COUNT(events));
}

/* A window of US 0.015 wide, with an area of 2.6e-7, that sampling does not see. phi of three
 * micro steps vanishes at a = -6. */
TEST(strong_heun_narrow) {
    const expected events[] = {{-6, COSTAB_SS_BEGINS},
                               {-2.8743409198322807L, COSTAB_US_BEGINS},
                               {-2.8743409198322807L, COSTAB_US_RIGHT_BEGINS},
                               {-2.8594099246817719L, COSTAB_US_ENDS},
                               {-2.8594099246817719L, COSTAB_US_RIGHT_ENDS},
                               {0, COSTAB_US_BEGINS},
                               {0, COSTAB_US_RIGHT_BEGINS},
                               {1.5679512538451175L, COSTAB_SS_ENDS},
                               {1.5994368194236837L, COSTAB_US_ENDS},
                               {1.5994368194236837L, COSTAB_US_RIGHT_ENDS}};
    check_micro_steps("strong", "heun", (const int[2]){3, 1}, -8, 8, events, COUNT(events));
    costab_planar planar;
    costab_method m = method_named("heun");
    costab_areas areas;
    check_ok(costab_planar_init(&planar, COSTAB_STRONG, &m, 3, 1, &why));
    check_ok(costab_planar_areas(&planar, -2.865, &areas, &why));
    check_near(areas.us, 2.6179e-7L, 1e-11L, "US within the window");
    /* next to the ends: none, and almost none */
    for (int side = -1; side <= 1; side += 2) {
        double end = side < 0 ? -2.8743409198322807 : -2.8594099246817719;
        check_ok(costab_planar_areas(&planar, end + side * 1e-12, &areas, &why));
        check_true(areas.us == 0, "no US beyond %.17g", end);
        check_ok(costab_planar_areas(&planar, end - side * 1e-12, &areas, &why));
        check_true(areas.us > 0, "US within %.17g", end);
    }
}

/* The exact solver: far rows of cross have the length |d| (2 - e^a) / phi_a as d -> -inf, none for a >=
 * log 2. */
TEST(cross_exact) {
    const real log2 = 0.693147180559945309417L;
    const expected events[] = {{log2, COSTAB_SS_INFINITE_ENDS}, {log2, COSTAB_SS_ENDS}};
    check_events("cross", "exact", -3, 3, events, COUNT(events));
    check_events("zigzag", "exact", -3, 3, NULL, 0);
    /* strong: infinite up to phi(a) = 2, e^a = 1 + 2a; then up to phi(-a) = (phi(a) - 2) / (phi(a) - 1) */
    const expected strong[] = {{1.256431208626169677L, COSTAB_SS_INFINITE_ENDS},
                               {1.8248571774452187L, COSTAB_SS_ENDS}};
    check_events("strong", "exact", -3, 3, strong, COUNT(strong));
    real a = strong[1].a, phi = expm1l(a) / a;
    check_near((double)((phi - 2) / (phi - 1)), -expm1l(-a) / a, 1e-15L, "where SS ends");
}

/* Euler's areas are 4 and 0 at every a; the simulation's do not depend on a. */
TEST(none) {
    check_events("cross", "euler", -5, 5, NULL, 0);
    check_events("zigzag", "euler", -5, 5, NULL, 0);
    check_events("simulation", "rk4", -5, 5, NULL, 0);
}

/* More micro steps than the complete search takes: cross has R_m(z) = R(z/m)^m, and SS ends where R_m(a) = 2
 * - (min R)^m, min R = 0.270394765205184608; at 0 happens what happens for one micro step. */
TEST(cross_rk4_many) {
    const int substeps[2] = {5, 5};
    const real level = powl(2 - powl(0.270394765205184608L, 5), 0.2L);
    real x = 0.1L;
    for (int i = 0; i < 20; i++)
        x -=
            (1 + x * (1 + x * (0.5L + x * (1 / 6.0L + x / 24))) - level) / (1 + x * (1 + x * (0.5L + x / 6)));
    const expected events[] = {{0, COSTAB_SS_INFINITE_ENDS},
                               {0, COSTAB_US_ENDS},
                               {0, COSTAB_US_INFINITE_ENDS},
                               {5 * x, COSTAB_SS_ENDS}};
    check_micro_steps("cross", "rk4", substeps, -3, 3, events, COUNT(events));
}

TEST(wrong_ranges) {
    costab_planar planar;
    costab_method m = method_named("rk4");
    costab_critical critical[COSTAB_CRITICAL_MAX];
    size_t count = 7;
    costab_error error;
    check_ok(costab_planar_init(&planar, COSTAB_CROSS, &m, 1, 1, &why));
    const costab_critical_options empty = {.low = 1, .high = 1}, endless = {.low = 0, .high = INFINITY},
                                  unit = {.low = 0, .high = 1};
    assert_int_equal(costab_planar_critical(&planar, &empty, critical, &count, &error), COSTAB_INVALID);
    assert_int_equal(costab_planar_critical(&planar, &endless, critical, &count, &error), COSTAB_INVALID);
    assert_int_equal(count, 0);
    check_ok(costab_planar_init(&planar, COSTAB_CROSS, &m, 65, 1, &why));
    assert_int_equal(costab_planar_critical(&planar, &unit, critical, &count, &error), COSTAB_INVALID);
    assert_null(costab_event_name(COSTAB_EVENT_COUNT));
    assert_string_equal(costab_event_name(COSTAB_US_RIGHT_INFINITE_ENDS), "us_right_infinite_ends");
}
