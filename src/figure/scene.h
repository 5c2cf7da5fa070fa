/* figure/scene.h - a figure as plain data, without a size on paper.
 *
 * A kind of figure builds a scene from results; script.c and blocks.c write script and data from it. It has
 * panels; a panel has layers, each a set of lines, areas or points of one style, and texts. Coordinates are
 * places along the axes of a panel: values, or along a logarithmic axis their logarithms to base 10. gnuplot
 * cuts curves at the panel. Texts have gnuplot's markup (figure/names.h); the scene owns them.
 *
 * Functions that add something set `failed` if memory runs out; scene_status reports it at the end. */
#pragma once

#include "base/outline.h"
#include "base/text.h"
#include "figure/hatch.h"

#define SCENE_PANELS_MAX 64
#define SCENE_LEVELS_MAX 14
#define SCENE_WORD_MAX   24

/* The look of a layer. Colours are "#rrggbb"; an element without a colour (NULL) or size (0) is not drawn. */
typedef struct scene_style {
    const char *name;  /* in script and data: letters, digits, _ */
    const char *words; /* what it shows, for comments in script and data */
    const char *tint;  /* colour of fills */
    const char *hatch; /* colour of hatch lines */
    int pattern_count;
    hatch_pattern patterns[2];
    const char *line;   /* colour of curves and points */
    double width;       /* of curves, in pt */
    const char *dash;   /* gnuplot's dash type: "1" for a solid line, or a quoted pattern */
    int point;          /* gnuplot's point type */
    double size;        /* of points */
    int order;          /* of entries in the legend */
    const char *legend; /* its entry in the legend; NULL: none */
    unsigned seen; /* kinds of visible layers with this style, as bits 1 << kind; 0: no entry in the legend */
    bool remarked; /* the entry has a remark */
} scene_style;

/* A remark on what panels do not show of a style, such as "nothing stable". */
typedef struct scene_remark {
    int style;
    const char *words;
    uint64_t panels; /* as bits 1 << number */
} scene_remark;

/* Kinds of layers, in the order in which they are drawn. */
typedef enum scene_layer_kind {
    SCENE_FILL,
    SCENE_HATCH,
    SCENE_CURVE,
    SCENE_TICKS, /* short strokes from the boundary of areas inwards */
    SCENE_POINTS,
    SCENE_LAYER_KINDS
} scene_layer_kind;

typedef struct scene_layer {
    scene_layer_kind kind;
    int style;
    outline runs; /* areas of fills, hatches and ticks; polylines; points */
} scene_layer;

typedef enum scene_anchor {
    SCENE_AT,     /* at x, y */
    SCENE_INSIDE, /* where there is most space inside an area */
    SCENE_ALONG   /* where there is most space on the one of some lines with the most points */
} scene_anchor;

typedef struct scene_text {
    scene_anchor anchor;
    double x, y;   /* SCENE_AT: of its middle, or of the end that `side` gives */
    int side;      /* -1: the text ends there; 1: it begins there */
    bool bare;     /* without a white box behind it */
    outline where; /* SCENE_INSIDE, SCENE_ALONG: the area, the lines */
    uint8_t own;   /* SCENE_ALONG: obstacles with this edge are its own line */
    double size;   /* of the type, relative; 0: 1 */
    const char *shown;
} scene_text;

typedef struct scene_axis {
    double range[2]; /* places, ascending */
    double scale;    /* factor from places to shown numbers, for scene_rescale; 0: 1 */
    bool log;
    bool bare;         /* no ticks and numbers */
    const char *label; /* NULL: none */
} scene_axis;

/* A name at a place of the vertical axis. */
typedef struct scene_row {
    double y;
    const char *name;
} scene_row;

typedef struct scene_panel {
    struct scene *scene;
    scene_axis x, y;
    const char *caption; /* NULL: none */
    int layer_count, text_count, row_count;
    scene_layer *layers; /* in the order in which they are drawn */
    scene_text *texts;
    scene_row *rows;   /* instead of numbers, if there are any */
    bool equal;        /* equal scales of x and y on paper */
    outline obstacles; /* lines from which texts keep away */
    double proportion; /* height by width */
    double tallest;    /* largest height in cm */
    double narrowest;  /* smallest width in cm, with its numbers, next to other panels */
} scene_panel;

/* The colours between levels: the styles b0, b1, ..., one more than levels. */
typedef struct scene_bar {
    int level_count; /* 0: no bar */
    double levels[SCENE_LEVELS_MAX];
    int limit_level; /* the number of the field's limit, such as 1; level_count: none */
    const char *label;
} scene_bar;

typedef struct scene {
    const char *title;   /* "": none */
    const char *kinds;   /* names of its kinds; NULL: none */
    text notes;          /* what a reader has to know */
    const char *caption; /* below everything; NULL: none */
    int panel_count, style_count;
    scene_panel *panels[SCENE_PANELS_MAX];
    scene_style *styles;
    scene_remark *remarks;
    char **texts; /* owned */
    size_t style_capacity, remark_count, remark_capacity, text_count, text_capacity;
    scene_bar bar;
    int columns;       /* of panels, as the kind suggests; 0: none */
    bool crowded;      /* too many panels */
    bool failed;       /* too many panels, or memory ran out */
    scene_panel spare; /* takes what is drawn after a failure */
} scene;

/* Adds an empty panel. */
scene_panel *scene_add_panel(scene *s);

/* ---- Layers. They take the runs; empty runs give no layer. */

/* Adds a layer. style: a name of the table of styles, or of a style that was defined before. */
void scene_put(scene_panel *panel, scene_layer_kind kind, const char *style, outline *runs);

/* Adds points that are not in a run yet. */
void scene_put_points(scene_panel *panel, const char *style, outline *points);

/* Fills and hatches an area. Adds a remark if it is too small to be seen. */
void scene_put_area(scene_panel *panel, const char *style, outline *area);

/* Adds the border of an outline as a curve, without its limits by the window or the grid. */
void scene_put_border(scene_panel *panel, const char *style, const outline *region);

/* Marks a stable area whose boundary has this style: by hatching, or by ticks. Adds a remark if nothing or
 * everything is stable. */
void scene_put_side(scene_panel *panel, const char *style, bool ticks, outline *area);

/* ---- Texts */

/* Return a copy of a text that lives as long as the scene, "" if memory runs out. scene_keep_text frees its
 * argument. */
const char *scene_keep(scene *s, const char *shown);
const char *scene_keep_text(scene *s, text *shown);

/* Adds a text; copies its words and takes its outline. */
void scene_put_text(scene_panel *panel, const scene_text *item);

/* Adds a text without a box. */
void scene_put_words(scene_panel *panel, double x, double y, int side, double size, const char *shown);

/* Adds a name at the vertical axis. */
void scene_put_row(scene_panel *panel, double y, const char *name);

/* Adds a sentence to the notes, once. */
void scene_note(scene *s, const char *words);

/* Appends "(a)", the letter of the i-th of several panels; "(aa)" after "(z)". */
void scene_panel_letter(int i, text *shown);

/* ---- Styles */

/* Adds a style unless there is a style of this name. In the legend its entry follows those of the table. */
void scene_define(scene *s, const scene_style *style);

/* Returns a defined style or one of the table; NULL if `failed`. */
scene_style *scene_style_named(scene *s, const char *name);

/* Gives the style an entry in the legend, whatever is drawn. */
void scene_mention(scene *s, const char *style);

/* Add a remark to the entry of a style, and the remark "cut at VALUE". */
void scene_remark_on(scene_panel *panel, const char *style, const char *words);
void scene_remark_cut(scene_panel *panel, const char *style, double value);

/* Appends the remarks to the legend and the notes, with the letters of their panels. Call it at the end. */
void scene_put_remarks(scene *s);

/* Gives a style the dashes and width of the k-th of several lines. dashed: no line is solid. */
void scene_tell_apart(scene_style *style, int k, double width, bool dashed);

/* The table of styles (figure/styles.c). */
extern const scene_style scene_styles[];
extern const int scene_styles_count;

/* ---- Shapes and places */

/* Append a rectangle and a segment. */
void scene_box(outline *result, double x0, double y0, double x1, double y1);
void scene_line(outline *result, double x0, double y0, double x1, double y1);

/* Appends a polyline. It breaks at NaN; runs of a single point are left out. */
void scene_polyline(outline *result, const double *x, const double *y, size_t count);

/* Appends the visible single values of a polyline, which are dots: values without a number next to them. */
void scene_lone(const scene_panel *panel, const double *x, const double *y, size_t count, outline *dots);

/* Return true if the panel shows a point, and if a segment of a polyline (by its bounding box) or a single
 * value of it may be visible. */
bool scene_shows(const scene_panel *panel, double x, double y);
bool scene_crosses(const scene_panel *panel, const double *x, const double *y, size_t count);

/* Returns the ranges of both axes. */
outline_box scene_window(const scene_panel *panel);

/* Return the value at a place, the place of a value (NaN: none), and the number of digits that distinguishes
 * values in the range. */
double scene_value(const scene_axis *axis, double place);
double scene_place(const scene_axis *axis, double value);
int scene_digits(const scene_axis *axis);

/* Multiplies all places along axes with a scale by this scale. Call it once, when all is drawn. */
void scene_rescale(scene *s);

/* Extends a range to 0 if 0 is nearer than a tenth of its width. */
void scene_take_zero(double *range);

/* ---- The end */

/* Returns COSTAB_OK, or the reason why the scene is incomplete. */
costab_status scene_status(const scene *s, const char *path, costab_error *error);

void scene_free(scene *s);
