/* Panels over Gamma and Delta, traced exactly: nothing of them comes from the grid.
 *   1. The stable set of a scheme as an area, its boundary as the curves on which a condition is an equality
 *      (planar/outline.c, docs/algorithms.md, Rows and areas).
 *   2. It is cut with the quadrants in which the continuous system is stable or not: SS and US.
 *   3. The window is narrowed to what the sets need.
 * Exact to the width of a line; what the sweep stored is not read. */
#include "figure/chart.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

const char *chart_fault(const figure_request *r) {
    if (figure_has_field(r, "state")) return "a time history is drawn as 'time'";
    if (figure_values(r, "gamma") == 0 || figure_values(r, "delta") == 0)
        return "without the axes gamma and delta only 'areas' can be drawn";
    return NULL;
}

/* ---- Panels */

/* What the stable sets need of the window; the layout narrows the axes to it. */
static costab_status find_needed(chart *c, costab_error *error) {
    outline seen = {0};
    costab_status status = COSTAB_OK;
    for (int s = 0; s < c->scheme_count && !status; s++) {
        costab_planar_slice slice = costab_planar_at(&c->planars[s], c->a);
        status = outline_trace(&slice, &c->box, CHART_TOLERANCE, &seen, error);
    }
    outline_box *needed = &c->panel->needed;
    *needed = (outline_box){{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < seen.point_count; i++) {
        needed->x[0] = fmin(needed->x[0], seen.points[i].x);
        needed->x[1] = fmax(needed->x[1], seen.points[i].x);
        needed->y[0] = fmin(needed->y[0], seen.points[i].y);
        needed->y[1] = fmax(needed->y[1], seen.points[i].y);
    }
    outline_free(&seen);
    return status;
}

static costab_status begin_panel(const figure_request *r, chart *c, unsigned sliced, const size_t *at,
                                 costab_error *error) {
    text caption = {0};
    c->panel = scene_add_panel(c->s);
    if (!c->panel) return scene_status(c->s, r->path, error);
    memcpy(c->panel->x.range, r->x_range, sizeof r->x_range);
    memcpy(c->panel->y.range, r->y_range, sizeof r->y_range);
    c->box = (outline_box){{r->x_range[0], r->x_range[1]}, {r->y_range[0], r->y_range[1]}};
    c->panel->x.label = figure_axis_label(r, c->s, r->x, "Γ");
    c->panel->y.label = figure_axis_label(r, c->s, r->y, "Δ");
    c->panel->fit = r->fit;
    figure_caption(r, sliced, at, c->caption, &caption);
    c->panel->caption = scene_keep_text(c->s, &caption);
    return r->fit ? find_needed(c, error) : COSTAB_OK;
}

costab_status chart_panels(const figure_request *r, scene *s, const figure_kind *kind, const char *caption,
                           costab_status (*draw)(chart *c, costab_error *error), costab_error *error) {
    const costab_spec *spec = r->spec;
    unsigned sliced = figure_sliced(r, kind);
    size_t at[COSTAB_AXES_MAX], here[COSTAB_AXES_MAX], values = spec->axes[COSTAB_AXIS_A].count;
    costab_status status = COSTAB_OK;
    chart c = {.s = s, .caption = caption, .plain = r->figure->style.plain};
    if (!kind->overlaid && spec->planar.scheme_count > 1 && values > 1 && values <= 4)
        s->columns = (int)values;
    if (r->plan->swept < 2 || r->plan->axes[0].count != (size_t)spec->planar.scheme_count ||
        r->plan->axes[1].count != values)
        return error_set(error, COSTAB_INVALID, "%s: the results do not fit their spec", r->path);
    figure_first_panel(r, at);
    do {
        memcpy(here, at, sizeof here);
        c.scheme_count = 0;
        do {
            c.schemes[c.scheme_count] = spec->planar.schemes[here[0]];
            status = costab_spec_planar(spec, (int)here[0], &c.planars[c.scheme_count++], error);
        } while (!status && kind->overlaid && figure_next_panel(r, 1U, here));
        c.a = spec->axes[COSTAB_AXIS_A].values[at[1]];
        if (!status) status = begin_panel(r, &c, sliced, at, error);
        if (!status) status = draw(&c, error);
    } while (!status && figure_next_panel(r, sliced, at));
    return status;
}

/* ---- Layers */

static bool box_make(outline_box *box, double x0, double x1, double y0, double y1) {
    *box = (outline_box){{x0, x1}, {y0, y1}};
    return x0 < x1 && y0 < y1;
}

costab_status chart_quadrant(chart *c, const char *style, costab_error *error) {
    const outline_box *w = &c->box;
    outline_box quadrant;
    outline area = {0};
    if (!box_make(&quadrant, w->x[0], fmin(0, w->x[1]), fmax(0, w->y[0]), w->y[1])) return COSTAB_OK;
    costab_status status =
        scene_box(&area, quadrant.x[0], quadrant.y[0], quadrant.x[1], quadrant.y[1], error);
    scene_put(c->s, c->panel, SCENE_FILL, style, &area);
    return status;
}

costab_status chart_axes(scene *s, scene_panel *panel, costab_error *error) {
    const double *x = panel->x.range, *y = panel->y.range;
    outline axes = {0};
    costab_status status = COSTAB_OK;
    if (y[0] < 0 && 0 < y[1]) status = scene_line(&axes, x[0], 0, x[1], 0, error);
    if (!status && x[0] < 0 && 0 < x[1]) status = scene_line(&axes, 0, y[0], 0, y[1], error);
    scene_put(s, panel, SCENE_CURVE, "axes", &axes);
    return status;
}

/* Where a stable set meets the quadrants in which the continuous system is stable (SS) or is not (US). */
static costab_status draw_class(chart *c, const costab_planar_slice *slice, bool ss, outline *kept,
                                costab_error *error) {
    const outline_box *w = &c->box;
    outline_box boxes[2];
    bool there[2] = {false, false};
    outline area = {0}, hatched = {0};
    if (ss) {
        there[0] = box_make(&boxes[0], w->x[0], fmin(0, w->x[1]), fmax(0, w->y[0]), w->y[1]);
    } else {
        there[0] = box_make(&boxes[0], w->x[0], fmin(0, w->x[1]), w->y[0], fmin(0, w->y[1]));
        there[1] = box_make(&boxes[1], fmax(0, w->x[0]), w->x[1], w->y[0], w->y[1]);
    }
    costab_status status = COSTAB_OK;
    for (int i = 0; i < 2 && !status; i++)
        if (there[i]) status = outline_trace(slice, &boxes[i], CHART_TOLERANCE, &area, error);
    if (!status) status = outline_append(&hatched, &area, error);
    if (!status && kept) status = outline_append(kept, &area, error);
    scene_put(c->s, c->panel, SCENE_FILL, ss ? "ss" : "us", &area);
    scene_put(c->s, c->panel, SCENE_HATCH, ss ? "ss" : "us", &hatched);
    return status;
}

costab_status chart_classes(chart *c, const costab_planar_slice *slice, outline *stable,
                            costab_error *error) {
    costab_status status = draw_class(c, slice, true, stable, error);
    return status ? status : draw_class(c, slice, false, stable ? stable + 1 : NULL, error);
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

costab_status chart_boundary(scene *s, scene_panel *panel, const outline *whole, const char *style,
                             costab_error *error) {
    outline all = {0};
    costab_status status = outline_curves(whole, style == NULL, &all, error);
    for (size_t k = 0; k < (style ? 1 : sizeof causes / sizeof *causes) && !status; k++) {
        outline chosen = {0};
        status = outline_choose(&all, style ? -1 : causes[k].cause, &chosen, error);
        scene_put(s, panel, SCENE_CURVE, style ? style : causes[k].style, &chosen);
    }
    outline_free(&all);
    return status;
}
