/* Certified charts (docs/algorithms.md): covering a rectangle of two parameters with cells on which the
 * crossing functions have no zero.
 *
 * 1. The rectangle is cut so that the oscillation of the fastest subsystem within a macro step turns by no
 *    more than 4 rad over a cell, as told by its turns at 3 x 3 places.
 * 2. On a cell, a rectangle of parcels, the functions are interpolated at products of 5, 9 or 17 Chebyshev
 *    points. Where their error is too large the degree is raised, or the cell is halved, in the direction
 *    whose coefficients fall more slowly: a macro step makes functions oscillate, gains hardly do.
 * 3. A cell without a zero, or unstable by exclusion.h, has one verdict.
 * 4. On another whose functions' errors are small (at most 2 % of the largest value), each connected set of
 *    clear parcels takes the verdict of its nodes. A connected set of parcels that are not clear is a band
 *    around a crossing where it is thin: undecided. A thicker one becomes a cell again.
 *
 * Cost: evaluations do not depend on the number of parcels, but near crossings. Not guaranteed: the
 * interpolation's error is an estimate. */
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
/* What is not clear of a cell becomes a cell as it is where one of its sides is less than this share of the
 * cell's; else it is halved. */
#define SMALLER 0.75

/* FIRST_MOST: first cells along each side. TURNS: places along each side at which turns are asked for. */
enum { FIRST_MOST = 64, TURNS = 3 };

typedef struct cover {
    const chart_options *options;
    chart *chart;
    sample_cache *cache;
    chebyshev_2d_table table;
    chart_rectangle
        *open; /* cells to come: wide ones first, so that a corner that takes many leaves nothing else undone
                */
    size_t open_first, open_count, open_capacity;
    chart_rectangle now; /* the cell at hand, */
    size_t group[2];     /* with so many parcels along the side of a sub-cell */
    chart_cell cell;
    chart_reading reading;
} cover;

double chart_edge(const double *values, size_t count, size_t i) {
    if (i == 0) return values[0];
    return i == count ? values[count - 1] : values[i - 1] + (values[i] - values[i - 1]) / 2;
}

static size_t side_of(const chart_rectangle *b, int d) {
    return b->end[d] - b->first[d];
}

static costab_status open_rectangle(cover *c, const chart_rectangle *b, costab_error *error) {
    TRY(memory_room(&c->open, &c->open_capacity, c->open_count + 1, error));
    c->open[c->open_count++] = *b;
    return COSTAB_OK;
}

static costab_status emit(cover *c, const chart_rectangle *b, costab_outcome verdict, costab_error *error) {
    chart *to = c->chart;
    TRY(memory_room(&to->rectangles, &to->capacity, to->count + 1, error));
    chart_rectangle *last = &to->rectangles[to->count++];
    *last = *b;
    last->verdict = verdict;
    last->nullity = c->cell.nullity;
    return COSTAB_OK;
}

/* ---- Dividing ---- */

/* Has a rectangle so many points that cells cost less than those? */
static bool worth_dividing(const cover *c, const chart_rectangle *b) {
    size_t corners = 1;
    for (int d = 0; d < 2; d++) corners *= c->options->alike[d] ? 1 : side_of(b, d) + 1;
    bool line = c->options->alike[0] || c->options->alike[1]; /* one parameter: its cells have few nodes */
    return corners > (line ? 2 : CORNERS_LEAST);
}

/* The edge next to a value, but not the rectangle's first or last. */
static size_t edge_near(const cover *c, const chart_rectangle *b, int d, double value) {
    size_t i = b->first[d] + 1;
    while (i + 1 < b->end[d] && c->options->edges[d][i] < value) i++;
    return i;
}

/* Halves a rectangle in the direction of the larger weight, if that has several parcels; not where it is too
 * small.
 */
static costab_status split(cover *c, const chart_rectangle *b, const double weights[2], costab_error *error) {
    int d = weights[0] >= weights[1] ? 0 : 1;
    if (side_of(b, d) < 2) d = 1 - d;
    if (side_of(b, d) < 2 || !worth_dividing(c, b)) return COSTAB_OK;
    const double from = c->options->edges[d][b->first[d]], to = c->options->edges[d][b->end[d]];
    chart_rectangle low = *b, high = *b;
    low.end[d] = high.first[d] =
        edge_near(c, b, d, from > 0 && to > 4 * from ? sqrt(from) * sqrt(to) : from + (to - from) / 2);
    TRY(open_rectangle(c, &high, error));
    return open_rectangle(c, &low, error);
}

/* ---- Sub-cells ---- */

/* The parcels of some sub-cells of the cell at hand. */
static chart_rectangle parcels_of(const cover *c, const chebyshev_2d_rectangle *cells) {
    chart_rectangle b = c->now;
    for (int d = 0; d < 2; d++) {
        size_t end = c->now.first[d] + (size_t)cells->to[d] * c->group[d];
        b.first[d] += (size_t)cells->from[d] * c->group[d];
        b.end[d] = end < c->now.end[d] ? end : c->now.end[d];
    }
    return b;
}

/* Gives the sub-cells of a set one verdict; empties the set. */
static costab_status emit_set(cover *c, chebyshev_2d_mask *set, costab_outcome verdict, costab_error *error) {
    chebyshev_2d_rectangle cells;
    while (chebyshev_2d_mask_rectangle(set, &cells)) {
        chart_rectangle sub = parcels_of(c, &cells);
        TRY(emit(c, &sub, verdict, error));
    }
    return COSTAB_OK;
}

/* The number of parcels in a set of sub-cells. */
static size_t count_parcels(const cover *c, chebyshev_2d_mask set) {
    chebyshev_2d_rectangle cells;
    size_t count = 0;
    while (chebyshev_2d_mask_rectangle(&set, &cells)) {
        chart_rectangle sub = parcels_of(c, &cells);
        count += side_of(&sub, 0) * side_of(&sub, 1);
    }
    return count;
}

/* Step 4: gives every connected set of clear sub-cells its verdict: that of its nodes, or of one of its
 * sub-cells where it has none. */
static costab_status settle_clear(cover *c, costab_error *error) {
    chebyshev_2d_mask left = c->reading.clear, component;
    int seed[2];
    while (chebyshev_2d_mask_component(&left, &component, seed)) {
        costab_outcome verdict = chart_cell_verdict(&c->cell, &component);
        if (verdict == COSTAB_OUTCOME_NEUTRAL) {
            const sample *p;
            const chebyshev_2d_grid *grid = &c->cell.grid;
            TRY(chart_cell_find(&c->cell, grid->cells[0][seed[0]].middle, grid->cells[1][seed[1]].middle, &p,
                                error));
            verdict = sample_outcome(p);
        }
        if (verdict == COSTAB_OUTCOME_STABLE || verdict == COSTAB_OUTCOME_UNSTABLE)
            TRY(emit_set(c, &component, verdict, error));
    }
    return COSTAB_OK;
}

/* Is a set that lies in the rectangle `around` thin: a band around a crossing? */
static bool is_band(const cover *c, const chebyshev_2d_mask *set, const chart_rectangle *around) {
    size_t count = count_parcels(c, *set), length = side_of(around, 0);
    if (side_of(around, 1) > length) length = side_of(around, 1);
    return count <= BAND_MOST * length &&
           (double)count <= BAND_SHARE * (double)(side_of(&c->now, 0) * side_of(&c->now, 1));
}

/* Step 4: of what is not clear bands become undecided, thicker sets become cells. */
static costab_status settle_rest(cover *c, chebyshev_2d_mask *rest, costab_error *error) {
    chebyshev_2d_mask component;
    chebyshev_2d_rectangle cells;
    int seed[2];
    while (chebyshev_2d_mask_component(rest, &component, seed)) {
        chebyshev_2d_mask_bounds(&component, &cells);
        chart_rectangle sub = parcels_of(c, &cells);
        const double sides[2] = {(double)side_of(&sub, 0), (double)side_of(&sub, 1)};
        bool smaller = false;
        for (int d = 0; d < 2; d++) smaller = smaller || sides[d] < SMALLER * (double)side_of(&c->now, d);
        if (is_band(c, &component, &sub))
            TRY(emit_set(c, &component, COSTAB_OUTCOME_UNDECIDED, error));
        else if (!smaller)
            TRY(split(c, &sub, sides, error));
        else if (worth_dividing(c, &sub))
            TRY(open_rectangle(c, &sub, error));
    }
    return COSTAB_OK;
}

/* ---- One cell ---- */

/* Begins the cell of a rectangle: its sub-cells are groups of parcels, at most 64 along a side. */
static void lay_cell(cover *c, const chart_rectangle *b) {
    double edges[2][CHEBYSHEV_2D_CELLS + 1];
    int count[2];
    c->now = *b;
    for (int d = 0; d < 2; d++) {
        const double *at = c->options->edges[d];
        double from = c->cell.from[d] = at[b->first[d]], to = c->cell.to[d] = at[b->end[d]];
        size_t side = side_of(b, d),
               group = c->group[d] = (side + CHEBYSHEV_2D_CELLS - 1) / CHEBYSHEV_2D_CELLS;
        count[d] = (int)((side + group - 1) / group);
        for (int i = 1; i < count[d]; i++)
            edges[d][i] = 2 * (at[b->first[d] + (size_t)i * group] - from) / (to - from) - 1;
        edges[d][0] = -1;
        edges[d][count[d]] = 1;
        c->cell.k[d] = 0;
    }
    chebyshev_2d_grid_make(count, (const double *const[2]){edges[0], edges[1]}, &c->cell.grid);
}

/* Raises the degree along the direction whose coefficients fall more slowly; false where it may not. */
static bool raise_degree(chart_cell *cell, const chart_reading *r) {
    int d = r->tails[0] >= r->tails[1] ? 0 : 1;
    if (r->error > ERROR_HOPELESS || cell->k[d] + 1 >= CHEBYSHEV_2D_DEGREES) return false;
    if (cell->k[d] + 2 >= CHEBYSHEV_2D_DEGREES && cell->k[1 - d] + 1 >= CHEBYSHEV_2D_DEGREES) return false;
    cell->k[d]++;
    return true;
}

/* Nodes that a higher degree would add. */
static size_t more_nodes(const chart_cell *cell, const chart_reading *r) {
    int d = r->tails[0] >= r->tails[1] ? 0 : 1;
    return (size_t)(chebyshev_2d_degree(cell->k[d]) * (chebyshev_2d_degree(cell->k[1 - d]) + 1));
}

/* A cell whose error is too large: only parts where the iteration diverges have a verdict; the rest becomes
 * cells. */
static costab_status divide(cover *c, const chebyshev_2d_mask *rest, costab_error *error) {
    chebyshev_2d_rectangle cells;
    chebyshev_2d_mask_bounds(rest, &cells);
    chart_rectangle sub = parcels_of(c, &cells);
    TRY(emit_set(c, &c->reading.diverges, COSTAB_OUTCOME_UNSTABLE, error));
    for (int d = 0; d < 2; d++)
        if ((double)side_of(&sub, d) < SMALLER * (double)side_of(&c->now, d))
            return worth_dividing(c, &sub) ? open_rectangle(c, &sub, error) : COSTAB_OK;
    return split(c, &sub, c->reading.tails, error);
}

/* A cell whose error is small: step 4. */
static costab_status settle(cover *c, chebyshev_2d_mask *rest, costab_error *error) {
    TRY(settle_clear(c, error));
    TRY(emit_set(c, &c->reading.diverges, COSTAB_OUTCOME_UNSTABLE, error));
    return settle_rest(c, rest, error);
}

/* Steps 2 to 4 for one rectangle. */
static costab_status cover_cell(cover *c, const chart_rectangle *b, costab_error *error) {
    chart_cell *cell = &c->cell;
    chart_reading *r = &c->reading;
    lay_cell(c, b);
    for (;;) {
        bool ordinary;
        chebyshev_2d_mask known, rest;
        TRY(chart_cell_take(cell, &ordinary, error));
        if (!ordinary) return split(c, b, (double[2]){(double)side_of(b, 0), (double)side_of(b, 1)}, error);
        costab_outcome verdict = chart_cell_read(cell, r);
        if (verdict != COSTAB_OUTCOME_UNDECIDED) return emit(c, b, verdict, error);
        if (r->neutral) return COSTAB_OK; /* rounding hides a function: no division helps */
        for (int i = 0; i < CHEBYSHEV_2D_CELLS; i++) known.rows[i] = r->clear.rows[i] | r->diverges.rows[i];
        chebyshev_2d_mask_invert(&cell->grid, r->error <= ERROR_MOST ? &known : &r->diverges, &rest);
        bool enough = r->error <= ERROR_MOST && count_parcels(c, rest) < more_nodes(cell, r);
        if (!enough && raise_degree(cell, r)) continue;
        return r->error <= ERROR_MOST ? settle(c, &rest, error) : divide(c, &rest, error);
    }
}

/* ---- All cells ---- */

/* Step 1: the number of first cells along each side. */
static costab_status first_cells(cover *c, int count[2], costab_error *error) {
    double turns[TURNS][TURNS], most[2] = {0, 0};
    sample_ask_turn(c->cache, true);
    for (int i = 0; i < TURNS; i++)
        for (int j = 0; j < TURNS; j++) {
            const sample *p;
            TRY(chart_cell_find(&c->cell, i - 1, j - 1, &p, error));
            turns[i][j] = p->posed ? p->turn : (double)NAN;
        }
    sample_ask_turn(c->cache, false);
    for (int i = 0; i < TURNS; i++)
        for (int j = 0; j + 1 < TURNS; j++) {
            most[0] = fmax(most[0], (TURNS - 1) * fabs(turns[j + 1][i] - turns[j][i]));
            most[1] = fmax(most[1], (TURNS - 1) * fabs(turns[i][j + 1] - turns[i][j]));
        }
    for (int d = 0; d < 2; d++)
        count[d] = (int)fmax(1, fmin(FIRST_MOST, ceil(fmin(most[d] / CROSSING_TURN_MOST, FIRST_MOST))));
    return COSTAB_OK;
}

/* Opens all first cells in a rectangle, cut along direction d and those behind it into parts of equal width.
 */
static costab_status open_cut(cover *c, chart_rectangle b, const int count[2], int d, costab_error *error) {
    if (d == 2) return open_rectangle(c, &b, error);
    const double *edges = c->options->edges[d];
    double from = edges[0], to = edges[c->options->count[d]];
    for (int i = 1; i <= count[d]; i++) {
        chart_rectangle part = b;
        if (i < count[d] && side_of(&b, d) > 1)
            part.end[d] = b.first[d] = edge_near(c, &b, d, from + i * (to - from) / count[d]);
        else
            i = count[d];
        TRY(open_cut(c, part, count, d + 1, error));
    }
    return COSTAB_OK;
}

/* Step 3 of search.c: what is stable only because more eigenvalues were set aside than elsewhere is
 * undecided. */
static void doubt_additional_nullity(cover *c) {
    int least = sample_least_nullity(c->cache);
    for (size_t i = 0; i < c->chart->count; i++) {
        chart_rectangle *r = &c->chart->rectangles[i];
        if (r->verdict == COSTAB_OUTCOME_STABLE && r->nullity > least) r->verdict = COSTAB_OUTCOME_UNDECIDED;
    }
}

costab_status chart_cover(const chart_options *options, chart *covered, costab_error *error) {
    memory_local_array(cover, c, 1, error);
    c->options = options;
    c->chart = covered;
    chebyshev_2d_table_make(&c->table);
    const chart_rectangle whole = {.end = {options->count[0], options->count[1]}};
    const double base[2] = {options->edges[0][0], options->edges[1][0]};
    const sample_options places = {
        .family = options->family, .continuous = options->continuous, .dimensions = 2};
    costab_status status = sample_cache_create(&places, &c->cache, error);
    c->cell = (chart_cell){.cache = c->cache, .table = &c->table, .continuous = options->continuous};
    for (int d = 0; d < 2; d++) {
        c->cell.alike[d] = options->alike[d];
        c->cell.low[d] = base[d];
    }
    lay_cell(c, &whole);
    int count[2] = {1, 1};
    if (!status && !options->continuous) status = first_cells(c, count, error);
    if (!status) status = open_cut(c, whole, count, 0, error);
    while (!status && c->open_first < c->open_count && sample_evaluations(c->cache) < options->evaluations) {
        chart_rectangle next = c->open[c->open_first++];
        status = cover_cell(c, &next, error);
    }
    if (c->cache != NULL) doubt_additional_nullity(c);
    covered->evaluations += c->cache != NULL ? sample_evaluations(c->cache) : 0;
    sample_cache_destroy(c->cache);
    memory_free(c->open);
    return status;
}

void chart_free(chart *covered) {
    memory_free(covered->rectangles);
    *covered = (chart){.count = 0};
}
