/* Makes, measures, simplifies and clips outlines, which are lists of loops.
 *   1. Areas follow from the shoelace formula; a point is inside by the parity of crossings.
 *   2. Points are dropped if a straight segment is accurate enough (D. H. Douglas, T. K. Peucker 1973).
 *   3. Parts of one kind are cut out of loops as curves.
 *   4. A loop is clipped at one side of a box after the other (I. E. Sutherland, G. W. Hodgman 1974); its
 *      separate parts in the box stay joined along the sides, by segments marked as cuts. */
#include "base/outline.h"

#include <math.h>

#include "base/memory.h"

void outline_add_point(outline *result, double x, double y, uint8_t edge) {
    result->failed |= !memory_grows(&result->points, &result->point_capacity, result->point_count + 1);
    if (result->failed) return;
    result->points[result->point_count++] = (outline_point){x, y, edge};
}

void outline_add_loop(outline *result, size_t first, uint8_t edge, bool closed) {
    if (result->failed || result->point_count == first) return;
    result->failed = !memory_grows(&result->loops, &result->loop_capacity, result->loop_count + 1);
    if (result->failed) return;
    result->loops[result->loop_count++] = (outline_run){first, result->point_count - first, edge, closed};
}

void outline_polygon(outline *result, const double (*corners)[2], size_t count, uint8_t edge) {
    size_t first = result->point_count;
    for (size_t i = 0; i < count; i++) outline_add_point(result, corners[i][0], corners[i][1], edge);
    outline_add_loop(result, first, edge, true);
}

void outline_choose(const outline *source, int edge, outline *result) {
    result->failed |= source->failed;
    for (size_t l = 0; l < source->loop_count; l++) {
        const outline_run *run = &source->loops[l];
        const outline_point *points = &source->points[run->first];
        size_t first = result->point_count;
        if (edge >= 0 && run->edge != edge) continue;
        for (size_t i = 0; i < run->count; i++)
            outline_add_point(result, points[i].x, points[i].y, points[i].edge);
        outline_add_loop(result, first, run->edge, run->closed);
    }
}

void outline_append(outline *result, const outline *other) {
    outline_choose(other, -1, result);
}

void outline_free(outline *source) {
    memory_free_all(source->points, source->loops);
    *source = (outline){0};
}

double outline_loop_area(const outline *source, size_t loop) {
    const outline_point *points = source->points + source->loops[loop].first;
    double twice = 0;
    for (size_t i = 1; i + 1 < source->loops[loop].count; i++) {
        const outline_point *p = &points[i], *q = &points[i + 1];
        twice += (p->x - points->x) * (q->y - points->y) - (q->x - points->x) * (p->y - points->y);
    }
    return twice / 2;
}

double outline_area(const outline *source) {
    double area = 0;
    for (size_t l = 0; l < source->loop_count; l++) area += outline_loop_area(source, l);
    return area;
}

bool outline_contains(const outline *source, double x, double y) {
    bool inside = false;
    for (size_t l = 0; l < source->loop_count; l++) {
        const outline_point *points = source->points + source->loops[l].first;
        size_t count = source->loops[l].count;
        for (size_t i = 0; i < count; i++) {
            const outline_point *p = &points[i], *q = &points[(i + 1) % count];
            if ((p->x > x) == (q->x > x)) continue;
            double t = (x - p->x) / (q->x - p->x);
            if (p->y + t * (q->y - p->y) > y) inside = !inside;
        }
    }
    return inside;
}

/* Returns the distance of p from the segment ab, in units of the box's sides. */
static double distance(const outline_point *p, const outline_point *a, const outline_point *b,
                       const outline_box *box) {
    double w = box->x[1] - box->x[0], h = box->y[1] - box->y[0];
    double abx = (b->x - a->x) / w, aby = (b->y - a->y) / h;
    double apx = (p->x - a->x) / w, apy = (p->y - a->y) / h;
    double length2 = abx * abx + aby * aby;
    double t = length2 > 0 ? (apx * abx + apy * aby) / length2 : 0;
    t = fmin(1, fmax(0, t));
    return hypot(apx - t * abx, apy - t * aby);
}

/* A stretch of points, to be replaced by its ends if all points between are near enough. */
typedef struct stretch {
    size_t from, to;
} stretch;

/* Douglas-Peucker on points[from..to]: clears drop[] for points that must stay. `stack` has space for to -
 * from + 1 entries. */
static void mark_needed(const outline_point *points, stretch whole, const outline_box *box, double tolerance,
                        stretch *stack, bool *drop) {
    size_t depth = 0;
    stack[depth++] = whole;
    while (depth > 0) {
        stretch s = stack[--depth];
        double worst = tolerance;
        size_t at = s.from;
        for (size_t i = s.from + 1; i < s.to; i++) {
            double d = distance(&points[i], &points[s.from], &points[s.to], box);
            if (d > worst) {
                worst = d;
                at = i;
            }
        }
        if (at == s.from) continue;
        drop[at] = false;
        stack[depth++] = (stretch){s.from, at};
        stack[depth++] = (stretch){at, s.to};
    }
}

void outline_simplify_last(outline *result, const outline_box *box, double tolerance) {
    if (result->failed || result->loop_count == 0) return;
    outline_run *loop = &result->loops[result->loop_count - 1];
    outline_point *points = result->points + loop->first;
    size_t count = loop->count;
    if (count < 3) return;
    memory_local bool *drop = memory_alloc(count, sizeof *drop);
    memory_local stretch *stack = memory_alloc(count + 1, sizeof *stack);
    result->failed = !drop || !stack;
    for (size_t from = 0; from + 1 < count && !result->failed;) {
        size_t to = from + 1;
        while (to + 1 < count && points[to].edge == points[from].edge) to++;
        for (size_t i = from + 1; i < to; i++) drop[i] = true;
        mark_needed(points, (stretch){from, to}, box, tolerance, stack, drop);
        from = to;
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (result->failed || !drop[i]) points[kept++] = points[i];
    result->point_count -= count - kept;
    loop->count = kept;
}

/* Returns true if a curve starts or ends at a point: only one of its edges is a cut or, by_cause, its edges
 * are of different kinds. */
static bool curve_ends(uint8_t before, uint8_t after, bool by_cause) {
    return (before == OUTLINE_CUT) != (after == OUTLINE_CUT) || (by_cause && before != after);
}

/* Appends `edges` edges of the loop from point `from` on as one curve. */
static void add_curve(const outline_point *points, size_t count, size_t from, size_t edges, bool closed,
                      outline *curves) {
    size_t first = curves->point_count;
    uint8_t edge = points[from].edge;
    for (size_t i = 0; i < edges + !closed; i++) {
        const outline_point *p = &points[(from + i) % count];
        outline_add_point(curves, p->x, p->y, edge);
    }
    outline_add_loop(curves, first, edge, closed);
}

void outline_curves(const outline *source, bool by_cause, outline *curves) {
    curves->failed |= source->failed;
    for (size_t l = 0; l < source->loop_count; l++) {
        const outline_point *points = source->points + source->loops[l].first;
        size_t count = source->loops[l].count, start = 0;
        while (start < count &&
               !curve_ends(points[(start + count - 1) % count].edge, points[start].edge, by_cause))
            start++;
        if (start == count) {
            if (points[0].edge != OUTLINE_CUT) add_curve(points, count, 0, count, true, curves);
            continue;
        }
        for (size_t done = 0; done < count;) {
            size_t from = (start + done) % count, edges = 1;
            while (done + edges < count && !curve_ends(points[(from + edges - 1) % count].edge,
                                                       points[(from + edges) % count].edge, by_cause))
                edges++;
            if (points[from].edge != OUTLINE_CUT) add_curve(points, count, from, edges, false, curves);
            done += edges;
        }
    }
}

/* ---- Cutting at a box */

static double *coordinate(outline_point *p, bool upright) {
    return upright ? &p->y : &p->x;
}

/* Fills `to` with the part of a loop on one side (`above` or below) of a line x = bound, or y = bound if
 * `upright`. `to` has space for twice the points. Returns the number of points. */
static size_t cut_at(outline_point *from, size_t count, bool upright, bool above, double bound,
                     outline_point *to) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        outline_point *p = &from[i], *q = &from[(i + 1) % count];
        double at_p = *coordinate(p, upright), at_q = *coordinate(q, upright);
        bool inside = above ? at_p >= bound : at_p <= bound, next = above ? at_q >= bound : at_q <= bound;
        if (inside) to[kept++] = *p;
        if (inside == next) continue;
        double t = (bound - at_p) / (at_q - at_p);
        outline_point crossing = {p->x + t * (q->x - p->x), p->y + t * (q->y - p->y),
                                  inside ? OUTLINE_CUT : p->edge};
        *coordinate(&crossing, upright) = bound;
        to[kept++] = crossing;
    }
    return kept;
}

void outline_clip(const outline *source, const outline_box *box, outline *result) {
    size_t most = 0;
    const double bounds[4] = {box->x[0], box->x[1], box->y[0], box->y[1]};
    for (size_t l = 0; l < source->loop_count; l++)
        if (source->loops[l].count > most) most = source->loops[l].count;
    /* Each of the four cuts at most doubles the number of points. */
    memory_local outline_point *points = memory_alloc(32 * most + 1, sizeof *points);
    result->failed |= source->failed || !points;
    for (size_t l = 0; l < source->loop_count && !result->failed; l++) {
        const outline_run *run = &source->loops[l];
        outline_point *from = points, *to = points + 16 * most;
        size_t count = run->count, first = result->point_count;
        for (size_t i = 0; i < count; i++) from[i] = source->points[run->first + i];
        for (int side = 0; side < 4; side++) {
            count = cut_at(from, count, side >= 2, side % 2 == 0, bounds[side], to);
            outline_point *other = from;
            from = to;
            to = other;
        }
        for (size_t i = 0; i < count; i++) outline_add_point(result, from[i].x, from[i].y, from[i].edge);
        outline_add_loop(result, first, run->edge, true);
        /* Drop a loop without area: only segments along the sides are left of it. */
        if (count > 0 && !result->failed && !(outline_loop_area(result, result->loop_count - 1) != 0)) {
            result->loop_count--;
            result->point_count = first;
        }
    }
}
