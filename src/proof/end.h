/* proof/end.h - ends that a search has found: where one crossing function passes 0.
 *
 * Divided by p - end, p the parameter, a function is analytic still and has no zero there: cells that reach
 * to the end, or over it, need not become narrow to tell which side is stable. */
#ifndef PROOF_END_H
#define PROOF_END_H

#include "proof/cell.h"

/* Where the furthest eigenvalue passes the limit in [from, to]: by regula falsi; [out] *at: the middle where
 * it does not pass. */
costab_status end_refine(search *s, double from, double to, double *at, costab_error *error);

/* Looks for the end between the nodes `number` - 1 and `number` of a cell, which show different sides: [out]
 * *found: whether one is now among those of the search. It is not where a function does not change its sign
 * there by itself, nor where rounding hides that near it. */
costab_status end_find(const cell *c, int number, bool *found, costab_error *error);

/* The end that `at` is the border of, or lies in; NULL: none. */
const search_end *end_at(const search *s, double at);

/* The end in the inside of the cell; NULL: none. */
const search_end *end_inside(const cell *c);

/* Takes the ends that are no further than its width away out of the functions of a matrix at the limit, as a
 * cell's places have them. */
void end_take_out(const cell *c, int which, node_values *f);

#endif
