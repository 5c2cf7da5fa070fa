/* figure/grid.h - stored fields along one or two axes of a sweep. */
#pragma once

#include "figure/fields.h"
#include "figure/kinds.h"

/* An axis of a panel. Places are values, or their logarithms to base 10 (`log`). */
typedef struct grid_axis {
    int number; /* in the plan */
    size_t count;
    double *places;
    bool log;
} grid_axis;

/* The axes of a figure's panels and the field that it draws. y.count is 0 if there is a horizontal axis only.
 */
typedef struct grid_frame {
    const figure_field *of;
    grid_axis x, y;
} grid_frame;

/* A field, and where it passes its limit: for each point the value of the axis on the edge to the next point
 * along x and y, NaN if there is no crossing. NULL: not stored. */
typedef struct grid_field {
    double *values, *one_x, *one_y;
} grid_field;

/* Stored fields, y fastest; NULL: not stored. */
typedef struct grid {
    uint8_t *codes;
    double *abscissa;
    grid_field radius, iteration; /* the spectral radius, and that of the coupling iteration */
    grid_field of;                /* the field that the figure draws */
    double *bound;                /* of errors */
} grid;

/* Reads the axes of the request and finds its field. plane: two axes. COSTAB_INVALID if the values of an axis
 * do not ascend. [out] frame: free with grid_frame_free, also after an error. */
costab_status grid_frame_make(const figure_request *request, bool plane, grid_frame *frame,
                              costab_error *error);
void grid_frame_free(grid_frame *frame);

/* Reads what a figure of classes, or of the frame's field, needs at the indices `at` of the other axes. */
costab_status grid_read(const figure_request *request, const grid_frame *frame, const size_t *at,
                        bool classes, grid *g, costab_error *error);
void grid_free(grid *g);

/* Gives a panel the frame's axes: ranges, logarithms and names. */
void grid_set_axes(const figure_request *request, const grid_frame *frame, scene_panel *panel);

/* Fills the whole grid with the style of missing points, over which the others are drawn. */
void grid_put_missing(const grid_frame *frame, scene_panel *panel);

/* Returns the place of a stored crossing between points i and i + 1 of an axis, NaN without one. ones: one_x
 * or one_y of a grid_field, or NULL; at: the index of point i in it. */
double grid_crossing(const grid_axis *axis, size_t i, const double *ones, size_t at);

/* Returns the name of a field with its unit; symbol: its symbol alone, if it has one. The scene owns it. */
const char *grid_label(const figure_request *request, scene *s, const figure_field *of, bool symbol);
