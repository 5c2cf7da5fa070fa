/* plot/gnuplot.h - running gnuplot on a script. */
#ifndef PLOT_GNUPLOT_H
#define PLOT_GNUPLOT_H

#include "costab/base.h"

/* Finds gnuplot through PATH. [out] *path: to be freed with memory_free; NULL where there is none. */
costab_status gnuplot_find(char **path, costab_error *error);

/* Runs folder/NAME.gp for one format ("pdf", "png", "svg", "tex"). What it draws is made in a hidden folder
 * beside and moved to `folder` when it is complete. COSTAB_IO with gnuplot's own words where that fails;
 * nothing is left behind. */
costab_status gnuplot_draw(const char *program, const char *folder, const char *name, const char *format,
                           costab_error *error);

#endif
