/* Covering a rectangle with cells on which the crossing functions, interpolated at products of Chebyshev
 * points, have no zero. A cell is a rectangle of parcels. Where an interpolant is not good enough its degree
 * is raised, or the cell is halved, in the direction whose coefficients fall more slowly: a macro step makes
 * functions oscillate, gains and stiffnesses hardly do. On a cell that is resolved parcels are told apart: a
 * connected set of clear ones takes one verdict, and what is too thick to be the band around a crossing
 * becomes a cell again. */
#include "proof/chart.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/chart_cell.h"

/* A function is resolved where its error is at most this of its largest value; */
#define ERROR_MOST 0.02
/* beyond this a higher degree is not tried: the cell is divided. */
#define ERROR_HOPELESS 4.0
/* Cells with fewer corners of parcels are left as they are: halves would cost as much as their points. */
#define CORNERS_LEAST 30
/* A set of parcels that are not clear is a band around a crossing where it is at most so many parcels thick,
 * and at most this share of the cell. */
#define BAND_MOST  3
#define BAND_SHARE 0.5
/* A box of less than this share of the cell along a side is smaller than the cell; a larger one is halved. */
#define SMALLER 0.75

/* FIRST_MOST: first cells along each side. */
enum { FIRST_MOST = 64, TURNS = 3 };

/* Parcels first[d] <= i < end[d]. */
typedef struct box {
    size_t first[2], end[2];
} box;

typedef struct cover {
    const chart_options *options;
    chart *chart;
    place_book *book;
    plane_table table;
    box *open; /* cells to come: wide ones first, so that a corner that takes many leaves nothing else undone
                */
    size_t open_first, open_count, open_capacity;
    box now;         /* the cell at hand, */
    size_t group[2]; /* with so many parcels along the side of a sub-cell */
    chart_cell cell;
    chart_reading reading;
} cover;

double chart_edge(const double *values, size_t count, size_t i) {
    if (i == 0) return values[0];
    return i == count ? values[count - 1] : values[i - 1] + (values[i] - values[i - 1]) / 2;
}

static size_t side_of(const box *b, int d) {
    return b->end[d] - b->first[d];
}

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
    to->rectangles[to->count++] = (chart_rectangle){.first = {b->first[0], b->first[1]},
                                                    .end = {b->end[0], b->end[1]},
                                                    .verdict = verdict,
                                                    .kernel = c->cell.kernel};
    return COSTAB_OK;
}

/* ---- Dividing ---- */

static bool worth_dividing(const cover *c, const box *b) {
    size_t corners = 1;
    for (int d = 0; d < 2; d++) corners *= c->options->alike[d] ? 1 : side_of(b, d) + 1;
    bool line = c->options->alike[0] || c->options->alike[1]; /* whose nodes are few */
    return corners > (line ? 2 : CORNERS_LEAST);
}

/* The edge next to a value, but not the box's first or last. */
static size_t edge_near(const cover *c, const box *b, int d, double value) {
    size_t i = b->first[d] + 1;
    while (i + 1 < b->end[d] && c->options->edges[d][i] < value) i++;
    return i;
}

/* Halves a box in the direction of the larger weight, if that has several parcels; not where it is too small.
 */
static costab_status split(cover *c, const box *b, const double weights[2], costab_error *error) {
    int d = weights[0] >= weights[1] ? 0 : 1;
    if (side_of(b, d) < 2) d = 1 - d;
    if (side_of(b, d) < 2 || !worth_dividing(c, b)) return COSTAB_OK;
    const double from = c->options->edges[d][b->first[d]], to = c->options->edges[d][b->end[d]];
    box low = *b, high = *b;
    low.end[d] = high.first[d] =
        edge_near(c, b, d, from > 0 && to > 4 * from ? sqrt(from) * sqrt(to) : from + (to - from) / 2);
    costab_status status = open_box(c, &high, error);
    return status ? status : open_box(c, &low, error);
}

/* ---- Sub-cells ---- */

/* The parcels of some sub-cells of the cell at hand. */
static box parcels_of(const cover *c, const plane_run *run) {
    box b = c->now;
    for (int d = 0; d < 2; d++) {
        size_t end = c->now.first[d] + (size_t)run->to[d] * c->group[d];
        b.first[d] += (size_t)run->from[d] * c->group[d];
        b.end[d] = end < c->now.end[d] ? end : c->now.end[d];
    }
    return b;
}

/* Emits the sub-cells of a set; counts their parcels. */
static costab_status emit_set(cover *c, plane_mask *set, costab_outcome verdict, costab_error *error) {
    plane_run run;
    costab_status status = COSTAB_OK;
    while (!status && plane_mask_rectangle(set, &run)) {
        box sub = parcels_of(c, &run);
        status = emit(c, &sub, verdict, error);
    }
    return status;
}

static size_t count_parcels(const cover *c, plane_mask set) {
    plane_run run;
    size_t count = 0;
    while (plane_mask_rectangle(&set, &run)) {
        box sub = parcels_of(c, &run);
        count += side_of(&sub, 0) * side_of(&sub, 1);
    }
    return count;
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
            const plane_grid *grid = &c->cell.grid;
            status = chart_cell_find(&c->cell, grid->cells[0][seed[0]].middle, grid->cells[1][seed[1]].middle,
                                     &p, error);
            if (!status) verdict = place_outcome(p);
        }
        if (!status && (verdict == COSTAB_OUTCOME_STABLE || verdict == COSTAB_OUTCOME_UNSTABLE))
            status = emit_set(c, &component, verdict, error);
        if (status) return status;
    }
    return COSTAB_OK;
}

static bool is_band(const cover *c, const plane_mask *set, const box *around) {
    size_t count = count_parcels(c, *set), length = side_of(around, 0);
    if (side_of(around, 1) > length) length = side_of(around, 1);
    return count <= BAND_MOST * length &&
           (double)count <= BAND_SHARE * (double)(side_of(&c->now, 0) * side_of(&c->now, 1));
}

/* What is not clear: bands around crossings are told as such, the rest is opened again. */
static costab_status settle_rest(cover *c, plane_mask *rest, costab_error *error) {
    plane_mask component;
    plane_run run;
    int seed[2];
    costab_status status = COSTAB_OK;
    while (plane_mask_component(rest, &component, seed) && !status) {
        plane_mask_bounds(&component, &run);
        box sub = parcels_of(c, &run);
        const double sides[2] = {(double)side_of(&sub, 0), (double)side_of(&sub, 1)};
        bool smaller = false;
        for (int d = 0; d < 2; d++) smaller = smaller || sides[d] < SMALLER * (double)side_of(&c->now, d);
        if (is_band(c, &component, &sub))
            status = emit_set(c, &component, COSTAB_OUTCOME_UNDECIDED, error);
        else if (!smaller)
            status = split(c, &sub, sides, error);
        else if (worth_dividing(c, &sub))
            status = open_box(c, &sub, error);
    }
    return status;
}

/* ---- One cell ---- */

/* Lays the cell over the parcels of a box. */
static void lay_cell(cover *c, const box *b) {
    double edges[2][PLANE_CELLS + 1];
    int count[2];
    c->now = *b;
    for (int d = 0; d < 2; d++) {
        const double *at = c->options->edges[d];
        double from = c->cell.from[d] = at[b->first[d]], to = c->cell.to[d] = at[b->end[d]];
        size_t side = side_of(b, d), group = c->group[d] = (side + PLANE_CELLS - 1) / PLANE_CELLS;
        count[d] = (int)((side + group - 1) / group);
        for (int i = 1; i < count[d]; i++)
            edges[d][i] = 2 * (at[b->first[d] + (size_t)i * group] - from) / (to - from) - 1;
        edges[d][0] = -1;
        edges[d][count[d]] = 1;
        c->cell.k[d] = 0;
    }
    plane_grid_make(count, (const double *const[2]){edges[0], edges[1]}, &c->cell.grid);
}

/* Raises the degree along the direction of the larger tail, if it may be. */
static bool raise_degree(chart_cell *cell, const chart_reading *r) {
    int d = r->tails[0] >= r->tails[1] ? 0 : 1;
    if (r->error > ERROR_HOPELESS || cell->k[d] + 1 >= PLANE_DEGREES) return false;
    if (cell->k[d] + 2 >= PLANE_DEGREES && cell->k[1 - d] + 1 >= PLANE_DEGREES) return false;
    cell->k[d]++;
    return true;
}

/* Nodes that a higher degree would add. */
static size_t more_nodes(const chart_cell *cell, const chart_reading *r) {
    int d = r->tails[0] >= r->tails[1] ? 0 : 1;
    return (size_t)(plane_degree(cell->k[d]) * (plane_degree(cell->k[1 - d]) + 1));
}

/* A cell that is not resolved: only the parts where an iteration diverges are known. */
static costab_status divide(cover *c, const plane_mask *rest, costab_error *error) {
    plane_run run;
    plane_mask_bounds(rest, &run);
    box sub = parcels_of(c, &run);
    costab_status status = emit_set(c, &c->reading.diverges, COSTAB_OUTCOME_UNSTABLE, error);
    if (status) return status;
    for (int d = 0; d < 2; d++)
        if ((double)side_of(&sub, d) < SMALLER * (double)side_of(&c->now, d))
            return worth_dividing(c, &sub) ? open_box(c, &sub, error) : COSTAB_OK;
    return split(c, &sub, c->reading.tails, error);
}

static costab_status settle(cover *c, plane_mask *rest, costab_error *error) {
    costab_status status = settle_clear(c, error);
    if (!status) status = emit_set(c, &c->reading.diverges, COSTAB_OUTCOME_UNSTABLE, error);
    return status ? status : settle_rest(c, rest, error);
}

static costab_status cover_cell(cover *c, const box *b, costab_error *error) {
    chart_cell *cell = &c->cell;
    chart_reading *r = &c->reading;
    lay_cell(c, b);
    for (;;) {
        bool ordinary;
        plane_mask known, rest;
        costab_status status = chart_cell_take(cell, &ordinary, error);
        if (status) return status;
        if (!ordinary) return split(c, b, (double[2]){(double)side_of(b, 0), (double)side_of(b, 1)}, error);
        costab_outcome verdict = chart_cell_read(cell, r);
        if (verdict != COSTAB_OUTCOME_UNDECIDED) return emit(c, b, verdict, error);
        if (r->neutral) return COSTAB_OK; /* rounding hides a function: no division helps */
        for (int i = 0; i < PLANE_CELLS; i++) known.rows[i] = r->clear.rows[i] | r->diverges.rows[i];
        plane_mask_invert(&cell->grid, r->error <= ERROR_MOST ? &known : &r->diverges, &rest);
        bool enough = r->error <= ERROR_MOST && count_parcels(c, rest) < more_nodes(cell, r);
        if (!enough && raise_degree(cell, r)) continue;
        return r->error <= ERROR_MOST ? settle(c, &rest, error) : divide(c, &rest, error);
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
    place_ask_turn(c->book, false);
    for (int i = 0; i < TURNS; i++)
        for (int j = 0; j + 1 < TURNS; j++) {
            most[0] = fmax(most[0], (TURNS - 1) * fabs(turns[j + 1][i] - turns[j][i]));
            most[1] = fmax(most[1], (TURNS - 1) * fabs(turns[i][j + 1] - turns[i][j]));
        }
    for (int d = 0; d < 2; d++)
        count[d] = (int)fmax(1, fmin(FIRST_MOST, ceil(fmin(most[d] / CROSSING_TURN_MOST, FIRST_MOST))));
    return COSTAB_OK;
}

/* Opens a box and, before, what lies beyond its cut along direction d; the cuts are equally far apart. */
static costab_status open_cut(cover *c, box b, const int count[2], int d, costab_error *error) {
    costab_status status = COSTAB_OK;
    if (d == 2) return open_box(c, &b, error);
    const double *edges = c->options->edges[d];
    double from = edges[0], to = edges[c->options->count[d]];
    for (int i = 1; i <= count[d] && !status; i++) {
        box part = b;
        if (i < count[d] && side_of(&b, d) > 1)
            part.end[d] = b.first[d] = edge_near(c, &b, d, from + i * (to - from) / count[d]);
        else
            i = count[d];
        status = open_cut(c, part, count, d + 1, error);
    }
    return status;
}

/* What is stable only beside an eigenvalue that was set aside, and is none of the model's elsewhere, is not
 * known: as in a search in one parameter. */
static void doubt_singular(cover *c) {
    int least = place_least_kernel(c->book);
    for (size_t i = 0; i < c->chart->count; i++) {
        chart_rectangle *r = &c->chart->rectangles[i];
        if (r->verdict == COSTAB_OUTCOME_STABLE && r->kernel > least) r->verdict = COSTAB_OUTCOME_UNDECIDED;
    }
}

costab_status chart_cover(const chart_options *options, chart *covered, costab_error *error) {
    cover *c = memory_alloc(1, sizeof *c);
    if (c == NULL) return error_memory(error);
    c->options = options;
    c->chart = covered;
    plane_table_make(&c->table);
    const box whole = {.end = {options->count[0], options->count[1]}};
    const double base[2] = {options->edges[0][0], options->edges[1][0]};
    const place_options places = {.family = options->family,
                                  .continuous = options->continuous,
                                  .base = base,
                                  .count = 2,
                                  .vary = {0, 1},
                                  .dimensions = 2};
    costab_status status = place_book_create(&places, &c->book, error);
    c->cell = (chart_cell){.book = c->book, .table = &c->table, .continuous = options->continuous};
    for (int d = 0; d < 2; d++) {
        c->cell.alike[d] = options->alike[d];
        c->cell.low[d] = base[d];
    }
    lay_cell(c, &whole);
    int count[2] = {1, 1};
    if (!status && !options->continuous) status = first_cells(c, count, error);
    if (!status) status = open_cut(c, whole, count, 0, error);
    while (!status && c->open_first < c->open_count && place_evaluations(c->book) < options->evaluations) {
        box next = c->open[c->open_first++];
        status = cover_cell(c, &next, error);
    }
    if (c->book != NULL) doubt_singular(c);
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
