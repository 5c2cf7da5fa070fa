/* plot/kinds.h - the kinds of figures, and what a figure asks for once it is held against the results. */
#ifndef PLOT_KINDS_H
#define PLOT_KINDS_H

#include "costab/spec.h"
#include "costab/sweep.h"

#define CURVES_PER_COUPLING 8 /* values of a second axis that are drawn as curves */

typedef enum figure_panels { PANELS_NONE, PANELS_A, PANELS_SCHEME, PANELS_ALL } figure_panels;

typedef struct figure_kind figure_kind;

/* A figure and the plan of the results that it is to be drawn from. */
typedef struct figure_request {
    const costab_figure *figure;
    const costab_plan *plan;
    const char *path; /* of the spec, for messages */
    int kind_count;
    const figure_kind *kinds[COSTAB_KINDS_MAX];
    const char *of;       /* the field that curves and contours draw */
    figure_panels panels; /* of planar charts */
    double x[2], y[2];    /* of planar charts: what is shown of gamma and delta */
    bool us, fit;
} figure_request;

/* A kind of figure: one row of the table. */
struct figure_kind {
    const char *name;
    const char *over; /* the first axis of the results that it draws */
    bool alone;       /* not in one figure with other kinds */
    bool of;          /* draws a field of one's choice */
    /* Why the results cannot be drawn so; NULL where they can. */
    const char *(*fault)(const figure_request *request);
};

/* Whether a kind is one of the request's. */
bool figure_request_has(const figure_request *request, const char *name);

/* Holds a figure against a plan. COSTAB_INVALID with all that does not go together. */
costab_status figure_request_make(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  figure_request *request, costab_error *error);

#endif
