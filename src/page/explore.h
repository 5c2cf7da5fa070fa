/* page/explore.h - the parts of an explorer's JSON. */
#pragma once

#include "base/json.h"
#include "costab/spec.h"
#include "costab/store.h"

/* The axes of the grid, and its fields: each with the numbers of its axes, every how many points of them are
 * kept, and the values. COSTAB_INVALID where there is nothing to be drawn. */
costab_status explore_grid(json *out, const costab_results *results, costab_error *error);

/* What knobs a planar chart has; areas and critical values along a. */
costab_status explore_planar(json *out, const costab_spec *spec, costab_error *error);
