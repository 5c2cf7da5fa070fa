/* planar/area_sampled.h - areas of the co-simulation schemes in extended precision, for what is not decided
 * exactly: many micro steps, and windows with the method `exact`. Break points are found in floating point;
 * the errors are estimates. */
#ifndef PLANAR_AREA_SAMPLED_H
#define PLANAR_AREA_SAMPLED_H

#include "costab/area.h"

costab_status area_sampled(const costab_planar *planar, double a, costab_areas *areas, costab_error *error);

/* Of US and SS inside a window. */
costab_status area_sampled_window(const costab_planar *planar, double a, const double gamma[2],
                                  const double delta[2], double area[2], double error_bound[2],
                                  costab_error *error);

#endif
