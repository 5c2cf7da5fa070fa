/* limit/exclusion.h - shows that a cell is unstable as a whole: at every parameter in it at least one
 * eigenvalue is beyond the limit (Lemma 4 of docs/explanation/algorithms.md, Complete limits).
 *
 * Which one that is may change, and other eigenvalues may pass the limit inside the cell. Two tests: |trace
 * M^k| > n for a power k; or a circle beyond the limit with an eigenvalue outside that no eigenvalue passes.
 */
#pragma once

#include "limit/cell.h"

/* Is an eigenvalue of this matrix, SAMPLE_GUESSES or SAMPLE_MAP, shown to be beyond the limit throughout the
 * cell? False: not shown. [out] *reason: by which test, set where it is shown. */
bool exclusion_find(const cell *c, sample_matrix matrix, costab_reason *reason);
