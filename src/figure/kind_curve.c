/* Kind `curve`: a field along one axis, a curve for each coupling and each value of a second axis.
 *   1. The vertical range of a radius includes its limit 1. It shows all values up to 3 times the least
 * value, or up to 3 if that is more; if values exceed this, it ends at 2 times. Other fields show all finite
 *      values; if one exceeds 1000 times the median, the range ends at 100 times the median. Their axis is
 *      logarithmic if positive values spread by more than a factor of 30 and the user's range begins above 0.
 *      The legend says which curves are cut or invisible.
 *   2. A curve connects the samples and the stored crossings of the limit; the crossings are dots.
 *   3. The bound of an error is drawn, too, once for neighbouring couplings that share it.
 * Limitation: details between two samples are invisible. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "figure/grid.h"
#include "figure/names.h"
#include "figure/read.h"

#define RADIUS_WHOLE 3.0   /* times the least radius: radii up to here are shown whole, */
#define RADIUS_CUT   2.0   /* otherwise the range ends here */
#define DECADES      30.0  /* ratio of the values from which the axis is logarithmic */
#define FAR          1e3   /* medians: larger values are cut, */
#define CUT          100.0 /* here */
#define MARGIN       0.06  /* of the range */

static const char *fault(const figure_request *r) {
    return figure_has_field(r, "computed") ? "'curve' needs the field at every point; leave 'refine' out"
                                           : NULL;
}

/* A panel and the stored fields of its curves. */
typedef struct curve_panel {
    const figure_request *request;
    scene_panel *panel;
    grid_frame frame; /* the field and the axis */
    unsigned curves;  /* the axes whose values make curves, as bits 1 << number */
    int count;        /* of curves */
    grid *each;       /* of each curve */
} curve_panel;

/* ---- The vertical range */

/* [in, out] *low, *high: extended to all finite values and bounds. [out] *median: of their magnitudes. */
static costab_status find_extent(const curve_panel *p, double *low, double *high, double *median,
                                 costab_error *error) {
    size_t count = 0, points = p->frame.x.count;
    memory_local_array(double, sizes, 2 * points * (size_t)p->count, error);
    for (int c = 0; c < p->count; c++) {
        const double *both[2] = {p->each[c].of.values, p->each[c].bound};
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; both[k] && i < points; i++) {
                if (!isfinite(both[k][i])) continue;
                *low = fmin(*low, both[k][i]);
                *high = fmax(*high, both[k][i]);
                sizes[count++] = fabs(both[k][i]);
            }
    }
    number_sort(sizes, count);
    *median = count > 0 ? sizes[count / 2] : 0;
    return COSTAB_OK;
}

/* [out] range: of a radius with values from `least` to `most`, including its limit 1. */
static void radius_range(double least, double most, double *range) {
    const double low = fmin(1, least), top = isfinite(least) && least > 1 ? RADIUS_CUT * least : RADIUS_CUT;
    double high = fmax(1, most);
    if (high > RADIUS_WHOLE * top / RADIUS_CUT) high = top;
    const double margin = high > low ? MARGIN * (high - low) : 0.1;
    range[0] = low;
    range[1] = high;
    scene_take_zero(range);
    if (range[0] != 0) range[0] -= margin;
    range[1] += margin;
}

static costab_status choose_range(curve_panel *p, costab_error *error) {
    scene_axis *y = &p->panel->y;
    const figure_field *of = p->frame.of;
    double low = HUGE_VAL, high = -HUGE_VAL, median;
    TRY(find_extent(p, &low, &high, &median, error));
    if (of->reference && of->limit > 0) {
        radius_range(low, high, y->range);
        return COSTAB_OK;
    }
    const costab_figure_range *chosen = &p->request->figure->y;
    const bool given = chosen->from < chosen->to; /* by the user; take_range takes it */
    y->log = of->decades && low > 0 && high > DECADES * low && (!given || chosen->from > 0);
    if (!(low <= high)) low = high = y->log;
    if (!given && median > 0 && fmax(-low, high) > FAR * median) {
        high = fmin(high, CUT * median);
        low = fmax(low, -CUT * median);
        scene_note(p->panel->scene, "Values beyond 100 times the median of all are cut.");
    }
    if (of->reference && !y->log) {
        low = fmin(of->limit, low);
        high = fmax(of->limit, high);
    }
    low = y->range[0] = y->log ? log10(low) : low;
    high = y->range[1] = y->log ? log10(high) : high;
    if (!y->log) scene_take_zero(y->range);
    const double margin = high > low ? MARGIN * (high - low) : low != 0 && !y->log ? 0.1 * fabs(low) : 0.1;
    if (y->log || y->range[0] != 0 || high == 0) y->range[0] -= margin;
    if (y->log || y->range[1] != 0) y->range[1] += margin;
    return COSTAB_OK;
}

/* Replaces the range by the user's, if there is one. */
static void take_range(curve_panel *p) {
    const costab_figure_range *chosen = &p->request->figure->y;
    scene_axis *y = &p->panel->y;
    if (!(chosen->from < chosen->to)) return;
    y->range[0] = scene_place(y, chosen->from);
    y->range[1] = scene_place(y, chosen->to);
}

/* ---- Curves */

/* Adds a remark if the window shows no part of a curve, or if the chosen range cuts it. */
static void remark_on_curve(const curve_panel *p, const char *style, const double *x, const double *y,
                            size_t count) {
    const scene_axis *to = &p->panel->y;
    size_t numbers = 0, end = 2;
    for (size_t i = 0; i < count; i++) {
        if (isnan(y[i]) || x[i] < p->panel->x.range[0] || x[i] > p->panel->x.range[1]) continue;
        numbers++;
        if (y[i] < to->range[0]) end = 0;
        if (y[i] > to->range[1]) end = 1;
    }
    const bool drawn = scene_crosses(p->panel, x, y, count);
    if (numbers == 0) scene_remark_on(p->panel, style, "no values");
    if (numbers > 0 && !drawn) scene_remark_on(p->panel, style, "outside the range shown");
    if (drawn && end < 2 && !(p->request->figure->y.from < p->request->figure->y.to))
        scene_remark_cut(p->panel, style, scene_value(to, to->range[end]));
}

static costab_status draw_curve(const curve_panel *p, int number, costab_error *error) {
    const grid_axis *axis = &p->frame.x;
    const grid_field *of = &p->each[number].of;
    memory_local_array(double, x, 4 * axis->count, error);
    double *y = x + 2 * axis->count;
    outline line = {0}, dots = {0};
    char style[SCENE_WORD_MAX];
    size_t count = 0;
    for (size_t i = 0; i < axis->count; i++) {
        x[count] = axis->places[i];
        y[count++] = scene_place(&p->panel->y, of->values[i]);
        const double one =
            i + 1 < axis->count && of->one_x ? grid_crossing(axis, i, of->one_x, i) : (double)NAN;
        if (isnan(one)) continue;
        x[count] = one;
        y[count++] = p->frame.of->limit;
        if (scene_shows(p->panel, one, p->frame.of->limit))
            outline_add_point(&dots, one, p->frame.of->limit, OUTLINE_CUT);
    }
    snprintf(style, sizeof style, "c%d", number + 1);
    scene_mention(p->panel->scene, style);
    remark_on_curve(p, style, x, y, count);
    scene_polyline(&line, x, y, count);
    scene_lone(p->panel, x, y, count, &dots);
    scene_put(p->panel, SCENE_CURVE, style, &line);
    scene_put_points(p->panel, style, &dots);
    return COSTAB_OK;
}

/* Draws the bounds of errors, which depend on the coupling by its macro step alone. */
static costab_status draw_bounds(const curve_panel *p, costab_error *error) {
    const size_t count = p->frame.x.count;
    memory_local_array(double, y, count, error);
    outline line = {0}, dots = {0};
    for (int c = 0; c < p->count; c++) {
        const double *bound = p->each[c].bound, *before = c > 0 ? p->each[c - 1].bound : NULL;
        if (!bound || (before && memcmp(bound, before, count * sizeof *bound) == 0)) continue;
        for (size_t i = 0; i < count; i++) y[i] = scene_place(&p->panel->y, bound[i]);
        remark_on_curve(p, "bound", p->frame.x.places, y, count);
        scene_polyline(&line, p->frame.x.places, y, count);
        scene_lone(p->panel, p->frame.x.places, y, count, &dots);
    }
    scene_put(p->panel, SCENE_CURVE, "bound", &line);
    scene_put_points(p->panel, "bound", &dots);
    return COSTAB_OK;
}

/* ---- Panels */

/* Defines a style for each curve: Okabe and Ito's colours without the yellow; neighbours also differ in grey.
 */
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

static costab_status draw_panel(curve_panel *p, scene *s, const size_t *at, costab_error *error) {
    const figure_request *r = p->request;
    const figure_field *of = p->frame.of;
    size_t here[COSTAB_AXES_MAX];
    outline limit = {0};
    p->panel = figure_panel(r, s, &kind_curve, at);
    grid_set_axes(r, &p->frame, p->panel);
    memcpy(here, at, sizeof here);
    for (int k = 0; k < p->count; k++, figure_next_panel(r, p->curves, here)) {
        grid_free(&p->each[k]);
        TRY(grid_read(r, &p->frame, here, false, &p->each[k], error));
    }
    p->panel->y.label = grid_label(r, s, of, false);
    TRY(choose_range(p, error));
    take_range(p);
    if (of->reference && !p->panel->y.log)
        scene_line(&limit, p->panel->x.range[0], of->limit, p->panel->x.range[1], of->limit);
    scene_put(p->panel, SCENE_CURVE, "unit", &limit);
    TRY(draw_bounds(p, error));
    for (int c = 0; c < p->count; c++) TRY(draw_curve(p, c, error));
    return COSTAB_OK;
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    ends_by(curve_panel_free) curve_panel p = {.request = r, .curves = 1U};
    const unsigned panel_axes = figure_panel_axes(r, &kind_curve);
    size_t at[COSTAB_AXES_MAX];
    figure_first_panel(r, at);
    for (int i = 1; i < r->plan->swept; i++)
        if (i != r->x && (panel_axes >> i & 1U) == 0) p.curves = 1U | 1U << i;
    do p.count++;
    while (figure_next_panel(r, p.curves, at));
    TRY(grid_frame_make(r, false, &p.frame, error));
    TRY(memory_make(&p.each, (size_t)p.count, error));
    define_styles(&p, s);
    do TRY(draw_panel(&p, s, at, error));
    while (figure_next_panel(r, panel_axes, at));
    return COSTAB_OK;
}

const figure_kind kind_curve = {.name = "curve",
                                .systems = FIGURE_NETWORK,
                                .wide = 1,
                                .narrow = "needs an axis of several values",
                                .along = 1,
                                .overlaid = true,
                                .alone = true,
                                .of = true,
                                .fault = fault,
                                .build = build};
