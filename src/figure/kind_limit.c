/* Kind `limit`: the intervals of a parameter in which couplings are stable, a panel for each parameter with
 * a row for each coupling.
 *   1. A row has a box for each interval, in the colours of its class.
 *   2. The end of an interval that is not the range's own is written beside its box if there is room up to
 *      the next one, else into the box, if that has room.
 *   3. The axis is logarithmic where the range's ends differ by a factor of LOG_FROM. */
#include <ctype.h>
#include <math.h>

#include "base/memory.h"
#include "figure/kinds.h"
#include "figure/names.h"
#include "figure/read.h"

#define LOG_FROM  30.0 /* ratio of a range's ends from which its axis is logarithmic */
#define ROW_CM    0.55
#define NARROWEST 6    /* cm: of a panel in which names and numbers have room */
#define BAR       0.76 /* of a row */
#define NUMBER    0.2  /* of a panel's width: what a number takes at most */

enum { NOT_COMPUTED = 4 }; /* the code of the field class where there is no interval */

/* All that the file has: arrays of couplings x parameters x intervals, the last fastest. */
typedef struct limits {
    size_t couplings, parameters;
    size_t most;        /* intervals of a coupling and parameter; those that are not there are not computed */
    double *from, *to;  /* of each interval: its ends */
    uint8_t *classes;   /* of each interval; NOT_COMPUTED: there is none */
    double *low, *high; /* couplings x parameters: the range that was searched */
} limits;

static const char *fault(const figure_request *r) {
    if (r->figure->y.from < r->figure->y.to) return "'limit' shows all couplings; leave y_range out";
    bool axes = figure_has_words(r, "parameter") && costab_plan_axis(r->plan, "parameter") == 1 &&
                costab_plan_axis(r->plan, "interval") == 2;
    return axes ? NULL : "'limit' draws what 'costab limit -o' writes";
}

/* The style of a class: its name in small letters. */
static void style_of(const figure_request *r, uint8_t class_code, char style[SCENE_WORD_MAX]) {
    const read_word name = read_meaning(&r->plan->fields[costab_plan_field(r->plan, "class")], class_code);
    text_format(style, SCENE_WORD_MAX, "%.*s", name.size > 0 ? (int)name.size : 9,
                name.size > 0 ? name.start : "undecided");
    for (char *c = style; *c; c++) *c = (char)tolower((unsigned char)*c);
}

/* Writes where an interval ends, unless that is the range's own end: beside its bar, else into it. */
static void put_end(scene_panel *p, const limits *l, size_t at, double low) {
    char shown[NAMES_NUMBER_MAX];
    const double end = scene_place(&p->x, l->to[at]), panel = p->x.range[1] - p->x.range[0],
                 width = NUMBER * panel, gap = 0.012 * panel;
    const bool last = (at + 1) % l->most == 0 || l->classes[at + 1] == NOT_COMPUTED;
    const double next = last ? p->x.range[1] : scene_place(&p->x, l->from[at + 1]),
                 from = fmax(scene_place(&p->x, l->from[at]), p->x.range[0]);
    const bool beside = next - end > width;
    if (!(end < p->x.range[1]) || (!beside && !(end - from > width))) return;
    scene_put_words(p, beside ? end + gap : end - gap, low + BAR / 2, beside ? 1 : -1, 0.85,
                    names_rounded(l->to[at], 4, shown));
}

static void draw_interval(const figure_request *r, scene_panel *p, const limits *l, size_t at, double low) {
    char style[SCENE_WORD_MAX];
    outline box = {0}, frame = {0};
    double from = scene_place(&p->x, fmax(l->from[at], scene_value(&p->x, p->x.range[0]))),
           to = scene_place(&p->x, fmin(l->to[at], scene_value(&p->x, p->x.range[1])));
    style_of(r, l->classes[at], style);
    if (!(to >= from)) return;
    scene_box(&box, from, low, to, low + BAR);
    outline_append(&frame, &box);
    scene_put_area(p, style, &box);
    scene_put(p, SCENE_CURVE, "frame", &frame);
    scene_mention(p->scene, style);
}

/* place: number of the coupling and parameter. low: the y at which the bar begins, in rows. */
static void draw_row(const figure_request *r, scene_panel *p, const limits *l, size_t place, double low) {
    text name = {0};
    figure_choice(r, r->plan->axes[0].labels[place / l->parameters], &name);
    scene_put_row(p, low + BAR / 2, scene_keep_text(p->scene, &name));
    for (size_t i = place * l->most; i < (place + 1) * l->most; i++) {
        if (l->classes[i] == NOT_COMPUTED) continue;
        draw_interval(r, p, l, i, low);
        put_end(p, l, i, low);
    }
}

static void add_panel(const figure_request *r, scene_panel *p, const limits *l, size_t parameter) {
    size_t shown = figure_drawn(r, 0), row = 0;
    double range[2] = {l->low[parameter], l->high[parameter]};
    figure_ask_range(&r->figure->x, range);
    p->x.log = range[0] > 0 && range[1] > LOG_FROM * range[0];
    for (int k = 0; k < 2; k++) p->x.range[k] = scene_place(&p->x, range[k]);
    p->x.label = figure_label(r, p->scene, r->plan->axes[1].labels[parameter]);
    figure_rows(p, shown, ROW_CM);
    p->narrowest = NARROWEST;
    for (size_t c = 0; c < l->couplings; c++)
        if (!figure_leaves_out(r, 0, c))
            draw_row(r, p, l, c * l->parameters + parameter, (double)(shown - row++) + 0.12);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    limits l = {.couplings = r->plan->axes[0].count,
                .parameters = figure_values(r, "parameter"),
                .most = figure_values(r, "interval")};
    const size_t at[COSTAB_AXES_MAX] = {0};
    const int all[] = {0, 1, 2};
    const read_item items[] = {{"lower", all, 3, .numbers = &l.from},
                               {"upper", all, 3, .numbers = &l.to},
                               {"range_lower", all, 2, .numbers = &l.low},
                               {"range_upper", all, 2, .numbers = &l.high},
                               {"class", all, 3, .codes = &l.classes}};
    costab_status status = read_items(r->results, at, items, sizeof items / sizeof *items, error);
    for (size_t i = 0; i < l.parameters && !status; i++) add_panel(r, scene_add_panel(s), &l, i);
    memory_free_all(l.from, l.to, l.low, l.high, l.classes);
    return status;
}

const figure_kind kind_limit = {.name = "limit",
                                .fields = {"range_upper", "lower_kind"},
                                .without = "draws what 'costab limit -o' writes",
                                .overlaid = true,
                                .alone = true,
                                .window = true,
                                .fault = fault,
                                .build = build};
