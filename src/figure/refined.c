/* A field over two axes on a finer grid, by cubic patches:
 *   1. Every point of the coarse grid has a slope along x and along y: of the parabola through it and what is
 *      known next to it on the grid line (a place where the value passes 0, else the next point), at most
 *      three times the smaller of the two secants (Fritsch and Carlson 1980), so that jumps and kinks are
 *      not overshot.
 *   2. Along an edge of the grid the value is a cubic with these slopes; or two, which meet in 0 where the
 *      edge has a known zero.
 *   3. In a cell it is the bicubic Hermite patch without twist, and what its edges lack of step 2, fading
 *      away from each edge with 1 - 3 t^2 + 2 t^3 (Coons): value and slope go on from cell to cell.
 *   4. Where all corners of a cell, or both ends of an edge, have one sign, so has all between.
 * Cost: some fifty operations a point. Between points nothing is computed anew: a feature narrower than the
 * grid stays unseen, and a line within a cell is as good as the field is smooth there. */
#include "figure/refined.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"

#define FINE_ENOUGH 300 /* cells along an axis */
#define MOST        8   /* points for one */

typedef struct slopes {
    double *x, *y; /* at every point of the coarse grid */
} slopes;

/* A grid line: every `stride`-th entry of the values from `first` on. */
typedef struct line {
    const grid_axis *axis;
    const refined *of;
    const double *one;
    size_t first, stride;
} line;

static size_t entry(const line *l, size_t i) {
    return l->first + i * l->stride;
}

/* The zero on the edge from point i to the next; NaN where none is known. */
static double zero_of(const line *l, size_t i) {
    size_t p = entry(l, i), q = entry(l, i + 1);
    double place = grid_crossing(l->axis, i, l->one, p);
    bool passes = (l->of->values[p] < 0) != (l->of->values[q] < 0);
    return passes && place > l->axis->places[i] && place < l->axis->places[i + 1] ? place : (double)NAN;
}

/* Of the secant from point i to what is known before it (side -1) or behind: its slope, and its length; 0
 * where there is none. */
static double secant(const line *l, size_t i, int side, double *slope) {
    const grid_axis *axis = l->axis;
    if (side < 0 ? i == 0 : i + 1 == axis->count) return 0;
    size_t j = side < 0 ? i - 1 : i + 1;
    if (l->of->missing[entry(l, i)] || l->of->missing[entry(l, j)]) return 0;
    double zero = zero_of(l, side < 0 ? j : i), place = isnan(zero) ? axis->places[j] : zero;
    double value = isnan(zero) ? l->of->values[entry(l, j)] : 0;
    *slope = (value - l->of->values[entry(l, i)]) / (place - axis->places[i]);
    return fabs(place - axis->places[i]);
}

static double limited(double slope, double before, double behind) {
    double most = 3 * fmin(fabs(before), fabs(behind));
    return fmin(fmax(slope, -most), most);
}

static double slope_at(const line *l, size_t i) {
    double before = 0, behind = 0;
    double back = secant(l, i, -1, &before), ahead = secant(l, i, 1, &behind);
    if (back == 0 || ahead == 0) return back == 0 ? behind : before;
    return limited((ahead * before + back * behind) / (back + ahead), before, behind);
}

static void find_slopes(const line *l, double *slope) {
    size_t last = l->axis->count - 1;
    for (size_t i = 0; i <= last; i++) slope[entry(l, i)] = slope_at(l, i);
    /* At the ends of the line that of the parabola with the slope of the next point. */
    const size_t ends[2][2] = {{0, 1}, {last, last - 1}};
    for (int k = 0; k < 2; k++) {
        double straight = slope[entry(l, ends[k][0])];
        double bent = 1.5 * straight - 0.5 * slope[entry(l, ends[k][1])];
        if (last > 1 && bent * straight > 0) slope[entry(l, ends[k][0])] = limited(bent, straight, straight);
    }
}

/* ---- Edges */

/* A cubic between two places, at t of the way. */
static double cubic(double t, double length, const double *ends, const double *slope) {
    double u = 1 - t;
    return u * u * (1 + 2 * t) * ends[0] + t * t * (1 + 2 * u) * ends[1] +
           length * t * u * (u * slope[0] - t * slope[1]);
}

static double keep_side(double value, bool below) {
    return below ? fmin(value, -DBL_MIN) : fmax(value, 0);
}

/* The value on the edge from point i to the next, at t of the way. */
static double on_edge(const line *l, const double *slope, size_t i, double t) {
    size_t p = entry(l, i), q = entry(l, i + 1);
    const double *values = l->of->values;
    double from = l->axis->places[i], length = l->axis->places[i + 1] - from, zero = zero_of(l, i);
    double place = from + t * length;
    if (isnan(zero)) {
        double value = cubic(t, length, (double[]){values[p], values[q]}, (double[]){slope[p], slope[q]});
        return (values[p] < 0) == (values[q] < 0) ? keep_side(value, values[p] < 0) : value;
    }
    double before = -values[p] / (zero - from), behind = values[q] / (from + length - zero);
    double there =
        limited(((from + length - zero) * before + (zero - from) * behind) / length, before, behind);
    if (place < zero)
        return keep_side(cubic((place - from) / (zero - from), zero - from, (double[]){values[p], 0},
                               (double[]){slope[p], there}),
                         values[p] < 0);
    length -= zero - from;
    return keep_side(
        cubic((place - zero) / length, length, (double[]){0, values[q]}, (double[]){there, slope[q]}),
        values[q] < 0);
}

/* ---- Cells */

typedef struct work {
    const refined *coarse;
    refined *fine;
    slopes slopes;
    size_t kx, ky; /* points of the fine grid for one */
} work;

static line line_along(const work *w, int axis, size_t at) {
    const refined *c = w->coarse;
    if (axis == 0) return (line){&c->x, c, c->one_x, at, c->y.count};
    return (line){&c->y, c, c->one_y, at * c->y.count, 1};
}

static double fading(double t) {
    return (1 - t) * (1 - t) * (1 + 2 * t);
}

/* What the patch lacks on an edge. */
static double lack(const line *l, const double *slope, size_t i, double t) {
    size_t p = entry(l, i), q = entry(l, i + 1);
    double length = l->axis->places[i + 1] - l->axis->places[i];
    return on_edge(l, slope, i, t) -
           cubic(t, length, (double[]){l->of->values[p], l->of->values[q]}, (double[]){slope[p], slope[q]});
}

static double in_cell(const work *w, size_t i, size_t j, double u, double v) {
    const refined *c = w->coarse;
    double width = c->x.places[i + 1] - c->x.places[i], height = c->y.places[j + 1] - c->y.places[j];
    double value = 0, below = 0;
    for (size_t a = 0; a < 2; a++) {
        size_t low = (i + a) * c->y.count + j;
        double along = cubic(v, height, &c->values[low], &w->slopes.y[low]);
        line up = line_along(w, 1, i + a), across = line_along(w, 0, j + a);
        value += fading(a ? 1 - u : u) * (along + lack(&up, w->slopes.y, j, v)) +
                 fading(a ? 1 - v : v) * lack(&across, w->slopes.x, i, u);
        below += (c->values[low] < 0) + (c->values[low + 1] < 0);
    }
    for (size_t b = 0; b < 2; b++) {
        size_t p = i * c->y.count + j + b, q = p + c->y.count;
        value +=
            fading(b ? 1 - v : v) * width * u * (1 - u) * ((1 - u) * w->slopes.x[p] - u * w->slopes.x[q]);
    }
    return below == 0 || below == 4 ? keep_side(value, below == 4) : value;
}

static double value_at(const work *w, size_t i, size_t j, size_t a, size_t b) {
    double u = (double)a / (double)w->kx, v = (double)b / (double)w->ky;
    line across = line_along(w, 0, j), up = line_along(w, 1, i);
    if (a == 0 && b == 0) return w->coarse->values[i * w->coarse->y.count + j];
    if (b == 0) return on_edge(&across, w->slopes.x, i, u);
    return a == 0 ? on_edge(&up, w->slopes.y, j, v) : in_cell(w, i, j, u, v);
}

static bool misses(const work *w, size_t i, size_t j, size_t a, size_t b) {
    const bool *missing = &w->coarse->missing[i * w->coarse->y.count + j];
    size_t ny = w->coarse->y.count;
    return missing[0] || (a > 0 && missing[ny]) || (b > 0 && missing[1]) ||
           (a > 0 && b > 0 && missing[ny + 1]);
}

static void fill(const work *w) {
    const refined *c = w->coarse;
    refined *f = w->fine;
    for (size_t i = 0; i < f->x.count; i++)
        for (size_t j = 0; j < f->y.count; j++) {
            size_t at = i * f->y.count + j, ci = i / w->kx, cj = j / w->ky, from = ci * c->y.count + cj;
            size_t a = i % w->kx, b = j % w->ky;
            f->missing[at] = misses(w, ci, cj, a, b);
            f->values[at] = f->missing[at] ? 0 : value_at(w, ci, cj, a, b);
            /* A known zero belongs to the part of its edge on which the sign changes. */
            f->one_x[at] = b == 0 && c->one_x ? c->one_x[from] : (double)NAN;
            f->one_y[at] = a == 0 && c->one_y ? c->one_y[from] : (double)NAN;
        }
}

/* ---- Grids */

static size_t factor(size_t count) {
    size_t wanted = (FINE_ENOUGH + count - 2) / (count - 1);
    return wanted < MOST ? wanted : MOST;
}

static costab_status divide(const grid_axis *coarse, size_t k, grid_axis *fine, costab_error *error) {
    *fine = *coarse;
    fine->values = NULL;
    fine->count = (coarse->count - 1) * k + 1;
    TRY(memory_make(&fine->places, fine->count, error));
    for (size_t i = 0; i < fine->count; i++) {
        const double *p = &coarse->places[i / k];
        fine->places[i] = i % k == 0 ? p[0] : p[0] + (double)(i % k) / (double)k * (p[1] - p[0]);
    }
    return COSTAB_OK;
}

void refined_factors(size_t nx, size_t ny, size_t k[2]) {
    k[0] = factor(nx);
    k[1] = factor(ny);
    if (k[0] == 1 && k[1] > 1) k[0] = 2; /* so that every cell without values has a point within */
    if (k[1] == 1 && k[0] > 1) k[1] = 2;
}

costab_status refined_make(const refined *coarse, const size_t k[2], refined *fine, costab_error *error) {
    work w = {.coarse = coarse, .fine = fine, .kx = k[0], .ky = k[1]};
    size_t points = coarse->x.count * coarse->y.count;
    *fine = (refined){.values = NULL};
    TRY(divide(&coarse->x, w.kx, &fine->x, error));
    TRY(divide(&coarse->y, w.ky, &fine->y, error));
    TRY(memory_make(&fine->values, 3 * fine->x.count * fine->y.count, error));
    TRY(memory_make(&fine->missing, fine->x.count * fine->y.count, error));
    memory_local_array(double, both, 2 * points, error);
    w.slopes = (slopes){both, both + points};
    fine->one_x = fine->values + fine->x.count * fine->y.count;
    fine->one_y = fine->one_x + fine->x.count * fine->y.count;
    for (size_t j = 0; j < coarse->y.count; j++)
        find_slopes(&(line){&coarse->x, coarse, coarse->one_x, j, coarse->y.count}, w.slopes.x);
    for (size_t i = 0; i < coarse->x.count; i++)
        find_slopes(&(line){&coarse->y, coarse, coarse->one_y, i * coarse->y.count, 1}, w.slopes.y);
    fill(&w);
    return COSTAB_OK;
}

void refined_free(refined *fine) {
    memory_free_all(fine->x.places, fine->y.places, fine->values, fine->missing);
}
