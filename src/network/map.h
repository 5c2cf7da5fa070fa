/* network/map.h - the map of a period of macro steps. */
#pragma once

#include "network/work.h"

/* A product over many macro steps is scaled by a power of 2 to norms between 1/MAP_SCALE_LIMIT and this. */
#define MAP_SCALE_LIMIT 0x1p200

/* Computes work->map: the steps of one period on the unit states, times 2^-exponent. */
costab_status map_make(costab_network_work *work, double *iteration_radius, long *exponent,
                       costab_error *error);

/* Splits a complex work->map into work->map_real and work->map_imaginary. */
void map_split(costab_network_work *work);
