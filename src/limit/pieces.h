/* limit/pieces.h - from the cells of a search to the pieces of its answer. */
#pragma once

#include "limit/search.h"

/* Neighbouring cells of one verdict, joined. */
typedef struct interval {
    double from, to;
    costab_outcome verdict;
    costab_reason reason;
    bool cut;           /* at `from` the model is ill-posed, though both sides may have the same verdict */
    double uncertainty; /* the crossing at `from` is no further than this from it; 0: it is no crossing */
} interval;

/* The cells of a search as intervals. Undecided cells between two verdicts become one end, which is refined.
 * [out] *intervals: free with memory_free. */
costab_status pieces_intervals(search *s, interval **intervals, size_t *count, costab_error *error);

/* The pieces where the co-simulation (`discrete`) is stable, with their classes. Moves ends of `discrete` to
 * ends of `continuous` within their uncertainties. Adds to limit->undecided. */
costab_status pieces_combine(interval *discrete, size_t discrete_count, const interval *continuous,
                             size_t continuous_count, costab_limit *limit, costab_error *error);

/* The same where the parameter takes single values only: both lists have one interval a value, from = to, and
 * neighbouring values of one class are a piece. */
costab_status pieces_of_places(const interval *discrete, const interval *continuous, size_t count,
                               costab_limit *limit, costab_error *error);
