/* Finds the parts of a stability condition's zero set that do not bound the stable set.
 *
 * 1. A boundary curve (boundary.c) is divided into short steps.
 * 2. A step bounds the stable set if a point close to its midpoint, on either side of the curve, is stable.
 * 3. Consecutive other steps form a polyline, which is simplified.
 *
 * Cost: two points per step, about 330 steps per window side. Limitation: regions thinner than twice BESIDE
 * are missed; the end of a bounding part is located to one step. */
#include <math.h>

#include "planar/beyond.h"
#include "planar/row.h"

#define STEP   0.003 /* of the window's sides */
#define BESIDE 5e-4  /* of the window's sides; above the error of the curves */

typedef struct walk {
    const costab_planar_slice *slice;
    const outline_box *window;
    outline *rest;
    size_t first; /* first point of the present polyline */
} walk;

/* Returns true if the stable set is on either side of the midpoint of a step. */
static bool bounds_stable_set(const walk *w, const double from[2], const double to[2]) {
    double width = w->window->x[1] - w->window->x[0], height = w->window->y[1] - w->window->y[0];
    double dx = (to[0] - from[0]) / width, dy = (to[1] - from[1]) / height, length = hypot(dx, dy);
    if (!(length > 0)) return false;
    double x = 0.5 * (from[0] + to[0]), y = 0.5 * (from[1] + to[1]);
    double sideways = BESIDE * width * dy / length, up = BESIDE * height * dx / length;
    return planar_point(w->slice, x - sideways, y + up).cause == 0 ||
           planar_point(w->slice, x + sideways, y - up).cause == 0;
}

/* Ends the present polyline. */
static void end_polyline(walk *w, uint8_t cause) {
    outline_add_loop(w->rest, w->first, cause, false);
    if (w->rest->point_count > w->first) outline_simplify_last(w->rest, w->window, 1e-5);
    w->first = w->rest->point_count;
}

static void walk_step(walk *w, uint8_t cause, const double from[2], const double to[2]) {
    if (bounds_stable_set(w, from, to)) {
        end_polyline(w, cause);
        return;
    }
    if (w->rest->point_count == w->first) outline_add_point(w->rest, from[0], from[1], cause);
    outline_add_point(w->rest, to[0], to[1], cause);
}

void beyond_curve(const costab_planar_slice *slice, const outline_box *window, const costab_curve *curve,
                  outline *rest) {
    walk w = {slice, window, rest, rest->point_count};
    for (size_t i = 0; i + 1 < curve->count; i++) {
        double x = curve->gamma[i], y = curve->delta[i], dx = curve->gamma[i + 1] - x,
               dy = curve->delta[i + 1] - y;
        double length = hypot(dx / (window->x[1] - window->x[0]), dy / (window->y[1] - window->y[0]));
        int steps = (int)fmin(1000, 1 + length / STEP);
        for (int k = 0; k < steps; k++) {
            const double from[2] = {x + dx * k / steps, y + dy * k / steps};
            const double to[2] = {x + dx * (k + 1) / steps, y + dy * (k + 1) / steps};
            walk_step(&w, curve->cause, from, to);
        }
    }
    end_polyline(&w, curve->cause);
}
