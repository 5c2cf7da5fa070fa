/* planar/beyond.h - the parts of a stability condition's zero set that do not bound the stable set. Figures
 * draw them differently from the boundary (study/planar_study.c). */
#pragma once

#include "base/outline.h"
#include "costab/planar.h"

/* Appends to `rest`, as open polylines, the parts of a curve of costab_planar_boundary without stable points
 * on either side. Their ends are accurate to 0.003 of the window's sides. */
void beyond_curve(const costab_planar_slice *slice, const outline_box *window, const costab_curve *curve,
                  outline *rest);
