/* area/projection.h - values of a at which the stable intervals of a co-simulation scheme's rows may change.
 *
 * The bounds of the rows (bounds.h) are quotients of polynomials in d with polynomials in a as coefficients.
 * From these, polynomials in a alone are derived. Between their adjacent real roots, the roots in d relevant
 * to the rows' ends keep their number and their order, and none of them goes to infinity. The kinds of all
 * areas are therefore constant there. */
#pragma once

#include "area/exact.h"
#include "area/real_roots.h"

/* Adds the polynomials in a to `roots`. Returns false if memory is exhausted or the search is stopped. */
bool projection_add(const area_system *system, real_roots *roots, search_watch *watch);
