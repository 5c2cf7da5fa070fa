/* One quadratic norm for all steps of a range.
 *
 * The norm is looked for over samples. Then the range is covered by pieces. On a piece [a, b] the map differs
 * from its chord by at most (b - a)^2/8 max ||M''||, and the chord's norm is at most the larger of those at
 * its ends. M'' is bounded where step_map_exact, and else taken from second differences, doubled. A place
 * where the bound is larger than at all samples joins them. */
#include "proof/pattern_range.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { PIECES_MAX = 60000, DEPTH_MAX = 64, ROUNDS_MAX = 12 };

/* A piece is not divided once the map's bend adds less than these shares of the norm's distance from 1, and
 * of the norm. */
#define BEND_NEAR 0.2
#define BEND_FAR  1e-5
/* A bound so much above that of the samples wants another sample, in ln. */
#define ABOVE 1e-5

static costab_status make_map(const pattern_range *range, int i, costab_error *error) {
    size_t cells = (size_t)step_map_size(range->maps) * (size_t)step_map_size(range->maps);
    return step_map_at(range->maps, &range->samples[i], 1, range->matrices + (size_t)i * cells, error);
}

costab_status pattern_range_make(pattern_range *range, step_map *maps, double from, double to, int count,
                                 bool *unbounded, costab_error *error) {
    size_t cells = (size_t)step_map_size(maps) * (size_t)step_map_size(maps);
    const costab_pattern_options *options = range->options;
    *range = (pattern_range){.maps = maps, .from = from, .to = to, .count = count, .options = options};
    *unbounded = false;
    range->matrices = memory_alloc((size_t)RANGE_SAMPLES_MAX * cells + 1, sizeof(double));
    range->room = memory_alloc(8 * cells + norm_work(step_map_size(maps)), sizeof(double));
    if (!range->matrices || !range->room) return error_memory(error);
    /* Halfway between equal steps and equal factors. */
    for (int i = 0; i < count; i++) {
        double t = count > 1 ? (double)i / (count - 1) : 1;
        range->samples[i] = i + 1 == count ? to
                            : i == 0       ? from
                                           : sqrt((from + t * (to - from)) * from * pow(to / from, t));
    }
    costab_status status = COSTAB_OK;
    for (int i = 0; i < count && !status; i++) {
        status = make_map(range, i, error);
        for (size_t e = 0; e < cells && !status; e++)
            if (!isfinite(range->matrices[(size_t)i * cells + e])) *unbounded = true;
    }
    return status;
}

void pattern_range_free(pattern_range *range) {
    memory_free(range->matrices);
    memory_free(range->room);
    range->matrices = range->room = NULL;
}

/* ---- The cover ---- */

typedef struct piece {
    double a, b, norm_a, norm_b;
} piece;

typedef struct cover {
    pattern_range *range;
    const common_norm *norm;
    bool timed, below_one;
    double worst, at; /* the largest bound in ln per step or second, and the middle of its piece */
    int pieces;
} cover;

/* The map of a step in the norm's coordinates, into `turned`; its norm. */
static costab_status norm_at(const cover *c, double step, double *turned, double *norm, costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *map = c->range->room + 3 * cells, *work = c->range->room + 4 * cells;
    costab_status status = step_map_at(c->range->maps, &step, 1, map, error);
    if (status) return status;
    common_norm_turn(c->norm, 0, 0, map, turned, work);
    *norm = norm_of(n, turned, work);
    return COSTAB_OK;
}

/* How far the map may be off its chord on a piece; the maps at its ends and its middle stand in the room. */
static costab_status bend_of(const cover *c, const piece *p, double *bend, costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *a = c->range->room, *middle = a + cells, *b = middle + cells, width = p->b - p->a, second = 0;
    if (step_map_exact(c->range->maps)) {
        costab_status status = step_map_bend(c->range->maps, 0.5 * (p->a + p->b), 0.5 * width, c->norm->T,
                                             c->norm->inverse, &second, error);
        *bend = width * width / 8 * second;
        return status;
    }
    double *difference = b + 2 * cells;
    for (size_t e = 0; e < cells; e++) difference[e] = a[e] - 2 * middle[e] + b[e];
    *bend = norm_of(n, difference, difference + cells);
    return COSTAB_OK;
}

/* The growth that a bound of the norm on a piece stands for, per step or second. */
static double growth_on(const cover *c, const piece *p, double bound) {
    double growth = log(bound);
    return !c->timed ? growth : growth / (growth > 0 ? p->a : p->b);
}

static void take_bound(cover *c, const piece *p, double bound) {
    double growth = growth_on(c, p, bound);
    if (!(growth > c->worst)) return;
    c->worst = growth;
    c->at = p->norm_a > p->norm_b ? p->a : p->b;
    if (fmax(p->norm_a, p->norm_b) * (1 + BEND_FAR) < bound) c->at = 0.5 * (p->a + p->b);
}

/* Whether a piece need not be divided: its bound is no larger than the norm at the samples, or not much
 * larger than at its ends. */
static bool is_fine(const cover *c, const piece *p, double ends, double bend) {
    if (c->below_one) return bend <= BEND_NEAR * fabs(1 - ends);
    double length = c->timed ? p->b : 1, bound = growth_on(c, p, ends + bend);
    double at_ends = fmax(log(p->norm_a) / (c->timed ? p->a : 1), log(p->norm_b) / length);
    return bound <= c->norm->rate || (bound - at_ends) * length <= BEND_FAR;
}

static costab_status cover_range(cover *c, costab_error *error) {
    piece stack[DEPTH_MAX];
    int depth = 1, n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *a = c->range->room, *middle = a + cells, *b = middle + cells, norm;
    stack[0] = (piece){.a = c->range->from, .b = c->range->to};
    costab_status status = norm_at(c, stack[0].a, a, &stack[0].norm_a, error);
    if (!status) status = norm_at(c, stack[0].b, b, &stack[0].norm_b, error);
    c->worst = -(double)INFINITY;
    for (c->pieces = 0; depth > 0 && !status; c->pieces++) {
        piece p = stack[--depth];
        double bend = 0, ends = fmax(p.norm_a, p.norm_b), half = 0.5 * (p.a + p.b), unused;
        status = norm_at(c, p.a, a, &unused, error);
        if (!status) status = norm_at(c, p.b, b, &unused, error);
        if (!status) status = norm_at(c, half, middle, &norm, error);
        if (!status) status = bend_of(c, &p, &bend, error);
        if (!status && c->range->options != NULL && c->range->options->stop != NULL &&
            c->range->options->stop(c->range->options->stop_context))
            status = error_set(error, COSTAB_CANCELLED, "the search was stopped");
        if (status) break;
        ends = fmax(ends, norm);
        bool fine = is_fine(c, &p, ends, bend);
        bool last =
            depth + 2 > DEPTH_MAX || c->pieces >= PIECES_MAX || !isfinite(ends) || p.b - p.a < 1e-9 * p.b;
        if (c->below_one && ends >= 1) last = true;
        if (fine || last)
            take_bound(c, &p, ends + bend);
        else {
            stack[depth++] = (piece){half, p.b, norm, p.norm_b};
            stack[depth++] = (piece){p.a, half, p.norm_a, norm};
        }
        if (c->below_one && c->worst >= 0) break;
    }
    return status;
}

/* ---- The norm ---- */

static costab_status add_sample(pattern_range *range, double step, costab_error *error) {
    range->samples[range->count++] = step;
    return make_map(range, range->count - 1, error);
}

costab_status pattern_range_norm(pattern_range *range, bool timed, bool below_one, common_norm *norm,
                                 double *upper, costab_error *error) {
    double ones[RANGE_SAMPLES_MAX];
    costab_status status = COSTAB_OK;
    *norm = (common_norm){.n = 0};
    *upper = (double)INFINITY;
    for (int i = 0; i < RANGE_SAMPLES_MAX; i++) ones[i] = 1;
    for (int round = 0; round < ROUNDS_MAX && !status; round++) {
        matrix_set set = {
            range->count, step_map_size(range->maps), range->matrices, timed ? range->samples : ones, 0, NULL,
            NULL};
        common_norm next;
        cover c = {.range = range, .norm = &next, .timed = timed, .below_one = below_one};
        status = common_norm_find(&set, &next, error);
        bool hopeless = below_one && next.rate >= 0;
        if (!status && !hopeless) status = cover_range(&c, error);
        bool better = !status && !hopeless && (norm->T == NULL || c.worst < *upper);
        double above = (c.worst - next.rate) * (timed ? c.at : 1);
        common_norm_free(better ? norm : &next);
        if (better) {
            *norm = next;
            *upper = c.worst;
        }
        if (status || hopeless || !(above > ABOVE) || range->count == RANGE_SAMPLES_MAX ||
            (below_one && c.worst < 0))
            break;
        status = add_sample(range, c.at, error);
    }
    return status;
}

/* ---- Products ---- */

enum { SPREAD_MAX = 240, PRODUCTS = 300000 };

/* A piece as a letter: its middle's map, and how far the others are from it. */
typedef struct letter {
    double a, b, radius, norm;
} letter;

static costab_status make_letter(const cover *c, letter *l, costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *a = c->range->room, *middle = a + cells, *b = middle + cells, *difference = b + 2 * cells, bend,
           unused;
    piece p = {.a = l->a, .b = l->b};
    costab_status status = norm_at(c, l->a, a, &unused, error);
    if (!status) status = norm_at(c, l->b, b, &unused, error);
    if (!status) status = norm_at(c, 0.5 * (l->a + l->b), middle, &l->norm, error);
    if (!status) status = bend_of(c, &p, &bend, error);
    l->radius = 0;
    for (int side = 0; side < 2 && !status; side++) {
        for (size_t e = 0; e < cells; e++) difference[e] = (side == 0 ? a : b)[e] - middle[e];
        l->radius = fmax(l->radius, norm_of(n, difference, difference + cells));
    }
    l->radius += bend;
    return status;
}

/* How much the bounds of products suffer from a letter's radius. */
static double harm(const cover *c, const letter *l) {
    return l->norm * l->radius / (c->timed ? l->a : 1);
}

/* Pieces of the range, those divided that harm most. */
static costab_status make_letters(const cover *c, letter *letters, int *count, costab_error *error) {
    letters[0] = (letter){.a = c->range->from, .b = c->range->to};
    costab_status status = make_letter(c, &letters[0], error);
    for (*count = 1; *count < SPREAD_MAX && !status; ++*count) {
        int most = 0;
        for (int i = 1; i < *count; i++)
            if (harm(c, &letters[i]) > harm(c, &letters[most])) most = i;
        double middle = 0.5 * (letters[most].a + letters[most].b);
        letters[*count] = (letter){.a = middle, .b = letters[most].b};
        letters[most].b = middle;
        status = make_letter(c, &letters[most], error);
        if (!status) status = make_letter(c, &letters[*count], error);
    }
    return status;
}

costab_status pattern_range_products(pattern_range *range, bool timed, const common_norm *norm, double lower,
                                     double *upper, costab_error *error) {
    int n = step_map_size(range->maps), count = 0;
    size_t cells = (size_t)(n * n);
    letter letters[SPREAD_MAX];
    double shortest[SPREAD_MAX], longest[SPREAD_MAX], radii[SPREAD_MAX];
    cover c = {.range = range, .norm = norm, .timed = timed};
    double *matrices = memory_alloc((size_t)SPREAD_MAX * cells + 1, sizeof *matrices);
    costab_status status = matrices != NULL ? make_letters(&c, letters, &count, error) : error_memory(error);
    for (int i = 0; i < count && !status; i++) {
        shortest[i] = letters[i].a;
        longest[i] = letters[i].b;
        radii[i] = letters[i].radius;
        double middle = 0.5 * (letters[i].a + letters[i].b);
        status = step_map_at(range->maps, &middle, 1, matrices + (size_t)i * cells, error);
    }
    costab_sequence_set set = {count, n, matrices, timed ? shortest : NULL, 0, NULL, NULL};
    sequence_spread spread = {radii, longest};
    costab_sequences_options options = {.gap = 2e-3 / (timed ? range->to : 1), .products = PRODUCTS};
    costab_sequences found = {.length = 0};
    if (!status) status = sequences_bound_in(&set, &spread, lower, norm, &options, &found, error);
    if (!status) *upper = fmin(*upper, found.upper);
    costab_sequences_free(&found);
    memory_free(matrices);
    return status;
}
