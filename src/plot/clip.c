/* Cutting a polyline, segment by segment (Liang and Barsky). Differences are taken of halves: the ends may be
 * as far apart as doubles can be. */
#include "plot/clip.h"

#include <float.h>
#include <math.h>

typedef struct segment {
    double x[2], y[2];
    double from, to; /* the part inside, of 0 ... 1 */
} segment;

/* Keeps the part of the segment on which low <= value <= high. */
static void keep_between(segment *s, const double *value, double low, double high) {
    double half = 0.5 * value[1] - 0.5 * value[0];
    if (half == 0) {
        if (value[0] < low || value[0] > high) s->to = -1;
        return;
    }
    double at_low = (0.5 * low - 0.5 * value[0]) / half, at_high = (0.5 * high - 0.5 * value[0]) / half;
    s->from = fmax(s->from, fmin(at_low, at_high));
    s->to = fmin(s->to, fmax(at_low, at_high));
}

static double between(double value, const double *range) {
    return fmin(fmax(value, range[0]), range[1]);
}

/* The point at part t; rounding does not take it out of the box. */
static costab_status add_at(const segment *s, double t, const outline_box *box, outline *result,
                            costab_error *error) {
    double x = t <= 0 ? s->x[0] : t >= 1 ? s->x[1] : s->x[0] + t * (s->x[1] - s->x[0]);
    double y = t <= 0   ? s->y[0]
               : t >= 1 ? s->y[1]
                        : 2 * (0.5 * s->y[0] + t * (0.5 * s->y[1] - 0.5 * s->y[0]));
    return outline_add_point(result, between(x, box->gamma), between(y, box->delta), OUTLINE_CUT, error);
}

static costab_status end_run(outline *result, size_t *first, costab_error *error) {
    costab_status status = COSTAB_OK;
    if (result->point_count > *first) status = outline_add_loop(result, *first, OUTLINE_CUT, false, error);
    *first = result->point_count;
    return status;
}

costab_status clip_polyline(const double *x, const double *y, size_t count, const outline_box *box,
                            outline *result, costab_error *error) {
    costab_status status = COSTAB_OK;
    size_t first = result->point_count;
    for (size_t i = 0; i + 1 < count && !status; i++) {
        bool broken = !isfinite(x[i]) || !isfinite(x[i + 1]) || isnan(y[i]) || isnan(y[i + 1]);
        segment s = {{x[i], x[i + 1]},
                     {fmax(fmin(y[i], DBL_MAX), -DBL_MAX), fmax(fmin(y[i + 1], DBL_MAX), -DBL_MAX)},
                     0,
                     1};
        if (!broken) {
            keep_between(&s, s.x, box->gamma[0], box->gamma[1]);
            keep_between(&s, s.y, box->delta[0], box->delta[1]);
        }
        /* A segment that only touches the box leaves nothing. */
        if (broken || s.from >= s.to) {
            status = end_run(result, &first, error);
            continue;
        }
        if (s.from > 0) status = end_run(result, &first, error);
        if (!status && result->point_count == first) status = add_at(&s, s.from, box, result, error);
        if (!status) status = add_at(&s, s.to, box, result, error);
        if (!status && s.to < 1) status = end_run(result, &first, error);
    }
    return status ? status : end_run(result, &first, error);
}
