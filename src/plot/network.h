/* plot/network.h - figures of network sweeps: fields against one axis, the spectral radius and the classes
 * over two. */
#ifndef PLOT_NETWORK_H
#define PLOT_NETWORK_H

#include "base/text.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "plot/hatch.h"
#include "plot/kinds.h"
#include "plot/network_cells.h"

/* Script and data of the figure that a network's spec asks for. `name`: of the files, without ending. */
costab_status network_figure_make(const costab_results *results, const costab_spec *spec, const char *name,
                                  text *script, text *data, costab_error *error);

/* ---- Between its own files */

typedef enum network_kind { NETWORK_CLASSES, NETWORK_CONTOUR, NETWORK_CURVE } network_kind;

/* An axis along which is drawn. A place is the value, or its logarithm to base 10. */
typedef struct network_axis {
    int number; /* in the plan */
    size_t count;
    const double *values;
    double *places;
    bool log;
} network_axis;

/* What a curve or a contour can be of. */
typedef struct network_quantity {
    const char *shown, *tex;
    const char *symbol, *symbol_tex; /* of contours */
    const char *reference;           /* a line across the panel; NULL: none */
    double at;
    bool decades; /* over a logarithmic axis where the values allow it */
} network_quantity;

/* A radius, and the places of its level 1 as plan and study have them: for each point, on the edge to the
 * next along x or y, NaN where there is none. NULL: not stored. */
typedef struct network_radius {
    double *values, *one_x, *one_y;
} network_radius;

/* What is stored for one coupling along x, or over x and y (y fastest). NULL: not stored. */
typedef struct network_grid {
    size_t nx, ny; /* ny is 1 for a curve */
    uint8_t *codes;
    double *abscissa;
    network_radius radius, iteration;
    double *drawn, *bound; /* of a curve: the field that it is of, its crossings those of `radius`; and the
                              bound beside an error */
} network_grid;

typedef enum network_sample { NETWORK_AREA, NETWORK_LINE } network_sample;

/* One entry of the legend: its key is the word of colours and dashes. */
typedef struct network_entry {
    char key[16];
    network_sample sample;
    char *shown, *shown_tex; /* owned */
} network_entry;

typedef struct network_panel {
    network_kind kind;
    int coupling; /* -1: all */
    text caption, caption_tex;
    text fills, hatches, curves, points, labels; /* words of the blocks that were written */
} network_panel;

#define NETWORK_PANELS_MAX 64
#define NETWORK_LEVELS_MAX CELL_CUTS_MAX

typedef struct network_figure {
    const costab_results *results;
    const costab_spec *spec;
    const char *name;
    int kind_count;
    network_kind kinds[COSTAB_KINDS_MAX];
    int of; /* the field that is drawn: the number of its flag */
    /* Of curves over a second axis each coupling comes once for each of its values. */
    int coupling_count;
    char *const *couplings;
    int second; /* that axis in the plan; 0: none */
    size_t second_count;
    text *labels; /* what `couplings` shows then */
    char **label_words;
    network_axis x, y; /* y.count is 0 for a curve */
    network_grid *grids;
    int level_count, level_one; /* of contours, ascending; which of them is 1 */
    double levels[NETWORK_LEVELS_MAX];
    int panel_count;
    network_panel panels[NETWORK_PANELS_MAX + 1]; /* the one after the last is the legend */
    hatch_frame frame;                            /* of every panel, in places */
    double width, height, left, right, top, bottom, gap_x, gap_y;
    int columns, rows;
    bool classes_used[4]; /* in some panel */
    int entry_count, entry_columns;
    double entry_left, entry_step;
    network_entry *entries;
    double bar_bottom; /* of the colours of contours; 0: none */
    text ticks[2];     /* arguments of `set xtics`, `set ytics` */
    text data;
} network_figure;

double network_value(const network_axis *axis, double place);

/* Reads what the figure draws and what kinds of axes it is over. Sets couplings, x, y, grids. */
costab_status network_read(network_figure *f, costab_error *error);

/* Chooses the levels of contours from the stored radii. */
costab_status network_choose_levels(network_figure *f, costab_error *error);

/* The radius that contours are of. */
const network_radius *network_contoured(const network_figure *f, const network_grid *grid);

/* Whether a coupling has any value of what is drawn: those that do not iterate have no iteration radius. */
bool network_has_values(const network_figure *f, int coupling, network_kind kind);

/* The field that the curves or contours are of. */
const network_quantity *network_drawn(const network_figure *f);

/* Whether the curves go over decades. */
bool network_curve_log(const network_figure *f);

/* What the vertical axis of a curve shows, in places. */
void network_curve_range(const network_figure *f, double *range);

/* Whether the numbers along an axis are powers of 10 only: far from 1, and over two of them at least. */
bool network_powers(const network_axis *axis, const double *range);

/* Sizes, the frame, ticks; needs the entries of the legend. */
costab_status network_lay_out(network_figure *f, costab_error *error);

/* The i-th entry of the legend: its lower left corner. */
void network_entry_place(const network_figure *f, int i, double *x, double *y);

/* Writes the data for the layout. Sets the panels' words. */
costab_status network_draw(network_figure *f, costab_error *error);

/* The panels' blocks. `number` is the panel's, from 1. */
costab_status network_draw_curve(network_figure *f, int number, costab_error *error);
costab_status network_draw_contour(network_figure *f, int number, costab_error *error);
costab_status network_draw_classes(network_figure *f, int number, costab_error *error);

/* Blocks: a heading, the rows, two empty lines; the word goes into the list. Loops and lines have places for
 * coordinates, what is written are values. */
void network_block(network_figure *f, int number, const char *layer, text *words, const char *word,
                   const char *what);
void network_put_runs(network_figure *f, const outline *runs, const char *layer, int number, text *words,
                      const char *word, const char *what);
void network_end_block(network_figure *f);
void network_put_point(network_figure *f, double x, double y);

/* Letters that the i-th panel's caption shows. */
int network_caption_length(const network_figure *f, int i);

void network_script(const network_figure *f, text *script);

/* The colour of the band below the level of this number, or above the last: "#rrggbb". */
void network_band_colour(const network_figure *f, int band, char colour[8]);

#endif
