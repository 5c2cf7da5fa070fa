/* planar/area_simulation.h - areas of the monolithic simulation. */
#ifndef PLANAR_AREA_SIMULATION_H
#define PLANAR_AREA_SIMULATION_H

#include "costab/area.h"

costab_status area_simulation(const costab_planar *planar, costab_areas *areas, costab_error *error);

#endif
