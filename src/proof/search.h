/* proof/search.h - the search in one parameter: cells with a verdict each. */
#ifndef PROOF_SEARCH_H
#define PROOF_SEARCH_H

#include "proof/chebyshev.h"
#include "proof/place.h"

/* Ends are found to this, relative: cells are not made narrower. */
#define SEARCH_TOLERANCE 1e-10

/* Where one crossing function is 0: the co-simulation is stable on one side. */
typedef struct search_end {
    double at, off;      /* it is no further than `off` from there */
    double half;         /* at - half and at + half are ends of cells */
    double aside;        /* nodes at these ends stand so far from `at`, where rounding hides little */
    int which, function; /* whose function, and which of them */
} search_end;

typedef struct search {
    place_book *book;
    chebyshev_table table;
    double lower, upper;
    size_t evaluations; /* at most */
    bool continuous, logarithmic;
    bool confirmed; /* cells were confirmed: ends stay where the last confirmed cell ends */
    costab_cells *cells;
    bool (*progress)(void *context, double share, size_t evaluations);
    void *progress_context;
    double share; /* of the range that is done */
    struct search_open {
        double from, to;
        bool first; /* nothing was evaluated for it */
    } * open;       /* cells to be looked at, the next one last */
    size_t open_count, open_capacity;
    search_end *ends;
    size_t end_count, end_capacity;
} search;

/* What a relative width is relative to. */
double search_scale(const search *s, double from, double to);

/* Tells how far the search that is the context has come; COSTAB_CANCELLED where it is to end. */
costab_status search_tell(void *context, size_t evaluations, costab_error *error);

/* Cuts the range, looks at all cells; s->cells are then ascending, without gaps. */
costab_status search_run(search *s, costab_error *error);
void search_free(search *s);

/* Adds a cell to a list. */
costab_status search_emit(costab_cells *cells, costab_cell cell, costab_error *error);

/* One cell: emits what it can tell and opens new ones for the rest. first: nothing was evaluated for it yet.
 */
costab_status search_cell(search *s, double from, double to, bool first, costab_error *error);
costab_status search_open_cell(search *s, double from, double to, costab_error *error);

#endif
