/* base/style.h - functions for other modules that fill and clear a figure request. */
#pragma once

#include "costab/style.h"

/* Replaces choices of a figure. Files that they name, relative to the current folder, are read.
 * COSTAB_INVALID with all mistakes, COSTAB_UNREADABLE where a file cannot be read; the figure can then only
 * be cleared. */
costab_status costab_figure_choose(costab_figure *figure, const costab_figure_choice *choices, size_t count,
                                   costab_error *error);

/* Frees what a figure owns and makes it one without kinds. */
void costab_figure_clear(costab_figure *figure);
