/* plot/label.h - where a word inside an area is best placed. */
#ifndef PLOT_LABEL_H
#define PLOT_LABEL_H

#include "plot/hatch.h"

/* The place inside `inside` that is farthest from all `edges` on paper. Returns that distance in cm; 0, and
 * nothing is set, where no place was found. */
double label_place(const outline *inside, const outline *edges, const hatch_frame *frame, double *gamma,
                   double *delta);

#endif
