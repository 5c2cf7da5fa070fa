/* Finds all maps of sequences of steps and their possible successions, starting from one vertex.
 * 1. First vertex: infinitely many repetitions of the first step.
 * 2. Edges: each step taken at a vertex leads to the vertex of the previous steps relevant for the next map
 *    (step_map_reach). New vertices are added until all are known.
 * 3. Maps: computes the map of each edge.
 * Cost: one map per edge. Returns COSTAB_INVALID above COSTAB_SEQUENCES_MAX edges. */
#include "pattern/step_graph.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/pattern.h"

/* Lists the length of the step at a vertex, followed by those of the vertex's steps. */
static int lengths_at(const step_vertex *vertex, const double *steps, int step, double *lengths) {
    lengths[0] = steps[step];
    for (int k = 0; k < vertex->count; k++) lengths[k + 1] = steps[vertex->before[k]];
    return vertex->count + 1;
}

/* Computes the vertex reached by `step` from `vertex`. */
static void vertex_after(const step_map *maps, const double *steps, const step_vertex *vertex, int step,
                         step_vertex *after) {
    double lengths[GRAPH_REACH_MAX + 1];
    int count = lengths_at(vertex, steps, step, lengths);
    if (count > GRAPH_REACH_MAX) count = GRAPH_REACH_MAX;
    *after = (step_vertex){.count = step_map_reach(maps, lengths, count)};
    if (after->count > 0) after->before[0] = (uint8_t)step;
    for (int k = 1; k < after->count; k++) after->before[k] = vertex->before[k - 1];
}

/* Returns the index of a vertex, adding it if it is new; -1 if the list is full. */
static int find_vertex(step_graph *graph, int capacity, const step_vertex *wanted) {
    for (int p = 0; p < graph->vertices; p++)
        if (memcmp(&graph->vertex[p], wanted, sizeof *wanted) == 0) return p;
    if (graph->vertices == capacity) return -1;
    graph->vertex[graph->vertices] = *wanted;
    return graph->vertices++;
}

static costab_status too_many(int count, costab_error *error) {
    return error_invalid(error,
                         "sequences of steps: more than %d maps of %d steps, because each map depends on "
                         "former steps; give fewer steps, or a coupling or delay with less memory",
                         COSTAB_SEQUENCES_MAX, count);
}

/* Adds the first vertex. */
static costab_status start(step_map *maps, const double *steps, step_graph *graph, costab_error *error) {
    double lengths[GRAPH_REACH_MAX];
    for (int k = 0; k < GRAPH_REACH_MAX; k++) lengths[k] = steps[0];
    int reach = step_map_reach(maps, lengths, GRAPH_REACH_MAX);
    if (reach < GRAPH_REACH_MAX) {
        graph->vertex[0] = (step_vertex){.count = reach};
        graph->vertices = 1;
        return COSTAB_OK;
    }
    return error_invalid(error,
                         "sequences of steps: a delay in seconds is as long as more than %d of the steps: "
                         "give longer steps",
                         GRAPH_REACH_MAX - 1);
}

static costab_status allocate(step_graph *graph, int count, costab_error *error) {
    size_t vertices = (size_t)(COSTAB_SEQUENCES_MAX / count), edges = vertices * (size_t)count;
    *graph = (step_graph){.vertex = memory_alloc(vertices + 1, sizeof *graph->vertex),
                          .from = memory_alloc(edges + 1, sizeof *graph->from),
                          .to = memory_alloc(edges + 1, sizeof *graph->to),
                          .step = memory_alloc(edges + 1, sizeof *graph->step),
                          .lengths = memory_alloc(edges + 1, sizeof *graph->lengths)};
    return graph->vertex && graph->from && graph->to && graph->step && graph->lengths ? COSTAB_OK
                                                                                      : error_memory(error);
}

static costab_status make_matrices(step_map *maps, const double *steps, step_graph *graph,
                                   costab_error *error) {
    size_t cells = (size_t)step_map_size(maps) * (size_t)step_map_size(maps);
    TRY(memory_make(&graph->matrices, (size_t)graph->edges * cells + 1, error));
    for (int e = 0; e < graph->edges; e++) {
        double lengths[GRAPH_REACH_MAX + 1];
        int given = lengths_at(&graph->vertex[graph->from[e]], steps, graph->step[e], lengths);
        TRY(step_map_at(maps, lengths, given, graph->matrices + (size_t)e * cells, error));
    }
    return COSTAB_OK;
}

costab_status step_graph_make(step_map *maps, const double *steps, int count, step_graph *graph,
                              costab_error *error) {
    TRY(allocate(graph, count, error));
    TRY(start(maps, steps, graph, error));
    for (int p = 0; p < graph->vertices; p++)
        for (int step = 0; step < count; step++) {
            step_vertex after;
            vertex_after(maps, steps, &graph->vertex[p], step, &after);
            int to = find_vertex(graph, COSTAB_SEQUENCES_MAX / count, &after), e = graph->edges++;
            if (to < 0) return too_many(count, error);
            graph->from[e] = p;
            graph->to[e] = to;
            graph->step[e] = step;
            graph->lengths[e] = steps[step];
        }
    return make_matrices(maps, steps, graph, error);
}

void step_graph_free(step_graph *graph) {
    memory_free_all(graph->vertex, graph->from, graph->to, graph->step, graph->lengths, graph->matrices);
    *graph = (step_graph){.vertices = 0};
}
