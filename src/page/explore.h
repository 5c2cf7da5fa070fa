/* page/explore.h - the parts of the JSON of an explorer page (costab plot -o NAME.html); "put" means to write
 * into the JSON. */
#pragma once

#include "base/json.h"
#include "costab/spec.h"
#include "costab/store.h"

/* Puts the axes of the grid and its fields. For each field: the indices of its axes, the stride of the stored
 * points along each axis, and the values. COSTAB_INVALID without anything to draw. */
costab_status explore_grid(json *out, const costab_results *results, costab_error *error);

/* Puts the methods, micro steps and range of a of a planar chart, and areas and critical values along a. */
costab_status explore_planar(json *out, const costab_spec *spec, costab_error *error);
