/* area/simulation.h - areas of the monolithic simulation. */
#pragma once

#include "area/exact.h"
#include "area/window.h"

/* US and SS in the whole plane to `bits` relative bits. [in, out] regions: empty, with initialised areas. */
costab_status area_simulation_regions(const costab_planar *planar, slong bits, area_region regions[2],
                                      costab_error *error);

/* US and SS in a window, with proved errors of about 2^-bits of its area. */
costab_status area_simulation_window(const costab_planar *planar, const area_window *window, slong bits,
                                     area_region regions[2], costab_error *error);
