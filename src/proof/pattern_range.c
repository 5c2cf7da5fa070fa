/* One quadratic norm for all steps of a range.
 *
 * The norm is looked for over samples. Then the range is covered by boxes: pieces of it, and where a map
 * depends on steps before its own, products of pieces. In a box [a, b] the map differs from the interpolant
 * of its corners, linear in each step, by at most the sum over the steps of (b - a)^2/8 max ||M''||, and the
 * interpolant's norm is at most the largest of those at the corners. M'' is bounded where step_map_exact, and
 * else taken from second differences through the middle, doubled. A place where the bound is larger than at
 * all samples joins them. */
#include "proof/pattern_range.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    EVALUATIONS_MAX = 180000,
    EVALUATIONS_OF_BOXES = 30000,
    DEPTH_MAX = 192,
    ROUNDS_MAX = 12,
    ROUNDS_OF_BOXES = 3
};

/* A box is not divided once the map's bend adds less than these shares of the norm's distance from 1, and
 * of the norm. */
#define BEND_NEAR     0.2
#define BEND_FAR      1e-5
#define BEND_OF_BOXES 1e-3 /* instead, of products of pieces, which are many */

static costab_status make_map(const pattern_range *range, int i, costab_error *error) {
    size_t cells = (size_t)step_map_size(range->maps) * (size_t)step_map_size(range->maps);
    return step_map_at(range->maps, range->samples[i], range->steps, range->matrices + (size_t)i * cells,
                       error);
}

/* Halfway between equal steps and equal factors: the k-th of `count`. */
static double sample_step(double from, double to, int k, int count) {
    double t = count > 1 ? (double)k / (count - 1) : 1;
    if (k + 1 == count) return to;
    return k == 0 ? from : sqrt((from + t * (to - from)) * from * pow(to / from, t));
}

costab_status pattern_range_make(pattern_range *range, step_map *maps, double from, double to, int count,
                                 bool *unbounded, costab_error *error) {
    static const int each_of[RANGE_STEPS_MAX + 1] = {0, 0, 4, 3}; /* of several steps: so many values each */
    size_t cells = (size_t)step_map_size(maps) * (size_t)step_map_size(maps);
    const costab_pattern_options *options = range->options;
    int steps = 1 + step_map_lengths(maps), each = steps > 1 && count > 1 ? each_of[steps] : count;
    for (int k = 1; k < steps && count > 1; k++) count = k == 1 ? each * each : count * each;
    *range = (pattern_range){
        .maps = maps, .from = from, .to = to, .steps = steps, .count = count, .options = options};
    *unbounded = false;
    range->matrices = memory_alloc((size_t)RANGE_SAMPLES_MAX * cells + 1, sizeof(double));
    range->room = memory_alloc(8 * cells + norm_work(step_map_size(maps)), sizeof(double));
    if (!range->matrices || !range->room) return error_memory(error);
    for (int i = 0; i < count; i++)
        for (int k = 0, place = i; k < steps; k++, place /= each)
            range->samples[i][k] = sample_step(from, to, place % each, each);
    costab_status status = COSTAB_OK;
    for (int i = 0; i < count && !status; i++) {
        status = make_map(range, i, error);
        for (size_t e = 0; e < cells && !status; e++)
            if (!isfinite(range->matrices[(size_t)i * cells + e])) *unbounded = true;
    }
    return status;
}

void pattern_range_free(pattern_range *range) {
    memory_free_all(range->matrices, range->room);
    range->matrices = range->room = NULL;
}

/* ---- The cover ---- */

/* Steps between two ends each. */
typedef struct box {
    double a[RANGE_STEPS_MAX], b[RANGE_STEPS_MAX];
} box;

/* What is known of a box. */
typedef struct seen {
    double norm;                  /* the largest at corners and in the middle */
    double growth;                /* the largest there of ln of the norm, per step or second */
    double at[RANGE_STEPS_MAX];   /* where the norm is that */
    double bend[RANGE_STEPS_MAX]; /* what the map may be off its interpolant by, for each of its steps */
} seen;

typedef struct cover {
    pattern_range *range;
    const common_norm *norm;
    bool timed, below_one;
    double worst, at[RANGE_STEPS_MAX]; /* the largest bound in ln per step or second, and where it is */
    int evaluations;
} cover;

/* The map of a step in the norm's coordinates, into `turned`; its norm. */
static costab_status norm_at(cover *c, const double *steps, double *turned, double *norm,
                             costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *map = c->range->room + 3 * cells, *work = c->range->room + 4 * cells;
    costab_status status = step_map_at(c->range->maps, steps, c->range->steps, map, error);
    c->evaluations++;
    if (status) return status;
    common_norm_turn(c->norm, 0, 0, map, turned, work);
    *norm = norm_of(n, turned, work);
    return COSTAB_OK;
}

/* The same at a place of a box, which is noted; the map stays in `turned`. */
static costab_status look(cover *c, const double *steps, double *turned, seen *s, costab_error *error) {
    double norm;
    costab_status status = norm_at(c, steps, turned, &norm, error);
    if (status) return status;
    s->growth = fmax(s->growth, log(norm) / (c->timed ? steps[0] : 1));
    if (norm > s->norm) memcpy(s->at, steps, (size_t)c->range->steps * sizeof *steps);
    s->norm = fmax(s->norm, norm);
    return COSTAB_OK;
}

/* How far the map may be off its interpolant along one of its steps; the maps at both ends and in the middle
 * stand in the room. */
static costab_status bend_of(const cover *c, double from, double to, double *bend, costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *a = c->range->room, *middle = a + cells, *b = middle + cells, width = to - from, second = 0;
    if (step_map_exact(c->range->maps)) {
        costab_status status = step_map_bend(c->range->maps, 0.5 * (from + to), 0.5 * width, c->norm->T,
                                             c->norm->inverse, &second, error);
        *bend = width * width / 8 * second;
        return status;
    }
    double *difference = b + 2 * cells;
    for (size_t e = 0; e < cells; e++) difference[e] = a[e] - 2 * middle[e] + b[e];
    *bend = norm_of(n, difference, difference + cells);
    return COSTAB_OK;
}

/* The middle of a box, the ends of its axes and, where these are not its corners, the corners. */
static costab_status see(cover *c, const box *x, seen *s, costab_error *error) {
    int n = step_map_size(c->range->maps), steps = c->range->steps;
    size_t cells = (size_t)(n * n);
    double *a = c->range->room, *middle = a + cells, *b = middle + cells, at[RANGE_STEPS_MAX];
    *s = (seen){.norm = -1, .growth = -(double)INFINITY};
    for (int k = 0; k < steps; k++) at[k] = 0.5 * (x->a[k] + x->b[k]);
    costab_status status = look(c, at, middle, s, error);
    for (int k = 0; k < steps && !status; k++) {
        double half = at[k];
        at[k] = x->a[k];
        status = look(c, at, a, s, error);
        at[k] = x->b[k];
        if (!status) status = look(c, at, b, s, error);
        at[k] = half;
        if (!status) status = bend_of(c, x->a[k], x->b[k], &s->bend[k], error);
    }
    for (int corner = 0; corner < 1 << steps && steps > 1 && !status; corner++) {
        for (int k = 0; k < steps; k++) at[k] = (corner >> k & 1) != 0 ? x->b[k] : x->a[k];
        status = look(c, at, a, s, error);
    }
    return status;
}

/* The growth that a bound of the norm in a box stands for, per step or second. */
static double growth_in(const cover *c, const box *x, double bound) {
    double growth = log(bound);
    return !c->timed ? growth : growth / (growth > 0 ? x->a[0] : x->b[0]);
}

/* How much a bound may be above what it bounds, in ln: so much more wants another sample. */
static double far_of(const pattern_range *range) {
    return range->steps > 1 ? BEND_OF_BOXES : BEND_FAR;
}

static void take_bound(cover *c, const box *x, const seen *s, double bound) {
    double growth = growth_in(c, x, bound);
    if (!(growth > c->worst)) return;
    c->worst = growth;
    bool between = s->norm * (1 + far_of(c->range)) < bound;
    for (int k = 0; k < c->range->steps; k++) c->at[k] = between ? 0.5 * (x->a[k] + x->b[k]) : s->at[k];
}

/* Whether a box need not be divided: its bound is no larger than the norm at the samples, or not much larger
 * than at its corners. */
static bool is_fine(const cover *c, const box *x, const seen *s, double bend) {
    if (c->below_one) return bend <= BEND_NEAR * fabs(1 - s->norm);
    double length = c->timed ? x->b[0] : 1, bound = growth_in(c, x, s->norm + bend);
    return bound <= c->norm->rate || (bound - s->growth) * length <= far_of(c->range);
}

static bool is_stopped(const cover *c) {
    const costab_pattern_options *options = c->range->options;
    return options != NULL && options->stop != NULL && options->stop(options->stop_context);
}

/* The step along which a box bends most. */
static int most_bent(const cover *c, const seen *s) {
    int most = 0;
    for (int k = 1; k < c->range->steps; k++)
        if (s->bend[k] > s->bend[most]) most = k;
    return most;
}

static costab_status cover_range(cover *c, costab_error *error) {
    box stack[DEPTH_MAX];
    int depth = 1, most = c->range->steps > 1 ? EVALUATIONS_OF_BOXES : EVALUATIONS_MAX;
    for (int k = 0; k < c->range->steps; k++) {
        stack[0].a[k] = c->range->from;
        stack[0].b[k] = c->range->to;
    }
    costab_status status = COSTAB_OK;
    c->worst = -(double)INFINITY;
    for (c->evaluations = 0; depth > 0 && !status;) {
        box x = stack[--depth];
        seen s;
        double bend = 0;
        status = see(c, &x, &s, error);
        if (!status && is_stopped(c)) status = error_set(error, COSTAB_CANCELLED, "the search was stopped");
        if (status) break;
        for (int k = 0; k < c->range->steps; k++) bend += s.bend[k];
        int at = most_bent(c, &s);
        bool last = depth + 2 > DEPTH_MAX || c->evaluations >= most || !isfinite(s.norm) ||
                    x.b[at] - x.a[at] < 1e-9 * x.b[at] || (c->below_one && s.norm >= 1);
        if (is_fine(c, &x, &s, bend) || last)
            take_bound(c, &x, &s, s.norm + bend);
        else {
            double half = 0.5 * (x.a[at] + x.b[at]);
            stack[depth] = stack[depth + 1] = x;
            stack[depth++].a[at] = half;
            stack[depth++].b[at] = half;
        }
        if (c->below_one && c->worst >= 0) break;
    }
    return status;
}

/* ---- The norm ---- */

static costab_status add_sample(pattern_range *range, const double *steps, costab_error *error) {
    memcpy(range->samples[range->count++], steps, (size_t)range->steps * sizeof *steps);
    return make_map(range, range->count - 1, error);
}

costab_status pattern_range_norm(pattern_range *range, bool timed, bool below_one, common_norm *norm,
                                 double *upper, costab_error *error) {
    double lengths[RANGE_SAMPLES_MAX];
    int rounds = range->steps > 1 ? ROUNDS_OF_BOXES : ROUNDS_MAX;
    costab_status status = COSTAB_OK;
    *norm = (common_norm){.n = 0};
    *upper = (double)INFINITY;
    for (int round = 0; round < rounds && !status; round++) {
        for (int i = 0; i < range->count; i++) lengths[i] = range->samples[i][0];
        const costab_sequence_set set = {.count = range->count,
                                         .size = step_map_size(range->maps),
                                         .matrices = range->matrices,
                                         .lengths = timed ? lengths : NULL};
        common_norm next;
        cover c = {.range = range, .norm = &next, .timed = timed, .below_one = below_one};
        status = common_norm_find(&set, &next, error);
        bool hopeless = below_one && next.rate >= 0;
        if (!status && !hopeless) status = cover_range(&c, error);
        bool better = !status && !hopeless && (norm->T == NULL || c.worst < *upper);
        double above = (c.worst - next.rate) * (timed ? c.at[0] : 1);
        common_norm_free(better ? norm : &next);
        if (better) {
            *norm = next;
            *upper = c.worst;
        }
        if (status || hopeless || !(above > far_of(range)) || range->count == RANGE_SAMPLES_MAX ||
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

static costab_status make_letter(cover *c, letter *l, costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *a = c->range->room, *middle = a + cells, *b = middle + cells, *difference = b + 2 * cells, bend,
           unused, half = 0.5 * (l->a + l->b);
    costab_status status = norm_at(c, &l->a, a, &unused, error);
    if (!status) status = norm_at(c, &l->b, b, &unused, error);
    if (!status) status = norm_at(c, &half, middle, &l->norm, error);
    if (!status) status = bend_of(c, l->a, l->b, &bend, error);
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
static costab_status make_letters(cover *c, letter *letters, int *count, costab_error *error) {
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
