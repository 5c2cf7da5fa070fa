/* proof/pieces.h - from cells to the rows of an answer. */
#ifndef PROOF_PIECES_H
#define PROOF_PIECES_H

#include "proof/search.h"

/* A stretch of one verdict between two ends. */
typedef struct span {
    double from, to;
    costab_outcome verdict;
    costab_reason reason;
    bool cut; /* at `from` the model is ill-posed, though both sides may have the same verdict */
} span;

/* The cells of a search as spans: undecided cells at an end are taken together as that end, refined by
 * bisection. [out] *spans: free with memory_free. */
costab_status pieces_spans(search *s, span **spans, size_t *count, costab_error *error);

/* The pieces of both. Adds to limit->undecided. */
costab_status pieces_combine(const span *discrete, size_t discrete_count, const span *continuous,
                             size_t continuous_count, costab_limit *limit, costab_error *error);

/* The pieces of places of their own: runs of neighbours of the same class; both lists have one span a place.
 */
costab_status pieces_of_places(const span *discrete, const span *continuous, size_t count,
                               costab_limit *limit, costab_error *error);

#endif
