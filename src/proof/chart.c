/* Covering a rectangle with cells on which the crossing functions, interpolated at products of Chebyshev
 * points, have no zero. A cell that is not resolved is halved in the direction whose coefficients fall more
 * slowly: a macro step makes functions oscillate, gains and stiffnesses hardly do. On one that is resolved,
 * sub-cells are told apart: a clear component takes one eigenvalue problem, and the boxes around the others
 * become cells again. */
#include "proof/chart.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/place.h"
#include "proof/plane.h"

/* A cell is divided where an interpolant's error is larger than this of its largest value, */
#define ERROR_MOST 0.02
/* or where less than this share of it is clear; */
#define CLEAR_LEAST 0.5
/* more nodes are taken where less than this is. */
#define CLEAR_ENOUGH 0.9
/* Boxes of sub-cells that are not clear are cells again while they are so many times the finest. */
#define AGAIN 16

/* A box of fewer sub-cells along a side than this is smaller than the cell; a larger one is halved. */
enum { SMALLER = 3 * PLANE_CELLS / 4 };

enum { POWERS = 8, RADII = 2 };
static const int powers[POWERS] = {1, 2, 3, 4, 6, 8, 12, 16};
static const double shares[RADII] = {0.2, 0.75};

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
    const place *nodes[PLANE_NODES];
    crossing_value values[CROSSING_FUNCTIONS][PLANE_NODES];
    int degree_number, nodes_count;
} cover;

/* What the nodes say of a matrix. */
typedef struct reading {
    plane_mask clear;
    double error, tails[2]; /* the largest error; tails along both directions where it is that */
    bool neutral;
} reading;

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

static double place_along(const box *b, int d, double x) {
    return x <= -1 ? b->from[d] : x >= 1 ? b->to[d] : b->from[d] + (b->to[d] - b->from[d]) * (x + 1) / 2;
}

/* ---- Nodes ---- */

/* Evaluates the nodes of the degree at hand. *posed: the model is well-posed and its numbers do not overflow
 * at all. */
static costab_status take_nodes(cover *c, const box *b, int k, bool *posed, costab_error *error) {
    int side = plane_degree(k) + 1;
    c->degree_number = k;
    c->nodes_count = side * side;
    *posed = true;
    for (int n = 0; n < c->nodes_count; n++) {
        const double at[2] = {place_along(b, 0, c->table.points[k][n / side]),
                              place_along(b, 1, c->table.points[k][n % side])};
        costab_status status = place_find(c->book, at, &c->nodes[n], error);
        if (status) return status;
        const place *p = c->nodes[n];
        *posed = *posed && p->posed;
        for (int s = 0; s < PLACE_SPECTRA && p->posed; s++) *posed = *posed && !p->spectra[s].overflow;
    }
    return COSTAB_OK;
}

/* The fewest and the most eigenvalues beyond the circle (line) at any node. */
static void count_beyond(const cover *c, int which, double r, int *fewest, int *most) {
    *fewest = *most = 0;
    for (int n = 0; n < c->nodes_count; n++) {
        int count = crossing_beyond(&c->nodes[n]->spectra[which], r);
        if (n == 0 || count < *fewest) *fewest = count;
        if (n == 0 || count > *most) *most = count;
    }
}

/* One function at all nodes into the reading. */
static void read_function(cover *c, const crossing_value *values, reading *r) {
    double scaled[PLANE_NODES], coefficients[PLANE_NODES], noise = 0, tails[2];
    bool neutral = !crossing_scale(values, 1, c->nodes_count, scaled, &noise);
    r->neutral = r->neutral || neutral;
    if (neutral) return;
    plane_coefficients(&c->table, c->degree_number, scaled, coefficients);
    double error = plane_error(c->degree_number, coefficients, tails) + noise + 16 * DBL_EPSILON;
    plane_clear(&c->table, c->degree_number, coefficients, error, &r->clear);
    if (error < r->error) return;
    r->error = error;
    memcpy(r->tails, tails, sizeof tails);
}

/* The functions of the map (PLACE_MAP) or of the guesses at radius (line) r. */
static reading read_matrix(cover *c, int which, double r) {
    reading found = {.error = 0};
    plane_mask_fill(&found.clear);
    crossing_kind kind = which == PLACE_MAP ? c->nodes[0]->kind : CROSSING_CIRCLE;
    double level = kind == CROSSING_LINE ? 0 : 1;
    for (int n = 0; n < c->nodes_count; n++) {
        crossing_value at[CROSSING_FUNCTIONS];
        if (which == PLACE_MAP && r != level)
            place_functions(c->nodes[n], kind, r, at);
        else if (r == level)
            memcpy(at, c->nodes[n]->functions[which], sizeof at);
        else
            crossing_values(kind, &c->nodes[n]->spectra[which], r, at);
        for (int f = 0; f < crossing_count(kind); f++) c->values[f][n] = at[f];
    }
    for (int f = 0; f < crossing_count(kind); f++) read_function(c, c->values[f], &found);
    return found;
}

static bool all_clear(const reading *r) {
    return !r->neutral && plane_mask_count(&r->clear) == PLANE_CELLS * PLANE_CELLS;
}

/* ---- Unstable everywhere ---- */

/* A radius beyond which the same eigenvalues are at all nodes: of the widest gap between moduli (between real
 * parts, for the line). */
static int gap_radii(const cover *c, int which, double radii[RADII]) {
    bool line = c->options->continuous;
    double limit = line ? 0 : 1, best = 0, high = 0, low = 0;
    int n = c->nodes[0]->spectra[which].n;
    for (int m = 0; m < n; m++) {
        double hi = (double)INFINITY, lo = limit;
        for (int k = 0; k < c->nodes_count; k++) {
            const double *ranks = c->nodes[k]->spectra[which].ranks;
            hi = fmin(hi, ranks[m]);
            if (m + 1 < n) lo = fmax(lo, ranks[m + 1]);
        }
        double gap = line ? hi - lo : log(hi / lo);
        if (hi > limit && gap > best) best = gap, high = hi, low = lo;
    }
    if (!(best > 1e-12) || !isfinite(high)) return 0;
    for (int i = 0; i < RADII; i++)
        radii[i] = line ? low + shares[i] * (high - low) : low * pow(high / low, shares[i]);
    return RADII;
}

static bool unstable_by_trace(cover *c, int which) {
    int n = c->nodes[0]->spectra[which].n;
    if (c->options->continuous) return false;
    for (int i = 0; i < POWERS; i++) {
        bool large = true;
        for (int k = 0; k < c->nodes_count && large; k++) {
            double trace = crossing_trace(&c->nodes[k]->spectra[which], powers[i]), share = fabs(trace) / n;
            large = share > 1 && share < 1e280;
            c->values[0][k] = (crossing_value){.mantissa = trace, .noise = n * DBL_EPSILON};
        }
        if (!large) continue;
        /* |trace| > n where the interpolant is further from 0 than n and its error */
        double scaled[PLANE_NODES], coefficients[PLANE_NODES], noise, tails[2];
        if (!crossing_scale(c->values[0], 1, c->nodes_count, scaled, &noise)) continue;
        double scale = scaled[0] / c->values[0][0].mantissa;
        plane_coefficients(&c->table, c->degree_number, scaled, coefficients);
        plane_mask mask;
        plane_mask_fill(&mask);
        plane_clear(&c->table, c->degree_number, coefficients,
                    plane_error(c->degree_number, coefficients, tails) + noise +
                        n * fabs(scale) * (1 + 1e-12),
                    &mask);
        if (plane_mask_count(&mask) == PLANE_CELLS * PLANE_CELLS) return true;
    }
    return false;
}

static bool unstable_everywhere(cover *c, int which) {
    double limit = c->options->continuous ? 0 : 1, radii[RADII];
    int fewest, most;
    if (c->nodes[0]->spectra[which].n == 0) return false;
    count_beyond(c, which, limit, &fewest, &most);
    if (fewest == 0) return false;
    for (int i = 0, count = gap_radii(c, which, radii); i < count; i++) {
        reading r = read_matrix(c, which, radii[i]);
        if (all_clear(&r)) return true;
    }
    return unstable_by_trace(c, which);
}

/* ---- One cell ---- */

static bool may_split(const cover *c, const box *b, int d) {
    return b->to[d] - b->from[d] > 2 * c->options->finest[d];
}

static double middle_of(const box *b, int d) {
    double from = b->from[d], to = b->to[d];
    return from > 0 && to > 4 * from ? sqrt(from) * sqrt(to) : from + (to - from) / 2;
}

/* Halves a cell, in the direction of the larger tail where it may be; false where it is as narrow as cells
 * get. */
static bool split(cover *c, const box *b, const double tails[2], costab_status *status, costab_error *error) {
    int d = tails[0] >= tails[1] ? 0 : 1;
    if (!may_split(c, b, d)) d = 1 - d;
    if (!may_split(c, b, d)) return false;
    box low = *b, high = *b;
    low.to[d] = high.from[d] = middle_of(b, d);
    *status = open_box(c, &high, error);
    if (!*status) *status = open_box(c, &low, error);
    return true;
}

/* The verdict at the middle of a sub-cell; COSTAB_OUTCOME_NEUTRAL where rounding might turn it. */
static costab_status verdict_at(cover *c, const box *b, int i, int j, costab_outcome *verdict,
                                costab_error *error) {
    const double at[2] = {place_along(b, 0, plane_center(i)), place_along(b, 1, plane_center(j))};
    const place *p;
    costab_status status = place_find(c->book, at, &p, error);
    if (!status) *verdict = place_outcome(p);
    return status;
}

static box sub_box(const box *b, const plane_run *run) {
    box sub;
    for (int d = 0; d < 2; d++) {
        sub.from[d] = place_along(b, d, plane_edge(run->from[d]));
        sub.to[d] = place_along(b, d, plane_edge(run->to[d]));
    }
    return sub;
}

/* Gives every clear component its verdict, as rectangles, and opens the boxes around the rest. */
static costab_status settle(cover *c, const box *b, plane_mask *clear, costab_error *error) {
    plane_mask rest, component;
    plane_run run;
    int seed[2];
    plane_mask_invert(clear, &rest);
    while (plane_mask_component(clear, &component, seed)) {
        costab_outcome verdict = COSTAB_OUTCOME_NEUTRAL;
        costab_status status = verdict_at(c, b, seed[0], seed[1], &verdict, error);
        bool sure = verdict == COSTAB_OUTCOME_STABLE || verdict == COSTAB_OUTCOME_UNSTABLE;
        while (!status && sure && plane_mask_rectangle(&component, &run)) {
            box sub = sub_box(b, &run);
            status = emit(c, &sub, verdict, error);
        }
        if (status) return status;
    }
    for (int d = 0; d < 2; d++)
        if (!(b->to[d] - b->from[d] > AGAIN * c->options->finest[d])) return COSTAB_OK;
    costab_status status = COSTAB_OK;
    while (plane_mask_component(&rest, &component, seed) && !status) {
        plane_mask_bounds(&component, &run);
        box sub = sub_box(b, &run);
        double wide[2];
        bool smaller = false;
        for (int d = 0; d < 2; d++) {
            wide[d] = (sub.to[d] - sub.from[d]) / c->options->finest[d];
            smaller = smaller || run.to[d] - run.from[d] <= SMALLER;
        }
        if (smaller || !split(c, &sub, wide, &status, error)) status = open_box(c, &sub, error);
    }
    return status;
}

/* What the nodes at hand decide of the whole cell; COSTAB_OUTCOME_UNDECIDED: nothing. *map and *guesses: what
 * was read. */
static costab_outcome whole_verdict(cover *c, reading *map, reading *guesses) {
    double limit = c->options->continuous ? 0 : 1;
    int fewest = 0, most = 0, guesses_fewest = 0, guesses_most = 0;
    bool iterates = c->nodes[0]->spectra[PLACE_GUESSES].n > 0;
    plane_mask_fill(&guesses->clear);
    if (iterates) {
        *guesses = read_matrix(c, PLACE_GUESSES, limit);
        count_beyond(c, PLACE_GUESSES, limit, &guesses_fewest, &guesses_most);
        if ((all_clear(guesses) && guesses_fewest == guesses_most && guesses_most > 0) ||
            unstable_everywhere(c, PLACE_GUESSES))
            return COSTAB_OUTCOME_UNSTABLE;
    }
    *map = read_matrix(c, PLACE_MAP, limit);
    count_beyond(c, PLACE_MAP, limit, &fewest, &most);
    if ((all_clear(map) && fewest == most && most > 0) || unstable_everywhere(c, PLACE_MAP))
        return COSTAB_OUTCOME_UNSTABLE;
    bool stable = all_clear(map) && most == 0 && guesses_most == 0 && (!iterates || all_clear(guesses));
    return stable ? COSTAB_OUTCOME_STABLE : COSTAB_OUTCOME_UNDECIDED;
}

static costab_status cover_cell(cover *c, const box *b, costab_error *error) {
    reading map = {.error = 0}, guesses = {.error = 0};
    static const double equal[2] = {1, 1};
    plane_mask clear;
    double share = 0, worst = 1;
    const double *tails = equal;
    costab_status status = COSTAB_OK;
    for (int k = 0; k < PLANE_DEGREES; k++) {
        bool posed;
        status = take_nodes(c, b, k, &posed, error);
        if (status) return status;
        if (!posed) {
            worst = 1;
            break;
        }
        map = guesses = (reading){.error = 0};
        costab_outcome verdict = whole_verdict(c, &map, &guesses);
        if (verdict != COSTAB_OUTCOME_UNDECIDED) return emit(c, b, verdict, error);
        if (map.neutral || guesses.neutral)
            return COSTAB_OK; /* rounding hides a function: no division helps */
        plane_mask_meet(&map.clear, &guesses.clear, &clear);
        share = plane_mask_count(&clear) / (double)(PLANE_CELLS * PLANE_CELLS);
        worst = fmax(map.error, guesses.error);
        tails = map.error >= guesses.error ? map.tails : guesses.tails;
        if (worst <= ERROR_MOST && share >= CLEAR_ENOUGH) break;
        if (worst > 1 && k > 0) break; /* far from resolved */
    }
    if ((worst > ERROR_MOST || share < CLEAR_LEAST) && split(c, b, tails, &status, error)) return status;
    if (worst > ERROR_MOST) return COSTAB_OK;
    return settle(c, b, &clear, error);
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
    box whole = {.from = {options->from[0], options->from[1]}, .to = {options->to[0], options->to[1]}};
    costab_status status = place_book_create(&places, &c->book, error);
    if (!status) status = open_box(c, &whole, error);
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
