/* figure/figure.h - script and data of a figure. */
#pragma once

#include "base/text.h"
#include "costab/figure.h"

#define FIGURE_NOTES_MAX sizeof((costab_plot_outcome){.gnuplot_missing = false}.notes)

/* Makes both from a results file. `name`: of the files, without ending. `overlay`: as
 * costab_plot_options.figure. [out] notes: as those of costab_plot_outcome. */
costab_status figure_make(const costab_results *results, const char *name, const char *overlay, text *script,
                          text *data, char notes[FIGURE_NOTES_MAX], costab_error *error);
