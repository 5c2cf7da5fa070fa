/* Sequences of listed steps: the maps of the steps, bounded per step and per unit of time. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/sequences.h"
#include "proof/step_map.h"

/* All maps of the steps; *unbounded: the first that is not finite, or -1. */
static costab_status make_maps(step_map *maps, const double *steps, int count, double *matrices,
                               int *unbounded, costab_error *error) {
    size_t cells = (size_t)step_map_size(maps) * (size_t)step_map_size(maps);
    costab_status status = COSTAB_OK;
    *unbounded = -1;
    for (int i = 0; i < count && !status; i++) {
        double *at = matrices + (size_t)i * cells;
        status = step_map_at(maps, steps[i], at, error);
        for (size_t e = 0; e < cells && *unbounded < 0; e++)
            if (!isfinite(at[e])) *unbounded = i;
    }
    return status;
}

static costab_status keep_cycle(costab_pattern *pattern, const double *steps, const costab_sequences *found,
                                costab_error *error) {
    pattern->steps = memory_alloc(found->length + 1, sizeof *pattern->steps);
    if (pattern->steps == NULL) return error_memory(error);
    for (size_t k = 0; k < found->length; k++) pattern->steps[k] = steps[found->cycle[k]];
    pattern->length = found->length;
    return COSTAB_OK;
}

static costab_status bound(const costab_sequence_set *set, const double *steps,
                           const costab_pattern_options *options, costab_pattern *pattern,
                           costab_error *error) {
    costab_sequence_set timed = *set;
    costab_sequences per_step = {.length = 0}, per_time = {.length = 0};
    double mean = 0, gap = options != NULL && options->gap > 0 ? options->gap : 1e-4;
    for (int i = 0; i < set->count; i++) mean += steps[i] / set->count;
    costab_sequences_options wanted = {.gap = gap, .products = options != NULL ? options->products : 0};
    costab_status status = costab_sequences_bound(set, &wanted, &per_step, error);
    timed.lengths = steps;
    wanted.gap = gap / mean;
    bool both = options == NULL || !options->per_step;
    if (!status && both) status = costab_sequences_bound(&timed, &wanted, &per_time, error);
    if (!status) status = keep_cycle(pattern, steps, &per_step, error);
    if (!status) {
        pattern->lower = exp(per_step.lower);
        pattern->upper = exp(per_step.upper);
        pattern->rate_lower = both ? per_time.lower : (double)NAN;
        pattern->rate_upper = both ? per_time.upper : (double)NAN;
    }
    costab_sequences_free(&per_step);
    costab_sequences_free(&per_time);
    return status;
}

static costab_status check_steps(const double *steps, int count, costab_error *error) {
    if (count < 1 || count > UINT8_MAX)
        return error_set(error, COSTAB_INVALID, "there must be 1 to %d steps, not %d", UINT8_MAX, count);
    for (int i = 0; i < count; i++)
        if (!(steps[i] > 0) || !isfinite(steps[i]))
            return error_set(error, COSTAB_INVALID, "the step %g is not positive and finite", steps[i]);
    return COSTAB_OK;
}

costab_status costab_pattern_steps(const costab_network *network, const costab_coupling *coupling,
                                   const double *steps, int count, const costab_pattern_options *options,
                                   costab_pattern *pattern, costab_error *error) {
    step_map *maps = NULL;
    double *matrices = NULL;
    int unbounded = -1;
    *pattern = (costab_pattern){.safe_from = (double)NAN, .safe_to = (double)NAN, .proved = true};
    costab_status status = check_steps(steps, count, error);
    if (!status) status = step_map_create(network, coupling, steps, count, &maps, error);
    if (!status) {
        size_t cells = (size_t)step_map_size(maps) * (size_t)step_map_size(maps);
        pattern->neutral = step_map_neutral(maps);
        matrices = memory_alloc((size_t)count * cells + 1, sizeof *matrices);
        status = matrices != NULL ? make_maps(maps, steps, count, matrices, &unbounded, error)
                                  : error_memory(error);
    }
    if (!status && unbounded >= 0) {
        const costab_sequences alone = {.length = 1, .cycle = &unbounded};
        pattern->lower = pattern->upper = pattern->rate_lower = pattern->rate_upper = (double)INFINITY;
        status = keep_cycle(pattern, steps, &alone, error);
    } else if (!status) {
        costab_sequence_set set = {count, step_map_size(maps), matrices, NULL};
        status = bound(&set, steps, options, pattern, error);
    }
    memory_free(matrices);
    step_map_destroy(&maps);
    return status;
}

void costab_pattern_free(costab_pattern *pattern) {
    memory_free(pattern->steps);
    pattern->steps = NULL;
    pattern->length = 0;
}
