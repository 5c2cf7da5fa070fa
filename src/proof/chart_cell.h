/* proof/chart_cell.h - one rectangle of two parameters: the crossing functions on it, interpolated. */
#pragma once

#include "proof/chebyshev_2d.h"
#include "proof/sample_cache.h"

typedef struct chart_cell {
    sample_cache *cache;
    const chebyshev_2d_table *table;
    bool continuous, alike[2]; /* as in chart_options, */
    double low[2];             /* where a parameter is alike: the value that stands for all */
    double from[2], to[2];
    chebyshev_2d_grid grid; /* its sub-cells */
    int k[2], count;        /* numbers of the degrees; nodes */
    int nullity;            /* the least costab_family_point.nullity of the nodes */
    bool has_poles;         /* the map may have one in the cell; chart_cell_read sets it */
    crossing_kind kind;
    const sample *nodes[CHEBYSHEV_2D_NODES]; /* the second direction fastest */
} chart_cell;

/* What interpolants through the nodes tell of the sub-cells. */
typedef struct chart_reading {
    chebyshev_2d_mask clear; /* sub-cells on which no function is 0 */
    chebyshev_2d_mask
        diverges; /* of the others: the iteration diverges there, so what the map does is no matter */
    double error; /* the largest of a function that is not clear everywhere, relative to its largest value */
    double tails[2]; /* chebyshev_2d_function.tails of that function */
    bool neutral;    /* rounding is as large as the values of some function, at every node */
} chart_reading;

/* The sample at (x, y) in [-1, 1]^2. */
costab_status chart_cell_find(const chart_cell *cell, double x, double y, const sample **found,
                              costab_error *error);

/* Evaluates the nodes of the degrees cell->k. *ordinary: all of them are well-posed, with numbers that do not
 * overflow. */
costab_status chart_cell_take(chart_cell *cell, bool *ordinary, costab_error *error);

/* The verdict for all of the cell, stable or unstable; or COSTAB_OUTCOME_UNDECIDED, with the reading. */
costab_outcome chart_cell_read(chart_cell *cell, chart_reading *reading);

/* What the nodes in a set of sub-cells are: stable or unstable where all of them are that or neutral, and
 * one at least is; COSTAB_OUTCOME_NEUTRAL where no node says anything, COSTAB_OUTCOME_UNDECIDED where they
 * contradict each other. */
costab_outcome chart_cell_verdict(const chart_cell *cell, const chebyshev_2d_mask *set);
