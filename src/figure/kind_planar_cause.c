/* Kind `cause` of the planar system: which of the conditions for a stable map are violated, as regions over
 * two axes.
 *   1. Each condition is a bit of the field `cause`; each bit a cut of the grid (plane.c), half the way
 *      between points that differ.
 *   2. The bits of a region make its label. It has the colour of its first condition, and hatching where
 *      several are violated. */
#include <stdio.h>
#include <string.h>

#include "figure/plane.h"
#include "figure/rich.h"

#define DET "Det " RICH_BOLD("D")
#define TR  "Tr " RICH_BOLD("D")

/* The conditions in the order of the bits, by the names that `cause` has elsewhere, and the colour of what
 * violates one alone. */
static const struct {
    const char *name, *violated, *tint, *tint_grey;
} conditions[] = {{"det", DET " > 1", "#d5d5d5", "#b8b8b8"},
                  {"fold", DET " < " TR " − 1", "#bcd9ec", "#d4d4d4"},
                  {"flip", DET " < −" TR " − 1", "#f3c9a8", "#e4e4e4"},
                  {"iteration", "it diverges", "#bfe5d6", "#9c9c9c"}};
enum { CONDITIONS = sizeof conditions / sizeof *conditions, LABELS = 1 << CONDITIONS };

static void style_of(int label, char style[SCENE_WORD_MAX]) {
    snprintf(style, SCENE_WORD_MAX, "cause%d", label);
}

/* What violates several conditions has the colour of the first, and hatching. */
static void define_style(scene *s, int label) {
    static const double angles[] = {45, -45, 90};
    char name[SCENE_WORD_MAX];
    text legend = {0};
    int first = -1, count = 0;
    for (int k = 0; k < CONDITIONS; k++) {
        if ((label >> k & 1) == 0) continue;
        text_printf(&legend, "%s%s", count++ > 0 ? " + " : "", conditions[k].name);
        if (first < 0) first = k;
    }
    if (first < 0) text_append(&legend, "stable");
    if (count == 1) text_printf(&legend, ": %s", conditions[first].violated);
    style_of(label, name);
    scene_define(s, &(scene_style){.name = name,
                                   .words = "where these conditions are violated",
                                   .tint = first < 0 ? "#ffffff" : conditions[first].tint,
                                   .tint_grey = first < 0 ? "#ffffff" : conditions[first].tint_grey,
                                   .hatch = "#606060",
                                   .pattern_count = count > 1,
                                   .patterns = {{angles[label % 3], 0.06 * count}},
                                   .legend = scene_keep_text(s, &legend)});
}

static void draw(plane *w) {
    for (int k = 0; k < LABELS && w->s->panel_count == 1; k++) define_style(w->s, k);
    for (int k = 0; k < CONDITIONS; k++) plane_cut_certificate(w, 1 << k);
    plane_paint(w, style_of);
    for (int label = 1; label < LABELS; label++) {
        char style[SCENE_WORD_MAX];
        outline area = {0};
        if ((label & (label - 1)) == 0) continue; /* a single condition */
        outline_choose(&w->regions, label, &area);
        style_of(label, style);
        scene_put(w->panel, SCENE_HATCH, style, &area);
    }
    for (int k = 0; k < CONDITIONS; k++) plane_line(w, k, "level", NULL, 0);
}

const figure_kind kind_planar_cause = {
    .name = "cause",
    .fields = {"cause", "class"},
    .without = "draws the field 'cause' and needs 'class'; write 'fields: [class, cause]'",
    .wide = 2,
    .caption = "conditions",
    .along = 2,
    .plane = draw};
