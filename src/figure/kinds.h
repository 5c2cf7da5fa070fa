/* figure/kinds.h - the kinds of figures, and the request that they draw from. */
#pragma once

#include "costab/store.h"
#include "figure/scene.h"
#include "store/request.h"

#define CURVES_PER_COUPLING 8 /* values of a second axis that are drawn as curves */

enum { FIGURE_PLANAR = 1, FIGURE_NETWORK = 2 };

typedef struct figure_kind figure_kind;

/* A figure with the plan of the results that it is drawn from. */
typedef struct figure_request {
    const costab_figure *figure;
    const costab_plan *plan;
    const char *path; /* the spec's path, for messages */
    int kind_count;
    const figure_kind *kinds[COSTAB_KINDS_MAX];
    const char *of;                    /* the field that curves and contours draw */
    int picked_count[COSTAB_AXES_MAX]; /* number of selected values of each axis; 0: all values are drawn */
    size_t picked[COSTAB_AXES_MAX][COSTAB_PICKS_MAX]; /* their indices */
    int x, y;                                         /* numbers of the drawn axes; -1: none */
    double x_range[2], y_range[2];                    /* shown of these axes */
    bool us, fit; /* areas of the class US as well; the window is narrowed to the stable sets */
    /* Set while the scene is built: */
    const costab_results *results;
    const store_request *stored;
} figure_request;

/* A kind of figure: one row of the table. */
struct figure_kind {
    const char *name;
    unsigned systems;      /* FIGURE_ flags of what it can draw */
    const char *fields[2]; /* required fields of the results */
    const char *without;   /* message if they are missing, after the kind's name */
    int wide;              /* required number of axes with several numbers */
    const char *narrow;    /* message if there are fewer; NULL: the default */
    const char *caption;   /* in captions of figures with several kinds; NULL: none */
    int along;             /* number of swept axes of a panel; 0: the axes of a panel are not swept axes */
    bool overlaid;         /* all values of the first axis are drawn in one panel */
    bool alone;            /* the kind cannot share a figure with other kinds */
    bool of;               /* the user chooses the field that it draws */
    bool levels;           /* the user chooses its levels */
    bool window;           /* with `along` 0: the user chooses the ranges of its axes */
    /* With `along` 0: the axes with one panel for each value, as bits 1 << number. NULL: the first axis of a
     * kind with `panel`. */
    unsigned (*panel_axes)(const figure_request *request);
    /* Returns the reason why the results cannot be drawn, NULL if they can. */
    const char *(*fault)(const figure_request *request);
    /* Adds the panels to the scene; or (`panel`) fills the panel of these indices. */
    costab_status (*build)(const figure_request *request, scene *s, costab_error *error);
    costab_status (*panel)(const figure_request *request, scene_panel *panel, const size_t *at,
                           costab_error *error);
};

/* Returns the k-th kind that can draw results whose first axis is `axis`, which is scheme (planar) or
 * coupling (networks); NULL after the last. */
const figure_kind *figure_kind_over(const char *axis, int k);

/* Compares a figure with a plan. A figure without kinds gets the first kind that suits the plan.
 * COSTAB_INVALID with what the plan does not allow: the mistakes of the first of several checks that has one.
 */
costab_status figure_request_make(const costab_figure *figure, const costab_plan *plan, const char *path,
                                  figure_request *request, costab_error *error);

/* Returns true if the results have the fields and axes of all the figure's kinds. */
bool figure_kinds_fit(const costab_figure *figure, const costab_plan *plan);

/* ---- panels.c: the results */

/* Returns the number of values of an axis; 0 without an axis of this name. */
size_t figure_value_count(const figure_request *request, const char *axis);

/* Return true if there is an axis of this name whose values are words, and if there is a field of this name.
 */
bool figure_has_words(const figure_request *request, const char *axis);
bool figure_has_field(const figure_request *request, const char *field);

/* ---- panels.c: panels */

/* Returns true for results of the planar system, false for networks. */
bool figure_is_planar(const figure_request *request);

/* Returns the axes of a kind that have one panel for each value, as bits 1 << number. */
unsigned figure_panel_axes(const figure_request *request, const figure_kind *kind);

/* Return true if the i-th value of an axis is left out, because others were selected, and the number of drawn
 * values. */
bool figure_leaves_out(const figure_request *request, int axis, size_t i);
size_t figure_drawn(const figure_request *request, int axis);

/* Set the indices of the first panel, and of the next panel, the last axis fastest. Returns false after the
 * last. panel_axes: from figure_panel_axes. */
void figure_first_panel(const figure_request *request, size_t *at);
bool figure_next_panel(const figure_request *request, unsigned panel_axes, size_t *at);

/* Adds the panel at the indices `at` of the axes, with its caption: its values, and in figures of several
 * kinds the kind. */
scene_panel *figure_panel(const figure_request *request, scene *s, const figure_kind *kind, const size_t *at);

/* Gives a panel a vertical axis of `count` rows of this height; the k-th row from below starts at k. */
void figure_rows(scene_panel *panel, size_t count, double height_cm);

/* Replaces a range by the user's, if there is one. */
void figure_apply_range(const costab_figure_range *chosen, double *range);

/* ---- panels.c: names. A shown name is the figure's word for it; otherwise its label in the model; otherwise
 * the name itself. */

/* Append the name of a parameter or signal, and of a coupling, in which `T_d=0.1` is the value of a quantity.
 */
void figure_name(const figure_request *request, const char *name, text *shown);
void figure_choice(const figure_request *request, const char *name, text *shown);

/* Appends the values along these axes, for captions. */
void figure_values_text(const figure_request *request, unsigned axes, const size_t *at, text *caption);

/* Return the text at an axis (label, symbol and unit) of a parameter or signal, and of an axis of the plan.
 */
const char *figure_label(const figure_request *request, scene *s, const char *name);
const char *figure_axis_label(const figure_request *request, scene *s, int number);

/* Return the factor from stored values to the unit of these texts, 1000 for ms instead of s; 1 without
 * `display`. */
double figure_parameter_scale(const figure_request *request, const char *name);
double figure_axis_scale(const figure_request *request, int number);

/* Appends a parameter's value, with the unit if it has `display`. */
void figure_parameter_value(const figure_request *request, const char *name, double value, int digits,
                            text *shown);

/* Returns true if the model has a label or a unit of a signal. */
bool figure_has_label_or_unit(const figure_request *request, const char *name);

/* ---- The kinds, each defined in its file as kind_NAME. Of kinds with the same name the first that suits the
 * results is drawn: charts of the planar system from stored outlines, if there are any, else from the grid.
 * If no kind is requested, the first that suits them is drawn. */

#define FIGURE_KINDS(KIND)                                                                                   \
    KIND(planar_time)                                                                                        \
    KIND(time)                                                                                               \
    KIND(regions)                                                                                            \
    KIND(areas)                                                                                              \
    KIND(planar_classes)                                                                                     \
    KIND(planar_comparison)                                                                                  \
    KIND(map)                                                                                                \
    KIND(locus)                                                                                              \
    KIND(tornado)                                                                                            \
    KIND(pattern)                                                                                            \
    KIND(limit)                                                                                              \
    KIND(best)                                                                                               \
    KIND(classes)                                                                                            \
    KIND(contour)                                                                                            \
    KIND(difference)                                                                                         \
    KIND(curve)                                                                                              \
    KIND(comparison)
#define FIGURE_DECLARE(name) extern const figure_kind kind_##name;
FIGURE_KINDS(FIGURE_DECLARE)
