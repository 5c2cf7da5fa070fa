/* Measures of the planar test system for rules of claims, with rk4 and one micro step, coupled by a scheme
 * ([KNS] sections 4 and 5): areas, critical values of a, the left end of the method's real interval, trace,
 * determinant and isolated points. */
#include <math.h>

#include "claims/claims.h"

static costab_scheme scheme_of(claims *c) {
    costab_scheme scheme = COSTAB_SIMULATION;
    CLAIMS_TRY(c, costab_scheme_find(c->coupling, &scheme, c->error));
    return scheme;
}

/* Returns the areas at a; they are computed once for consecutive equal values of a. */
static costab_areas areas(claims *c, costab_scheme scheme, double a) {
    if (!(c->areas_at[scheme] == a))
        CLAIMS_TRY(c, costab_planar_areas(&c->scheme[scheme], a, &c->areas[scheme], c->error));
    c->areas_at[scheme] = a;
    return c->areas[scheme];
}

static double area(claims *c, int us) {
    costab_areas found = areas(c, scheme_of(c), claims_value(c, "a", 0));
    return us ? found.us : found.ss;
}

/* Returns the area of SS of the simulation, which does not depend on a. */
static double simulation_area(claims *c, int which) {
    (void)which;
    return areas(c, COSTAB_SIMULATION, 0).ss;
}

/* Returns the first value of a in the range with an event; NaN without an event. */
static double event_at(claims *c, int event) {
    costab_critical found[COSTAB_CRITICAL_MAX];
    size_t count = 0;
    costab_scheme scheme = scheme_of(c);
    const claims_setting *range = claims_range(c);
    if (c->status) return (double)NAN;
    const costab_critical_options options = {.low = range->low, .high = range->high};
    CLAIMS_TRY(c, costab_planar_critical(&c->scheme[scheme], &options, found, &count, c->error));
    for (size_t i = 0; i < count; i++)
        if ((int)found[i].event == event) return found[i].a;
    return (double)NAN;
}

/* Returns the left end of real interval number `which` with |R| below 1; rk4 has one, next to 0. */
static double real_lower(claims *c, int which) {
    return c->scheme[COSTAB_SIMULATION].real_lower[which];
}

/* Returns the trace or the determinant of the map. */
static double invariant(claims *c, int determinant) {
    double a = claims_value(c, "a", 0), gamma = claims_value(c, "gamma", 0),
           delta = claims_value(c, "delta", 0);
    costab_planar_point point = {0};
    costab_planar_points(&c->scheme[scheme_of(c)], 1, &a, &gamma, &delta, &point);
    return determinant ? point.determinant : point.trace;
}

/* Returns gamma or delta of the isolated point of the flip's boundary in the window; NaN without one. */
static double isolated(claims *c, int of_delta) {
    const claims_setting *gamma = claims_find(c, "gamma"), *delta = claims_find(c, "delta");
    costab_boundary boundary = {0};
    double found = (double)NAN;
    costab_scheme scheme = scheme_of(c);
    if (gamma == NULL || delta == NULL) return found;
    const double window[2][2] = {{gamma->low, gamma->high}, {delta->low, delta->high}};
    CLAIMS_TRY(c, costab_planar_boundary(&c->scheme[scheme], claims_value(c, "a", 0), window[0], window[1],
                                         &boundary, c->error));
    for (size_t i = 0; i < boundary.count; i++) {
        const costab_curve *curve = &boundary.curves[i];
        if (curve->cause == COSTAB_CAUSE_FLIP && curve->count == 1)
            found = of_delta ? curve->delta[0] : curve->gamma[0];
    }
    costab_boundary_free(&boundary);
    return found;
}

const claims_measure claims_planar_measures[] = {{"ss", area, 0},
                                                 {"us", area, 1},
                                                 {"simulation_ss", simulation_area, 0},
                                                 {"real_lower", real_lower, 0},
                                                 {"trace", invariant, 0},
                                                 {"determinant", invariant, 1},
                                                 {"isolated_gamma", isolated, 0},
                                                 {"isolated_delta", isolated, 1},
#define EVENT(name, text) {text, event_at, COSTAB_##name},
                                                 COSTAB_EVENT_LIST(EVENT){NULL, NULL, 0}};
