/* figure/kinds.h - the kinds of figures, and what a figure asks for, compared with what the results have. */
#pragma once

#include "costab/store.h"
#include "figure/scene.h"
#include "store/request.h"

#define CURVES_PER_COUPLING 8 /* values of a second axis that are drawn as curves */

typedef struct figure_kind figure_kind;
struct chart;
struct plane;

/* A figure and the plan of the results that it is drawn from. */
typedef struct figure_request {
    const costab_figure *figure;
    const costab_plan *plan;
    const char *path; /* the spec's path, for messages */
    int kind_count;
    const figure_kind *kinds[COSTAB_KINDS_MAX];
    const char *of;                    /* the field that curves and contours draw */
    int picked_count[COSTAB_AXES_MAX]; /* number of selected values of each axis; 0: all values are drawn */
    size_t picked[COSTAB_AXES_MAX][COSTAB_PICKS_MAX]; /* their indices */
    int x, y;                      /* the numbers of the horizontal and the vertical axis; -1: none */
    double x_range[2], y_range[2]; /* the ranges of these that are shown */
    bool us, fit;
    /* Set for building the scene only: */
    const costab_results *results;
    const store_request *stored;
} figure_request;

/* A kind of figure: one row of the table. */
struct figure_kind {
    const char *name;
    const char *fields[2]; /* of the results that it needs, */
    const char *without;   /* and what is said of it where they are missing */
    int wide;              /* how many axes of several numbers it needs, */
    const char *narrow;    /* and what is said where there are fewer; NULL: just that */
    const char *caption;   /* what captions say where a figure has several kinds; NULL: nothing */
    int along;     /* how many of the swept axes a panel has; 0: its axes are not swept ones, or are fixed */
    bool overlaid; /* all values of the first axis are drawn in one panel */
    bool alone;    /* the kind cannot share a figure with other kinds */
    bool of;       /* the user chooses the field that it draws */
    bool levels;   /* the user chooses the levels that it draws */
    bool window;   /* with `along` 0: the user chooses the ranges of its axes */
    /* With `along` 0: the axes with one panel per value, as bits 1 << number. NULL: the first one where it
     * has a `panel`, else none. */
    unsigned (*slices)(const figure_request *request);
    /* Why the results cannot be drawn so, whatever they have of the above; NULL if they can. NULL: they can.
     */
    const char *(*fault)(const figure_request *request);
    /* One of these draws it: adds its panels to the scene; or fills a panel with what is at these indices, or
     * a panel of a chart, or of a plane of classes. */
    costab_status (*build)(const figure_request *request, scene *s, costab_error *error);
    costab_status (*panel)(const figure_request *request, scene_panel *panel, const size_t *at,
                           costab_error *error);
    costab_status (*chart)(struct chart *c, costab_error *error);
    void (*plane)(struct plane *w);
};

/* The k-th kind of the results with this first axis; NULL outside the range. Results for which no kind was
 * asked get the first that suits them. */
const figure_kind *figure_kind_over(const char *axis, int k);

/* Compares a figure with a plan. A figure without kinds gets the kind that suits the plan, if there is one.
 * COSTAB_INVALID with everything that the plan does not allow. */
costab_status figure_request_make(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  figure_request *request, costab_error *error);

/* Whether the results have what each of the figure's kinds draws. */
bool figure_kinds_fit(const costab_figure *figure, const costab_plan *plan);

/* A parameter, signal or axis as the figure shows it: the words that the figure has for it, else its name as
 * mathematics writes it. A coupling or method likewise; of `T_d=0.1` the quantity. Appended. */
void figure_name(const figure_request *request, const char *name, text *shown);
void figure_choice(const figure_request *request, const char *name, text *shown);

/* Of a parameter or signal its name with its unit in parentheses, where the model gives one. */
const char *figure_label(const figure_request *request, scene *s, const char *name);

/* The text at an axis: the label from the spec, the name (NULL: that of the plan, by names_name) and the
 * unit.
 */
const char *figure_axis_label(const figure_request *request, scene *s, int number, const char *name);

/* Makes a panel one of `count` rows of so many cm, the first on top: the k-th from below begins at k. */
void figure_rows(scene_panel *panel, size_t count, double height_cm);

/* The complex plane up to a modulus, or what is asked for (kind_map.c). */
void figure_plane(const figure_request *request, scene_panel *panel, double most);
/* The unit circle, its inside and the axes through 0 (kind_map.c). */
void figure_circle(scene_panel *panel);

/* ---- panels.c: what the results have, for the kinds */

/* The number of values of an axis; 0 where there is none of this name. */
size_t figure_values(const figure_request *request, const char *axis);

/* Whether there is an axis of this name, and its values are words. */
bool figure_has_words(const figure_request *request, const char *axis);

bool figure_has_field(const figure_request *request, const char *field);

/* ---- Panels: one for each value of the axes that are not drawn in one */

/* The axes of a kind that have one panel per value, as bits 1 << number in the plan. */
unsigned figure_sliced(const figure_request *request, const figure_kind *kind);

/* Whether nothing is drawn of the i-th value of an axis, because others were selected. */
bool figure_leaves_out(const figure_request *request, int axis, size_t i);

/* The number of values of an axis that are drawn. */
size_t figure_drawn(const figure_request *request, int axis);

/* The range that was asked for, if any, in place of the kind's own. */
void figure_ask_range(const costab_figure_range *asked, double *range);

/* The indices of the first panel, and of the next one, the last axis fastest; false behind the last one. */
void figure_first_panel(const figure_request *request, size_t *at);
bool figure_next_panel(const figure_request *request, unsigned sliced, size_t *at);

/* Adds the panels of a kind that fills them one by one. */
costab_status figure_panels(const figure_request *request, scene *s, const figure_kind *kind,
                            costab_error *error);

/* A panel of a kind at these indices, with its caption: of its values, and of its kind where the figure has
 * several. */
scene_panel *figure_panel(const figure_request *request, scene *s, const figure_kind *kind, const size_t *at);

/* What a caption says of values along these axes. Appended. */
void figure_values_text(const figure_request *request, unsigned axes, const size_t *at, text *caption);

/* ---- The kinds, each in a file of its own */

extern const figure_kind kind_jury, kind_regions, kind_planar_classes, kind_planar_comparison, kind_areas,
    kind_planar_time, kind_classes, kind_contour, kind_comparison, kind_curve, kind_map, kind_time,
    kind_tornado, kind_pattern, kind_limit, kind_best, kind_locus;
