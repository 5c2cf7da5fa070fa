/* Names of curves beside the right side of the panel, where the curves end.
 *   1. Each entry of the legend needs one curve that ends at the right side; they are sorted by its height.
 *   2. A name may be MOVED from its curve's end at most, and two names must be APART. Going upwards gives the
 *      lowest place that each name may have, going downwards the highest.
 *   3. Upwards again, each name takes the place nearest to its end that leaves room for the others.
 * Cost: n^2 for at most NAMES_MAX names. Refused where no such places exist. */
#include "figure/ends.h"

#include <math.h>

#define APART   0.36 /* cm, between the middles of two names */
#define MOVED   0.16 /* cm: a name farther than this from its end may be another's */
#define AT_SIDE 0.01 /* of the panel's width: a curve that ends so close to the side ends there */

enum { NAMES_MAX = 8 };

typedef struct curve_end {
    int entry;
    double y;               /* cm from the panel's lower side: of the end, at last of the name */
    double lowest, highest; /* where the name may be, in the same way */
} curve_end;

/* The y, in the panel's coordinates, at which the curve of a style meets the right side; NaN where none does,
 * or several. */
static double end_of(const scene_panel *panel, const outline_box *box, int style) {
    double end = (double)NAN, least = box->x[1] - AT_SIDE * (box->x[1] - box->x[0]);
    for (int k = 0; k < panel->layer_count; k++) {
        const scene_layer *layer = &panel->layers[k];
        if (layer->style != style || layer->kind != SCENE_CURVE) continue;
        for (size_t r = 0; r < layer->runs.loop_count; r++) {
            const outline_run *run = &layer->runs.loops[r];
            const outline_point *last = &layer->runs.points[run->first + run->count - 1];
            if (last->x < least) continue;
            if (!isnan(end)) return (double)NAN;
            end = last->y;
        }
    }
    return end;
}

/* Is the style used for curves and points only? */
static bool is_curve(const scene_style *style) {
    return (style->seen & ~(1U << SCENE_CURVE | 1U << SCENE_POINTS)) == 0;
}

/* [out] ends: of all entries, the lowest first. False where an entry has no single end. */
static bool gather(const scene *s, const figure_layout *l, curve_end *ends) {
    const outline_box *box = &l->panels[0].frame.box;
    double scale = l->panel_height / (box->y[1] - box->y[0]);
    for (int i = 0; i < l->entry_count; i++) {
        int style = l->entries[i].style, at = i;
        double place = end_of(s->panels[0], box, style);
        if (isnan(place) || !is_curve(&s->styles[style])) return false;
        curve_end end = {.entry = i, .y = (place - box->y[0]) * scale};
        for (; at > 0 && end.y < ends[at - 1].y; at--) ends[at] = ends[at - 1];
        ends[at] = end;
    }
    return true;
}

bool ends_place(const scene *s, figure_layout *l) {
    curve_end ends[NAMES_MAX];
    int count = l->entry_count;
    if (s->panel_count != 1 || count > NAMES_MAX || !gather(s, l, ends)) return false;
    for (int i = 0; i < count; i++)
        ends[i].lowest = fmax(ends[i].y - MOVED, i > 0 ? ends[i - 1].lowest + APART : 0);
    for (int i = count - 1; i >= 0; i--) {
        ends[i].highest =
            fmin(ends[i].y + MOVED, i + 1 < count ? ends[i + 1].highest - APART : l->panel_height);
        if (ends[i].lowest > ends[i].highest) return false;
    }
    for (int i = 0; i < count; i++) {
        double least = i > 0 ? fmax(ends[i].lowest, ends[i - 1].y + APART) : ends[i].lowest;
        ends[i].y = fmin(fmax(ends[i].y, least), ends[i].highest);
        l->entries[ends[i].entry].y = ends[i].y - 0.5 * LAYOUT_SWATCH_HEIGHT;
    }
    return true;
}
