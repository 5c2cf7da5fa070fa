/* proof/chart.h - rectangles of two parameters over which no eigenvalue crosses the limit.
 *
 * Each point of a grid has a parcel: what is nearer to it than to other points. Rectangles consist of whole
 * parcels. */
#pragma once

#include "costab/proof.h"

/* The parcels first[d] <= i < end[d] along both directions, and the verdict that holds on all of them: stable
 * or unstable. COSTAB_OUTCOME_UNDECIDED: a crossing may pass, and its place is known to a few parcels; or
 * rounding hides on which side of the limit an eigenvalue is. */
typedef struct chart_rectangle {
    size_t first[2], end[2];
    costab_outcome verdict;
    int nullity; /* as in costab_cell: where it is larger than elsewhere nothing is called stable */
} chart_rectangle;

typedef struct chart_options {
    const costab_family *family; /* of two numbers */
    bool continuous;             /* of the continuous system, not of the map */
    bool alike[2];               /* the matrices do not depend on this number */
    const double *edges[2];      /* parcel i reaches from edges[d][i] to edges[d][i + 1]; ascending */
    size_t count[2];             /* parcels along each direction */
    size_t evaluations;          /* about as many at most; what is not covered by then stays open */
} chart_options;

typedef struct chart {
    chart_rectangle *rectangles; /* where they overlap they agree, or one is undecided */
    size_t count, capacity;
    size_t evaluations; /* of the family so far */
} chart;

/* Covers what can be covered; the rest has no rectangle. To be freed with chart_free even where this fails.
 * The tail of an interpolant is an estimate of its error, as in a search in one parameter: certified, not
 * proved. */
costab_status chart_cover(const chart_options *options, chart *covered, costab_error *error);
void chart_free(chart *covered);

/* Where parcel i of a grid begins: in the middle between its point and the one before; the first at the first
 * value. i = count: where the last ends. */
double chart_edge(const double *values, size_t count, size_t i);
