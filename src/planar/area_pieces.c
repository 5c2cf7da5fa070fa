/* Runs of stable rows between break points, and whether their areas are infinite.
 *
 * Infinity is decided: the area is infinite where a piece of stable rows runs up to a point at which x1 of
 * one of its ends vanishes and x0 does not, where its rows have no end at all, or where towards d = -inf or
 * +inf the lengths fall off more slowly than d^-2. */
#include <float.h>
#include <math.h>

#include "planar/area_pieces.h"

/* Roots of different functions that are one point of the true problem. The bounds' terms are of order 1 near
 * d = 0, so that there roots are as uncertain as those terms. */
static bool same_point(wide left, wide right) {
    return right - left <= 16 * DBL_EPSILON * fmaxl(fabsl(left), fabsl(right)) + 8 * LDBL_EPSILON;
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
    const wide step = 32 * DBL_EPSILON * fabsl(d);
    wide x0[3], x1[3];
    for (int k = 0; k < 3; k++) area_bound_at(plan, d + (k - 1) * step, bound, &x0[k], &x1[k]);
    return has_root(x1[0], x1[1], x1[2]) && !has_root(x0[0], x0[1], x0[2]);
}

static wide inside(wide from, wide to) {
    if (isinf(from) && isinf(to)) return 0;
    if (isinf(from)) return to < 0 ? 2 * to : -1;
    if (isinf(to)) return from > 0 ? 2 * from : 1;
    return from + 0.5L * (to - from);
}

static bool add_rows(area_pieces *pieces, wide from, wide to) {
    const area_plan *plan = pieces->plan;
    wide d = inside(from, to);
    area_row row = area_row_at(plan, d);
    if (row.empty) return true;
    area_piece next = {from, to, row.lower, row.upper, row.positive && d < -(wide)plan->a};
    if (pieces->count > 0) {
        area_piece *last = &pieces->piece[pieces->count - 1];
        bool same = last->lower == next.lower && last->upper == next.upper && last->ss == next.ss;
        if (same && same_point(last->to, from) && !is_pole(plan, row.lower, from) &&
            !is_pole(plan, row.upper, from)) {
            last->to = to;
            return true;
        }
    }
    if (pieces->count == AREA_PIECES_MAX) return false;
    pieces->piece[pieces->count++] = next;
    return true;
}

/* The points of a cluster: Gamma = 0 where it is among them, as it is exact. */
static wide chosen(const area_pieces *pieces, int first, int last) {
    for (int i = first; i <= last; i++)
        if (pieces->points[i] == -(wide)pieces->plan->a) return pieces->points[i];
    return pieces->points[first];
}

static bool make_pieces(area_pieces *pieces) {
    wide from = pieces->from;
    for (int i = 0; i <= pieces->point_count;) {
        int last = i;
        while (last + 1 < pieces->point_count && same_point(pieces->points[last], pieces->points[last + 1]))
            last++;
        wide to = i < pieces->point_count ? chosen(pieces, i, last) : pieces->to;
        bool windowed = to >= pieces->to;
        if (windowed) to = pieces->to;
        if (to > from) {
            if (!add_rows(pieces, from, to)) return false;
            from = to;
        }
        if (windowed) break;
        i = last + 1;
    }
    return true;
}

/* ---- infinite or not ---- */

static wide length_at(const area_plan *plan, const area_piece *p, wide d) {
    quadrature_sample lower, upper;
    area_ends_at(plan, d, p->lower, p->upper, &lower, &upper);
    return upper.value - lower.value;
}

/* The exponent of the growth of the rows' lengths with |d| towards an infinite end. */
static double growth(const area_plan *plan, const area_piece *p, wide end, wide start) {
    wide far = copysignl(fmaxl(fabsl(start), 1) * 0x1p20L, end);
    wide length = length_at(plan, p, far), longer = length_at(plan, p, 2 * far);
    return (double)log2l(longer / length);
}

bool area_piece_infinite(const area_plan *plan, const area_piece *p) {
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

bool area_pieces_find(const area_plan *plan, wide from, wide to, area_pieces *pieces) {
    pieces->plan = plan;
    pieces->from = from;
    pieces->to = to;
    pieces->count = pieces->point_count = 0;
    if (pieces->plan->nothing) return true;
    pieces->point_count = area_breaks(pieces->plan, pieces->points, AREA_BREAKS_MAX);
    return pieces->point_count >= 0 && make_pieces(pieces);
}
