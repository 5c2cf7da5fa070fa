/* pattern/step_graph.h - the graph of the maps of steps from a list: which map may follow which.
 *
 * A vertex is the list of the former steps on which the next map depends, an edge a step taken there. Where
 * maps depend on their own step alone there is one vertex. */
#pragma once

#include <stdint.h>

#include "pattern/step_map.h"

enum { GRAPH_REACH_MAX = 64 };

/* Former steps, the latest first, as numbers in the list. */
typedef struct step_vertex {
    int count;
    uint8_t before[GRAPH_REACH_MAX];
} step_vertex;

typedef struct step_graph {
    int vertices, edges;
    step_vertex *vertex;
    int *from, *to, *step; /* one per edge; step: its number in the list */
    double *lengths;       /* of the edges' steps */
    double *matrices;      /* their maps */
} step_graph;

/* All vertices that occur in sequences of the steps. End with step_graph_free, also after an error.
 * COSTAB_INVALID where there are too many. */
costab_status step_graph_make(step_map *maps, const double *steps, int count, step_graph *graph,
                              costab_error *error);
void step_graph_free(step_graph *graph);
