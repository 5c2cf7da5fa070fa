/* Where texts have most room.
 *   1. Inside an area: the centre of the largest free circle, among the points of a lattice of LATTICE x
 *      LATTICE.
 *   2. On a line: the place, among CANDIDATES, that is furthest from frame, lines and texts that are placed
 *      already.
 *   3. Texts at a place of their own stand to its other side where they would leave the frame.
 * Texts are placed one after the other, in their order; those without room are left out. Cost: lattice times
 * edges. A greedy choice: another order could place more. */
#include <math.h>

#include "figure/place.h"

#include "figure/rich.h"

#define ROOM_INSIDE_CM 0.28 /* free around the middle of a word inside an area */
#define ROOM_ALONG_CM  0.03 /* free around the box of a text on a line */
#define BESIDE_CM      0.08 /* from a line to a text beside it */
#define TEXT_CM        0.28 /* height of that box */
#define WITHIN_CM      0.12 /* between the frame and a text that stays */

enum { LATTICE = 96, CANDIDATES = 40 /* places tried along a line */ };

typedef struct spot {
    double x, y; /* cm */
} spot;

static double segment_distance(double x, double y, double ax, double ay, double bx, double by) {
    double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((x - ax) * dx + (y - ay) * dy) / length2 : 0;
    t = fmin(1, fmax(0, t));
    return hypot(x - ax - t * dx, y - ay - t * dy);
}

/* Distance on paper from a point to the nearest edge, or `best` where one is nearer than that. */
static double clearance(const outline *edges, const hatch_frame *f, double x, double y, double best) {
    double sx = f->width_cm / (f->box.x[1] - f->box.x[0]);
    double sy = f->height_cm / (f->box.y[1] - f->box.y[0]);
    double nearest = HUGE_VAL;
    for (size_t l = 0; l < edges->loop_count; l++) {
        const outline_point *points = edges->points + edges->loops[l].first;
        for (size_t i = 0, n = edges->loops[l].count; i < n && nearest > best; i++) {
            const outline_point *p = &points[i], *q = &points[(i + 1) % n];
            double d = segment_distance(x, y, (p->x - f->box.x[0]) * sx, (p->y - f->box.y[0]) * sy,
                                        (q->x - f->box.x[0]) * sx, (q->y - f->box.y[0]) * sy);
            nearest = fmin(nearest, d);
        }
    }
    return nearest;
}

static double half_width(const scene_text *item, const char *shown) {
    return 0.5 * rich_width(shown) * (item->size > 0 ? item->size : 1);
}

/* ---- Inside an area: the middle of the largest free circle, found on a lattice */

/* Moves a text's middle so far that no end leaves the frame; false where it then lies outside its area. */
static bool keep_in_frame(const scene_text *item, const hatch_frame *f, double *x, double y) {
    double scale = (f->box.x[1] - f->box.x[0]) / f->width_cm;
    double half = scale * (half_width(item, item->shown) + WITHIN_CM);
    double moved = fmin(fmax(*x, f->box.x[0] + half), f->box.x[1] - half);
    bool stays = moved == *x;
    *x = moved;
    return stays || outline_contains(&item->where, moved, y);
}

static bool place_inside(const scene_text *item, const outline *edges, const hatch_frame *f, double *x,
                         double *y) {
    double best = ROOM_INSIDE_CM;
    bool found = false;
    for (int i = 1; i < LATTICE; i++) {
        for (int j = 1; j < LATTICE; j++) {
            double px = f->box.x[0] + (f->box.x[1] - f->box.x[0]) * i / LATTICE;
            double py = f->box.y[0] + (f->box.y[1] - f->box.y[0]) * j / LATTICE;
            if (!outline_contains(&item->where, px, py)) continue;
            double room = clearance(edges, f, f->width_cm * i / LATTICE, f->height_cm * j / LATTICE, best);
            if (room <= best + 1e-9) continue;
            best = room;
            *x = px;
            *y = py;
            found = true;
        }
    }
    return found && keep_in_frame(item, f, x, *y);
}

/* ---- On a line */

/* On paper, from the frame's lower left corner. */
static spot on_paper(const hatch_frame *f, double x, double y) {
    return (spot){f->width_cm * (x - f->box.x[0]) / (f->box.x[1] - f->box.x[0]),
                  f->height_cm * (y - f->box.y[0]) / (f->box.y[1] - f->box.y[0])};
}

/* The middle of a text that has its place. */
static spot middle_of(const hatch_frame *f, const placed_text *placed) {
    spot middle = on_paper(f, placed->x, placed->y);
    middle.x += placed->side * half_width(placed->item, placed->shown);
    return middle;
}

/* Distance between the boxes of two texts, the second one placed; negative where they overlap. */
static double gap_to(spot at, double half, const hatch_frame *f, const placed_text *placed) {
    spot other = middle_of(f, placed);
    return fmax(fabs(at.x - other.x) - half - half_width(placed->item, placed->shown),
                fabs(at.y - other.y) - TEXT_CM);
}

/* Distance from a text's box to a stretch of a line, by points of the box' middle line. */
static double gap_to_line(spot at, double half, spot from, spot to) {
    double nearest = HUGE_VAL;
    for (int k = -4; k <= 4; k++)
        nearest = fmin(nearest, segment_distance(at.x + 0.25 * k * half, at.y, from.x, from.y, to.x, to.y));
    return nearest - 0.5 * TEXT_CM;
}

/* Free room around the box of a text: to the frame, to texts that are placed already, to other lines. */
static double room_at(const scene_text *item, const scene_panel *panel, const hatch_frame *f, spot at,
                      const placed_text *before, int count) {
    double half = half_width(item, item->shown);
    double room =
        fmin(fmin(at.x, f->width_cm - at.x) - half, fmin(at.y, f->height_cm - at.y) - 0.5 * TEXT_CM);
    for (int k = 0; k < count; k++) room = fmin(room, gap_to(at, half, f, &before[k]));
    for (size_t l = 0; l < panel->obstacles.loop_count && room > 0; l++) {
        const outline_run *run = &panel->obstacles.loops[l];
        const outline_point *points = panel->obstacles.points + run->first;
        for (size_t i = 0; i + 1 < run->count && run->edge != item->own; i++)
            room = fmin(room, gap_to_line(at, half, on_paper(f, points[i].x, points[i].y),
                                          on_paper(f, points[i + 1].x, points[i + 1].y)));
    }
    return room;
}

static bool place_along(const scene_text *item, const scene_panel *panel, const hatch_frame *f,
                        const placed_text *before, int count, placed_text *placed) {
    const outline_run *longest = NULL;
    double best = ROOM_ALONG_CM;
    bool found = false;
    for (size_t l = 0; l < item->where.loop_count; l++)
        if (!longest || item->where.loops[l].count > longest->count) longest = &item->where.loops[l];
    double beside = item->side != 0 ? half_width(item, item->shown) + BESIDE_CM : 0;
    double places = (f->box.x[1] - f->box.x[0]) / f->width_cm;
    for (size_t i = 0; longest && i < CANDIDATES * (item->side != 0 ? 2 : 1); i++) {
        const int side = i < CANDIDATES ? item->side : -item->side;
        const size_t k = (longest->count - 1) * (i % CANDIDATES) / (CANDIDATES - 1);
        const outline_point *at = &item->where.points[longest->first + k];
        spot middle = on_paper(f, at->x + side * beside * places, at->y);
        double room = room_at(item, panel, f, middle, before, count);
        if (room <= best) continue;
        best = room;
        placed->x = at->x + side * BESIDE_CM * places;
        placed->y = at->y;
        placed->side = side;
        found = true;
    }
    return found;
}

/* Turns a text that begins or ends at its place around where it would leave the frame; one that leaves it on
 * either side is moved in. */
static void turn_inwards(const scene_text *item, const hatch_frame *f, placed_text *at) {
    double scale = f->width_cm / (f->box.x[1] - f->box.x[0]);
    double width = 2 * half_width(item, at->shown) / scale;
    double end = at->x + item->side * (width + WITHIN_CM / scale);
    if (end >= f->box.x[0] && end <= f->box.x[1]) return;
    at->boxed = at->boxed || item->raise == 0;
    at->y += item->raise;
    at->x -= item->side * (item->turn + width);
    double within = WITHIN_CM / scale;
    if (item->side > 0) at->x = fmax(at->x, f->box.x[0] + within);
    if (item->side < 0) at->x = fmin(at->x, f->box.x[1] - within);
}

/* Whether a text lies over one that is placed already. */
static bool overlaps(const placed_text *added, const hatch_frame *f, const placed_text *before, int count) {
    double half = half_width(added->item, added->shown);
    for (int k = 0; k < count; k++)
        if (gap_to(middle_of(f, added), half, f, &before[k]) < 0) return true;
    return false;
}

int place_texts(const scene_panel *panel, const hatch_frame *f, placed_text *placed) {
    int count = 0;
    for (int i = 0; i < panel->text_count; i++) {
        const scene_text *item = &panel->texts[i];
        placed_text at = {.item = item,
                          .shown = item->shown,
                          .x = item->x,
                          .y = item->y,
                          .side = item->side,
                          .boxed = !item->bare};
        double room = item->room / (f->box.x[1] - f->box.x[0]) * f->width_cm;
        const char *const shorter[] = {item->brief, item->least};
        for (int k = 0; k < 2 && item->room > 0; k++)
            if (shorter[k] && room < 2 * half_width(item, at.shown) + 0.15) at.shown = shorter[k];
        bool found = item->anchor == SCENE_INSIDE  ? place_inside(item, &panel->obstacles, f, &at.x, &at.y)
                     : item->anchor == SCENE_ALONG ? place_along(item, panel, f, placed, count, &at)
                                                   : true;
        if (item->turn > 0) turn_inwards(item, f, &at);
        if (item->raise > 0) found = !overlaps(&at, f, placed, count);
        if (found) placed[count++] = at;
    }
    return count;
}
