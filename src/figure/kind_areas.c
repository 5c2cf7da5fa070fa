/* Kind `areas`: A_SS and A_US against a, all schemes in one panel, and those that are small beside the
 * others in another.
 *   1. Each curve is the stored areas joined by stretches without a critical value of a
 *      (area/area_curve.c), with its limits, jumps and infinite parts.
 *   2. Stretches are refined by exact areas until straight segments are within TOLERANCE of the panel's
 *      height.
 *   3. Infinite areas are bands above the panel; what is small beside the largest has a panel of its own.
 *   4. The legend says which curves the first panel cuts, and why it has nothing of others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "area/area_curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "figure/clip.h"
#include "figure/kinds.h"
#include "figure/read.h"
#include "figure/rich.h"

#define TOLERANCE   2e-4  /* of the figure's height, for straight segments */
#define SMALL       0.04  /* of the largest area: too small to be read beside it */
#define HEADROOM    1.06  /* the axis' end over the largest area */
#define LEVEL       0.085 /* of the panel's height, from one bar of infinity to the next */
#define JUMP        0.02  /* of the panel's height: worth a line */
#define JUMP_PLACES 40    /* on a vertical line where its name may stand */
#define NO_LINE     255   /* vertical lines are no obstacles */
#define CURVES_MAX  (2 * COSTAB_SCHEME_COUNT)

/* A_SS or A_US of one scheme. */
typedef struct scheme_area {
    area_curve curve;
    costab_scheme scheme;
    int level;      /* of the curve's bars of infinity, from 1 on; 0: none */
    char style[24]; /* of the curve */
} scheme_area;

typedef struct area_figure {
    const figure_request *request;
    scene *s;
    costab_planar planar[COSTAB_SCHEME_COUNT];
    int count, levels; /* curves; bars of infinity above each other */
    scheme_area of[CURVES_MAX];
    double top, small_top; /* the largest area; the largest of those too small beside it */
} area_figure;

/* A panel: its numbers end at the shelf, above it is infinity. */
typedef struct area_panel {
    area_figure *f;
    scene_panel *panel;
    double shelf;
} area_panel;

/* ---- Reading */

static bool has_infinity(const area_curve *curve) {
    for (size_t i = 0; i < curve->count; i++)
        if (curve->stretches[i].kind == AREA_INFINITE) return true;
    return false;
}

/* A curve goes by the colour of its scheme; A_US is thinner, and has dashes of its own. */
static void define_styles(area_figure *f, scheme_area *item, bool us) {
    static const char *const dashes[COSTAB_SCHEME_COUNT] = {"'_'", "'.'", "1", "'-'"};
    static const char *const tints[COSTAB_SCHEME_COUNT] = {"#e6f0f7", "#eeeeee", "#e3f4ee", "#fbeadf"};
    const char *scheme = costab_scheme_name(item->scheme);
    const scene_style *base = scene_style_named(f->s, scheme);
    char infinite[SCENE_WORD_MAX], legend[80];
    if (!base) return;
    snprintf(item->style, sizeof item->style, "area_%s%s", us ? "us_" : "", scheme);
    snprintf(infinite, sizeof infinite, "infinite_%s", scheme);
    snprintf(legend, sizeof legend, RICH_ITALIC("A") RICH_INDEX("%s") ", %s", us ? "US" : "SS", scheme);
    const scene_style band = {.name = infinite,
                              .words = "where an area is infinite",
                              .tint = tints[item->scheme],
                              .line = base->line,
                              .width = 1.2,
                              .dash = base->dash};
    /* Where only A_SS is drawn, its name stands at the axis alone. */
    const scene_style curve = {.name = item->style,
                               .words = us ? "A_US of the scheme" : "A_SS of the scheme",
                               .line = base->line,
                               .width = us ? 0.7 : base->width,
                               .dash = us ? dashes[item->scheme] : base->dash,
                               .legend = f->request->us ? legend : scheme};
    scene_define(f->s, &band);
    scene_define(f->s, &curve);
}

static costab_status add_curve(area_figure *f, int s, bool us, costab_error *error) {
    const costab_spec *spec = f->request->spec;
    const costab_plan *plan = f->request->plan;
    int along = costab_plan_axis(plan, "a");
    if (along < 0 || plan->axes[along].count != spec->axes[COSTAB_AXIS_A].count)
        return error_invalid(error, "%s: the areas do not fit the axis a", f->request->path);
    size_t at[COSTAB_AXES_MAX] = {(size_t)s};
    memory_local double *values = NULL;
    const char *field = us ? "area_us" : "area_ss";
    TRY(read_numbers(f->request->results, field, at, &along, 1, &values, error));
    scheme_area *item = &f->of[f->count++];
    item->scheme = spec->planar.schemes[s];
    TRY(area_curve_make(&f->planar[s], us, spec->axes[COSTAB_AXIS_A].count, spec->axes[COSTAB_AXIS_A].values,
                        values, &item->curve, error));
    if (has_infinity(&item->curve)) item->level = ++f->levels;
    define_styles(f, item, us);
    return COSTAB_OK;
}

/* The largest area that is to be seen. Curves that grow without bound have a say only where they would be too
 * small else. */
static void find_tops(area_figure *f) {
    double bounded = 0, diverging = 0;
    for (int i = 0; i < f->count; i++) {
        double b, d;
        area_curve_largest(&f->of[i].curve, &b, &d);
        bounded = fmax(bounded, b);
        diverging = fmax(diverging, d);
    }
    f->top = bounded > 0.25 * diverging ? bounded : diverging;
    if (!(f->top > 0)) f->top = 1;
    for (int i = 0; i < f->count; i++) {
        for (size_t k = 0; k < f->of[i].curve.count; k++) {
            const area_stretch *s = &f->of[i].curve.stretches[k];
            double largest = 0;
            for (size_t j = 0; j < s->count; j++) largest = fmax(largest, s->area[j]);
            if (!s->diverges[0] && !s->diverges[1] && largest < SMALL * f->top)
                f->small_top = fmax(f->small_top, largest);
        }
    }
    const costab_figure_range *asked = &f->request->figure->y;
    if (asked->from < asked->to && asked->to > 0) f->top = asked->to / HEADROOM;
    if (!f->request->us || asked->from < asked->to) f->small_top = 0;
}

static costab_status gather(area_figure *f, costab_error *error) {
    for (int s = 0; s < f->request->spec->planar.scheme_count; s++) {
        if (figure_leaves_out(f->request, 0, (size_t)s)) continue;
        TRY(costab_spec_planar(f->request->spec, s, &f->planar[s], error));
        for (int us = 0; us < 1 + f->request->us; us++) TRY(add_curve(f, s, us == 1, error));
    }
    find_tops(f);
    for (int i = 0; i < f->count; i++) {
        TRY(area_curve_refine(&f->of[i].curve, HEADROOM * f->top, TOLERANCE, error));
        if (f->small_top > 0)
            TRY(area_curve_refine(&f->of[i].curve, HEADROOM * f->small_top, TOLERANCE, error));
    }
    return COSTAB_OK;
}

/* ---- Drawing */

/* From the panel's upper side to the bar of a level, as a fraction of its height. */
static double bar_depth(const area_figure *f, int level) {
    return fmin(LEVEL, 0.5 / fmax(1, f->levels)) * (level - 0.35);
}

/* What a bar says, as much as there is room for. */
static void add_note(const area_panel *p, const scheme_area *item, const area_stretch *stretch, double y) {
    char words[96];
    bool named = p->f->request->spec->planar.scheme_count > 1;
    snprintf(words, sizeof words, "%s%s" RICH_ITALIC("A") RICH_INDEX("%s") " = ∞",
             named ? costab_scheme_name(item->scheme) : "", named ? ": " : "", item->curve.us ? "US" : "SS");
    const scene_text note = {.x = 0.5 * (stretch->from + stretch->to),
                             .y = y,
                             .room = stretch->to - stretch->from,
                             .shown = words,
                             .brief = "∞"};
    scene_put_text(p->panel, &note);
}

/* Where a scheme's areas are infinite: a band, and a bar at the top for each area. */
static void draw_infinite(const area_panel *p, costab_scheme scheme) {
    const double *range = p->panel->y.range;
    outline bands = {0}, bars = {0};
    for (int i = 0; i < p->f->count; i++) {
        const scheme_area *item = &p->f->of[i];
        double y = range[1] - (range[1] - range[0]) * bar_depth(p->f, item->level);
        for (size_t k = 0; k < item->curve.count && item->scheme == scheme; k++) {
            const area_stretch *s = &item->curve.stretches[k];
            if (s->kind != AREA_INFINITE) continue;
            scene_box(&bands, s->from, range[0], s->to, range[1]);
            scene_line(&bars, s->from, y, s->to, y);
            add_note(p, item, s, y);
        }
    }
    char style[SCENE_WORD_MAX];
    snprintf(style, sizeof style, "infinite_%s", costab_scheme_name(scheme));
    scene_put(p->panel, SCENE_FILL, style, &bands);
    scene_put(p->panel, SCENE_CURVE, style, &bars);
}

/* The area at an end of a stretch as the panel shows it. */
static double end_value(const area_stretch *s, int end, const double *y) {
    if (s->kind == AREA_INFINITE || s->diverges[end]) return y[1];
    if (s->kind == AREA_ZERO || s->count == 0) return fmax(0, y[0]);
    return fmax(fmin(s->area[end ? s->count - 1 : 0], y[1]), y[0]);
}

/* The place of a vertical line, where there is room on it. */
static void name_jump(const area_panel *p, double at, double low, double high) {
    char number[RICH_NUMBER_MAX], words[64];
    (void)text_format(words, sizeof words, RICH_ITALIC("a") " = %s", rich_rounded(at, 4, number));
    scene_text item = {
        .anchor = SCENE_ALONG, .side = 1, .own = NO_LINE, .bare = true, .size = 0.8, .shown = words};
    for (int k = 0; k < p->panel->text_count; k++)
        if (strcmp(p->panel->texts[k].shown, words) == 0) return;
    for (int i = 0; i <= JUMP_PLACES; i++)
        outline_add_point(&item.where, at, low + (high - low) * i / JUMP_PLACES, OUTLINE_CUT);
    outline_add_loop(&item.where, 0, OUTLINE_CUT, false);
    scene_put_text(p->panel, &item);
}

static void draw_jumps(const area_panel *p) {
    const double *y = p->panel->y.range;
    outline jumps = {0};
    for (int i = 0; i < p->f->count; i++) {
        const area_curve *curve = &p->f->of[i].curve;
        for (size_t k = 0; k + 1 < curve->count; k++) {
            double left = end_value(&curve->stretches[k], 1, y);
            double right = end_value(&curve->stretches[k + 1], 0, y);
            double at = curve->stretches[k].to, low = fmin(left, right), high = fmax(left, right);
            if (high - low <= JUMP * (y[1] - y[0])) continue;
            scene_line(&jumps, at, low, at, high);
            if (at != 0) name_jump(p, at, low, fmin(high, p->shelf));
        }
    }
    scene_put(p->panel, SCENE_CURVE, "jump", &jumps);
}

/* Remarks on a curve that the panel cuts, or has nothing of. */
static void remark_on_curve(const area_panel *p, const scheme_area *item, bool drawn) {
    const double *x = p->panel->x.range;
    unsigned kinds = 0;
    bool cut = false;
    for (size_t k = 0; k < item->curve.count; k++) {
        const area_stretch *s = &item->curve.stretches[k];
        if (s->to < x[0] || s->from > x[1]) continue;
        kinds |= 1U << (s->kind == AREA_FINITE && s->count == 0 ? AREA_ZERO : s->kind);
        for (size_t i = 0; i < s->count; i++)
            cut |= s->a[i] >= x[0] && s->a[i] <= x[1] && s->area[i] > p->shelf;
    }
    char number[RICH_NUMBER_MAX], words[RICH_NUMBER_MAX + 8];
    (void)text_format(words, sizeof words, "cut at %s", rich_rounded(p->shelf, 3, number));
    if (drawn && cut) scene_remark_on(p->panel, item->style, words);
    if (drawn) return;
    scene_remark_on(p->panel, item->style,
                    kinds == 1U << AREA_ZERO       ? "zero"
                    : kinds == 1U << AREA_INFINITE ? "infinite"
                                                   : "outside the range shown");
}

static void draw_curve(const area_panel *p, const scheme_area *item, bool magnified) {
    outline_box box = scene_window(p->panel);
    outline line = {0};
    box.y[1] = p->shelf;
    for (size_t k = 0; k < item->curve.count; k++) {
        const area_stretch *s = &item->curve.stretches[k];
        clip_polyline(s->a, s->area, s->count, &box, &line);
        outline_simplify_last(&line, &box, 0.1 * TOLERANCE);
    }
    if (!magnified) remark_on_curve(p, item, line.loop_count > 0);
    outline_append(&p->panel->obstacles, &line);
    scene_put(p->panel, SCENE_CURVE, item->style, &line);
}

/* The line above which there are no numbers, but infinity. */
static void draw_shelf(const area_panel *p) {
    const double *x = p->panel->x.range;
    outline line = {0};
    if (p->shelf < p->panel->y.range[1]) scene_line(&line, x[0], p->shelf, x[1], p->shelf);
    scene_put(p->panel, SCENE_CURVE, "shelf", &line);
}

static void add_panel(area_figure *f, bool magnified) {
    area_panel p = {f, scene_add_panel(f->s), HEADROOM * (magnified ? f->small_top : f->top)};
    scene_axis *x = &p.panel->x, *y = &p.panel->y;
    double bars = f->levels > 0 ? bar_depth(f, f->levels + 1) : 0;
    x->range[0] = f->of[0].curve.from;
    x->range[1] = f->of[0].curve.to;
    figure_ask_range(&f->request->figure->x, x->range);
    figure_ask_range(&f->request->figure->y, y->range);
    y->range[1] = y->range[0] + (p.shelf - y->range[0]) / (1 - bars);
    y->last_number = p.shelf;
    x->label = RICH_ITALIC("a");
    y->label = f->request->us ? "area " RICH_ITALIC("A") RICH_INDEX("SS") ", " RICH_ITALIC("A")
                                    RICH_INDEX("US")
                              : "area " RICH_ITALIC("A") RICH_INDEX("SS");
    p.panel->caption = magnified ? "magnified" : NULL;
    draw_shelf(&p);
    for (int s = 0; s < f->request->spec->planar.scheme_count; s++)
        draw_infinite(&p, f->request->spec->planar.schemes[s]);
    draw_jumps(&p);
    for (int i = 0; i < f->count; i++) draw_curve(&p, &f->of[i], magnified);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    memory_local_array(area_figure, f, 1, error);
    f->request = r;
    f->s = s;
    costab_status status = gather(f, error);
    for (int i = 0; i < 1 + (f->small_top > 0) && !status; i++) add_panel(f, i == 1);
    for (int i = 0; i < f->count; i++) area_curve_free(&f->of[i].curve);
    return status;
}

const figure_kind kind_areas = {.name = "areas",
                                .fields = {"area_ss"},
                                .without = "draws the field 'areas'; write 'fields: [areas]'",
                                .wide = 1,
                                .narrow = "draws areas against a; give the axis a more values",
                                .overlaid = true,
                                .alone = true,
                                .window = true,
                                .build = build};
