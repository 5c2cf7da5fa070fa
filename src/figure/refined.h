/* figure/refined.h - a field over two axes, interpolated on a finer grid, so that lines through it are
 * smooth. */
#pragma once

#include "figure/grid.h"

/* Values between places of two axes, y fastest, and what is known of them. */
typedef struct refined {
    grid_axis x, y;        /* places, without values */
    double *values;        /* 0 where they are missing */
    bool *missing;         /* points without a value */
    double *one_x, *one_y; /* as in grid_radius: where the value passes 0; NULL: not known */
} refined;

/* Interpolates values. [out] fine: equals `coarse` in the points of its grid; it has no points more where
 * that is fine enough. Along a grid line it passes 0 where coarse does and nowhere else; cells whose corners
 * have one sign keep it. To be freed with refined_free. */
costab_status refined_make(const refined *coarse, refined *fine, costab_error *error);
void refined_free(refined *fine);
