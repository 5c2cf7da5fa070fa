/* figure/ends.h - names of curves where these end, instead of a legend. */
#pragma once

#include "figure/layout.h"

/* Sets the y of the legend's entries, from the lower edge of the scene's one panel, to where their curves
 * meet its right side; names move a little where they would touch. Returns whether each has its place: not
 * where there are several panels, where an entry is no single curve up to that side, or ends are too close.
 */
bool ends_place(const scene *s, figure_layout *l);
