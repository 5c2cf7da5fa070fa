/* Kind `contour`: a field over two axes as bands of colour between levels, with the lines of the levels.
 *   1. The levels: given by the user; else the field's limit, such as 1, and round numbers on both sides, at
 *      growing factors for large radii; without a limit powers of ten or round numbers.
 *      Hundredths of the values at both ends do not count.
 *   2. The bands are painted from the highest to the lowest: each fills all points below its upper level.
 * They get darker from the lowest to the highest, blue on the stable side of the limit, orange on the other.
 *   3. Each line has its number where there is space; the limit's line is thick.
 *
 * Cost and limitations: plane.c. */
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
    if (figure_field_find(r->of) == NULL) return "'contour' is of a field of numbers; 'classes' draws codes";
    return figure_has_field(r, "computed") ? "'contour' needs the field at every point; leave 'refine' out"
                                           : NULL;
}

/* ---- Levels */

#define EACH_SIDE   5    /* levels on each side of the limit */
#define SMALLEST    1e-4 /* distance of the values from 1 that gets levels */
#define STEPS_UP_TO 3.0  /* radius from which levels grow by factors */
#define DECADES_FROM                                                                                         \
    30.0 /* ratio of the largest to the smallest value from which levels are powers of ten                   \
          */

/* [out] range: of all finite values (limit: also infinite values) without the lowest and highest hundredth;
 * unchanged if there are none. */
static costab_status range_of(const figure_request *r, bool limit, double *range, costab_error *error) {
    const size_t at[COSTAB_AXES_MAX] = {0};
    const int number = costab_plan_field(r->plan, r->of);
    if (number < 0) return read_missing(r->results, r->of, error);
    const costab_field *of = &r->plan->fields[number];
    memory_local double *values = NULL;
    size_t points = 1, count = 0;
    TRY(read_numbers(r->results, r->of, at, of->axes, of->rank, &values, error));
    for (int i = 0; i < of->rank; i++) points *= r->plan->axes[of->axes[i]].count;
    for (size_t i = 0; i < points; i++)
        if (limit ? !isnan(values[i]) : isfinite(values[i])) values[count++] = values[i];
    number_sort(values, count);
    if (count > 0) range[0] = values[count / 100];
    if (count > 0) range[1] = values[count - 1 - count / 100];
    return COSTAB_OK;
}

static void add_level(double level, scene_bar *bar) {
    if (bar->level_count < SCENE_LEVELS_MAX) bar->levels[bar->level_count++] = level;
}

/* Adds the limit, and up to EACH_SIDE multiples of round numbers below it, and above it if `steps_up`. least:
 * distance of the range's end from the limit that gets levels. */
static void choose_around(double limit, const double *range, double least, bool steps_up, scene_bar *bar) {
    const double below = paper_round((limit - range[0]) / EACH_SIDE),
                 above = paper_round((range[1] - limit) / EACH_SIDE);
    for (int k = EACH_SIDE; k >= 1 && limit - range[0] > least; k--)
        if (limit - k * below > range[0]) add_level(limit - k * below, bar);
    bar->limit_level = bar->level_count;
    add_level(limit, bar);
    for (int k = 1; k <= EACH_SIDE && range[1] - limit > least && steps_up; k++)
        if (limit + k * above < range[1]) add_level(limit + k * above, bar);
}

/* Adds levels of a radius, around 1. */
static void choose_radii(const double *range, scene_bar *bar) {
    static const double far[][6] = {
        {1.5, 2, 3, 5, 10, 20}, {2, 5, 10, 20, 50, 100}, {2, 10, 100, 1e3, 1e4, 1e6}};
    const double positive[2] = {fmax(range[0], 1e-9), range[1]};
    const double *levels = far[range[1] <= 20 ? 0 : range[1] <= 200 ? 1 : 2];
    choose_around(1, positive, SMALLEST, range[1] <= STEPS_UP_TO, bar);
    for (int k = 0; k < 6 && range[1] > STEPS_UP_TO; k++)
        if (levels[k] < range[1]) add_level(levels[k], bar);
}

/* Adds levels of a field without a limit: powers of ten, or round numbers. */
static void choose_between(const double *range, bool decades, scene_bar *bar) {
    const double step = decades ? fmax(1, ceil(log10(range[1] / range[0]) / SCENE_LEVELS_MAX))
                                : paper_round((range[1] - range[0]) / (2 * EACH_SIDE));
    const double first = decades ? ceil(log10(range[0])) : ceil(range[0] / step);
    for (int k = 0; bar->level_count < SCENE_LEVELS_MAX && step > 0; k++) {
        const double level = decades ? pow(10, first + k * step) : (first + k) * step;
        if (!(level < range[1])) break;
        if (level > range[0]) add_level(level, bar);
    }
    bar->limit_level = bar->level_count;
}

/* Adds the user's levels, and the limit (NaN: none). */
static void take_levels(const costab_figure *figure, double limit, scene_bar *bar) {
    const int count = figure->level_count;
    for (int k = 0; k <= count; k++) {
        const double before = k > 0 ? figure->levels[k - 1] : -HUGE_VAL,
                     here = k < count ? figure->levels[k] : HUGE_VAL;
        if (before < limit && limit < here) add_level(limit, bar);
        if (k < count) add_level(here, bar);
    }
    while (bar->limit_level < bar->level_count && !(bar->levels[bar->limit_level] >= limit))
        bar->limit_level++;
}

static costab_status choose_levels(const figure_request *r, const figure_field *of, plane *w,
                                   costab_error *error) {
    static const double shares[] = {0.01, 0.1, 0.5, 0.9, 0.99};
    scene_bar *bar = &w->s->bar;
    double range[2] = {1, 1};
    TRY(range_of(r, of->reference, range, error));
    const bool decades = !of->reference && of->decades && range[0] > 0 && range[1] > DECADES_FROM * range[0];
    w->linear = of->limit < 1 && !decades;
    w->finite = !of->reference;
    if (r->figure->level_count > 0 && !w->linear && !(r->figure->levels[0] > 0))
        return error_invalid(error, "figure, levels: those of '%s' are above 0", r->of);
    if (r->figure->level_count > 0)
        take_levels(r->figure, of->reference ? of->limit : (double)NAN, bar);
    else if (!of->reference)
        choose_between(range, decades, bar);
    else if (of->rising)
        for (int k = 0; k < 5; k++) add_level(shares[k], bar);
    else if (w->linear)
        choose_around(0, range, 0, true, bar);
    else
        choose_radii(range, bar);
    if (of->rising && r->figure->level_count == 0) bar->limit_level = 2;
    return COSTAB_OK;
}

/* ---- Colours */

/* Returns the colour at fraction t between two colours. */
static const char *mix(scene *s, const int ends[2][3], double t) {
    char colour[8];
    int c[3];
    for (int k = 0; k < 3; k++) c[k] = (int)lround(ends[0][k] + t * (ends[1][k] - ends[0][k])) & 255;
    snprintf(colour, sizeof colour, "#%02x%02x%02x", (unsigned)c[0], (unsigned)c[1], (unsigned)c[2]);
    return scene_keep(s, colour);
}

/* Defines the styles b0, b1, ... of the bands. rising: values above the limit are stable. */
static void define_bands(scene *s, bool rising, bool limit) {
    static const int ends[2][2][3] = {{{247, 251, 254}, {185, 214, 235}}, {{241, 196, 150}, {181, 78, 20}}};
    static const int whole[2][3] = {{247, 251, 254}, {60, 120, 170}};
    const int last = s->bar.level_count, below = rising ? last - s->bar.limit_level : s->bar.limit_level + 1;
    for (int band = 0; band <= last; band++) {
        const int place = rising ? last - band : band;
        const bool stable = place < below;
        const int count = stable ? below : last + 1 - below, at = stable ? place : place - below;
        const double t = count > 1 ? (double)at / (count - 1) : stable ? 1 : 0;
        char name[SCENE_WORD_MAX];
        snprintf(name, sizeof name, "b%d", band);
        scene_define(s, &(scene_style){.name = name,
                                       .words = "values below a level, and what is drawn over them",
                                       .tint = mix(s, limit ? ends[!stable] : whole, t)});
    }
}

/* ---- Panels */

/* Draws the line of a level and its number. */
static void draw_line(plane *w, int level, const outline *region) {
    const scene_bar *bar = &w->s->bar;
    char number[NAMES_NUMBER_MAX];
    scene_text item = {.anchor = SCENE_ALONG,
                       .own = (uint8_t)(level + 1),
                       .size = 0.8,
                       .shown = names_number(bar->levels[level], number)};
    outline_curves(region, false, &item.where);
    for (size_t l = 0; l < item.where.loop_count; l++) item.where.loops[l].edge = item.own;
    outline_append(&w->panel->obstacles, &item.where);
    scene_put_text(w->panel, &item);
    scene_put_border(w->panel, level == bar->limit_level ? "one" : "level", region);
}

static costab_status draw(plane *w, void *context, costab_error *error) {
    (void)context;
    char style[SCENE_WORD_MAX];
    const int count = w->s->bar.level_count;
    snprintf(style, sizeof style, "b%d", count);
    TRY(plane_ground(w, style, error));
    for (int k = count - 1; k >= 0; k--) {
        ends_by(outline_free) outline region = {0};
        TRY(plane_below(w, w->s->bar.levels[k], &region, error));
        draw_line(w, k, &region);
        snprintf(style, sizeof style, "b%d", k);
        scene_put(w->panel, SCENE_FILL, style, &region);
    }
    return COSTAB_OK;
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    figure_kind drawn = kind_contour; /* with the field's symbol as its caption */
    ends_by(grid_frame_free) grid_frame frame = {.of = NULL};
    plane w = {.request = r, .s = s, .kind = &drawn};
    TRY(grid_frame_make(r, true, &frame, error));
    TRY(choose_levels(r, frame.of, &w, error));
    define_bands(s, frame.of->rising, frame.of->reference);
    s->bar.label = drawn.caption = grid_label(r, s, frame.of, true);
    return planes_draw(&w, &frame, draw, NULL, error);
}

const figure_kind kind_contour = {.name = "contour",
                                  .systems = FIGURE_PLANAR | FIGURE_NETWORK,
                                  .wide = 2,
                                  .along = 2,
                                  .of = true,
                                  .levels = true,
                                  .fault = fault,
                                  .build = build};
