/* Places of texts in a panel.
 *   1. Inside an area: the centre of the largest free circle, among the points of a lattice.
 *   2. On a line: the place, among CANDIDATES on the line with the most points, that is farthest from the
 * frame, from other lines and from the texts placed before. Cost: lattice times edges. Limitation: texts are
 * placed in their order; another order could place more. */
#include "figure/label.h"

#include <math.h>

#include "figure/names.h"

#define ROOM_INSIDE_CM 0.28 /* free around the middle of a word inside an area */
#define ROOM_ALONG_CM  0.03 /* free around the box of a word on a line */
#define TEXT_CM        0.28 /* height of that box */
#define BESIDE_CM      0.08 /* from a line to a word beside it */

enum { LATTICE = 64, CANDIDATES = 40 };

/* A panel with its scales, in cm per unit. */
typedef struct place_frame {
    const scene_panel *panel;
    const outline_box *box;
    double x, y;
} place_frame;

/* Returns the distance on paper from a point to the nearest obstacle, without lines that have the code `own`.
 * If it is below `best`, it may be larger than the true distance. */
static double to_obstacles(const place_frame *f, int own, double x, double y, double best) {
    const outline *edges = &f->panel->obstacles;
    double nearest = HUGE_VAL;
    for (size_t l = 0; l < edges->loop_count; l++) {
        const outline_run *run = &edges->loops[l];
        const outline_point *points = edges->points + run->first;
        if (run->edge == own) continue;
        for (size_t i = 0; i + !run->closed < run->count && nearest > best; i++) {
            const outline_point *p = &points[i], *q = &points[(i + 1) % run->count];
            const double px = (x - p->x) * f->x, py = (y - p->y) * f->y, dx = (q->x - p->x) * f->x,
                         dy = (q->y - p->y) * f->y, square = dx * dx + dy * dy;
            const double t = square > 0 ? fmin(1, fmax(0, (px * dx + py * dy) / square)) : 0;
            nearest = fmin(nearest, hypot(px - t * dx, py - t * dy));
        }
    }
    return nearest;
}

static double half_width(const scene_text *item) {
    return 0.5 * names_width(item->shown) * (item->size > 0 ? item->size : 1);
}

/* Returns the distance on paper from the box of a text with its middle at (x, y) to the frame. */
static double to_frame(const place_frame *f, double half, double height, double x, double y) {
    return fmin(fmin(x - f->box->x[0], f->box->x[1] - x) * f->x - half,
                fmin(y - f->box->y[0], f->box->y[1] - y) * f->y - 0.5 * height);
}

/* Returns the distance on paper from the box of text `number` to the boxes of the texts before it. */
static double to_texts(const place_frame *f, int number, double x, double y) {
    const double half = half_width(&f->panel->texts[number]);
    double nearest = HUGE_VAL;
    for (int k = 0; k < number; k++) {
        const scene_text *other = &f->panel->texts[k];
        const double its_half = half_width(other);
        if (other->shown[0] == '\0') continue;
        const double dx = (x - other->x) * f->x - other->side * its_half, dy = (y - other->y) * f->y;
        nearest = fmin(nearest, fmax(fabs(dx) - half - its_half, fabs(dy) - TEXT_CM));
    }
    return nearest;
}

static bool place_inside(const place_frame *f, const scene_text *item, double *x, double *y) {
    const double half = half_width(item), *across = f->box->x, *up = f->box->y;
    double best = ROOM_INSIDE_CM;
    bool found = false;
    for (int i = 1; i < LATTICE; i++)
        for (int j = 1; j < LATTICE; j++) {
            const double px = across[0] + (across[1] - across[0]) * i / LATTICE,
                         py = up[0] + (up[1] - up[0]) * j / LATTICE;
            if (to_frame(f, half, 0, px, py) <= 0 || !outline_contains(&item->where, px, py)) continue;
            const double space = to_obstacles(f, -1, px, py, best);
            if (space <= best + 1e-9) continue;
            best = space;
            *x = px;
            *y = py;
            found = true;
        }
    return found;
}

static bool place_along(const place_frame *f, int number, double *x, double *y) {
    const scene_text *item = &f->panel->texts[number];
    const double half = half_width(item);
    const outline_run *longest = NULL;
    double best = ROOM_ALONG_CM;
    bool found = false;
    for (size_t l = 0; l < item->where.loop_count; l++)
        if (!longest || item->where.loops[l].count > longest->count) longest = &item->where.loops[l];
    for (size_t i = 0; longest && i < CANDIDATES; i++) {
        const outline_point *at =
            &item->where.points[longest->first + (longest->count - 1) * i / (CANDIDATES - 1)];
        const double middle = at->x + item->side * (half + BESIDE_CM) / f->x;
        double space = fmin(to_frame(f, half, TEXT_CM, middle, at->y), to_texts(f, number, middle, at->y));
        for (int k = -2; k <= 2 && space > best; k++) {
            const double edge = to_obstacles(f, item->own, middle + 0.5 * k * half / f->x, at->y, best);
            space = fmin(space, edge - 0.5 * TEXT_CM);
        }
        if (space <= best) continue;
        best = space;
        *x = at->x + item->side * BESIDE_CM / f->x;
        *y = at->y;
        found = true;
    }
    return found;
}

void labels_place(scene_panel *panel, const hatch_frame *frame) {
    const outline_box *box = &frame->box;
    const place_frame f = {panel, box, frame->width_cm / (box->x[1] - box->x[0]),
                           frame->height_cm / (box->y[1] - box->y[0])};
    for (int k = 0; k < panel->text_count; k++) {
        scene_text *item = &panel->texts[k];
        if (item->anchor == SCENE_AT) continue;
        const bool found = item->anchor == SCENE_INSIDE ? place_inside(&f, item, &item->x, &item->y)
                                                        : place_along(&f, k, &item->x, &item->y);
        if (!found) item->shown = "";
    }
}
