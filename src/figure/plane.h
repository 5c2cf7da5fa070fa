/* figure/plane.h - panels over two axes of a sweep: outlines of the points of a class or below a level. */
#pragma once

#include "figure/cells.h"
#include "figure/grid.h"

/* Bits of a class code. Without a bit of the map or of the continuous system, it is unstable. */
enum {
    PLANE_DISCRETE = 1,
    PLANE_CONTINUOUS = 2,
    PLANE_NO_CLASS = 12, /* not computed, failed, undecided */
    PLANE_CONTINUOUS_NEUTRAL = 16,
    PLANE_DISCRETE_NEUTRAL = 32,
    PLANE_UNKNOWN = 64, /* the continuous system */
    PLANE_SYSTEM = PLANE_CONTINUOUS | PLANE_CONTINUOUS_NEUTRAL | PLANE_UNKNOWN,
    PLANE_MAP = PLANE_DISCRETE | PLANE_DISCRETE_NEUTRAL
};

/* One panel, or one coupling of a panel, and what is stored there. */
typedef struct plane {
    const figure_request *request;
    scene *s; /* NULL: costab_levels_find, without panels */
    const figure_kind *kind;
    bool classes; /* reads the classes, otherwise the figure's field */
    bool linear;  /* interpolates the field's values, not their logarithms */
    bool finite;  /* infinite values count as missing */
    /* Set by planes_draw: */
    const grid_frame *frame;
    const size_t *at; /* the index along each axis that is not drawn */
    scene_panel *panel;
    grid grid;
    cell_grid cells;
    bool *missing; /* of each point */
    size_t points, missing_count;
} plane;

typedef costab_status plane_draw(plane *w, void *context, costab_error *error);

/* Calls `draw` for every coupling and every value of further axes. It adds a panel for each, or for all
 * couplings together if the kind is overlaid. */
costab_status planes_draw(const plane *like, const grid_frame *frame, plane_draw *draw, void *context,
                          costab_error *error);

/* Works like planes_draw, for the classes over the figure's two axes. */
costab_status planes_of_classes(const figure_request *request, scene *s, const figure_kind *kind,
                                plane_draw *draw, costab_error *error);

/* Append the outline of all points with (class & mask) == code, and of all points whose value is below a
 * level. Segments inside the grid have the edge CELL_BORDER. */
costab_status plane_class(const plane *w, unsigned mask, unsigned code, outline *region, costab_error *error);
costab_status plane_below(const plane *w, double level, outline *region, costab_error *error);

/* Fills the panel: with the style "failed" if values are missing, and all points with a value with this
 * style. */
costab_status plane_ground(plane *w, const char *style, costab_error *error);
