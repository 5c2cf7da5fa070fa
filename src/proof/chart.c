/* Covering a rectangle with cells on which the crossing functions, interpolated at products of Chebyshev
 * points, have no zero. Where an interpolant is not good enough its degree is raised, or the cell is halved,
 * in the direction whose coefficients fall more slowly: a macro step makes functions oscillate, gains and
 * stiffnesses hardly do. On a cell that is resolved sub-cells are told apart: a connected set of clear ones
 * takes one verdict, and what is too thick to be the band around a crossing becomes a cell again. */
#include "proof/chart.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/chart_cell.h"

/* A function is resolved where its error is at most this of its largest value; */
#define ERROR_MOST 0.02
/* beyond this a higher degree is not tried: the cell is divided. */
#define ERROR_HOPELESS 4.0
/* Cells with fewer points of the grid are left as they are: halves would cost as much as the points. */
#define POINTS_LEAST 30.0
/* A set of sub-cells that are not clear is a band around a crossing where it is at most so many points thick,
 * and at most this share of the cell. */
#define BAND_MOST  3.0
#define BAND_SHARE 0.5
/* No first cell sees more radians of the fastest subsystem. */
#define TURN_MOST 4.0

/* FIRST_MOST: first cells along each side. A box of fewer sub-cells along a side than SMALLER is smaller than
 * the cell; a larger one is halved. */
enum { FIRST_MOST = 64, TURNS = 3, SMALLER = 3 * PLANE_CELLS / 4 };

typedef struct box {
    double from[2], to[2];
} box;

typedef struct cover {
    const chart_options *options;
    chart *chart;
    place_book *book;
    plane_table table;
    box *open; /* cells to come: wide ones first, so that a corner that takes many leaves nothing else undone
                */
    size_t open_first, open_count, open_capacity;
    chart_cell cell;
    chart_reading reading;
} cover;

static costab_status open_box(cover *c, const box *b, costab_error *error) {
    void *grown = memory_grow(c->open, &c->open_capacity, c->open_count + 1, sizeof *c->open);
    if (grown == NULL) return error_memory(error);
    c->open = grown;
    c->open[c->open_count++] = *b;
    return COSTAB_OK;
}

static costab_status emit(cover *c, const box *b, costab_outcome verdict, costab_error *error) {
    chart *to = c->chart;
    void *grown = memory_grow(to->rectangles, &to->capacity, to->count + 1, sizeof *to->rectangles);
    if (grown == NULL) return error_memory(error);
    to->rectangles = grown;
    to->rectangles[to->count++] =
        (chart_rectangle){.from = {b->from[0], b->from[1]}, .to = {b->to[0], b->to[1]}, .verdict = verdict};
    return COSTAB_OK;
}

/* ---- Dividing ---- */

/* Distances of the grid along a box; where nothing depends on that number, none. */
static double side_of(const cover *c, const box *b, int d) {
    return c->options->alike[d] ? 0 : (b->to[d] - b->from[d]) / c->options->grid[d];
}

static bool worth_dividing(const cover *c, const box *b) {
    return (side_of(c, b, 0) + 1) * (side_of(c, b, 1) + 1) > POINTS_LEAST;
}

static double middle_of(const box *b, int d) {
    double from = b->from[d], to = b->to[d];
    return from > 0 && to > 4 * from ? sqrt(from) * sqrt(to) : from + (to - from) / 2;
}

/* Halves a box in the direction of the larger weight, if that has points between; none where it is too
 * small. */
static costab_status split(cover *c, const box *b, const double weights[2], costab_error *error) {
    int d = weights[0] >= weights[1] ? 0 : 1;
    if (!worth_dividing(c, b)) return COSTAB_OK;
    if (side_of(c, b, d) < 1) d = 1 - d;
    box low = *b, high = *b;
    low.to[d] = high.from[d] = middle_of(b, d);
    costab_status status = open_box(c, &high, error);
    return status ? status : open_box(c, &low, error);
}

static box sub_box(const cover *c, const plane_run *run) {
    box sub;
    for (int d = 0; d < 2; d++) {
        const chart_cell *cell = &c->cell;
        double from = plane_edge(run->from[d]), to = plane_edge(run->to[d]),
               width = cell->to[d] - cell->from[d];
        sub.from[d] = run->from[d] == 0 ? cell->from[d] : cell->from[d] + width * (from + 1) / 2;
        sub.to[d] = run->to[d] == PLANE_CELLS ? cell->to[d] : cell->from[d] + width * (to + 1) / 2;
    }
    return sub;
}

/* ---- Sub-cells ---- */

/* Emits the sub-cells of a set. */
static costab_status emit_set(cover *c, plane_mask *set, costab_outcome verdict, costab_error *error) {
    plane_run run;
    costab_status status = COSTAB_OK;
    while (!status && plane_mask_rectangle(set, &run)) {
        box sub = sub_box(c, &run);
        status = emit(c, &sub, verdict, error);
    }
    return status;
}

/* Gives every clear component its verdict. */
static costab_status settle_clear(cover *c, costab_error *error) {
    plane_mask left = c->reading.clear, component;
    int seed[2];
    while (plane_mask_component(&left, &component, seed)) {
        costab_outcome verdict = chart_cell_verdict(&c->cell, &component);
        costab_status status = COSTAB_OK;
        if (verdict == COSTAB_OUTCOME_NEUTRAL) {
            const place *p;
            status = chart_cell_find(&c->cell, plane_center(seed[0]), plane_center(seed[1]), &p, error);
            if (!status) verdict = place_outcome(p);
        }
        if (!status && (verdict == COSTAB_OUTCOME_STABLE || verdict == COSTAB_OUTCOME_UNSTABLE))
            status = emit_set(c, &component, verdict, error);
        if (status) return status;
    }
    return COSTAB_OK;
}

/* Points of the grid in a set of sub-cells, about. */
static double points_in(const cover *c, const plane_mask *set) {
    const box whole = {.from = {c->cell.from[0], c->cell.from[1]}, .to = {c->cell.to[0], c->cell.to[1]}};
    double points = plane_mask_count(set);
    for (int d = 0; d < 2; d++) points *= fmax(side_of(c, &whole, d) / PLANE_CELLS, 1.0 / PLANE_CELLS);
    return points;
}

/* What is not clear: bands around crossings are told as such, the rest is opened again. */
static costab_status settle_rest(cover *c, plane_mask *rest, costab_error *error) {
    plane_mask component;
    plane_run run;
    int seed[2];
    costab_status status = COSTAB_OK;
    while (plane_mask_component(rest, &component, seed) && !status) {
        plane_mask_bounds(&component, &run);
        box sub = sub_box(c, &run);
        double sides[2] = {side_of(c, &sub, 0), side_of(c, &sub, 1)};
        double points = points_in(c, &component), length = fmax(fmax(sides[0], sides[1]), 1);
        bool smaller = false;
        for (int d = 0; d < 2; d++)
            smaller = smaller || (run.to[d] - run.from[d] <= SMALLER && !c->options->alike[d]);
        bool band = plane_mask_count(&component) <= BAND_SHARE * PLANE_CELLS * PLANE_CELLS;
        if (band && points <= BAND_MOST * length)
            status = emit_set(c, &component, COSTAB_OUTCOME_UNDECIDED, error);
        else if (smaller && worth_dividing(c, &sub))
            status = open_box(c, &sub, error);
        else
            status = split(c, &sub, sides, error);
    }
    return status;
}

/* ---- One cell ---- */

/* Could a degree be raised along the direction of the larger tail? Does so. */
static bool raise(chart_cell *cell, const chart_reading *r) {
    int d = r->tails[0] >= r->tails[1] ? 0 : 1;
    if (r->error > ERROR_HOPELESS || cell->k[d] + 1 >= PLANE_DEGREES) return false;
    if (cell->k[d] + 2 >= PLANE_DEGREES && cell->k[1 - d] + 1 >= PLANE_DEGREES) return false;
    cell->k[d]++;
    return true;
}

/* Nodes that a higher degree would add. */
static double more_nodes(const chart_cell *cell, const chart_reading *r) {
    int d = r->tails[0] >= r->tails[1] ? 0 : 1;
    return plane_degree(cell->k[d]) * (plane_degree(cell->k[1 - d]) + 1);
}

static costab_status divide(cover *c, const box *b, costab_error *error) {
    plane_mask rest;
    plane_run run;
    costab_status status = COSTAB_OK;
    plane_mask_invert(&c->reading.diverges, &rest);
    if (!plane_mask_full(&rest)) {
        plane_mask_bounds(&rest, &run);
        status = emit_set(c, &c->reading.diverges, COSTAB_OUTCOME_UNSTABLE, error);
        box sub = sub_box(c, &run);
        if (status) return status;
        for (int d = 0; d < 2; d++)
            if (run.to[d] - run.from[d] <= SMALLER && worth_dividing(c, &sub))
                return open_box(c, &sub, error);
    }
    return split(c, b, c->reading.tails, error);
}

static costab_status settle(cover *c, costab_error *error) {
    plane_mask rest;
    for (int i = 0; i < PLANE_CELLS; i++)
        rest.rows[i] = ~(c->reading.clear.rows[i] | c->reading.diverges.rows[i]);
    costab_status status = settle_clear(c, error);
    if (!status) status = emit_set(c, &c->reading.diverges, COSTAB_OUTCOME_UNSTABLE, error);
    return status ? status : settle_rest(c, &rest, error);
}

static costab_status cover_cell(cover *c, const box *b, costab_error *error) {
    chart_cell *cell = &c->cell;
    chart_reading *r = &c->reading;
    for (int d = 0; d < 2; d++) {
        cell->from[d] = b->from[d];
        cell->to[d] = b->to[d];
        cell->k[d] = 0;
    }
    for (;;) {
        bool ordinary;
        costab_status status = chart_cell_take(cell, &ordinary, error);
        if (status) return status;
        if (!ordinary) return split(c, b, (double[2]){side_of(c, b, 0), side_of(c, b, 1)}, error);
        costab_outcome verdict = chart_cell_read(cell, r);
        if (verdict != COSTAB_OUTCOME_UNDECIDED) return emit(c, b, verdict, error);
        if (r->neutral) return COSTAB_OK; /* rounding hides a function: no division helps */
        if (r->error <= ERROR_MOST) {
            plane_mask rest;
            for (int i = 0; i < PLANE_CELLS; i++) rest.rows[i] = ~(r->clear.rows[i] | r->diverges.rows[i]);
            if (points_in(c, &rest) < more_nodes(cell, r) || !raise(cell, r)) return settle(c, error);
        } else if (!raise(cell, r)) {
            return divide(c, b, error);
        }
    }
}

/* ---- All cells ---- */

/* How many cells the rectangle begins with along each side: by the turns at 3 x 3 places. */
static costab_status first_cells(cover *c, int count[2], costab_error *error) {
    double turns[TURNS][TURNS], most[2] = {0, 0};
    place_ask_turn(c->book, true);
    for (int i = 0; i < TURNS; i++)
        for (int j = 0; j < TURNS; j++) {
            const place *p;
            costab_status status = chart_cell_find(&c->cell, i - 1, j - 1, &p, error);
            if (status) return status;
            turns[i][j] = p->posed ? p->turn : (double)NAN;
        }
    for (int i = 0; i < TURNS; i++)
        for (int j = 0; j + 1 < TURNS; j++) {
            most[0] = fmax(most[0], 2 * fabs(turns[j + 1][i] - turns[j][i]));
            most[1] = fmax(most[1], 2 * fabs(turns[i][j + 1] - turns[i][j]));
        }
    place_ask_turn(c->book, false);
    for (int d = 0; d < 2; d++)
        count[d] = (int)fmax(1, fmin(FIRST_MOST, ceil(fmin(most[d] / TURN_MOST, FIRST_MOST))));
    return COSTAB_OK;
}

static costab_status open_first(cover *c, costab_error *error) {
    int count[2] = {1, 1};
    const chart_options *o = c->options;
    costab_status status = o->continuous ? COSTAB_OK : first_cells(c, count, error);
    for (int i = 0; i < count[0] && !status; i++)
        for (int j = 0; j < count[1] && !status; j++) {
            const int at[2] = {i, j};
            box b;
            for (int d = 0; d < 2; d++) {
                double width = (o->to[d] - o->from[d]) / count[d];
                b.from[d] = o->from[d] + at[d] * width;
                b.to[d] = at[d] + 1 == count[d] ? o->to[d] : o->from[d] + (at[d] + 1) * width;
            }
            status = open_box(c, &b, error);
        }
    return status;
}

costab_status chart_cover(const chart_options *options, chart *covered, costab_error *error) {
    cover *c = memory_alloc(1, sizeof *c);
    if (c == NULL) return error_memory(error);
    c->options = options;
    c->chart = covered;
    plane_table_make(&c->table);
    const place_options places = {.family = options->family,
                                  .continuous = options->continuous,
                                  .base = options->from,
                                  .count = 2,
                                  .vary = {0, 1},
                                  .dimensions = 2};
    costab_status status = place_book_create(&places, &c->book, error);
    c->cell = (chart_cell){.book = c->book, .table = &c->table, .continuous = options->continuous};
    for (int d = 0; d < 2; d++) {
        c->cell.alike[d] = options->alike[d];
        c->cell.low[d] = c->cell.from[d] = options->from[d];
        c->cell.to[d] = options->to[d];
    }
    if (!status) status = open_first(c, error);
    while (!status && c->open_first < c->open_count && place_evaluations(c->book) < options->evaluations) {
        box next = c->open[c->open_first++];
        status = cover_cell(c, &next, error);
    }
    covered->evaluations += c->book != NULL ? place_evaluations(c->book) : 0;
    place_book_destroy(c->book);
    memory_free(c->open);
    memory_free(c);
    return status;
}

void chart_free(chart *covered) {
    memory_free(covered->rectangles);
    *covered = (chart){.count = 0};
}
