/* What a planar sweep stores for its figures:
 *
 *  1. For each scheme and a the outline of the stable set (planar/trace.c) in the window of the sweep, MARGIN
 *     wider on each side, so that a figure never sees where it was cut.
 *  2. In the same window the parts of the conditions' zero sets that bound nothing (planar/beyond.c); a
 *     point that belongs to no curve is a loop of one.
 *  3. The limits of areas at critical values (area/limits.c).
 *
 * Cost: some milliseconds for each scheme and a; of more than PLANES_MAX of these none is traced. */
#include "study/planar_curves.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "planar/beyond.h"
#include "planar/trace.h"

#define MARGIN     0.05
#define TOLERANCE  1e-5 /* of the window, for straight segments */
#define PLANES_MAX 64

/* The window of the sweep; of an axis with a single value the figure's. */
static bool find_window(const costab_spec *spec, outline_box *box) {
    for (int k = 0; k < 2; k++) {
        const costab_axis *axis = &spec->axes[k == 0 ? COSTAB_AXIS_GAMMA : COSTAB_AXIS_DELTA];
        const costab_figure_range *shown = k == 0 ? &spec->figure.x : &spec->figure.y;
        double *range = k == 0 ? box->x : box->y;
        if (axis->count == 0) return false;
        const bool single = axis->count == 1;
        const double low = single ? shown->from : axis->values[0],
                     high = single ? shown->to : axis->values[axis->count - 1];
        if (!(low < high)) return false;
        range[0] = low - MARGIN * (high - low);
        range[1] = high + MARGIN * (high - low);
    }
    return true;
}

static costab_status find_beyond(const costab_planar_slice *slice, const outline_box *box, outline *beyond,
                                 costab_error *error) {
    ends_by(costab_boundary_free) costab_boundary zero = {0};
    TRY(costab_planar_boundary(slice->planar, slice->a, box->x, box->y, &zero, error));
    for (size_t k = 0; k < zero.count; k++) {
        const costab_curve *curve = &zero.curves[k];
        beyond_curve(slice, box, curve, beyond);
        if (curve->count > 1) continue;
        const size_t first = beyond->point_count;
        outline_add_point(beyond, curve->gamma[0], curve->delta[0], curve->cause);
        outline_add_loop(beyond, first, curve->cause, false);
    }
    return COSTAB_OK;
}

static size_t places_of(const outline *source) {
    size_t places = source->loop_count > 0 ? source->loop_count - 1 : 0;
    for (size_t l = 0; l < source->loop_count; l++)
        places += source->loops[l].count + source->loops[l].closed;
    return places;
}

static costab_status trace_planes(const costab_spec *spec, const costab_planar *schemes,
                                  const outline_box *box, planar_curves *curves, costab_error *error) {
    const costab_axis *a = &spec->axes[COSTAB_AXIS_A];
    const size_t planes = (size_t)spec->planar.scheme_count * a->count;
    if (planes > PLANES_MAX) return COSTAB_OK;
    TRY(memory_make(&curves->boundary, planes, error));
    TRY(memory_make(&curves->beyond, planes, error));
    curves->planes = planes;
    curves->vertices = curves->beyond_count = 1;
    for (size_t p = 0; p < planes; p++) {
        const costab_planar_slice slice = costab_planar_at(&schemes[p / a->count], a->values[p % a->count]);
        TRY(outline_trace(&slice, box, TOLERANCE, &curves->boundary[p], error));
        TRY(find_beyond(&slice, box, &curves->beyond[p], error));
        if (curves->boundary[p].failed || curves->beyond[p].failed) return error_memory(error);
        const size_t vertices = places_of(&curves->boundary[p]), beyond = places_of(&curves->beyond[p]);
        if (vertices > curves->vertices) curves->vertices = vertices;
        if (beyond > curves->beyond_count) curves->beyond_count = beyond;
    }
    return COSTAB_OK;
}

costab_status planar_curves_find(const costab_spec *spec, const costab_planar *schemes, planar_curves *curves,
                                 costab_error *error) {
    const costab_axis *a = &spec->axes[COSTAB_AXIS_A];
    outline_box box;
    *curves = (planar_curves){0};
    if (find_window(spec, &box)) TRY(trace_planes(spec, schemes, &box, curves, error));
    if ((spec->fields & COSTAB_FIELD_AREAS) == 0 || a->count < 2) return COSTAB_OK;
    TRY(memory_make(&curves->limits, (size_t)spec->planar.scheme_count, error));
    curves->schemes = (size_t)spec->planar.scheme_count;
    for (size_t s = 0; s < curves->schemes; s++) {
        TRY(area_limits_find(&schemes[s], a->values[0], a->values[a->count - 1], &curves->limits[s], error));
        if (curves->limits[s].count > curves->critical) curves->critical = curves->limits[s].count;
    }
    return COSTAB_OK;
}

void planar_curves_free(planar_curves *curves) {
    for (size_t p = 0; p < curves->planes; p++) {
        outline_free(&curves->boundary[p]);
        outline_free(&curves->beyond[p]);
    }
    for (size_t s = 0; s < curves->schemes; s++) area_limits_free(&curves->limits[s]);
    memory_free_all(curves->boundary, curves->beyond, curves->limits);
    *curves = (planar_curves){0};
}

void planar_curves_put(const outline *source, size_t count, double *x, double *y, uint8_t *cause) {
    for (size_t i = 0; i < count; i++) {
        if (x != NULL) x[i] = (double)NAN;
        if (y != NULL) y[i] = (double)NAN;
        if (cause != NULL) cause[i] = OUTLINE_CUT;
    }
    size_t at = 0;
    for (size_t l = 0; l < source->loop_count; l++, at++) {
        const outline_run *run = &source->loops[l];
        for (size_t i = 0; i < run->count + run->closed; i++, at++) {
            const outline_point *p = &source->points[run->first + i % run->count];
            if (x != NULL) x[at] = p->x;
            if (y != NULL) y[at] = p->y;
            if (cause != NULL) cause[at] = p->edge;
        }
    }
}
