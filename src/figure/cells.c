/* Regions and lines of samples on a rectangular grid, by marching squares with straight chords (the plane
 * case of W. Lorensen, H. Cline, Marching cubes, 1987).
 *
 * A cut is a set of grid points, its inside, with the places on the grid's edges where its border crosses
 * them (figure/cells.h).
 *
 *   1. In a cell the border of a cut is no, one or two chords between crossings. It is two at a saddle, where
 *      two diagonal corners are inside: if the mean of the four values is negative, both lie in one band
 *      between the chords, else each has a chord round it.
 *   2. The chords divide the cell into convex pieces, one chord after the other. The cuts that a piece lies
 *      inside of give its label.
 *   3. All sides of all pieces are listed counter-clockwise. A side between two pieces of one label is listed
 *      twice, in opposite directions, and both are dropped. A cell without chords lists only its sides
 *      towards divided cells and cells of another label.
 *   4. The other sides of a label are linked end to end: these loops are the outlines of its regions.
 *
 * The lines of a cut are its chords, linked from edge to edge of the grid. A large grid comes in strips of
 * columns: what is kept of one are the sides and chords alone, and only linking sees all of them.
 *
 * Cost: linear in points, n log n for n sides and chords, which are sorted. Regions share their corners bit
 * for bit, so that no gaps show between them. Not guaranteed: what lies between grid points; and in a cell
 * with PIECES_MAX pieces further chords divide none: each piece counts to the side of the chord on which it
 * reaches further. */
#include "figure/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define CORNERS_MAX (4 + 6 * CELL_CUTS_MAX)
#define PIECES_MAX  (2 + 4 * CELL_CUTS_MAX)
#define THINNEST    1e-10 /* share of a cell's width: what is nearer to a chord lies on it */

/* In coordinates of the grid. */
typedef struct place {
    double x, y;
} place;

/* A chord of a cut through a cell: inside is to its left. A chord whose ends are one point divides nothing:
 * left_if_point says whether the cell is to its left then. */
typedef struct chord {
    place from, to;
    size_t from_edge, to_edge; /* numbers of the grid's edges */
    bool is_point, left_if_point;
} chord;

/* The border of a cut in a cell. */
typedef struct cut_chords {
    int chord_count; /* 0 to 2 */
    chord chords[2];
    bool all_left; /* inside is what lies to the left of all chords, else of any */
    bool inside;   /* without chords: the whole cell is */
} cut_chords;

/* A convex polygon, counter-clockwise. */
typedef struct piece {
    int count;
    place corners[CORNERS_MAX];
    uint64_t left_of; /* bit 2 * cut + chord: it lies to the left of this chord */
} piece;

/* A cell, while it is divided. */
typedef struct cell_work {
    cut_chords cuts[CELL_CUTS_MAX];
    int piece_count;
    piece pieces[PIECES_MAX];
} cell_work;

/* A side of a piece, on its way counter-clockwise round. */
struct cell_side {
    place from, to;
    uint8_t label;
    bool dropped; /* a loop has taken it */
};

/* A chord, and that which goes on where it ends. */
struct cell_chord {
    place from, to;
    size_t from_edge, to_edge, next; /* NONE: it ends there */
    bool has_previous, taken;
};

#define NONE SIZE_MAX

/* ---- Chords */

static size_t node(const cell_grid *g, size_t i, size_t j) {
    return i * g->ny + j;
}

/* The crossing on the k-th edge of cell (i, j), counter-clockwise from below; its number through *edge. */
static place crossing(const cell_grid *g, const grid_cut *cut, size_t i, size_t j, int k, size_t *edge) {
    size_t at = k == 1 ? node(g, i + 1, j) : k == 2 ? node(g, i, j + 1) : node(g, i, j);
    *edge = g->first * g->ny + at + (k % 2 == 0 ? 0 : SIZE_MAX / 2); /* those along y behind all along x */
    if (k % 2 == 0) return (place){cut->cross_x[at], g->y[k == 2 ? j + 1 : j]};
    return (place){g->x[k == 1 ? i + 1 : i], cut->cross_y[at]};
}

/* The sum of the values at the four corners, whose sign decides a saddle; 0 where there are no values. */
static double corner_sum(const grid_cut *cut, const size_t *corners) {
    double sum = 0;
    for (int k = 0; k < 4 && cut->value; k++) sum += cut->value[corners[k]];
    return sum;
}

/* The chords of a cut in cell (i, j). An exit is a side of the cell on which the way counter-clockwise round
 * it leaves the inside, an entry one on which it comes back. */
static void cut_cell(const cell_grid *g, const grid_cut *cut, size_t i, size_t j, cut_chords *result) {
    const size_t corners[4] = {node(g, i, j), node(g, i + 1, j), node(g, i + 1, j + 1), node(g, i, j + 1)};
    const bool *in = cut->inside, first = in[corners[0]];
    int exits[2], entries[2], exit_count = 0, entry_count = 0, inside_count = 0;
    result->inside = first;
    result->chord_count = 0;
    if (in[corners[1]] == first && in[corners[2]] == first && in[corners[3]] == first) return;
    for (int k = 0; k < 4; k++) {
        bool here = in[corners[k]], next = in[corners[(k + 1) % 4]];
        inside_count += here;
        if (here && !next) exits[exit_count++] = k;
        if (!here && next) entries[entry_count++] = k;
    }
    result->chord_count = exit_count;
    result->all_left = exit_count == 1 || corner_sum(cut, corners) < 0;
    bool rest = exit_count == 1 ? inside_count > 1 : result->all_left;
    for (int c = 0; c < exit_count; c++) {
        /* At a saddle from an exit on to the next entry, round the corner outside between them; where each
         * corner inside is alone, back to the entry before, round the corner inside. */
        int wanted = result->all_left ? 0 : 1, entry = entries[0];
        for (int e = 0; e < entry_count && exit_count == 2; e++)
            if ((entries[e] - exits[c] + 4) % 4 == (wanted == 0 ? 1 : 3)) entry = entries[e];
        chord *made = &result->chords[c];
        made->from = crossing(g, cut, i, j, exits[c], &made->from_edge);
        made->to = crossing(g, cut, i, j, entry, &made->to_edge);
        made->is_point = made->from.x == made->to.x && made->from.y == made->to.y;
        made->left_if_point = rest;
    }
}

/* ---- Pieces */

static void add_corner(piece *p, place at) {
    if (p->count > 0 && p->corners[p->count - 1].x == at.x && p->corners[p->count - 1].y == at.y) return;
    if (p->count < CORNERS_MAX) p->corners[p->count++] = at;
}

static int by_place(const void *p, const void *q) {
    const place *a = p, *b = q;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* The cell with the crossings of all cuts as corners. */
static void whole_cell(const cell_grid *g, size_t i, size_t j, const cut_chords *cuts, piece *p) {
    const place box[4] = {
        {g->x[i], g->y[j]}, {g->x[i + 1], g->y[j]}, {g->x[i + 1], g->y[j + 1]}, {g->x[i], g->y[j + 1]}};
    *p = (piece){0};
    for (int k = 0; k < 4; k++) {
        place found[2 * CELL_CUTS_MAX];
        size_t count = 0;
        for (int c = 0; c < g->cut_count; c++)
            for (int d = 0; d < cuts[c].chord_count; d++)
                for (int end = 0; end < 2 && count < 2 * CELL_CUTS_MAX; end++) {
                    place at = end ? cuts[c].chords[d].to : cuts[c].chords[d].from;
                    bool on = k % 2 == 0 ? at.y == box[k].y : at.x == box[k].x;
                    if (on) found[count++] = at;
                }
        qsort(found, count, sizeof *found, by_place);
        add_corner(p, box[k]);
        for (size_t n = 0; n < count; n++) add_corner(p, found[k < 2 ? n : count - 1 - n]);
    }
    while (p->count > 1 && by_place(&p->corners[0], &p->corners[p->count - 1]) == 0) p->count--;
}

/* How far to the left of the chord, measured in cells; zero on it. */
static double side_of(const chord *c, place at, double width, double height) {
    double cross = (c->to.x - c->from.x) / width * ((at.y - c->from.y) / height) -
                   (c->to.y - c->from.y) / height * ((at.x - c->from.x) / width);
    double length = hypot((c->to.x - c->from.x) / width, (c->to.y - c->from.y) / height);
    double distance = length > 0 ? cross / length : 0;
    return fabs(distance) < THINNEST ? 0 : distance;
}

/* Where the chord cuts the side pq, the same whichever way the side goes. */
static place cut_side(const chord *c, place p, place q, double width, double height) {
    if (by_place(&p, &q) > 0) {
        place kept = p;
        p = q;
        q = kept;
    }
    double sp = side_of(c, p, width, height), sq = side_of(c, q, width, height), t = sp / (sp - sq);
    return (place){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
}

/* Divides a piece by a chord: what lies to the left stays piece `number` and gets the bit, what lies to the
 * right becomes a new piece. A piece on one side only gets the bit or not. */
static void split(cell_work *w, int number, uint64_t bit, const chord *c, double width, double height) {
    piece *p = &w->pieces[number];
    double sides_of[CORNERS_MAX], most = 0, least = 0;
    for (int k = 0; k < p->count; k++) {
        sides_of[k] = side_of(c, p->corners[k], width, height);
        most = fmax(most, sides_of[k]);
        least = fmin(least, sides_of[k]);
    }
    if (c->is_point || !(most > 0 && least < 0) || w->piece_count == PIECES_MAX) {
        if (c->is_point ? c->left_if_point : most > -least) p->left_of |= bit;
        return;
    }
    piece whole = *p, *other = &w->pieces[w->piece_count++];
    p->count = other->count = 0;
    other->left_of = whole.left_of;
    p->left_of |= bit;
    for (int k = 0; k < whole.count; k++) {
        int next = (k + 1) % whole.count;
        if (sides_of[k] >= 0) add_corner(p, whole.corners[k]);
        if (sides_of[k] <= 0) add_corner(other, whole.corners[k]);
        if (sides_of[k] * sides_of[next] < 0) {
            place at = cut_side(c, whole.corners[k], whole.corners[next], width, height);
            add_corner(p, at);
            add_corner(other, at);
        }
    }
}

/* The cuts that a piece lies inside of, one bit each. */
static unsigned bits_inside(const cell_grid *g, const cell_work *w, const piece *p) {
    unsigned inside = 0;
    for (int c = 0; c < g->cut_count; c++) {
        const cut_chords *cut = &w->cuts[c];
        bool first = (p->left_of >> (2 * c) & 1) != 0, second = (p->left_of >> (2 * c + 1) & 1) != 0;
        bool in = cut->chord_count == 0   ? cut->inside
                  : cut->chord_count == 1 ? first
                  : cut->all_left         ? first && second
                                          : first || second;
        if (in) inside |= 1U << c;
    }
    return inside;
}

/* ---- Sides */

static void add_side(cell_sides *s, place from, place to, uint8_t label) {
    s->failed |= !memory_grows(&s->of, &s->capacity, s->count + 1);
    if (!s->failed) s->of[s->count++] = (cell_side){from, to, label, false};
}

static uint8_t label_of(const cell_grid *g, unsigned inside) {
    return g->label ? g->label(g->context, inside) : (uint8_t)inside;
}

#define DIVIDED (-1)

/* The label of a cell that no cut divides; DIVIDED of others. */
static int cell_label(const cell_grid *g, size_t i, size_t j) {
    const size_t corners[4] = {node(g, i, j), node(g, i + 1, j), node(g, i + 1, j + 1), node(g, i, j + 1)};
    unsigned inside = 0;
    for (int k = 0; k < 4; k++)
        if (g->missing && g->missing[corners[k]]) return CELL_MISSING;
    for (int c = 0; c < g->cut_count; c++) {
        const bool *in = g->cuts[c].inside;
        for (int k = 1; k < 4; k++)
            if (in[corners[k]] != in[corners[0]]) return DIVIDED;
        if (in[corners[0]]) inside |= 1U << c;
    }
    return label_of(g, inside);
}

/* The sides of an undivided cell that are not shared with another of the same label. */
static void add_cell(const cell_grid *g, const int *labels, size_t i, size_t j, cell_sides *s) {
    size_t rows = g->ny - 1, columns = g->nx - 1, at = i * rows + j;
    const place box[4] = {
        {g->x[i], g->y[j]}, {g->x[i + 1], g->y[j]}, {g->x[i + 1], g->y[j + 1]}, {g->x[i], g->y[j + 1]}};
    const int beside[4] = {j > 0 ? labels[at - 1] : DIVIDED, i + 1 < columns ? labels[at + rows] : DIVIDED,
                           j + 1 < rows ? labels[at + 1] : DIVIDED, i > 0 ? labels[at - rows] : DIVIDED};
    for (int k = 0; k < 4; k++)
        if (beside[k] != labels[at]) add_side(s, box[k], box[(k + 1) % 4], (uint8_t)labels[at]);
}

/* The sides of all pieces of a divided cell. */
static void add_pieces(const cell_grid *g, cell_work *w, size_t i, size_t j, cell_sides *s) {
    double width = g->x[i + 1] - g->x[i], height = g->y[j + 1] - g->y[j];
    for (int c = 0; c < g->cut_count; c++) cut_cell(g, &g->cuts[c], i, j, &w->cuts[c]);
    whole_cell(g, i, j, w->cuts, &w->pieces[0]);
    w->piece_count = 1;
    for (int c = 0; c < g->cut_count; c++)
        for (int d = 0; d < w->cuts[c].chord_count; d++)
            for (int p = 0, count = w->piece_count; p < count; p++)
                split(w, p, 1ULL << (2 * c + d), &w->cuts[c].chords[d], width, height);
    for (int p = 0; p < w->piece_count; p++) {
        const piece *made = &w->pieces[p];
        uint8_t label = label_of(g, bits_inside(g, w, made));
        for (int k = 0; k < made->count; k++)
            add_side(s, made->corners[k], made->corners[(k + 1) % made->count], label);
    }
}

static void fill_sides(const cell_grid *g, int *labels, cell_work *work, cell_sides *s) {
    size_t rows = g->ny - 1, columns = g->nx - 1;
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < rows; j++) labels[i * rows + j] = cell_label(g, i, j);
    for (size_t i = g->from; i < g->to; i++)
        for (size_t j = 0; j < rows; j++)
            if (labels[i * rows + j] == DIVIDED)
                add_pieces(g, work, i, j, s);
            else
                add_cell(g, labels, i, j, s);
}

/* ---- Outlines */

/* Sides with the same two ends stand together, whichever way they go. */
static int by_ends(const void *p, const void *q) {
    const cell_side *a = p, *b = q;
    bool turned_a = by_place(&a->from, &a->to) > 0, turned_b = by_place(&b->from, &b->to) > 0;
    int order = by_place(turned_a ? &a->to : &a->from, turned_b ? &b->to : &b->from);
    if (order == 0) order = by_place(turned_a ? &a->from : &a->to, turned_b ? &b->from : &b->to);
    if (order == 0) order = (a->label > b->label) - (a->label < b->label);
    return order != 0 ? order : (turned_a > turned_b) - (turned_a < turned_b);
}

static int by_start(const void *p, const void *q) {
    const cell_side *a = p, *b = q;
    if (a->label != b->label) return a->label < b->label ? -1 : 1;
    int order = by_place(&a->from, &b->from);
    return order != 0 ? order : by_place(&a->to, &b->to);
}

static bool opposite(const cell_side *a, const cell_side *b) {
    return a->label == b->label && by_place(&a->from, &b->to) == 0 && by_place(&a->to, &b->from) == 0;
}

/* Drops the sides, from one on, that two pieces of one label share. */
static void drop_shared(cell_sides *s, size_t first) {
    if (s->failed || s->count == first) return;
    size_t kept = first;
    qsort(&s->of[first], s->count - first, sizeof *s->of, by_ends);
    for (size_t i = first; i < s->count; i++)
        if (kept > first && opposite(&s->of[kept - 1], &s->of[i]))
            kept--;
        else
            s->of[kept++] = s->of[i];
    s->count = kept;
}

void cell_add_sides(const cell_grid *g, cell_sides *s) {
    memory_local int *labels = memory_alloc((g->ny - 1) * (g->nx - 1), sizeof *labels);
    memory_local cell_work *work = memory_alloc(1, sizeof *work);
    size_t before = s->count;
    s->failed |= !labels || !work;
    if (s->failed) return;
    fill_sides(g, labels, work, s);
    drop_shared(s, before);
}

/* A side that begins where this one ends, not taken yet; NULL where there is none. */
static cell_side *follow(const cell_sides *s, const cell_side *before) {
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const cell_side *at = &s->of[mid];
        bool less =
            at->label != before->label ? at->label < before->label : by_place(&at->from, &before->to) < 0;
        if (less)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < s->count; low++) {
        cell_side *at = &s->of[low];
        if (at->label != before->label || by_place(&at->from, &before->to) != 0) return NULL;
        if (!at->dropped) return at;
    }
    return NULL;
}

void cell_regions(cell_sides *s, outline *regions) {
    regions->failed |= s->failed;
    drop_shared(s, 0);
    if (s->count > 0) qsort(s->of, s->count, sizeof *s->of, by_start);
    for (size_t i = 0; i < s->count && !regions->failed; i++) {
        size_t first = regions->point_count;
        if (s->of[i].dropped) continue;
        for (cell_side *at = &s->of[i]; at; at = follow(s, at)) {
            at->dropped = true;
            outline_add_point(regions, at->from.x, at->from.y, at->label);
        }
        outline_add_loop(regions, first, s->of[i].label, true);
    }
    memory_free(s->of);
    *s = (cell_sides){0};
}

/* ---- Lines */

static bool is_missing(const cell_grid *g, size_t i, size_t j) {
    return g->missing && (g->missing[node(g, i, j)] || g->missing[node(g, i + 1, j)] ||
                          g->missing[node(g, i, j + 1)] || g->missing[node(g, i + 1, j + 1)]);
}

void cell_add_chords(const cell_grid *g, int cut, cell_chords *s) {
    for (size_t i = g->from; i < g->to; i++)
        for (size_t j = 0; j + 1 < g->ny; j++) {
            cut_chords in_cell;
            if (is_missing(g, i, j)) continue;
            cut_cell(g, &g->cuts[cut], i, j, &in_cell);
            for (int c = 0; c < in_cell.chord_count; c++) {
                const chord *made = &in_cell.chords[c];
                s->failed |= !memory_grows(&s->of, &s->capacity, s->count + 1);
                if (s->failed) return;
                s->of[s->count++] = (cell_chord){.from = made->from,
                                                 .to = made->to,
                                                 .from_edge = made->from_edge,
                                                 .to_edge = made->to_edge,
                                                 .next = NONE};
            }
        }
}

static int by_edge(const void *p, const void *q) {
    const cell_chord *a = p, *b = q;
    return (a->from_edge > b->from_edge) - (a->from_edge < b->from_edge);
}

/* At each edge of the grid at most one chord begins, and one ends. */
static void link_chords(const cell_chords *s) {
    if (s->count > 0) qsort(s->of, s->count, sizeof *s->of, by_edge);
    for (size_t k = 0; k < s->count; k++) {
        const cell_chord wanted = {.from_edge = s->of[k].to_edge};
        cell_chord *next = bsearch(&wanted, s->of, s->count, sizeof *s->of, by_edge);
        if (next) s->of[k].next = (size_t)(next - s->of);
        if (next) next->has_previous = true;
    }
}

/* One line from a chord on, to its end or round to its begin. */
static void trace(const cell_chords *s, size_t start, outline *lines) {
    size_t first = lines->point_count, at = start, last = start;
    do {
        outline_add_point(lines, s->of[at].from.x, s->of[at].from.y, OUTLINE_CUT);
        s->of[at].taken = true;
        last = at;
        at = s->of[at].next;
    } while (at != NONE && at != start);
    if (at == NONE) outline_add_point(lines, s->of[last].to.x, s->of[last].to.y, OUTLINE_CUT);
    outline_add_loop(lines, first, OUTLINE_CUT, at == start);
}

void cell_line(cell_chords *s, outline *lines) {
    lines->failed |= s->failed;
    link_chords(s);
    for (int round = 0; round < 2; round++) /* open ones first */
        for (size_t k = 0; k < s->count && !lines->failed; k++)
            if (!s->of[k].taken && (round == 1 || !s->of[k].has_previous)) trace(s, k, lines);
    memory_free(s->of);
    *s = (cell_chords){0};
}
