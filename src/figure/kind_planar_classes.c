/* Kind `classes` of the planar system: the four classes as areas by their outlines (chart.c).
 *   1. UU fills the window, SU the quadrant in which the continuous system is stable; SS and US, the stable
 *      set of the map cut with that quadrant and with the rest, are drawn over them.
 *   2. Each class has its name where there is most room (place.c). */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/chart.h"

/* By the even-odd rule SU and UU are their quadrants without the stable sets in them. [in] stable: the
 * outlines of SS and US. */
static void name_classes(chart *c, const outline *const stable[2]) {
    static const char *const words[] = {"SS", "US", "SU", "UU"};
    const outline_box *w = &c->box;
    outline *edges = &c->panel->obstacles;
    scene_text names[4];
    double x0 = fmin(fmax(0, w->x[0]), w->x[1]), y0 = fmin(fmax(0, w->y[0]), w->y[1]);
    const outline_box boxes[4] = {{{w->x[0], x0}, {y0, w->y[1]}},
                                  {{w->x[0], x0}, {w->y[0], y0}},
                                  {{x0, w->x[1]}, {w->y[0], y0}},
                                  {{x0, w->x[1]}, {y0, w->y[1]}}};
    for (int i = 0; i < 4; i++) names[i] = (scene_text){.anchor = SCENE_INSIDE, .shown = words[i]};
    for (int i = 0; i < 4; i++) {
        const outline_box *b = &boxes[i];
        scene_box(edges, b->x[0], b->y[0], b->x[1], b->y[1]);
        scene_box(&names[i == 0 ? 2 : 3].where, b->x[0], b->y[0], b->x[1], b->y[1]);
    }
    for (int i = 0; i < 2; i++) {
        outline_append(edges, stable[i]);
        outline_append(&names[i].where, stable[i]);
        outline_append(&names[i + 2].where, stable[i]);
    }
    for (int i = 0; i < 4; i++) scene_put_text(c->panel, &names[i]);
}

static costab_status draw(chart *c, costab_error *error) {
    ends_by(outline_free) outline whole = {0}, ground = {0}, ss = {0}, us = {0};
    TRY(chart_outline(c, &whole, error));
    scene_box(&ground, c->box.x[0], c->box.y[0], c->box.x[1], c->box.y[1]);
    scene_put(c->panel, SCENE_FILL, "uu", &ground);
    chart_quadrant(c, "su");
    chart_classes(c, &whole, &ss, &us);
    chart_axes(c->panel);
    chart_boundary(c->panel, &whole, "edge");
    name_classes(c, (const outline *const[]){&ss, &us});
    return COSTAB_OK;
}

const figure_kind kind_planar_classes = {
    .name = "classes", .caption = "classes", .along = 2, .fault = chart_fault, .chart = draw};
