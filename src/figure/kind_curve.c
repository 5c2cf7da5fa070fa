/* Kind `curve`: a field along one axis, a curve for each coupling and each value of a second axis.
 *   1. The vertical range: of a radius from its least value to 2 or 3 times its least, so that its limit is
 *      seen; else all finite values, logarithmic where they spread over decades. Values beyond FAR times the
 *      median are cut. The legend says of which curves something is cut, or nothing is shown.
 *   2. A curve goes from sample to sample in straight lines, and through the places where the sweep found
 *      that the radius passes 1, which are dots.
 *   3. Of an error the bound is drawn, too, once for couplings that share it.
 * Not guaranteed: what lies between two samples is not seen. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "figure/clip.h"
#include "figure/grid.h"
#include "figure/names.h"
#include "figure/read.h"

static const char *fault(const figure_request *r) {
    return figure_has_field(r, "computed") ? "'curve' needs the field at every point; leave 'refine' out"
                                           : NULL;
}

/* ---- What the vertical axis shows */

/* A panel and the grids along x of its curves. */
typedef struct curve_panel {
    const figure_request *request;
    scene_panel *panel;
    outline_box box;  /* its window */
    grid_frame frame; /* the field, and the axis */
    unsigned curves;  /* the axes whose values make curves, as bits 1 << number */
    int count;        /* of curves */
    grid *each;       /* of each curve */
} curve_panel;

typedef struct extent {
    double low, high; /* of the finite values, the bounds of errors too; infinite where there are none */
    double middle;    /* the median of their sizes */
} extent;

static costab_status find_extent(const curve_panel *p, extent *e, costab_error *error) {
    size_t count = 0, points = p->frame.x.count;
    memory_local_array(double, sizes, 2 * points * (size_t)p->count, error);
    *e = (extent){HUGE_VAL, -HUGE_VAL, 0};
    for (int c = 0; c < p->count; c++) {
        const double *both[2] = {p->each[c].drawn, p->each[c].bound};
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; both[k] && i < points; i++) {
                if (!isfinite(both[k][i])) continue;
                e->low = fmin(e->low, both[k][i]);
                e->high = fmax(e->high, both[k][i]);
                sizes[count++] = fabs(both[k][i]);
            }
    }
    number_sort(sizes, count);
    if (count > 0) e->middle = sizes[count / 2];
    return COSTAB_OK;
}

#define CURVE_WHOLE 3.0 /* a radius up to this is shown whole */
#define CURVE_CUT   2.0 /* else what is above this leaves the panel */

static void radius_range(double least, double most, double *range) {
    double low = fmin(1, least), high = fmax(1, most), top = CURVE_CUT;
    if (isfinite(least) && least > 1) top = CURVE_CUT * least;
    if (high > CURVE_WHOLE * top / CURVE_CUT) high = top;
    double margin = 0.06 * (high - low);
    if (!(margin > 0)) margin = 0.1;
    range[0] = low;
    range[1] = high;
    scene_take_zero(range);
    if (range[0] != 0) range[0] -= margin;
    range[1] += margin;
}

#define DECADES 30.0 /* values farther apart than this factor */
#define FAR     1e3  /* medians: values beyond crush the others */
#define CUT     100.0

/* Values that diverge would crush the others: the range ends at a multiple of the median, which the figure
 * says. */
static void cut(const extent *e, scene *s, double *low, double *high) {
    if (!(e->middle > 0) || fmax(-*low, *high) <= FAR * e->middle) return;
    *high = fmin(*high, CUT * e->middle);
    *low = fmax(*low, -CUT * e->middle);
    scene_note(s, "Values beyond 100 times the median of all are cut.");
}

/* The range that was asked for, in places. */
static void set_range(const costab_figure_range *given, scene_axis *y) {
    const double range[2] = {given->from, given->to};
    for (int k = 0; k < 2 && range[0] < range[1] && (!y->log || range[0] > 0); k++)
        y->range[k] = y->log ? log10(range[k]) : range[k];
}

static costab_status choose_range(curve_panel *p, costab_error *error) {
    scene_axis *y = &p->panel->y;
    const costab_figure_range *given = &p->request->figure->y;
    const figure_field *of = p->frame.of;
    extent e = {0, 0, 0};
    TRY(find_extent(p, &e, error));
    if (of->reference && of->limit > 0) {
        radius_range(e.low, e.high, y->range);
        set_range(given, y);
        return COSTAB_OK;
    }
    y->log = of->decades && e.low > 0 && e.high > DECADES * e.low;
    double low = e.low, high = e.high;
    if (!(low <= high)) low = high = y->log;
    cut(&e, p->panel->scene, &low, &high);
    if (y->log) {
        low = log10(low);
        high = log10(high);
    } else if (of->reference) {
        low = fmin(of->limit, low);
        high = fmax(of->limit, high);
    }
    y->range[0] = low;
    y->range[1] = high;
    if (!y->log) scene_take_zero(y->range);
    double margin = high > low ? 0.06 * (high - low) : low != 0 && !y->log ? 0.1 * fabs(low) : 0.1;
    if (y->log || y->range[0] != 0 || high == 0) y->range[0] -= margin;
    if (y->log || y->range[1] != 0) y->range[1] += margin;
    set_range(given, y);
    return COSTAB_OK;
}

/* ---- Curves */

/* The samples with the crossings between them; these in `dots` too. Returns their number. */
static size_t gather(const curve_panel *p, const grid *g, double *x, double *y, outline *dots) {
    size_t count = 0;
    for (size_t i = 0; i < g->x.count; i++) {
        x[count] = g->x.places[i];
        y[count++] = scene_place(&p->panel->y, g->drawn[i]);
        if (i + 1 == g->x.count || !g->ones) continue;
        double one = grid_crossing(&g->x, i, g->ones->one_x, i);
        if (isnan(one)) continue;
        x[count] = one;
        y[count++] = 1;
        if (one >= p->box.x[0] && one <= p->box.x[1]) outline_add_point(dots, one, 1, OUTLINE_CUT);
    }
    return count;
}

/* Remarks on a curve of which the window shows nothing, or not all: its y at `count` places x. */
static void remark_on_curve(const curve_panel *p, const char *style, const double *x, const double *y,
                            size_t count, bool drawn) {
    const double *range = p->box.y;
    size_t numbers = 0, end = 2;
    for (size_t i = 0; i < count; i++) {
        if (isnan(y[i]) || x[i] < p->box.x[0] || x[i] > p->box.x[1]) continue;
        numbers++;
        if (y[i] < range[0]) end = 0;
        if (y[i] > range[1]) end = 1;
    }
    if (numbers == 0) scene_remark_on(p->panel, style, "no values");
    if (numbers > 0 && !drawn) scene_remark_on(p->panel, style, "outside the range shown");
    if (!drawn || end == 2 || p->request->figure->y.from < p->request->figure->y.to) return;
    char number[NAMES_NUMBER_MAX], words[NAMES_NUMBER_MAX + 8];
    (void)text_format(words, sizeof words, "cut at %s",
                      names_rounded(scene_value(&p->panel->y, range[end]), 3, number));
    scene_remark_on(p->panel, style, words);
}

static costab_status draw_curve(const curve_panel *p, int number, costab_error *error) {
    const grid *g = &p->each[number];
    memory_local_array(double, x, 4 * g->x.count, error);
    outline line = {0}, dots = {0};
    char style[SCENE_WORD_MAX];
    double *y = x + 2 * g->x.count;
    size_t count = gather(p, g, x, y, &dots);
    clip_polyline(x, y, count, &p->box, &line);
    snprintf(style, sizeof style, "c%d", number + 1);
    scene_mention(p->panel->scene, style);
    remark_on_curve(p, style, x, y, count, line.loop_count + dots.loop_count + dots.point_count > 0);
    scene_put(p->panel, SCENE_CURVE, style, &line);
    scene_put_points(p->panel, style, &dots);
    return COSTAB_OK;
}

/* The bounds, which do not depend on the coupling but by its macro step. */
static costab_status draw_bounds(const curve_panel *p, costab_error *error) {
    size_t count = p->frame.x.count;
    memory_local_array(double, y, count, error);
    outline line = {0};
    for (int c = 0; c < p->count; c++) {
        const double *bound = p->each[c].bound, *before = c > 0 ? p->each[c - 1].bound : NULL;
        if (!bound || (before && memcmp(bound, before, count * sizeof *bound) == 0)) continue;
        for (size_t i = 0; i < count; i++) y[i] = scene_place(&p->panel->y, bound[i]);
        size_t before_this = line.loop_count;
        clip_polyline(p->frame.x.places, y, count, &p->box, &line);
        remark_on_curve(p, "bound", p->frame.x.places, y, count, line.loop_count > before_this);
    }
    scene_put(p->panel, SCENE_CURVE, "bound", &line);
    return COSTAB_OK;
}

static costab_status draw(curve_panel *p, costab_error *error) {
    const double *x = p->panel->x.range, at = p->frame.of->limit;
    outline line = {0};
    p->box = scene_window(p->panel);
    if (p->frame.of->reference && !p->panel->y.log) scene_line(&line, x[0], at, x[1], at);
    scene_put(p->panel, SCENE_CURVE, "unit", &line);
    TRY(draw_bounds(p, error));
    for (int c = 0; c < p->count; c++) TRY(draw_curve(p, c, error));
    return COSTAB_OK;
}

/* ---- Panels */

/* A style for every coupling and value of the axis that makes curves: Okabe and Ito's colours without the
 * yellow, in an order in which neighbours differ in grey too. */
static void define_styles(const curve_panel *p, scene *s) {
    static const char *const colours[] = {"#000000", "#d55e00", "#0072b2", "#009e73",
                                          "#cc79a7", "#56b4e9", "#e69f00"};
    const figure_request *r = p->request;
    size_t at[COSTAB_AXES_MAX];
    figure_first_panel(r, at);
    for (int k = 0; k < p->count; k++, figure_next_panel(r, p->curves, at)) {
        char name[SCENE_WORD_MAX];
        scene_style style = {.name = name, .line = colours[k % 7], .point = 7, .size = 0.4};
        text legend = {0};
        snprintf(name, sizeof name, "c%d", k + 1);
        scene_tell_apart(&style, k, 1.2, false);
        figure_values_text(r, p->curves, at, &legend);
        if (legend.size == 0) figure_choice(r, r->plan->axes[0].labels[0], &legend);
        style.words = style.legend = scene_keep_text(s, &legend);
        scene_define(s, &style);
    }
}

static void curve_panel_free(curve_panel *p) {
    for (int k = 0; k < p->count && p->each; k++) grid_free(&p->each[k]);
    memory_free(p->each);
    grid_frame_free(&p->frame);
}

/* Reads the curves of a panel, in place of those of the panel before, and draws them. */
static costab_status draw_panel(curve_panel *p, scene *s, const size_t *at, costab_error *error) {
    const figure_request *r = p->request;
    size_t here[COSTAB_AXES_MAX];
    p->panel = grid_panel(r, s, &kind_curve, &p->frame, at);
    memcpy(here, at, sizeof here);
    for (int k = 0; k < p->count; k++, figure_next_panel(r, p->curves, here)) {
        grid_free(&p->each[k]);
        TRY(grid_read(r, &p->frame, here, 0, p->frame.x.count, &p->each[k], error));
        if (!p->each[k].drawn) return read_missing(r->results, r->of, error);
    }
    p->panel->y.label = grid_label(p->request, s, p->frame.of, false);
    TRY(choose_range(p, error));
    return draw(p, error);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    ends_by(curve_panel_free) curve_panel p = {.request = r, .curves = 1U};
    unsigned sliced = figure_sliced(r, &kind_curve);
    size_t at[COSTAB_AXES_MAX];
    figure_first_panel(r, at);
    for (int i = 1; i < r->plan->swept; i++)
        if (i != r->x && (sliced >> i & 1U) == 0) p.curves = 1U | 1U << i;
    do p.count++;
    while (figure_next_panel(r, p.curves, at));
    TRY(grid_frame_make(r, false, &p.frame, error));
    TRY(memory_make(&p.each, (size_t)p.count, error));
    define_styles(&p, s);
    do TRY(draw_panel(&p, s, at, error));
    while (figure_next_panel(r, sliced, at));
    return COSTAB_OK;
}

const figure_kind kind_curve = {.name = "curve",
                                .wide = 1,
                                .narrow = "needs an axis of several values",
                                .along = 1,
                                .overlaid = true,
                                .alone = true,
                                .of = true,
                                .fault = fault,
                                .build = build};
