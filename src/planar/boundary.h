/* planar/boundary.h - boundary curves at one value of a. */
#pragma once

#include "costab/planar.h"

/* Like costab_planar_boundary, for a slice. Its weights may belong to an exact a of which slice->a is only
 * the nearest double (area/planar_points.c). */
costab_status costab_planar_boundary_of(const costab_planar_slice *slice, const double gamma[2],
                                        const double delta[2], costab_boundary *boundary,
                                        costab_error *error);
