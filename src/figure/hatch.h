/* figure/hatch.h - hatch lines clipped to an outline. */
#pragma once

#include "base/outline.h"

/* How a box of the plane lies on paper. */
typedef struct hatch_frame {
    outline_box box;
    double width_cm, height_cm;
} hatch_frame;

typedef struct hatch_pattern {
    double angle_deg;  /* from the horizontal, counter-clockwise, on paper */
    double spacing_cm; /* across the lines; > 0 */
} hatch_pattern;

/* Appends the lines of the pattern inside an area to `lines`, as runs of two points inside the frame's box.
 * Lines of all areas of a frame have the same phase. */
void hatch_lines(const outline *area, const hatch_frame *frame, const hatch_pattern *pattern, outline *lines);

/* Appends short strokes from the boundary of an area inwards, across it on paper and evenly spaced, but none
 * where it runs along the frame's sides: they tell which side of a boundary the area is on. The inside lies
 * to the left of the area's loops. */
#define HATCH_TICK_CM 0.13
void hatch_ticks(const outline *area, const hatch_frame *frame, outline *lines);
