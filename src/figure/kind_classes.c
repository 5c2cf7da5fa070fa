/* Kind `classes` of networks: the classes over two axes as regions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "figure/plane.h"

#define LEAST_SEEN 0.0005 /* part of a panel that is seen as a region */

static const char *fault(const figure_request *r) {
    if (!figure_has_field(r, "class")) return "'classes' draws the field 'class'";
    if (figure_wide_axes(r) < 2) return "'classes' needs two axes of several values";
    return NULL;
}

static const char *const styles[4] = {"uu", "us", "su", "ss"};

static uint8_t label_of(const void *context, unsigned inside) {
    (void)context;
    return (uint8_t)inside;
}

static void style_of(int label, char style[SCENE_WORD_MAX]) {
    strcpy(style, styles[label & 3]);
}

/* Hatching, the name where there is room, and the entry of the legend: not where a little interpolation alone
 * parts two boundaries. */
static costab_status finish_class(plane *w, int label, costab_error *error) {
    scene_text name = {.anchor = SCENE_INSIDE, .shown = costab_class_name(label)};
    outline area = {0};
    costab_status status = outline_choose(&w->regions, label, &area, error);
    double size = 0, whole = (w->panel->x.range[1] - w->panel->x.range[0]) *
                             (w->panel->y.range[1] - w->panel->y.range[0]);
    for (size_t l = 0; l < area.loop_count; l++) size += 0.5 * cell_loop_area(&area, l);
    if (!status && area.loop_count > 0) {
        status = outline_append(&name.where, &area, error);
        scene_put_text(w->s, w->panel, &name);
    }
    if (size > LEAST_SEEN * whole) scene_mention(w->s, styles[label]);
    if (label % 2 == 1) scene_put(w->s, w->panel, SCENE_HATCH, styles[label], &area);
    outline_free(&area);
    return status;
}

static costab_status draw(plane *w, costab_error *error) {
    costab_status status = COSTAB_OK;
    w->cells.label = label_of;
    for (int bit = 0; bit < 2 && !status; bit++) status = plane_cut_class(w, bit == 0, error);
    if (!status) status = plane_paint(w, style_of, error);
    for (int label = 0; label < 4 && !status; label++) status = finish_class(w, label, error);
    if (!status) status = plane_line(w, 1, "continuous", NULL, 0, error);
    if (!status) status = plane_line(w, 0, "edge", NULL, 0, error);
    return status ? status : outline_append(&w->panel->obstacles, &w->regions, error);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    plane w = {.request = r, .s = s, .kind = &kind_classes, .symbol = "classes"};
    grid_frame frame;
    costab_status status = grid_frame_make(r, true, &frame, error);
    if (!status) status = planes_draw(&w, true, &frame, draw, error);
    grid_frame_free(&frame);
    return status;
}

const figure_kind kind_classes = {"classes", "coupling", 2, false, false, false, fault, build};
