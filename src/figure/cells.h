/* figure/cells.h - regions and lines of a grid of samples, cell by cell (marching squares).
 *
 * A cut tells for every grid point whether it is inside, and where along the edges to its neighbours that
 * changes. In a cell its line goes straight from edge to edge. Several cuts over one grid divide it into
 * regions: two points belong to one region if they have the same label. */
#pragma once

#include "base/outline.h"

#define CELL_CUTS_MAX 14
#define CELL_MISSING  255 /* the label of cells with a corner that has no value */

/* Arrays of nx * ny entries, y fastest. cross_x: where on the edge from a point to the next along x the cut
 * is crossed, strictly between them or at an end; used where `inside` differs there. cross_y likewise. value:
 * negative inside, for cells whose corners alternate; may be NULL. */
typedef struct grid_cut {
    bool *inside;
    double *cross_x, *cross_y, *value;
} grid_cut;

/* A strip of a grid, or all of it: some columns of points, of which some columns of cells are looked at. The
 * others are their neighbours; only a border of the whole grid has none. */
typedef struct cell_grid {
    size_t nx, ny;       /* at least 2 */
    size_t first;        /* the number of the first column of points in the whole grid */
    size_t from, to;     /* the columns of cells, counted from there, that are looked at: from <= i < to */
    const double *x, *y; /* ascending */
    const bool *missing; /* points without a value */
    int cut_count;       /* at most CELL_CUTS_MAX */
    const grid_cut *cuts;
    /* The label (below CELL_MISSING) of what lies inside the cuts whose bits are set; NULL: these bits. */
    uint8_t (*label)(const void *context, unsigned inside);
    const void *context;
} cell_grid;

/* A side of a region, and a chord of a line. */
typedef struct cell_side cell_side;
typedef struct cell_chord cell_chord;

/* What strips give to the regions, and to the line of one cut. Zero-initialise. */
typedef struct cell_sides {
    cell_side *of;
    size_t count, capacity;
    bool failed; /* memory ran out */
} cell_sides;

typedef struct cell_chords {
    cell_chord *of;
    size_t count, capacity;
    bool failed;
} cell_chords;

/* Adds what the strip's cells give. Strips come in any order, each cell once. */
void cell_add_sides(const cell_grid *strip, cell_sides *sides);
void cell_add_chords(const cell_grid *strip, int cut, cell_chords *chords);

/* The regions' outlines: loops with their label as `edge`; the inside is to the left, so that loops around
 * holes go clockwise. Each is bounded by the loops of its label, and all together cover the grid. Frees the
 * sides. */
void cell_regions(cell_sides *sides, outline *regions);

/* The line of a cut as polylines through its crossings, open or closed. Frees the chords. */
void cell_line(cell_chords *chords, outline *lines);
