/* figure/cells.h - outlines of point sets on a rectangular grid (marching squares): classes and contours. */
#pragma once

#include "base/outline.h"

/* A rectangular grid. Point (i, j) has the index i * ny + j. */
typedef struct cell_grid {
    size_t nx, ny;       /* numbers of points, at least 2 */
    const double *x, *y; /* ascending */
    const bool *missing; /* points without a value; NULL: none */
} cell_grid;

/* A set of grid points and its border. */
typedef struct cell_set {
    const bool *inside; /* of each point; missing points count as outside */
    /* Returns where the border crosses the edge from point `at` to the next point along y (or x): the y (or
     * x). One of the two points is inside. */
    double (*crossing)(const void *context, size_t at, bool along_y);
    /* At a saddle, a cell with two diagonal corners inside: whether the set joins these corners. NULL: no. */
    bool (*joins)(const void *context, const size_t corners[4]);
    const void *context;
} cell_set;

/* The codes of the segments of an outline: the border, or the limit of the grid or of its missing points. */
enum { CELL_LIMIT = OUTLINE_CUT, CELL_BORDER = 1 };

/* Appends the outline of a set: closed loops with the set to their left, so that holes run clockwise. Inside
 * a cell the border is straight. */
void cell_outline(const cell_grid *grid, const cell_set *set, outline *result);
