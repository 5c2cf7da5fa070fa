/* Kind `contour`: a field over two axes as bands of colour between levels, with the lines of the levels.
 *   1. The range of the field's values: between the outermost hundredths of all of them.
 *   2. The levels: the user's; else of a field with a limit the limit, which is one of them, and round
 *      numbers to both sides, farther up by factors; of one without powers of ten, or round numbers.
 *   3. Each level cuts the grid (plane.c); bands are painted from light to dark, blue on the stable side of
 *      the limit, and the line of the limit is thick.
 * Cost and limits: those of plane.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "figure/names.h"
#include "figure/paper.h"
#include "figure/plane.h"
#include "figure/read.h"

static const char *fault(const figure_request *r) {
    const figure_field *of = figure_field_find(r->of);
    if (of == NULL)
        return "'contour' is of a field of numbers; 'classes' and, of the planar system, 'cause' draw codes";
    return figure_has_field(r, "computed") ? "'contour' needs the field at every point; leave 'refine' out"
                                           : NULL;
}

/* ---- Levels */

/* The smallest of the values times a sign that were seen: `wanted` of them and, as they come, as many more.
 */
typedef struct tail {
    double sign, *values;
    size_t wanted, count;
    double most; /* what is not below is not wanted; NaN before that is known */
} tail;

typedef struct tails {
    tail of[2];
    size_t count; /* numbers that were seen */
    bool limit;   /* infinite ones are numbers, too */
} tails;

static void keep_smallest(tail *t) {
    number_sort(t->values, t->count);
    if (t->count < t->wanted) return;
    t->count = t->wanted;
    t->most = t->values[t->wanted - 1];
}

static void take_values(void *context, const double *values, size_t count) {
    tails *seen = context;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]) || (!seen->limit && !isfinite(values[i]))) continue;
        seen->count++;
        for (tail *t = seen->of; t < seen->of + 2; t++) {
            if (t->count == 2 * t->wanted) keep_smallest(t);
            if (t->sign * values[i] >= t->most) continue;
            t->values[t->count++] = t->sign * values[i];
        }
    }
}

/* The numbers between which nearly all are: the outer hundredths do not count. */
static costab_status range_of(const figure_request *r, bool limit, double *range, costab_error *error) {
    const costab_plan *plan = costab_results_plan(r->results);
    const int number = costab_plan_field(plan, r->of);
    size_t points = 1;
    if (number < 0) return read_missing(r->results, r->of, error);
    const costab_field *of = &plan->fields[number];
    for (int i = 0; i < of->rank; i++) points *= plan->axes[of->axes[i]].count;
    const size_t wanted = points / 100 + 1;
    memory_local_array(double, both, 4 * wanted, error);
    tails seen = {.of = {{1, both, wanted, 0, NAN}, {-1, both + 2 * wanted, wanted, 0, NAN}}, .limit = limit};
    TRY(read_all(r->results, r->of, take_values, &seen, error));
    for (int k = 0; k < 2 && seen.count > 0; k++) {
        keep_smallest(&seen.of[k]);
        range[k] = seen.of[k].sign * seen.of[k].values[seen.count / 100];
    }
    return COSTAB_OK;
}

#define EACH_SIDE    5    /* levels below 1, and above it */
#define SMALLEST     1e-4 /* distance from 1 that is worth levels */
#define STEPS_UP_TO  3.0  /* farther up levels are apart by factors */
#define NOTHING_NEAR 1e-9
#define DECADES_FROM 30.0 /* ratio of the largest to the smallest number whose levels are powers of ten */

static void choose_levels(const double *range, scene_bar *bar) {
    static const double far[][6] = {
        {1.5, 2, 3, 5, 10, 20}, {2, 5, 10, 20, 50, 100}, {2, 10, 100, 1e3, 1e4, 1e6}};
    double below = paper_round((1 - range[0]) / EACH_SIDE), above = paper_round((range[1] - 1) / EACH_SIDE);
    bar->level_count = 0;
    for (int k = EACH_SIDE; k >= 1 && 1 - range[0] > SMALLEST; k--)
        if (1 - k * below > fmax(range[0], NOTHING_NEAR)) bar->levels[bar->level_count++] = 1 - k * below;
    bar->limit_level = bar->level_count;
    bar->levels[bar->level_count++] = 1;
    for (int k = 1; k <= EACH_SIDE && range[1] - 1 > SMALLEST && range[1] <= STEPS_UP_TO; k++)
        if (1 + k * above < range[1]) bar->levels[bar->level_count++] = 1 + k * above;
    const double *levels = far[range[1] <= 20 ? 0 : range[1] <= 200 ? 1 : 2];
    for (int k = 0; k < 6 && range[1] > STEPS_UP_TO; k++)
        if (levels[k] < range[1]) bar->levels[bar->level_count++] = levels[k];
}

/* Around 0, which is what a growth per second passes. */
static void choose_around_zero(const double *range, scene_bar *bar) {
    double below = paper_round(-range[0] / EACH_SIDE), above = paper_round(range[1] / EACH_SIDE);
    bar->level_count = 0;
    for (int k = EACH_SIDE; k >= 1 && range[0] < 0; k--)
        if (-k * below > range[0]) bar->levels[bar->level_count++] = -k * below;
    bar->limit_level = bar->level_count;
    bar->levels[bar->level_count++] = 0;
    for (int k = 1; k <= EACH_SIDE && range[1] > 0; k++)
        if (k * above < range[1]) bar->levels[bar->level_count++] = k * above;
}

/* Of a field without a limit: powers of ten, or round numbers. */
static void choose_between(const double *range, bool decades, scene_bar *bar) {
    double step = decades ? fmax(1, ceil(log10(range[1] / range[0]) / SCENE_LEVELS_MAX))
                          : paper_round((range[1] - range[0]) / (2 * EACH_SIDE));
    double first = decades ? ceil(log10(range[0])) : ceil(range[0] / step);
    bar->level_count = 0;
    for (int k = 0; bar->level_count < SCENE_LEVELS_MAX && step > 0; k++) {
        double level = decades ? pow(10, first + k * step) : (first + k) * step;
        if (!(level < range[1])) break;
        if (level > range[0]) bar->levels[bar->level_count++] = level;
    }
    bar->limit_level = bar->level_count;
}

/* Of a probability. */
static void choose_shares(scene_bar *bar) {
    static const double shares[] = {0.01, 0.1, 0.5, 0.9, 0.99};
    bar->limit_level = 2;
    bar->level_count = sizeof shares / sizeof *shares;
    memcpy(bar->levels, shares, sizeof shares);
}

/* The levels that were asked for; the limit is always among them; NaN: there is none. */
static void take_levels(const costab_figure *figure, double limit, scene_bar *bar) {
    bar->level_count = bar->limit_level = 0;
    for (int k = 0; k < figure->level_count; k++) {
        bool first = k == 0 || figure->levels[k - 1] < limit;
        if (first && figure->levels[k] > limit) bar->levels[bar->level_count++] = limit;
        bar->levels[bar->level_count++] = figure->levels[k];
    }
    if (figure->levels[figure->level_count - 1] < limit) bar->levels[bar->level_count++] = limit;
    while (bar->limit_level < bar->level_count && !(bar->levels[bar->limit_level] >= limit))
        bar->limit_level++;
}

/* ---- Colours: from light to dark as the radius grows, so that the order shows in grey: blue below 1, orange
 * above. */

static const char *mix(scene *s, const int ends[2][3], double t) {
    char colour[8];
    int channels[3];
    for (int k = 0; k < 3; k++) channels[k] = (int)lround(ends[0][k] + t * (ends[1][k] - ends[0][k])) & 255;
    snprintf(colour, sizeof colour, "#%02x%02x%02x", (unsigned)channels[0], (unsigned)channels[1],
             (unsigned)channels[2]);
    return scene_keep(s, colour);
}

/* `rising`: it is stable above the limit; then the colours are the other way round. Without a limit all are
 * from light to dark. */
static void define_bands(scene *s, bool rising, bool limit) {
    static const int ends[2][2][3] = {{{247, 251, 254}, {185, 214, 235}}, {{241, 196, 150}, {181, 78, 20}}};
    static const int whole[2][3] = {{247, 251, 254}, {60, 120, 170}};
    int last = s->bar.level_count, below = rising ? last - s->bar.limit_level : s->bar.limit_level + 1;
    for (int band = 0; band <= last; band++) {
        int place = rising ? last - band : band;
        bool stable = place < below;
        int count = stable ? below : last + 1 - below, at = stable ? place : place - below;
        double t = count > 1 ? (double)at / (count - 1) : stable ? 1 : 0;
        char name[SCENE_WORD_MAX];
        snprintf(name, sizeof name, "b%d", band);
        scene_define(s, &(scene_style){.name = name,
                                       .words = "a region between two levels, and what is drawn over it",
                                       .tint = mix(s, limit ? ends[!stable] : whole, t)});
    }
}

/* ---- Panels */

static uint8_t label_of(const void *context, unsigned inside) {
    const plane *w = context;
    uint8_t band = 0;
    for (int k = 0; k < w->s->bar.level_count; k++) band = (uint8_t)(band + ((inside >> k & 1) == 0));
    return band;
}

static void style_of(int label, char style[SCENE_WORD_MAX]) {
    snprintf(style, SCENE_WORD_MAX, "b%d", label);
}

/* The number of a level, on the longest of its lines. */
static void put_number(plane *w, int level) {
    char number[NAMES_NUMBER_MAX];
    scene_text item = {.anchor = SCENE_ALONG,
                       .own = (uint8_t)(level + 1),
                       .size = 0.8,
                       .shown = names_number(w->s->bar.levels[level], number)};
    outline_choose(&w->panel->obstacles, level + 1, &item.where);
    scene_put_text(w->panel, &item);
}

static void draw(plane *w) {
    const scene_bar *bar = &w->s->bar;
    w->label = label_of;
    for (int k = 0; k < bar->level_count; k++) plane_cut_level(w, bar->levels[k]);
    plane_trace(w);
    plane_paint(w, style_of);
    for (int k = 0; k < bar->level_count; k++)
        plane_line(w, k, k == bar->limit_level ? "one" : "level", &w->panel->obstacles, (uint8_t)(k + 1));
    for (int k = 0; k < bar->level_count; k++) put_number(w, k);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    figure_kind drawn = kind_contour; /* with the field's symbol as its caption */
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    plane w = {.request = r, .s = s, .kind = &drawn, .frame = &frame};
    double range[2] = {1, 1};
    TRY(grid_frame_make(r, true, &frame, error));
    const bool limit = frame.of->reference;
    TRY(range_of(r, limit, range, error));
    bool decades = !limit && frame.of->decades && range[0] > 0 && range[1] > DECADES_FROM * range[0];
    w.plain = frame.of->limit < 1 && !decades;
    w.finite = !limit;
    if (r->figure->level_count > 0 && !w.plain && !(r->figure->levels[0] > 0))
        return error_invalid(error, "figure, levels: those of '%s' are above 0", r->of);
    if (r->figure->level_count > 0)
        take_levels(r->figure, limit ? frame.of->limit : (double)NAN, &s->bar);
    else if (!limit)
        choose_between(range, decades, &s->bar);
    else if (frame.of->rising)
        choose_shares(&s->bar);
    else if (w.plain)
        choose_around_zero(range, &s->bar);
    else
        choose_levels(range, &s->bar);
    define_bands(s, frame.of->rising, limit);
    s->bar.label = drawn.caption = grid_label(r, s, frame.of, true);
    return planes_draw(&w, draw, error);
}

const figure_kind kind_contour = {
    .name = "contour", .wide = 2, .along = 2, .of = true, .levels = true, .fault = fault, .build = build};
