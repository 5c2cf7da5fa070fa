/* Kind `classes` of networks: the classes over two axes as regions. */
#include <ctype.h>
#include <stdio.h>

#include "figure/plane.h"

#define LEAST_SEEN 0.0005 /* fraction of a panel that is seen as a region */

static const char *fault(const figure_request *r) {
    if (!figure_has_field(r, "class")) return "'classes' draws the field 'class'";
    if (figure_wide_axes(r) < 2) return "'classes' needs two axes of several values";
    return NULL;
}

/* A label has a bit for each cut. Neutral is what is on the limit within rounding. */
static const int cuts[] = {PLANE_DISCRETE, PLANE_CONTINUOUS, PLANE_CONTINUOUS_NEUTRAL, PLANE_DISCRETE_NEUTRAL,
                           PLANE_UNKNOWN};
enum { CUTS = sizeof cuts / sizeof *cuts, LABELS = 1 << CUTS };

/* The class of a label. Where two boundaries pass through one cell there are slivers of what no point can be:
 * they are drawn as if nothing were neutral. */
static const char *class_of(int label) {
    int code = 0;
    for (int k = 0; k < CUTS; k++) code |= (label >> k & 1) != 0 ? cuts[k] : 0;
    const char *name = costab_class_name(code);
    return name ? name : costab_class_name(code & (PLANE_DISCRETE | PLANE_CONTINUOUS));
}

/* The style of a label: the class's name in small letters. */
static void style_of(int label, char style[SCENE_WORD_MAX]) {
    snprintf(style, SCENE_WORD_MAX, "%s", class_of(label));
    for (char *c = style; *c; c++) *c = (char)tolower((unsigned char)*c);
}

static uint8_t label_of(const void *context, unsigned inside) {
    (void)context;
    return (uint8_t)(inside & (LABELS - 1)); /* not by the certificate */
}

/* Hatching, the name where there is room, and the entry of the legend: not where a little interpolation alone
 * parts two boundaries. */
static costab_status finish_class(plane *w, int label, costab_error *error) {
    char style[SCENE_WORD_MAX];
    scene_text name = {.anchor = SCENE_INSIDE, .shown = class_of(label)};
    outline area = {0};
    costab_status status = outline_choose(&w->regions, label, &area, error);
    const double *x = w->panel->x.range, *y = w->panel->y.range;
    double size = outline_area(&area), whole = (x[1] - x[0]) * (y[1] - y[0]);
    style_of(label, style);
    if (!status && area.loop_count > 0) {
        status = outline_append(&name.where, &area, error);
        scene_put_text(w->s, w->panel, &name);
    }
    if (size > LEAST_SEEN * whole) scene_mention(w->s, style);
    if (label % 2 == 1) scene_put(w->s, w->panel, SCENE_HATCH, style, &area);
    outline_free(&area);
    return status;
}

static costab_status draw(plane *w, costab_error *error) {
    costab_status status = COSTAB_OK;
    w->cells.label = label_of;
    for (int k = 0; k < CUTS && !status; k++) status = plane_cut_class(w, cuts[k], error);
    if (!status) status = plane_paint(w, style_of, error);
    for (int label = 0; label < LABELS && !status; label++) status = finish_class(w, label, error);
    /* What a certified sweep leaves undecided is outlined. */
    if (!status && w->grid.certificates) status = plane_cut_certificate(w, PLANE_GREY, error);
    if (!status && w->grid.certificates) status = plane_line(w, CUTS, "grey_edge", NULL, 0, error);
    if (!status) status = plane_line(w, 1, "continuous", NULL, 0, error);
    if (!status) status = plane_line(w, 0, "edge", NULL, 0, error);
    return status ? status : outline_append(&w->panel->obstacles, &w->regions, error);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    plane w = {.request = r, .s = s, .kind = &kind_classes, .symbol = "classes"};
    return planes_of_classes(&w, draw, error);
}

const figure_kind kind_classes = {
    .name = "classes", .over = "coupling", .along = 2, .fault = fault, .build = build};
