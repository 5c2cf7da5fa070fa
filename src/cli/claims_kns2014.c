/* [KNS] T. Kalmar-Nagy, I. Stanciulescu, Can complex systems really be simulated?, 2014: every number of its
 * sections 4 and 5, computed when asked. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/claims.h"
#include "costab/area.h"

/* What the claims are computed from. */
typedef struct kns {
    claim_rows rows;
    costab_planar scheme[COSTAB_SCHEME_COUNT];
} kns;

static costab_areas areas(kns *k, costab_scheme scheme, double a) {
    costab_areas result = {(double)NAN, (double)NAN, 0, 0};
    if (k->rows.status == COSTAB_OK)
        k->rows.status = costab_planar_areas(&k->scheme[scheme], a, &result, k->rows.error);
    return result;
}

/* The value of a in (low, high) at which an event happens, NaN if it does not. */
static double event_at(kns *k, costab_scheme scheme, costab_event event, double low, double high) {
    costab_critical found[COSTAB_CRITICAL_MAX];
    size_t count = 0;
    if (k->rows.status == COSTAB_OK)
        k->rows.status = costab_planar_critical(&k->scheme[scheme], low, high, found, &count, k->rows.error);
    for (size_t i = 0; i < count; i++)
        if (found[i].event == event) return found[i].a;
    return (double)NAN;
}

/* Where a function changes its sign between low and high, by bisection to the last bit. */
static double bisect(double (*f)(kns *, costab_scheme, double), kns *k, costab_scheme scheme, double low,
                     double high) {
    bool rising = f(k, scheme, low) < 0;
    for (int i = 0; i < 200 && k->rows.status == COSTAB_OK; i++) {
        double mid = 0.5 * (low + high);
        if (mid <= low || mid >= high) break;
        if ((f(k, scheme, mid) < 0) == rising)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}

static void section_4(kns *k) {
    costab_areas s = areas(k, COSTAB_SIMULATION, 0);
    double p = k->scheme[COSTAB_SIMULATION].real_lower[0];
    claim_number(&k->rows, "simulation: A_SS (section 4)", "32.5732", s.ss, "");
    claim_number(&k->rows, "simulation: A_US (section 4)", "2.00072", s.us, "");
    claim_number(&k->rows, "simulation: share of misleading results (section 4)", "0.057",
                 s.us / (s.ss + s.us), "cut off, not rounded; it is A_US / (A_SS + A_US)");
    claim_number(&k->rows, "simulation: A_US / (A_SS - A_US), the formula printed for that share (section 4)",
                 "0.057", s.us / (s.ss - s.us), "the printed formula has the wrong sign");
    claim_number(&k->rows, "p (26)", "-2.78529", p, "");
    claim_number(&k->rows, "q (27)", "-7.75786", -p * p, "");
}

/* The isolated points of gamma3, the one with the larger Gamma first in the paper. */
static void isolated_points(kns *k) {
    static const double gamma[2] = {-6, 2}, delta[2] = {-1, 14};
    costab_boundary boundary = {0};
    double x[2] = {(double)NAN, (double)NAN}, y[2] = {(double)NAN, (double)NAN};
    if (k->rows.status == COSTAB_OK)
        k->rows.status =
            costab_planar_boundary(&k->scheme[COSTAB_SIMULATION], 0, gamma, delta, &boundary, k->rows.error);
    for (size_t c = 0; c < boundary.count; c++) {
        const costab_curve *curve = &boundary.curves[c];
        if (curve->cause != COSTAB_CAUSE_FLIP || curve->count != 1) continue;
        int i = curve->gamma[0] > 0 ? 0 : 1;
        x[i] = curve->gamma[0];
        y[i] = curve->delta[0];
    }
    costab_boundary_free(&boundary);
    claim_number(&k->rows, "first isolated point of gamma3: Gamma (section 4)", "0.4389", x[0], "");
    claim_number(&k->rows, "first isolated point of gamma3: Delta (section 4)", "6.1753", y[0], "");
    claim_number(&k->rows, "second isolated point of gamma3: Gamma (section 4)", "-4.4389", x[1], "");
    claim_number(&k->rows, "second isolated point of gamma3: Delta (section 4)", "7.7729", y[1], "");
}

/* Whether the simulation of figure 5's matrices with step h is stable: -1 or 1. */
static double stable_with_step(kns *k, const double *matrix, double h) {
    double a = matrix[0] * h, gamma = (matrix[0] + matrix[3]) * h;
    double delta = (matrix[0] * matrix[3] - matrix[1] * matrix[2]) * h * h;
    costab_planar_point point;
    costab_planar_points(&k->scheme[COSTAB_SIMULATION], 1, &a, &gamma, &delta, &point);
    return point.class_code & 1 ? 1 : -1;
}

static double su_case(kns *k, costab_scheme scheme, double h) {
    static const double matrix[4] = {10, 3000, -2767, -110};
    (void)scheme;
    return stable_with_step(k, matrix, h);
}

static double us_case(kns *k, costab_scheme scheme, double h) {
    static const double matrix[4] = {10, 3000, -2000, 290};
    (void)scheme;
    return stable_with_step(k, matrix, h);
}

static void figure_5(kns *k) {
    static const char why[] = "the paper does not print its step; h = 1e-3 shows both cases";
    claim_number(&k->rows, "figure 5: the SU case needs a step above", "",
                 bisect(su_case, k, COSTAB_SIMULATION, 5e-4, 2e-3), why);
    claim_number(&k->rows, "figure 5: the US case needs a step above", "",
                 bisect(us_case, k, COSTAB_SIMULATION, 3e-4, 9e-4), why);
    claim_number(&k->rows, "figure 5: the US case needs a step below", "",
                 bisect(us_case, k, COSTAB_SIMULATION, 9e-4, 2e-3), why);
}

static void section_5_1(kns *k) {
    double p = event_at(k, COSTAB_CROSS, COSTAB_SS_BEGINS, -8, 0);
    double infinite = event_at(k, COSTAB_CROSS, COSTAB_SS_INFINITE_BEGINS, -8, 0);
    claim_number(&k->rows, "cross: A_SS = 0 up to a (section 5.1)", "-3.1605", p,
                 "A_SS is 0 up to p; the printed value is a root of R(a) = 2 - min R, where A_US begins");
    claim_number(&k->rows, "cross: the root of R(a) = 2 - min R below p (section 5.1)", "-3.1605",
                 event_at(k, COSTAB_CROSS, COSTAB_US_BEGINS, -8, 0), "");
    claim_number(&k->rows, "cross: A_SS = 0 from a on (section 5.1)", "0.548155",
                 event_at(k, COSTAB_CROSS, COSTAB_SS_ENDS, 0, 8), "");
    claim_number(&k->rows, "cross: A_SS infinite from a on (section 5.1)", "-3.1605", infinite,
                 "A_SS is infinite on (p, 0) only; at a = -3 it is 0");
    claim_number(&k->rows, "cross: A_SS infinite up to a (section 5.1)", "0",
                 event_at(k, COSTAB_CROSS, COSTAB_SS_INFINITE_ENDS, -1, 1), "");
}

static double beyond_simulation(kns *k, costab_scheme scheme, double a) {
    return areas(k, scheme, a).ss - areas(k, COSTAB_SIMULATION, 0).ss;
}

/* The largest A_US of strong coupling for a in [-1.7, -0.7], where it has one maximum: golden section. */
static double widest_sliver(kns *k, double *a) {
    const double ratio = 0.5 * (sqrt(5) - 1);
    double low = -1.7, high = -0.7;
    for (int i = 0; i < 60 && k->rows.status == COSTAB_OK; i++) {
        double left = high - ratio * (high - low), right = low + ratio * (high - low);
        if (areas(k, COSTAB_STRONG, left).us > areas(k, COSTAB_STRONG, right).us)
            high = right;
        else
            low = left;
    }
    *a = 0.5 * (low + high);
    return areas(k, COSTAB_STRONG, *a).us;
}

static void sections_5_2_to_5_4(kns *k) {
    double zigzag2 = areas(k, COSTAB_ZIGZAG, 2).us, zigzag3 = areas(k, COSTAB_ZIGZAG, -3).us, a;
    claim_statement(&k->rows, "zigzag: A_US at a = 2 (section 5.2)", "exists", zigzag2, zigzag2 > 0, "");
    claim_statement(&k->rows, "zigzag: A_US at a = -3 (section 5.2)", "exists", zigzag3, zigzag3 > 0, "");
    claim_number(&k->rows, "strong: no stable point below a (section 5.3)", "-2.79",
                 event_at(k, COSTAB_STRONG, COSTAB_SS_BEGINS, -8, 0), "");
    claim_number(&k->rows, "strong: no stable point above a (section 5.3)", "1.75",
                 event_at(k, COSTAB_STRONG, COSTAB_SS_ENDS, 0.5, 8),
                 "the positive root of a^2 (a^4 + 8 a^2 + 144) = 576");
    double sliver = widest_sliver(k, &a);
    claim_statement(&k->rows, "strong: largest A_US (section 5.3)", "none", sliver, sliver == 0,
                    "slivers at 0 < Gamma << 1 for every a between minus and plus the bound above but 0");
    claim_number(&k->rows, "strong: the a of the largest A_US", "", a, "the paper sees no US");
    claim_statement(&k->rows,
                    "zigzag: A_SS smaller than the simulation's for all a; exceeds it below a (section 5.4)",
                    "smaller", bisect(beyond_simulation, k, COSTAB_ZIGZAG, -2, -1), false,
                    "it is larger for a from p up to this value");
    claim_statement(&k->rows,
                    "strong: A_SS smaller than the simulation's for all a; exceeds it below a (section 5.4)",
                    "smaller", bisect(beyond_simulation, k, COSTAB_STRONG, -2, -1), false,
                    "it is larger for a from p up to this value");
}

costab_status claims_kns2014(claim_taker *take, void *context, costab_error *error) {
    kns k = {.rows = {take, context, error, COSTAB_OK}};
    costab_method method;
    k.rows.status = costab_method_find("rk4", &method, error);
    for (int s = 0; s < COSTAB_SCHEME_COUNT && k.rows.status == COSTAB_OK; s++)
        k.rows.status = costab_planar_init(&k.scheme[s], (costab_scheme)s, &method, 1, 1, error);
    section_4(&k);
    isolated_points(&k);
    figure_5(&k);
    section_5_1(&k);
    sections_5_2_to_5_4(&k);
    return k.rows.status;
}
