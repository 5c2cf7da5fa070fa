/* figure/gnuplot.h - the formats of figures, and running gnuplot on a script. */
#pragma once

#include "costab/figure.h"

/* The number of the next format of a comma-separated list, -1 for an unknown name. *list moves behind it; it
 * becomes NULL at the end. */
int gnuplot_next_format(const char **list);

/* The ending of the i-th file of a format; NULL behind the last one. */
const char *gnuplot_ending(int format, int i);

/* Finds gnuplot through PATH. [out] *path: to be freed with memory_free; NULL where there is none. */
costab_status gnuplot_find(char **path, costab_error *error);

/* Runs the script of the options' folder and name for the format of this number. What it draws is made in a
 * hidden folder beside under a name of its own, and moved to the folder when it is complete. COSTAB_IO with
 * gnuplot's own words where that fails or takes longer than GNUPLOT_SECONDS, COSTAB_CANCELLED where
 * options->stop asks for it: gnuplot is then ended. Nothing is left behind. */
#define GNUPLOT_SECONDS 600
costab_status gnuplot_draw(const char *program, const costab_plot_options *options, int format,
                           costab_error *error);
