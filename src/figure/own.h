/* figure/own.h - a user's own points and lines, drawn over every panel. */
#pragma once

#include "figure/kinds.h"

/* COSTAB_INVALID, as FILE:LINE, where the file is not what costab_figure_file says. */
costab_status own_check(const costab_figure_file *file, costab_error *error);

/* Adds the points and lines that the figure names to all panels of the scene. */
costab_status own_draw(const costab_figure *figure, scene *s, costab_error *error);
