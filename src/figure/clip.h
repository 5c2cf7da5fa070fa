/* figure/clip.h - polylines cut at a box. */
#pragma once

#include "base/outline.h"

/* Appends what of a polyline lies inside the box, its sides included, as open runs. Infinite and
 * huge values are ends that lie far outside; a line breaks where a value is NaN or x is not finite. What is
 * appended is finite and inside the box, cut at its sides exactly. */
void clip_polyline(const double *x, const double *y, size_t count, const outline_box *box, outline *result);
