/* Outlines of point sets on a rectangular grid by marching squares (the plane case of W. Lorensen, H. Cline,
 * Marching cubes, 1987).
 *   1. The grid gets a frame of points that are outside, so that every border is a closed loop.
 *   2. A walk counter-clockwise around a cell leaves the set at an exit and returns at an entry. A chord
 * leads from an exit to an entry, with the set to its left. At a saddle there are two chords.
 *   3. An entry is an exit of the next cell. Following the chords from each unused exit gives the loops.
 * Next to the frame or to a missing point the border passes through the last point inside.
 * Cost: linear in points. Limitation: details smaller than a cell are invisible. */
#include "figure/cells.h"

#include "base/memory.h"

/* Cells have the indices 0 to nx and 0 to ny: cell (i, j) has the corners (i - 1, j - 1) to (i, j). */
typedef struct walk {
    const cell_grid *g;
    const cell_set *set;
    bool *used; /* of each side of each cell: the exit belongs to a loop */
    outline *result;
} walk;

/* Corners and sides of a cell, counter-clockwise: side k leads from corner k to corner k + 1. */
static const int corner_x[] = {-1, 0, 0, -1}, corner_y[] = {-1, -1, 0, 0};
static const int step_x[] = {0, 1, 0, -1}, step_y[] = {-1, 0, 1, 0};

/* Returns true if a corner of a cell is a point of the grid with a value. [out] *at: its index. */
static bool has_value(const walk *w, size_t i, size_t j, int corner, size_t *at) {
    const size_t x = i + (size_t)corner_x[corner], y = j + (size_t)corner_y[corner];
    *at = x * w->g->ny + y;
    return x < w->g->nx && y < w->g->ny && !(w->g->missing && w->g->missing[*at]);
}

static bool is_inside(const walk *w, size_t i, size_t j, int corner) {
    size_t at;
    return has_value(w, i, j, corner & 3, &at) && w->set->inside[at];
}

static bool is_exit(const walk *w, size_t i, size_t j, int side) {
    return is_inside(w, i, j, side) && !is_inside(w, i, j, side + 1);
}

static bool is_entry(const walk *w, size_t i, size_t j, int side) {
    return !is_inside(w, i, j, side) && is_inside(w, i, j, side + 1);
}

/* Returns the entry to which the chord from an exit leads. [out] *border: the cell has four values. */
static int entry_of(const walk *w, size_t i, size_t j, int exit, bool *border) {
    size_t corners[4];
    int entries = 0, entry = exit;
    *border = true;
    for (int k = 0; k < 4; k++) {
        *border &= has_value(w, i, j, k, &corners[k]);
        if (is_entry(w, i, j, k)) entry = k;
        entries += is_entry(w, i, j, k);
    }
    if (entries == 1) return entry;
    const bool joins = *border && w->set->joins && w->set->joins(w->set->context, corners);
    return (exit + (joins ? 1 : 3)) & 3;
}

/* Appends the point at which the outline crosses side `exit` of a cell. first: the loop's first point. */
static void add_crossing(const walk *w, size_t i, size_t j, int exit, size_t first, bool border) {
    size_t p, q;
    const cell_grid *g = w->g;
    const bool there = has_value(w, i, j, (exit + 1) & 3, &q);
    (void)has_value(w, i, j, exit, &p);
    outline_point at = {g->x[p / g->ny], g->y[p % g->ny], border ? CELL_BORDER : CELL_LIMIT};
    if (there && exit % 2 == 0) at.x = w->set->crossing(w->set->context, p < q ? p : q, false);
    if (there && exit % 2 == 1) at.y = w->set->crossing(w->set->context, p < q ? p : q, true);
    outline *to = w->result;
    outline_point *last = to->point_count > first ? &to->points[to->point_count - 1] : NULL;
    if (last && last->x == at.x && last->y == at.y)
        last->edge = at.edge;
    else
        outline_add_point(to, at.x, at.y, at.edge);
}

/* Appends the loop that leaves a cell at side `exit`. */
static void follow(const walk *w, size_t i, size_t j, int exit) {
    const size_t first = w->result->point_count;
    bool *used;
    while (!*(used = &w->used[4 * (i * (w->g->ny + 1) + j) + (size_t)exit])) {
        bool border;
        const int entry = entry_of(w, i, j, exit, &border);
        *used = true;
        add_crossing(w, i, j, exit, first, border);
        i += (size_t)step_x[entry];
        j += (size_t)step_y[entry];
        exit = (entry + 2) & 3;
    }
    outline_add_loop(w->result, first, CELL_BORDER, true);
}

void cell_outline(const cell_grid *g, const cell_set *set, outline *result) {
    memory_local bool *used = memory_alloc(4 * (g->nx + 1) * (g->ny + 1), sizeof *used);
    const walk w = {g, set, used, result};
    result->failed |= !used;
    for (size_t i = 0; i <= g->nx && !result->failed; i++)
        for (size_t j = 0; j <= g->ny; j++)
            for (int side = 0; side < 4; side++)
                if (is_exit(&w, i, j, side)) follow(&w, i, j, side);
}
