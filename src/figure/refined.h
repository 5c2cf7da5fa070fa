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

/* How many points a finer grid has for one of a grid of nx * ny, along x and y: [out] k; 1 and 1 where that
 * is fine enough. */
void refined_factors(size_t nx, size_t ny, size_t k[2]);

/* Interpolates values. [out] fine: equals `coarse` in the points of its grid, and has k for one. A strip of a
 * grid gives what all of it does, but in its outermost two columns within the grid. Along a grid line it
 * passes 0 where coarse does and nowhere else; cells whose corners have one sign keep it. To be freed with
 * refined_free. */
costab_status refined_make(const refined *coarse, const size_t k[2], refined *fine, costab_error *error);
void refined_free(refined *fine);
