/* Roots in brackets by Brent's method (Brent 1973, Algorithms for Minimization without Derivatives, ch. 4).
 *
 * 1. Step to the root of the inverse parabola through the last three arguments (or of the line through two).
 * 2. Bisection if this step leaves the bracket or is not shorter than half of the step before the last.
 * 3. Both are repeated until half the width of the bracket is at most `tolerance` times the argument.
 *
 * Cost: about 8 values of a smooth function; at worst the square of the number of bisections. Of several
 * roots one is found. */
#include "method/root.h"

#include <math.h>

/* Default of root.tolerance, and half the width of the last bracket at 0, relative to the first bracket. */
#define TOLERANCE         1e-13
#define TOLERANCE_AT_ZERO 1e-19

/* Indices in root.at: smallest value, other side of the root, previous best. */
enum { BEST, OTHER, LAST };

root root_start(const double ends[2], const double values[2]) {
    return (root){.at = {ends[1], ends[0], ends[0]},
                  .values = {values[1], values[0], values[0]},
                  .step = ends[1] - ends[0],
                  .before = ends[1] - ends[0],
                  .length = fabs(ends[1] - ends[0]),
                  .tolerance = TOLERANCE};
}

static void set(root *r, int to, int from) {
    r->at[to] = r->at[from];
    r->values[to] = r->values[from];
}

/* Chooses the step to the zero of the inverse parabola through three arguments (or of the line through two),
 * or to the middle of the bracket if that is safer. */
static void choose_step(root *r, double half, double least) {
    const double *at = r->at, *v = r->values;
    double share = v[BEST] / v[LAST], p, q;
    if (!(fabs(r->before) >= least) || !(fabs(v[LAST]) > fabs(v[BEST]))) {
        r->step = r->before = half;
        return;
    }
    if (at[LAST] == at[OTHER]) {
        p = 2 * half * share;
        q = 1 - share;
    } else {
        double a = v[LAST] / v[OTHER], b = v[BEST] / v[OTHER];
        p = share * (2 * half * a * (a - b) - (at[BEST] - at[LAST]) * (b - 1));
        q = (a - 1) * (b - 1) * (share - 1);
    }
    if (p > 0) q = -q;
    p = fabs(p);
    if (2 * p < fmin(3 * half * q - fabs(least * q), fabs(r->before * q))) {
        r->before = r->step;
        r->step = p / q;
    } else {
        r->step = r->before = half;
    }
}

bool root_next(root *r, double *place) {
    if (fabs(r->values[OTHER]) < fabs(r->values[BEST])) {
        set(r, LAST, BEST);
        set(r, BEST, OTHER);
        set(r, OTHER, LAST);
    }
    double least = fmax(r->tolerance * fabs(r->at[BEST]), TOLERANCE_AT_ZERO * r->length);
    double half = (r->at[OTHER] - r->at[BEST]) / 2;
    if (fabs(half) <= least) return false;
    choose_step(r, half, least);
    set(r, LAST, BEST);
    r->at[BEST] += fabs(r->step) > least ? r->step : copysign(least, half);
    *place = r->at[BEST];
    return *place != r->at[LAST];
}

void root_set_value(root *r, double value) {
    r->values[BEST] = value;
    if ((value < 0) != (r->values[OTHER] < 0)) return;
    set(r, OTHER, LAST);
    r->step = r->before = r->at[BEST] - r->at[LAST];
}

void root_get_bracket(const root *r, double ends[2], double values[2]) {
    int low = r->at[BEST] < r->at[OTHER] ? BEST : OTHER, high = BEST + OTHER - low;
    ends[0] = r->at[low];
    ends[1] = r->at[high];
    values[0] = r->values[low];
    values[1] = r->values[high];
}

double root_line_zero(const root *r) {
    double ends[2], values[2];
    root_get_bracket(r, ends, values);
    if (values[0] == values[1]) return ends[0];
    double place = (values[1] * ends[0] - values[0] * ends[1]) / (values[1] - values[0]);
    return fmin(fmax(place, ends[0]), ends[1]);
}
