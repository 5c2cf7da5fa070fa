/* Critical values of a by sampling.
 *
 * The kinds are decided from the pieces of stable rows, without integrating, so that bisection between two
 * values of a with different kinds ends at the change, as sharply as break points can be told apart. Where an
 * area begins thinly, with a width that is proportional to a higher power k of the distance, that is not
 * sharp enough: there the width's k-th root, a smooth function of a, is extrapolated to 0. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "planar/area_pieces.h"
#include "planar/critical_events.h"
#include "planar/polynomial.h"

enum { PARTS = CRITICAL_PARTS, SAMPLES = 1024, SPECIAL_MAX = 64, CHANGES_MAX = 512 };

typedef struct kinds {
    critical_kind of[PARTS];
    wide width[PARTS]; /* in Gamma, of the finite pieces */
} kinds;

typedef struct change {
    double a;
    kinds before, after;
} change;

typedef struct scan {
    const costab_planar *planar;
    double low, high;
    change changes[CHANGES_MAX];
    int count;
    bool failed;
} scan;

static kinds kinds_at(scan *s, double a) {
    area_plan plan = area_plan_make(s->planar, a, NULL);
    area_pieces pieces;
    kinds k = {{KIND_NONE, KIND_NONE, KIND_NONE}, {0, 0, 0}};
    if (!area_pieces_find(&plan, -INFINITY, INFINITY, &pieces)) {
        s->failed = true;
        return k;
    }
    for (int i = 0; i < pieces.count; i++) {
        const area_piece *p = &pieces.piece[i];
        bool infinite = area_piece_infinite(&plan, p);
        for (int part = p->ss ? 0 : 1; part < (p->ss ? 1 : PARTS); part++) {
            if (part == 2 && p->to <= -(wide)a) continue;
            if (k.of[part] != KIND_INFINITE) k.of[part] = infinite ? KIND_INFINITE : KIND_FINITE;
            if (!infinite) k.width[part] += p->to - p->from;
        }
    }
    return k;
}

static bool same_kinds(const kinds *left, const kinds *right) {
    return memcmp(left->of, right->of, sizeof left->of) == 0;
}

/* All changes between two values of a. */
static void bisect(scan *s, double left, const kinds *at_left, double right, const kinds *at_right) {
    if (s->failed || same_kinds(at_left, at_right)) return;
    double middle = left + 0.5 * (right - left);
    bool narrow = right - left <= 4 * DBL_EPSILON * fmax(fabs(left), fabs(right)) || right - left < 1e-18;
    if (!narrow && middle > left && middle < right) {
        kinds at_middle = kinds_at(s, middle);
        bisect(s, left, at_left, middle, &at_middle);
        bisect(s, middle, &at_middle, right, at_right);
        return;
    }
    if (s->count == CHANGES_MAX) {
        s->failed = true;
        return;
    }
    s->changes[s->count++] = (change){middle, *at_left, *at_right};
}

/* ---- thin beginnings ---- */

enum { FIT = 8 };

/* The polynomial through (j, value[j - 1]), j = 1 ... n. */
static wide interpolated(const wide *value, int n, wide x) {
    wide sum = 0;
    for (int j = 1; j <= n; j++) {
        wide weight = value[j - 1];
        for (int m = 1; m <= n; m++)
            if (m != j) weight *= (x - m) / (wide)(j - m);
        sum += weight;
    }
    return sum;
}

/* Its root near 0 by the secant rule; NaN if there is none within 1/2. */
static wide extrapolated_root(const wide *value, int n) {
    wide last = 0.5L, x = 0, at_last = interpolated(value, n, last);
    for (int i = 0; i < 40; i++) {
        wide at_x = interpolated(value, n, x);
        if (at_x == at_last) break;
        wide next = x - at_x * (x - last) / (at_x - at_last);
        last = x;
        at_last = at_x;
        x = next;
        if (fabsl(x - last) < 1e-16L) break;
    }
    return fabsl(x) <= 0.5L ? x : (wide)NAN;
}

/* The place where the width of a part, known at a + j step, vanishes; *doubt: how far off it may be. */
static double vanishing(scan *s, double a, int part, double step, double *doubt) {
    wide width[FIT], value[FIT];
    *doubt = INFINITY;
    for (int j = 1; j <= FIT; j++) {
        kinds k = kinds_at(s, a + j * step);
        if (s->failed || k.of[part] != KIND_FINITE) return a;
        width[j - 1] = k.width[part];
    }
    wide power = 0.5L * roundl(2 * log2l(width[3] / width[1]));
    if (power < 0.5L || power > 12) return a;
    for (int j = 0; j < FIT; j++) value[j] = powl(width[j], 1 / power);
    wide root = extrapolated_root(value, FIT), check = extrapolated_root(value, FIT - 1);
    if (isnan(root) || isnan(check)) return a;
    *doubt = (double)fabsl((root - check) * step);
    return (double)(a + root * step);
}

/* At a = 0 terms of the bounds vanish: what happens next to it happens there. */
static double settled(double a) {
    return fabs(a) <= 1e-10 ? 0 : a;
}

/* Whether a part that is empty at a = 0 is so thin beside it that rounding of the tableau decides where it
 * ends. */
static bool thin_at_zero(scan *s, double a, int part, int side) {
    if (!(fabs(a) < 0.05)) return false;
    kinds at_zero = kinds_at(s, 0), beside = kinds_at(s, a + fmax(1e-3, fabs(a)) * side);
    return at_zero.of[part] == KIND_NONE && beside.of[part] == KIND_FINITE && beside.width[part] < 1e-9L;
}

/* A sharper value for a change of one part between nothing and something finite; side: +1 where it begins.
 * Kept only where extrapolations from different numbers of widths agree. */
static double sharpened(scan *s, double a, int part, int side) {
    static const double steps[] = {1e-4, 1e-3, 4e-3, 2e-2};
    if (thin_at_zero(s, a, part, side)) return 0;
    double best = a, least = 1e-10 * fmax(1, fabs(a));
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double doubt, place = vanishing(s, a, part, steps[i] * fmax(1, fabs(a)) * side, &doubt);
        if (!(doubt < least)) continue;
        least = doubt;
        best = place;
    }
    return best;
}

/* ---- samples and events ---- */

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* a = 0, and the real roots of phi_a, P0_a and P1_a of one micro step: there the bounds lose a term. */
static int special_values(const costab_planar *planar, double low, double high, double *values) {
    const costab_method *method = &planar->method;
    const double *numerators[3] = {method->phi, method->p0, method->p1};
    double m = area_basis_scale(method, planar->substeps[0]);
    int count = 0;
    if (low < 0 && high > 0) values[count++] = 0;
    for (int k = 0; k < 3 && method->kind != COSTAB_EXACT; k++) {
        double roots[COSTAB_STAGES_MAX];
        int n = polynomial_roots(numerators[k], method->stages - 1, low / m, high / m, roots, NULL, NULL);
        for (int i = 0; i < n; i++) values[count++] = m * roots[i];
    }
    return count;
}

/* One part's changes of kind; those at one place count as one change, unless nothing is left of them but a
 * gap. */
static void part_events(scan *s, int part, critical_events *events) {
    double place[CHANGES_MAX];
    critical_kind from[CHANGES_MAX], to[CHANGES_MAX];
    int n = 0;
    for (int i = 0; i < s->count; i++) {
        const change *c = &s->changes[i];
        if (c->before.of[part] == c->after.of[part]) continue;
        from[n] = c->before.of[part];
        to[n] = c->after.of[part];
        place[n] = c->a;
        if (from[n] == KIND_NONE && to[n] == KIND_FINITE) place[n] = sharpened(s, c->a, part, 1);
        if (from[n] == KIND_FINITE && to[n] == KIND_NONE) place[n] = sharpened(s, c->a, part, -1);
        place[n] = settled(place[n]);
        n++;
    }
    for (int i = 0; i < n;) {
        int last = i;
        while (last + 1 < n && place[last + 1] - place[i] <= 1e-11 * fmax(1, fabs(place[i]))) last++;
        if (from[i] != to[last]) {
            critical_change(events, place[i], part, from[i], to[last]);
        } else {
            critical_kind least = from[i];
            for (int k = i; k <= last; k++) least = to[k] < least ? to[k] : least;
            critical_change(events, place[i], part, from[i], least);
            critical_change(events, place[i], part, least, to[last]);
        }
        i = last + 1;
    }
}

costab_status critical_sampled(const costab_planar *planar, double low, double high, critical_events *events,
                               costab_error *error) {
    scan s = {.planar = planar, .low = low, .high = high};
    double samples[SAMPLES + 1 + SPECIAL_MAX];
    int n = special_values(planar, low, high, samples);
    for (int i = 0; i <= SAMPLES; i++) samples[n++] = low + (high - low) * i / SAMPLES;
    qsort(samples, (size_t)n, sizeof *samples, ascending);
    kinds before = kinds_at(&s, samples[0]);
    for (int i = 1; i < n && !s.failed; i++) {
        kinds after = kinds_at(&s, samples[i]);
        bisect(&s, samples[i - 1], &before, samples[i], &after);
        before = after;
    }
    for (int part = 0; part < PARTS && !s.failed; part++) part_events(&s, part, events);
    if (!s.failed) return COSTAB_OK;
    return error_set(error, COSTAB_NUMERIC, "the critical values of %s with %s could not be told apart",
                     costab_scheme_name(planar->scheme), planar->method.name);
}
