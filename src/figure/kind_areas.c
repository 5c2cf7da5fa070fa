/* Kind `areas`: A_SS and A_US against a, all schemes in one panel, and those that are small beside the
 * others in another.
 *   1. Each curve is the stored areas, in stretches of one kind (zero, finite, infinite): the stored critical
 *      values of a part them, whose limits begin and end them; where the kind changes between two samples
 *      without one, the middle does.
 *   2. Infinite areas are bands, with bars on top of the panel; what is small beside the largest has a panel
 * of its own.
 *   3. The legend says which curves the first panel cuts, and why it has nothing of others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/clip.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define SMALL       0.04  /* of the largest area: too small to be read beside it */
#define HEADROOM    1.06  /* the axis' end over the largest area */
#define LEVEL       0.085 /* of the panel's height, from one bar of infinity to the next */
#define JUMP        0.02  /* of the panel's height: worth a line */
#define JUMP_PLACES 40    /* on a vertical line where its name may stand */
#define NO_LINE     255   /* vertical lines are no obstacles */
#define REACH       0.05  /* share of the range of a next to an end at which the area diverges */
#define STEEP       1.5  /* without limits, an area that grows so from sample to sample at its end has none */
#define PANEL_CM    6.5  /* about a panel's width: names have room */
#define EXACT       2e-5 /* of the panel: points that straight segments can do without */

enum { SCHEMES_MOST = 8 };

typedef enum area_kind { AREA_ZERO, AREA_FINITE, AREA_INFINITE } area_kind;

/* An interval of a over which the area is of one kind; a finite one has samples from its start to its end. */
typedef struct area_stretch {
    area_kind kind;
    double from, to;
    bool diverges[2]; /* finite: whether the area grows without bound towards this end */
    double *a, *area; /* in arrays of the curve */
    size_t count;
} area_stretch;

/* A_SS or A_US of one scheme. */
typedef struct scheme_area {
    int scheme; /* its number in the plan */
    bool us;
    size_t count; /* of stretches, from left to right without gaps */
    area_stretch *stretches;
    double *a, *area; /* of all stretches */
    size_t samples;
    int level;      /* of the curve's bars of infinity, from 1 on; 0: none */
    char style[24]; /* of the curve */
} scheme_area;

typedef struct area_figure {
    const figure_request *request;
    scene *s;
    const costab_axis *a, *schemes;
    int count, levels; /* curves; bars of infinity above each other */
    scheme_area of[2 * SCHEMES_MOST];
    double top, small_top; /* the largest area; the largest of those too small beside it */
} area_figure;

typedef struct area_panel {
    area_figure *f;
    scene_panel *panel;
} area_panel;

/* ---- Reading */

static area_kind kind_of(double area) {
    return isinf(area) ? AREA_INFINITE : area > 0 ? AREA_FINITE : AREA_ZERO;
}

/* What is stored of a curve: samples, critical values, and the limits on their two sides. NULL: none. */
typedef struct stored {
    double *areas, *critical, *limit[2];
    size_t count;
} stored;

static void free_stored(stored *s) {
    memory_free_all(s->areas, s->critical, s->limit[0], s->limit[1]);
}

static costab_status read_stored(const area_figure *f, int scheme, bool us, stored *s, costab_error *error) {
    const figure_request *r = f->request;
    const int a = costab_plan_axis(r->plan, "a"), critical = costab_plan_axis(r->plan, "critical");
    const size_t at[COSTAB_AXES_MAX] = {(size_t)scheme};
    const read_item items[] = {{us ? "area_us" : "area_ss", &a, 1, .numbers = &s->areas},
                               {"critical_a", &critical, 1, &s->critical, .optional = true},
                               {us ? "us_left" : "ss_left", &critical, 1, &s->limit[0], .optional = true},
                               {us ? "us_right" : "ss_right", &critical, 1, &s->limit[1], .optional = true}};
    s->count = figure_values(r, "critical");
    TRY(read_items(r->results, at, items, sizeof items / sizeof *items, error));
    if (!s->critical || !s->limit[0] || !s->limit[1]) s->count = 0;
    while (s->count > 0 && isnan(s->critical[s->count - 1])) s->count--;
    return COSTAB_OK;
}

static void add_sample(scheme_area *c, area_stretch *to, double a, double area) {
    if (kind_of(area) != AREA_FINITE && area != 0) return;
    c->a[c->samples] = a;
    c->area[c->samples++] = area;
    to->count++;
}

/* Adds the stretch up to the k-th critical value, or the end; its samples are those from `first` up to, but
 * without, `end`. Of samples of several kinds there is a stretch each. */
static void add_stretches(const area_figure *f, scheme_area *c, const stored *s, size_t k, size_t first,
                          size_t end) {
    const double *a = f->a->values, left = k > 0 ? s->critical[k - 1] : a[0],
                 right = k < s->count ? s->critical[k] : a[f->a->count - 1];
    for (size_t from = first, to; from == first || from < end; from = to) {
        area_stretch *stretch = &c->stretches[c->count++];
        const bool begins = from == first && k > 0;
        *stretch = (area_stretch){.a = c->a + c->samples, .area = c->area + c->samples};
        stretch->kind = kind_of(from < end ? s->areas[from] : k > 0 ? s->limit[1][k - 1] : s->limit[0][k]);
        for (to = from; to < end && kind_of(s->areas[to]) == stretch->kind;) to++;
        const bool ends = to == end && k < s->count;
        stretch->from = from == first ? left : 0.5 * (a[from - 1] + a[from]);
        stretch->to = to == end ? right : 0.5 * (a[to - 1] + a[to]);
        area_stretch *before = c->count > 1 ? stretch - 1 : NULL;
        if (stretch->kind != AREA_FINITE && before && before->kind == stretch->kind) {
            before->to = stretch->to; /* what happens there happens to the other area */
            c->count--;
        }
        if (stretch->kind != AREA_FINITE && to == from) return;
        if (stretch->kind != AREA_FINITE) continue;
        if (begins) add_sample(c, stretch, left, s->limit[1][k - 1]);
        for (size_t i = from; i < to; i++) add_sample(c, stretch, a[i], s->areas[i]);
        if (ends) add_sample(c, stretch, right, s->limit[0][k]);
        stretch->diverges[0] = begins
                                   ? isinf(s->limit[1][k - 1])
                                   : from > 0 && to - from > 1 && s->areas[from] > STEEP * s->areas[from + 1];
        stretch->diverges[1] =
            ends ? isinf(s->limit[0][k])
                 : to < f->a->count && to - from > 1 && s->areas[to - 1] > STEEP * s->areas[to - 2];
        if (to == from) return;
    }
}

static costab_status make_stretches(const area_figure *f, scheme_area *c, const stored *s,
                                    costab_error *error) {
    const size_t room = f->a->count + 2 * s->count + 2;
    TRY(memory_make(&c->stretches, room, error));
    TRY(memory_make(&c->a, room, error));
    TRY(memory_make(&c->area, room, error));
    size_t first = 0;
    for (size_t k = 0; k <= s->count; k++) {
        size_t end = first;
        while (end < f->a->count && (k == s->count || f->a->values[end] < s->critical[k])) end++;
        add_stretches(f, c, s, k, first, end);
        first = end;
        while (k < s->count && first < f->a->count && f->a->values[first] <= s->critical[k]) first++;
    }
    return COSTAB_OK;
}

static bool has_infinity(const scheme_area *curve) {
    for (size_t i = 0; i < curve->count; i++)
        if (curve->stretches[i].kind == AREA_INFINITE) return true;
    return false;
}

/* A curve goes by the colour of its scheme; A_US is thinner, and has dashes of its own. */
static void define_styles(area_figure *f, scheme_area *item) {
    static const struct {
        const char *scheme, *dash, *tint;
    } looks[] = {{"simulation", "'_'", "#e6f0f7"},
                 {"cross", "'.'", "#eeeeee"},
                 {"zigzag", "1", "#e3f4ee"},
                 {"strong", "'-'", "#fbeadf"}};
    const char *scheme = f->schemes->labels[item->scheme];
    const scene_style *base = scene_style_named(f->s, scheme);
    char infinite[SCENE_WORD_MAX], legend[80];
    size_t look = 0;
    while (look + 1 < sizeof looks / sizeof *looks && strcmp(looks[look].scheme, scheme) != 0) look++;
    if (!base) return;
    snprintf(item->style, sizeof item->style, "area_%s%s", item->us ? "us_" : "", looks[look].scheme);
    snprintf(infinite, sizeof infinite, "infinite_%s", looks[look].scheme);
    snprintf(legend, sizeof legend, NAMES_ITALIC("A") NAMES_INDEX("%s") ", %s", item->us ? "US" : "SS",
             looks[look].scheme);
    const scene_style band = {.name = infinite,
                              .words = "where an area is infinite",
                              .tint = looks[look].tint,
                              .line = base->line,
                              .width = 1.2,
                              .dash = base->dash};
    /* Where only A_SS is drawn, its name stands at the axis alone. */
    const scene_style curve = {.name = item->style,
                               .words = item->us ? "A_US of the scheme" : "A_SS of the scheme",
                               .line = base->line,
                               .width = item->us ? 0.7 : base->width,
                               .dash = item->us ? looks[look].dash : base->dash,
                               .legend = f->request->us ? legend : looks[look].scheme};
    scene_define(f->s, &band);
    scene_define(f->s, &curve);
}

static costab_status add_curve(area_figure *f, int scheme, bool us, costab_error *error) {
    ends_by(free_stored) stored s = {0};
    scheme_area *item = &f->of[f->count++];
    *item = (scheme_area){.scheme = scheme, .us = us};
    TRY(read_stored(f, scheme, us, &s, error));
    TRY(make_stretches(f, item, &s, error));
    if (has_infinity(item)) item->level = ++f->levels;
    define_styles(f, item);
    return COSTAB_OK;
}

/* The largest area that is to be seen. Curves that grow without bound have a say only where they would be too
 * small else, and not next to where they do. */
static void find_tops(area_figure *f) {
    const double reach = REACH * (f->a->values[f->a->count - 1] - f->a->values[0]);
    double bounded = 0, diverging = 0;
    for (int i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->of[i].count; k++) {
            const area_stretch *s = &f->of[i].stretches[k];
            double *largest = s->diverges[0] || s->diverges[1] ? &diverging : &bounded;
            for (size_t j = 0; j < s->count; j++)
                if ((!s->diverges[0] || s->a[j] > s->from + reach) &&
                    (!s->diverges[1] || s->a[j] < s->to - reach))
                    *largest = fmax(*largest, s->area[j]);
        }
    f->top = bounded > 0.25 * diverging ? bounded : diverging;
    if (!(f->top > 0)) f->top = 1;
    for (int i = 0; i < f->count; i++) {
        for (size_t k = 0; k < f->of[i].count; k++) {
            const area_stretch *s = &f->of[i].stretches[k];
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
    for (int s = 0; s < (int)f->schemes->count && s < SCHEMES_MOST; s++) {
        if (figure_leaves_out(f->request, 0, (size_t)s)) continue;
        for (int us = 0; us < 1 + f->request->us; us++) TRY(add_curve(f, s, us == 1, error));
    }
    find_tops(f);
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
    bool named = p->f->schemes->count > 1;
    snprintf(words, sizeof words, "%s%s" NAMES_ITALIC("A") NAMES_INDEX("%s") " = ∞",
             named ? p->f->schemes->labels[item->scheme] : "", named ? ": " : "", item->us ? "US" : "SS");
    const double *x = p->panel->x.range;
    const double room = (stretch->to - stretch->from) / (x[1] - x[0]) * PANEL_CM;
    const scene_text note = {
        .x = 0.5 * (stretch->from + stretch->to), .y = y, .shown = names_width(words) < room ? words : "∞"};
    scene_put_text(p->panel, &note);
}

/* Where a scheme's areas are infinite: a band, and a bar at the top for each area. */
static void draw_infinite(const area_panel *p, int scheme) {
    const double *range = p->panel->y.range;
    outline bands = {0}, bars = {0};
    for (int i = 0; i < p->f->count; i++) {
        const scheme_area *item = &p->f->of[i];
        double y = range[1] - (range[1] - range[0]) * bar_depth(p->f, item->level);
        for (size_t k = 0; k < item->count && item->scheme == scheme; k++) {
            const area_stretch *s = &item->stretches[k];
            if (s->kind != AREA_INFINITE) continue;
            scene_box(&bands, s->from, range[0], s->to, range[1]);
            scene_line(&bars, s->from, y, s->to, y);
            add_note(p, item, s, y);
        }
    }
    char style[SCENE_WORD_MAX];
    snprintf(style, sizeof style, "infinite_%s", p->f->schemes->labels[scheme]);
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
    char number[NAMES_NUMBER_MAX], words[64];
    (void)text_format(words, sizeof words, NAMES_ITALIC("a") " = %s", names_rounded(at, 4, number));
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
        const scheme_area *curve = &p->f->of[i];
        for (size_t k = 0; k + 1 < curve->count; k++) {
            double left = end_value(&curve->stretches[k], 1, y);
            double right = end_value(&curve->stretches[k + 1], 0, y);
            double at = curve->stretches[k].to, low = fmin(left, right), high = fmax(left, right);
            if (high - low <= JUMP * (y[1] - y[0])) continue;
            scene_line(&jumps, at, low, at, high);
            if (at != 0 && figure_has_field(p->f->request, "critical_a")) name_jump(p, at, low, high);
        }
    }
    scene_put(p->panel, SCENE_CURVE, "jump", &jumps);
}

/* Remarks on a curve that the panel cuts, or has nothing of. */
static void remark_on_curve(const area_panel *p, const scheme_area *item, bool drawn) {
    const double *x = p->panel->x.range;
    unsigned kinds = 0;
    bool cut = false;
    for (size_t k = 0; k < item->count; k++) {
        const area_stretch *s = &item->stretches[k];
        if (s->to < x[0] || s->from > x[1]) continue;
        kinds |= 1U << (s->kind == AREA_FINITE && s->count == 0 ? AREA_ZERO : s->kind);
        for (size_t i = 0; i < s->count; i++)
            cut |= s->a[i] >= x[0] && s->a[i] <= x[1] && s->area[i] > p->panel->y.range[1];
    }
    char number[NAMES_NUMBER_MAX], words[NAMES_NUMBER_MAX + 8];
    (void)text_format(words, sizeof words, "cut at %s", names_rounded(p->panel->y.range[1], 3, number));
    if (drawn && cut) scene_remark_on(p->panel, item->style, words);
    if (drawn) return;
    scene_remark_on(p->panel, item->style,
                    kinds == 1U << AREA_ZERO       ? "zero"
                    : kinds == 1U << AREA_INFINITE ? "infinite"
                                                   : "outside the range shown");
}

static void draw_curve(const area_panel *p, const scheme_area *item, bool magnified) {
    const outline_box box = scene_window(p->panel);
    outline line = {0};
    for (size_t k = 0; k < item->count; k++) {
        const area_stretch *s = &item->stretches[k];
        clip_polyline(s->a, s->area, s->count, &box, &line);
        outline_simplify_last(&line, &box, EXACT);
    }
    if (!magnified) remark_on_curve(p, item, line.loop_count > 0);
    outline_append(&p->panel->obstacles, &line);
    scene_put(p->panel, SCENE_CURVE, item->style, &line);
}

static void add_panel(area_figure *f, bool magnified) {
    area_panel p = {f, scene_add_panel(f->s)};
    scene_axis *x = &p.panel->x, *y = &p.panel->y;
    double bars = f->levels > 0 ? bar_depth(f, f->levels + 1) : 0;
    x->range[0] = f->a->values[0];
    x->range[1] = f->a->values[f->a->count - 1];
    figure_ask_range(&f->request->figure->x, x->range);
    figure_ask_range(&f->request->figure->y, y->range);
    const double top = HEADROOM * (magnified ? f->small_top : f->top);
    y->range[1] = y->range[0] + (top - y->range[0]) / (1 - bars);
    x->label = NAMES_ITALIC("a");
    y->label = f->request->us ? "area " NAMES_ITALIC("A") NAMES_INDEX("SS") ", " NAMES_ITALIC("A")
                                    NAMES_INDEX("US")
                              : "area " NAMES_ITALIC("A") NAMES_INDEX("SS");
    p.panel->caption = magnified ? "magnified" : NULL;
    for (int s = 0; s < (int)f->schemes->count; s++) draw_infinite(&p, s);
    draw_jumps(&p);
    for (int i = 0; i < f->count; i++) draw_curve(&p, &f->of[i], magnified);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    const int along = costab_plan_axis(r->plan, "a");
    if (along < 0 || !r->plan->axes[along].values) return read_missing(r->results, "area_ss", error);
    memory_local_array(area_figure, f, 1, error);
    *f = (area_figure){.request = r, .s = s, .a = &r->plan->axes[along], .schemes = &r->plan->axes[0]};
    costab_status status = gather(f, error);
    for (int i = 0; i < 1 + (f->small_top > 0) && !status; i++) add_panel(f, i == 1);
    for (int i = 0; i < f->count; i++) memory_free_all(f->of[i].stretches, f->of[i].a, f->of[i].area);
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
