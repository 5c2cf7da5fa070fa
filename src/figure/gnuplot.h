/* figure/gnuplot.h - the formats of figures, and running gnuplot on a script. */
#pragma once

#include "costab/figure.h"

/* Returns the number of the next format of a comma-separated list, -1 for an unknown name. *list moves to the
 * rest, NULL at the end. */
int gnuplot_next_format(const char **list);

/* Returns the ending of the i-th file of a format; NULL after the last. */
const char *gnuplot_ending(int format, int i);

/* Finds gnuplot through PATH. [out] *path: free with memory_free; NULL if there is none. */
costab_status gnuplot_find(char **path, costab_error *error);

/* Runs the script of the options' folder and name for one format. The files are drawn in a hidden folder and
 * moved when they are complete; nothing else remains. COSTAB_IO with gnuplot's message if it fails or takes
 * longer than GNUPLOT_SECONDS; COSTAB_CANCELLED, with gnuplot ended, if options->stop returns true. */
#define GNUPLOT_SECONDS 600
costab_status gnuplot_draw(const char *program, const costab_plot_options *options, int format,
                           costab_error *error);
