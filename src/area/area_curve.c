/* An area as a function of a, in stretches of one kind (zero, finite, infinite), for figures:
 *
 *  1. The critical values in the range cut it into stretches. Where two neighbouring samples have different
 *     kinds and no critical value lies between them, the change is bisected and cuts the range, too.
 *  2. A finite stretch begins and ends with the limits of the area, taken 1e-8 inside its ends. The area
 *     diverges at an end if it grows by 5 % from 1e-6 to 1e-8 away from it.
 *  3. Segments between samples are halved where the area in the middle is off the chord by more than the
 *     tolerance.
 *
 * Cost: an exact area (area_exact.c) for each sample. Not guaranteed: limits are values 1e-8 away from their
 * ends, and a slow divergence may be missed. */
#include "area/area_curve.h"

#include <math.h>

#include "area/area_exact.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "costab/area.h"

#define OFFSET 1e-8  /* the limit at a critical value is taken this far from it */
#define SAME   1e-10 /* critical values nearer than this are one */
#define GROWTH 1.05  /* an area that grows by this factor from 100 OFFSET to OFFSET has no limit */
#define REACH  0.05  /* share of the range of a next to an end at which the area diverges */

enum { DEPTH_MAX = 24, CUTS_MAX = AREA_STRETCHES_MAX - 1 };

static area_kind kind_of(double area) {
    return isinf(area) ? AREA_INFINITE : area > 0 ? AREA_FINITE : AREA_ZERO;
}

static double scale_of(double a) {
    return fmax(1, fabs(a));
}

/* The area at one a; nan where it is not known to its usual accuracy: a figure can do without that sample. */
static costab_status area_at(const area_curve *curve, double a, double *area, costab_error *error) {
    costab_areas areas = {0};
    costab_status status = costab_planar_areas(curve->planar, a, &areas, error);
    *area = status == COSTAB_NUMERIC ? (double)NAN : curve->us ? areas.us : areas.ss;
    return status == COSTAB_NUMERIC ? COSTAB_OK : status;
}

/* ---- Where the kind changes */

/* Where the range is cut into stretches. */
typedef struct cuts {
    double a[CUTS_MAX];
    size_t count;
} cuts;

static void add_cut(cuts *c, double a) {
    for (size_t i = 0; i < c->count; i++)
        if (fabs(c->a[i] - a) <= SAME * scale_of(a)) return;
    if (c->count < CUTS_MAX) c->a[c->count++] = a;
}

/* Cuts at the critical values. */
static costab_status add_critical_values(const area_curve *curve, cuts *c, costab_error *error) {
    costab_critical critical[COSTAB_CRITICAL_MAX];
    size_t count = 0;
    const costab_critical_options options = {.low = curve->from, .high = curve->to};
    /* Where there is no range, or they cannot be found, or are too many, the samples tell the kinds. */
    if (!(curve->from < curve->to) ||
        area_system_check(curve->planar, "critical values", COSTAB_CRITICAL_DEGREE_MAX, NULL) != COSTAB_OK)
        return COSTAB_OK;
    costab_status status = costab_planar_critical(curve->planar, &options, critical, &count, error);
    if (status == COSTAB_NUMERIC) return COSTAB_OK;
    for (size_t i = 0; i < count && !status; i++) {
        bool ss = critical[i].event <= COSTAB_SS_INFINITE_ENDS;
        bool us = !ss && critical[i].event <= COSTAB_US_INFINITE_ENDS;
        if (curve->us ? us : ss) add_cut(c, critical[i].a);
    }
    return status;
}

static bool cut_between(const cuts *c, double low, double high) {
    for (size_t i = 0; i < c->count; i++)
        if (c->a[i] >= low - SAME * scale_of(low) && c->a[i] <= high + SAME * scale_of(high)) return true;
    return false;
}

/* Cuts where the kind changes between samples without a critical value. */
static costab_status add_other_changes(const area_curve *curve, size_t count, const double *a,
                                       const double *area, cuts *c, costab_error *error) {
    for (size_t i = 0; i + 1 < count; i++) {
        double low = a[i], high = a[i + 1];
        if (kind_of(area[i]) == kind_of(area[i + 1]) || cut_between(c, low, high)) continue;
        while (high - low > SAME * scale_of(low)) {
            double middle = low + 0.5 * (high - low), value = 0;
            TRY(area_at(curve, middle, &value, error));
            *(kind_of(value) == kind_of(area[i]) ? &low : &high) = middle;
        }
        add_cut(c, low + 0.5 * (high - low));
    }
    return COSTAB_OK;
}

/* ---- Samples */

static costab_status add_sample(area_stretch *s, double a, double area, costab_error *error) {
    size_t room = s->capacity;
    TRY(memory_room(&s->a, &room, s->count + 1, error));
    TRY(memory_room(&s->area, &s->capacity, s->count + 1, error));
    s->a[s->count] = a;
    s->area[s->count++] = area;
    return COSTAB_OK;
}

/* The limit at an end of a finite stretch, and whether the area diverges there. side: +1 at its start, -1 at
 * its end. */
static costab_status limit_at(const area_curve *curve, area_stretch *s, int side, double *area,
                              costab_error *error) {
    double end = side > 0 ? s->from : s->to, farther = 0;
    double offset = fmin(OFFSET * scale_of(end), 1e-3 * (s->to - s->from));
    TRY(area_at(curve, end + side * offset, area, error));
    TRY(area_at(curve, end + side * fmin(100 * offset, 0.1 * (s->to - s->from)), &farther, error));
    s->diverges[side < 0] = *area > fmax(GROWTH * farther, 1e-9);
    return COSTAB_OK;
}

/* Gives a finite stretch its samples: limits at ends that are cuts, given samples between. */
static costab_status set_samples(const area_curve *curve, area_stretch *s, size_t count, const double *a,
                                 const double *area, costab_error *error) {
    double value = 0, slack = 2 * OFFSET * scale_of(s->from);
    bool starts = s->from > curve->from, ends = s->to < curve->to;
    if (starts) {
        TRY(limit_at(curve, s, 1, &value, error));
        if (kind_of(value) == AREA_FINITE) TRY(add_sample(s, s->from, value, error));
    }
    for (size_t i = 0; i < count; i++)
        if (a[i] > s->from + (starts ? slack : -slack) && a[i] < s->to - (ends ? slack : -slack) &&
            kind_of(area[i]) == AREA_FINITE)
            TRY(add_sample(s, a[i], area[i], error));
    if (ends) {
        TRY(limit_at(curve, s, -1, &value, error));
        if (kind_of(value) == AREA_FINITE) TRY(add_sample(s, s->to, value, error));
    }
    return COSTAB_OK;
}

/* The kind of a stretch, from a given sample or the area in its middle. */
static costab_status find_kind(const area_curve *curve, area_stretch *s, size_t count, const double *a,
                               const double *area, costab_error *error) {
    double slack = 2 * OFFSET * scale_of(s->from), value = 0;
    for (size_t i = 0; i < count; i++) {
        if (a[i] <= s->from + slack || a[i] >= s->to - slack) continue;
        s->kind = kind_of(area[i]);
        return COSTAB_OK;
    }
    costab_status status = area_at(curve, s->from + 0.5 * (s->to - s->from), &value, error);
    s->kind = kind_of(value);
    return status;
}

costab_status area_curve_make(const costab_planar *planar, bool us, size_t count, const double *a,
                              const double *area, area_curve *curve, costab_error *error) {
    *curve = (area_curve){.planar = planar, .us = us, .from = a[0], .to = a[count - 1]};
    cuts c = {.count = 0};
    TRY(add_critical_values(curve, &c, error));
    TRY(add_other_changes(curve, count, a, area, &c, error));
    number_sort(c.a, c.count);
    TRY(memory_make(&curve->stretches, c.count + 1, error));
    for (size_t i = 0; i <= c.count; i++) {
        area_stretch *s = &curve->stretches[curve->count++];
        *s = (area_stretch){.from = i == 0 ? curve->from : c.a[i - 1],
                            .to = i == c.count ? curve->to : c.a[i]};
        TRY(find_kind(curve, s, count, a, area, error));
        if (s->kind == AREA_FINITE) TRY(set_samples(curve, s, count, a, area, error));
    }
    return COSTAB_OK;
}

/* ---- Refining */

typedef struct sample {
    double a, area;
} sample;

typedef struct refinement {
    const area_curve *curve;
    area_stretch *to;
    double top, tolerance;
} refinement;

/* Adds the samples after p up to q: halves the segment while it is not straight enough. */
static costab_status refine_segment(const refinement *r, sample p, sample q, int depth, costab_error *error) {
    if (depth == DEPTH_MAX || (p.area > r->top && q.area > r->top))
        return add_sample(r->to, q.a, q.area, error);
    sample middle = {p.a + 0.5 * (q.a - p.a), 0};
    TRY(area_at(r->curve, middle.a, &middle.area, error));
    double dx = (q.a - p.a) / (r->curve->to - r->curve->from), rise = (q.area - p.area) / r->top;
    double off = (middle.area - 0.5 * (p.area + q.area)) / r->top;
    if (kind_of(middle.area) != AREA_FINITE || fabs(off) * dx <= r->tolerance * hypot(dx, rise))
        return add_sample(r->to, q.a, q.area, error);
    TRY(refine_segment(r, p, middle, depth + 1, error));
    return refine_segment(r, middle, q, depth + 1, error);
}

static costab_status refine_stretch(const area_curve *curve, area_stretch *s, double top, double tolerance,
                                    costab_error *error) {
    area_stretch fine = *s;
    fine.a = fine.area = NULL;
    fine.count = fine.capacity = 0;
    refinement r = {curve, &fine, top, tolerance};
    costab_status status = s->count > 0 ? add_sample(&fine, s->a[0], s->area[0], error) : COSTAB_OK;
    for (size_t i = 1; i < s->count && !status; i++)
        status = refine_segment(&r, (sample){s->a[i - 1], s->area[i - 1]}, (sample){s->a[i], s->area[i]}, 0,
                                error);
    area_stretch *unused = status ? &fine : s;
    memory_free_all(unused->a, unused->area);
    if (!status) *s = fine;
    return status;
}

costab_status area_curve_refine(area_curve *curve, double top, double tolerance, costab_error *error) {
    if (curve->planar->scheme == COSTAB_SIMULATION) return COSTAB_OK; /* does not depend on a */
    for (size_t i = 0; i < curve->count; i++)
        if (curve->stretches[i].kind == AREA_FINITE)
            TRY(refine_stretch(curve, &curve->stretches[i], top, tolerance, error));
    return COSTAB_OK;
}

/* ---- Asking */

void area_curve_largest(const area_curve *curve, double *bounded, double *diverging) {
    double reach = REACH * (curve->to - curve->from);
    *bounded = *diverging = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const area_stretch *s = &curve->stretches[i];
        double *largest = s->diverges[0] || s->diverges[1] ? diverging : bounded;
        for (size_t k = 0; k < s->count; k++)
            if ((!s->diverges[0] || s->a[k] > s->from + reach) &&
                (!s->diverges[1] || s->a[k] < s->to - reach))
                *largest = fmax(*largest, s->area[k]);
    }
}

void area_curve_free(area_curve *curve) {
    for (size_t i = 0; i < curve->count; i++)
        memory_free_all(curve->stretches[i].a, curve->stretches[i].area);
    memory_free(curve->stretches);
    *curve = (area_curve){0};
}
