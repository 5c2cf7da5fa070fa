/* figure/own.h - a user's own points and lines, drawn over every panel. */
#pragma once

#include "figure/kinds.h"

/* Checks a file of points or lines. COSTAB_INVALID, with FILE:LINE, if it is not as costab_figure_file
 * describes. */
costab_status own_check(const costab_figure_file *file, costab_error *error);

/* Adds the figure's own points and lines to all panels of the scene. */
costab_status own_draw(const costab_figure *figure, scene *s, costab_error *error);
