/* pattern/step_graph.h - graph of the maps of steps from a list, with their possible successions.
 *
 * A vertex is the list of previous steps with an effect on the next map; an edge is a step taken there. If
 * maps depend on their own step alone, there is one vertex. */
#pragma once

#include <stdint.h>

#include "pattern/step_map.h"

enum { GRAPH_REACH_MAX = 64 }; /* previous steps of a vertex */

/* Previous steps, latest first, as indices of the list. */
typedef struct step_vertex {
    int count;
    uint8_t before[GRAPH_REACH_MAX];
} step_vertex;

typedef struct step_graph {
    int vertices, edges;
    step_vertex *vertex;
    int *from, *to, *step; /* one per edge; step: its index in the list */
    double *lengths;       /* lengths of the edges' steps */
    double *matrices;      /* maps of the edges */
} step_graph;

/* Finds all vertices of sequences of the steps. Free with step_graph_free, also after an error. Returns
 * COSTAB_INVALID if there are too many. */
costab_status step_graph_make(step_map *maps, const double *steps, int count, step_graph *graph,
                              costab_error *error);
void step_graph_free(step_graph *graph);
