/* Kind `comparison` of networks: the boundaries of all couplings over each other, the stable side hatched or,
 * without hatching, marked by ticks. */
#include <stdio.h>
#include <string.h>

#include "figure/plane.h"

static const char *fault(const figure_request *r) {
    if (!figure_has_field(r, "class")) return "'comparison' draws the field 'class'";
    return figure_wide_axes(r) < 2 ? "'comparison' needs two axes of several values" : NULL;
}

/* Dashes and the angle of the hatching tell couplings apart without colours. */
static void define_style(const plane *w, char name[SCENE_WORD_MAX]) {
    static const char *const colours[] = {"#0072b2", "#000000", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"};
    static const double angles[] = {0, 90, -45, 45, 22.5, -22.5, 67.5, -67.5};
    int k = w->coupling;
    snprintf(name, SCENE_WORD_MAX, "c%d", k + 1);
    for (int i = 0; i < w->s->style_count; i++)
        if (strcmp(w->s->styles[i].name, name) == 0) return;
    scene_style style = {.pattern_count = !w->request->figure->style.plain};
    text legend = {0};
    snprintf(style.name, sizeof style.name, "%s", name);
    scene_tell_apart(&style, k, 1.2, false);
    snprintf(style.line, sizeof style.line, "%s", colours[k % 6]);
    snprintf(style.hatch, sizeof style.hatch, "%s", colours[k % 6]);
    style.patterns[0] = (hatch_pattern){angles[k % 8], 0.19};
    figure_choice(w->request, w->request->plan->axes[0].labels[k], &legend);
    style.words = style.legend = scene_keep_text(w->s, &legend);
    scene_define(w->s, &style);
}

static uint8_t label_of(const void *context, unsigned inside) {
    (void)context;
    return (uint8_t)inside;
}

static void style_of(int label, char style[SCENE_WORD_MAX]) {
    snprintf(style, SCENE_WORD_MAX, label ? "quadrant" : "ground");
}

static costab_status draw(plane *w, costab_error *error) {
    char name[SCENE_WORD_MAX];
    outline regions = {0}, stable = {0};
    costab_status status = COSTAB_OK;
    w->cells.label = label_of;
    define_style(w, name);
    if (w->panel->layer_count == 0) { /* the continuous system is the same for all */
        status = plane_cut_class(w, PLANE_CONTINUOUS, error);
        if (!status) status = plane_paint(w, style_of, error);
        w->cells.cuts++;
    }
    if (!status) status = plane_cut_class(w, PLANE_DISCRETE, error);
    w->cells.cut_count = 1;
    if (!status) status = cell_regions(&w->cells, &regions, error);
    if (!status) status = outline_choose(&regions, 1, &stable, error);
    if (!status) status = plane_line(w, 0, name, NULL, 0, error);
    scene_put_side(w->s, w->panel, name, w->request->figure->style.plain, &stable);
    outline_free(&regions);
    return status;
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    plane w = {.request = r, .s = s, .kind = &kind_comparison, .symbol = "stability"};
    return planes_of_classes(&w, draw, error);
}

const figure_kind kind_comparison = {
    .name = "comparison", .over = "coupling", .along = 2, .overlaid = true, .fault = fault, .build = build};
