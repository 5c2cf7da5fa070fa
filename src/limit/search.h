/* limit/search.h - the search in one parameter: a stack of open cells (without a verdict) and a list of cells
 * with verdicts. See "Complete limits" in docs/explanation/algorithms.md. */
#pragma once

#include "base/first_cells.h"
#include "limit/sample.h"
#include "method/chebyshev.h"

/* Largest uncertainty of an end, and least width of cells, relative to search_scale(). */
#define SEARCH_TOLERANCE 1e-10

/* A zero of one crossing function with the stable side on one side only: an end of a stable interval. */
typedef struct known_zero {
    double at, error; /* `error`: bound of the distance from `at` */
    double half;      /* [at - half, at + half] stays undecided; cells end at its borders */
    double offset;    /* distance from `at` of its two check points, where rounding does not hide the side of
                         the limit; they are end nodes of the cells that end at the borders */
    sample_matrix matrix; /* SAMPLE_GUESSES or SAMPLE_MAP */
    int function;         /* index of its crossing function */
} known_zero;

/* A cell without a verdict. */
typedef struct open_cell {
    double from, to;
    bool first; /* a first cell, not evaluated yet */
} open_cell;

/* A search over [lower, upper]. */
typedef struct search {
    /* Input: */
    sample_cache *cache; /* of the family; freed by search_free */
    double lower, upper;
    const first_cells *first;  /* first cells of [lower, upper] */
    bool logarithmic;          /* the ends of a first cell differ by at most a factor of 4 */
    bool continuous;           /* search A_mono instead of the map */
    bool first_end;            /* stop after the first cell that is certainly unstable */
    size_t evaluations;        /* limit of the evaluations of the family */
    size_t evaluations_before; /* evaluations of an earlier search of the map, for `progress`; 0: none */
    bool (*progress)(void *context, double share, size_t evaluations); /* returns true to stop; may be NULL */
    void *progress_context;
    /* Results: */
    costab_cells *cells;
    known_zero *zeros;
    size_t zero_count, zero_capacity;
    /* State: */
    open_cell *open; /* a stack: the last one is next */
    size_t open_count, open_capacity;
    double share; /* completed share of the range */
    chebyshev_table table;
} search;

/* Returns the number to which widths near [from, to] are relative: the larger magnitude of the ends, at least
 * 1e-8 of the whole range. */
double search_scale(const search *s, double from, double to);

/* Returns the width of the family's first cell around [from, to]; infinite if the family has only one. */
double search_first_width(const search *s, double from, double to);

/* Reports the progress of the search `context`; after a search of the map the share is 1. Returns
 * COSTAB_CANCELLED if the search must end. */
costab_status search_tell(void *context, size_t evaluations, costab_error *error);

/* Decides one cell: emits verdicts and opens new cells for the rest. first: the cell was not evaluated
 * yet. */
typedef costab_status (*search_decide)(search *s, double from, double to, bool first, costab_error *error);

/* Divides the range and decides its cells, with s->first_end only up to the first unstable cell. s->cells is
 * then ascending and without gaps, except between neighbouring doubles at a jump of the map. */
costab_status search_run(search *s, search_decide decide, costab_error *error);
void search_free(search *s);

/* Appends a cell to a list. */
costab_status search_emit(costab_cells *cells, costab_cell cell, costab_error *error);
costab_status search_open_cell(search *s, double from, double to, costab_error *error);

/* Returns the known zero with `at` inside its interval or on its border; NULL if there is none. */
const known_zero *search_zero_at(const search *s, double at);
