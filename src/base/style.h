/* base/style.h - filling and clearing a figure request, for other modules. */
#pragma once

#include "costab/style.h"

/* Replaces choices of a figure. Reads the files that they name, relative to the current folder.
 * COSTAB_INVALID with all mistakes, COSTAB_UNREADABLE if a file cannot be read; the figure can then only be
 * cleared. */
costab_status costab_figure_choose(costab_figure *figure, const costab_figure_choice *choices, size_t count,
                                   costab_error *error);

/* Frees the members of a figure and leaves it without kinds. */
void costab_figure_clear(costab_figure *figure);
