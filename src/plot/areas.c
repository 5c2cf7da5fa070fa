/* Figures of kind `areas`: A_SS and A_US against a. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/area_curve.h"
#include "plot/clip.h"
#include "plot/curves.h"

#define TOLERANCE  2e-4 /* of the figure's height, for straight segments */
#define SMALL      0.04 /* of the largest area: too small to be read beside it */
#define HEADROOM   1.06 /* the axis' end over the largest area */
#define LEVEL_CM   0.45 /* from one bar of infinity to the next */
#define JUMP       0.02 /* of the panel's height: worth a line */
#define LETTER_CM  0.13
#define CURVES_MAX (2 * COSTAB_SCHEME_COUNT)

struct area_figure {
    costab_planar planar[COSTAB_SCHEME_COUNT];
    int count, levels; /* curves; bars of infinity above each other */
    area_curve curve[CURVES_MAX];
    int level[CURVES_MAX]; /* of the curve's bars, from 1 on */
    costab_scheme scheme[CURVES_MAX];
    double top, small_top; /* the largest area; the largest of those too small beside it */
};

static bool has_infinity(const area_curve *curve) {
    for (size_t i = 0; i < curve->count; i++)
        if (curve->stretches[i].kind == AREA_INFINITE) return true;
    return false;
}

static costab_status add_curve(figure *f, int s, bool us, costab_error *error) {
    struct area_figure *areas = f->areas;
    const curve_place place = {.rank = 2, .at = {(size_t)s, 0}};
    double *values = NULL;
    size_t count = 0;
    costab_status status = curve_read(f->results, us ? "area_us" : "area_ss", &place, &values, &count, error);
    if (!status && count != f->spec->axes[COSTAB_AXIS_A].count)
        status = error_set(error, COSTAB_INVALID, "%s: the areas do not fit the axis a", f->spec->path);
    if (!status) {
        int i = areas->count++;
        areas->scheme[i] = f->spec->planar.schemes[s];
        status = area_curve_make(&areas->planar[s], us, count, f->spec->axes[COSTAB_AXIS_A].values, values,
                                 &areas->curve[i], error);
        if (!status && has_infinity(&areas->curve[i])) areas->level[i] = ++areas->levels;
    }
    memory_free(values);
    return status;
}

/* The largest area that is to be seen. Curves that grow without bound have a say only where they would be too
 * small else. */
static void find_tops(struct area_figure *areas) {
    double bounded = 0, diverging = 0;
    for (int i = 0; i < areas->count; i++) {
        double b, d;
        area_curve_largest(&areas->curve[i], &b, &d);
        bounded = fmax(bounded, b);
        diverging = fmax(diverging, d);
    }
    areas->top = bounded > 0.25 * diverging ? bounded : diverging;
    if (!(areas->top > 0)) areas->top = 1;
    for (int i = 0; i < areas->count; i++) {
        for (size_t k = 0; k < areas->curve[i].count; k++) {
            const area_stretch *s = &areas->curve[i].stretches[k];
            double largest = 0;
            for (size_t j = 0; j < s->count; j++) largest = fmax(largest, s->area[j]);
            if (!s->diverges[0] && !s->diverges[1] && largest < SMALL * areas->top)
                areas->small_top = fmax(areas->small_top, largest);
        }
    }
}

costab_status area_figure_gather(figure *f, costab_error *error) {
    f->areas = memory_alloc(1, sizeof *f->areas);
    if (!f->areas) return error_memory(error);
    costab_status status = COSTAB_OK;
    for (int s = 0; s < f->spec->planar.scheme_count && !status; s++) {
        status = costab_spec_planar(f->spec, s, &f->areas->planar[s], error);
        for (int us = 0; us < 1 + f->wanted.us && !status; us++) status = add_curve(f, s, us == 1, error);
    }
    if (status) return status;
    find_tops(f->areas);
    for (int i = 0; i < f->areas->count && !status; i++)
        status = area_curve_refine(&f->areas->curve[i], HEADROOM * f->areas->top, TOLERANCE, error);
    for (int i = 0; i < f->areas->count && !status && area_figure_has_small(f); i++)
        status = area_curve_refine(&f->areas->curve[i], HEADROOM * f->areas->small_top, TOLERANCE, error);
    return status;
}

bool area_figure_has_small(const figure *f) {
    return f->wanted.us && f->areas->small_top > 0;
}

/* From the panel's upper side to the bar of a level, as a part of its height. */
static double bar_depth(const struct area_figure *areas, const figure_panel *panel, int level) {
    double step = fmin(LEVEL_CM / panel->frame.height_cm, 0.5 / fmax(1, areas->levels));
    return step * (level - 0.35);
}

double area_figure_shelf(const figure *f, const figure_panel *panel) {
    return HEADROOM * (panel->magnified ? f->areas->small_top : f->areas->top);
}

void area_figure_window(const figure *f, const figure_panel *panel, outline_box *box) {
    const struct area_figure *areas = f->areas;
    double top = area_figure_shelf(f, panel);
    double bars = areas->levels > 0 ? bar_depth(areas, panel, areas->levels + 1) : 0;
    *box = (outline_box){{areas->curve[0].from, areas->curve[0].to}, {0, top / (1 - bars)}};
}

void area_figure_free(struct area_figure **areas) {
    if (!*areas) return;
    for (int i = 0; i < (*areas)->count; i++) area_curve_free(&(*areas)->curve[i]);
    memory_free(*areas);
    *areas = NULL;
}

/* ---- Drawing */

/* Length of a text without its mark-up. */
static double note_width(const char *shown) {
    int letters = 0;
    for (const char *c = shown; *c; c++) letters += ((unsigned char)*c & 0xC0) != 0x80;
    return LETTER_CM * letters + 0.2;
}

/* What a bar says, as much as there is room for. */
static void add_note(const pen *p, const area_curve *curve, costab_scheme scheme, double from, double to,
                     double y) {
    figure *f = p->f;
    const hatch_frame *frame = &p->panel->frame;
    if (f->note_count == FIGURE_NOTES_MAX) return;
    figure_note *note = &f->notes[f->note_count++];
    *note = (figure_note){.panel = p->number, .x = 0.5 * (from + to), .y = y};
    double room = (to - from) / (frame->box.gamma[1] - frame->box.gamma[0]) * frame->width_cm;
    const char *what = curve->us ? "US" : "SS", *name = costab_scheme_name(scheme);
    bool named = f->spec->planar.scheme_count > 1;
    char plain[64];
    snprintf(plain, sizeof plain, "%s%sA%s = ", named ? name : "", named ? ": " : "", what);
    if (room < note_width(plain) + LETTER_CM) {
        snprintf(note->shown, sizeof note->shown, "∞");
        snprintf(note->shown_tex, sizeof note->shown_tex, "$\\infty$");
        return;
    }
    snprintf(note->shown, sizeof note->shown, "%s%s{/:Italic A}_{%s} = ∞", named ? name : "",
             named ? ": " : "", what);
    snprintf(note->shown_tex, sizeof note->shown_tex, "%s%s$A_{\\mathrm{%s}} = \\infty$", named ? name : "",
             named ? ": " : "", what);
}

/* Where a scheme's areas are infinite: a band, and a bar at the top for each area. */
static costab_status draw_infinite(const pen *p, costab_scheme scheme, costab_error *error) {
    const struct area_figure *areas = p->f->areas;
    const outline_box *box = &p->panel->frame.box;
    outline bands = {0}, bars = {0};
    costab_status status = COSTAB_OK;
    for (int i = 0; i < areas->count; i++) {
        const area_curve *curve = &areas->curve[i];
        double y = box->delta[1] * (1 - bar_depth(areas, p->panel, areas->level[i]));
        for (size_t k = 0; k < curve->count && !status && areas->scheme[i] == scheme; k++) {
            const area_stretch *s = &curve->stretches[k];
            if (s->kind != AREA_INFINITE) continue;
            outline_box band = {{s->from, s->to}, {box->delta[0], box->delta[1]}};
            status = pen_add_box(&bands, &band, error);
            if (!status) status = pen_add_line(&bars, s->from, y, s->to, y, error);
            add_note(p, curve, scheme, s->from, s->to, y);
        }
    }
    figure_key key = (figure_key)(KEY_INFINITE_SIMULATION + (int)scheme);
    if (!status) pen_fill(p, key, &bands);
    if (!status) pen_curve(p, key, &bars);
    outline_free(&bands);
    outline_free(&bars);
    return status;
}

/* The area at an end of a stretch as the panel shows it. */
static double end_value(const area_stretch *s, int end, double top) {
    if (s->kind == AREA_INFINITE || s->diverges[end]) return top;
    if (s->kind == AREA_ZERO || s->count == 0) return 0;
    return fmin(s->area[end ? s->count - 1 : 0], top);
}

static costab_status draw_jumps(const pen *p, costab_error *error) {
    const struct area_figure *areas = p->f->areas;
    double top = p->panel->frame.box.delta[1];
    outline jumps = {0};
    costab_status status = COSTAB_OK;
    for (int i = 0; i < areas->count; i++) {
        const area_curve *curve = &areas->curve[i];
        for (size_t k = 0; k + 1 < curve->count && !status; k++) {
            double left = end_value(&curve->stretches[k], 1, top);
            double right = end_value(&curve->stretches[k + 1], 0, top);
            double at = curve->stretches[k].to;
            if (fabs(left - right) > JUMP * top)
                status = pen_add_line(&jumps, at, fmin(left, right), at, fmax(left, right), error);
        }
    }
    if (!status) pen_curve(p, KEY_JUMP, &jumps);
    outline_free(&jumps);
    return status;
}

static costab_status draw_curve(const pen *p, int i, costab_error *error) {
    const struct area_figure *areas = p->f->areas;
    const area_curve *curve = &areas->curve[i];
    outline_box box = p->panel->frame.box;
    box.delta[1] = area_figure_shelf(p->f, p->panel);
    outline line = {0};
    costab_status status = COSTAB_OK;
    for (size_t k = 0; k < curve->count && !status; k++) {
        const area_stretch *s = &curve->stretches[k];
        status = clip_polyline(s->a, s->area, s->count, &box, &line, error);
        if (!status && line.loop_count > 0)
            status = outline_simplify_last(&line, &box, 0.1 * TOLERANCE, error);
    }
    figure_key first = curve->us ? KEY_AREA_US_SIMULATION : KEY_AREA_SIMULATION;
    if (!status) pen_curve(p, (figure_key)((int)first + (int)areas->scheme[i]), &line);
    outline_free(&line);
    return status;
}

/* The line above which there are no numbers, but infinity. */
static costab_status draw_shelf(const pen *p, costab_error *error) {
    const outline_box *box = &p->panel->frame.box;
    double y = area_figure_shelf(p->f, p->panel);
    outline line = {0};
    costab_status status = COSTAB_OK;
    if (y < box->delta[1]) status = pen_add_line(&line, box->gamma[0], y, box->gamma[1], y, error);
    if (!status) pen_curve(p, KEY_SHELF, &line);
    outline_free(&line);
    return status;
}

costab_status area_figure_draw(const pen *p, costab_error *error) {
    costab_status status = draw_shelf(p, error);
    for (int s = 0; s < p->f->spec->planar.scheme_count && !status; s++)
        status = draw_infinite(p, p->f->spec->planar.schemes[s], error);
    if (!status) status = draw_jumps(p, error);
    for (int i = 0; i < p->f->areas->count && !status; i++) status = draw_curve(p, i, error);
    return status;
}
