/* Areas of the stability regions.
 *
 * A row's stable interval ends at two of a few bounds, each -x0/x1 with x0 and x1 explicit in d = Gamma - a.
 * Between neighbouring break points (area_breaks.c) they are the same two throughout, and the row's length is
 * analytic. Pieces on which they stay the same are joined, looked at for a pole at their ends, and
 * integrated, beyond |d| = 4 m in t = m / d.
 *
 * Infinity is decided: the area is infinite where a piece of stable rows runs up to a point at which x1 of
 * one of its ends vanishes and x0 does not, where its rows have no end at all, or where towards d = -inf or
 * +inf the lengths fall off more slowly than d^-2. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "costab/area.h"
#include "planar/area_rows.h"
#include "planar/area_simulation.h"

/* A run of rows whose intervals end at the same two bounds. from and to may be infinite. */
typedef struct piece {
    wide from, to;
    int lower, upper;
    bool ss;
} piece;

enum { PIECES_MAX = 512 };

typedef struct area_work {
    const area_plan *plan;
    wide from, to; /* range of d asked for */
    wide points[AREA_BREAKS_MAX + 4];
    int point_count;
    piece pieces[PIECES_MAX];
    int piece_count;
} area_work;

/* ---- pieces ---- */

/* Roots of different functions that are one point of the true problem. */
static bool same_point(wide left, wide right) {
    return right - left <= 16 * DBL_EPSILON * fmaxl(fabsl(left), fabsl(right));
}

/* Whether a function with these values at d - step, d and d + step has a root at d. */
static bool has_root(wide before, wide at, wide after) {
    if ((before < 0) != (after < 0)) return true;
    return fabsl(at) < 0.05L * fminl(fabsl(before), fabsl(after));
}

/* Whether x1 of the bound vanishes at d, to the precision with which points are told apart, and x0 does not.
 */
static bool is_pole(const area_plan *plan, int bound, wide d) {
    if (bound < 0) return false;
    area_values before, at, after;
    wide step = 32 * DBL_EPSILON * fabsl(d);
    area_values_at(plan, d - step, &before);
    area_values_at(plan, d, &at);
    area_values_at(plan, d + step, &after);
    return has_root(before.x1[bound].value, at.x1[bound].value, after.x1[bound].value) &&
           !has_root(before.x0[bound].value, at.x0[bound].value, after.x0[bound].value);
}

static wide inside(wide from, wide to) {
    if (isinf(from) && isinf(to)) return 0;
    if (isinf(from)) return to < 0 ? 2 * to : -1;
    if (isinf(to)) return from > 0 ? 2 * from : 1;
    return from + 0.5L * (to - from);
}

static bool add_rows(area_work *work, wide from, wide to) {
    const area_plan *plan = work->plan;
    area_values v;
    wide d = inside(from, to);
    area_values_at(plan, d, &v);
    area_row row = area_row_of(plan, &v);
    if (row.empty) return true;
    piece next = {from, to, row.lower, row.upper, row.positive && d < -(wide)plan->a};
    if (work->piece_count > 0) {
        piece *last = &work->pieces[work->piece_count - 1];
        bool same = last->lower == next.lower && last->upper == next.upper && last->ss == next.ss;
        if (same && same_point(last->to, from) && !is_pole(plan, row.lower, from) &&
            !is_pole(plan, row.upper, from)) {
            last->to = to;
            return true;
        }
    }
    if (work->piece_count == PIECES_MAX) return false;
    work->pieces[work->piece_count++] = next;
    return true;
}

/* The points of a cluster: Gamma = 0 where it is among them, as it is exact. */
static wide chosen(const area_work *work, int first, int last) {
    for (int i = first; i <= last; i++)
        if (work->points[i] == -(wide)work->plan->a) return work->points[i];
    return work->points[first];
}

static bool make_pieces(area_work *work) {
    wide from = work->from;
    for (int i = 0; i <= work->point_count;) {
        int last = i;
        while (last + 1 < work->point_count && same_point(work->points[last], work->points[last + 1])) last++;
        wide to = i < work->point_count ? chosen(work, i, last) : work->to;
        bool windowed = to >= work->to;
        if (windowed) to = work->to;
        if (to > from) {
            if (!add_rows(work, from, to)) return false;
            from = to;
        }
        if (windowed) break;
        i = last + 1;
    }
    return true;
}

/* ---- infinite or not ---- */

static wide length_at(const area_plan *plan, const piece *p, wide d) {
    area_values v;
    area_values_at(plan, d, &v);
    return area_end(&v, p->upper).value - area_end(&v, p->lower).value;
}

/* The exponent of the growth of the rows' lengths with |d| towards an infinite end. */
static double growth(const area_plan *plan, const piece *p, wide end, wide start) {
    wide far = copysignl(fmaxl(fabsl(start), 1) * 0x1p20L, end);
    wide length = length_at(plan, p, far), longer = length_at(plan, p, 2 * far);
    return (double)log2l(longer / length);
}

static bool is_infinite(const area_plan *plan, const piece *p) {
    if (p->lower == END_INFINITE || p->upper == END_INFINITE) return true;
    const wide ends[2] = {p->from, p->to};
    for (int k = 0; k < 2; k++) {
        if (isinf(ends[k])) {
            double exponent = growth(plan, p, ends[k], isinf(ends[1 - k]) ? 0 : ends[1 - k]);
            if (!(exponent < -1.5)) return true;
        } else if (is_pole(plan, p->lower, ends[k]) || is_pole(plan, p->upper, ends[k])) {
            return true;
        }
    }
    return false;
}

/* ---- integration ---- */

typedef struct integrand {
    const area_plan *plan;
    const piece *piece;
    wide scale; /* of t = scale / d; 0: the variable is d */
} integrand;

static quadrature_sample row_length(void *context, wide x) {
    const integrand *f = context;
    area_values v;
    area_values_at(f->plan, f->scale != 0 ? f->scale / x : x, &v);
    quadrature_sample lower = area_end(&v, f->piece->lower), upper = area_end(&v, f->piece->upper);
    wide weight = f->scale != 0 ? f->scale / (x * x) : 1;
    return (quadrature_sample){weight * (upper.value - lower.value), weight * (upper.noise + lower.noise)};
}

static void integrate(const area_plan *plan, const piece *p, quadrature_sum *sum) {
    const wide relative = 0x1p-55L;
    integrand f = {plan, p, 0};
    wide from = p->from, to = p->to;
    wide scale = area_basis_scale(&plan->planar->method, plan->planar->substeps[1]);
    wide joint = scale * area_basis_joint(&plan->planar->method);
    if (isinf(from)) {
        wide begin = fminl(to, -joint);
        f.scale = scale;
        quadrature_add(row_length, &f, scale / begin, 0, relative, sum);
        from = begin;
    }
    if (isinf(to)) {
        wide begin = fmaxl(from, joint);
        f.scale = scale;
        quadrature_add(row_length, &f, 0, scale / begin, relative, sum);
        to = begin;
    }
    f.scale = 0;
    if (from < to) quadrature_add(row_length, &f, from, to, relative, sum);
}

static double bound_of(const quadrature_sum *sum) {
    return (double)(sum->truncation + sum->noise + fabsl(sum->value) * DBL_EPSILON);
}

static costab_status not_converged(const area_plan *plan, costab_error *error) {
    return error_set(error, COSTAB_NUMERIC, "the area of %s with %s at a = %.17g did not reach its accuracy",
                     costab_scheme_name(plan->planar->scheme), plan->planar->method.name, plan->a);
}

/* Areas of the stable set, SS and US, for d in the range. */
static costab_status stable_areas(area_work *work, costab_areas *areas, costab_error *error) {
    const area_plan *plan = work->plan;
    *areas = (costab_areas){0, 0, 0, 0};
    if (plan->nothing) return COSTAB_OK;
    work->point_count = area_breaks(plan, work->points, AREA_BREAKS_MAX);
    if (work->point_count < 0 || !make_pieces(work)) return not_converged(plan, error);

    quadrature_sum sums[2] = {{.converged = true}, {.converged = true}};
    bool infinite[2] = {false, false};
    for (int i = 0; i < work->piece_count; i++) {
        const piece *p = &work->pieces[i];
        infinite[p->ss] = infinite[p->ss] || is_infinite(plan, p);
    }
    for (int i = 0; i < work->piece_count; i++)
        if (!infinite[work->pieces[i].ss]) integrate(plan, &work->pieces[i], &sums[work->pieces[i].ss]);
    if (!sums[0].converged || !sums[1].converged) return not_converged(plan, error);
    areas->us = infinite[0] ? (double)INFINITY : (double)sums[0].value;
    areas->ss = infinite[1] ? (double)INFINITY : (double)sums[1].value;
    areas->error_us = infinite[0] ? 0 : bound_of(&sums[0]);
    areas->error_ss = infinite[1] ? 0 : bound_of(&sums[1]);
    return COSTAB_OK;
}

costab_status costab_planar_areas(const costab_planar *planar, double a, costab_areas *areas,
                                  costab_error *error) {
    if (!isfinite(a)) return error_set(error, COSTAB_INVALID, "areas need a finite a, not %g", a);
    if (planar->scheme == COSTAB_SIMULATION) return area_simulation(planar, areas, error);
    area_plan plan = area_plan_make(planar, a, NULL);
    area_work work = {.plan = &plan, .from = -INFINITY, .to = INFINITY};
    return stable_areas(&work, areas, error);
}
