/* Where a word inside an area is best placed: in the middle of the largest free circle, found on a lattice.
 */
#include <math.h>

#include "plot/label.h"

enum { LATTICE = 96 };

static double segment_distance(double x, double y, double ax, double ay, double bx, double by) {
    double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((x - ax) * dx + (y - ay) * dy) / length2 : 0;
    t = fmin(1, fmax(0, t));
    return hypot(x - ax - t * dx, y - ay - t * dy);
}

/* Distance on paper from a point to the nearest edge, or `best` where one is nearer than that. */
static double clearance(const outline *edges, const hatch_frame *f, double x, double y, double best) {
    double sx = f->width_cm / (f->box.gamma[1] - f->box.gamma[0]);
    double sy = f->height_cm / (f->box.delta[1] - f->box.delta[0]);
    double nearest = HUGE_VAL;
    for (size_t l = 0; l < edges->loop_count; l++) {
        const outline_point *points = edges->points + edges->loops[l].first;
        for (size_t i = 0, n = edges->loops[l].count; i < n && nearest > best; i++) {
            const outline_point *p = &points[i], *q = &points[(i + 1) % n];
            double d =
                segment_distance(x, y, (p->gamma - f->box.gamma[0]) * sx, (p->delta - f->box.delta[0]) * sy,
                                 (q->gamma - f->box.gamma[0]) * sx, (q->delta - f->box.delta[0]) * sy);
            nearest = fmin(nearest, d);
        }
    }
    return nearest;
}

double label_place(const outline *inside, const outline *edges, const hatch_frame *f, double *gamma,
                   double *delta) {
    double best = 0;
    for (int i = 1; i < LATTICE; i++) {
        for (int j = 1; j < LATTICE; j++) {
            double g = f->box.gamma[0] + (f->box.gamma[1] - f->box.gamma[0]) * i / LATTICE;
            double d = f->box.delta[0] + (f->box.delta[1] - f->box.delta[0]) * j / LATTICE;
            if (!outline_contains(inside, g, d)) continue;
            double free = clearance(edges, f, f->width_cm * i / LATTICE, f->height_cm * j / LATTICE, best);
            if (free <= best + 1e-9) continue;
            best = free;
            *gamma = g;
            *delta = d;
        }
    }
    return best;
}
