/* Hatching by the scan-line rule (even-odd filling), in paper coordinates turned so that the hatch lines are
 * horizontal:
 *   1. Every edge of the outline gives its crossings with the lines; a crossing at a corner counts once.
 *   2. Sorted by line and place, each pair of crossings bounds a piece inside.
 *   3. Pieces are turned back.
 * Cost: sorting the crossings. */
#include "figure/hatch.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define TICKS_APART 0.45 /* cm along the boundary */
#define SHORTEST_CM 0.01 /* shorter pieces are thinner than the lines around them */

typedef struct turned {
    double along, across;
} turned;

typedef struct crossing {
    long line;
    double along;
} crossing;

/* Returns a point in paper coordinates, turned by the angle with cosine c and sine s. */
static turned to_paper(const hatch_frame *f, double c, double s, const outline_point *p) {
    double x = (p->x - f->box.x[0]) / (f->box.x[1] - f->box.x[0]) * f->width_cm;
    double y = (p->y - f->box.y[0]) / (f->box.y[1] - f->box.y[0]) * f->height_cm;
    return (turned){x * c + y * s, y * c - x * s};
}

static void add_point(const hatch_frame *f, double c, double s, turned at, outline *to) {
    const double x = at.along * c - at.across * s, y = at.along * s + at.across * c;
    outline_add_point(to, f->box.x[0] + x / f->width_cm * (f->box.x[1] - f->box.x[0]),
                      f->box.y[0] + y / f->height_cm * (f->box.y[1] - f->box.y[0]), OUTLINE_CUT);
}

static void add_stroke(const hatch_frame *f, double c, double s, turned from, turned to, outline *lines) {
    const size_t first = lines->point_count;
    add_point(f, c, s, from, lines);
    add_point(f, c, s, to, lines);
    outline_add_loop(lines, first, OUTLINE_CUT, false);
}

/* The half-step keeps lines off the axes and off the frame. */
static double line_place(const hatch_pattern *pattern, long line) {
    return ((double)line + 0.5) * pattern->spacing_cm;
}

/* The lines near the frame that the edge pq crosses, p's end included: first <= line < last. Edges of a frame
 * without a size, as of forged files, cross none. */
static void lines_crossed(const hatch_frame *f, const hatch_pattern *pattern, turned p, turned q, long *first,
                          long *last) {
    const double most = (f->width_cm + f->height_cm) / pattern->spacing_cm;
    const double low = fmax(fmin(p.across, q.across) / pattern->spacing_cm - 0.5, -most);
    const double high = fmin(fmax(p.across, q.across) / pattern->spacing_cm - 0.5, most);
    const bool seen = isfinite(p.across) && isfinite(q.across) && low < high;
    *first = seen ? (long)ceil(low) : 0;
    *last = seen ? (long)ceil(high) : 0;
}

static size_t cross_edges(const outline *area, const hatch_frame *frame, const hatch_pattern *pattern,
                          crossing *crossings) {
    double angle = pattern->angle_deg * acos(-1.0) / 180, c = cos(angle), s = sin(angle);
    size_t count = 0;
    for (size_t l = 0; l < area->loop_count; l++) {
        const outline_point *points = area->points + area->loops[l].first;
        for (size_t i = 0, n = area->loops[l].count; i < n; i++) {
            turned p = to_paper(frame, c, s, &points[i]), q = to_paper(frame, c, s, &points[(i + 1) % n]);
            long first, last;
            lines_crossed(frame, pattern, p, q, &first, &last);
            for (long line = first; line < last; line++, count++) {
                if (!crossings) continue;
                double t = (line_place(pattern, line) - p.across) / (q.across - p.across);
                crossings[count] = (crossing){line, p.along + t * (q.along - p.along)};
            }
        }
    }
    return count;
}

static int by_line(const void *p, const void *q) {
    const crossing *x = p, *y = q;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return (x->along > y->along) - (x->along < y->along);
}

void hatch_lines(const outline *area, const hatch_frame *frame, const hatch_pattern *pattern,
                 outline *lines) {
    double angle = pattern->angle_deg * acos(-1.0) / 180, c = cos(angle), s = sin(angle);
    size_t total = cross_edges(area, frame, pattern, NULL);
    memory_local crossing *crossings = memory_alloc(total + 1, sizeof *crossings);
    lines->failed |= !crossings;
    if (!crossings) return;
    cross_edges(area, frame, pattern, crossings);
    qsort(crossings, total, sizeof *crossings, by_line);
    for (size_t i = 0; i + 1 < total; i += 2) {
        const double across = line_place(pattern, crossings[i].line);
        const turned from = {crossings[i].along, across}, to = {crossings[i + 1].along, across};
        if (to.along - from.along >= SHORTEST_CM) add_stroke(frame, c, s, from, to, lines);
    }
}

/* ---- Ticks */

/* Returns true if both ends are on one side of the frame. */
static bool on_frame(const hatch_frame *f, const outline_point *p, const outline_point *q) {
    const double *x = f->box.x, *y = f->box.y, dx = 1e-9 * (x[1] - x[0]), dy = 1e-9 * (y[1] - y[0]);
    for (int k = 0; k < 2; k++)
        if ((fabs(p->x - x[k]) < dx && fabs(q->x - x[k]) < dx) ||
            (fabs(p->y - y[k]) < dy && fabs(q->y - y[k]) < dy))
            return true;
    return false;
}

/* Adds the strokes of one edge. [in, out] *walked: cm along the boundary since the last stroke. */
static void edge_ticks(const hatch_frame *f, const outline_point *p, const outline_point *q, double *walked,
                       outline *lines) {
    const turned start = to_paper(f, 1, 0, p), end = to_paper(f, 1, 0, q);
    const double dx = end.along - start.along, dy = end.across - start.across, length = hypot(dx, dy);
    for (double at = TICKS_APART - *walked; at < length; at += TICKS_APART) {
        const turned from = {start.along + at / length * dx, start.across + at / length * dy};
        const turned to = {from.along - HATCH_TICK_CM * dy / length,
                           from.across + HATCH_TICK_CM * dx / length};
        add_stroke(f, 1, 0, from, to, lines);
    }
    *walked = fmod(*walked + length, TICKS_APART);
}

void hatch_ticks(const outline *area, const hatch_frame *frame, outline *lines) {
    for (size_t l = 0; l < area->loop_count; l++) {
        const outline_point *points = area->points + area->loops[l].first;
        double walked = 0.5 * TICKS_APART;
        for (size_t i = 0, n = area->loops[l].count; i < n; i++) {
            const outline_point *p = &points[i], *q = &points[(i + 1) % n];
            if (!on_frame(frame, p, q)) edge_ticks(frame, p, q, &walked, lines);
        }
    }
}
