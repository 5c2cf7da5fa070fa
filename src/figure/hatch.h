/* figure/hatch.h - hatching of areas, and ticks along their boundaries. */
#pragma once

#include "base/outline.h"

/* A box of the plane and its size on paper. */
typedef struct hatch_frame {
    outline_box box;
    double width_cm, height_cm;
} hatch_frame;

typedef struct hatch_pattern {
    double angle_deg;  /* from the horizontal, counter-clockwise, on paper */
    double spacing_cm; /* across the lines; > 0 */
} hatch_pattern;

/* Appends the hatch lines of an area, as runs of two points. All areas of a frame have lines of the same
 * phase. */
void hatch_lines(const outline *area, const hatch_frame *frame, const hatch_pattern *pattern, outline *lines);

/* Appends short strokes from the boundary of an area inwards, evenly spaced, but none along the frame's
 * sides. The inside is to the left of the area's loops. */
#define HATCH_TICK_CM 0.13
void hatch_ticks(const outline *area, const hatch_frame *frame, outline *lines);
