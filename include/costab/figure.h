/* costab/figure.h - figures: a gnuplot script and its data from a results file.
 *
 * The script draws from the data file in its folder (relative name) and nothing else, so that both can be
 * kept, edited and run again: gnuplot -e "FMT='png'" NAME.gp */
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
    const char *folder;  /* an existing folder, which the figure's files are written to */
    const char *name;    /* the files' name without ending: NAME.gp, NAME.dat, NAME.pdf, ... */
    const char *formats; /* formats, separated by commas, such as "pdf,png"; NULL: pdf */
    bool script_only;    /* writes script and data, and does not run gnuplot */
    bool force;          /* replaces files that costab did not write, or that were edited since */
    /* Asked ten times a second while gnuplot draws: true ends it and costab_plot. NULL: never. */
    bool (*stop)(void *context);
    void *context;
    const costab_figure_choice *choices; /* they replace those that the sweep stored */
    size_t choice_count;
} costab_plot_options;

/* Results of costab_plot. */
typedef struct costab_plot_outcome {
    bool gnuplot_missing; /* gnuplot was not found: script and data were written, but no figure was drawn */
    char replaced[64];    /* kinds of the figure that was replaced, if they are others; "": none */
    char notes[2048];     /* what a reader of the figure has to know, such as what is cut; "": nothing */
} costab_plot_outcome;

/* With the format tex a LaTeX document has to \input NAME.tex, which reads NAME-inc.tex and NAME-inc.pdf;
 * NAME.pdf stays free for the format pdf.
 *
 * Draws the figure that the sweep stored the request of (else of the kind that suits the results): of the
 * planar system, or of a network (the spectral radius as curves or contours, the classes; level 1 goes
 * through the places that the sweep stored). Files appear whole or not at all. COSTAB_INVALID where the
 * results cannot be drawn that way; COSTAB_IO where writing or gnuplot fails. */
COSTAB_API costab_status costab_plot(const costab_results *results, const costab_plot_options *options,
                                     costab_plot_outcome *outcome, costab_error *error);

/* ---- Lines of a swept network */

/* A polyline on which a field is at its limit. */
typedef struct costab_level {
    size_t at[COSTAB_AXES_MAX]; /* the index along each axis of the plan but x and y */
    bool closed;                /* the last point leads to the first, which is not repeated */
    size_t count;
    double *x, *y; /* values of the two axes, `count` each */
} costab_level;

typedef struct costab_levels {
    int x, y; /* the numbers of the two axes in the plan, x first in it */
    size_t count, capacity;
    costab_level *lines; /* coupling by coupling */
} costab_levels;

/* Finds the lines where a field of a network's sweep over two axes of several values is at its limit: 1 for
 * the radii, 1/2 for the probability, 0 for others. NULL stands for spectral_radius, whose level 1 bounds the
 * stability of a co-simulation that does not iterate. On the edges of the grid the lines go through the
 * places that the sweep found (true to 1e-12 relative), else, as where the radius jumps over 1, through
 * interpolated ones; between edges they are straight, and what is narrower than a cell of the grid is not
 * seen. Of more than two axes of several values the first two count, and there are lines for every value of
 * the others. [out] levels: free with costab_levels_free, also after an error. COSTAB_INVALID where the
 * results have no such field over two axes. */
COSTAB_API costab_status costab_levels_find(const costab_results *results, const char *field,
                                            costab_levels *levels, costab_error *error);
COSTAB_API void costab_levels_free(costab_levels *levels);

#ifdef __cplusplus
}
#endif
#endif
