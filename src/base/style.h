/* base/style.h - figure requests for other modules: limits of two keys, filling and clearing. */
#pragma once

#include "costab/style.h"

/* Largest values of the keys `columns` and `dpi`, in a spec and in a stored request. */
#define STYLE_COLUMNS_MAX 100
#define STYLE_DPI_MAX     2400

/* Replaces choices of a figure. Reads the files that they name, relative to the current folder.
 * COSTAB_INVALID with all mistakes, COSTAB_UNREADABLE if a file cannot be read; the figure can then only be
 * cleared. */
costab_status costab_figure_choose(costab_figure *figure, const costab_figure_choice *choices, size_t count,
                                   costab_error *error);

/* Frees the members of a figure and leaves it without kinds. */
void costab_figure_clear(costab_figure *figure);
