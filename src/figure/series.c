/* Signals over time, and the vertical range that shows them.
 *   1. Signals up to ALIKE times the smallest are shown whole, larger ones up to BEYOND times the smallest.
 *   2. While the smallest signal exceeds DIVERGED times the start values, the time considered is halved.
 *   3. A signal that has left the range for good ends there. */
#include "figure/series.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "figure/scene.h"

#define ALIKE    5.0   /* times the smallest signal: a signal up to this size is shown whole */
#define BEYOND   3.0   /* times the smallest signal: larger signals are cut here */
#define MARGIN   0.08  /* of the range */
#define DIVERGED 1e3   /* times the start: size of a signal that has diverged */
#define CONSTANT 1e-9  /* of a signal: changes by rounding */
#define ROOM     0.1   /* of a constant signal, on both sides */
#define MOST     5e307 /* end of the range: gnuplot has no axes beyond, whose length would overflow */
#define GONE     4.0   /* times the range: a signal that stays beyond has left for good */

enum { STRETCHES = 4000, SIGNALS_MAX = 64 };

void series_thin(series *s) {
    if (s->count <= (size_t)4 * STRETCHES) return;
    size_t count = 0;
    for (size_t c = 0; c < STRETCHES; c++) {
        const size_t first = s->count * c / STRETCHES, end = s->count * (c + 1) / STRETCHES;
        size_t low = first, high = first;
        for (size_t i = first; i < end; i++) {
            if (s->x[i] < s->x[low]) low = i;
            if (s->x[i] > s->x[high]) high = i;
        }
        const size_t pair[2] = {low < high ? low : high, low < high ? high : low};
        for (int k = 0; k < 1 + (low != high); k++) {
            s->t[count] = s->t[pair[k]];
            s->x[count++] = s->x[pair[k]];
        }
    }
    s->count = count;
}

static double size_of(const double *range) {
    return fmax(fabs(range[0]), fabs(range[1]));
}

/* [out] range: of the values up to a time. */
static void extent(const series *s, double until, double *range) {
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (size_t i = 0; i < s->count && s->t[i] <= until; i++) {
        range[0] = fmin(range[0], s->x[i]);
        range[1] = fmax(range[1], s->x[i]);
    }
}

void series_choose_range(const series *const *all, int count, double until, double start, double *range) {
    const double least = start > 0 ? start : 1, diverged = fmin(DIVERGED * least, DBL_MAX);
    double ranges[SIGNALS_MAX][2] = {{0}}, smallest = HUGE_VAL;
    if (count > SIGNALS_MAX) count = SIGNALS_MAX;
    for (int halving = 0; halving < 40 && !(smallest <= diverged); halving++, until *= 0.5) {
        smallest = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            extent(all[i], until, ranges[i]);
            if (size_of(ranges[i]) > 0) smallest = fmin(smallest, size_of(ranges[i]));
        }
    }
    if (!(smallest <= diverged)) smallest = least;
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const double space = size_of(ranges[i]) <= ALIKE * smallest ? HUGE_VAL : BEYOND * smallest;
        range[0] = fmin(range[0], fmax(ranges[i][0], -space));
        range[1] = fmax(range[1], fmin(ranges[i][1], space));
    }
    if (!(range[0] <= range[1])) range[0] = range[1] = 0;
    scene_take_zero(range);
    const double size = size_of(range), width = range[1] - range[0];
    const double margin = width > CONSTANT * size ? MARGIN * width : size > 0 ? ROOM * size : 1;
    range[0] = fmax(range[0] - margin, -MOST);
    range[1] = fmin(range[1] + margin, MOST);
}

void series_cut(series *s, const double *range) {
    const double far = GONE * size_of(range);
    double last = 0;
    for (size_t i = s->count - s->count / 10; i < s->count; i++) last = fmax(last, fabs(s->x[i]));
    size_t i = 0;
    while (i < s->count && fabs(s->x[i]) <= far) i++;
    if (last > far && i + 1 < s->count) s->count = i + 1;
}

costab_status series_hold(const series *s, series *steps, costab_error *error) {
    *steps = (series){.ends = s->ends};
    TRY(memory_make(&steps->t, 2 * s->count + 1, error));
    TRY(memory_make(&steps->x, 2 * s->count + 1, error));
    for (size_t i = 0; i < s->count; i++) {
        if (i > 0 && s->x[i] != s->x[i - 1]) {
            steps->t[steps->count] = s->t[i];
            steps->x[steps->count++] = s->x[i - 1];
        }
        steps->t[steps->count] = s->t[i];
        steps->x[steps->count++] = s->x[i];
    }
    return COSTAB_OK;
}

double series_largest(const series *s) {
    double size = 0;
    for (size_t i = 0; i < s->count; i++) size = fmax(size, fabs(s->x[i]));
    return size;
}

void series_free(series *s) {
    memory_free_all(s->t, s->x);
}
