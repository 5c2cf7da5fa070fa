/* Cutting a polyline at a box, segment by segment (Y.-D. Liang and B. Barsky, ACM Trans. Graphics 3, 1984):
 *   1. In x, then in y, the part of the segment whose value is in the box's range, as an interval of 0..1.
 *   2. What is left joins the run before, if that ended inside; a run ends where the polyline leaves.
 * Differences are taken of halves: the ends may be as far apart as doubles can be. Cost: linear. */
#include "figure/clip.h"

#include <float.h>
#include <math.h>

typedef struct segment {
    double x[2], y[2];
    double from, to; /* what of it is inside, as numbers from 0 to 1 */
} segment;

/* Where a value that goes from value[0] to value[1] is at the bound. */
static double fraction_at(const double *value, double bound) {
    return (0.5 * bound - 0.5 * value[0]) / (0.5 * value[1] - 0.5 * value[0]);
}

/* Keeps what of the segment has its value in the range. */
static void keep_between(segment *s, const double *value, const double *range) {
    if (value[0] == value[1]) {
        if (value[0] < range[0] || value[0] > range[1]) s->to = -1;
        return;
    }
    double at_low = fraction_at(value, range[0]), at_high = fraction_at(value, range[1]);
    s->from = fmax(s->from, fmin(at_low, at_high));
    s->to = fmin(s->to, fmax(at_low, at_high));
}

static double between(double value, const double *range) {
    return fmin(fmax(value, range[0]), range[1]);
}

/* Whether anything is left. Between ends so far apart that the range is no part of the way, rounding leaves a
 * point of what goes through it. */
static bool is_seen(const segment *s, const double *range) {
    bool far = fabs(0.5 * s->y[1] - 0.5 * s->y[0]) > 1e14 * (range[1] - range[0]);
    return s->from < s->to || (far && s->from == s->to && between(s->y[0], range) != between(s->y[1], range));
}

/* Adds where the segment enters (end 0) or leaves (end 1): at the upper or lower side exactly, and whatever
 * the rounding inside the box. */
static void add_end(const segment *s, int end, const outline_box *box, outline *result) {
    double t = end ? s->to : s->from, side = between(s->y[end], box->y), y = side;
    double x = t == end ? s->x[end] : s->x[0] + t * (s->x[1] - s->x[0]);
    if (t != end && (side == s->y[end] || t != fraction_at(s->y, side)))
        y = between(2 * (0.5 * s->y[0] + t * (0.5 * s->y[1] - 0.5 * s->y[0])), box->y);
    outline_add_point(result, between(x, box->x), y, OUTLINE_CUT);
}

static void end_run(outline *result, size_t *first) {
    outline_add_loop(result, *first, OUTLINE_CUT, false);
    *first = result->point_count;
}

void clip_polyline(const double *x, const double *y, size_t count, const outline_box *box, outline *result) {
    size_t first = result->point_count;
    for (size_t i = 0; i + 1 < count; i++) {
        bool broken = !isfinite(x[i]) || !isfinite(x[i + 1]) || isnan(y[i]) || isnan(y[i + 1]);
        segment s = {{x[i], x[i + 1]},
                     {fmax(fmin(y[i], DBL_MAX), -DBL_MAX), fmax(fmin(y[i + 1], DBL_MAX), -DBL_MAX)},
                     0,
                     1};
        if (!broken) {
            keep_between(&s, s.x, box->x);
            keep_between(&s, s.y, box->y);
        }
        /* A segment that only touches the box leaves nothing. */
        bool seen = !broken && is_seen(&s, box->y);
        if (!seen || s.from > 0) end_run(result, &first);
        if (!seen) continue;
        if (result->point_count == first) add_end(&s, 0, box, result);
        add_end(&s, 1, box, result);
        if (s.to < 1) end_run(result, &first);
    }
    end_run(result, &first);
}
