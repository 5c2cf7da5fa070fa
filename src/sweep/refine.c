/* Codes of a grid from a part of its points, by hierarchical refinement of cells (refine.h).
 *   1. Examine: all cells of one size are examined, each with nine points (corners, middles of the sides,
 *      centre).
 *   2. Judge: a quarter can be filled if its corners are alike and no margin could reach 0 in it, falling
 *      SAFETY times as steeply as across the middle. Other quarters are the cells of the next level. The
 *      codes of all points of small quarters are requested.
 *   3. Settle: once no cell is left, the cells to be filled are compared with all known points, including
 *      points on lines and on their sides. So a boundary that leaves a small cell through the side of a large
 *      cell is followed. Cells that contradict a known point are examined again.
 *   4. Fill: cells without contradiction are filled.
 *
 * Cost: points in proportion to the length of the boundaries. Limitation: a region between the points of one
 * cell is missed. */
#include "sweep/refine.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* A cell is not filled if M - m >= m / SAFETY (refine.h); 1 is sufficient for convex margins. */
#define SAFETY 3.0

/* If codes cost less than margins, cells of at most LEAF steps are not halved. Halving a cell on a boundary
 * down to single points takes about PER_STEP evaluations per step of its side. */
enum { LEAF = 15 };
#define PER_STEP 3.5
/* Largest share of all points, 1 / LOST_MOST, for a lattice evaluated in vain. */
#define LOST_MOST 16.0
/* Above this share, the remaining work must cost SURELY times less than the codes of all unknown points. */
#define SURELY 2.0

typedef enum point_state {
    UNKNOWN,
    ON_LINE,     /* its code is known from a line */
    CODE_WANTED, /* it is to be classified: its code alone is wanted */
    CODE_FOUND,  /* it was classified */
    WANTED,      /* it is to be evaluated, with its margins */
    EVALUATED,
    FILLED /* it has the code of the cell around it */
} point_state;

/* A closed box of (steps + 1) points along each axis, from point `at` on. */
typedef struct cell {
    uint32_t at[2], steps[2];
} cell;

typedef struct cell_list {
    cell *cells;
    size_t count;
} cell_list;

struct refine_work {
    size_t capacity;
    uint8_t *states;      /* point_state of each point */
    uint8_t *changes;     /* per point a bit per axis: the code changes on the edge from the point */
    uint8_t *line;        /* the three arrays of a refine_line */
    refine_point *points; /* of the patch, by their numbers */
    size_t *numbers;      /* points to be evaluated or classified together */
    cell_list examined, next, plain; /* cells to be examined now; on the next level; to be filled */
    const refine_patch *patch;
    size_t wanted, codes_wanted, evaluated; /* number of points in each state */
    size_t known;                           /* number of evaluated or classified points */
};

costab_status refine_work_create(refine_work **work, size_t points, costab_error *error) {
    TRY(memory_make(work, 1, error));
    refine_work *w = *work;
    w->capacity = points;
    costab_status status = memory_make(&w->states, points, error);
    if (!status) status = memory_make(&w->changes, points, error);
    if (!status) status = memory_make(&w->line, 3 * points, error);
    if (!status) status = memory_make(&w->points, points, error);
    if (!status) status = memory_make(&w->numbers, points, error);
    /* Cells of a list share no points except on their sides, so a list has fewer cells than points. */
    if (!status) status = memory_make(&w->examined.cells, points, error);
    if (!status) status = memory_make(&w->next.cells, points, error);
    if (!status) status = memory_make(&w->plain.cells, points, error);
    if (status) refine_work_destroy(work);
    return status;
}

void refine_work_destroy(refine_work **work) {
    refine_work *w = *work;
    if (w == NULL) return;
    memory_free_all(w->states, w->changes, w->line, w->points, w->numbers, w->examined.cells, w->next.cells,
                    w->plain.cells, w);
    *work = NULL;
}

const refine_point *refine_points(const refine_work *work) {
    return work->points;
}

bool refine_is_found(const refine_work *work, size_t number) {
    return work->states[number] == EVALUATED || work->states[number] == CODE_FOUND;
}

/* ---- Points */

static size_t number_of(const refine_work *w, size_t i, size_t j) {
    return i * w->patch->count[1] + j;
}

/* Requests the evaluation of a point, unless it is evaluated, filled, requested, or known to be lone. */
static void want(refine_work *w, size_t number) {
    uint8_t state = w->states[number];
    if (state > CODE_FOUND || (state == CODE_FOUND && w->points[number].lone)) return;
    w->codes_wanted -= state == CODE_WANTED;
    w->known -= state == CODE_FOUND;
    w->states[number] = WANTED;
    w->wanted++;
}

/* Requests the code of a point unless it is known. The code of a point on a line counts as known, unless it
 * is lone_code. Without `classify`, requests the evaluation. */
static void ask(refine_work *w, size_t number) {
    const refine_patch *p = w->patch;
    uint8_t state = w->states[number];
    if (p->classify == NULL) {
        want(w, number);
    } else if (state == UNKNOWN || (state == ON_LINE && w->points[number].code == p->lone_code)) {
        w->states[number] = CODE_WANTED;
        w->codes_wanted++;
    }
}

/* Lists the `wanted` points in one state in w->numbers, in the order that the patch requires, and counts them
 * as known. */
static void collect(refine_work *w, uint8_t state, size_t wanted) {
    const size_t *side = w->patch->count;
    size_t count = 0;
    const uint8_t *s = w->states, *end = s + side[0] * side[1];
    for (size_t j = 0; w->patch->by_columns && j < side[1]; j++)
        for (size_t i = 0; i < side[0]; i++)
            if (s[number_of(w, i, j)] == state) w->numbers[count++] = number_of(w, i, j);
    for (; count < wanted; s++) {
        s = memchr(s, state, (size_t)(end - s));
        w->numbers[count++] = (size_t)(s - w->states);
    }
    w->known += wanted;
}

/* Evaluates and classifies all requested points. */
static costab_status evaluate_wanted(refine_work *w, costab_error *error) {
    const refine_patch *p = w->patch;
    if (w->wanted > 0) {
        size_t count = w->wanted;
        collect(w, WANTED, count);
        for (size_t i = 0; i < count; i++) w->states[w->numbers[i]] = EVALUATED;
        w->wanted = 0;
        w->evaluated += count;
        TRY(p->evaluate(p->context, w->numbers, count, w->points, error));
    }
    if (w->codes_wanted > 0) {
        size_t count = w->codes_wanted;
        collect(w, CODE_WANTED, count);
        w->codes_wanted = 0;
        TRY(p->classify(p->context, w->numbers, count, w->points, error));
        for (size_t i = 0; i < count; i++) {
            refine_point *point = &w->points[w->numbers[i]];
            w->states[w->numbers[i]] = CODE_FOUND;
            point->lone = point->code == p->lone_code;
        }
    }
    return COSTAB_OK;
}

/* Returns true if a cell with both points as corners could be filled. */
static bool alike(const refine_work *w, const refine_point *p, const refine_point *q) {
    if (p->lone || q->lone || p->kind != q->kind || p->code != q->code) return false;
    for (int k = 0; k < w->patch->margins; k++)
        if ((p->margins[k] < 0) != (q->margins[k] < 0) || isnan(p->margins[k]) != isnan(q->margins[k]))
            return false;
    return true;
}

/* ---- Cells */

/* Fills the indices of an examined cell's lines along an axis: its ends and its middle. Returns their number.
 */
static int lines_of(const cell *c, int axis, size_t lines[3]) {
    size_t at = c->at[axis], steps = c->steps[axis];
    int count = 0;
    lines[count++] = at;
    if (steps > 1) lines[count++] = at + steps / 2;
    if (steps > 0) lines[count++] = at + steps;
    return count;
}

/* Requests the nine points of an examined cell, or fewer of a narrow cell. */
static void want_nine(refine_work *w, const cell *c) {
    size_t rows[3], columns[3];
    int height = lines_of(c, 0, rows), width = lines_of(c, 1, columns);
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) want(w, number_of(w, rows[i], columns[j]));
}

/* A quarter of an examined cell (a half if the cell is one step wide), and the opposite quarter. */
typedef struct quarter {
    cell cell;
    size_t corners[2][2]; /* indices of its ends along each axis; equal if it has no width */
    /* For each axis: indices of the lines of reflection, and of the far end of the opposite quarter, which is
     * the line of reflection if the axis is not halved. */
    int mirrors;
    size_t mirror[2][2], beyond[2][2];
    int mirror_count[2];
} quarter;

static quarter quarter_of(const cell *c, const int side[2]) {
    quarter q = {.mirrors = 0};
    for (int a = 0; a < 2; a++) {
        size_t lines[3];
        int count = lines_of(c, a, lines);
        bool halved = count == 3;
        size_t low = lines[halved ? side[a] : 0], high = lines[halved ? side[a] + 1 : count - 1];
        q.cell.at[a] = (uint32_t)low;
        q.cell.steps[a] = (uint32_t)(high - low);
        q.corners[a][0] = low;
        q.corners[a][1] = high;
        q.mirror_count[a] = halved ? 1 : count;
        for (int m = 0; m < q.mirror_count[a]; m++) {
            q.mirror[a][m] = halved ? lines[1] : lines[m];
            q.beyond[a][m] = halved ? lines[side[a] == 0 ? 2 : 0] : lines[m];
        }
    }
    return q;
}

static bool corners_alike(const refine_work *w, const quarter *q) {
    const refine_point *first = &w->points[number_of(w, q->corners[0][0], q->corners[1][0])];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (!alike(w, first, &w->points[number_of(w, q->corners[0][i], q->corners[1][j])])) return false;
    return true;
}

/* Returns true if a margin falls towards the quarter so fast that it could reach zero in it, judged by its
 * growth on the opposite side (refine.h, convex margins). */
static bool could_vanish(const refine_work *w, const quarter *q, int m, int n) {
    const size_t rows[2] = {q->mirror[0][m], q->beyond[0][m]};
    const size_t columns[2] = {q->mirror[1][n], q->beyond[1][n]};
    const refine_point *mirror = &w->points[number_of(w, rows[0], columns[0])];
    for (int k = 0; k < w->patch->margins; k++) {
        double sign = mirror->margins[k] < 0 ? -1 : 1, here = sign * mirror->margins[k], most = here;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                most = fmax(most, sign * w->points[number_of(w, rows[i], columns[j])].margins[k]);
        if (SAFETY * (most - here) >= here) return true; /* false for NaN */
    }
    return false;
}

/* Returns true if a quarter may be filled, judged by its corners and margins. */
static bool may_be_filled(const refine_work *w, const quarter *q) {
    if (!corners_alike(w, q)) return false;
    for (int m = 0; m < q->mirror_count[0]; m++)
        for (int n = 0; n < q->mirror_count[1]; n++)
            if (could_vanish(w, q, m, n)) return false;
    return true;
}

/* Requests one more point inside a cell, off the lattices and at another position in every cell. It detects
 * patterns that repeat with the lattice, such as steps that divide every second macro step only. */
static void want_probe(refine_work *w, const cell *c) {
    size_t at[2];
    uint32_t mixed = (c->at[0] * 73U + c->at[1] * 151U + c->steps[0]) * 2654435761U;
    for (int a = 0; a < 2; a++) {
        at[a] = c->at[a];
        if (c->steps[a] > 1) at[a] += 1 + (mixed >> 16) % (c->steps[a] - 1);
        mixed = mixed * 2654435761U + 40503U;
    }
    ask(w, number_of(w, at[0], at[1]));
}

static void push(cell_list *list, const cell *c) {
    list->cells[list->count++] = *c;
}

/* Judges the quarters of one cell. */
static void judge_quarters(refine_work *w, const cell *c) {
    const int halves[2] = {c->steps[0] > 1 ? 2 : 1, c->steps[1] > 1 ? 2 : 1};
    for (int i = 0; i < halves[0]; i++)
        for (int j = 0; j < halves[1]; j++) {
            quarter q = quarter_of(c, (const int[2]){i, j});
            if (q.cell.steps[0] <= 1 && q.cell.steps[1] <= 1) continue; /* it has corners only */
            bool plain = may_be_filled(w, &q);
            push(plain ? &w->plain : &w->next, &q.cell);
            if (plain) want_probe(w, &q.cell);
        }
}

/* Returns true if the codes of all points of a cell are requested, instead of evaluations of some. */
static bool is_leaf(const refine_work *w, const cell *c) {
    size_t side = w->patch->cell < LEAF ? w->patch->cell : LEAF;
    return w->patch->classify != NULL && c->steps[0] <= side && c->steps[1] <= side;
}

/* Requests the codes of all points of a cell. */
static void ask_all(refine_work *w, const cell *c) {
    for (size_t i = 0; i <= c->steps[0]; i++)
        for (size_t j = 0; j <= c->steps[1]; j++) ask(w, number_of(w, c->at[0] + i, c->at[1] + j));
}

/* Returns the cost of the requested points and of dividing the cells that will be examined. The unit is the
 * cost of the code of a point. */
static double still_to_do(const refine_work *w) {
    const refine_patch *p = w->patch;
    double sum = (double)w->wanted * p->weight + (double)w->codes_wanted;
    for (size_t i = 0; i < w->examined.count; i++) {
        const cell *c = &w->examined.cells[i];
        double high = c->steps[0], wide = c->steps[1], points = (high + (high == 0)) * (wide + (wide == 0));
        sum += is_leaf(w, c) ? points : fmin(points, PER_STEP * (high + wide) / 2 * p->weight);
    }
    return sum;
}

/* Examines and judges one level of cells. */
static costab_status examine(refine_work *w, costab_error *error) {
    for (size_t i = 0; i < w->examined.count; i++) {
        const cell *c = &w->examined.cells[i];
        if (is_leaf(w, c))
            ask_all(w, c);
        else
            want_nine(w, c);
    }
    TRY(evaluate_wanted(w, error));
    for (size_t i = 0; i < w->examined.count; i++)
        if (!is_leaf(w, &w->examined.cells[i])) judge_quarters(w, &w->examined.cells[i]);
    cell_list done = w->examined;
    w->examined = w->next;
    w->next = (cell_list){done.cells, 0};
    return COSTAB_OK;
}

/* Returns true if the code changes on an edge of the cell that starts at one of its points. */
static bool has_change(const refine_work *w, const cell *c, size_t i, size_t j, size_t number) {
    uint8_t inside = (uint8_t)((i < c->steps[0] ? 1 : 0) | (j < c->steps[1] ? 2 : 0));
    return (w->changes[number] & inside) != 0;
}

/* Returns true if all known codes and margins in a cell agree. */
static bool is_settled(const refine_work *w, const cell *c) {
    const refine_point *first = &w->points[number_of(w, c->at[0], c->at[1])];
    for (size_t i = 0; i <= c->steps[0]; i++) {
        size_t number = number_of(w, c->at[0] + i, c->at[1]);
        for (size_t j = 0; j <= c->steps[1]; j++, number++)
            if (has_change(w, c, i, j, number) ||
                (w->states[number] == EVALUATED && !alike(w, first, &w->points[number])) ||
                ((w->states[number] == ON_LINE || w->states[number] == CODE_FOUND) &&
                 first->code != w->points[number].code))
                return false;
    }
    return true;
}

/* Moves cells that contradict a known point back to the examined cells. */
static void reexamine_unsettled(refine_work *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->plain.count; i++) {
        cell c = w->plain.cells[i];
        if (is_settled(w, &c))
            w->plain.cells[kept++] = c;
        else
            push(&w->examined, &c);
    }
    w->plain.count = kept;
}

static void fill(refine_work *w, const cell *c) {
    uint8_t code = w->points[number_of(w, c->at[0], c->at[1])].code;
    for (size_t i = 0; i <= c->steps[0]; i++) {
        size_t number = number_of(w, c->at[0] + i, c->at[1]);
        for (size_t j = 0; j <= c->steps[1]; j++, number++) {
            if (w->states[number] != UNKNOWN) continue;
            w->states[number] = FILLED;
            w->points[number].code = code;
        }
    }
}

static uint32_t at_most(size_t steps, size_t limit) {
    return (uint32_t)(steps < limit ? steps : limit);
}

/* Makes the first cells, twice as large as the cells of the coarse lattice, so that their quarters are judged
 * first. */
static void start_lattice(refine_work *w) {
    const refine_patch *p = w->patch;
    size_t side = 2 * p->cell, last[2] = {p->count[0] - 1, p->count[1] - 1};
    for (size_t i = 0; i == 0 || i < last[0]; i += side)
        for (size_t j = 0; j == 0 || j < last[1]; j += side)
            push(&w->examined, &(cell){{(uint32_t)i, (uint32_t)j},
                                       {at_most(last[0] - i, side), at_most(last[1] - j, side)}});
}

/* Returns the index of the line after the line at index `at` of axis `across`. */
static size_t next_line(const refine_patch *p, int across, size_t at) {
    size_t last = p->count[across] - 1;
    return at < last && at + p->line_distance > last ? last : at + p->line_distance;
}

/* Stores the codes on all lines. */
static costab_status learn_lines(refine_work *w, costab_error *error) {
    const refine_patch *p = w->patch;
    for (int across = 0; across < 2; across++) {
        size_t points = p->count[1 - across];
        for (size_t at = 0; at < p->count[across]; at = next_line(p, across, at)) {
            const refine_line line = {w->line, w->line + points, w->line + 2 * points};
            TRY(p->line(p->context, across, at, &line, error));
            for (size_t i = 0; i < points; i++) {
                size_t number = across == 0 ? number_of(w, at, i) : number_of(w, i, at);
                if (line.changes[i]) w->changes[number] |= (uint8_t)(2 >> across);
                if (w->states[number] > ON_LINE) continue;
                w->states[number] = ON_LINE;
                w->points[number].code = line.codes[i];
            }
        }
    }
    return COSTAB_OK;
}

/* Returns the cost of all points on lines. */
static double cost_of_lines(const refine_patch *p) {
    double points = 0;
    for (int across = 0; across < 2 && p->line != NULL; across++)
        for (size_t at = 0; at < p->count[across]; at = next_line(p, across, at))
            points += (double)p->count[1 - across];
    return points * p->line_weight;
}

/* Returns the cost of the codes of all unknown points. */
static double left_over(const refine_work *w) {
    const refine_patch *p = w->patch;
    return (double)(p->count[0] * p->count[1] - w->known) * (p->classify != NULL ? 1 : p->weight);
}

/* Returns true if the remaining work costs less than all unknown points, or less than half of them if many
 * margins might be evaluated in vain. */
static bool is_worth_it(const refine_work *w) {
    const refine_patch *p = w->patch;
    double still = still_to_do(w), left = left_over(w), all = (double)(p->count[0] * p->count[1]),
           lost = p->classify != NULL ? (p->weight - 1) * ((double)w->evaluated + still / p->weight) : 0;
    return still < (lost <= all / LOST_MOST ? left : left / SURELY);
}

/* Examines level after level until no cell is left. *pays: false if it stopped because the rest is not worth
 * it. */
static costab_status examine_levels(refine_work *w, bool *pays, costab_error *error) {
    while (*pays && (w->examined.count > 0 || w->wanted + w->codes_wanted > 0)) {
        *pays = is_worth_it(w);
        if (*pays) TRY(examine(w, error));
    }
    return COSTAB_OK;
}

/* Returns true if the first lattice would cost too much if nothing could be filled. */
static bool could_cost_too_much(const refine_patch *p) {
    double points = (double)(p->count[0] * p->count[1]), lattice = 1;
    for (int a = 0; a < 2; a++) lattice *= ceil((double)(p->count[a] - 1) / (double)p->cell) + 1;
    return p->classify != NULL && lattice * (p->weight - 1) > points / LOST_MOST;
}

/* Requests and finds the codes of all unknown points of the patch. */
static costab_status find_rest(refine_work *w, costab_error *error) {
    const size_t *side = w->patch->count;
    ask_all(w, &(cell){{0, 0}, {(uint32_t)(side[0] - 1), (uint32_t)(side[1] - 1)}});
    return evaluate_wanted(w, error);
}

costab_status refine_run(refine_work *work, const refine_patch *patch, costab_error *error) {
    size_t points = patch->count[0] * patch->count[1];
    if (points > work->capacity) return error_invalid(error, "a patch of %zu points", points);
    memset(work->states, UNKNOWN, points);
    memset(work->changes, 0, points);
    work->patch = patch;
    work->examined.count = work->next.count = work->plain.count = 0;
    work->wanted = work->codes_wanted = work->evaluated = work->known = 0;
    start_lattice(work);
    bool pays = !patch->all && !could_cost_too_much(patch);
    if (pays) TRY(examine(work, error));
    if (pays) pays = cost_of_lines(patch) + still_to_do(work) < left_over(work);
    if (pays && patch->line != NULL) TRY(learn_lines(work, error));
    while (pays && (work->examined.count > 0 || work->wanted + work->codes_wanted > 0)) {
        TRY(examine_levels(work, &pays, error));
        reexamine_unsettled(work);
    }
    if (!pays) return find_rest(work, error);
    for (size_t i = 0; i < work->plain.count; i++) fill(work, &work->plain.cells[i]);
    return COSTAB_OK;
}
