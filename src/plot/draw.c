/* What is drawn in each panel. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/beyond.h"
#include "plot/curves.h"
#include "plot/label.h"
#include "plot/pen.h"

#define TOLERANCE     1e-5 /* of the window, for straight segments */
#define LABEL_ROOM_CM 0.28 /* free around the middle of a word */

static bool box_make(outline_box *box, double gamma0, double gamma1, double delta0, double delta1) {
    *box = (outline_box){{gamma0, gamma1}, {delta0, delta1}};
    return gamma0 < gamma1 && delta0 < delta1;
}

/* Fills the part of the window in which the continuous system is stable. */
static costab_status draw_quadrant(const pen *p, figure_key key, costab_error *error) {
    const outline_box *w = &p->panel->frame.box;
    outline_box quadrant;
    if (!box_make(&quadrant, w->gamma[0], fmin(0, w->gamma[1]), fmax(0, w->delta[0]), w->delta[1]))
        return COSTAB_OK;
    outline area = {0};
    costab_status status = pen_add_box(&area, &quadrant, error);
    if (!status) pen_fill(p, key, &area);
    outline_free(&area);
    return status;
}

static costab_status draw_axes(const pen *p, costab_error *error) {
    const outline_box *w = &p->panel->frame.box;
    outline axes = {0};
    costab_status status = COSTAB_OK;
    for (int vertical = 0; vertical < 2 && !status; vertical++) {
        const double *across = vertical ? w->gamma : w->delta, *along = vertical ? w->delta : w->gamma;
        if (!(across[0] < 0 && 0 < across[1])) continue;
        size_t first = axes.point_count;
        for (int end = 0; end < 2 && !status; end++)
            status = outline_add_point(&axes, vertical ? 0 : along[end], vertical ? along[end] : 0,
                                       OUTLINE_CUT, error);
        if (!status) status = outline_add_loop(&axes, first, OUTLINE_CUT, false, error);
    }
    if (!status) pen_curve(p, KEY_AXES, &axes);
    outline_free(&axes);
    return status;
}

/* The stable set's part in which the continuous system is stable (SS) or not (US). */
static costab_status draw_class(const pen *p, const costab_planar_slice *slice, figure_key key, outline *area,
                                costab_error *error) {
    const outline_box *w = &p->panel->frame.box;
    outline_box parts[2];
    bool there[2];
    if (key == KEY_SS) {
        there[0] = box_make(&parts[0], w->gamma[0], fmin(0, w->gamma[1]), fmax(0, w->delta[0]), w->delta[1]);
        there[1] = false;
    } else {
        there[0] = box_make(&parts[0], w->gamma[0], fmin(0, w->gamma[1]), w->delta[0], fmin(0, w->delta[1]));
        there[1] = box_make(&parts[1], fmax(0, w->gamma[0]), w->gamma[1], w->delta[0], w->delta[1]);
    }
    costab_status status = COSTAB_OK;
    for (int i = 0; i < 2 && !status; i++)
        if (there[i]) status = outline_trace(slice, &parts[i], TOLERANCE, area, error);
    if (status) return status;
    pen_fill(p, key, area);
    return pen_hatch(p, key, area, error);
}

static const struct {
    uint8_t cause;
    figure_key key, beyond;
} causes[] = {{COSTAB_CAUSE_DET, KEY_DET, KEY_DET_BEYOND},
              {COSTAB_CAUSE_FOLD, KEY_FOLD, KEY_FOLD_BEYOND},
              {COSTAB_CAUSE_FLIP, KEY_FLIP, KEY_FLIP_BEYOND},
              {COSTAB_CAUSE_ITERATION, KEY_ITERATION, KEY_ITERATION_BEYOND}};

/* The zero sets where they bound nothing, and their isolated points. */
static costab_status draw_beyond(const pen *p, const costab_planar_slice *slice, costab_error *error) {
    const outline_box *w = &p->panel->frame.box;
    costab_boundary boundary = {0};
    costab_status status =
        costab_planar_boundary(slice->planar, slice->a, w->gamma, w->delta, &boundary, error);
    for (size_t k = 0; k < sizeof causes / sizeof causes[0] && !status; k++) {
        outline rest = {0};
        for (size_t c = 0; c < boundary.count && !status; c++)
            if (boundary.curves[c].cause == causes[k].cause)
                status = beyond_curve(slice, w, &boundary.curves[c], &rest, error);
        if (!status) pen_curve(p, causes[k].beyond, &rest);
        if (rest.loop_count > 0) p->f->used[causes[k].key] = true;
        outline_free(&rest);
    }
    outline isolated = {0};
    for (size_t c = 0; c < boundary.count && !status; c++)
        if (boundary.curves[c].count == 1)
            status = outline_add_point(&isolated, boundary.curves[c].gamma[0], boundary.curves[c].delta[0],
                                       OUTLINE_CUT, error);
    if (!status) status = outline_add_loop(&isolated, 0, OUTLINE_CUT, false, error);
    if (!status) pen_points(p, KEY_ISOLATED, &isolated);
    outline_free(&isolated);
    costab_boundary_free(&boundary);
    return status;
}

/* The boundary, by cause. */
static costab_status draw_causes(const pen *p, const outline *whole, costab_error *error) {
    outline all = {0};
    costab_status status = outline_curves(whole, true, &all, error);
    for (size_t c = 0; c < sizeof causes / sizeof causes[0] && !status; c++) {
        outline chosen = {.points = all.points, .point_count = all.point_count};
        chosen.loops = memory_alloc(all.loop_count + 1, sizeof *chosen.loops);
        if (!chosen.loops) {
            status = error_memory(error);
            break;
        }
        for (size_t l = 0; l < all.loop_count; l++)
            if (all.loops[l].edge == causes[c].cause) chosen.loops[chosen.loop_count++] = all.loops[l];
        pen_curve(p, causes[c].key, &chosen);
        memory_free(chosen.loops);
    }
    outline_free(&all);
    return status;
}

static costab_status draw_boundary(const pen *p, const outline *whole, figure_key key, costab_error *error) {
    outline curves = {0};
    costab_status status = outline_curves(whole, false, &curves, error);
    if (!status) pen_curve(p, key, &curves);
    outline_free(&curves);
    return status;
}

/* Names of the classes, where there is room for them. `edges` has the areas' outlines; the window's and the
 * axes' are added here. Odd-even: a class is what lies inside its own area and outside those drawn over it.
 */
static costab_status draw_labels(const pen *p, const outline *stable, costab_error *error) {
    static const char *const words[] = {"SS", "US", "SU", "UU"};
    outline edges = {0}, parts[4] = {{0}};
    const outline_box *w = &p->panel->frame.box;
    double g0 = fmin(fmax(0, w->gamma[0]), w->gamma[1]), d0 = fmin(fmax(0, w->delta[0]), w->delta[1]);
    const outline_box boxes[4] = {{{w->gamma[0], g0}, {d0, w->delta[1]}},
                                  {{w->gamma[0], g0}, {w->delta[0], d0}},
                                  {{g0, w->gamma[1]}, {w->delta[0], d0}},
                                  {{g0, w->gamma[1]}, {d0, w->delta[1]}}};
    costab_status status = COSTAB_OK;
    for (int i = 0; i < 4 && !status; i++) {
        status = pen_add_box(&edges, &boxes[i], error);
        if (!status) status = pen_add_box(&parts[i == 0 ? 2 : 3], &boxes[i], error);
    }
    for (int i = 0; i < 2 && !status; i++) status = outline_append(&edges, &stable[i], error);
    for (int i = 0; i < 2 && !status; i++) status = outline_append(&parts[i], &stable[i], error);
    for (int i = 0; i < 2 && !status; i++) status = outline_append(&parts[i + 2], &stable[i], error);
    for (int i = 0; i < 4 && !status; i++) {
        double gamma = 0, delta = 0;
        if (label_place(&parts[i], &edges, &p->panel->frame, &gamma, &delta) < LABEL_ROOM_CM) continue;
        if (!p->panel->labels) text_printf(&p->f->data, "# %d.label.class: names of classes\n", p->number);
        text_printf(&p->f->data, "%.6g %.6g %s\n", gamma, delta, words[i]);
        p->panel->labels = true;
    }
    if (p->panel->labels) text_append(&p->f->data, "\n\n");
    for (int i = 0; i < 4; i++) outline_free(&parts[i]);
    outline_free(&edges);
    return status;
}

costab_status figure_stable_sets(const costab_spec *spec, const figure_panel *panel, const outline_box *box,
                                 outline *sets, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int s = 0; s < spec->planar.scheme_count && !status; s++) {
        costab_planar planar;
        if (panel->scheme >= 0 && panel->scheme != s) continue;
        status = costab_spec_planar(spec, s, &planar, error);
        if (status) break;
        costab_planar_slice slice = costab_planar_at(&planar, spec->axes[COSTAB_AXIS_A].values[panel->a]);
        status = outline_trace(&slice, box, TOLERANCE, sets, error);
    }
    return status;
}

static costab_status draw_one_scheme(const pen *p, costab_error *error) {
    const costab_spec *spec = p->f->spec;
    costab_planar planar;
    outline whole = {0}, stable[2] = {{0}};
    bool classes = p->panel->kind == PANEL_CLASSES;
    costab_status status = costab_spec_planar(spec, p->panel->scheme, &planar, error);
    if (status) return status;
    costab_planar_slice slice = costab_planar_at(&planar, spec->axes[COSTAB_AXIS_A].values[p->panel->a]);
    if (classes) status = pen_add_box(&whole, &p->panel->frame.box, error);
    if (classes && !status) pen_fill(p, KEY_UU, &whole);
    outline_free(&whole);
    if (!status) status = draw_quadrant(p, classes ? KEY_SU : KEY_QUADRANT, error);
    if (!status) status = draw_class(p, &slice, KEY_SS, &stable[0], error);
    if (!status) status = draw_class(p, &slice, KEY_US, &stable[1], error);
    if (!status) status = draw_axes(p, error);
    if (!status && !classes) status = draw_beyond(p, &slice, error);
    if (!status) status = outline_trace(&slice, &p->panel->frame.box, TOLERANCE, &whole, error);
    if (!status) status = classes ? draw_boundary(p, &whole, KEY_EDGE, error) : draw_causes(p, &whole, error);
    if (!status && classes) status = draw_labels(p, stable, error);
    for (int i = 0; i < 2; i++) outline_free(&stable[i]);
    outline_free(&whole);
    return status;
}

static costab_status draw_comparison(const pen *p, costab_error *error) {
    const costab_spec *spec = p->f->spec;
    costab_status status = draw_quadrant(p, KEY_QUADRANT, error);
    if (!status) status = draw_axes(p, error);
    for (int s = 0; s < spec->planar.scheme_count && !status; s++) {
        costab_planar planar;
        outline whole = {0};
        figure_key key = (figure_key)(KEY_SIMULATION + (int)spec->planar.schemes[s]);
        status = costab_spec_planar(spec, s, &planar, error);
        if (status) break;
        costab_planar_slice slice = costab_planar_at(&planar, spec->axes[COSTAB_AXIS_A].values[p->panel->a]);
        status = outline_trace(&slice, &p->panel->frame.box, TOLERANCE, &whole, error);
        if (!status) status = pen_hatch(p, key, &whole, error);
        if (!status) status = draw_boundary(p, &whole, key, error);
        outline_free(&whole);
    }
    return status;
}

/* [KNS] figure 3: where the continuous system is stable, and where the discretised one is. */
static costab_status draw_jury(const pen *p, costab_error *error) {
    static const double triangle[3][2] = {{0, -1}, {2, 1}, {-2, 1}};
    static const uint8_t triangle_edges[3] = {COSTAB_CAUSE_FOLD, COSTAB_CAUSE_DET, COSTAB_CAUSE_FLIP};
    const outline_box *w = &p->panel->frame.box;
    bool continuous = p->panel->kind == PANEL_QUADRANT, in_legend = p->f->used[KEY_SS];
    const double quadrant[4][2] = {{w->gamma[0], 0}, {0, 0}, {0, w->delta[1]}, {w->gamma[0], w->delta[1]}};
    outline area = {0};
    costab_status status = continuous ? outline_polygon(&area, quadrant, 4, OUTLINE_CUT, error)
                                      : outline_polygon(&area, triangle, 3, OUTLINE_CUT, error);
    for (size_t i = 0; i < area.point_count && !status; i++)
        area.points[i].edge = continuous ? (i < 2 ? COSTAB_CAUSE_FOLD : OUTLINE_CUT) : triangle_edges[i % 3];
    if (!status) {
        pen_fill(p, KEY_SS, &area);
        status = pen_hatch(p, KEY_SS, &area, error);
    }
    if (!status) status = draw_axes(p, error);
    if (!status)
        status = continuous ? draw_boundary(p, &area, KEY_EDGE, error) : draw_causes(p, &area, error);
    outline_free(&area);
    p->f->used[KEY_SS] = in_legend;
    return status;
}

/* The sample of a key in its box; frames around areas are gathered. */
static costab_status draw_sample(const pen *p, figure_key key, const outline_box *box, outline *frames,
                                 costab_error *error) {
    figure_sample sample = figure_keys[key].sample;
    double middle = 0.5 * (box->delta[0] + box->delta[1]), width = box->gamma[1] - box->gamma[0];
    outline area = {0}, line = {0}, points = {0};
    costab_status status = pen_add_box(&area, box, error);
    if (!status) status = pen_add_line(&line, box->gamma[0], middle, box->gamma[1], middle, error);
    for (int i = sample == SAMPLE_STEPS; i < 4 && !status; i += 2)
        if (sample == SAMPLE_STEPS || i == 2)
            status = outline_add_point(&points, box->gamma[0] + 0.25 * i * width, middle, OUTLINE_CUT, error);
    if (!status) status = outline_add_loop(&points, 0, OUTLINE_CUT, false, error);
    if (!status && sample == SAMPLE_AREA) {
        pen_fill(p, key, &area);
        status = outline_append(frames, &area, error);
    }
    if (!status) status = pen_hatch(p, key, &area, error);
    if (!status && sample == SAMPLE_REGION) pen_curve(p, key, &area);
    if (!status && (sample == SAMPLE_LINE || sample == SAMPLE_STEPS)) pen_curve(p, key, &line);
    if (!status && (sample == SAMPLE_POINT || sample == SAMPLE_STEPS)) pen_points(p, key, &points);
    outline_free(&area);
    outline_free(&line);
    outline_free(&points);
    return status;
}

/* Samples of what the legend explains, in cm from the figure's lower left corner. */
static costab_status draw_legend(figure *f, costab_error *error) {
    f->legend = (figure_panel){.frame = {.box = {{0, f->layout.width}, {0, f->layout.height}},
                                         .width_cm = f->layout.width,
                                         .height_cm = f->layout.height}};
    pen p = {f, &f->legend, f->panel_count + 1};
    bool used[KEY_COUNT];
    for (int k = 0; k < KEY_COUNT; k++) used[k] = f->used[k];
    outline frames = {0};
    costab_status status = COSTAB_OK;
    for (int o = 0, i = 0; o < FIGURE_LEGEND_KEYS && !status; o++) {
        if (!used[figure_legend_order[o]]) continue;
        double x, y;
        figure_legend_place(&f->layout, i++, &x, &y);
        outline_box box;
        box_make(&box, x, x + LEGEND_SWATCH_WIDTH, y, y + LEGEND_SWATCH_HEIGHT);
        status = draw_sample(&p, figure_legend_order[o], &box, &frames, error);
    }
    if (!status) pen_curve(&p, KEY_FRAME, &frames);
    outline_free(&frames);
    return status;
}

/* Forgets what was drawn in a panel. */
static void panel_clear(figure_panel *panel) {
    for (int k = 0; k < KEY_COUNT; k++) {
        panel->fills[k] = panel->hatches[k] = false;
        panel->curves[k] = panel->points[k] = false;
    }
    panel->labels = false;
}

static void put_head(figure *f) {
    text_append(&f->data, "# The data of a figure; the script of the same name draws it.\n");
    text_append(&f->data, "# Blocks are named PANEL.LAYER.KEY; the panel after the last is the legend, in cm "
                          "from the lower left corner.\n"
                          "# All other coordinates are those of the panel's axes.\n\n\n"
                          "# nothing: a block for lists of none\n0 0 0 0\n\n\n");
}

costab_status figure_draw(figure *f, costab_error *error) {
    text_free(&f->data);
    f->note_count = 0;
    for (int k = 0; k < KEY_COUNT; k++) f->used[k] = false;
    put_head(f);
    costab_status status = COSTAB_OK;
    for (int i = 0; i < f->panel_count && !status; i++) {
        pen p = {f, &f->panels[i], i + 1};
        panel_clear(p.panel);
        switch (p.panel->kind) {
        case PANEL_QUADRANT:
        case PANEL_TRIANGLE:
            status = draw_jury(&p, error);
            break;
        case PANEL_REGIONS:
        case PANEL_CLASSES:
            status = draw_one_scheme(&p, error);
            break;
        case PANEL_COMPARISON:
            status = draw_comparison(&p, error);
            break;
        case PANEL_AREAS:
            status = area_figure_draw(&p, error);
            break;
        case PANEL_TIME:
            status = time_figure_draw(&p, error);
            break;
        }
    }
    if (!status) status = draw_legend(f, error);
    if (!status && f->data.failed) status = error_memory(error);
    return status;
}
