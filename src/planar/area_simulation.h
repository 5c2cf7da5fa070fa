/* planar/area_simulation.h - areas of the monolithic simulation. */
#ifndef PLANAR_AREA_SIMULATION_H
#define PLANAR_AREA_SIMULATION_H

#include "planar/area_exact.h"
#include "planar/quadrature.h"

/* US and SS over the whole plane to `bits` bits, relative. [in, out] parts: initialised areas. */
costab_status area_simulation_parts(const costab_planar *planar, slong bits, area_part parts[2],
                                    costab_error *error);

/* Of US and SS inside a window, in this order, from the rows: an adaptive quadrature that does not know where
 * rows change their nature, with an error estimate that does. */
void area_simulation_window(const costab_planar *planar, const double gamma[2], const double delta[2],
                            quadrature_sum *sums);

#endif
