/* limit/zero.h - the zero of one crossing function at which a piece ends.
 *
 * Divided by p - zero, p the parameter, the function is analytic still and has no zero there (deflation):
 * cells that reach to the zero, or over it, need not become narrow to tell which side is stable. */
#pragma once

#include "limit/cell.h"

/* Finds where the furthest eigenvalue passes the limit in [from, to], by regula falsi; the middle if it does
 * not pass. [out] *at; *uncertainty: the zero is no further than this from it, at most 1e-10 relative. */
costab_status zero_refine(search *s, double from, double to, double *at, double *uncertainty,
                          costab_error *error);

/* Looks for the zero between the nodes `number` - 1 and `number` of a cell, which are on different sides of
 * the limit. [out] *found: whether it is now one of the search's known zeros. It is not where no function, or
 * more than one, changes its sign there, nor where rounding hides the signs next to it. */
costab_status zero_find(const cell *c, int number, bool *found, costab_error *error);
