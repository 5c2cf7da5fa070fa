/* proof/zero.h - where one crossing function passes 0, and with it a piece ends.
 *
 * Divided by p - zero, p the parameter, the function is analytic still and has no zero there (deflation):
 * cells that reach to the zero, or over it, need not become narrow to tell which side is stable. */
#pragma once

#include "proof/cell.h"

/* Where the furthest eigenvalue passes the limit in [from, to]: by regula falsi; [out] *at: the middle where
 * it does not pass. */
costab_status zero_refine(search *s, double from, double to, double *at, costab_error *error);

/* Looks for the zero between the nodes `number` - 1 and `number` of a cell, which show different sides: [out]
 * *found: whether one is now among those of the search. It is not where a function does not change its sign
 * there by itself, nor where rounding hides that near it. */
costab_status zero_find(const cell *c, int number, bool *found, costab_error *error);
