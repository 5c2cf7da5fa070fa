/* plot/paper.h - what the layouts of all figures share: sizes on paper and the ticks of an axis.
 *
 * Layouts are made for 8 pt type, in cm; with other type the same layout is made in units of so many cm. */
#ifndef PLOT_PAPER_H
#define PLOT_PAPER_H

#include "costab/style.h"

/* The unit, in cm. */
double paper_unit(const costab_style *style);

/* Width of the whole figure, in units: the look's, or one that goes with the columns of panels. */
double paper_width(const costab_style *style, int columns);

/* COSTAB_INVALID where a figure leaves too little for a panel. Sizes in units; `path` is the spec's. */
costab_status paper_check(const costab_style *style, const char *path, double width, double height,
                          double panel_width, double panel_height, costab_error *error);

/* The least of 1, 2, 5, 10, ... (times a power of ten) that leaves the numbers of an axis room, each as wide
 * as `room` on an axis of this length. */
double paper_tick_step(const double *range, double length, double room);

#endif
