/* limit/search.h - the search in one parameter: a list of open cells, and one of cells with a verdict.
 * docs/explanation/algorithms.md, Complete limits. */
#pragma once

#include "base/first_cells.h"
#include "limit/chebyshev.h"
#include "limit/sample_cache.h"

/* Zeros are found to this, relative: cells are not made narrower. */
#define SEARCH_TOLERANCE 1e-10

/* A zero of one crossing function, on one side of which the co-simulation is stable: an end of a piece. */
typedef struct known_zero {
    double at, error; /* the zero is no further than `error` from `at` */
    double half;      /* [at - half, at + half] is left undecided; cells end at its borders */
    double offset;    /* an end node of such a cell is so far from `at` that rounding hides little there */
    sample_matrix matrix; /* SAMPLE_GUESSES or SAMPLE_MAP, */
    int function;         /* and the number of its crossing function */
} known_zero;

/* A cell without a verdict. */
typedef struct open_cell {
    double from, to;
    bool first; /* one of those that the range is cut into: nothing was evaluated for it */
} open_cell;

/* A search over [lower, upper]. */
typedef struct search {
    /* What is asked: */
    sample_cache *cache; /* of the family; freed by search_free */
    double lower, upper;
    const first_cells *first; /* of [lower, upper] */
    bool logarithmic;         /* no first cell's ends differ by more than a factor of 4 */
    bool continuous;          /* of A_mono, not of the map */
    bool first_end;           /* the search ends behind the first cell that is surely unstable */
    size_t evaluations;       /* of the family, at most */
    bool (*progress)(void *context, double share, size_t evaluations); /* true: stop; or NULL */
    void *progress_context;
    /* What is found: */
    costab_cells *cells;
    known_zero *zeros;
    size_t zero_count, zero_capacity;
    /* What is under way: */
    open_cell *open; /* the next one to be decided is the last */
    size_t open_count, open_capacity;
    double share; /* of the range that is done */
    chebyshev_table table;
} search;

/* The number to which a relative width of [from, to] refers: the larger end, but not near 0. */
double search_scale(const search *s, double from, double to);

/* The width of the first cell that holds [from, to]; infinite if the range is one cell. */
double search_first_width(const search *s, double from, double to);

/* Tells how far the search that is the context has come; COSTAB_CANCELLED where it is to end. */
costab_status search_tell(void *context, size_t evaluations, costab_error *error);

/* Decides one cell: emits what it can tell and opens new ones for the rest. first: nothing was evaluated for
 * it yet. */
typedef costab_status (*search_decide)(search *s, double from, double to, bool first, costab_error *error);

/* Cuts the range and has all cells decided; s->cells are then ascending, without gaps. */
costab_status search_run(search *s, search_decide decide, costab_error *error);
void search_free(search *s);

/* Adds a cell to a list. */
costab_status search_emit(costab_cells *cells, costab_cell cell, costab_error *error);
costab_status search_open_cell(search *s, double from, double to, costab_error *error);

/* The zero that `at` is the border of, or lies in; NULL: none is known. */
const known_zero *search_zero_at(const search *s, double at);
