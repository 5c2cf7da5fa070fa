/* proof/chart.h - rectangles of two parameters over which no eigenvalue crosses the limit. */
#ifndef PROOF_CHART_H
#define PROOF_CHART_H

#include "costab/proof.h"

/* A closed rectangle and the verdict that holds on all of it: stable or unstable. COSTAB_OUTCOME_UNDECIDED: a
 * crossing may pass, and its place is known to about a distance of the grid. */
typedef struct chart_rectangle {
    double from[2], to[2];
    costab_outcome verdict;
} chart_rectangle;

typedef struct chart_options {
    const costab_family *family; /* of two numbers */
    bool continuous;             /* of the continuous system, not of the map */
    bool alike[2];               /* what is looked at does not depend on this number */
    double from[2], to[2];       /* the rectangle to cover; from < to */
    double grid[2];              /* distances of the points that matter: cells are not made much narrower */
    size_t evaluations;          /* about as many at most; what is not covered by then stays open */
} chart_options;

typedef struct chart {
    chart_rectangle *rectangles; /* they may touch; where they overlap, one is undecided */
    size_t count, capacity;
    size_t evaluations; /* of the family so far */
} chart;

/* Covers what can be covered; the rest has no rectangle. To be freed with chart_free even where this fails.
 * The tail of an interpolant is an estimate of its error, as in a search in one parameter: certified, not
 * proved. */
costab_status chart_cover(const chart_options *options, chart *covered, costab_error *error);
void chart_free(chart *covered);

#endif
