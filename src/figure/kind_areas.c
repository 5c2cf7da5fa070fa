/* Kind `areas`: the areas A_SS and A_US of the classes SS and US against a, all schemes in one panel. A
 * second panel magnifies curves that are small compared with the others. Of a sweep over gamma and delta the
 * areas in its window are drawn.
 *   1. The points of a curve are the stored areas, and the limits on both sides of each stored critical value
 *      of a. It breaks at critical values and at infinite areas; stretches of zeros are not drawn.
 *   2. Where an area is infinite there is a band, and a bar at the top with its name.
 *   3. A dotted line marks a critical value at which an area jumps or grows without bound.
 *   4. The legend says which curves are cut, zero or infinite in the first panel.
 *
 * Limitation: areas in a window have no stored limits; a jump is a line between the values next to it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define SMALL       0.04  /* of the largest area: too small to be read beside it */
#define HEADROOM    1.06  /* the axis' end over the largest area */
#define LEVEL       0.085 /* of the panel's height, from one bar of infinity to the next */
#define JUMP        0.02  /* of the panel's height: a jump that gets a line */
#define JUMP_PLACES 40    /* candidates for the name on such a line */
#define NO_LINE     255   /* vertical lines are no obstacles */
#define REACH       0.05  /* of the range of a: areas nearer to a pole do not set the axis */
#define STEEP       1.5   /* growth from sample to sample towards a pole without a stored limit */
#define PANEL_CM    6.5   /* estimated width of a panel */

enum { SCHEMES_MOST = 8 };

typedef struct area_point {
    double a, area;
    bool is_limit; /* at a critical value: there are two points, for both sides */
} area_point;

/* A_SS or A_US of one scheme. */
typedef struct area_curve {
    int scheme; /* its number in the plan */
    bool us;
    area_point *points; /* in ascending order of a */
    size_t count;
    int level; /* of its bars of infinity, from 1 on; 0: no infinite area */
    char style[24];
} area_curve;

typedef struct area_figure {
    const figure_request *request;
    scene *s;
    const costab_axis *a, *schemes;
    bool window;       /* areas in the sweep's window */
    int count, levels; /* curves; bars of infinity above each other */
    area_curve of[2 * SCHEMES_MOST];
    double top, small_top; /* the largest area; that of the stretches too small beside it */
} area_figure;

/* ---- Stretches of a curve */

/* Points from..to - 1 with finite areas. A pole: the area grows without bound towards this end. */
typedef struct stretch {
    size_t from, to;
    bool pole[2];
} stretch;

static bool is_break(const area_point *p, const area_point *q) {
    return !isfinite(p->area) || !isfinite(q->area) || p->a == q->a || (p->area == 0 && q->area == 0);
}

/* Returns true if the area at a stretch's end grows towards the infinite point next to it. back: the next
 * point of the stretch. */
static bool is_pole(const area_point *infinite, const area_point *end, const area_point *back) {
    return isinf(infinite->area) && infinite->a != end->a &&
           (infinite->is_limit || end->area > STEEP * back->area);
}

/* Advances to the next stretch; *s is zero before the first. Returns false after the last. */
static bool next_stretch(const area_curve *c, stretch *s) {
    const area_point *p = c->points;
    s->from = s->to;
    while (s->from + 1 < c->count && is_break(&p[s->from], &p[s->from + 1])) s->from++;
    if (s->from + 1 >= c->count) return false;
    s->to = s->from + 1;
    while (s->to < c->count && !is_break(&p[s->to - 1], &p[s->to])) s->to++;
    s->pole[0] = s->from > 0 && is_pole(&p[s->from - 1], &p[s->from], &p[s->from + 1]);
    s->pole[1] = s->to < c->count && is_pole(&p[s->to], &p[s->to - 1], &p[s->to - 2]);
    return true;
}

/* Finds the next interval of infinite areas after *to. Returns false after the last. [out] its points are
 * *from to *to - 1. */
static bool next_infinite(const area_curve *c, size_t *from, size_t *to) {
    for (*from = *to; *from + 1 < c->count; ++*from) {
        for (*to = *from; *to < c->count && isinf(c->points[*to].area);) ++*to;
        if (*to > *from && c->points[*to - 1].a > c->points[*from].a) return true;
    }
    return false;
}

/* ---- Reading */

/* Merges the samples with the limits at the critical values. */
static void merge(const area_figure *f, const double *areas, const double *critical, double *const limit[2],
                  size_t count, area_curve *c) {
    const double *a = f->a->values;
    for (size_t i = 0, k = 0; i < f->a->count || k < count;) {
        const bool is_limit = k < count && (i == f->a->count || critical[k] <= a[i]);
        if (!is_limit || (i < f->a->count && critical[k] == a[i])) i++;
        if (!is_limit) c->points[c->count++] = (area_point){a[i - 1], areas[i - 1], false};
        for (int side = 0; side < 2 && is_limit; side++)
            c->points[c->count++] = (area_point){critical[k], limit[side][k], true};
        k += is_limit;
    }
}

static size_t class_place(const costab_axis *classes, const char *name) {
    size_t i = 0;
    while (i + 1 < classes->count && strcmp(classes->labels[i], name) != 0) i++;
    return i;
}

static costab_status read_curve(const area_figure *f, area_curve *c, costab_error *error) {
    const figure_request *r = f->request;
    const int a = costab_plan_axis(r->plan, "a"), along = costab_plan_axis(r->plan, "critical");
    const int classes = costab_plan_axis(r->plan, "area_class");
    size_t at[COSTAB_AXES_MAX] = {(size_t)c->scheme};
    memory_local double *areas = NULL, *critical = NULL, *left = NULL, *right = NULL;
    const read_item items[] = {{"critical_a", .numbers = &critical, .optional = true},
                               {c->us ? "us_left" : "ss_left", .numbers = &left, .optional = true},
                               {c->us ? "us_right" : "ss_right", .numbers = &right, .optional = true}};
    size_t count = figure_value_count(r, "critical");
    if (f->window) {
        at[classes] = class_place(&r->plan->axes[classes], c->us ? "US" : "SS");
        TRY(read_numbers(r->results, "window_area", at, &a, 1, &areas, error));
    } else {
        TRY(read_numbers(r->results, c->us ? "area_us" : "area_ss", at, &a, 1, &areas, error));
        TRY(read_items(r->results, at, &along, 1, items, 3, error));
    }
    if (!critical || !left || !right) count = 0;
    while (count > 0 && isnan(critical[count - 1])) count--;
    TRY(memory_make(&c->points, f->a->count + 2 * count, error));
    merge(f, areas, critical, (double *const[]){left, right}, count, c);
    return COSTAB_OK;
}

/* A curve has the colour of its scheme; A_US is thinner, with dashes of its own. */
static void define_styles(area_figure *f, area_curve *c) {
    static const struct {
        const char *scheme, *dash, *tint;
    } looks[] = {{"simulation", "'_'", "#e6f0f7"},
                 {"cross", "'.'", "#eeeeee"},
                 {"zigzag", "1", "#e3f4ee"},
                 {"strong", "'-'", "#fbeadf"}};
    const char *scheme = f->schemes->labels[c->scheme];
    const scene_style *base = scene_style_named(f->s, scheme);
    char infinite[SCENE_WORD_MAX], legend[80];
    size_t look = 0;
    while (look < 3 && strcmp(looks[look].scheme, scheme) != 0) look++;
    if (!base) return;
    snprintf(c->style, sizeof c->style, "area_%s%s", c->us ? "us_" : "", looks[look].scheme);
    snprintf(infinite, sizeof infinite, "infinite_%s", looks[look].scheme);
    snprintf(legend, sizeof legend, NAMES_ITALIC("A") NAMES_INDEX("%s") ", %s", c->us ? "US" : "SS",
             looks[look].scheme);
    const scene_style band = {.name = infinite,
                              .words = "an area is infinite",
                              .tint = looks[look].tint,
                              .line = base->line,
                              .width = 1.2,
                              .dash = base->dash};
    /* With A_SS alone, the axis has its name. */
    const scene_style curve = {.name = c->style,
                               .words = c->us ? "A_US of the scheme" : "A_SS of the scheme",
                               .line = base->line,
                               .width = c->us ? 0.7 : base->width,
                               .dash = c->us ? looks[look].dash : base->dash,
                               .legend = f->request->us ? legend : looks[look].scheme};
    scene_define(f->s, &band);
    scene_define(f->s, &curve);
}

/* Sets the tops of both panels. A stretch with a pole counts without the part near the pole, and only if the
 * other stretches are much smaller. */
static void find_tops(area_figure *f) {
    const double reach = REACH * (f->a->values[f->a->count - 1] - f->a->values[0]);
    const costab_figure_range *chosen = &f->request->figure->y;
    double bounded = 0, diverging = 0, largest;
    for (int i = 0; i < f->count; i++)
        for (stretch s = {.to = 0}; next_stretch(&f->of[i], &s);) {
            const area_point *p = f->of[i].points;
            double *top = s.pole[0] || s.pole[1] ? &diverging : &bounded;
            for (size_t k = s.from; k < s.to; k++)
                if ((!s.pole[0] || p[k].a > p[s.from - 1].a + reach) &&
                    (!s.pole[1] || p[k].a < p[s.to].a - reach))
                    *top = fmax(*top, p[k].area);
        }
    f->top = bounded > 0.25 * diverging ? bounded : diverging;
    if (!(f->top > 0)) f->top = 1;
    for (int i = 0; i < f->count; i++)
        for (stretch s = {.to = 0}; next_stretch(&f->of[i], &s);) {
            largest = 0;
            for (size_t k = s.from; k < s.to; k++) largest = fmax(largest, f->of[i].points[k].area);
            if (!s.pole[0] && !s.pole[1] && largest < SMALL * f->top)
                f->small_top = fmax(f->small_top, largest);
        }
    if (chosen->from < chosen->to) f->top = chosen->to / HEADROOM;
    if (!f->request->us || chosen->from < chosen->to) f->small_top = 0;
}

static costab_status gather(area_figure *f, costab_error *error) {
    for (int s = 0; s < (int)f->schemes->count && s < SCHEMES_MOST; s++) {
        if (figure_leaves_out(f->request, 0, (size_t)s)) continue;
        for (int us = 0; us < 1 + f->request->us; us++) {
            area_curve *c = &f->of[f->count++];
            size_t from, to = 0;
            *c = (area_curve){.scheme = s, .us = us == 1};
            TRY(read_curve(f, c, error));
            if (next_infinite(c, &from, &to)) c->level = ++f->levels;
            define_styles(f, c);
        }
    }
    find_tops(f);
    return COSTAB_OK;
}

/* ---- Drawing */

/* Returns the distance from the panel's upper side to the bar of a level, as a fraction of its height. */
static double bar_depth(const area_figure *f, int level) {
    return fmin(LEVEL, 0.5 / fmax(1, f->levels)) * (level - 0.35);
}

/* Names the visible part of a bar, by "∞" alone if that is short. */
static void name_bar(const area_figure *f, scene_panel *p, const area_curve *c, double from, double to,
                     double y) {
    char words[96];
    from = fmax(from, p->x.range[0]);
    to = fmin(to, p->x.range[1]);
    if (!(from < to)) return;
    const bool named = f->schemes->count > 1;
    snprintf(words, sizeof words, "%s%s" NAMES_ITALIC("A") NAMES_INDEX("%s") " = ∞",
             named ? f->schemes->labels[c->scheme] : "", named ? ": " : "", c->us ? "US" : "SS");
    const double space = (to - from) / (p->x.range[1] - p->x.range[0]) * PANEL_CM;
    scene_put_text(
        p, &(scene_text){.x = 0.5 * (from + to), .y = y, .shown = names_width(words) < space ? words : "∞"});
}

/* Draws the bands of a scheme's infinite areas, and a bar at the top for each area. */
static void draw_infinite(const area_figure *f, scene_panel *p, int scheme) {
    const double *range = p->y.range;
    outline bands = {0}, bars = {0};
    char style[SCENE_WORD_MAX];
    for (int i = 0; i < f->count; i++) {
        const area_curve *c = &f->of[i];
        const double y = range[1] - (range[1] - range[0]) * bar_depth(f, c->level);
        for (size_t from, to = 0; c->scheme == scheme && next_infinite(c, &from, &to);) {
            const double left = c->points[from].a, right = c->points[to - 1].a;
            scene_box(&bands, left, range[0], right, range[1]);
            scene_line(&bars, left, y, right, y);
            name_bar(f, p, c, left, right, y);
        }
    }
    snprintf(style, sizeof style, "infinite_%s", f->schemes->labels[scheme]);
    scene_put(p, SCENE_FILL, style, &bands);
    scene_put(p, SCENE_CURVE, style, &bars);
}

static void name_jump(scene_panel *p, double at, double low, double high) {
    char number[NAMES_NUMBER_MAX], words[64];
    (void)text_format(words, sizeof words, NAMES_ITALIC("a") " = %s", names_rounded(at, 4, number));
    scene_text item = {
        .anchor = SCENE_ALONG, .side = 1, .own = NO_LINE, .bare = true, .size = 0.8, .shown = words};
    for (int k = 0; k < p->text_count; k++)
        if (strcmp(p->texts[k].shown, words) == 0) return;
    for (int i = 0; i <= JUMP_PLACES; i++)
        outline_add_point(&item.where, at, low + (high - low) * i / JUMP_PLACES, OUTLINE_CUT);
    outline_add_loop(&item.where, 0, OUTLINE_CUT, false);
    scene_put_text(p, &item);
}

/* Draws lines between the limits on both sides of critical values; an infinite limit is drawn at the panel's
 * upper side. */
static void draw_jumps(const area_figure *f, scene_panel *p) {
    const double *y = p->y.range;
    outline jumps = {0};
    for (int i = 0; i < f->count; i++)
        for (size_t k = 0; k + 1 < f->of[i].count; k++) {
            const area_point *left = &f->of[i].points[k], *right = left + 1;
            const double l = fmax(fmin(left->area, y[1]), y[0]), r = fmax(fmin(right->area, y[1]), y[0]);
            if (left->a != right->a || fabs(l - r) <= JUMP * (y[1] - y[0])) continue;
            scene_line(&jumps, left->a, fmin(l, r), left->a, fmax(l, r));
            if (left->a != 0) name_jump(p, left->a, fmin(l, r), fmax(l, r));
        }
    scene_put(p, SCENE_CURVE, "jump", &jumps);
}

/* Adds a remark on a curve that the panel cuts or does not show. */
static void remark_on_curve(scene_panel *p, const area_curve *c, bool drawn) {
    bool cut = false, zero = true, infinite = true, neither = false;
    for (size_t k = 0; k < c->count; k++) {
        if (c->points[k].a < p->x.range[0] || c->points[k].a > p->x.range[1]) continue;
        zero &= c->points[k].area == 0;
        infinite &= isinf(c->points[k].area);
        neither |= c->points[k].area != 0 && !isinf(c->points[k].area);
        cut |= isfinite(c->points[k].area) && c->points[k].area > p->y.range[1];
    }
    if (drawn && cut) scene_remark_cut(p, c->style, p->y.range[1]);
    if (!drawn)
        scene_remark_on(p, c->style,
                        zero       ? "zero"
                        : infinite ? "infinite"
                        : !neither ? "zero or infinite"
                                   : "outside the range shown");
}

static costab_status draw_curve(scene_panel *p, const area_curve *c, bool magnified, costab_error *error) {
    memory_local_array(double, x, 2 * c->count + 1, error);
    double *y = x + c->count;
    outline line = {0};
    bool drawn = false;
    for (stretch s = {.to = 0}; next_stretch(c, &s);) {
        for (size_t k = s.from; k < s.to; k++) {
            x[k] = c->points[k].a;
            y[k] = c->points[k].area;
        }
        drawn |= scene_crosses(p, x + s.from, y + s.from, s.to - s.from);
        scene_polyline(&line, x + s.from, y + s.from, s.to - s.from);
    }
    if (!magnified) remark_on_curve(p, c, drawn);
    outline_append(&p->obstacles, &line);
    scene_put(p, SCENE_CURVE, c->style, &line);
    return COSTAB_OK;
}

static void note_window(const area_figure *f) {
    const costab_plan *plan = f->request->plan;
    char words[200], ends[4][NAMES_NUMBER_MAX];
    for (int k = 0; k < 2; k++) {
        const costab_axis *axis = &plan->axes[costab_plan_axis(plan, k == 0 ? "gamma" : "delta")];
        (void)text_format(ends[2 * k], sizeof *ends, "%.6g", axis->values[0]);
        (void)text_format(ends[2 * k + 1], sizeof *ends, "%.6g", axis->values[axis->count - 1]);
    }
    (void)text_format(words, sizeof words, "Areas in the window of Γ from %s to %s and Δ from %s to %s.",
                      ends[0], ends[1], ends[2], ends[3]);
    scene_note(f->s, words);
}

#define A_SS NAMES_ITALIC("A") NAMES_INDEX("SS")
#define A_US NAMES_ITALIC("A") NAMES_INDEX("US")

static const char *label_of(const area_figure *f) {
    if (f->window)
        return f->request->us ? "area " A_SS ", " A_US " in the window" : "area " A_SS " in the window";
    return f->request->us ? "area " A_SS ", " A_US : "area " A_SS;
}

static costab_status add_panel(area_figure *f, bool magnified, costab_error *error) {
    scene_panel *p = scene_add_panel(f->s);
    const double bars = f->levels > 0 ? bar_depth(f, f->levels + 1) : 0,
                 top = HEADROOM * (magnified ? f->small_top : f->top);
    p->x.range[0] = f->a->values[0];
    p->x.range[1] = f->a->values[f->a->count - 1];
    figure_apply_range(&f->request->figure->x, p->x.range);
    figure_apply_range(&f->request->figure->y, p->y.range);
    p->y.range[1] = p->y.range[0] + (top - p->y.range[0]) / (1 - bars);
    p->x.label = NAMES_ITALIC("a");
    p->y.label = label_of(f);
    if (f->window) note_window(f);
    p->caption = magnified ? "magnified" : NULL;
    for (int s = 0; s < (int)f->schemes->count; s++) draw_infinite(f, p, s);
    draw_jumps(f, p);
    for (int i = 0; i < f->count; i++) TRY(draw_curve(p, &f->of[i], magnified, error));
    return COSTAB_OK;
}

static bool has_window(const figure_request *r) {
    const int gamma = costab_plan_axis(r->plan, "gamma"), delta = costab_plan_axis(r->plan, "delta");
    return figure_has_field(r, "window_area") && figure_has_words(r, "area_class") && gamma >= 0 &&
           delta >= 0 && r->plan->axes[gamma].values != NULL && r->plan->axes[delta].values != NULL;
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    const int along = costab_plan_axis(r->plan, "a");
    if (along < 0 || !r->plan->axes[along].values) return read_missing(r->results, "area_ss", error);
    memory_local_array(area_figure, f, 1, error);
    *f = (area_figure){.request = r,
                       .s = s,
                       .a = &r->plan->axes[along],
                       .schemes = &r->plan->axes[0],
                       .window = has_window(r)};
    if (r->figure->y.from < r->figure->y.to && r->figure->y.to <= 0)
        return error_invalid(error, "%s: y_range ends at %g: areas are not negative, it must end above 0",
                             r->path, r->figure->y.to);
    costab_status status = gather(f, error);
    for (int i = 0; i < 1 + (f->small_top > 0) && !status; i++) status = add_panel(f, i == 1, error);
    for (int i = 0; i < f->count; i++) memory_free(f->of[i].points);
    return status;
}

const figure_kind kind_areas = {.name = "areas",
                                .systems = FIGURE_PLANAR,
                                .fields = {"area_ss"},
                                .without = "draws the field 'areas'; write 'fields: [areas]'",
                                .wide = 1,
                                .narrow = "draws areas against a; give the axis a more values",
                                .overlaid = true,
                                .alone = true,
                                .window = true,
                                .build = build};
