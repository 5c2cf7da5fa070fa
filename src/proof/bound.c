/* What holds of the macro step that [MS] (31) allows: whether smaller ones are stable, which error is made,
 * and up to which macro step it is small enough.
 *
 * The error over a horizon is not monotone in the macro step, and it jumps where the horizon is a whole
 * number of macro steps, as the last point drops out.
 *
 * 1. The end of the first stable piece of macro steps (limit.c).
 * 2. The lowest macro step: one that keeps the error, as low as the runs may take.
 * 3. Upwards from there on a geometric scale to the first crossing (kept.c).
 * Where micro steps have fixed lengths the places that these allow stand for all macro steps.
 *
 * Cost: a run for each of up to 1500 samples, 1e9 macro steps at most. Not guaranteed: a hump narrower than
 * two samples may be missed. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "costab/proof.h"
#include "proof/kept.h"

/* Macro steps that are tried, in units of T_max. */
#define LEAST   0.001 /* where the error is not kept at LOWEST */
#define LOWEST  0.01
#define HIGHEST 30.0
enum { SAMPLES = 1500 };
/* So many macro steps may all runs of a scan take together, of which the lowest are the longest runs: the
 * first number ends it below T_max as soon as the error is kept, the second one in any case. */
#define STEPS_RULE 1e8
#define STEPS_MOST 1e9

typedef struct search {
    const costab_network *network;
    costab_coupling coupling;
    const costab_made_options *options;
    costab_network_simulator *simulator;
    double *places; /* macro steps that micro steps of fixed length allow; NULL: all */
    size_t place_count;
    double asked, found; /* the last macro step, and its error */
} search;

/* The largest macro step up to T that can be taken; 0: none. */
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

/* The error made with macro step T, or the largest one below that can be taken. */
static costab_status error_at(search *s, double T, double *found, costab_error *error) {
    costab_measure_options wanted = {.horizon = s->options->horizon, .error = true, .exchanges = true};
    costab_measures measures;
    *found = 0;
    T = allowed(s, T);
    if (T == 0) return COSTAB_OK;
    *found = s->found;
    if (T == s->asked) return COSTAB_OK;
    s->coupling.macro_step = T;
    costab_status status = costab_coupling_check(s->network, &s->coupling, error);
    if (!status)
        status = costab_network_measure(s->simulator, s->network, &s->coupling, &wanted, &measures, error);
    if (status) return status;
    s->asked = T;
    *found = s->found = measures.error;
    return COSTAB_OK;
}

/* The error of the scan: on a search. */
static costab_status error_of(void *context, double T, double *found, costab_error *error) {
    return error_at(context, T, found, error);
}

/* From which place on one run with each takes no more than `most` macro steps in all; 0: with all of them. */
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

/* From which macro step on a scan takes no more than `most` macro steps in all. Samples that grow by the
 * factor q take about horizon / (T log q) together, T the lowest of them; of places, which may lie further
 * apart, each is run with once. */
static double affordable(const search *s, double growth, double most) {
    double from = s->options->horizon / (most * log(growth));
    return s->places != NULL ? fmin(from, affordable_place(s, most)) : from;
}

/* The lowest macro step of a scan up to `end`: lower than the rule says where the error is not kept there.
 * Above `end` where that takes too many macro steps. */
static costab_status find_lowest(search *s, double growth, double end, double *lowest, costab_error *error) {
    const costab_made_options *o = s->options;
    double T = fmax(LOWEST * o->macro_step, fmin(affordable(s, growth, STEPS_RULE), o->macro_step)), found;
    double least = fmax(LEAST * o->macro_step, affordable(s, growth, STEPS_MOST));
    costab_status status = COSTAB_OK;
    *lowest = least;
    if (end < least) return COSTAB_OK;
    for (T = fmax(least, fmin(T, end)); !status; T = fmax(least, 0.5 * T)) {
        *lowest = T;
        status = error_at(s, T, &found, error);
        if (found <= o->error || T <= least) break;
    }
    return status;
}

/* Goes up to `end`, the largest macro step that is tried. */
static costab_status scan(search *s, double end, costab_made *made, costab_error *error) {
    const double growth = pow(HIGHEST / LOWEST, 1.0 / SAMPLES);
    costab_status status = find_lowest(s, growth, end, &made->lowest, error);
    if (status) return status;
    if (end < made->lowest) {
        made->macro_step_made = made->kept_up_to = end > 0 ? (double)NAN : 0;
        return COSTAB_OK;
    }
    const kept_options options = {.error = s->options->error,
                                  .lowest = made->lowest,
                                  .growth = growth,
                                  .end = end,
                                  .samples = (int)ceil(log(made->highest / made->lowest) / log(growth)),
                                  .error_at = error_of,
                                  .context = s,
                                  .progress = s->options->progress,
                                  .progress_context = s->options->progress_context};
    status = kept_find(&options, &made->macro_step_made, &made->kept_up_to, error);
    made->macro_step_made = allowed(s, made->macro_step_made);
    made->kept_up_to = allowed(s, made->kept_up_to);
    return status;
}

/* ---- Stability ---- */

/* The end of the stable piece that begins with the smallest macro steps; 0: there is none. */
static costab_status find_limit(const search *s, bool *continuous, double *stable_to, costab_error *error) {
    double T = s->options->macro_step;
    costab_limit_options range = {.lower = LEAST * T, .upper = HIGHEST * T};
    costab_limit limit;
    costab_status status = costab_limit_macro_step(s->network, &s->coupling, &range, &limit, error);
    *stable_to = 0;
    *continuous = false;
    if (!status && limit.count > 0) {
        const costab_piece *piece = &limit.pieces[0];
        bool begins = s->places != NULL ? piece->from <= s->places[0] : piece->from_is == COSTAB_END_RANGE;
        if (begins && (piece->class_code & COSTAB_DISCRETE_STABLE) != 0) *stable_to = piece->to;
    }
    for (size_t i = 0; !status && i < limit.continuous.count; i++)
        *continuous = *continuous || limit.continuous.items[i].verdict == COSTAB_OUTCOME_STABLE;
    costab_limit_free(&limit);
    return status;
}

static costab_status check(const costab_made_options *options, costab_error *error) {
    const double given[] = {options->error, options->macro_step, options->horizon};
    for (int i = 0; i < 3; i++)
        if (!(given[i] > 0) || !isfinite(given[i]))
            return error_set(error, COSTAB_INVALID,
                             "the error, the macro step and the horizon must be positive and finite, not %g",
                             given[i]);
    return COSTAB_OK;
}

costab_status costab_bound_made(const costab_network *network, const costab_coupling *coupling,
                                const costab_made_options *options, costab_made *made, costab_error *error) {
    search s = {.network = network, .coupling = *coupling, .options = options};
    double range[2] = {LEAST * options->macro_step, HIGHEST * options->macro_step};
    int denominator;
    bool continuous = false;
    *made = (costab_made){.highest = range[1]};
    costab_status status = check(options, error);
    if (!status)
        status =
            costab_limit_places(network, coupling, range, &s.places, &s.place_count, &denominator, error);
    if (!status && s.places != NULL && s.place_count == 0)
        status = error_set(error, COSTAB_INVALID, "no whole number of micro steps fits between %g and %g",
                           range[0], range[1]);
    if (!status) status = find_limit(&s, &continuous, &made->stable_to, error);
    if (!status) status = costab_network_simulator_create(&s.simulator, error);
    made->taken = allowed(&s, options->macro_step);
    made->error_at_macro_step = (double)NAN;
    if (!status && (made->taken == 0 || options->horizon <= STEPS_MOST * made->taken))
        status = error_at(&s, made->taken, &made->error_at_macro_step, error);
    /* No unstable step is recommended, whatever a short horizon hides. */
    if (!status) status = scan(&s, continuous ? fmin(made->stable_to, range[1]) : range[1], made, error);
    costab_network_simulator_destroy(&s.simulator);
    costab_limit_places_free(&s.places);
    return status;
}
