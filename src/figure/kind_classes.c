/* Kinds `classes` and `comparison` from the grid of a sweep.
 *
 * classes, a panel for each coupling:
 *   1. The regions in which the continuous system and the map are stable are filled with the colours of SU
 * and US, then each other class with its own.
 *   2. A class has its name where there is space, and if it is visible an entry in the legend. Stable maps
 * are hatched.
 *   3. The boundaries of both stabilities are lines.
 *
 * comparison, all couplings in one panel: the boundary of each coupling, its stable side hatched or ticked,
 * over the region in which the continuous system is stable. */
#include <ctype.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/plane.h"

#define SEEN 0.0005 /* share of the points that is visible */

enum { CODES = 128, ALL = PLANE_MAP | PLANE_SYSTEM };

/* ---- Classes */

/* [out] name: the letter of the continuous system, then the letter of the map, such as SU. */
static void class_of(unsigned code, char name[3]) {
    name[0] = code & PLANE_UNKNOWN              ? 'X'
              : code & PLANE_CONTINUOUS_NEUTRAL ? 'N'
              : code & PLANE_CONTINUOUS         ? 'S'
                                                : 'U';
    name[1] = code & PLANE_DISCRETE_NEUTRAL ? 'N' : code & PLANE_DISCRETE ? 'S' : 'U';
    name[2] = '\0';
}

/* Adds the name and, if the map is stable, the hatching of a class. */
static void finish_class(plane *w, unsigned code, const char *style, outline *region) {
    char shown[3];
    class_of(code, shown);
    scene_text name = {.anchor = SCENE_INSIDE, .shown = shown};
    outline_append(&name.where, region);
    scene_put_text(w->panel, &name);
    outline_append(&w->panel->obstacles, region);
    if (code & PLANE_DISCRETE) scene_put(w->panel, SCENE_HATCH, style, region);
}

/* Draws a class. fills: its region has no colour yet from the stability of the continuous system or the map.
 */
static costab_status draw_class(plane *w, unsigned code, bool fills, costab_error *error) {
    char style[3];
    ends_by(outline_free) outline region = {0};
    outline area = {0};
    class_of(code, style);
    for (char *c = style; *c; c++) *c = (char)tolower((unsigned char)*c);
    TRY(plane_class(w, ALL, code, &region, error));
    if (fills) outline_append(&area, &region);
    scene_put(w->panel, SCENE_FILL, style, &area);
    finish_class(w, code, style, &region);
    return COSTAB_OK;
}

static costab_status draw_classes(plane *w, void *context, costab_error *error) {
    (void)context;
    static const unsigned under[] = {0, PLANE_CONTINUOUS, PLANE_DISCRETE}; /* UU, SU, US */
    size_t counts[CODES] = {0};
    bool filled[CODES] = {false};
    ends_by(outline_free) outline map = {0}, system = {0};
    outline areas[2] = {{0}, {0}};
    for (size_t p = 0; p < w->points; p++) counts[w->missing[p] ? 0 : w->grid.codes[p] & ALL]++;
    counts[0] -= w->missing_count;
    for (int k = 0; k < 3; k++) filled[under[k]] = (double)counts[under[k]] > SEEN * (double)w->points;
    TRY(plane_ground(w, filled[0] ? "uu" : "ground", error));
    TRY(plane_class(w, PLANE_CONTINUOUS, PLANE_CONTINUOUS, &system, error));
    TRY(plane_class(w, PLANE_DISCRETE, PLANE_DISCRETE, &map, error));
    if (filled[PLANE_CONTINUOUS]) outline_append(&areas[0], &system);
    if (filled[PLANE_DISCRETE]) outline_append(&areas[1], &map);
    scene_put(w->panel, SCENE_FILL, "su", &areas[0]);
    scene_put(w->panel, SCENE_FILL, "us", &areas[1]);
    for (unsigned code = 0; code < CODES; code++)
        if (counts[code] > 0) TRY(draw_class(w, code, !filled[code], error));
    scene_put_border(w->panel, "continuous", &system);
    scene_put_border(w->panel, "edge", &map);
    return COSTAB_OK;
}

static costab_status build_classes(const figure_request *r, scene *s, costab_error *error) {
    return planes_of_classes(r, s, &kind_classes, draw_classes, error);
}

const figure_kind kind_classes = {.name = "classes",
                                  .systems = FIGURE_PLANAR | FIGURE_NETWORK,
                                  .fields = {"class"},
                                  .without = "draws the field 'class', which is not there",
                                  .wide = 2,
                                  .caption = "classes",
                                  .along = 2,
                                  .build = build_classes};

/* ---- Comparison */

/* Defines the style of coupling k. Dashes and the angle of the hatching distinguish couplings without
 * colours. */
static void define_style(const plane *w, size_t k, char name[SCENE_WORD_MAX]) {
    static const char *const colours[] = {"#0072b2", "#000000", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"};
    static const double angles[] = {0, 90, -45, 45, 22.5, -22.5, 67.5, -67.5};
    text legend = {0};
    snprintf(name, SCENE_WORD_MAX, "c%zu", k + 1);
    figure_choice(w->request, w->request->plan->axes[0].labels[k], &legend);
    scene_style style = {.name = name,
                         .line = colours[k % 6],
                         .hatch = colours[k % 6],
                         .pattern_count = !w->request->figure->style.plain,
                         .patterns = {{angles[k % 8], 0.19}}};
    scene_tell_apart(&style, (int)k, 1.2, false);
    style.words = style.legend = scene_keep_text(w->s, &legend);
    scene_define(w->s, &style);
}

static costab_status draw_comparison(plane *w, void *context, costab_error *error) {
    (void)context;
    char name[SCENE_WORD_MAX], words[80];
    ends_by(outline_free) outline stable = {0}, system = {0};
    if (w->panel->layer_count == 0) { /* the continuous system is the same for all couplings */
        TRY(plane_ground(w, "ground", error));
        TRY(plane_class(w, PLANE_CONTINUOUS, PLANE_CONTINUOUS, &system, error));
        scene_put(w->panel, SCENE_FILL, "quadrant", &system);
    }
    define_style(w, w->at[0], name);
    (void)text_format(words, sizeof words, "no class at %zu of %zu points", w->missing_count, w->points);
    if (w->missing_count > 0) scene_remark_on(w->panel, name, words);
    if (w->missing_count == w->points) return COSTAB_OK;
    TRY(plane_class(w, PLANE_DISCRETE, PLANE_DISCRETE, &stable, error));
    scene_put_border(w->panel, name, &stable);
    scene_put_side(w->panel, name, w->request->figure->style.plain, &stable);
    return COSTAB_OK;
}

static costab_status build_comparison(const figure_request *r, scene *s, costab_error *error) {
    return planes_of_classes(r, s, &kind_comparison, draw_comparison, error);
}

const figure_kind kind_comparison = {.name = "comparison",
                                     .systems = FIGURE_PLANAR | FIGURE_NETWORK,
                                     .fields = {"class"},
                                     .without = "draws the field 'class', which is not there",
                                     .wide = 2,
                                     .caption = "stability",
                                     .along = 2,
                                     .overlaid = true,
                                     .build = build_comparison};
