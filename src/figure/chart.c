/* Panels over Gamma and Delta, traced exactly: nothing of them comes from the grid.
 *   1. The stable set of a scheme as an area whose boundary is the curves on which a stability condition is
 *      an equality (planar/outline.c, docs/algorithms.md, Rows and areas).
 *   2. It is cut with the quadrants in which the continuous system is stable or not: SS and US.
 *   3. The window is narrowed to what the sets need.
 * Exact to CHART_TOLERANCE of the window; what the sweep stored is not read. */
#include "figure/chart.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

const char *chart_fault(const figure_request *r) {
    return figure_values(r, "gamma") == 0 || figure_values(r, "delta") == 0
               ? "without the axes gamma and delta only 'areas' can be drawn"
               : NULL;
}

/* ---- Panels */

/* What the stable sets need of the window; the layout narrows the axes to it. */
static costab_status find_needed(chart *c, costab_error *error) {
    ends_by(outline_free) outline seen = {0};
    for (int s = 0; s < c->scheme_count; s++) {
        costab_planar_slice slice = costab_planar_at(&c->planars[s], c->a);
        TRY(outline_trace(&slice, &c->box, CHART_TOLERANCE, &seen, error));
    }
    outline_box *needed = &c->panel->needed;
    *needed = (outline_box){{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < seen.point_count; i++) {
        needed->x[0] = fmin(needed->x[0], seen.points[i].x);
        needed->x[1] = fmax(needed->x[1], seen.points[i].x);
        needed->y[0] = fmin(needed->y[0], seen.points[i].y);
        needed->y[1] = fmax(needed->y[1], seen.points[i].y);
    }
    return COSTAB_OK;
}

static costab_status begin_panel(const figure_request *r, scene_panel *panel, chart *c, costab_error *error) {
    c->panel = panel;
    memcpy(panel->x.range, r->x_range, sizeof r->x_range);
    memcpy(panel->y.range, r->y_range, sizeof r->y_range);
    c->box = scene_window(panel);
    panel->x.label = figure_axis_label(r, panel->scene, r->x, "Γ");
    panel->y.label = figure_axis_label(r, panel->scene, r->y, "Δ");
    panel->fit = r->fit;
    return r->fit ? find_needed(c, error) : COSTAB_OK;
}

costab_status chart_panels(const figure_request *r, scene *s, const figure_kind *kind, costab_error *error) {
    const costab_spec *spec = r->spec;
    size_t at[COSTAB_AXES_MAX], here[COSTAB_AXES_MAX], values = spec->axes[COSTAB_AXIS_A].count;
    chart c = {.plain = r->figure->style.plain};
    if (r->plan->swept < 2 || r->plan->axes[0].count != (size_t)spec->planar.scheme_count ||
        r->plan->axes[1].count != values)
        return error_invalid(error, "%s: the results do not fit their spec", r->path);
    size_t drawn = figure_drawn(r, 1);
    if (!kind->overlaid && spec->planar.scheme_count > 1 && drawn > 1 && drawn <= 4) s->columns = (int)drawn;
    figure_first_panel(r, at);
    do {
        memcpy(here, at, sizeof here);
        c.scheme_count = 0;
        do {
            c.schemes[c.scheme_count] = spec->planar.schemes[here[0]];
            TRY(costab_spec_planar(spec, (int)here[0], &c.planars[c.scheme_count++], error));
        } while (kind->overlaid && figure_next_panel(r, 1U, here));
        c.a = spec->axes[COSTAB_AXIS_A].values[at[1]];
        TRY(begin_panel(r, figure_panel(r, s, kind, at), &c, error));
        TRY(kind->chart(&c, error));
    } while (figure_next_panel(r, figure_sliced(r, kind), at));
    return COSTAB_OK;
}

/* ---- Layers */

/* A box of the window; false: nothing of it is in the window. */
static bool box_make(outline_box *box, double x0, double x1, double y0, double y1) {
    *box = (outline_box){{x0, x1}, {y0, y1}};
    return x0 < x1 && y0 < y1;
}

/* Where the continuous system is stable. */
static bool stable_quadrant(const outline_box *w, outline_box *box) {
    return box_make(box, w->x[0], fmin(0, w->x[1]), fmax(0, w->y[0]), w->y[1]);
}

void chart_quadrant(chart *c, const char *style) {
    outline_box box;
    outline area = {0};
    if (stable_quadrant(&c->box, &box)) scene_box(&area, box.x[0], box.y[0], box.x[1], box.y[1]);
    scene_put(c->panel, SCENE_FILL, style, &area);
}

void chart_axes(scene_panel *panel) {
    const double *x = panel->x.range, *y = panel->y.range;
    outline axes = {0};
    if (y[0] < 0 && 0 < y[1]) scene_line(&axes, x[0], 0, x[1], 0);
    if (x[0] < 0 && 0 < x[1]) scene_line(&axes, 0, y[0], 0, y[1]);
    scene_put(panel, SCENE_CURVE, "axes", &axes);
}

/* Where a stable set meets the quadrants in which the continuous system is stable (SS) or is not (US). */
static costab_status draw_class(chart *c, const costab_planar_slice *slice, bool ss, outline *kept,
                                costab_error *error) {
    const outline_box *w = &c->box;
    outline_box boxes[2];
    bool there[2] = {false, false};
    ends_by(outline_free) outline area = {0};
    if (ss) {
        there[0] = stable_quadrant(w, &boxes[0]);
    } else {
        there[0] = box_make(&boxes[0], w->x[0], fmin(0, w->x[1]), w->y[0], fmin(0, w->y[1]));
        there[1] = box_make(&boxes[1], fmax(0, w->x[0]), w->x[1], w->y[0], w->y[1]);
    }
    for (int i = 0; i < 2; i++)
        if (there[i]) TRY(outline_trace(slice, &boxes[i], CHART_TOLERANCE, &area, error));
    if (kept) outline_append(kept, &area);
    scene_put_area(c->panel, ss ? "ss" : "us", &area);
    return COSTAB_OK;
}

costab_status chart_classes(chart *c, const costab_planar_slice *slice, outline *ss, outline *us,
                            costab_error *error) {
    TRY(draw_class(c, slice, true, ss, error));
    return draw_class(c, slice, false, us, error);
}

static const struct {
    uint8_t cause;
    const char *style, *beyond;
} causes[] = {{COSTAB_CAUSE_DET, "det", "det_beyond"},
              {COSTAB_CAUSE_FOLD, "fold", "fold_beyond"},
              {COSTAB_CAUSE_FLIP, "flip", "flip_beyond"},
              {COSTAB_CAUSE_ITERATION, "iteration", "iteration_beyond"}};

const char *chart_cause_style(uint8_t cause, bool beyond) {
    size_t k = 0;
    while (k + 1 < sizeof causes / sizeof *causes && causes[k].cause != cause) k++;
    return beyond ? causes[k].beyond : causes[k].style;
}

void chart_boundary(scene_panel *panel, const outline *whole, const char *style) {
    ends_by(outline_free) outline all = {0};
    outline_curves(whole, style == NULL, &all);
    for (size_t k = 0; k < (style ? 1 : sizeof causes / sizeof *causes); k++) {
        outline chosen = {0};
        outline_choose(&all, style ? -1 : causes[k].cause, &chosen);
        scene_put(panel, SCENE_CURVE, style ? style : causes[k].style, &chosen);
    }
}
