/* proof/pieces.h - from cells to the rows of an answer. */
#pragma once

#include "proof/search.h"

/* One verdict between two ends. */
typedef struct interval {
    double from, to;
    costab_outcome verdict;
    costab_reason reason;
    bool cut; /* at `from` the model is ill-posed, though both sides may have the same verdict */
} interval;

/* The cells of a search as intervals: undecided cells at an end are taken together as that end, refined by
 * bisection. [out] *intervals: free with memory_free. */
costab_status pieces_intervals(search *s, interval **intervals, size_t *count, costab_error *error);

/* The pieces of both. Adds to limit->undecided. */
costab_status pieces_combine(const interval *discrete, size_t discrete_count, const interval *continuous,
                             size_t continuous_count, costab_limit *limit, costab_error *error);

/* The pieces of places of their own: neighbours of the same class; both lists have one interval a place.
 */
costab_status pieces_of_places(const interval *discrete, const interval *continuous, size_t count,
                               costab_limit *limit, costab_error *error);
