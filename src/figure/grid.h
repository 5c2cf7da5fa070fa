/* figure/grid.h - what is stored of a sweep, along one axis or over two. */
#pragma once

#include "figure/fields.h"
#include "figure/kinds.h"

/* An axis along which is drawn. */
typedef struct grid_axis {
    int number; /* in the plan */
    size_t count;
    const double *values;
    double *places;
    bool log;
} grid_axis;

/* A radius, and the places of its level 1 as plan and study have them: for each point, on the edge to the
 * next along x or y, NaN where there is none. NULL: not stored. */
typedef struct grid_radius {
    double *values, *one_x, *one_y;
} grid_radius;

/* What is stored along x, or over x and y (y fastest). NULL: not stored. */
typedef struct grid {
    grid_axis x, y; /* y.count is 0 along x alone; borrowed from the grids that it is one of */
    uint8_t *codes;
    double *abscissa;
    grid_radius radius, iteration;
    double *drawn, *bound;   /* the field that is drawn; the bound of errors */
    const grid_radius *ones; /* the radius whose crossings of 1 are those of `drawn`; NULL: none */
} grid;

/* The axes and the field of a figure's grids. */
typedef struct grid_frame {
    const figure_field *of;
    grid_axis x, y;
} grid_frame;

/* What a curve's axis says of a field; or, short, a contour's bar. Borrowed from the scene. */
const char *grid_label(const figure_request *request, scene *s, const figure_field *of, bool symbol);

/* COSTAB_INVALID where the axes' values do not ascend. plane: over two axes. */
costab_status grid_frame_make(const figure_request *request, bool plane, grid_frame *frame,
                              costab_error *error);
void grid_frame_free(grid_frame *frame);

/* Reads everything that is stored over these axes, where the indices along the others are `at`: of `count`
 * indices of x, from `first` on. */
costab_status grid_read(const figure_request *request, const grid_frame *frame, const size_t *at,
                        size_t first, size_t count, grid *g, costab_error *error);
void grid_free(grid *g);

/* Whether any of the values is a number. */
bool grid_has_numbers(const double *values, size_t count);

/* A panel along the frame's axes: ranges, logarithms and names. */
scene_panel *grid_panel(const figure_request *request, scene *s, const figure_kind *kind,
                        const grid_frame *frame, const size_t *at);

/* The place of a crossing that is stored of the edge from point i of an axis to the next; NaN: none. ones:
 * those of all points, that of the edge at `at`; NULL: none is stored. */
double grid_crossing(const grid_axis *axis, size_t i, const double *ones, size_t at);
