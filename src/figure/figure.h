/* figure/figure.h - script and data of a figure. */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H

#include "base/text.h"
#include "costab/figure.h"

/* Makes both from a results file. `name`: of the files, without ending. `overlay`: as
 * costab_plot_options.figure. */
costab_status figure_make(const costab_results *results, const char *name, const char *overlay, text *script,
                          text *data, costab_error *error);

#endif
