/* Measures of a network for rules of claims (the table at the end), each a number of the row's model,
 * coupling and settings:
 *   1. at one point: results of costab_network_analyse, the largest moduli of the map's eigenvalues, the
 *      trace of the monolithic system, a state after 100 macro steps;
 *   2. over a range: the end of the stable interval that starts at its low end, by a limit search;
 *   3. over a run until `until`: the largest error of a state at all micro steps; the largest extrema of x',
 *      as [MS] section 5 computes M_f;
 *   4. from [MS] eq. 30 and 31 with the error `allowed`: the macro step, the horizon, M_f and M_g.
 *
 * Cost: each use of a measure computes it. Limitation: stability limits come from a complete search, without
 * proof. An extremum's sign comes from the grid of communication points. */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/memory.h"
#include "claims/claims.h"
#include "costab/study.h"

static const costab_network *network_of(claims *c) {
    CLAIMS_TRY(c, costab_model_instance_update(c->instance, c->error));
    return !c->status ? costab_model_instance_network(c->instance) : NULL;
}

static int coupling_index(claims *c) {
    int index = !c->status ? costab_model_coupling(c->spec->model, c->coupling) : 0;
    if (index < 0) CLAIMS_TRY(c, error_invalid(c->error, "there is no coupling '%s'", c->coupling));
    return index;
}

static const costab_coupling *coupling_of(claims *c) {
    int index = coupling_index(c);
    return !c->status ? costab_model_instance_coupling(c->instance, index) : NULL;
}

static void analyse(claims *c) {
    const costab_network *network = network_of(c);
    const costab_coupling *coupling = coupling_of(c);
    CLAIMS_TRY(c, costab_network_analyse(c->work, network, coupling, &c->point, c->error));
}

/* ---- One macro step */

enum { RADIUS, GROWTH, ABSCISSA, ITERATION, NEUTRAL, PERIOD, ROUNDING };

static double of_point(claims *c, int which) {
    analyse(c);
    const costab_network_point *p = &c->point;
    const double values[] = {p->spectral_radius, p->growth,         p->spectral_abscissa, p->iteration_radius,
                             p->neutral,         (double)p->period, p->rounding};
    return !c->status ? values[which] : (double)NAN;
}

/* Returns the which-th largest modulus (from 0) of the map's eigenvalues; NaN if there are fewer. */
static double modulus(claims *c, int which) {
    double found = (double)NAN;
    analyse(c);
    memory_local costab_complex *values =
        !c->status ? memory_alloc((size_t)c->point.size, sizeof *values) : NULL;
    if (values == NULL) CLAIMS_TRY(c, error_memory(c->error));
    if (!c->status) costab_network_spectrum(c->work, values, NULL);
    if (!c->status && which < c->point.size) found = hypot(values[which].re, values[which].im);
    return found;
}

/* Returns the trace of the monolithic system, the sum of its eigenvalues. */
static double trace(claims *c, int which) {
    (void)which;
    int states = 0;
    analyse(c);
    const double *A = !c->status ? costab_network_monolithic(c->work, &states) : NULL;
    double sum = 0;
    for (int i = 0; i < states; i++) sum += A[i * states + i];
    return A != NULL ? sum : (double)NAN;
}

/* Returns the first state after `steps` steps of a map of two states from (0, 1); NaN for other maps. */
static double after(claims *c, int steps) {
    const double *M = NULL, *imaginary;
    double x = 0, y = 1;
    analyse(c);
    if (!c->status) costab_network_matrix(c->work, &M, &imaginary);
    if (M == NULL || c->point.size != 2) return (double)NAN;
    for (int i = 0; i < steps; i++) {
        double next = M[0] * x + M[1] * y;
        y = M[2] * x + M[3] * y;
        x = next;
    }
    return x;
}

/* ---- Over a range */

/* Returns the end of the stable interval that starts at the range's low end; NaN if the low end is unstable.
 */
static double limit(claims *c, int which) {
    (void)which;
    analysis_family family = {.instance = c->instance, .work = c->work};
    costab_analysis_limit found = {.values = 0};
    const claims_setting *range = claims_range(c);
    family.own = coupling_index(c);
    if (c->status) return (double)NAN;
    costab_analysis_limit_options options = {.lower = range->low, .upper = range->high};
    CLAIMS_TRY(c, costab_model_find_parameter(c->spec->model, range->name, &family.parameter, c->error));
    CLAIMS_TRY(c, analysis_limit_find(&family, &options, &found, c->error));
    const costab_piece *first = found.found.pieces;
    bool begins = found.found.count > 0 && first->from_is == COSTAB_END_RANGE &&
                  (first->class_code & COSTAB_DISCRETE_STABLE) != 0;
    double end = !c->status && begins ? first->to : (double)NAN;
    costab_limit_free(&found.found);
    return end;
}

/* ---- Errors [MS] */

/* Returns the largest difference between a state and the continuous solution up to `until`. */
static double error_at(claims *c, int which) {
    (void)which;
    double found = (double)NAN;
    const costab_network *network = network_of(c);
    const costab_coupling *coupling = coupling_of(c);
    CLAIMS_TRY(c, costab_network_error(network, coupling, claims_value(c, "until", 0), &found, c->error));
    return found;
}

/* Measures of a bound. F, G: M_f and M_g of the first subsystem; the second subsystem's follow. */
enum { STEP, HORIZON, F, G = F + 2 };

static costab_bound bound(claims *c, bool printed) {
    costab_bound found = {
        {(double)NAN, (double)NAN}, {(double)NAN, (double)NAN}, 0, (double)NAN, (double)NAN};
    costab_bound_options options = {.error = claims_value(c, "allowed", 0), .printed = printed};
    const costab_network *network = network_of(c);
    CLAIMS_TRY(c, costab_network_bound(network, &options, &found, c->error));
    return found;
}

static double of_bound(claims *c, int which) {
    costab_bound found = bound(c, false);
    const double values[] = {found.macro_step, found.horizon, found.f[0], found.f[1], found.g[0], found.g[1]};
    return values[which];
}

/* The largest extrema of x' = A x after t = 0, of two states, one in each subsystem: a value of x' larger or
 * smaller than both its neighbours on the grid of communication points. */
typedef struct extrema {
    double A[4], x[2];         /* x: the states at the current communication point */
    double before[2], last[2]; /* x' at the last point but one, and at the last */
    double largest[2];         /* the largest in modulus so far, with its sign */
} extrema;

static bool take_row(void *context, const costab_row *row) {
    extrema *e = context;
    if (row->kind != COSTAB_SIGNAL_STATE || !row->communication) return true;
    e->x[row->subsystem] = row->monolithic;
    if (row->subsystem == 0) return true; /* the second subsystem's row is the next */
    for (int i = 0; i < 2; i++) {
        double f = e->A[2 * i] * e->x[0] + e->A[2 * i + 1] * e->x[1];
        bool extremum = (e->last[i] - e->before[i]) * (f - e->last[i]) < 0;
        if (extremum && fabs(e->last[i]) > fabs(e->largest[i])) e->largest[i] = e->last[i];
        e->before[i] = e->last[i];
        e->last[i] = f;
    }
    return true;
}

/* Returns M_f as computed in [MS] section 5, a modulus, with the sign of the extremum. */
static double extremum(claims *c, int which) {
    int states = 0;
    costab_bound found = bound(c, true);
    extrema e = {.before = {(double)NAN, (double)NAN}, .last = {(double)NAN, (double)NAN}};
    costab_simulate_options options = {.until = claims_value(c, "until", 0), .monolithic = true};
    costab_simulate_outcome outcome;
    analyse(c);
    const double *A = !c->status ? costab_network_monolithic(c->work, &states) : NULL;
    if (states != 2) return (double)NAN;
    memcpy(e.A, A, sizeof e.A);
    const costab_network *network = network_of(c);
    const costab_coupling *coupling = coupling_of(c);
    CLAIMS_TRY(c, costab_network_simulate(network, coupling, &options, take_row, &e, &outcome, c->error));
    return copysign(found.f[which], e.largest[which]);
}

const claims_measure claims_network_measures[] = {{"radius", of_point, RADIUS},
                                                  {"growth", of_point, GROWTH},
                                                  {"abscissa", of_point, ABSCISSA},
                                                  {"iteration_radius", of_point, ITERATION},
                                                  {"neutral", of_point, NEUTRAL},
                                                  {"period", of_point, PERIOD},
                                                  {"rounding", of_point, ROUNDING},
                                                  {"modulus1", modulus, 0},
                                                  {"modulus2", modulus, 1},
                                                  {"modulus3", modulus, 2},
                                                  {"trace", trace, 0},
                                                  {"after100", after, 100},
                                                  {"limit", limit, 0},
                                                  {"error", error_at, 0},
                                                  {"step", of_bound, STEP},
                                                  {"horizon", of_bound, HORIZON},
                                                  {"f1", of_bound, F},
                                                  {"f2", of_bound, F + 1},
                                                  {"g1", of_bound, G},
                                                  {"g2", of_bound, G + 1},
                                                  {"extremum1", extremum, 0},
                                                  {"extremum2", extremum, 1},
                                                  {NULL, NULL, 0}};
