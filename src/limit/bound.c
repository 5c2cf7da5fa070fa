/* Tests the macro step T_max of the error bound [MS] (31) by simulation. Determines the largest stable macro
 * step, the actual error at T_max, and the largest macro step up to which the error stays within the
 * tolerance.
 * The measured error is not monotone in the macro step. It jumps if the horizon is an integer multiple of the
 * macro step, because the last point then drops out.
 * 1. Limit: finds the end of the first stable interval of macro steps (limit.c).
 * 2. Lowest macro step: starts at 0.01 T_max and halves it, down to 0.001 T_max, until the error meets the
 *    tolerance. It starts higher if the simulations would take too many macro steps.
 * 3. Scan: measures the error at geometrically spaced macro steps up to 30 T_max or, if the continuous system
 *    is stable, up to the end of the first stable interval. A local maximum between three samples that may
 *    exceed the tolerance is refined by golden section.
 * 4. Bisection: refines the first macro step with too large an error.
 * With micro steps of fixed length only the macro steps of macro_step.c are used. Cost: 1,500 samples from
 * 0.01 T_max, 1,930 from 0.001 T_max, of 1e9 macro steps in total; 60 more simulations for the bisection, and
 * 41 for each refined maximum. Limitation: the scan may miss an excess narrower than the distance of two
 * samples, 0.54 %. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/limit.h"
#include "limit/limit.h"
#include "method/golden.h"

/* Range of the scan in units of T_max. It extends down to LEAST if the error at LOWEST exceeds the
 * tolerance. */
#define LEAST   0.001
#define LOWEST  0.01
#define HIGHEST 30.0
enum { SAMPLES = 1500, SECTIONS = 40, HALVINGS = 60 };
/* Limits of the total number of macro steps of a scan; the lowest samples dominate. find_lowest starts, below
 * T_max, with a macro step that respects STEPS_RULE. If the error there is too large, it descends as far as
 * STEPS_MOST permits. */
#define STEPS_RULE 1e8
#define STEPS_MOST 1e9

typedef struct search {
    const costab_network *network;
    costab_coupling coupling;
    const costab_made_options *options;
    costab_network_simulator *simulator;
    double *places; /* allowed macro steps, ascending; NULL: all */
    size_t place_count;
    double asked, found; /* last simulated macro step and its error */
    size_t done, total;  /* samples of the scan */
} search;

/* Reports the progress of the scan. Returns true if the caller wants to stop. */
static bool stops(void *context) {
    const search *s = context;
    const costab_made_options *o = s->options;
    return o->progress != NULL && o->progress(o->progress_context, s->done, s->total);
}

static bool limit_stops(void *context, double share, size_t evaluations) {
    (void)share;
    (void)evaluations;
    return stops(context);
}

/* Returns the largest allowed macro step up to T; 0 if there is none. */
static double allowed(const search *s, double T) {
    if (s->places == NULL) return T;
    size_t low = 0, high = s->place_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->places[middle] <= T * (1 + 4 * DBL_EPSILON))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? s->places[low - 1] : 0;
}

/* Measures the error with the largest allowed macro step up to T. [out] *found: 0 if there is none. */
static costab_status error_at(search *s, double T, double *found, costab_error *error) {
    costab_measure_options wanted = {
        .horizon = s->options->horizon, .error = true, .exchanges = true, .stop = stops, .stop_context = s};
    costab_measures measures;
    *found = 0;
    T = allowed(s, T);
    if (T == 0) return COSTAB_OK;
    *found = s->found;
    if (T == s->asked) return COSTAB_OK;
    s->coupling.macro_step = T;
    TRY(costab_coupling_check(s->network, &s->coupling, error));
    TRY(costab_network_measure(s->simulator, s->network, &s->coupling, &wanted, &measures, error));
    s->asked = T;
    *found = s->found = measures.error;
    return COSTAB_OK;
}

/* Returns the lowest allowed macro step T such that simulations with all allowed steps from T on take at
 * most `most` macro steps in total; 0 if this holds for all of them, infinite if for none. */
static double affordable_place(const search *s, double most) {
    size_t first = s->place_count;
    double steps = 0;
    while (first > 0) {
        steps += s->options->horizon / s->places[first - 1];
        if (steps > most) break;
        first--;
    }
    if (first == 0) return 0;
    return first < s->place_count ? s->places[first] : INFINITY;
}

/* Returns the macro step T from which a scan takes at most `most` macro steps in total. Samples that grow by
 * the factor q take about horizon / (T log q) macro steps. If only some macro steps are allowed, each is
 * simulated once. */
static double affordable(const search *s, double growth, double most) {
    double from = s->options->horizon / (most * log(growth));
    return s->places != NULL ? fmin(from, affordable_place(s, most)) : from;
}

/* Finds the lowest macro step of the scan. *lowest exceeds `end` if a scan up to `end` would take too many
 * macro steps. */
static costab_status find_lowest(search *s, double growth, double end, double *lowest, costab_error *error) {
    const costab_made_options *o = s->options;
    double T = fmax(LOWEST * o->macro_step, fmin(affordable(s, growth, STEPS_RULE), o->macro_step)), found;
    double least = fmax(LEAST * o->macro_step, affordable(s, growth, STEPS_MOST));
    *lowest = least;
    if (end < least) return COSTAB_OK;
    for (T = fmax(least, fmin(T, end));; T = fmax(least, 0.5 * T)) {
        *lowest = T;
        TRY(error_at(s, T, &found, error));
        if (found <= o->error || T <= least) return COSTAB_OK;
    }
}

/* ---- The first crossing ---- */

/* Bisects between `low` (error within the tolerance) and `high` (error too large). */
static costab_status bisect(search *s, double low, double high, double *made, costab_error *error) {
    for (int i = 0; i < HALVINGS && high - low > 2 * DBL_EPSILON * high; i++) {
        double middle = 0.5 * (low + high), found;
        TRY(error_at(s, middle, &found, error));
        if (found <= s->options->error)
            low = middle;
        else
            high = middle;
    }
    *made = low;
    return COSTAB_OK;
}

/* Searches the maximum between low and high by golden section. *passed: the first macro step found with too
 * large an error, or 0. */
static costab_status climb(search *s, double low, double high, double *passed, costab_error *error) {
    golden section = golden_start(low, high);
    double T, found;
    *passed = 0;
    for (int i = 0; i <= SECTIONS && *passed == 0 && golden_next(&section, &T); i++) {
        TRY(error_at(s, T, &found, error));
        if (found > s->options->error) *passed = T;
        golden_set_value(&section, found);
    }
    return COSTAB_OK;
}

/* The last two samples of the scan: macro steps and errors. T[0] = 0: fewer than two. */
typedef struct samples {
    double T[2], e[2];
} samples;

/* Returns true if the newer sample is a local maximum between the older one and `next`, and the maximum near
 * it may exceed the allowed error. */
static bool may_pass(const samples *past, double next, double allowed_error) {
    double rise = past->e[1] - past->e[0], fall = past->e[1] - next;
    return past->T[0] > 0 && rise > 0 && fall >= 0 && past->e[1] + fmax(rise, fall) > allowed_error;
}

/* Runs the scan up to the macro step `end`. */
static costab_status scan(search *s, double end, costab_made *made, costab_error *error) {
    const costab_made_options *o = s->options;
    const double growth = pow(HIGHEST / LOWEST, 1.0 / SAMPLES);
    samples past = {{0, 0}, {0, 0}};
    double *first = &made->macro_step_made, *last = &made->kept_up_to;
    bool over = false;
    TRY(find_lowest(s, growth, end, &made->lowest, error));
    if (end < made->lowest) {
        *first = *last = end > 0 ? (double)NAN : 0;
        return COSTAB_OK;
    }
    int count = (int)ceil(log(made->highest / made->lowest) / log(growth));
    s->total = (size_t)count;
    for (int i = 0; i <= count; i++) {
        double T = fmin(made->lowest * pow(growth, i), end), found = 0, passed = 0;
        s->done = (size_t)i;
        if (stops(s)) return error_set(error, COSTAB_CANCELLED, "the search was stopped");
        TRY(error_at(s, T, &found, error));
        bool kept = found <= o->error;
        if (kept) *last = T;
        if (!over && kept && may_pass(&past, found, o->error)) TRY(climb(s, past.T[0], T, &passed, error));
        if (!over && (!kept || passed > 0)) {
            over = true;
            if (i > 0) TRY(bisect(s, past.T[passed > 0 ? 0 : 1], passed > 0 ? passed : T, first, error));
        }
        past = (samples){{past.T[1], T}, {past.e[1], found}};
        if (T >= end) break;
    }
    if (!over) *first = *last;
    *first = allowed(s, *first);
    *last = allowed(s, *last);
    return COSTAB_OK;
}

/* ---- Stability ---- */

/* Finds the end of the first stable interval from LEAST T_max on; 0 if the smallest macro steps are unstable.
 * [out] *continuous: the continuous system is stable. */
static costab_status find_limit(search *s, bool *continuous, double *stable_to, costab_error *error) {
    double T = s->options->macro_step;
    costab_limit_options range = {
        .lower = LEAST * T, .upper = HIGHEST * T, .progress = limit_stops, .progress_context = s};
    ends_by(costab_limit_free) costab_limit limit = {.count = 0};
    TRY(costab_limit_macro_step(s->network, &s->coupling, &range, &limit, error));
    *stable_to = 0;
    *continuous = false;
    if (limit.count > 0) {
        const costab_piece *piece = &limit.pieces[0];
        bool begins = s->places != NULL ? piece->from <= s->places[0] : piece->from_is == COSTAB_END_RANGE;
        if (begins && (piece->class_code & COSTAB_DISCRETE_STABLE) != 0) *stable_to = piece->to;
    }
    for (size_t i = 0; i < limit.continuous.count; i++)
        *continuous = *continuous || limit.continuous.items[i].verdict == COSTAB_OUTCOME_STABLE;
    return COSTAB_OK;
}

static costab_status check(const costab_made_options *options, costab_error *error) {
    const double given[] = {options->error, options->macro_step, options->horizon};
    for (int i = 0; i < 3; i++)
        if (!(given[i] > 0) || !isfinite(given[i]))
            return error_invalid(
                error, "the error, the macro step and the horizon must be positive and finite, not %g",
                given[i]);
    return COSTAB_OK;
}

costab_status costab_bound_made(const costab_network *network, const costab_coupling *coupling,
                                const costab_made_options *options, costab_made *made, costab_error *error) {
    ends_by(limit_places_free) double *places = NULL;
    ends_by(costab_network_simulator_destroy) costab_network_simulator *simulator = NULL;
    search s = {.network = network, .coupling = *coupling, .options = options, .total = SAMPLES};
    double range[2] = {LEAST * options->macro_step, HIGHEST * options->macro_step};
    int denominator;
    bool continuous = false;
    *made = (costab_made){.highest = range[1], .error_at_macro_step = (double)NAN};
    TRY(check(options, error));
    TRY(costab_network_check(network, error));
    TRY(limit_places(network, coupling, range, &places, &s.place_count, &denominator, error));
    s.places = places;
    if (places != NULL && s.place_count == 0)
        return error_invalid(error, "no whole number of micro steps fits between %g and %g", range[0],
                             range[1]);
    made->highest = allowed(&s, range[1]);
    TRY(find_limit(&s, &continuous, &made->stable_to, error));
    TRY(costab_network_simulator_create(&simulator, error));
    s.simulator = simulator;
    made->taken = allowed(&s, options->macro_step);
    const bool ends = made->taken <= options->horizon; /* the first macro step, by the horizon */
    if (made->taken == 0 || (ends && options->horizon <= STEPS_MOST * made->taken))
        TRY(error_at(&s, made->taken, &made->error_at_macro_step, error));
    /* Never recommend an unstable step, even if a short horizon hides the instability. */
    const double end = fmin(made->highest, options->horizon);
    return scan(&s, continuous ? fmin(made->stable_to, end) : end, made, error);
}
