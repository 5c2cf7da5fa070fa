/* planar/trace.h - the outline of a stable set inside a box of the (Gamma, Delta) plane, as closed polygons.
 *
 * The outline is found from the exact intervals of rows, not from a grid: rows are sampled over Gamma, every
 * change of the number of intervals or of what bounds them is bisected, and rows are added until straight
 * segments are straight enough. */
#pragma once

#include "base/outline.h"
#include "costab/planar.h"

/* Traces the stable set of a slice inside the box. `tolerance`: how far a straight segment may be off, as a
 * fraction of the box's sides (1e-12 < tolerance < 1). The edges of loops have COSTAB_CAUSE_ flags: of the
 * condition that ends there. Appends to the zero-initialised or already filled `result`. */
costab_status outline_trace(const costab_planar_slice *slice, const outline_box *box, double tolerance,
                            outline *result, costab_error *error);
