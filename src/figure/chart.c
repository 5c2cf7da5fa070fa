/* Panels over Gamma and Delta.
 *   1. The sweep stored the outline of the stable set of each scheme, as an area whose boundary is the curves
 *      on which a stability condition is an equality (docs/explanation/algorithms.md, Rows and areas).
 *   2. It is cut with the window, and with the quadrants in which the continuous system is stable or not: SS
 *      and US.
 *   3. The window is narrowed to what the sets need.
 * Exact to 1e-5 of the sweep's window. Nothing is known beyond that: a window that is asked for ends there.
 */
#include "figure/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/paper.h"
#include "figure/read.h"

const char *chart_fault(const figure_request *r) {
    if (figure_values(r, "gamma") == 0 || figure_values(r, "delta") == 0)
        return "without the axes gamma and delta only 'areas' can be drawn";
    if (figure_has_field(r, "boundary_x")) return NULL;
    if (figure_values(r, "gamma") == 1)
        return "the axis 'gamma' has a single value; give the figure a window such as 'gamma: [-2, 2]', or the "
               "axis more values";
    if (figure_values(r, "delta") == 1)
        return "the axis 'delta' has a single value; give the figure a window such as 'delta: [-2, 2]', or the "
               "axis more values";
    return "the results have no outlines: sweep again, with at most 64 pairs of scheme and a";
}

/* ---- Panels */

/* Reads the closed polygons of a plane: NaN parts them, and the first point of each comes again at its end.
 */
static costab_status read_outline(const chart *c, outline *whole, costab_error *error) {
    const figure_request *r = c->request;
    const int along = costab_plan_axis(r->plan, "vertex");
    const size_t count = figure_values(r, "vertex");
    memory_local double *x = NULL, *y = NULL;
    memory_local uint8_t *cause = NULL;
    const read_item items[] = {{"boundary_x", &along, 1, .numbers = &x},
                               {"boundary_y", &along, 1, .numbers = &y},
                               {"boundary_cause", &along, 1, .codes = &cause}};
    TRY(read_items(r->results, c->at, items, sizeof items / sizeof *items, error));
    size_t first = whole->point_count;
    for (size_t i = 0; i < count; i++) {
        const bool last = i + 1 == count || isnan(x[i + 1]);
        if (!isnan(x[i]) && !last) outline_add_point(whole, x[i], y[i], cause[i]);
        if (last && !whole->failed && whole->point_count > first) {
            outline_add_loop(whole, first, whole->points[first].edge, true);
            first = whole->point_count;
        }
    }
    return whole->failed ? error_memory(error) : COSTAB_OK;
}

costab_status chart_outline(const chart *c, outline *whole, costab_error *error) {
    ends_by(outline_free) outline stored = {0};
    TRY(read_outline(c, &stored, error));
    outline_clip(&stored, &c->box, whole);
    return whole->failed ? error_memory(error) : COSTAB_OK;
}

/* Widens a box to hold what the window shows of a stable set. */
static costab_status widen_needed(const chart *c, outline_box *needed, costab_error *error) {
    ends_by(outline_free) outline seen = {0};
    TRY(chart_outline(c, &seen, error));
    for (size_t i = 0; i < seen.point_count; i++) {
        needed->x[0] = fmin(needed->x[0], seen.points[i].x);
        needed->x[1] = fmax(needed->x[1], seen.points[i].x);
        needed->y[0] = fmin(needed->y[0], seen.points[i].y);
        needed->y[1] = fmax(needed->y[1], seen.points[i].y);
    }
    return COSTAB_OK;
}

/* Narrows a range to what is needed and the origin, with some room around, to round numbers. */
static void narrow(double *range, const double *needed) {
    const double low = fmin(needed[0], 0), high = fmax(needed[1], 0), margin = 0.08 * (high - low);
    if (!(needed[0] <= needed[1]) || !(margin > 0)) return;
    const double step = 0.5 * paper_round((high - low + 2 * margin) / 8);
    range[0] = fmax(range[0], step * floor((low - margin) / step));
    range[1] = fmin(range[1], step * ceil((high + margin) / step));
}

/* Each panel shows only what its stable sets need. */
static costab_status fit_window(const figure_kind *kind, chart c, costab_error *error) {
    outline_box needed = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
    do TRY(widen_needed(&c, &needed, error));
    while (kind->overlaid && figure_next_panel(c.request, 1U, c.at));
    narrow(c.panel->x.range, needed.x);
    narrow(c.panel->y.range, needed.y);
    return COSTAB_OK;
}

/* A range ends where the sweep did: of an axis with a single value that is its figure's range. */
static void keep_to_sweep(const figure_request *r, scene *s, int number, double *range) {
    const costab_axis *axis = &r->plan->axes[number];
    char words[160];
    if (axis->count < 2) return;
    const double first = axis->values[0], last = axis->values[axis->count - 1];
    if (range[0] >= first && range[1] <= last) return;
    (void)text_format(words, sizeof words, "%s is drawn as far as it was swept, from %.6g to %.6g.",
                      axis->name, first, last);
    scene_note(s, words);
    range[0] = fmax(range[0], first);
    range[1] = fmin(range[1], last);
}

static void begin_panel(const figure_request *r, scene_panel *panel, chart *c) {
    c->panel = panel;
    memcpy(panel->x.range, r->x_range, sizeof r->x_range);
    memcpy(panel->y.range, r->y_range, sizeof r->y_range);
    keep_to_sweep(r, panel->scene, r->x, panel->x.range);
    keep_to_sweep(r, panel->scene, r->y, panel->y.range);
    c->box = scene_window(panel);
    panel->x.label = figure_axis_label(r, panel->scene, r->x, "Γ");
    panel->y.label = figure_axis_label(r, panel->scene, r->y, "Δ");
}

costab_status chart_panels(const figure_request *r, scene *s, const figure_kind *kind, costab_error *error) {
    size_t at[COSTAB_AXES_MAX], drawn = figure_drawn(r, 1);
    chart c = {.request = r};
    if (!kind->overlaid && r->plan->axes[0].count > 1 && drawn > 1 && drawn <= 4) s->columns = (int)drawn;
    figure_first_panel(r, at);
    do {
        memcpy(c.at, at, sizeof at);
        begin_panel(r, figure_panel(r, s, kind, at), &c);
        if (r->fit) TRY(fit_window(kind, c, error));
        c.box = scene_window(c.panel);
        do TRY(kind->chart(&c, error));
        while (kind->overlaid && figure_next_panel(r, 1U, c.at));
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
static void draw_class(chart *c, const outline *whole, bool ss, outline *kept) {
    const outline_box *w = &c->box;
    outline_box boxes[2];
    bool there[2] = {false, false};
    outline area = {0};
    if (ss) {
        there[0] = stable_quadrant(w, &boxes[0]);
    } else {
        there[0] = box_make(&boxes[0], w->x[0], fmin(0, w->x[1]), w->y[0], fmin(0, w->y[1]));
        there[1] = box_make(&boxes[1], fmax(0, w->x[0]), w->x[1], w->y[0], w->y[1]);
    }
    for (int i = 0; i < 2; i++)
        if (there[i]) outline_clip(whole, &boxes[i], &area);
    if (kept) outline_append(kept, &area);
    scene_put_area(c->panel, ss ? "ss" : "us", &area);
}

void chart_classes(chart *c, const outline *whole, outline *ss, outline *us) {
    draw_class(c, whole, true, ss);
    draw_class(c, whole, false, us);
}

static const struct {
    uint8_t cause;
    const char *style, *beyond;
} causes[] = {{CHART_DET, "det", "det_beyond"},
              {CHART_FOLD, "fold", "fold_beyond"},
              {CHART_FLIP, "flip", "flip_beyond"},
              {CHART_ITERATION, "iteration", "iteration_beyond"}};

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
