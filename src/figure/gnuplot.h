/* figure/gnuplot.h - running gnuplot on a script. */
#ifndef FIGURE_GNUPLOT_H
#define FIGURE_GNUPLOT_H

#include "costab/base.h"

/* Finds gnuplot through PATH. [out] *path: to be freed with memory_free; NULL where there is none. */
costab_status gnuplot_find(char **path, costab_error *error);

/* The number of a format among those that costab_format_name has, -1 if it is none. `size` bytes of the name.
 */
int gnuplot_format(const char *name, size_t size);

/* Runs folder/NAME.gp for the format of this number. What it draws is made in a hidden folder
 * beside and moved to `folder` when it is complete. COSTAB_IO with gnuplot's own words where that fails;
 * nothing is left behind. */
costab_status gnuplot_draw(const char *program, const char *folder, const char *name, int format,
                           costab_error *error);

#endif
