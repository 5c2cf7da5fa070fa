/* figure/plane.h - panels of network sweeps over two axes: cuts of the grid, regions, lines.
 *
 * Level 1, and the bound of the co-simulation's stability where it is that, go through the crossings that the
 * sweep found on the grid's edges; all else is interpolated along them. */
#pragma once

#include "figure/cells.h"
#include "figure/grid.h"

/* Bits of a class: what is stable, what is on the limit within rounding, and that the
 * continuous system is not known. */
enum {
    PLANE_DISCRETE = 1,
    PLANE_CONTINUOUS = 2,
    PLANE_NO_CLASS = 12, /* not computed, failed, undecided */
    PLANE_CONTINUOUS_NEUTRAL = 16,
    PLANE_DISCRETE_NEUTRAL = 32,
    PLANE_UNKNOWN = 64
};

/* A level of what is drawn or, with a bit, where that bit of the class changes. */
typedef struct plane_cut {
    double level;
    int bit;
} plane_cut;

/* A part of the grid: some columns, read and cut. */
typedef struct plane_strip {
    size_t first; /* the number of its first column in the whole grid */
    grid grid;
    grid_radius other;        /* what is drawn and is no radius of its own */
    const grid_radius *drawn; /* whose level 1 (0 where plain) the cuts go through */
    double *values;           /* what is cut; 0 where it is missing */
    bool *missing;
    grid_cut cuts[CELL_CUTS_MAX];
} plane_strip;

typedef struct plane {
    const figure_request *request;
    const figure_kind *kind;
    const grid_frame *frame;
    int coupling;
    const size_t *at; /* the index along each axis that is not drawn */
    bool classes;     /* what is missing is told by the class, else by what is drawn */
    bool plain;       /* values are cut as they are, else their logarithms */
    bool finite;      /* what is not finite is missing */
    scene *s;         /* NULL: no panels are added */
    scene_panel *panel;
    plane_cut cuts[CELL_CUTS_MAX];
    int cut_count;
    uint8_t (*label)(const void *plane, unsigned inside); /* as in cell_grid */
    /* What plane_trace finds: */
    size_t missing; /* points without a value */
    cell_sides sides;
    cell_chords chords[CELL_CUTS_MAX];
    outline regions;
    costab_status status;
    costab_error *error;
} plane;

/* Adds a panel for every coupling and value of further axes that has something to draw, and lets `draw` fill
 * it. */
costab_status planes_draw(plane *w, void (*draw)(plane *w), costab_error *error);

/* The same over the classes of a figure's two axes, by the kind's `plane`. */
costab_status planes_of_classes(const figure_request *request, scene *s, const figure_kind *kind,
                                costab_error *error);

/* Adds a cut. */
void plane_cut_level(plane *w, double level);
void plane_cut_class(plane *w, int bit);

/* Makes the regions, and the chords of the lines, of all cuts. */
void plane_trace(plane *w);

/* Paints the regions, from the largest to the smallest, so that what fills a hole is painted over it. */
void plane_paint(plane *w, void (*style_of)(int label, char style[SCENE_WORD_MAX]));

/* Puts the line of a cut, once; kept (NULL: not wanted) gets it, too, its runs with this number as `edge`. */
void plane_line(plane *w, int cut, const char *style, outline *kept, uint8_t number);
