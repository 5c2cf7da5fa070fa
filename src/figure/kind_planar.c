/* Kinds `regions`, `classes` and `comparison` of the planar system, over Γ and Δ.
 *   1. The sweep stored the outline of the stable set of each scheme and a; on each part of it one stability
 *      condition is an equality, the cause (docs/explanation/algorithms.md, Rows and areas).
 *   2. The window is the figure's range within the sweep's; `fit` narrows it to the stable sets and the
 * origin.
 *   3. The stable set is cut with the window and with the quadrants in which the continuous system is stable
 * or unstable: classes SS and US.
 *   4. regions: SS and US, hatched; the boundary by its causes; the rest of these curves as thin lines,
 * isolated points as dots. classes: SU and UU under SS and US, each with its name. comparison: the boundaries
 * of all schemes, with the stable side marked.
 *
 * The outlines are exact to 1e-5 of the sweep's window. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/paper.h"
#include "figure/read.h"

/* Codes of the fields boundary_cause and beyond_cause: the condition that is an equality. */
enum { CAUSE_DET = 1, CAUSE_FOLD = 2, CAUSE_FLIP = 4, CAUSE_ITERATION = 8, CAUSES = 9 };

/* Their styles, on the boundary and beyond it. */
static const char *const on_boundary[CAUSES] = {
    [CAUSE_DET] = "det", [CAUSE_FOLD] = "fold", [CAUSE_FLIP] = "flip", [CAUSE_ITERATION] = "iteration"};
static const char *const beyond[CAUSES] = {[CAUSE_DET] = "det_beyond",
                                           [CAUSE_FOLD] = "fold_beyond",
                                           [CAUSE_FLIP] = "flip_beyond",
                                           [CAUSE_ITERATION] = "iteration_beyond"};

/* A panel during drawing. */
typedef struct chart {
    const figure_request *request;
    scene_panel *panel;
    outline_box box;            /* the window */
    size_t at[COSTAB_AXES_MAX]; /* the index along each axis that is not drawn */
} chart;

static const char *fault(const figure_request *r) {
    if (figure_value_count(r, "gamma") == 0 || figure_value_count(r, "delta") == 0)
        return "without the axes gamma and delta only 'areas' can be drawn";
    if (figure_has_field(r, "boundary_x")) return NULL;
    if (figure_value_count(r, "gamma") == 1)
        return "the axis 'gamma' has a single value; give the figure a window such as 'gamma: [-2, 2]', or the "
               "axis more values";
    if (figure_value_count(r, "delta") == 1)
        return "the axis 'delta' has a single value; give the figure a window such as 'delta: [-2, 2]', or the "
               "axis more values";
    return "the results have no outlines: sweep again, with at most 64 pairs of scheme and a, or in a "
           "smaller window";
}

/* ---- Reading */

/* Stored polylines, separated by NaN. */
typedef struct polylines {
    double *x, *y;
    uint8_t *cause;
    size_t count;
} polylines;

static void free_polylines(polylines *p) {
    memory_free_all(p->x, p->y, p->cause);
}

static costab_status read_polylines(const chart *c, const char *axis, const read_item items[3], polylines *p,
                                    costab_error *error) {
    const int along = costab_plan_axis(c->request->plan, axis);
    p->count = figure_value_count(c->request, axis);
    return read_items(c->request->results, c->at, &along, 1, items, 3, error);
}

/* Appends the outline of the stable set in the window. Each stored polygon ends with its first point. */
static costab_status read_outline(const chart *c, outline *whole, costab_error *error) {
    ends_by(free_polylines) polylines p = {.count = 0};
    ends_by(outline_free) outline stored = {0};
    const read_item items[] = {{"boundary_x", .numbers = &p.x},
                               {"boundary_y", .numbers = &p.y},
                               {"boundary_cause", .codes = &p.cause}};
    TRY(read_polylines(c, "vertex", items, &p, error));
    size_t first = 0;
    for (size_t i = 0; i < p.count; i++) {
        const bool last = i + 1 == p.count || isnan(p.x[i + 1]);
        if (!isnan(p.x[i]) && !last) outline_add_point(&stored, p.x[i], p.y[i], p.cause[i]);
        if (!last || stored.failed || stored.point_count == first) continue;
        outline_add_loop(&stored, first, stored.points[first].edge, true);
        first = stored.point_count;
    }
    outline_clip(&stored, &c->box, whole);
    return stored.failed || whole->failed ? error_memory(error) : COSTAB_OK;
}

/* ---- The window */

/* Narrows a range to what is needed and the origin, with a margin, at round numbers. */
static void narrow(double *range, const double *needed) {
    const double low = fmin(needed[0], 0), high = fmax(needed[1], 0), margin = 0.08 * (high - low);
    if (!(needed[0] <= needed[1]) || !(margin > 0)) return;
    const double step = 0.5 * paper_round((high - low + 2 * margin) / 8);
    range[0] = fmax(range[0], step * floor((low - margin) / step));
    range[1] = fmin(range[1], step * ceil((high + margin) / step));
}

static costab_status fit_window(const figure_kind *kind, chart c, costab_error *error) {
    double x[2] = {HUGE_VAL, -HUGE_VAL}, y[2] = {HUGE_VAL, -HUGE_VAL};
    do {
        ends_by(outline_free) outline seen = {0};
        TRY(read_outline(&c, &seen, error));
        for (size_t i = 0; i < seen.point_count; i++) {
            x[0] = fmin(x[0], seen.points[i].x);
            x[1] = fmax(x[1], seen.points[i].x);
            y[0] = fmin(y[0], seen.points[i].y);
            y[1] = fmax(y[1], seen.points[i].y);
        }
    } while (kind->overlaid && figure_next_panel(c.request, 1U, c.at));
    narrow(c.panel->x.range, x);
    narrow(c.panel->y.range, y);
    return COSTAB_OK;
}

/* Sets an axis. A range ends where the sweep ended; an axis with a single value was swept over the figure's
 * range. chosen: the figure's range. */
static void set_axis(const figure_request *r, scene *s, int number, const double *chosen, scene_axis *axis) {
    const costab_axis *swept = &r->plan->axes[number];
    const double first = swept->values[0], last = swept->values[swept->count - 1];
    char words[160];
    memcpy(axis->range, chosen, sizeof axis->range);
    axis->label = figure_axis_label(r, s, number);
    axis->scale = figure_axis_scale(r, number);
    if (swept->count < 2 || (chosen[0] >= first && chosen[1] <= last)) return;
    (void)text_format(words, sizeof words, "%s is drawn as far as it was swept, from %.6g to %.6g.",
                      swept->name, first, last);
    scene_note(s, words);
    axis->range[0] = fmax(chosen[0], first);
    axis->range[1] = fmin(chosen[1], last);
}

/* Adds the panels and calls `draw` for each, or for each scheme of it if the kind is overlaid. */
static costab_status add_panels(const figure_request *r, scene *s, const figure_kind *kind,
                                costab_status (*draw)(chart *, costab_error *), costab_error *error) {
    const size_t columns = figure_drawn(r, 1);
    chart c = {.request = r};
    size_t at[COSTAB_AXES_MAX];
    if (!kind->overlaid && r->plan->axes[0].count > 1 && columns > 1 && columns <= 4)
        s->columns = (int)columns;
    figure_first_panel(r, at);
    do {
        memcpy(c.at, at, sizeof at);
        c.panel = figure_panel(r, s, kind, at);
        set_axis(r, s, r->x, r->x_range, &c.panel->x);
        set_axis(r, s, r->y, r->y_range, &c.panel->y);
        c.box = scene_window(c.panel);
        if (r->fit) TRY(fit_window(kind, c, error));
        c.box = scene_window(c.panel);
        do TRY(draw(&c, error));
        while (kind->overlaid && figure_next_panel(r, 1U, c.at));
    } while (figure_next_panel(r, figure_panel_axes(r, kind), at));
    return COSTAB_OK;
}

/* ---- Layers */

/* Fills the quadrant in which the continuous system is stable. */
static void fill_quadrant(const chart *c, const char *style) {
    const outline_box *w = &c->box;
    outline area = {0};
    if (w->x[0] < 0 && w->y[1] > 0) scene_box(&area, w->x[0], fmax(0, w->y[0]), fmin(0, w->x[1]), w->y[1]);
    scene_put(c->panel, SCENE_FILL, style, &area);
}

static void draw_axes(const chart *c) {
    const double *x = c->box.x, *y = c->box.y;
    outline axes = {0};
    if (y[0] < 0 && 0 < y[1]) scene_line(&axes, x[0], 0, x[1], 0);
    if (x[0] < 0 && 0 < x[1]) scene_line(&axes, 0, y[0], 0, y[1]);
    scene_put(c->panel, SCENE_CURVE, "axes", &axes);
}

/* Appends the part of the stable set in the box with these corners, unless the box is empty. */
static void cut(const outline *whole, double x0, double x1, double y0, double y1, outline *part) {
    if (x0 < x1 && y0 < y1) outline_clip(whole, &(outline_box){{x0, x1}, {y0, y1}}, part);
}

/* Fills and hatches SS and US. [out] stable: their outlines are appended to stable[0] and stable[1]. */
static void fill_classes(const chart *c, const outline *whole, outline stable[2]) {
    const double *x = c->box.x, *y = c->box.y;
    cut(whole, x[0], fmin(0, x[1]), fmax(0, y[0]), y[1], &stable[0]);
    cut(whole, x[0], fmin(0, x[1]), y[0], fmin(0, y[1]), &stable[1]);
    cut(whole, fmax(0, x[0]), x[1], y[0], y[1], &stable[1]);
    for (int k = 0; k < 2; k++) {
        outline area = {0};
        outline_append(&area, &stable[k]);
        scene_put_area(c->panel, k == 0 ? "ss" : "us", &area);
    }
}

static void free_both(outline stable[2]) {
    outline_free(&stable[0]);
    outline_free(&stable[1]);
}

/* ---- Regions */

/* Draws the parts of the conditions' zero sets that do not bound the stable set. A polyline of one point is
 * an isolated point. */
static costab_status draw_beyond(const chart *c, costab_error *error) {
    ends_by(free_polylines) polylines p = {.count = 0};
    const read_item items[] = {
        {"beyond_x", .numbers = &p.x}, {"beyond_y", .numbers = &p.y}, {"beyond_cause", .codes = &p.cause}};
    outline isolated = {0}, curves[CAUSES] = {{0}};
    TRY(read_polylines(c, "beyond", items, &p, error));
    for (size_t from = 0, to; from < p.count; from = to + 1) {
        for (to = from; to < p.count && !isnan(p.x[to]);) to++;
        if (to == from || p.cause[from] >= CAUSES || !beyond[p.cause[from]]) continue;
        if (to - from > 1 && scene_crosses(c->panel, &p.x[from], &p.y[from], to - from))
            scene_polyline(&curves[p.cause[from]], &p.x[from], &p.y[from], to - from);
        if (to - from == 1 && scene_shows(c->panel, p.x[from], p.y[from]))
            outline_add_point(&isolated, p.x[from], p.y[from], OUTLINE_CUT);
    }
    for (int k = 0; k < CAUSES; k++) {
        if (curves[k].loop_count > 0) scene_mention(c->panel->scene, on_boundary[k]);
        if (beyond[k]) scene_put(c->panel, SCENE_CURVE, beyond[k], &curves[k]);
    }
    scene_put_points(c->panel, "isolated", &isolated);
    return COSTAB_OK;
}

static costab_status draw_regions(chart *c, costab_error *error) {
    ends_by(outline_free) outline whole = {0}, curves = {0};
    outline stable[2] = {{0}, {0}};
    TRY(read_outline(c, &whole, error));
    fill_quadrant(c, "quadrant");
    fill_classes(c, &whole, stable);
    free_both(stable);
    draw_axes(c);
    TRY(draw_beyond(c, error));
    outline_curves(&whole, true, &curves);
    for (int k = 0; k < CAUSES; k++) {
        outline part = {0};
        if (!on_boundary[k]) continue;
        outline_choose(&curves, k, &part);
        scene_put(c->panel, SCENE_CURVE, on_boundary[k], &part);
    }
    return COSTAB_OK;
}

static costab_status build_regions(const figure_request *r, scene *s, costab_error *error) {
    return add_panels(r, s, &kind_regions, draw_regions, error);
}

const figure_kind kind_regions = {.name = "regions",
                                  .systems = FIGURE_PLANAR,
                                  .caption = "stability chart",
                                  .along = 2,
                                  .fault = fault,
                                  .build = build_regions};

/* ---- Classes */

/* Names the classes. By the even-odd rule SU and UU are their quadrants without the stable sets in them. */
static void name_classes(const chart *c, const outline stable[2]) {
    static const char *const words[] = {"SS", "US", "SU", "UU"};
    const outline_box *w = &c->box;
    outline *edges = &c->panel->obstacles;
    const double x0 = fmin(fmax(0, w->x[0]), w->x[1]), y0 = fmin(fmax(0, w->y[0]), w->y[1]);
    const outline_box quadrants[4] = {{{w->x[0], x0}, {y0, w->y[1]}},
                                      {{w->x[0], x0}, {w->y[0], y0}},
                                      {{x0, w->x[1]}, {w->y[0], y0}},
                                      {{x0, w->x[1]}, {y0, w->y[1]}}};
    scene_text names[4];
    for (int i = 0; i < 4; i++) names[i] = (scene_text){.anchor = SCENE_INSIDE, .shown = words[i]};
    for (int i = 0; i < 4; i++) {
        const outline_box *b = &quadrants[i];
        scene_box(edges, b->x[0], b->y[0], b->x[1], b->y[1]);
        scene_box(&names[i == 0 ? 2 : 3].where, b->x[0], b->y[0], b->x[1], b->y[1]);
    }
    for (int i = 0; i < 2; i++) {
        outline_append(edges, &stable[i]);
        outline_append(&names[i].where, &stable[i]);
        outline_append(&names[i + 2].where, &stable[i]);
    }
    for (int i = 0; i < 4; i++) scene_put_text(c->panel, &names[i]);
}

static costab_status draw_classes(chart *c, costab_error *error) {
    ends_by(outline_free) outline whole = {0};
    outline ground = {0}, stable[2] = {{0}, {0}};
    TRY(read_outline(c, &whole, error));
    scene_box(&ground, c->box.x[0], c->box.y[0], c->box.x[1], c->box.y[1]);
    scene_put(c->panel, SCENE_FILL, "uu", &ground);
    fill_quadrant(c, "su");
    fill_classes(c, &whole, stable);
    draw_axes(c);
    scene_put_border(c->panel, "edge", &whole);
    name_classes(c, stable);
    free_both(stable);
    return COSTAB_OK;
}

static costab_status build_classes(const figure_request *r, scene *s, costab_error *error) {
    return add_panels(r, s, &kind_planar_classes, draw_classes, error);
}

const figure_kind kind_planar_classes = {.name = "classes",
                                         .systems = FIGURE_PLANAR,
                                         .caption = "classes",
                                         .along = 2,
                                         .fault = fault,
                                         .build = build_classes};

/* ---- Comparison */

static costab_status draw_comparison(chart *c, costab_error *error) {
    const char *style = c->request->plan->axes[0].labels[c->at[0]];
    ends_by(outline_free) outline whole = {0};
    TRY(read_outline(c, &whole, error));
    if (c->panel->layer_count == 0) {
        fill_quadrant(c, "quadrant");
        draw_axes(c);
    }
    scene_put_border(c->panel, style, &whole);
    scene_put_side(c->panel, style, c->request->figure->style.plain, &whole);
    return COSTAB_OK;
}

static costab_status build_comparison(const figure_request *r, scene *s, costab_error *error) {
    return add_panels(r, s, &kind_planar_comparison, draw_comparison, error);
}

const figure_kind kind_planar_comparison = {.name = "comparison",
                                            .systems = FIGURE_PLANAR,
                                            .caption = "stability chart",
                                            .along = 2,
                                            .overlaid = true,
                                            .fault = fault,
                                            .build = build_comparison};
