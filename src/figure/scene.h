/* figure/scene.h - a figure as plain data, before it has a size on paper.
 *
 * Coordinates are places along the axes of a panel: the value, or along a logarithmic axis its logarithm to
 * base 10. Texts have gnuplot's mark-up (figure/names.h), and the scene keeps them. A kind of figure builds a
 * scene from results; script and data are written from it. */
#pragma once

#include "base/outline.h"
#include "base/text.h"
#include "figure/hatch.h"

#define SCENE_PANELS_MAX 64
#define SCENE_LEVELS_MAX 14
#define SCENE_WORD_MAX   24

/* How something is drawn. Colours are "#rrggbb"; a style draws nothing that has no colour (NULL) or no size
 * (0). */
typedef struct scene_style {
    const char *name;  /* in script and data: letters, digits, _ */
    const char *words; /* what it shows, for the data */
    const char *tint;  /* colour of fills */
    const char *hatch; /* colour of hatch lines */
    int pattern_count;
    hatch_pattern patterns[2];
    const char *line;   /* colour of curves and points */
    double width;       /* width of curves, in pt */
    const char *dash;   /* gnuplot's dash type: "1" for a whole line, or a quoted pattern */
    int point;          /* gnuplot's point type */
    double size;        /* size of points */
    int order;          /* place in the legend: entries are sorted by it */
    unsigned seen;      /* the kinds of layers that use the style, as bits 1 << kind; the legend has an entry
                           unless it is 0 */
    bool remarked;      /* the legend has a remark */
    const char *legend; /* words of its entry in the legend; NULL: no entry */
} scene_style;

/* What panels do not show of a style, such as "nothing stable": it stands behind the style's name in the
 * legend and among the notes. */
typedef struct scene_remark {
    int style;
    const char *words;
    uint64_t panels; /* as bits 1 << number */
} scene_remark;

typedef enum scene_layer_kind {
    SCENE_FILL,
    SCENE_HATCH,
    SCENE_CURVE,
    SCENE_POINTS,
    SCENE_TICKS, /* short strokes from areas' boundaries inwards */
    SCENE_LAYER_KINDS
} scene_layer_kind;

typedef struct scene_layer {
    scene_layer_kind kind;
    int style;
    outline runs; /* areas of fills and hatches, polylines of curves, points */
} scene_layer;

/* Where a text stands. */
typedef enum scene_anchor {
    SCENE_AT,     /* at x, y */
    SCENE_INSIDE, /* where there is most room inside an area */
    SCENE_ALONG   /* where there is most room on the longest of some lines */
} scene_anchor;

typedef struct scene_text {
    scene_anchor anchor;
    double x, y;   /* SCENE_AT: of its middle, or of the end that `side` says */
    int side;      /* -1: the text ends there; 1: it begins there */
    bool bare;     /* without a white box behind it */
    outline where; /* SCENE_INSIDE, SCENE_ALONG: the area, the lines */
    uint8_t own;   /* SCENE_ALONG: obstacles with this edge are its own line */
    double size;   /* of the type, relative; 0: 1 */
    const char *shown;
} scene_text;

typedef struct scene_axis {
    double range[2]; /* places, ascending */
    bool log;
    bool bare;         /* no ticks and numbers */
    const char *label; /* NULL: none */
} scene_axis;

/* A name at the vertical axis. */
typedef struct scene_row {
    double y;
    const char *name;
} scene_row;

typedef struct scene_panel {
    struct scene *scene; /* that it belongs to */
    scene_axis x, y;
    const char *caption; /* NULL: none */
    int layer_count, text_count;
    scene_layer *layers; /* in the order in which they are drawn */
    scene_text *texts;
    int row_count;
    scene_row *rows;            /* they stand in place of numbers, if there are any */
    bool equal;                 /* lengths along x and y are the same on paper */
    outline obstacles;          /* that texts keep away from */
    double proportion, tallest; /* of the panel: height by width, and no more than so many cm */
    double narrowest;           /* cm, with its numbers, of one with others beside it */
} scene_panel;

/* The colours between levels, from the least to the largest. */
typedef struct scene_bar {
    int level_count; /* 0: no bar. There is one colour more: the styles b0, b1, ... */
    double levels[SCENE_LEVELS_MAX];
    int limit_level; /* which of them is the field's limit, such as 1; level_count: none is */
    const char *label;
} scene_bar;

typedef struct scene {
    const char *title;   /* "": none */
    const char *kinds;   /* names of its kinds; NULL: none */
    text notes;          /* what a reader has to know */
    const char *caption; /* below everything; NULL: none */
    int panel_count, style_count;
    size_t style_capacity;
    scene_panel *panels[SCENE_PANELS_MAX];
    scene_style *styles;
    size_t remark_count, remark_capacity;
    scene_remark *remarks;
    size_t text_count, text_capacity; /* kept */
    char **texts;
    scene_bar bar;
    int columns;       /* of panels, as the kind suggests; 0: none */
    bool crowded;      /* it has too many panels */
    bool failed;       /* it has too many panels, or memory ran out while it was built */
    scene_panel spare; /* takes what is drawn then */
} scene;

/* All functions that add something set `failed` where memory runs out, or ran out for what they are given:
 * scene_status tells at the end. */

/* An empty panel. */
scene_panel *scene_add_panel(scene *s);

/* Adds a layer and takes the runs, leaving none behind; nothing where there are none. `style`: a name of the
 * table of styles, or one that was defined before. */
void scene_put(scene_panel *panel, scene_layer_kind kind, const char *style, outline *runs);

/* Points that were added, in one run. Takes them. */
void scene_put_points(scene_panel *panel, const char *style, outline *points);

/* Fills and hatches an area. Takes it. */
void scene_put_area(scene_panel *panel, const char *style, outline *area);

/* Marks the inside of a stable area whose boundary was put with this style: by its hatching, or by ticks.
 * Takes the runs. Where there is nothing to mark, a remark says whether nothing or all is stable. */
void scene_put_side(scene_panel *panel, const char *style, bool ticks, outline *area);

/* Keeps a copy of a text as long as the scene lives; of a buffer, which is freed. "" where memory is out. */
const char *scene_keep(scene *s, const char *shown);
const char *scene_keep_text(scene *s, text *shown);

/* Adds a text, whose words are kept, and takes what it owns. */
void scene_put_text(scene_panel *panel, const scene_text *item);

/* Names a place of the vertical axis. */
void scene_put_row(scene_panel *panel, double y, const char *name);

/* Words without a box behind them, as in scene_text. */
void scene_put_words(scene_panel *panel, double x, double y, int side, double size, const char *shown);

/* Adds a style, unless one of this name is there; name and legend are kept. Entries of styles that are not in
 * the table come behind those of it. */
void scene_define(scene *s, const scene_style *style);

/* A style that is defined, or taken from the table; NULL where `failed`. */
scene_style *scene_style_named(scene *s, const char *name);

/* Notes what a reader of the figure has to know of how it was drawn, such as what is cut; once. */
void scene_note(scene *s, const char *words);

/* Puts the style into the legend though nothing of it may be drawn. */
void scene_mention(scene *s, const char *style);

/* Mentions the style with what the panel does not show of it. */
void scene_remark_on(scene_panel *panel, const char *style, const char *words);

/* Appends all remarks to the names in the legend and to the notes, with the letters of the panels that they
 * are about unless these are all. For the end, when all panels are there. */
void scene_put_remarks(scene *s);

/* "(a)", by which captions call the i-th of several panels. Appended. */
void scene_panel_letter(int i, text *shown);

/* COSTAB_OK, or why the scene is not what was asked for. */
costab_status scene_status(const scene *s, const char *path, costab_error *error);

/* Shapes: a box; a line of two points; both as runs appended to `result`. */
void scene_box(outline *result, double x0, double y0, double x1, double y1);
void scene_line(outline *result, double x0, double y0, double x1, double y1);

/* The value at a place of an axis; the place of a value, NaN where it has none; how many digits tell values
 * in this range of places apart. */
double scene_value(const scene_axis *axis, double place);
double scene_place(const scene_axis *axis, double value);
int scene_digits(const scene_axis *axis, const double *range);

/* Extends a range of values to 0 where that is as near as a tenth of its size. */
void scene_take_zero(double *range);

/* What a panel shows, and whether it shows a place. */
outline_box scene_window(const scene_panel *panel);
bool scene_shows(const scene_panel *panel, double x, double y);

/* Frees what a panel holds. */
void scene_free_panel(scene_panel *panel);
void scene_free(scene *s);

/* Gives a style the dashes and widths of the k-th of several lines, so that they are told apart without
 * colours. `dashed`: none of them is a whole line. */
void scene_tell_apart(scene_style *style, int k, double width, bool dashed);

/* The styles that every figure can use (figure/styles.c). */
extern const scene_style scene_styles[];
extern const int scene_styles_count;
