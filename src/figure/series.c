/* Signals over time, and the window that shows them.
 *   1. Of long signals the least and the largest value of each of COLUMNS stretches, which draw the same
 *      line.
 *   2. Signals up to ALIKE times the smallest are shown whole, larger ones up to BEYOND times that; of
 *      signals that have diverged only the beginnings count.
 *   3. What has left the window for good is not drawn across the panel any more.
 * The figure says where something is cut. */
#include "figure/series.h"

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "figure/scene.h"

#define ALIKE  5.0  /* times the smallest signal: a signal up to this size is shown whole */
#define BEYOND 3.0  /* times the smallest signal: larger signals are cut here */
#define MARGIN 1.08 /* the axis' end over the largest value */
#define BEYOND_MEASURE                                                                                       \
    1e3               /* times the start: larger signals have diverged, and only their beginnings count */
#define CONSTANT 1e-9 /* of a signal: what it changes by rounding */
#define ROOM     0.1  /* of a constant signal, to both sides */
#define GONE                                                                                                 \
    4.0 /* of the range: what stays beyond has left for good, and is not drawn across the panel any more */
#define COLUMNS 4000 /* that a panel can show: more samples are thinned */

/* Keeps the least and the largest of each of COLUMNS stretches, in their order. */
void series_thin(series *s) {
    if (s->count <= 4 * COLUMNS) return;
    size_t kept = 0;
    for (size_t c = 0; c < COLUMNS; c++) {
        size_t first = s->count * c / COLUMNS, end = s->count * (c + 1) / COLUMNS, low = first, high = first;
        for (size_t i = first; i < end; i++) {
            if (s->x[i] < s->x[low]) low = i;
            if (s->x[i] > s->x[high]) high = i;
        }
        const size_t pair[2] = {low < high ? low : high, low < high ? high : low};
        for (int k = 0; k < 1 + (low != high); k++) {
            s->t[kept] = s->t[pair[k]];
            s->x[kept++] = s->x[pair[k]];
        }
    }
    s->count = kept;
}

/* The least and the largest value up to a time; infinite where a value is. */
static void extent(const series *s, double until, double *range) {
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (size_t i = 0; i < s->count && s->t[i] <= until; i++) {
        range[0] = fmin(range[0], s->x[i]);
        range[1] = fmax(range[1], s->x[i]);
        if (isnan(s->x[i])) range[1] = HUGE_VAL;
    }
}

static double size_of(const double *range) {
    return fmax(fabs(range[0]), fabs(range[1]));
}

#define SIGNALS_MAX 64

void series_choose_range(const series *const *all, int count, double until, double start, double *range) {
    double ranges[SIGNALS_MAX][2] = {{0}}, smallest = HUGE_VAL;
    double measure = BEYOND_MEASURE * (start > 0 ? start : 1);
    if (count > SIGNALS_MAX) count = SIGNALS_MAX;
    for (int halving = 0; halving < 40 && !(smallest <= measure); halving++, until *= 0.5) {
        smallest = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            extent(all[i], until, ranges[i]);
            double size = size_of(ranges[i]);
            if (size > 0) smallest = fmin(smallest, size);
        }
    }
    if (!(smallest <= measure)) smallest = start > 0 ? start : 1;
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        bool whole = size_of(ranges[i]) <= ALIKE * smallest;
        double room = whole ? HUGE_VAL : BEYOND * smallest;
        range[0] = fmin(range[0], fmax(ranges[i][0], -room));
        range[1] = fmax(range[1], fmin(ranges[i][1], room));
    }
    if (!(range[0] <= range[1])) range[0] = range[1] = 0;
    scene_take_zero(range);
    double size = size_of(range);
    if (!(range[1] - range[0] > CONSTANT * size)) {
        double room = size > 0 ? ROOM * size : 1;
        range[0] -= room;
        range[1] += room;
    }
    double margin = (MARGIN - 1) * (range[1] - range[0]);
    range[0] -= margin;
    range[1] += margin;
}

/* Ends a signal where it leaves for good: far outside, and at the end still there. */
void series_cut(series *s, const double *range) {
    double far = GONE * size_of(range), last = 0;
    for (size_t i = s->count - s->count / 10; i < s->count; i++)
        last = isnan(s->x[i]) ? HUGE_VAL : fmax(last, fabs(s->x[i]));
    size_t i = 0;
    while (i < s->count && fabs(s->x[i]) <= far) i++;
    if (last > far && i + 1 < s->count) s->count = i + 1;
}

void series_free(series *s) {
    memory_free_all(s->t, s->x);
}
