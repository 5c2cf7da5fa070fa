/* Where texts have room.
 *   1. Inside an area: the centre of the largest free circle, among the points of a lattice of LATTICE x
 *      LATTICE.
 *   2. On a line: the place, among CANDIDATES on the longest one, that is farthest from the frame, from other
 *      lines and from the texts before.
 * Cost: lattice times edges. Not guaranteed: texts are placed in their order, another order could place more.
 */
#include "figure/label.h"

#include <math.h>

#include "figure/names.h"

#define ROOM_INSIDE_CM 0.28 /* free around the middle of a word inside an area */
#define ROOM_ALONG_CM  0.03 /* free around the box of a word on a line */
#define TEXT_CM        0.28 /* height of that box */
#define BESIDE_CM      0.08 /* from a line to a word beside it */

enum { LATTICE = 64, CANDIDATES = 40 };

/* Distance on paper from a point to the nearest segment of the runs but those with the edge `but`, or `best`
 * if a segment is nearer than that. */
static double clearance(const outline *edges, int but, const hatch_frame *f, double x, double y,
                        double best) {
    const double sx = f->width_cm / (f->box.x[1] - f->box.x[0]),
                 sy = f->height_cm / (f->box.y[1] - f->box.y[0]);
    double nearest = HUGE_VAL;
    for (size_t l = 0; l < edges->loop_count; l++) {
        const outline_run *run = &edges->loops[l];
        const outline_point *points = edges->points + run->first;
        if (run->edge == but) continue;
        for (size_t i = 0; i + !run->closed < run->count && nearest > best; i++) {
            const outline_point *p = &points[i], *q = &points[(i + 1) % run->count];
            const double px = (x - p->x) * sx, py = (y - p->y) * sy, dx = (q->x - p->x) * sx,
                         dy = (q->y - p->y) * sy, square = dx * dx + dy * dy;
            const double t = square > 0 ? fmin(1, fmax(0, (px * dx + py * dy) / square)) : 0;
            nearest = fmin(nearest, hypot(px - t * dx, py - t * dy));
        }
    }
    return nearest;
}

static double half_width(const scene_text *item) {
    return 0.5 * names_width(item->shown) * (item->size > 0 ? item->size : 1);
}

/* Distance on paper from a text's box, or its middle line, to the frame. */
static double to_frame(const hatch_frame *f, double half, double height, double x, double y) {
    const double sx = f->width_cm / (f->box.x[1] - f->box.x[0]),
                 sy = f->height_cm / (f->box.y[1] - f->box.y[0]);
    return fmin(fmin(x - f->box.x[0], f->box.x[1] - x) * sx - half,
                fmin(y - f->box.y[0], f->box.y[1] - y) * sy - 0.5 * height);
}

static bool place_inside(const scene_panel *panel, const scene_text *item, const hatch_frame *f, double *x,
                         double *y) {
    const double half = half_width(item);
    double best = ROOM_INSIDE_CM;
    bool found = false;
    for (int i = 1; i < LATTICE; i++)
        for (int j = 1; j < LATTICE; j++) {
            const double px = f->box.x[0] + (f->box.x[1] - f->box.x[0]) * i / LATTICE;
            const double py = f->box.y[0] + (f->box.y[1] - f->box.y[0]) * j / LATTICE;
            if (to_frame(f, half, 0, px, py) <= 0 || !outline_contains(&item->where, px, py)) continue;
            const double room = clearance(&panel->obstacles, -1, f, px, py, best);
            if (room <= best + 1e-9) continue;
            best = room;
            *x = px;
            *y = py;
            found = true;
        }
    return found;
}

/* Distance between the boxes of a text with its middle here and of those that have places. */
static double to_texts(const scene_panel *panel, const hatch_frame *f, int number, double x, double y) {
    const double sx = f->width_cm / (f->box.x[1] - f->box.x[0]),
                 sy = f->height_cm / (f->box.y[1] - f->box.y[0]), half = half_width(&panel->texts[number]);
    double nearest = HUGE_VAL;
    for (int k = 0; k < number; k++) {
        const scene_text *other = &panel->texts[k];
        const double its_half = half_width(other);
        if (other->shown[0] == '\0') continue;
        const double dx = (x - other->x) * sx - other->side * its_half, dy = (y - other->y) * sy;
        nearest = fmin(nearest, fmax(fabs(dx) - half - its_half, fabs(dy) - TEXT_CM));
    }
    return nearest;
}

static bool place_along(const scene_panel *panel, const hatch_frame *f, int number, double *x, double *y) {
    const scene_text *item = &panel->texts[number];
    const double places = (f->box.x[1] - f->box.x[0]) / f->width_cm, half = half_width(item);
    const outline_run *longest = NULL;
    double best = ROOM_ALONG_CM;
    bool found = false;
    for (size_t l = 0; l < item->where.loop_count; l++)
        if (!longest || item->where.loops[l].count > longest->count) longest = &item->where.loops[l];
    for (size_t i = 0; longest && i < CANDIDATES; i++) {
        const outline_point *at =
            &item->where.points[longest->first + (longest->count - 1) * i / (CANDIDATES - 1)];
        const double middle = at->x + item->side * (half + BESIDE_CM) * places;
        double room =
            fmin(to_frame(f, half, TEXT_CM, middle, at->y), to_texts(panel, f, number, middle, at->y));
        for (int k = -2; k <= 2 && room > best; k++) {
            const double edge =
                clearance(&panel->obstacles, item->own, f, middle + 0.5 * k * half * places, at->y, best);
            room = fmin(room, edge - 0.5 * TEXT_CM);
        }
        if (room <= best) continue;
        best = room;
        *x = at->x + item->side * BESIDE_CM * places;
        *y = at->y;
        found = true;
    }
    return found;
}

void labels_place(scene_panel *panel, const hatch_frame *f) {
    for (int k = 0; k < panel->text_count; k++) {
        scene_text *item = &panel->texts[k];
        const bool found = item->anchor == SCENE_INSIDE  ? place_inside(panel, item, f, &item->x, &item->y)
                           : item->anchor == SCENE_ALONG ? place_along(panel, f, k, &item->x, &item->y)
                                                         : true;
        if (!found) item->shown = "";
    }
}
