/* At a few e, at the middle of an interval of a, the stable row's middle is a point that may be stable
 * throughout the interval. It is where den, fold, Gamma and x0 + x1 Delta of all bounds, polynomials in a at
 * these e and Delta, keep their signs: their expansions at the middle tell.
 *
 * A coefficient in a at one e is known to 2^-47 of the sum of magnitudes, and after expansion to 2^-45. */
#include "planar/projection_witness.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"

/* COARSE, FINE: the levels at which points are looked for; at finer ones only the last are tried. SAMPLES: e.
 */
enum { N = APART_LENGTH, COARSE = 3, FINE = 6, KNOWN = 1 << CRITICAL_REGIONS, SAMPLES = 16 };

/* A polynomial in a. */
typedef struct line {
    double c[N], size[N];
} line;

/* ---- signs over an interval ---- */

BASE_CLONES static void line_at(const apart_form *f, double e, line *to) {
    line sum = {{0}, {0}};
    for (int j = f->degree_e; j >= 0; j--)
        for (int i = 0; i < N; i++) {
            sum.c[i] = sum.c[i] * e + f->c[j][i];
            sum.size[i] = sum.size[i] * fabs(e) + f->size[j][i];
        }
    *to = sum;
}

/* f := f(x + middle) */
static void expand(double *f, double middle) {
    for (int i = 0; i < N - 1; i++)
        for (int k = N - 2; k >= i; k--) f[k] += middle * f[k + 1];
}

/* An interval of a. */
typedef struct interval {
    double middle, half;
} interval;

/* The sign that all values in an interval have; 0: not known. */
static int line_sign(const line *f, interval a) {
    line g = *f;
    double off = 0, size = 0;
    expand(g.c, a.middle);
    expand(g.size, fabs(a.middle));
    for (int k = N - 1; k >= 0; k--) {
        if (k > 0) off = (off + fabs(g.c[k])) * a.half;
        size = size * a.half + g.size[k];
    }
    const double least = 1.001 * off + 0x1p-45 * size + 0x1p-500;
    return g.c[0] > least ? 1 : g.c[0] < -least ? -1 : 0;
}

static bool holds_in(const apart *plane, const witness_point *at, interval a) {
    const apart_form *form = &plane->form[APART_CURVES];
    line x0, x1;
    line_at(&form[0], at->e, &x0);
    const int den = line_sign(&x0, a);
    line_at(&form[1], at->e, &x0);
    if (den == 0 || line_sign(&x0, a) * den * (at->delta > 0 ? 1 : -1) <= 0) return false;
    for (int k = 0; k < plane->bounds; k++) {
        line_at(&form[2 + 2 * k], at->e, &x0);
        line_at(&form[3 + 2 * k], at->e, &x1);
        for (int i = 0; i < N; i++) {
            x0.c[i] += at->delta * x1.c[i];
            x0.size[i] += fabs(at->delta) * x1.size[i];
        }
        if (line_sign(&x0, a) != den) return false;
    }
    return true;
}

bool witness_holds(const apart *plane, const witness_point *at, double low, double high) {
    const double middle = low + (high - low) / 2;
    return plane->bounds > 0 && plane->unit > 0 && at->delta != 0 &&
           holds_in(plane, at, (interval){middle, 1.001 * fmax(high - middle, middle - low)});
}

/* The regions of a point that is stable at all a of an interval. */
static unsigned regions_of(const witness *w, const witness_point *at, interval a) {
    const double gamma = a.middle + w->of->unit * at->e;
    const double slack = a.half + 0x1p-40 * (fabs(a.middle) + fabs(gamma));
    if (at->delta == 0 || !holds_in(w->of, at, a)) return 0;
    if (gamma < -slack) return at->delta > 0 ? 1 : 2;
    if (gamma > slack) return 6;
    return at->delta > 0 ? 0 : 2;
}

/* ---- points ---- */

/* The forms at one a: polynomials in e. */
static void set_column(const apart_form *f, double a, double c[N]) {
    for (int j = 0; j < N; j++) {
        c[j] = 0;
        for (int i = f->degree_a; i >= 0; i--) c[j] = c[j] * a + f->c[j][i];
    }
}

BASE_CLONES static void set_values(const double c[N], const double e[SAMPLES], double value[SAMPLES]) {
    for (int s = 0; s < SAMPLES; s++) value[s] = 0;
    for (int j = N - 1; j >= 0; j--)
        for (int s = 0; s < SAMPLES; s++) value[s] = value[s] * e[s] + c[j];
}

/* The middle of row s, and by what share of themselves bounds are kept there; below 0: it is empty. [in]
 * value: of each form at each e. */
static double middle_of_row(const witness *w, double value[][SAMPLES], int s, double *delta) {
    const double den = value[0][s] > 0 ? 1 : -1;
    const bool positive = value[1][s] * den > 0;
    double low = positive ? 0 : -HUGE_VAL, high = positive ? HUGE_VAL : 0, kept = 1;
    for (int k = 0; k < w->of->bounds; k++) {
        const double x0 = value[2 + 2 * k][s] * den, x1 = value[3 + 2 * k][s] * den;
        if (x1 > 0) low = fmax(low, -x0 / x1);
        if (x1 < 0) high = fmin(high, -x0 / x1);
        if (x1 == 0 && x0 <= 0) return -1;
    }
    if (!(low < high)) return -1;
    *delta = low == -HUGE_VAL   ? high - 1 - fabs(high)
             : high == HUGE_VAL ? low + 1 + fabs(low)
                                : (low + high) / 2;
    for (int k = 0; k < w->of->bounds; k++) {
        const double x0 = value[2 + 2 * k][s] * den, x1 = value[3 + 2 * k][s] * den * *delta;
        kept = fmin(kept, (x0 + x1) / (fabs(x0) + fabs(x1)));
    }
    return kept;
}

/* Looks for points at the middle of an interval, of the regions that are wanted, which they do not leave by
 * Gamma in it; the best of each. Returns the regions found. */
static unsigned find_points(const witness *w, interval a, unsigned wanted,
                            witness_point best[CRITICAL_REGIONS]) {
    static const double at[SAMPLES / 2] = {0.2, 0.7, 1.3, 2, 2.8, 3.8, 5, 7.5};
    double e[SAMPLES], column[N], value[2 + 2 * APART_BOUNDS][SAMPLES], most[CRITICAL_REGIONS] = {0};
    unsigned found = 0;
    for (int s = 0; s < SAMPLES; s++) e[s] = (s % 2 == 0 ? at[s / 2] : -at[s / 2]) / w->of->unit;
    for (int k = 0; k < 2 + 2 * w->of->bounds; k++) {
        set_column(&w->of->form[APART_CURVES + k], a.middle, column);
        set_values(column, e, value[k]);
    }
    for (int s = 0; s < SAMPLES; s++) {
        double delta = 0;
        const double kept = middle_of_row(w, value, s, &delta);
        const double gamma = a.middle + w->of->unit * e[s];
        const bool right = gamma > a.half, ss = delta > 0 && gamma < -a.half;
        if (delta > 0 && !right && !ss) continue; /* SS and US, in parts of the interval */
        for (int region = 0; region < CRITICAL_REGIONS; region++)
            if (critical_belongs(region, ss, right) && kept > most[region] && (wanted >> region & 1)) {
                most[region] = kept;
                best[region] = (witness_point){e[s], delta};
                found |= 1u << region;
            }
    }
    return found;
}

/* ---- intervals ---- */

static unsigned find_regions(witness *w, int level, interval a, unsigned regions) {
    witness_point best[CRITICAL_REGIONS];
    for (int k = 0; k < CRITICAL_REGIONS; k++)
        if (!(regions >> k & 1)) regions |= regions_of(w, &w->last[k], a);
    if (regions == WITNESS_ALL || level > FINE) return regions;
    const unsigned found = find_points(w, a, ~regions, best);
    for (int k = 0; k < CRITICAL_REGIONS; k++)
        if (found >> k & 1 && !(regions >> k & 1)) {
            const unsigned more = regions_of(w, &best[k], a);
            if (more >> k & 1) w->last[k] = best[k];
            regions |= more;
        }
    return regions;
}

void witness_init(witness *w, const apart *of) {
    *w = (witness){.of = of};
}

unsigned witness_regions(witness *w, bool minus, int level, int number) {
    if (w->of->bounds == 0 || w->of->unit == 0 || level < COARSE || level > WITNESS_LEVELS) return 0;
    uint8_t *known = &w->known[minus][(1 << level) + number];
    if (*known & KNOWN) return *known & WITNESS_ALL;
    unsigned regions = level > COARSE ? witness_regions(w, minus, level - 1, number / 2) : 0;
    const double half = ldexp(APART_UNIT, -level - 1), middle = (2 * number + 1) * half;
    if (regions != WITNESS_ALL)
        regions = find_regions(w, level, (interval){minus ? -middle : middle, half}, regions);
    *known = (uint8_t)(regions | KNOWN);
    return regions;
}
