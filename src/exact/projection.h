/* exact/projection.h - at which a something changes in the rows of a co-simulation scheme.
 *
 * The bounds of the rows (area_bounds.h) are polynomials in d with coefficients that are polynomials in a.
 * Between neighbouring roots of the polynomials in a that are made here, the roots in d keep their number and
 * their order wherever that matters to which bounds end which rows, and nothing moves to or from infinity. */
#pragma once

#include "exact/area_exact.h"
#include "exact/real_roots.h"

/* Adds the polynomials in a to `roots`. False where memory is out or the watch stops it. */
bool projection_add(const area_system *system, real_roots *roots, planar_watch *watch);
