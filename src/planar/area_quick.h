/* planar/area_quick.h - areas of a co-simulation scheme without FLINT, which takes longer to load than the
 * ordinary ones take to compute.
 *
 * The rows' bounds are the same polynomials as in area_bounds.h, in GMP's integers; degrees, common divisors
 * and multiple roots are decided with these, order and signs by doubles whose rounding is bounded
 * (quick_roots.h). Integrals are taken in pairs of doubles between ends that are known to a share of 2^-90 of
 * their distance (area_rule.h). */
#ifndef PLANAR_AREA_QUICK_H
#define PLANAR_AREA_QUICK_H

#include "costab/area.h"

/* The areas at a finite a, each as near as a double is. [out] *decided: false where something is left in
 * doubt, and where this way does not go: micro steps, the exact solver, tableaux with irrational functions or
 * without exact entries, poles too near. COSTAB_MEMORY. */
costab_status area_quick(const costab_planar *planar, double a, costab_areas *areas, bool *decided,
                         costab_error *error);

#endif
