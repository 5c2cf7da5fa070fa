/* figure/figure.h - script and data of a figure. */
#pragma once

#include "base/text.h"
#include "costab/figure.h"
#include "store/request.h"

#define FIGURE_NOTES_MAX sizeof((costab_plot_outcome){.gnuplot_missing = false}.notes)

/* Makes script and data from a results file and its request. Choices of the request that these results do not
 * allow are dropped. name: of the files, without ending. [out] notes: as in costab_plot_outcome. */
costab_status figure_make(const costab_results *results, store_request *request, const char *name,
                          text *script, text *data, char notes[FIGURE_NOTES_MAX], costab_error *error);

/* Works like costab_plot, with a request instead of the stored one; options->choices are not read. */
costab_status figure_plot(const costab_results *results, store_request *request,
                          const costab_plot_options *options, costab_plot_outcome *outcome,
                          costab_error *error);

/* Checks whether a figure can be drawn from results with this plan: its kinds, field, panels and ranges.
 * COSTAB_INVALID with the mistakes, each at its PATH:LINE:COLUMN. A spec without the key `figure` passes. */
costab_status costab_figure_check(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  costab_error *error);
