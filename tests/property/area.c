/* Areas against an independent calculation: stages solved in long double, micro steps one after the other,
 * the bounds of a row from trace and determinant themselves, break points by sampling and bisection,
 * tanh-sinh quadrature. Nothing but the tableau comes from the library.
 *
 * Finite areas must agree within the library's error estimate plus what the reference's two step sizes differ
 * by. Infinite ones are confirmed by rows that grow without end towards one d, or fall off too slowly towards
 * infinity. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "costab/area.h"
#include "planar/area_rows.h"
#include "support/support.h"

/* ---- rows by definition ---- */

typedef struct weights {
    real R, p0, p1;
} weights;

/* One micro step of x' = z x + u, u linear from u0 to u1, for the three unit inputs. */
static weights micro_step(const costab_method *m, real z) {
    if (m->kind == COSTAB_EXACT) {
        real phi = fabsl(z) > 0 ? expm1l(z) / z : 1, p1 = 0, term = 0.5L;
        if (fabsl(z) > 0.5L) {
            p1 = (phi - 1) / z;
        } else {
            for (int k = 3; k < 40; k++, term *= z / (k - 1)) p1 += term;
        }
        return (weights){expl(z), phi - p1, p1};
    }
    int s = m->stages;
    real M[COSTAB_STAGES_MAX][COSTAB_STAGES_MAX + 3];
    for (int i = 0; i < s; i++) {
        for (int j = 0; j < s; j++) M[i][j] = (i == j ? 1 : 0) - z * m->A[i][j];
        M[i][s] = z;
        M[i][s + 1] = 1 - (real)m->c[i];
        M[i][s + 2] = m->c[i];
    }
    for (int k = 0; k < s; k++) {
        int best = k;
        for (int i = k + 1; i < s && m->implicit; i++)
            if (fabsl(M[i][k]) > fabsl(M[best][k])) best = i;
        for (int j = 0; j < s + 3 && best != k; j++) {
            real swap = M[k][j];
            M[k][j] = M[best][j];
            M[best][j] = swap;
        }
        for (int i = k + 1; i < s; i++) {
            real factor = M[i][k] / M[k][k];
            for (int j = k; j < s + 3 && factor != 0; j++) M[i][j] -= factor * M[k][j];
        }
    }
    weights w = {1, 0, 0};
    real *sums[3] = {&w.R, &w.p0, &w.p1};
    for (int r = 0; r < 3; r++) {
        real stage[COSTAB_STAGES_MAX];
        for (int i = s - 1; i >= 0; i--) {
            stage[i] = M[i][s + r];
            for (int j = i + 1; j < s; j++) stage[i] -= M[i][j] * stage[j];
            stage[i] /= M[i][i];
        }
        for (int i = 0; i < s; i++) *sums[r] += m->b[i] * stage[i];
    }
    return w;
}

/* A macro step of micro steps. */
static weights macro_step(const costab_method *m, int substeps, real z) {
    weights micro = micro_step(m, z / substeps), w = {1, 0, 0};
    for (int j = 0; j < substeps; j++) {
        real t0 = (real)j / substeps, t1 = (real)(j + 1) / substeps;
        w.R *= micro.R;
        w.p0 = micro.R * w.p0 + (micro.p0 * (1 - t0) + micro.p1 * (1 - t1)) / substeps;
        w.p1 = micro.R * w.p1 + (micro.p0 * t0 + micro.p1 * t1) / substeps;
    }
    return w;
}

enum { BOUNDS = 6 };

typedef struct row {
    int lower, upper; /* -1: none */
    bool ss;
    real low, high;
    real gap;   /* of an empty row: how far its bounds are from leaving room, relative */
    int slopes; /* which bounds rise with Delta */
    real noise; /* rounding of the length */
} row;

typedef struct problem {
    const costab_planar *planar;
    real a;
    weights A;
} problem;

/* K, K Tr and K Det at one w = bc, then the bounds from their values at Delta = 0 and 1, which they are
 * linear between. */
static row row_at(const problem *p, real d) {
    weights A = p->A, D = macro_step(&p->planar->method, p->planar->substeps[1], d);
    real value[2][BOUNDS], size = 0;
    for (int delta = 0; delta < 2; delta++) {
        real w = p->a * d - delta, K = 1, q = 0;
        real trace = A.R + D.R, det = A.R * D.R - w * (A.p0 + A.p1) * (D.p0 + D.p1);
        if (p->planar->scheme == COSTAB_ZIGZAG) {
            trace += w * (A.p0 + A.p1) * D.p1;
            det = A.R * D.R - w * (A.p0 + A.p1) * D.p0;
        } else if (p->planar->scheme == COSTAB_STRONG) {
            trace += w * (A.p1 * D.p0 + A.p0 * D.p1);
            det = A.R * D.R - w * A.p0 * D.p0;
            q = A.p1 * D.p1;
            K = 1 - w * q;
        }
        real fold = (A.p0 + A.p1) * (D.p0 + D.p1) * delta;
        real terms = (1 + fabsl(A.R)) * (1 + fabsl(D.R)) +
                     (1 + fabsl(w)) * (fabsl(A.p0) + fabsl(A.p1)) * (fabsl(D.p0) + fabsl(D.p1));
        size = fmaxl(size, terms);
        const real all[BOUNDS] = {fold, K - det, K + trace + det, 1 - w * q, 1 + w * q, 1};
        for (int k = 0; k < BOUNDS; k++) value[delta][k] = all[k];
    }
    row r = {-1, -1, false, -INFINITY, INFINITY, 0, 0, 0};
    bool empty = false;
    real slope[BOUNDS] = {0};
    for (int k = 0; k < BOUNDS - 1; k++) {
        real x0 = value[0][k], x1 = slope[k] = value[1][k] - x0;
        if (x1 > 0) r.slopes |= 1 << k;
        if (x1 == 0) {
            empty = empty || !(x0 > 0);
        } else if (x1 > 0 && -x0 / x1 > r.low) {
            r.low = -x0 / x1;
            r.lower = k;
        } else if (x1 < 0 && -x0 / x1 < r.high) {
            r.high = -x0 / x1;
            r.upper = k;
        }
        empty = empty || !isfinite(x0) || !isfinite(x1);
    }
    real gap = (r.low - r.high) / (1 + fabsl(r.low) + fabsl(r.high));
    if (empty || !(r.low < r.high))
        return (row){-2, -2, false, 0, 0, empty || isnan(gap) ? 1 : gap, r.slopes, 0};
    if (r.lower > 0) r.noise += 4 * LDBL_EPSILON * size * (1 + fabsl(r.low)) / fabsl(slope[r.lower]);
    if (r.upper > 0) r.noise += 4 * LDBL_EPSILON * size * (1 + fabsl(r.high)) / fabsl(slope[r.upper]);
    r.ss = d < -p->a && value[1][0] > 0; /* Delta > 0 is asked for, else Delta < 0 */
    return r;
}

static real length(const row *r) {
    return r->high - r->low;
}

static bool same(const row *a, const row *b) {
    return a->lower == b->lower && a->upper == b->upper && a->ss == b->ss;
}

/* ---- quadrature ---- */

typedef struct totals {
    real value[2], doubt[2], longest[2], longest_at[2]; /* US, SS */
} totals;

/* tanh-sinh at two step sizes, d measured from the nearer end. */
static void integrate(const problem *p, real from, real to, totals *t) {
    row middle = row_at(p, from + 0.5L * (to - from));
    if (middle.lower == -2 || !(to - from > 16 * LDBL_EPSILON * fabsl(from)))
        return; /* nothing, or one cut twice */
    const real half_pi = 1.570796326794896619231322L;
    real sums[2] = {0, 0};
    int steps = 216;
    for (int k = -steps; k <= steps; k++) {
        real x = 3.6L * k / steps, e = expl(-2 * half_pi * sinhl(fabsl(x)));
        real near = e / (1 + e) * (to - from); /* distance to the end */
        real weight = 2 * half_pi * coshl(x) * e / ((1 + e) * (1 + e)) * (to - from) * 3.6L / steps;
        row r = row_at(p, x < 0 ? from + near : to - near);
        if (!same(&r, &middle)) continue; /* rounding at an end */
        sums[0] += weight * length(&r);
        t->doubt[middle.ss] += weight * r.noise;
        if (k % 2 == 0) sums[1] += 2 * weight * length(&r);
    }
    /* where rows open at once, the place of the cut counts with their whole length */
    row first = row_at(p, from + (to - from) * 1e-9L), final = row_at(p, to - (to - from) * 1e-9L);
    t->doubt[middle.ss] += 8 * LDBL_EPSILON * (fabsl(from * length(&first)) + fabsl(to * length(&final)));
    t->value[middle.ss] += sums[0];
    t->doubt[middle.ss] += fabsl(sums[1] - sums[0]);
}

/* All between two samples, narrowed to where the bounds change. */
static void between(const problem *p, real from, const row *at_from, real to, const row *at_to, int depth,
                    real *cuts, int *count, int max) {
    real middle = from + 0.5L * (to - from);
    bool narrow =
        to - from <= 4 * LDBL_EPSILON * fmaxl(fabsl(from), fabsl(to)) || !(middle > from && middle < to);
    if (same(at_from, at_to) || *count >= max - 1) return;
    if (narrow || depth > 90) {
        cuts[(*count)++] = middle;
        return;
    }
    row at_middle = row_at(p, middle);
    between(p, from, at_from, middle, &at_middle, depth + 1, cuts, count, max);
    between(p, middle, &at_middle, to, at_to, depth + 1, cuts, count, max);
}

/* Looks for room where the gap of three empty rows is least in the middle: golden section. */
static bool opening(const problem *p, real from, real to, real *found) {
    const real share = 0.381966011250105151795L;
    real left = from + share * (to - from), right = to - share * (to - from);
    row at_left = row_at(p, left), at_right = row_at(p, right);
    for (int i = 0; i < 70; i++) {
        bool open = at_left.lower != -2 || at_right.lower != -2;
        if (open) *found = at_left.lower != -2 ? left : right;
        if (open) return true;
        if (at_left.gap < at_right.gap) {
            to = right;
            right = left;
            at_right = at_left;
            left = from + share * (to - from);
            at_left = row_at(p, left);
        } else {
            from = left;
            left = right;
            at_left = at_right;
            right = to - share * (to - from);
            at_right = row_at(p, right);
        }
    }
    return false;
}

static int ascending(const void *left, const void *right) {
    real a = *(const real *)left, b = *(const real *)right;
    return (a > b) - (a < b);
}

enum { SAMPLES = 1200, MORE = 800, CUTS = 600 };

/* Where a bound turns over between two samples: there a row may open at once. */
static real turning(const problem *p, real from, real to, int slopes) {
    for (int i = 0; i < 70; i++) {
        real middle = from + 0.5L * (to - from);
        if (row_at(p, middle).slopes == slopes)
            from = middle;
        else
            to = middle;
    }
    return from;
}

static void sort_samples(const problem *p, int n, real *samples, row *rows) {
    qsort(samples, (size_t)n, sizeof *samples, ascending);
    for (int i = 0; i < n; i++) rows[i] = row_at(p, samples[i]);
}

/* Samples of d: dense near 0, far out, and beside Gamma = 0, where slivers are; then beside poles of the
 * bounds, and wherever thin parts open between. */
static int samples_of(const problem *p, real *samples, row *rows) {
    int n = 0, m = p->planar->substeps[1], last = SAMPLES + MORE - 16;
    for (int i = 0; i <= SAMPLES; i++) samples[n++] = m * sinhl(7.2L * (2 * (real)i / SAMPLES - 1)) + 1e-4L;
    for (int i = 0; i < 80; i++) {
        real step = powl(10, -0.2L * i);
        samples[n++] = -p->a + step;
        samples[n++] = -p->a - step;
    }
    area_plan plan = area_plan_make(p->planar, (double)p->a, NULL);
    static wide breaks[AREA_BREAKS_MAX];
    int break_count = area_breaks(&plan, breaks, AREA_BREAKS_MAX);
    for (int i = 1; i < break_count && n < last; i++)
        samples[n++] = breaks[i - 1] + 0.5L * (breaks[i] - breaks[i - 1]);
    for (int i = 0; i < break_count && n < last; i++)
        if (fabsl(breaks[i]) > 100 * m && fabsl(breaks[i]) < 1e9L) samples[n++] = 2 * breaks[i];
    sort_samples(p, n, samples, rows);
    int known = n;
    for (int i = 1; i < known && n < last; i++) {
        if (rows[i - 1].slopes == rows[i].slopes) continue;
        real at = turning(p, samples[i - 1], samples[i], rows[i - 1].slopes);
        for (int k = 0; k < 8; k++) samples[n++] = at + (k % 2 ? 1 : -1) * fabsl(at) * powl(10, -2 - k);
    }
    sort_samples(p, n, samples, rows);
    known = n;
    for (int i = 1; i + 1 < known && n < last; i++) {
        bool empty = rows[i - 1].lower == -2 && rows[i].lower == -2 && rows[i + 1].lower == -2;
        if (!empty || rows[i].gap > rows[i - 1].gap || rows[i].gap > rows[i + 1].gap) continue;
        if (opening(p, samples[i - 1], samples[i + 1], &samples[n])) n++;
    }
    sort_samples(p, n, samples, rows);
    return n;
}

static totals reference(const problem *p) {
    static real samples[SAMPLES + MORE], cuts[CUTS];
    static row rows[SAMPLES + MORE];
    int n = samples_of(p, samples, rows), count = 0;
    totals t = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    cuts[count++] = samples[0];
    cuts[count++] = samples[n - 1];
    cuts[count++] = -p->a;
    for (int i = 0; i < n; i++) {
        if (i > 0) between(p, samples[i - 1], &rows[i - 1], samples[i], &rows[i], 0, cuts, &count, CUTS);
        if (rows[i].lower == -2 || length(&rows[i]) <= t.longest[rows[i].ss]) continue;
        t.longest[rows[i].ss] = length(&rows[i]);
        t.longest_at[rows[i].ss] = samples[i];
    }
    qsort(cuts, (size_t)count, sizeof *cuts, ascending);
    for (int i = 0; i + 1 < count; i++) integrate(p, cuts[i], cuts[i + 1], &t);
    return t;
}

/* ---- infinite areas ---- */

/* Whether rows of a class grow like 1/distance towards one d: zooming in tenfold again and again keeps
 * lengthening them. */
static bool grows_towards_a_point(const problem *p, bool ss, real start, real width) {
    row first = row_at(p, start);
    real best = start, longest = 0;
    for (int zoom = 0; zoom < 10; zoom++, width /= 10) {
        real at = best, found = 0;
        for (int i = -40; i <= 40; i++) {
            real d = best + width * i / 20;
            row r = row_at(p, d);
            if (r.lower == -2 || r.ss != ss || length(&r) <= found) continue;
            found = length(&r);
            at = d;
        }
        longest = found;
        best = at;
    }
    return longest > 1e5L * length(&first);
}

/* Whether rows of a class fall off more slowly than d^-2 + something towards either end. */
static bool slow_at_infinity(const problem *p, bool ss) {
    for (int sign = -1; sign <= 1; sign += 2) {
        row near = row_at(p, sign * 1e7L), far = row_at(p, sign * 2e7L);
        if (near.lower == -2 || far.lower == -2 || near.ss != ss || far.ss != ss) continue;
        if (isinf(length(&near)) || length(&far) > 0.3L * length(&near)) return true;
    }
    return false;
}

/* ---- the tests ---- */

typedef struct tally {
    size_t finite, infinite, zero, sharp;
} tally;

static void compare(const costab_planar *planar, double a, tally *count) {
    problem p = {planar, a, macro_step(&planar->method, planar->substeps[0], a)};
    costab_areas areas;
    costab_error error = {.message = ""};
    costab_status status = costab_planar_areas(planar, a, &areas, &error);
    check_true(status == COSTAB_OK, "%s", error.message);
    totals t = reference(&p);
    const char *scheme = costab_scheme_name(planar->scheme), *method = planar->method.name;
    for (int ss = 0; ss < 2; ss++) {
        double area = ss ? areas.ss : areas.us, bound = ss ? areas.error_ss : areas.error_us;
        const char *name = ss ? "SS" : "US";
        int m0 = planar->substeps[0], m1 = planar->substeps[1];
        if (isinf(area)) {
            count->infinite++;
            check_true(bound == 0, "an infinite area has no error");
            bool grows = t.longest[ss] > 1e9L || slow_at_infinity(&p, ss == 1);
            for (real width = 0.1L * m1; !grows && width > 1e-6L; width /= 7)
                grows = grows_towards_a_point(&p, ss == 1, t.longest_at[ss], width);
            check_true(
                grows,
                "%s of %s %s %d,%d at a = %.17g is said to be infinite, but longest row %.6Lg at %.17Lg",
                name, scheme, method, m0, m1, a, t.longest[ss], t.longest_at[ss]);
            continue;
        }
        /* the reference takes trace and determinant apart from 1: its rows are uncertain by a few units */
        real floor = 1e-17L * (t.value[ss] + 1);
        check_near(area, t.value[ss], bound + t.doubt[ss] + floor,
                   "%s of %s %s %d,%d at a = %.17g (error estimate %.3g, reference's doubt %.3Lg)", name,
                   scheme, method, m0, m1, a, bound, t.doubt[ss]);
        if (area == 0) {
            count->zero++;
        } else {
            count->finite++;
            if (t.doubt[ss] <= bound) count->sharp++;
        }
    }
}

static void random_cases(void **state) {
    (void)state;
    static const char *const names[] = {"rk4",    "euler", "heun", "kutta3", "rk38",
                                        "dopri5", "bs3",   "rk4",  "rk4"};
    rng r = rng_start("areas of random schemes, methods and a");
    tally count = {0, 0, 0, 0};
    size_t n = effort(2400);
    for (size_t i = 0; i < n; i++) {
        costab_method method =
            rng_int(&r, 0, 5) == 0
                ? method_random(&r, rng_int(&r, 1, 4), false)
                : method_named(names[rng_int(&r, 0, (int)(sizeof names / sizeof names[0]) - 1)]);
        costab_scheme scheme = (costab_scheme)rng_int(&r, COSTAB_CROSS, COSTAB_STRONG);
        bool several = rng_int(&r, 0, 7) == 0;
        int m0 = several ? rng_int(&r, 1, 4) : 1, m1 = several ? rng_int(&r, 1, 4) : 1;
        costab_planar planar;
        assert_int_equal(costab_planar_init(&planar, scheme, &method, m0, m1, NULL), COSTAB_OK);
        double a = rng_int(&r, 0, 3) == 0 ? rng_magnitude(&r, -4, 1) : rng_uniform(&r, -4, 3);
        if (a < -12 || a > 12) a /= 10;
        compare(&planar, a, &count);
    }
    print_message("# %zu finite (%zu with a sharper reference), %zu zero, %zu infinite\n", count.finite,
                  count.sharp, count.zero, count.infinite);
    check_true(count.sharp * 10 > count.finite * 9, "the reference is too coarse to test the estimates");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
