/* network/batch.h - the classes of a batch of points of a sweep (base/lanes.h), or all of their numbers.
 *
 * A lane does the operations of the scalar code in their order (method/eigen_lanes.h): its class and its
 * numbers are the same to the last bit, or the point is left to the scalar code. */
#pragma once

#include "network/lanes_map.h"

/* Requested numbers of points, beside class_code: bits. */
enum {
    NETWORK_OF_RADIUS = 1, /* spectral_radius, beyond, rounding */
    NETWORK_OF_RATES = 2,  /* with these the decay */
    NETWORK_OF_MONO = 4,   /* with both spectral_abscissa, its rounding, the growth */
    NETWORK_OF_REST = 8    /* whatever else costab_network_analyse finds: no lanes compute it */
};

/* Analyses the first `count` points of a batch of work->width. `network` and `coupling` give their structure;
 * the numbers in them are not read once the workspace is laid out for it. [out] points: of each decided lane
 * class_code and the requested numbers. decided: false if that point is left to costab_network_analyse.
 * Returns false if no point is decided, because such points are not computed in lanes. */
bool network_run_lanes(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, const network_numbers *numbers, int count,
                       unsigned asked, costab_network_point points[LANES_MOST], bool decided[LANES_MOST]);
