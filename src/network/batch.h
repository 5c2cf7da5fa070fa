/* network/batch.h - classes, or all numbers, of a batch of sweep points in SIMD lanes (base/lanes.h).
 *
 * A lane does the operations of the scalar code in the same order (method/eigen_lanes.h): results are equal
 * to the last bit, or the lane leaves the point to the scalar code. */
#pragma once

#include "network/lanes_map.h"

/* Requested numbers of points in addition to class_code: bits. */
enum {
    NETWORK_OF_RADIUS = 1, /* spectral_radius, beyond, rounding */
    NETWORK_OF_RATES = 2,  /* also the decay */
    NETWORK_OF_MONO = 4,   /* also spectral_abscissa, its rounding, and, with the other two, the growth */
    NETWORK_OF_REST = 8    /* all other numbers of costab_network_analyse: lanes do not compute them */
};

/* Analyses the first `count` points of a batch of work->width. `network` and `coupling` give the structure;
 * once the workspace is laid out for it, all numbers come from `numbers`. [out] points: class_code and the
 * requested numbers of each decided lane. decided: false if costab_network_analyse must analyse the point.
 * Returns false if lanes cannot compute such points. */
bool network_run_lanes(costab_network_work *work, const costab_network *network,
                       const costab_coupling *coupling, const network_numbers *numbers, int count,
                       unsigned asked, costab_network_point points[LANES_MOST], bool decided[LANES_MOST]);
