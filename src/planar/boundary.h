/* planar/boundary.h - boundary curves at one value of a. */
#pragma once

#include "costab/planar.h"

/* Like costab_planar_boundary, for a slice, whose weights may be computed at a number that is not a
 * double. */
costab_status costab_planar_boundary_of(const costab_planar_slice *slice, const double gamma[2],
                                        const double delta[2], costab_boundary *boundary,
                                        costab_error *error);
