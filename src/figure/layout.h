/* figure/layout.h - a scene on paper: sizes, panels, ticks, legend, and the texts where there is room for
 * them.
 *
 * Lengths are in cm for 8 pt type; with other type the same layout is made in units of so many cm. */
#pragma once

#include "costab/style.h"
#include "figure/ticks.h"

#define LAYOUT_SWATCH_WIDTH  0.75
#define LAYOUT_SWATCH_HEIGHT 0.28
#define LAYOUT_SAMPLE        0.87 /* from the left of a sample to its words */
#define LAYOUT_NAME_UP       0.42 /* from a bar to its name above it */
#define LAYOUT_COLUMNS       12   /* of the legend, at most */

typedef struct layout_panel {
    hatch_frame frame;     /* its window, and its size on paper */
    ticks x, y;            /* of its axes */
    bool x_shown, y_shown; /* the axis has its numbers and its name here */
    char *caption;         /* owned: with its letter, in lines */
} layout_panel;

/* An entry of the legend: a sample of a style and its words. */
typedef struct layout_entry {
    int style;    /* number of the scene's style */
    double x, y;  /* lower left corner of the sample, from the figure's */
    double width; /* of sample and words */
} layout_entry;

typedef struct figure_layout {
    double unit;                      /* cm that one unit of all lengths below is */
    double width, height;             /* of the figure */
    double left, right, top, bottom;  /* from its edges to the panels */
    double gap_x, gap_y;              /* between panels */
    double panel_width, panel_height; /* of each panel */
    int columns, rows;                /* of panels */
    int title_lines, caption_lines;
    layout_panel *panels;           /* row by row from the top */
    char *title, *caption;          /* owned, in lines */
    int entry_count, entry_columns; /* of the legend */
    layout_entry *entries;
    /* Where the legend is; all false: in a strip below the panels. */
    bool beside;                                /* to the right of the panels */
    bool at_ends;                               /* with `beside`: where the curves end, without samples */
    bool inside;                                /* in a box of the first panel */
    double box_x, box_y, box_width, box_height; /* that box, from the panel's lower left corner */
    double entry_width;                         /* of the widest entry */
    double legend_width, legend_height;
    double column_begins[LAYOUT_COLUMNS];  /* of the legend, from its left side */
    double bar_left, bar_bottom, bar_step; /* of the scene's bar: its corner, and the width of a band */
    bool bar_below; /* it stands below its name, for which there is no room beside it */
} figure_layout;

/* Lays the scene out. COSTAB_INVALID where the size leaves too little for a panel. `path` is the spec's. */
costab_status layout_make(scene *s, const costab_style *style, const char *path, figure_layout *l,
                          costab_error *error);

/* Whether level k of the bar has its number: all have where there is room, else every so many from its limit
 * on. */
bool layout_bar_number(const scene_bar *bar, const figure_layout *l, int k);

void layout_free(figure_layout *l, int panels);
