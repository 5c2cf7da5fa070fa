/* Bounds the growth of all sequences of macro steps from a list of lengths (costab/pattern.h;
 * docs/explanation/algorithms.md, Sequences of steps).
 * 1. A graph describes the possible successions of maps: a vertex is the list of previous steps with an
 *    effect on the map, an edge is a step taken there, with its map (step_graph.h).
 * 2. A map with infinite entries ends the search: the growth is infinite.
 * 3. Otherwise sequences.c bounds the joint spectral radius of the maps per step, and the logarithm of the
 *    growth per second (Gripenberg 1996).
 * Cost: that of sequences.c, twice. Limitation: rounding is not bounded. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "pattern/sequences.h"
#include "pattern/step_graph.h"

/* Returns the first edge with a non-finite map, or -1. */
static int find_unbounded(const step_graph *graph, int size) {
    size_t cells = (size_t)size * (size_t)size;
    for (int e = 0; e < graph->edges; e++)
        for (size_t k = 0; k < cells; k++)
            if (!isfinite(graph->matrices[(size_t)e * cells + k])) return e;
    return -1;
}

/* Stores the step lengths of the cycle at the lower bound. */
static costab_status keep_cycle(costab_pattern *pattern, const step_graph *graph,
                                const costab_sequences *found, costab_error *error) {
    TRY(memory_make(&pattern->steps, found->length + 1, error));
    for (size_t k = 0; k < found->length; k++) pattern->steps[k] = graph->lengths[found->cycle[k]];
    pattern->length = found->length;
    return COSTAB_OK;
}

/* Stores infinite growth for an edge with a non-finite map, with a sequence of steps as evidence: the
 * previous steps of its vertex, earliest first, and its own. One step suffices if all are equal. */
static costab_status keep_unbounded(costab_pattern *pattern, const step_graph *graph, const double *steps,
                                    int edge, costab_error *error) {
    const step_vertex *vertex = &graph->vertex[graph->from[edge]];
    pattern->lower = pattern->upper = pattern->rate_lower = pattern->rate_upper = (double)INFINITY;
    pattern->length = 1;
    for (int k = 0; k < vertex->count; k++)
        if (vertex->before[k] != graph->step[edge]) pattern->length = (size_t)vertex->count + 1;
    TRY(memory_make(&pattern->steps, pattern->length, error));
    for (size_t k = 0; k + 1 < pattern->length; k++)
        pattern->steps[k] = steps[vertex->before[pattern->length - 2 - k]];
    pattern->steps[pattern->length - 1] = graph->lengths[edge];
    return COSTAB_OK;
}

/* Computes bounds per step and, unless the options exclude them, per second. The gap is in ln per step;
 * divided by the mean length it is per second. */
static costab_status bound(const step_graph *graph, int size, const costab_pattern_options *options,
                           costab_pattern *pattern, costab_error *error) {
    costab_sequence_set set = {.count = graph->edges,
                               .size = size,
                               .matrices = graph->matrices,
                               .vertices = graph->vertices,
                               .from = graph->from,
                               .to = graph->to};
    costab_sequence_set timed = set;
    ends_by(costab_sequences_free) costab_sequences per_step = {.length = 0};
    ends_by(costab_sequences_free) costab_sequences per_time = {.length = 0};
    const costab_pattern_options chosen = options != NULL ? *options : (costab_pattern_options){.gap = 0};
    double mean = 0, gap = chosen.gap > 0 ? chosen.gap : 1e-4;
    for (int e = 0; e < graph->edges; e++) mean += graph->lengths[e] / graph->edges;
    costab_sequences_options wanted = {
        .gap = gap, .products = chosen.products, .stop = chosen.stop, .stop_context = chosen.stop_context};
    TRY(costab_sequences_bound(&set, &wanted, &per_step, error));
    timed.lengths = graph->lengths;
    wanted.gap = gap / mean;
    if (!chosen.per_step) TRY(costab_sequences_bound(&timed, &wanted, &per_time, error));
    TRY(keep_cycle(pattern, graph, &per_step, error));
    pattern->lower = exp(per_step.lower);
    pattern->upper = exp(per_step.upper);
    pattern->rate_lower = chosen.per_step ? (double)NAN : per_time.lower;
    pattern->rate_upper = chosen.per_step ? (double)NAN : per_time.upper;
    return COSTAB_OK;
}

static costab_status check_steps(const double *steps, int count, costab_error *error) {
    if (count < 1 || count > UINT8_MAX)
        return error_invalid(error, "there must be 1 to %d steps, not %d", UINT8_MAX, count);
    for (int i = 0; i < count; i++)
        if (!(steps[i] > 0) || !isfinite(steps[i]))
            return error_invalid(error, "the step %g is not positive and finite", steps[i]);
    return COSTAB_OK;
}

costab_status costab_pattern_steps(const costab_network *network, const costab_coupling *coupling,
                                   const double *steps, int count, const costab_pattern_options *options,
                                   costab_pattern *pattern, costab_error *error) {
    ends_by(step_map_destroy) step_map *maps = NULL;
    ends_by(step_graph_free) step_graph graph = {.vertices = 0};
    *pattern = (costab_pattern){.safe_from = (double)NAN, .safe_to = (double)NAN, .proved = true};
    TRY(check_steps(steps, count, error));
    TRY(step_map_create(network, coupling, steps, count, &maps, error));
    TRY(step_graph_make(maps, steps, count, &graph, error));
    int size = step_map_size(maps), unbounded = find_unbounded(&graph, size);
    pattern->neutral = step_map_neutral(maps);
    return unbounded >= 0 ? keep_unbounded(pattern, &graph, steps, unbounded, error)
                          : bound(&graph, size, options, pattern, error);
}

void costab_pattern_free(costab_pattern *pattern) {
    memory_free(pattern->steps);
    pattern->steps = NULL;
    pattern->length = 0;
}
