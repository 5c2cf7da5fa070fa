/* Kind `certificate` of networks: what a certified sweep knows of the parcels of its points, as regions over
 * two axes.
 *   1. `computed` and `grey` are cuts of the grid (plane.c), between points of different certificates half
 *      the way; all else is certified.
 *   2. Over them the lines on which map or continuous system become unstable. */
#include <stdio.h>

#include "figure/plane.h"

/* Labels are the codes of the field. */
enum { CERTIFIED, COMPUTED = PLANE_COMPUTED, GREY = PLANE_GREY, LABELS };
static const char *const styles[LABELS] = {"certified", "computed", "grey"};

/* Where two boundaries pass through one cell it may be inside of both: that is grey. */
static uint8_t label_of(const void *context, unsigned inside) {
    (void)context;
    return (inside & 2) != 0 ? GREY : (inside & 1) != 0 ? COMPUTED : CERTIFIED; /* cuts 0 and 1 */
}

static void style_of(int label, char style[SCENE_WORD_MAX]) {
    snprintf(style, SCENE_WORD_MAX, "%s", styles[label]);
}

static void draw(plane *w) {
    w->cells.label = label_of;
    plane_cut_certificate(w, COMPUTED);
    plane_cut_certificate(w, GREY);
    plane_paint(w, style_of);
    for (int label = 0; label < LABELS; label++) {
        outline area = {0};
        scene_mention(w->s, styles[label]); /* all three, so that what is not there is seen, too */
        if (label != CERTIFIED) outline_choose(&w->regions, label, &area);
        scene_put(w->panel, SCENE_HATCH, styles[label], &area);
    }
    plane_cut_class(w, PLANE_DISCRETE);
    plane_cut_class(w, PLANE_CONTINUOUS);
    plane_line(w, 3, "continuous", NULL, 0);
    plane_line(w, 2, "edge", NULL, 0);
    outline_append(&w->panel->obstacles, &w->regions);
}

const figure_kind kind_certificate = {.name = "certificate",
                                      .fields = {"certificate"},
                                      .without = "draws what a sweep with 'refine: {certified: true}' writes",
                                      .wide = 2,
                                      .caption = "certificate",
                                      .along = 2,
                                      .plane = draw};
