/* costab/area.h - areas of the stability regions of the planar system, and the values of a at which they
 * change their kind. [KNS] sections 4 and 5. */
#ifndef COSTAB_AREA_H
#define COSTAB_AREA_H

#include "costab/planar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Areas of the regions SS and US in the whole (Gamma, Delta) plane; either may be 0 or infinite. The errors
 * bound the distance to the true areas; they are 0 where the area is 0 or infinite, which is decided and not
 * computed. */
typedef struct costab_areas {
    double ss, us;
    double error_ss, error_us;
} costab_areas;

/* Areas of a discretisation at a, which must be finite (the simulation's do not depend on it). COSTAB_NUMERIC
 * where the quadrature does not converge. Safe to call from several threads at once. */
COSTAB_API costab_status costab_planar_areas(const costab_planar *planar, double a, costab_areas *areas,
                                             costab_error *error);

/* Areas of the four classes inside the window gamma[0] < Gamma < gamma[1], delta[0] < Delta < delta[1]
 * (finite, ascending), indexed by the class code COSTAB_UU ... COSTAB_SS, with bounds of their errors. */
typedef struct costab_window_areas {
    double area[4], error[4];
} costab_window_areas;

COSTAB_API costab_status costab_planar_window_areas(const costab_planar *planar, double a,
                                                    const double gamma[2], const double delta[2],
                                                    costab_window_areas *areas, costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
