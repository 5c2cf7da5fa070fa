/* Bounds the growth of sequences of arbitrary macro steps from a range: they can be unstable although each
 * step alone is stable (costab/pattern.h; docs/explanation/algorithms.md, Sequences of steps).
 * 1. Bounds: a single quadratic norm for all steps of the range (pattern_range.h) gives an upper bound of the
 *    growth, per step and per second; a cycle of steps (pattern_cycle.c) gives a lower bound.
 * 2. Products: if maps depend on their own step alone, products of intervals of the range improve the upper
 *    bound per step.
 * 3. Safe range: from the shortest of 20 steps that is stable if repeated alone, up to the largest step with
 *    a norm bound below 1, found by bisection.
 * Cost: up to 37 norms (pattern_range.c). Limitation: rounding is not bounded. If the second derivative of
 * the map by the macro step has no bound (step_map_exact), it is estimated by second differences. Another
 * norm may give a larger safe range. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/network.h"
#include "pattern/pattern_range.h"

enum { SAMPLES = 20, SAFE_SAMPLES = 16, HALVINGS = 14, HALVINGS_OF_MEMORY = 7 };

typedef struct search {
    step_map *maps;
    const costab_pattern_options *options;
} search;

/* Determines if one norm proves all sequences of steps of a range stable: ln of its bound is below 0. */
static costab_status is_safe(search *s, double from, double to, bool *safe, costab_error *error) {
    ends_by(pattern_range_free) pattern_range range = {.options = s->options};
    bool unbounded;
    double upper = (double)INFINITY;
    ends_by(common_norm_free) common_norm norm = {.n = 0};
    TRY(pattern_range_make(&range, s->maps, from, to, to > from ? SAFE_SAMPLES : 1, &unbounded, error));
    if (!unbounded) TRY(pattern_range_norm(&range, true, true, &norm, &upper, error));
    *safe = upper < 0;
    return COSTAB_OK;
}

/* Finds the smallest of SAMPLES steps of the range that is stable if repeated alone; NaN if there is none. */
static costab_status first_stable(search *s, const double range[2], double *from, costab_error *error) {
    *from = (double)NAN;
    for (int i = 0; i < SAMPLES && isnan(*from); i++) {
        bool safe;
        double step = range[0] + (range[1] - range[0]) * i / (SAMPLES - 1);
        TRY(is_safe(s, step, step, &safe, error));
        if (safe) *from = step;
    }
    return COSTAB_OK;
}

/* Finds the safe range. */
static costab_status find_safe(search *s, const double range[2], costab_pattern *pattern,
                               costab_error *error) {
    double from, low, high = range[1];
    bool safe = false;
    TRY(first_stable(s, range, &from, error));
    if (isnan(from)) return COSTAB_OK;
    TRY(is_safe(s, from, high, &safe, error));
    low = safe ? high : from;
    int halvings = step_map_former_steps(s->maps) > 0 ? HALVINGS_OF_MEMORY : HALVINGS;
    for (int i = 0; i < halvings && high - low > 1e-3 * high; i++) {
        double middle = i < 4 && high > 4 * low ? sqrt(low * high) : 0.5 * (low + high);
        TRY(is_safe(s, from, middle, &safe, error));
        if (safe)
            low = middle;
        else
            high = middle;
    }
    if (low > from) {
        pattern->safe_from = from;
        pattern->safe_to = low;
    }
    return COSTAB_OK;
}

/* Computes the bounds per step or per second. [out] *lower, *upper: ln of the growth; *length, *steps: the
 * cycle at the lower bound. */
static costab_status find_bounds(search *s, const double ends[2], bool timed, double *lower, double *upper,
                                 size_t *length, double **steps, costab_error *error) {
    ends_by(pattern_range_free) pattern_range range = {.options = s->options};
    bool unbounded = false;
    ends_by(common_norm_free) common_norm norm = {.n = 0};
    *lower = *upper = (double)INFINITY;
    TRY(pattern_range_make(&range, s->maps, ends[0], ends[1], SAMPLES, &unbounded, error));
    if (!unbounded) {
        TRY(pattern_range_norm(&range, timed, false, &norm, upper, error));
        TRY(pattern_range_cycle(&range, timed, lower, length, steps, error));
        /* Per second, many short steps count as much as a long one. Products would need many factors, and the
         * norm is better. */
        if (!timed && range.steps == 1 && *upper > *lower)
            TRY(pattern_range_products(&range, timed, &norm, *lower, upper, error));
        if (*upper < *lower) *upper = *lower; /* rounding */
    }
    for (int i = 0; unbounded && i < range.count; i++) {
        /* A step with a non-finite map, after its previous steps. */
        size_t cells = (size_t)step_map_size(s->maps) * (size_t)step_map_size(s->maps);
        if (isfinite(norm_of(step_map_size(s->maps), range.matrices + (size_t)i * cells, range.workspace)))
            continue;
        *length = (size_t)range.steps;
        TRY(memory_make(steps, *length, error));
        for (int k = 0; k < range.steps; k++) (*steps)[k] = range.samples[i][range.steps - 1 - k];
        break;
    }
    return COSTAB_OK;
}

static costab_status check(const costab_network *network, const double range[2], costab_error *error) {
    if (!(range[0] > 0) || !(range[1] > range[0]) || !isfinite(range[1]))
        return error_invalid(error, "the range of steps %g to %g must be positive and ascending", range[0],
                             range[1]);
    TRY(network_refuse_sampled_data(network, "sequences of steps",
                                    "the samples of a step depend on all previous steps", error));
    TRY(network_refuse_dead_time(network, "sequences of steps",
                                 "it is interpolated between steps of equal length", error));
    for (int s = 0; s < network->subsystem_count; s++)
        if (network->subsystems[s].substeps == 0)
            return error_invalid(
                error,
                "sequences over a range: subsystem '%s' has micro steps of fixed length, which fit few "
                "macro steps; give it `substeps`, or list the steps",
                network->subsystems[s].name);
    return COSTAB_OK;
}

costab_status costab_pattern_over(const costab_network *network, const costab_coupling *coupling,
                                  const double range[2], const costab_pattern_options *options,
                                  costab_pattern *pattern, costab_error *error) {
    const costab_pattern_options chosen = options != NULL ? *options : (costab_pattern_options){.gap = 0};
    ends_by(step_map_destroy) step_map *maps = NULL;
    const double samples[3] = {range[0], sqrt(range[0] * range[1]), range[1]};
    memory_local double *timed = NULL;
    size_t unused = 0;
    *pattern = (costab_pattern){.safe_from = (double)NAN, .safe_to = (double)NAN};
    TRY(check(network, range, error));
    TRY(step_map_create(network, coupling, samples, 3, &maps, error));
    if (step_map_former_steps(maps) >= RANGE_STEPS_MAX || step_map_has_delay_time(maps))
        return error_invalid(error, "sequences over a range: %s: list the steps",
                             step_map_has_delay_time(maps)
                                 ? "a delay in seconds is another number of steps for each step"
                                 : "the polynomials remember too many steps");
    pattern->proved = step_map_exact(maps);
    pattern->neutral = step_map_neutral(maps);
    search s = {.maps = maps, .options = &chosen};
    TRY(find_bounds(&s, range, false, &pattern->lower, &pattern->upper, &pattern->length, &pattern->steps,
                    error));
    TRY(find_bounds(&s, range, true, &pattern->rate_lower, &pattern->rate_upper, &unused, &timed, error));
    pattern->lower = exp(pattern->lower);
    pattern->upper = exp(pattern->upper);
    return find_safe(&s, range, pattern, error);
}
