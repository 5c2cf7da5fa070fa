/* [KNS]: every number of its sections 4 and 5. */
#include <math.h>
#include <string.h>

#include "claims/claims.h"
#include "costab/area.h"

static costab_areas areas(claims *c, costab_scheme scheme, double a) {
    costab_areas result = {(double)NAN, (double)NAN, 0, 0};
    CLAIMS_TRY(c, costab_planar_areas(&c->scheme[scheme], a, &result, c->error));
    return result;
}

/* The value of a in (low, high) at which an event happens, NaN if it does not. */
static double event_at(claims *c, costab_scheme scheme, costab_event event, double low, double high) {
    costab_critical found[COSTAB_CRITICAL_MAX];
    size_t count = 0;
    const costab_critical_options options = {.low = low, .high = high};
    CLAIMS_TRY(c, costab_planar_critical(&c->scheme[scheme], &options, found, &count, c->error));
    for (size_t i = 0; i < count; i++)
        if (found[i].event == event) return found[i].a;
    return (double)NAN;
}

/* Where a function changes its sign between low and high, by bisection to the last bit. */
static double bisect(double (*f)(claims *, int, double), claims *c, int which, double low, double high) {
    bool rising = f(c, which, low) < 0;
    for (int i = 0; i < 200 && !c->status; i++) {
        double mid = 0.5 * (low + high);
        if (mid <= low || mid >= high) break;
        if ((f(c, which, mid) < 0) == rising)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}

/* Whether the simulation with trace 0 has passed the line of gamma2 through (0, -p^2): -1 or 1. */
static double beyond_second_line(claims *c, int which, double delta) {
    const double a = 0, gamma = 0;
    costab_planar_point point;
    (void)which;
    costab_planar_points(&c->scheme[COSTAB_SIMULATION], 1, &a, &gamma, &delta, &point);
    return 1 - point.trace + point.determinant > 0 ? 1 : -1;
}

static void section_4(claims *c) {
    costab_areas s = areas(c, COSTAB_SIMULATION, 0);
    double p = c->scheme[COSTAB_SIMULATION].real_lower[0];
    claim_number(c, "simulation: A_SS (section 4)", "32.5732", s.ss, "");
    claim_number(c, "simulation: A_US (section 4)", "2.00072", s.us, "");
    claim_number(c, "simulation: share of misleading results (section 4)", "0.057", s.us / (s.ss + s.us),
                 "cut off, not rounded; it is A_US / (A_SS + A_US)");
    claim_number(c, "simulation: A_US / (A_SS - A_US), the formula printed for that share (section 4)",
                 "0.057", s.us / (s.ss - s.us), "the printed formula has the wrong sign");
    claim_number(c, "p (26)", "-2.78529", p, "");
    claim_number(c, "q (27)", "-7.75786", -p * p, "");
    claim_statement(c, "second line of gamma2: Delta where it meets the Delta axis (section 4)", "-q/p",
                    bisect(beyond_second_line, c, 0, -9, -6), false,
                    "it is q = -p^2; -q/p = p is where the line meets the Gamma axis");
}

/* The isolated points of gamma3, the one with the larger Gamma first in the paper. */
static void isolated_points(claims *c) {
    static const double gamma[2] = {-6, 2}, delta[2] = {-1, 14};
    costab_boundary boundary = {0};
    double x[2] = {(double)NAN, (double)NAN}, y[2] = {(double)NAN, (double)NAN};
    CLAIMS_TRY(c,
               costab_planar_boundary(&c->scheme[COSTAB_SIMULATION], 0, gamma, delta, &boundary, c->error));
    for (size_t i = 0; i < boundary.count; i++) {
        const costab_curve *curve = &boundary.curves[i];
        if (curve->cause != COSTAB_CAUSE_FLIP || curve->count != 1) continue;
        int which = curve->gamma[0] > 0 ? 0 : 1;
        x[which] = curve->gamma[0];
        y[which] = curve->delta[0];
    }
    costab_boundary_free(&boundary);
    claim_number(c, "first isolated point of gamma3: Gamma (section 4)", "0.4389", x[0], "");
    claim_number(c, "first isolated point of gamma3: Delta (section 4)", "6.1753", y[0], "");
    claim_number(c, "second isolated point of gamma3: Gamma (section 4)", "-4.4389", x[1], "");
    claim_number(c, "second isolated point of gamma3: Delta (section 4)", "7.7729", y[1], "");
}

/* Whether the simulation of one of figure 5's matrices, SU and US, with step h is stable: -1 or 1. */
static double stable_with_step(claims *c, int which, double h) {
    static const double matrices[2][4] = {{10, 3000, -2767, -110}, {10, 3000, -2000, 290}};
    const double *matrix = matrices[which];
    double a = matrix[0] * h, gamma = (matrix[0] + matrix[3]) * h;
    double delta = (matrix[0] * matrix[3] - matrix[1] * matrix[2]) * h * h;
    costab_planar_point point;
    costab_planar_points(&c->scheme[COSTAB_SIMULATION], 1, &a, &gamma, &delta, &point);
    return point.class_code & 1 ? 1 : -1;
}

static void figure_5(claims *c) {
    static const char why[] = "the paper does not print its step; h = 1e-3 shows both cases";
    claim_number(c, "figure 5: the SU case needs a step above", "",
                 bisect(stable_with_step, c, 0, 5e-4, 2e-3), why);
    claim_number(c, "figure 5: the US case needs a step above", "",
                 bisect(stable_with_step, c, 1, 3e-4, 9e-4), why);
    claim_number(c, "figure 5: the US case needs a step below", "",
                 bisect(stable_with_step, c, 1, 9e-4, 2e-3), why);
}

static void section_5_1(claims *c) {
    double p = event_at(c, COSTAB_CROSS, COSTAB_SS_BEGINS, -8, 0);
    double infinite = event_at(c, COSTAB_CROSS, COSTAB_SS_INFINITE_BEGINS, -8, 0);
    claim_number(c, "cross: A_SS = 0 up to a (section 5.1)", "-3.1605", p,
                 "A_SS is 0 up to p; the printed value is a root of R(a) = 2 - min R, where A_US begins");
    claim_number(c, "cross: the root of R(a) = 2 - min R below p (section 5.1)", "-3.1605",
                 event_at(c, COSTAB_CROSS, COSTAB_US_BEGINS, -8, 0), "");
    claim_number(c, "cross: A_SS = 0 from a on (section 5.1)", "0.548155",
                 event_at(c, COSTAB_CROSS, COSTAB_SS_ENDS, 0, 8), "");
    claim_number(c, "cross: A_SS infinite from a on (section 5.1)", "-3.1605", infinite,
                 "A_SS is infinite on (p, 0) only; at a = -3 it is 0");
    claim_number(c, "cross: A_SS infinite up to a (section 5.1)", "0",
                 event_at(c, COSTAB_CROSS, COSTAB_SS_INFINITE_ENDS, -1, 1), "");
}

static double beyond_simulation(claims *c, int scheme, double a) {
    return areas(c, (costab_scheme)scheme, a).ss - c->simulation_area;
}

/* The largest A_US of strong coupling for a in [-1.7, -0.7], where it has one maximum: golden section. */
static double widest_sliver(claims *c, double *a) {
    const double ratio = 0.5 * (sqrt(5) - 1);
    double low = -1.7, high = -0.7;
    for (int i = 0; i < 60 && !c->status; i++) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low);
        if (areas(c, COSTAB_STRONG, left).us > areas(c, COSTAB_STRONG, right).us)
            high = right;
        else
            low = left;
    }
    *a = 0.5 * (low + high);
    return areas(c, COSTAB_STRONG, *a).us;
}

static void sections_5_2_to_5_4(claims *c) {
    double zigzag2 = areas(c, COSTAB_ZIGZAG, 2).us, zigzag3 = areas(c, COSTAB_ZIGZAG, -3).us, a;
    claim_statement(c, "zigzag: A_US at a = 2 (section 5.2)", "exists", zigzag2, zigzag2 > 0, "");
    claim_statement(c, "zigzag: A_US at a = -3 (section 5.2)", "exists", zigzag3, zigzag3 > 0, "");
    claim_number(c, "strong: no stable point below a (section 5.3)", "-2.79",
                 event_at(c, COSTAB_STRONG, COSTAB_SS_BEGINS, -8, 0), "");
    claim_number(c, "strong: no stable point above a (section 5.3)", "1.75",
                 event_at(c, COSTAB_STRONG, COSTAB_SS_ENDS, 0.5, 8),
                 "the positive root of a^2 (a^4 + 8 a^2 + 144) = 576");
    double sliver = widest_sliver(c, &a);
    claim_statement(c, "strong: largest A_US (section 5.3)", "none", sliver, sliver == 0,
                    "slivers at 0 < Gamma << 1 for every a between minus and plus the bound above but 0");
    claim_number(c, "strong: the a of the largest A_US", "", a, "the paper sees no US");
    claim_statement(c,
                    "zigzag: A_SS smaller than the simulation's for all a; exceeds it below a (section 5.4)",
                    "smaller", bisect(beyond_simulation, c, COSTAB_ZIGZAG, -2, -1), false,
                    "it is larger for a from p up to this value");
    claim_statement(c,
                    "strong: A_SS smaller than the simulation's for all a; exceeds it below a (section 5.4)",
                    "smaller", bisect(beyond_simulation, c, COSTAB_STRONG, -2, -1), false,
                    "it is larger for a from p up to this value");
    double cross = areas(c, COSTAB_CROSS, -0.3).ss;
    claim_statement(c, "cross: the smallest A_SS of all methods; A_SS at a = -0.3 (section 5.4)", "smallest",
                    cross, cross < c->simulation_area, "infinite, at a = -0.3 as for every a from p up to 0");
    double none = areas(c, COSTAB_CROSS, -4).us;
    claim_statement(c, "cross: A_US for any negative a; A_US at a = -4 (section 5.4)", "exists", none,
                    none > 0, "0, at a = -4 as for every a below -3.1605");
}

void claims_kns2014(claims *c) {
    costab_method method;
    CLAIMS_TRY(c, costab_method_find("rk4", &method, c->error));
    for (int s = 0; s < COSTAB_SCHEME_COUNT; s++)
        CLAIMS_TRY(c, costab_planar_init(&c->scheme[s], (costab_scheme)s, &method, 1, 1, c->error));
    c->simulation_area = areas(c, COSTAB_SIMULATION, 0).ss;
    section_4(c);
    isolated_points(c);
    figure_5(c);
    section_5_1(c);
    sections_5_2_to_5_4(c);
}
