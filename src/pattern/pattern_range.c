/* Upper bounds of the growth of all sequences of steps from a range, by one quadratic norm ||T x||
 * (docs/explanation/algorithms.md, Sequences of steps).
 * 1. Norm: T is the common norm (common_norm.h) of the maps at some samples of the range.
 * 2. Boxes cover the range: intervals [a, b], or products of intervals if a map also depends on previous
 *    steps. In a box the map differs from the multilinear interpolant of its corners by at most the sum over
 *    the steps of (b - a)^2/8 max ||M''||, the deviation. The interpolant's norm is at most the largest
 *    corner norm.
 * 3. Deviation: max ||M''|| is bounded if step_map_exact, and otherwise estimated as twice the second
 *    difference quotient in the middle of the box: the deviation is then ||M(a) - 2 M(middle) + M(b)||.
 * 4. Cover: a box is halved along the step with the largest deviation until the deviation is small enough.
 *    The largest bound of any box is the upper bound.
 * 5. Repetition: if that bound exceeds the value at all samples, its position becomes a sample and the norm
 *    is recomputed, for at most 12 norms in all (3 for boxes of several steps).
 * Products, if maps depend on their own step alone:
 * 6. The range is divided into 240 intervals. Each is a letter with the map of its middle and a radius that
 *    contains the maps of all its steps. sequences.h bounds the words of these letters.
 * Cost: up to 180,000 maps per cover, 30,000 for boxes of several steps. Limitation: the deviation may be an
 * estimate; rounding is not bounded. */
#include "pattern/pattern_range.h"

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

/* End of the division of boxes. To decide if the norm is below 1, the deviation may be DEVIATION_NEAR of the
 * norm's distance from 1. Otherwise the bound may exceed the growth at the corners by TOLERANCE (in ln), or
 * by TOLERANCE_OF_BOXES for the more numerous products of intervals. */
#define DEVIATION_NEAR     0.2
#define TOLERANCE          1e-5
#define TOLERANCE_OF_BOXES 1e-3

static costab_status make_map(const pattern_range *range, int i, costab_error *error) {
    size_t cells = (size_t)step_map_size(range->maps) * (size_t)step_map_size(range->maps);
    return step_map_at(range->maps, range->samples[i], range->steps, range->matrices + (size_t)i * cells,
                       error);
}

/* Returns the k-th of `count` samples: the geometric mean of linear and logarithmic spacing. */
static double sample_step(double from, double to, int k, int count) {
    double t = count > 1 ? (double)k / (count - 1) : 1;
    if (k + 1 == count) return to;
    return k == 0 ? from : sqrt((from + t * (to - from)) * from * pow(to / from, t));
}

costab_status pattern_range_make(pattern_range *range, step_map *maps, double from, double to, int count,
                                 bool *unbounded, costab_error *error) {
    /* Values of each step, for maps of several steps: their samples are all each^steps combinations. */
    static const int each_of[RANGE_STEPS_MAX + 1] = {0, 0, 4, 3};
    size_t cells = (size_t)step_map_size(maps) * (size_t)step_map_size(maps);
    const costab_pattern_options *options = range->options;
    int steps = 1 + step_map_former_steps(maps), each = steps > 1 && count > 1 ? each_of[steps] : count;
    for (int k = 1; k < steps && count > 1; k++) count = k == 1 ? each * each : count * each;
    *range = (pattern_range){
        .maps = maps, .from = from, .to = to, .steps = steps, .count = count, .options = options};
    *unbounded = false;
    range->matrices = memory_alloc((size_t)RANGE_SAMPLES_MAX * cells + 1, sizeof(double));
    range->workspace = memory_alloc(8 * cells + norm_work(step_map_size(maps)), sizeof(double));
    if (!range->matrices || !range->workspace) return error_memory(error);
    for (int i = 0; i < count; i++)
        for (int k = 0, place = i; k < steps; k++, place /= each)
            range->samples[i][k] = sample_step(from, to, place % each, each);
    for (int i = 0; i < count; i++) {
        TRY(make_map(range, i, error));
        for (size_t e = 0; e < cells; e++)
            if (!isfinite(range->matrices[(size_t)i * cells + e])) *unbounded = true;
    }
    return COSTAB_OK;
}

void pattern_range_free(pattern_range *range) {
    memory_free_all(range->matrices, range->workspace);
    range->matrices = range->workspace = NULL;
}

/* ---- The cover ---- */

/* One interval per step with an effect on the map: its own step first, then the previous ones. */
typedef struct box {
    double a[RANGE_STEPS_MAX], b[RANGE_STEPS_MAX];
} box;

/* The map of a box at its middle, at the ends of the lines through it, and at its corners, in the coordinates
 * of the norm. */
typedef struct box_values {
    double norm;                       /* largest norm there */
    double growth;                     /* largest ln of the norm, per step or second */
    double at[RANGE_STEPS_MAX];        /* position of the largest norm */
    double deviation[RANGE_STEPS_MAX]; /* deviation along each step */
} box_values;

typedef struct cover {
    pattern_range *range;
    const common_norm *norm;
    bool timed, below_one;
    double worst, at[RANGE_STEPS_MAX]; /* largest bound, in ln per step or second, and its position */
    int evaluations;
} cover;

/* Matrices in range->workspace: the maps at the ends a and b of a line and at its middle, in the coordinates
 * of the norm; the map in its own; and space for further ones. */
enum { MAP_A, MAP_MIDDLE, MAP_B, MAP_OWN, SPACE };

static double *matrix_in(const pattern_range *range, int which) {
    const size_t n = (size_t)step_map_size(range->maps);
    return range->workspace + (size_t)which * n * n;
}

/* Computes the map in the coordinates of the norm. [out] turned: the map; *norm: its norm. */
static costab_status norm_at(cover *c, const double *steps, double *turned, double *norm,
                             costab_error *error) {
    int n = step_map_size(c->range->maps);
    double *map = matrix_in(c->range, MAP_OWN), *work = matrix_in(c->range, SPACE);
    TRY(step_map_at(c->range->maps, steps, c->range->steps, map, error));
    c->evaluations++;
    common_norm_transform(c->norm, 0, 0, map, turned, work);
    *norm = norm_of(n, turned, work);
    return COSTAB_OK;
}

/* Evaluates a point of a box and updates the values of the box. */
static costab_status add_place(cover *c, const double *steps, double *turned, box_values *s,
                               costab_error *error) {
    double norm;
    TRY(norm_at(c, steps, turned, &norm, error));
    s->growth = fmax(s->growth, log(norm) / (c->timed ? steps[0] : 1));
    if (norm > s->norm) memcpy(s->at, steps, (size_t)c->range->steps * sizeof *steps);
    s->norm = fmax(s->norm, norm);
    return COSTAB_OK;
}

/* Computes the deviation along one step from the maps MAP_A, MAP_MIDDLE and MAP_B. */
static costab_status deviation_of(const cover *c, double from, double to, double *deviation,
                                  costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    const double *a = matrix_in(c->range, MAP_A), *middle = matrix_in(c->range, MAP_MIDDLE),
                 *b = matrix_in(c->range, MAP_B);
    double *difference = matrix_in(c->range, SPACE), width = to - from, second = 0;
    if (step_map_exact(c->range->maps)) {
        costab_status status = step_map_second_derivative(c->range->maps, 0.5 * (from + to), 0.5 * width,
                                                          c->norm->T, c->norm->inverse, &second, error);
        *deviation = width * width / 8 * second;
        return status;
    }
    for (size_t e = 0; e < cells; e++) difference[e] = a[e] - 2 * middle[e] + b[e];
    *deviation = norm_of(n, difference, difference + cells);
    return COSTAB_OK;
}

/* Evaluates the middle of a box and the ends of the lines through it along each step. With several steps,
 * evaluates the corners as well. */
static costab_status evaluate_box(cover *c, const box *x, box_values *s, costab_error *error) {
    int steps = c->range->steps;
    double *a = matrix_in(c->range, MAP_A), *b = matrix_in(c->range, MAP_B), at[RANGE_STEPS_MAX];
    *s = (box_values){.norm = -1, .growth = -(double)INFINITY};
    for (int k = 0; k < steps; k++) at[k] = 0.5 * (x->a[k] + x->b[k]);
    TRY(add_place(c, at, matrix_in(c->range, MAP_MIDDLE), s, error));
    for (int k = 0; k < steps; k++) {
        const double middle = at[k];
        at[k] = x->a[k];
        TRY(add_place(c, at, a, s, error));
        at[k] = x->b[k];
        TRY(add_place(c, at, b, s, error));
        at[k] = middle;
        TRY(deviation_of(c, x->a[k], x->b[k], &s->deviation[k], error));
    }
    for (int corner = 0; corner < 1 << steps && steps > 1; corner++) {
        for (int k = 0; k < steps; k++) at[k] = (corner >> k & 1) != 0 ? x->b[k] : x->a[k];
        TRY(add_place(c, at, a, s, error));
    }
    return COSTAB_OK;
}

/* Converts a bound of the norm in a box to a growth per step or per second. */
static double growth_in(const cover *c, const box *x, double bound) {
    double growth = log(bound);
    return !c->timed ? growth : growth / (growth > 0 ? x->a[0] : x->b[0]);
}

/* Returns the permitted excess of a bound over the largest growth of its box, in ln. */
static double tolerance_of(const pattern_range *range) {
    return range->steps > 1 ? TOLERANCE_OF_BOXES : TOLERANCE;
}

/* Keeps the largest bound and its position: that of the largest norm, or the middle of the box if the bound
 * exceeds this norm by more than the tolerance. */
static void keep_worst(cover *c, const box *x, const box_values *s, double bound) {
    double growth = growth_in(c, x, bound);
    if (!(growth > c->worst)) return;
    c->worst = growth;
    bool between = s->norm * (1 + tolerance_of(c->range)) < bound;
    for (int k = 0; k < c->range->steps; k++) c->at[k] = between ? 0.5 * (x->a[k] + x->b[k]) : s->at[k];
}

/* Returns true if a box needs no division. This includes boxes with a bound of at most the norm at the
 * samples. */
static bool is_narrow_enough(const cover *c, const box *x, const box_values *s, double deviation) {
    if (c->below_one) return deviation <= DEVIATION_NEAR * fabs(1 - s->norm);
    double length = c->timed ? x->b[0] : 1, bound = growth_in(c, x, s->norm + deviation);
    return bound <= c->norm->rate || (bound - s->growth) * length <= tolerance_of(c->range);
}

static bool is_stopped(const cover *c) {
    const costab_pattern_options *options = c->range->options;
    return options->stop != NULL && options->stop(options->stop_context);
}

/* Returns the step with the largest deviation. */
static int most_deviating(const cover *c, const box_values *s) {
    int largest = 0;
    for (int k = 1; k < c->range->steps; k++)
        if (s->deviation[k] > s->deviation[largest]) largest = k;
    return largest;
}

/* Covers the range by boxes. [out] c->worst, c->at. With `below_one` it ends early once c->worst reaches
 * 0. */
static costab_status cover_range(cover *c, costab_error *error) {
    box stack[DEPTH_MAX];
    int depth = 1, evaluations_max = c->range->steps > 1 ? EVALUATIONS_OF_BOXES : EVALUATIONS_MAX;
    for (int k = 0; k < c->range->steps; k++) {
        stack[0].a[k] = c->range->from;
        stack[0].b[k] = c->range->to;
    }
    c->worst = -(double)INFINITY;
    for (c->evaluations = 0; depth > 0;) {
        box x = stack[--depth];
        box_values s;
        double deviation = 0;
        TRY(evaluate_box(c, &x, &s, error));
        if (is_stopped(c)) return error_set(error, COSTAB_CANCELLED, "the search was stopped");
        for (int k = 0; k < c->range->steps; k++) deviation += s.deviation[k];
        int at = most_deviating(c, &s);
        bool last = depth + 2 > DEPTH_MAX || c->evaluations >= evaluations_max || !isfinite(s.norm) ||
                    x.b[at] - x.a[at] < 1e-9 * x.b[at] || (c->below_one && s.norm >= 1);
        if (is_narrow_enough(c, &x, &s, deviation) || last)
            keep_worst(c, &x, &s, s.norm + deviation);
        else {
            const double middle = 0.5 * (x.a[at] + x.b[at]);
            stack[depth] = stack[depth + 1] = x;
            stack[depth++].a[at] = middle;
            stack[depth++].b[at] = middle;
        }
        if (c->below_one && c->worst >= 0) break;
    }
    return COSTAB_OK;
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
    *norm = (common_norm){.n = 0};
    *upper = (double)INFINITY;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < range->count; i++) lengths[i] = range->samples[i][0];
        const costab_sequence_set set = {.count = range->count,
                                         .size = step_map_size(range->maps),
                                         .matrices = range->matrices,
                                         .lengths = timed ? lengths : NULL};
        ends_by(common_norm_free) common_norm next = {.n = 0};
        cover c = {.range = range, .norm = &next, .timed = timed, .below_one = below_one};
        TRY(common_norm_find(&set, &next, error));
        if (below_one && next.rate >= 0) return COSTAB_OK;
        TRY(cover_range(&c, error));
        double above = (c.worst - next.rate) * (timed ? c.at[0] : 1);
        if (norm->T == NULL || c.worst < *upper) {
            common_norm last = *norm;
            *norm = next;
            next = last;
            *upper = c.worst;
        }
        if (!(above > tolerance_of(range)) || range->count == RANGE_SAMPLES_MAX || (below_one && c.worst < 0))
            return COSTAB_OK;
        TRY(add_sample(range, c.at, error));
    }
    return COSTAB_OK;
}

/* ---- Products ---- */

enum { INTERVALS_MAX = 240 };

/* An interval [a, b] of the range: the norm of its middle's map, and the radius around it that contains the
 * other maps. */
typedef struct letter {
    double a, b, radius, norm;
} letter;

static costab_status make_letter(cover *c, letter *l, costab_error *error) {
    int n = step_map_size(c->range->maps);
    size_t cells = (size_t)(n * n);
    double *a = matrix_in(c->range, MAP_A), *middle = matrix_in(c->range, MAP_MIDDLE),
           *b = matrix_in(c->range, MAP_B), *difference = matrix_in(c->range, SPACE), deviation, unused,
           at = 0.5 * (l->a + l->b);
    TRY(norm_at(c, &l->a, a, &unused, error));
    TRY(norm_at(c, &l->b, b, &unused, error));
    TRY(norm_at(c, &at, middle, &l->norm, error));
    TRY(deviation_of(c, l->a, l->b, &deviation, error));
    l->radius = 0;
    for (int side = 0; side < 2; side++) {
        for (size_t e = 0; e < cells; e++) difference[e] = (side == 0 ? a : b)[e] - middle[e];
        l->radius = fmax(l->radius, norm_of(n, difference, difference + cells));
    }
    l->radius += deviation;
    return COSTAB_OK;
}

/* Returns the effect of a letter's radius on the bounds of products. */
static double effect_of_radius(const cover *c, const letter *l) {
    return l->norm * l->radius / (c->timed ? l->a : 1);
}

/* Halves the interval with the largest effect until there are INTERVALS_MAX of them. */
static costab_status make_letters(cover *c, letter *letters, int *count, costab_error *error) {
    letters[0] = (letter){.a = c->range->from, .b = c->range->to};
    TRY(make_letter(c, &letters[0], error));
    for (*count = 1; *count < INTERVALS_MAX; ++*count) {
        int worst = 0;
        for (int i = 1; i < *count; i++)
            if (effect_of_radius(c, &letters[i]) > effect_of_radius(c, &letters[worst])) worst = i;
        double middle = 0.5 * (letters[worst].a + letters[worst].b);
        letters[*count] = (letter){.a = middle, .b = letters[worst].b};
        letters[worst].b = middle;
        TRY(make_letter(c, &letters[worst], error));
        TRY(make_letter(c, &letters[*count], error));
    }
    return COSTAB_OK;
}

costab_status pattern_range_products(pattern_range *range, bool timed, const common_norm *norm, double lower,
                                     double *upper, costab_error *error) {
    int n = step_map_size(range->maps), count = 0;
    size_t cells = (size_t)(n * n);
    letter letters[INTERVALS_MAX];
    double shortest[INTERVALS_MAX], longest[INTERVALS_MAX], radii[INTERVALS_MAX];
    cover c = {.range = range, .norm = norm, .timed = timed};
    memory_local_array(double, matrices, (size_t)INTERVALS_MAX *cells + 1, error);
    TRY(make_letters(&c, letters, &count, error));
    for (int i = 0; i < count; i++) {
        shortest[i] = letters[i].a;
        longest[i] = letters[i].b;
        radii[i] = letters[i].radius;
        double middle = 0.5 * (letters[i].a + letters[i].b);
        TRY(step_map_at(range->maps, &middle, 1, matrices + (size_t)i * cells, error));
    }
    costab_sequence_set set = {count, n, matrices, timed ? shortest : NULL, 0, NULL, NULL};
    sequence_spread spread = {radii, longest};
    costab_sequences_options options = {.gap = 2e-3 / (timed ? range->to : 1),
                                        .products = range->options->products,
                                        .stop = range->options->stop,
                                        .stop_context = range->options->stop_context};
    ends_by(costab_sequences_free) costab_sequences found = {.length = 0};
    TRY(sequences_bound_in(&set, &spread, lower, norm, &options, &found, error));
    *upper = fmin(*upper, found.upper);
    return COSTAB_OK;
}
