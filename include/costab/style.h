/* costab/style.h - how a sweep is to be drawn: the key `figure` of a spec, the same for every system.
 *
 * It holds words and numbers as the spec gives them. costab_study_read checks that a kind of figure exists
 * and can be drawn from the sweep. */
#ifndef COSTAB_STYLE_H
#define COSTAB_STYLE_H

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COSTAB_WORD_MAX 64 /* bytes of a word of a file, with the NUL */

/* The place in a file where something was read. */
typedef struct costab_place {
    unsigned line, column; /* counted from 1; 0: it was not read from a file */
} costab_place;

/* A word of a file, such as a name. */
typedef struct costab_figure_word {
    char word[COSTAB_WORD_MAX]; /* the word; "": not given */
    costab_place place;
} costab_figure_word;

/* Yes or no; COSTAB_UNSAID: the key is absent. */
typedef enum costab_answer { COSTAB_UNSAID, COSTAB_NO, COSTAB_YES } costab_answer;

/* Colours of a figure. */
typedef enum costab_colours {
    COSTAB_COLOURS_COLOUR, /* Okabe and Ito's */
    COSTAB_COLOURS_GREY,   /* greys; lines and hatches are darker than the colours that they replace */
    COSTAB_COLOURS_BLACK,  /* greys, with black lines and hatches */
    COSTAB_COLOURS_COUNT
} costab_colours;

#define COSTAB_COLOURS_NAMES                                                                                 \
    { "colour", "grey", "black" }

#define COSTAB_KINDS_MAX  4  /* kinds in one figure */
#define COSTAB_PICKS_MAX  16 /* couplings or schemes that can be named, and values that can be selected */
#define COSTAB_LEVELS_MAX 12
#define COSTAB_NAMES_MAX  32 /* names that a figure shows in other words */

/* Where a figure's legend is. */
typedef enum costab_legend {
    COSTAB_LEGEND_CHOSEN, /* where it takes least; of one curve there is none */
    COSTAB_LEGEND_RIGHT,
    COSTAB_LEGEND_BELOW,
    COSTAB_LEGEND_INSIDE, /* in the corner of the first panel where it hides least */
    COSTAB_LEGEND_NONE,
    COSTAB_LEGEND_COUNT
} costab_legend;

/* Size, type and colours of a figure on paper, whatever it draws. */
typedef struct costab_style {
    double width_cm;            /* width of the whole figure; 0: the layout chooses it */
    double height_cm;           /* its height, likewise */
    int columns;                /* number of panels side by side; 0: chosen from the number of panels */
    char font[COSTAB_WORD_MAX]; /* the font's name; "": Helvetica, or the system's substitute */
    double font_size;           /* size of the type on paper, in pt; 0: 8 */
    int dpi;                    /* resolution of a PNG; 0: 300 */
    costab_colours colours;
    bool plain; /* true: no hatching */
    bool notes; /* true: notes for the reader are printed below the figure, too */
    costab_legend legend;
    char *title; /* the title; "": none; NULL: the sweep's title. The figure that the style belongs to owns it
                  */
} costab_style;

/* The range of an axis that a figure shows; a key gives it. */
typedef struct costab_figure_range {
    double from, to;            /* from < to; both are 0 if the range is not given */
    char axis[COSTAB_WORD_MAX]; /* the axis that the key names; "": the key x_range or y_range names none */
    costab_place place;
} costab_figure_range;

/* One value of an axis: of an axis with picks nothing else is drawn. */
typedef struct costab_figure_pick {
    costab_figure_word axis;
    costab_figure_word name; /* the value as given, for axes whose values are names, such as couplings */
    double value;            /* NaN if it is not a number */
} costab_figure_pick;

/* A name, and the words that a figure has in its place. */
typedef struct costab_figure_name {
    char name[COSTAB_WORD_MAX], words[COSTAB_WORD_MAX];
} costab_figure_name;

/* A user's file drawn over a figure: lines `x,y` or `x,y,label` below a line with these names. */
typedef struct costab_figure_file {
    char *name; /* the name as given; NULL: no file. The figure owns it */
    char *text; /* the file's contents. The figure owns them */
} costab_figure_file;

/* The key `figure`. With several kinds, every panel is drawn once per kind. */
typedef struct costab_figure {
    costab_style style;
    int kind_count; /* 0: the kind that suits the results */
    costab_figure_word kinds[COSTAB_KINDS_MAX];
    costab_figure_word of;     /* the field that is drawn */
    costab_figure_word panels; /* "none", "all", or the name of the axis whose values get a panel each */
    costab_figure_word x_axis, y_axis; /* the horizontal and the vertical axis */
    costab_figure_range x, y;
    char *x_label, *y_label; /* they replace the names of the axes; NULL: none. Owned */
    int name_count;
    costab_figure_name names[COSTAB_NAMES_MAX]; /* of couplings, schemes, parameters, signals */
    int pick_count;
    costab_figure_pick picks[COSTAB_PICKS_MAX];
    int coupling_count;                             /* number of couplings or schemes to be drawn; 0: all */
    costab_figure_word couplings[COSTAB_PICKS_MAX]; /* their names */
    int level_count;                  /* number of levels of contours; 0: the figure chooses them */
    double levels[COSTAB_LEVELS_MAX]; /* ascending; above 0 of radii and errors */
    costab_place levels_place;
    costab_figure_file points, lines;
    costab_answer us;  /* kind areas: A_US is drawn too */
    costab_answer fit; /* each panel shows only the ranges of x and y that its region needs */
    costab_place place;
} costab_figure;

/* A key of `figure` (docs/reference/keys.md) and its values: {"size", {"17cm", "8cm"}, 2}. Values of select
 * and names are NAME=VALUE, "k=2". */
typedef struct costab_figure_choice {
    const char *key;
    const char *const *values;
    size_t count;
    const char *called; /* in messages, such as "--size"; NULL: "figure, size" */
} costab_figure_choice;

/* "colour", "grey", "black"; NULL outside the range. */
COSTAB_API const char *costab_colours_name(costab_colours colours);

#ifdef __cplusplus
}
#endif
#endif
