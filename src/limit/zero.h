/* limit/zero.h - the zero of one crossing function at an end of a stable interval.
 *
 * Divided by p - zero, with the parameter p, the function stays analytic and has no zero there (deflation).
 * Cells at or across the zero can then show the stable side without becoming narrow. */
#pragma once

#include "limit/cell.h"

/* Finds the crossing of the limit by the furthest eigenvalue in [from, to] by Brent's method. [out] *at: the
 * crossing, or the middle of the interval if its ends are on one side. *uncertainty: estimated distance of
 * the exact crossing from *at, cut at SEARCH_TOLERANCE. */
costab_status zero_refine(search *s, double from, double to, double *at, double *uncertainty,
                          costab_error *error);

/* Searches the zero between the nodes `index` - 1 and `index` of a cell, on different sides of the limit.
 * [out] *found: the zero is now a known zero of the search. *found is false if no function or several
 * functions change sign there, if rounding hides the signs next to the zero or makes its error too large, if
 * the zero is too close to a node, or if it was known before. */
costab_status zero_find(const cell *c, int index, bool *found, costab_error *error);
