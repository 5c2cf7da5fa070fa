/* Kind `comparison` of networks: the boundaries of stability of all couplings over each other.
 *   1. Behind all the region in which the continuous system is stable, which is the same for all.
 *   2. Of each coupling the line of the cut at which the map becomes stable (plane.c).
 *   3. Its stable side is hatched or, without hatching, marked by ticks. Dashes and the angle of the
 *      hatching tell couplings apart without colours.
 *   4. The legend says of which coupling nothing is stable, and how many points have no class. */
#include <stdio.h>

#include "figure/plane.h"

/* Dashes and the angle of the hatching tell couplings apart without colours. */
static void define_style(const plane *w, char name[SCENE_WORD_MAX]) {
    static const char *const colours[] = {"#0072b2", "#000000", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"};
    static const double angles[] = {0, 90, -45, 45, 22.5, -22.5, 67.5, -67.5};
    int k = w->coupling;
    text legend = {0};
    snprintf(name, SCENE_WORD_MAX, "c%d", k + 1);
    figure_choice(w->request, w->request->plan->axes[0].labels[k], &legend);
    scene_style style = {.name = name,
                         .line = colours[k % 6],
                         .hatch = colours[k % 6],
                         .pattern_count = !w->request->figure->style.plain,
                         .patterns = {{angles[k % 8], 0.19}}};
    scene_tell_apart(&style, k, 1.2, false);
    style.words = style.legend = scene_keep_text(w->s, &legend);
    scene_define(w->s, &style);
}

static void style_of(int label, char style[SCENE_WORD_MAX]) {
    snprintf(style, SCENE_WORD_MAX, label ? "quadrant" : "ground");
}

/* Remarks on a coupling some of whose points have no class. Returns whether none has one. */
static bool remark_on_missing(const plane *w, const char *style) {
    size_t points = w->frame->x.count * w->frame->y.count;
    char words[80];
    (void)text_format(words, sizeof words, "no class at %zu of %zu points", w->missing, points);
    if (w->missing > 0) scene_remark_on(w->panel, style, words);
    return w->missing == points;
}

static void draw(plane *w) {
    char name[SCENE_WORD_MAX];
    ends_by(outline_free) outline stable = {0};
    define_style(w, name);
    if (w->panel->layer_count == 0) { /* the continuous system is the same for all */
        plane_cut_class(w, PLANE_CONTINUOUS);
        plane_trace(w);
        plane_paint(w, style_of);
        w->cut_count = 0;
    }
    plane_cut_class(w, PLANE_DISCRETE);
    plane_trace(w);
    outline_choose(&w->regions, 1, &stable);
    plane_line(w, 0, name, NULL, 0);
    if (remark_on_missing(w, name)) return;
    scene_put_side(w->panel, name, w->request->figure->style.plain, &stable);
}

const figure_kind kind_comparison = {.name = "comparison",
                                     .fields = {"class"},
                                     .without = "draws the field 'class'",
                                     .wide = 2,
                                     .caption = "stability",
                                     .along = 2,
                                     .overlaid = true,
                                     .plane = draw};
