/* limit/exclusion.h - proves that a cell is unstable as a whole: at every parameter at least one eigenvalue
 * is beyond the limit (Lemma 4 of docs/explanation/algorithms.md, Complete limits).
 *
 * That eigenvalue may change, and others may pass the limit inside the cell. Two tests: |trace M^k| > n for a
 * power k, or a circle beyond the limit that no eigenvalue passes, with an eigenvalue outside. */
#pragma once

#include "limit/cell.h"

/* Returns true if an eigenvalue of the matrix (SAMPLE_GUESSES or SAMPLE_MAP) is proved to be beyond the limit
 * throughout the cell. [out] *reason: the successful test. */
bool exclusion_find(const cell *c, sample_matrix matrix, costab_reason *reason);
