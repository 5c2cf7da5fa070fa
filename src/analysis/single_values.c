/* Finds the single values of a parameter at which a model is defined.
 * 1. A parameter that is a count: the integers of the range. Refuses another parameter of a count.
 * 2. The macro step itself, with constant micro steps: the values of limit_places.
 * 3. Otherwise the ratio of macro step to micro step depends on the parameter. Takes the subsystem with the
 *    fewest ratios in the range, samples its ratio and assumes it monotonic between samples. Solves for each
 *    ratio p/q between neighbours to rounding precision, by false position on logarithms with bisection every
 *    third time. For a discrete-time subsystem the ratios of macro step to sample time are p and 1/q. Other
 *    subsystems may still reject a value later.
 * Cost: SAMPLES updates of the model and about ten per value. Limitation: misses a ratio reached and left
 * again between two samples. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/variant.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "limit/limit.h"
#include "model/instance.h"

enum { VALUES_MAX = 10000, RATIOS_WANTED = 2000, SAMPLES = 257, STEPS_MAX = 200 };

void analysis_values_free(analysis_values *values) {
    memory_free(values->at);
    *values = (analysis_values){.denominator = 1};
}

static costab_status refuse_too_many(const double range[2], const char *what, costab_error *error) {
    return error_invalid(error, "more than %d %s are in the range %g:%g; take a smaller one", VALUES_MAX,
                         what, range[0], range[1]);
}

/* ---- Counts ---- */

static costab_status whole_numbers(const double range[2], analysis_values *values, costab_error *error) {
    double first = ceil(range[0]), last = floor(range[1]);
    values->whole = true;
    if (last - first >= VALUES_MAX) return refuse_too_many(range, "whole numbers", error);
    TRY(memory_make(&values->at, (size_t)fmax(last - first + 2, 1), error));
    for (double value = first; value <= last; value++) values->at[values->count++] = value;
    return COSTAB_OK;
}

/* ---- Ratios of macro step and micro step ---- */

typedef struct sample {
    double value, ratio; /* NaN: the model is undefined */
} sample;

typedef struct solver {
    const analysis_family *family;
    int subsystem;
    bool whole;
    bool discrete; /* whole, and its steps are samples: the ratios 1/q are allowed, too */
    sample samples[SAMPLES];
} solver;

/* Returns true if the subsystem has micro steps of fixed length. */
static bool is_fixed(const costab_network *network, int s) {
    return network->subsystems[s].substeps == 0 && network->subsystems[s].method.kind != COSTAB_SAMPLED;
}

static double ratio_at(const solver *s, double value) {
    costab_coupling coupling;
    costab_error ignored;
    if (analysis_family_set(s->family, value, &coupling, &ignored) != COSTAB_OK) return (double)NAN;
    costab_network network = analysis_family_network(s->family);
    const costab_subsystem *subsystem = &network.subsystems[s->subsystem];
    return coupling.macro_step * (subsystem->stride > 1 ? subsystem->stride : 1) / subsystem->step;
}

/* Samples one subsystem's ratio. Returns the largest one; 0 if it is constant. */
static double sample_ratio(solver *s, const double range[2]) {
    double least = (double)INFINITY, most = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double share = (double)i / (SAMPLES - 1);
        double value = range[0] > 0 ? range[0] * pow(range[1] / range[0], share)
                                    : range[0] + share * (range[1] - range[0]);
        if (i == SAMPLES - 1) value = range[1];
        double ratio = ratio_at(s, value);
        s->samples[i] = (sample){value, ratio > 0 && isfinite(ratio) ? ratio : (double)NAN};
        if (isnan(s->samples[i].ratio)) continue;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    return most > least * (1 + 1e-12) ? most : 0;
}

/* Returns the value between two samples with ratio `wanted`: false position on logarithms (exact for powers),
 * with bisection every third time. Prefers an equally good decimal of 15 digits. */
static double solve_ratio(const solver *s, sample low, sample high, double wanted) {
    double best = low.value, error = (double)INFINITY;
    for (int i = 0; i < STEPS_MAX && error > 1e-15 * wanted; i++) {
        bool logarithmic = low.value > 0 && i % 3 < 2;
        double share = log(wanted / low.ratio) / log(high.ratio / low.ratio);
        double value = logarithmic ? low.value * pow(high.value / low.value, share)
                                   : low.value + (high.value - low.value) / 2;
        if (!(value > low.value && value < high.value)) value = low.value + (high.value - low.value) / 2;
        double ratio = ratio_at(s, value);
        if (isnan(ratio) || value == low.value || value == high.value) break;
        if (fabs(ratio - wanted) < error) {
            error = fabs(ratio - wanted);
            best = value;
        }
        if ((ratio < wanted) == (low.ratio < high.ratio))
            low = (sample){value, ratio};
        else
            high = (sample){value, ratio};
    }
    /* Prefers a short decimal of equal quality. */
    char shown[32];
    (void)snprintf(shown, sizeof shown, "%.15g", best);
    double written = best;
    (void)number_parse_double(shown, strlen(shown), &written);
    return fabs(ratio_at(s, written) - wanted) <= error ? written : best;
}

/* Lists the values between two neighbouring samples with a ratio p/q in lowest terms. `at` NULL: only
 * counts. */
static size_t list_ratios_between(const solver *s, const sample pair[2], int64_t q, double *at) {
    double least = fmin(pair[0].ratio, pair[1].ratio), most = fmax(pair[0].ratio, pair[1].ratio);
    if (!(least < most)) return 0;
    double first = ceil(least * (double)q * (1 - 1e-12)), last = floor(most * (double)q * (1 + 1e-12));
    size_t count = 0;
    for (double p = fmax(first, 1); p <= last && count <= VALUES_MAX; p++) {
        if (number_gcd((int64_t)p, q) != 1 || (s->discrete && p > 1 && q > 1)) continue;
        double ratio = p / (double)q;
        if (at != NULL)
            at[count] = ratio <= least  ? pair[pair[0].ratio > pair[1].ratio].value
                        : ratio >= most ? pair[pair[0].ratio < pair[1].ratio].value
                                        : solve_ratio(s, pair[0], pair[1], ratio);
        count++;
    }
    return count;
}

/* Lists the values between all samples for denominators up to most_q. `at` NULL: only counts. */
static size_t list_all_ratios(const solver *s, int most_q, double *at) {
    size_t count = 0;
    for (int64_t q = 1; q <= most_q; q++)
        for (int i = 0; i + 1 < SAMPLES && count <= VALUES_MAX; i++)
            count += list_ratios_between(s, &s->samples[i], q, at != NULL ? at + count : NULL);
    return count;
}

/* Sorts the values and removes duplicates; a ratio at a sample is found from both sides. */
static void sort_values(analysis_values *values) {
    size_t kept = 0;
    number_sort(values->at, values->count);
    for (size_t i = 0; i < values->count; i++)
        if (kept == 0 || values->at[i] > values->at[kept - 1] * (1 + 1e-13))
            values->at[kept++] = values->at[i];
    values->count = kept;
}

/* Lists the values with ratios p/q in lowest terms. Without clocks q = 1; with clocks q goes up to the
 * largest value that gives at most RATIOS_WANTED ratios. */
static costab_status list_ratios(solver *s, const double range[2], costab_micro_steps micro_steps,
                                 analysis_values *values, costab_error *error) {
    int *q = &values->denominator;
    for (int i = 0; i < SAMPLES && s->discrete; i++) {
        double parts = floor((1 + 1e-12) / s->samples[i].ratio);
        if (parts > *q) *q = (int)fmin(parts, VALUES_MAX);
    }
    if (micro_steps == COSTAB_CLOCKS)
        while (*q < COSTAB_CLOCK_PARTS && list_all_ratios(s, *q + 1, NULL) <= RATIOS_WANTED) ++*q;
    size_t count = list_all_ratios(s, *q, NULL);
    if (count > VALUES_MAX)
        return refuse_too_many(range, "values at which the macro step is a whole number of micro steps",
                               error);
    TRY(memory_make(&values->at, count + 1, error));
    values->count = list_all_ratios(s, *q, values->at);
    sort_values(values);
    if (s->discrete) *q = 0;
    return COSTAB_OK;
}

/* Returns the subsystem with the fewest varying ratios; -1: none varies. */
static int choose_subsystem(solver *s, const double range[2]) {
    costab_network network = analysis_family_network(s->family);
    int chosen = -1;
    double fewest = (double)INFINITY;
    for (int i = 0; i < network.subsystem_count; i++) {
        if (!is_fixed(&network, i)) continue;
        s->subsystem = i;
        s->discrete = s->whole && network.subsystems[i].method.kind == COSTAB_DISCRETE;
        double most = sample_ratio(s, range);
        if (most > 0 && most < fewest) {
            fewest = most;
            chosen = i;
        }
    }
    if (chosen >= 0) {
        s->subsystem = chosen;
        s->discrete = s->whole && network.subsystems[chosen].method.kind == COSTAB_DISCRETE;
        (void)sample_ratio(s, range);
    }
    return chosen;
}

/* Returns true if the parameter is the macro step itself and all micro steps are constant. */
static bool is_macro_step(const analysis_family *family, const double range[2]) {
    double steps[2] = {0, 0}, ends[2] = {range[0] > 0 ? range[0] : range[1] / 2, range[1]};
    for (int k = 0; k < 2; k++) {
        costab_coupling coupling;
        costab_error ignored;
        if (analysis_family_set(family, ends[k], &coupling, &ignored) != COSTAB_OK) return false;
        if (coupling.macro_step != ends[k]) return false;
        costab_network network = analysis_family_network(family);
        for (int i = 0; i < network.subsystem_count; i++)
            steps[k] += network.subsystems[i].substeps > 0 ? 0 : network.subsystems[i].step;
    }
    return steps[0] == steps[1];
}

costab_status analysis_values_find(const analysis_family *family, const double range[2],
                                   analysis_values *values, costab_error *error) {
    *values = (analysis_values){.denominator = 1};
    if (costab_model_instance_counts(family->instance, family->parameter)) {
        if (!costab_model_instance_rounds(family->instance, family->parameter))
            return whole_numbers(range, values, error);
        const char *name = model_instance_model(family->instance)->parameters[family->parameter].name;
        return error_invalid(
            error,
            "a number of micro steps or another whole number is computed from '%s', and changes by jumps along it: a search of '%s' would miss them; take single values (map --set %s=..), or give the whole number a parameter of its own",
            name, name, name);
    }
    costab_network network = analysis_family_network(family);
    costab_coupling coupling = analysis_coupling_at(family->instance, family->own, family->choices);
    bool fixed = false;
    for (int i = 0; i < network.subsystem_count; i++) fixed = fixed || is_fixed(&network, i);
    if (!fixed || coupling.micro_steps == COSTAB_REAL_POWER) return COSTAB_OK;
    if (is_macro_step(family, range))
        return limit_places(&network, &coupling, range, &values->at, &values->count, &values->denominator,
                            error);
    memory_local_array(solver, s, 1, error);
    s->family = family;
    s->whole = coupling.micro_steps == COSTAB_WHOLE;
    if (choose_subsystem(s, range) >= 0) TRY(list_ratios(s, range, coupling.micro_steps, values, error));
    return COSTAB_OK;
}
