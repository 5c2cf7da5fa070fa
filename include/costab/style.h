/* costab/style.h - how a sweep is to be drawn: the key `figure` of a spec, the same for every system.
 *
 * Here stand words and numbers as the spec has them. Whether a kind of figure exists and goes with the sweep
 * is for costab_figure_check (costab/figure.h) to say. */
#ifndef COSTAB_STYLE_H
#define COSTAB_STYLE_H

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Colours of a figure. */
typedef enum costab_colours {
    COSTAB_COLOURS_COLOUR, /* Okabe and Ito's */
    COSTAB_COLOURS_GREY,   /* greys; lines and hatches are darker than the colours were */
    COSTAB_COLOURS_BLACK,  /* greys, with black lines and hatches */
    COSTAB_COLOURS_COUNT
} costab_colours;

#define COSTAB_WORD_MAX   64 /* bytes of a font's name or of a word of `figure`, with the NUL */
#define COSTAB_KINDS_MAX  4  /* kinds in one figure */
#define COSTAB_PICKS_MAX  16 /* couplings or schemes that are named; values that are selected */
#define COSTAB_LEVELS_MAX 12

/* How a figure looks on paper, whatever it draws. */
typedef struct costab_style {
    double width_cm;            /* of the whole figure; 0: chosen by the layout */
    double height_cm;           /* likewise */
    int columns;                /* panels side by side; 0: chosen from their number */
    char font[COSTAB_WORD_MAX]; /* "": Helvetica, or what the system has in its place */
    double font_size;           /* pt on paper; 0: 8 */
    int dpi;                    /* of a PNG; 0: 300 */
    costab_colours colours;
    bool plain;  /* without hatching */
    char *title; /* "": none; NULL: the sweep's. Owned by the figure that the style belongs to */
} costab_style;

/* Where something stands in its spec. */
typedef struct costab_place {
    unsigned line, column; /* from 1; 0 where it does not stand in a file */
} costab_place;

typedef struct costab_figure_word {
    char word[COSTAB_WORD_MAX]; /* "": not given */
    costab_place place;
} costab_figure_word;

/* The range of an axis that a figure shows. */
typedef struct costab_figure_range {
    double from, to;            /* from < to; both 0 where the range is not given */
    char axis[COSTAB_WORD_MAX]; /* the axis that was named with it; "": x or y, whatever is drawn along it */
    costab_place place;
} costab_figure_range;

typedef enum costab_answer { COSTAB_UNSAID, COSTAB_NO, COSTAB_YES } costab_answer;

/* A value of an axis that alone is drawn. */
typedef struct costab_figure_pick {
    costab_figure_word axis;
    costab_figure_word name; /* the value as given, for axes whose values are names, such as couplings */
    double value;            /* NaN where it is no number */
} costab_figure_pick;

/* A file of a user's own that is drawn over a figure: lines `x,y` or `x,y,label` below a head with these
 * names. */
typedef struct costab_figure_file {
    char *name; /* as given; NULL: none. Owned by the figure */
    char *text; /* what it holds. Owned by the figure */
} costab_figure_file;

/* The key `figure`. With several kinds every panel is drawn once for each. */
typedef struct costab_figure {
    costab_style style;
    int kind_count; /* 0: the spec has no figure */
    costab_figure_word kinds[COSTAB_KINDS_MAX];
    costab_figure_word of;     /* the field that is drawn */
    costab_figure_word panels; /* "none", "all", or the axis that has a panel for each of its values */
    costab_figure_word x_axis, y_axis; /* along which is drawn */
    costab_figure_range x, y;
    char *x_label, *y_label; /* in place of the axes' names; NULL: none. Owned */
    int pick_count;
    costab_figure_pick picks[COSTAB_PICKS_MAX];
    int coupling_count;                             /* 0: all are drawn */
    costab_figure_word couplings[COSTAB_PICKS_MAX]; /* or schemes */
    int level_count;                                /* 0: the levels of contours are chosen */
    double levels[COSTAB_LEVELS_MAX];               /* positive, ascending */
    costab_place levels_place;
    costab_figure_file points, lines;
    costab_answer us;  /* areas: A_US is drawn beside A_SS */
    costab_answer fit; /* each panel shows only what its region needs of x and y */
    costab_place place;
} costab_figure;

/* Lays other choices over a figure: `mapping` is YAML with keys of `figure`, such as
 * "{size: [17cm, 8cm], colours: grey}". Files that it names are read. COSTAB_INVALID with all mistakes,
 * without places, COSTAB_IO where a file cannot be read; the figure is then only good for being cleared. */
COSTAB_API costab_status costab_figure_overlay(costab_figure *figure, const char *mapping,
                                               costab_error *error);

/* Frees what a figure owns and makes it one without kinds. */
COSTAB_API void costab_figure_clear(costab_figure *figure);

/* "colour", "grey", "black"; NULL outside the range. */
COSTAB_API const char *costab_colours_name(costab_colours colours);

#ifdef __cplusplus
}
#endif
#endif
