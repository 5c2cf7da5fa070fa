/* planar/area_quick_simulation.h - areas of the simulation without FLINT, for explicit methods.
 *
 * The integrals over the curves R(z) = L, |L| = 1, of area_simulation.c, with t = tan(theta/2): L = (1 + it)
 * / (1 - it) for 0 < t < 1, and its mirror image -conj L, where t stands for the other half of the angles. In
 * an ellipse around a piece of [0, 1] the roots are enclosed by discs, which bounds the integrand there and
 * with it the error of Gauss's rules (area_rule.h); at the rules' points the roots are known in pairs of
 * doubles. */
#ifndef PLANAR_AREA_QUICK_SIMULATION_H
#define PLANAR_AREA_QUICK_SIMULATION_H

#include "costab/area.h"

/* [out] *decided: false where something is left in doubt, and for methods that are implicit or have no exact
 * entries. COSTAB_MEMORY. */
costab_status area_quick_simulation(const costab_planar *planar, costab_areas *areas, bool *decided,
                                    costab_error *error);

#endif
