/* planar/area_simulation.h - areas of the monolithic simulation. */
#ifndef PLANAR_AREA_SIMULATION_H
#define PLANAR_AREA_SIMULATION_H

#include "costab/area.h"
#include "planar/quadrature.h"

/* Over the whole plane. */
costab_status area_simulation(const costab_planar *planar, costab_areas *areas, costab_error *error);

/* Of US and SS inside a window, in this order, from the rows: an adaptive quadrature that does not know where
 * rows change their nature, with an error estimate that does. */
void area_simulation_window(const costab_planar *planar, const double gamma[2], const double delta[2],
                            quadrature_sum *sums);

#endif
