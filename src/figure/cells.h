/* figure/cells.h - regions and lines of a grid of samples, cell by cell (marching squares).
 *
 * A cut tells for every grid point whether it is inside, and where along the edges to its neighbours that
 * changes. In a cell its line goes straight from edge to edge. Several cuts over one grid divide it into
 * regions: two points belong to one region if they have the same label. */
#pragma once

#include "planar/outline.h"

#define CELL_CUTS_MAX 14
#define CELL_MISSING  255 /* the label of cells with a corner that has no value */

/* Arrays of nx * ny entries, y fastest. cross_x: where on the edge from a point to the next along x the cut
 * is crossed, strictly between them or at an end; used where `inside` differs there. cross_y likewise. value:
 * negative inside, for cells whose corners alternate; may be NULL. */
typedef struct grid_cut {
    bool *inside;
    double *cross_x, *cross_y, *value;
} grid_cut;

typedef struct cell_grid {
    size_t nx, ny;       /* at least 2 */
    const double *x, *y; /* ascending */
    const bool *missing; /* points without a value */
    int cut_count;       /* at most CELL_CUTS_MAX */
    const grid_cut *cuts;
    /* The label (below CELL_MISSING) of what lies inside the cuts whose bits are set; NULL: these bits. */
    uint8_t (*label)(const void *context, unsigned inside);
    const void *context;
} cell_grid;

/* The regions' outlines: loops with their label as `edge`; the inside is to the left, so that loops around
 * holes go clockwise. Each is bounded by the loops of its label, and all together cover the grid. */
void cell_regions(const cell_grid *grid, outline *regions);

/* The line of a cut as polylines through its crossings, open or closed. */
void cell_line(const cell_grid *grid, int cut, outline *lines);
