/* planar/trace.h - outline of the stable set in a box of the (Gamma, Delta) plane, as closed polygons.
 *
 * The outline follows from the stable intervals of rows. Rows are sampled over Gamma, each change of the
 * number of intervals or of their bounds is bisected, and rows are added until straight segments meet the
 * tolerance. */
#pragma once

#include "base/outline.h"
#include "costab/planar.h"

/* Traces the stable set of a slice inside the box. tolerance: largest distance of a segment from the curve,
 * as a fraction of the box's sides (1e-12 < tolerance < 1). Edges of loops have COSTAB_CAUSE_ flags of the
 * violated condition. Appends to `result`, which must be initialised. */
costab_status outline_trace(const costab_planar_slice *slice, const outline_box *box, double tolerance,
                            outline *result, costab_error *error);
