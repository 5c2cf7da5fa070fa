/* Kind `certificate` of networks: what a certified sweep knows of the parcels of its points, and the
 * boundaries of stability over it. */
#include <stdio.h>

#include "figure/plane.h"
#include "figure/read.h"

static const char *fault(const figure_request *r) {
    if (!figure_has_field(r, "certificate"))
        return "'certificate' draws what a sweep with 'refine: {certified: true}' writes";
    if (figure_wide_axes(r) < 2) return "'certificate' needs two axes of several values";
    return NULL;
}

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

static costab_status draw(plane *w, costab_error *error) {
    static const int bits[] = {COMPUTED, GREY};
    costab_status status = COSTAB_OK;
    if (w->grid.certificates == NULL) return read_missing(w->request->results, "certificate", error);
    w->cells.label = label_of;
    for (int k = 0; k < 2 && !status; k++) status = plane_cut_certificate(w, bits[k], error);
    if (!status) status = plane_paint(w, style_of, error);
    for (int label = 0; label < LABELS && !status; label++) {
        outline area = {0};
        status = outline_choose(&w->regions, label, &area, error);
        scene_mention(w->s, styles[label]); /* all three, so that what is not there is seen, too */
        if (!status && label != CERTIFIED) scene_put(w->s, w->panel, SCENE_HATCH, styles[label], &area);
        outline_free(&area);
    }
    int first = w->cells.cut_count;
    if (!status) status = plane_cut_class(w, PLANE_DISCRETE, error);
    if (!status) status = plane_cut_class(w, PLANE_CONTINUOUS, error);
    if (!status) status = plane_line(w, first + 1, "continuous", NULL, 0, error);
    if (!status) status = plane_line(w, first, "edge", NULL, 0, error);
    return status ? status : outline_append(&w->panel->obstacles, &w->regions, error);
}

static costab_status build(const figure_request *r, scene *s, costab_error *error) {
    plane w = {.request = r, .s = s, .kind = &kind_certificate, .symbol = "certificate"};
    return planes_of_classes(&w, draw, error);
}

const figure_kind kind_certificate = {
    .name = "certificate", .over = "coupling", .along = 2, .fault = fault, .build = build};
