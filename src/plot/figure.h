/* plot/figure.h - a figure while it is made: its panels, what is drawn in them, and the layout on paper. */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include "base/text.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "plot/hatch.h"
#include "plot/kinds.h"
#include "plot/outline.h"

/* What can be drawn, in the order in which it is drawn. Data blocks, colours and dashes go by its name. */
typedef enum figure_key {
    KEY_QUADRANT, /* where the continuous system is stable */
    KEY_UU,
    KEY_SU,
    KEY_SS,
    KEY_US,
    KEY_AXES,
    KEY_FRAME,      /* around a sample of the legend */
    KEY_EDGE,       /* boundary of the stable set, whatever the cause */
    KEY_DET_BEYOND, /* the rest of the zero sets, where they bound nothing */
    KEY_FOLD_BEYOND,
    KEY_FLIP_BEYOND,
    KEY_ITERATION_BEYOND,
    KEY_ISOLATED, /* points of the zero sets that belong to no curve */
    KEY_DET,
    KEY_FOLD,
    KEY_FLIP,
    KEY_ITERATION,
    KEY_SIMULATION,
    KEY_CROSS,
    KEY_ZIGZAG,
    KEY_STRONG,
    KEY_INFINITE_SIMULATION, /* where an area is infinite: a band, and a bar along the top */
    KEY_INFINITE_CROSS,
    KEY_INFINITE_ZIGZAG,
    KEY_INFINITE_STRONG,
    KEY_SHELF, /* above it there are no numbers, but infinity */
    KEY_JUMP,  /* where an area jumps, or grows without bound */
    KEY_AREA_US_SIMULATION,
    KEY_AREA_US_CROSS,
    KEY_AREA_US_ZIGZAG,
    KEY_AREA_US_STRONG,
    KEY_AREA_SIMULATION,
    KEY_AREA_CROSS,
    KEY_AREA_ZIGZAG,
    KEY_AREA_STRONG,
    KEY_EXACT, /* the continuous system's solution */
    KEY_STEPS_SIMULATION,
    KEY_STEPS_CROSS,
    KEY_STEPS_ZIGZAG,
    KEY_STEPS_STRONG,
    KEY_COUNT
} figure_key;

/* How the legend shows a key. */
typedef enum figure_sample {
    SAMPLE_NONE,
    SAMPLE_AREA,   /* a framed swatch */
    SAMPLE_REGION, /* a swatch in the key's own outline */
    SAMPLE_LINE,
    SAMPLE_POINT,
    SAMPLE_STEPS /* points on a line */
} figure_sample;

typedef struct figure_key_info {
    const char *name;
    const char *words; /* what it is, for the data file */
    figure_sample sample;
    const char *legend, *legend_tex; /* gnuplot's mark-up, LaTeX's */
    int hatches;                     /* number of hatch patterns */
    hatch_pattern hatch[2];
} figure_key_info;

extern const figure_key_info figure_keys[KEY_COUNT];

/* What the legend explains, in its order: the keys with a sample. */
#define FIGURE_LEGEND_KEYS 27
extern const figure_key figure_legend_order[FIGURE_LEGEND_KEYS];

typedef enum panel_kind {
    PANEL_QUADRANT,
    PANEL_TRIANGLE,
    PANEL_REGIONS,
    PANEL_CLASSES,
    PANEL_COMPARISON,
    PANEL_AREAS,
    PANEL_TIME
} panel_kind;

/* One panel. Schemes, the value of a and the case of a time history are indices into the spec; scheme is -1
 * for all of them. Axes other than gamma and delta go by these names too: what is along the panel is gamma.
 */
typedef struct figure_panel {
    panel_kind kind;
    int scheme;
    size_t a, history;
    bool magnified; /* areas: the small ones */
    hatch_frame frame;
    double gamma_step, delta_step;                                /* from tick to tick */
    text caption, caption_tex;                                    /* gnuplot's mark-up, LaTeX's */
    bool fills[KEY_COUNT], hatches[KEY_COUNT], curves[KEY_COUNT]; /* the blocks that were written */
    bool points[KEY_COUNT], labels;
} figure_panel;

/* A text in a panel, centred on a place of its plane. */
typedef struct figure_note {
    int panel;
    double x, y;
    char shown[96], shown_tex[96];
} figure_note;

#define FIGURE_NOTES_MAX 64

/* Lengths in cm. Panels fill rows from the left; the legend is a strip along the bottom. */
typedef struct figure_layout {
    double width, height, left, right, top, bottom, gap_x, gap_y, legend_height;
    int columns, rows;
    bool shared; /* all panels show one window: numbers on the outer axes only */
    int legend_columns;
    double legend_left, legend_step; /* from one entry to the next */
} figure_layout;

#define FIGURE_PANELS_MAX 64

typedef struct figure {
    const costab_spec *spec;
    const costab_results *results;
    figure_request wanted;
    struct area_figure *areas;   /* of kind `areas`, else NULL */
    struct time_figure *history; /* of kind `time`, else NULL */
    const char *name;            /* of the files, without ending */
    const char *source;          /* program and version that computed the results */
    int panel_count;
    figure_panel *panels;
    figure_panel legend; /* drawn as one more panel: the whole figure, in cm */
    figure_layout layout;
    bool used[KEY_COUNT]; /* in the legend */
    int note_count;
    figure_note notes[FIGURE_NOTES_MAX];
    text data; /* of the data file */
} figure;

/* The legend's text of a key. */
const char *figure_legend(const figure *f, figure_key key, bool tex);

/* Decides what the panels are; figure->spec and figure->results are set. */
costab_status figure_arrange(figure *f, costab_error *error);

/* Frees what the figure owns, and clears it. */
void figure_free(figure *f);

/* Decides sizes, and from them every panel's frame. The legend has what figure->used says. */
costab_status figure_lay_out(figure *f, costab_error *error);

/* Size of a swatch of the legend, and of a line of it. */
#define LEGEND_SWATCH_WIDTH  0.75
#define LEGEND_SWATCH_HEIGHT 0.28
#define LEGEND_LINE          0.42

/* Where the i-th of `count` entries of the legend has its lower left corner, in cm from the figure's. */
void figure_legend_place(const figure_layout *layout, int i, double *x, double *y);

/* Computes the geometry for the layout and writes it into figure->data; sets what the panels hold, and
 * figure->used. */
costab_status figure_draw(figure *f, costab_error *error);

/* Traces the stable sets that a panel shows, inside a box. */
costab_status figure_stable_sets(const costab_spec *spec, const figure_panel *panel, const outline_box *box,
                                 outline *sets, costab_error *error);

/* Writes the script: the figure's own knobs, then the template. */
costab_status figure_script(const figure *f, text *script, costab_error *error);

#endif
