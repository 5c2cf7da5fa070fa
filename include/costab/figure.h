/* costab/figure.h - figures: a gnuplot script and its data from a results file.
 *
 * The script needs only the data file in its folder. Users can keep both files, edit them and draw again:
 * gnuplot -e "FMT='png'" NAME.gp */
#ifndef COSTAB_FIGURE_H
#define COSTAB_FIGURE_H

#include "costab/store.h"
#include "costab/style.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the i-th kind of figure: "regions", "curve", ...; NULL outside the range. */
COSTAB_API const char *costab_figure_kind_name(int i);

/* The name of the i-th output format: "pdf", "png", ...; NULL outside the range. */
COSTAB_API const char *costab_format_name(int i);

typedef struct costab_plot_options {
    const char *folder;  /* an existing folder for the figure's files */
    const char *name;    /* the files' name without ending: NAME.gp, NAME.dat, NAME.pdf, ... */
    const char *formats; /* formats, separated by commas, such as "pdf,png"; NULL: pdf */
    bool script_only;    /* writes script and data without running gnuplot */
    bool force;          /* also replaces files that costab did not write, or that were edited since */
    /* Called ten times a second while gnuplot draws; returning true ends gnuplot and costab_plot. May be
     * NULL. */
    bool (*stop)(void *context);
    void *context;
    const costab_figure_choice *choices; /* replace those stored with the sweep */
    size_t choice_count;
} costab_plot_options;

/* Results of costab_plot. */
typedef struct costab_plot_outcome {
    bool gnuplot_missing; /* gnuplot was not found: script and data were written, but no figure was drawn */
    char replaced[64];    /* kinds of the replaced figure, if they differ; "": none */
    char notes[2048];     /* notes for readers of the figure, such as cut parts; "": none */
} costab_plot_outcome;

/* Draws the figure whose request is stored with the results, otherwise a kind that suits them. Files appear
 * complete or not at all. With the format tex, a LaTeX document uses \input NAME.tex, which reads
 * NAME-inc.tex and NAME-inc.pdf; NAME.pdf belongs to the format pdf. COSTAB_INVALID if the figure cannot be
 * drawn from the results; COSTAB_IO if writing or gnuplot fails. */
COSTAB_API costab_status costab_plot(const costab_results *results, const costab_plot_options *options,
                                     costab_plot_outcome *outcome, costab_error *error);

/* ---- Lines of a swept network */

/* A polyline on which a field is at its limit. */
typedef struct costab_level {
    size_t at[COSTAB_AXES_MAX]; /* index along each axis of the plan except x and y */
    bool closed;                /* the line continues from the last point to the first */
    size_t count;
    double *x, *y; /* values of the two axes, `count` each */
} costab_level;

typedef struct costab_levels {
    int x, y; /* indices of the two axes in the plan, x < y */
    size_t count, capacity;
    costab_level *lines; /* sorted by coupling */
} costab_levels;

/* Finds the lines on which a field of a network's sweep is at its limit: 1 for radii, 1/2 for the
 * probability, 0 for others. A NULL field means spectral_radius, whose level 1 bounds the stability of a
 * co-simulation that does not iterate. The plane is that of the first two axes with several values; there are
 * lines for every value of the other axes. On edges of the grid, lines use the crossings stored by the sweep
 * (to 1e-12 relative), otherwise interpolated ones, for example if the radius jumps over 1. Between edges
 * they are straight. Limitation: regions narrower than a cell of the grid are missed. [out] levels: free with
 * costab_levels_free, also after an error. COSTAB_INVALID if the results have no such field over two axes. */
COSTAB_API costab_status costab_levels_find(const costab_results *results, const char *field,
                                            costab_levels *levels, costab_error *error);
COSTAB_API void costab_levels_free(costab_levels *levels);

#ifdef __cplusplus
}
#endif
#endif
