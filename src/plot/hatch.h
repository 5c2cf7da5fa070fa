/* plot/hatch.h - hatch lines clipped to an outline. */
#ifndef PLOT_HATCH_H
#define PLOT_HATCH_H

#include "base/text.h"
#include "plot/outline.h"

/* How a box of the plane lies on paper. */
typedef struct hatch_frame {
    outline_box box;
    double width_cm, height_cm;
} hatch_frame;

typedef struct hatch_pattern {
    double angle_deg;  /* from the horizontal, counter-clockwise, on paper */
    double spacing_cm; /* across the lines; > 0 */
} hatch_pattern;

/* Appends the lines of the pattern inside the outline as rows `x y dx dy` of plane coordinates, for gnuplot's
 * vectors. Lines of all outlines of a frame have the same phase. Returns their number through *count. */
costab_status hatch_lines(const outline *area, const hatch_frame *frame, const hatch_pattern *pattern,
                          text *rows, size_t *count, costab_error *error);

#endif
