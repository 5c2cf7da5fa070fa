/* limit/pieces.h - combines the cells of a search into the intervals of its result. */
#pragma once

#include "limit/search.h"

/* Neighbouring cells of one verdict, joined. `from` and `to` are in the parameter's unit. */
typedef struct interval {
    double from, to;
    costab_outcome verdict;
    costab_reason reason;
    bool cut;           /* the model is ill-posed at `from`; both sides may have the same verdict */
    double uncertainty; /* bound of the distance of the crossing from `from`; 0: no crossing */
} interval;

/* Converts the cells of a search to intervals. Undecided cells between two verdicts become one refined end.
 * [out] *intervals: free with memory_free. */
costab_status pieces_intervals(search *s, interval **intervals, size_t *count, costab_error *error);

/* Finds the stable intervals of the co-simulation (`discrete`) and their classes. Moves ends of `discrete` to
 * ends of `continuous` within their uncertainties. Adds to limit->undecided. */
costab_status pieces_combine(interval *discrete, size_t discrete_count, const interval *continuous,
                             size_t continuous_count, costab_limit *limit, costab_error *error);

/* Like pieces_combine() for a parameter with single values: both lists have one interval per value, from =
 * to, and neighbouring values of one class form an interval. */
costab_status pieces_of_places(const interval *discrete, const interval *continuous, size_t count,
                               costab_limit *limit, costab_error *error);
