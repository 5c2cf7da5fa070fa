/* area/projection.h - the values of a at which the stable intervals of a co-simulation scheme's rows may
 * change.
 *
 * The bounds of the rows (bounds.h) are quotients of polynomials in d whose coefficients are polynomials
 * in a. Here polynomials in a alone are made from them. Between neighbouring real roots of these the roots in
 * d keep their number and their order wherever that decides which bounds end which rows, and none comes from
 * or goes to infinity. So the kinds of all areas stay the same. */
#pragma once

#include "area/exact.h"
#include "area/real_roots.h"

/* Adds the polynomials in a to `roots`. False where memory is out or the watch stops it. */
bool projection_add(const area_system *system, real_roots *roots, search_watch *watch);
