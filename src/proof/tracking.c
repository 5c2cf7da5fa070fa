/* One eigenvalue of a large matrix that is beyond the limit all over a cell (docs/algorithms.md, Complete
 * limits, step 9).
 *
 * 1. At both ends of the cell all eigenvalues are found; one must be beyond the limit at each.
 * 2. The furthest one at the left end is followed to the right end over 9 nodes, by its left and right
 *    vectors (method/eigen.h). It must stay beyond the limit at each.
 * 3. How far it is beyond the limit is interpolated. Where that exceeds its error, with an allowance for
 *    other eigenvalues that it meets between nodes (interpolant_nodes.reach), the cell is unstable.
 * 4. Else with 17 and 33 nodes; else the same with the furthest one at the right end. A cell too wide for a
 *    verdict is bisected at once.
 *
 * Cost: a node takes some tenth of what all eigenvalues of a matrix of 32 rows or more take. Not guaranteed:
 * the interpolation's error is an estimate. */
#include "proof/tracking.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* All eigenvalues of fewer rows cost no more than one of them. */
enum { ROWS_LEAST = 32 };
/* Vectors at neighbouring nodes are those of one eigenvalue where eigen_tracked_overlap is above this. */
#define ALIKE 0.5

enum { NODES = CHEBYSHEV_MOST + 1, STRIDE = CHEBYSHEV_MOST / CHEBYSHEV_LEAST };

/* An eigenvalue at the nodes of the largest degree. */
typedef struct track {
    cell *c;
    tracked_eigenvalue begin[2]; /* at the cell's ends: the furthest ones, without vectors */
    tracked_eigenvalue nodes[NODES];
} track;

/* Is tracking from here cheaper than all eigenvalues, and possible? */
static bool can_be_tracked(const search *s, const sample *at) {
    tracked_eigenvalue found;
    if (s->confirmed || !at->posed || at->kind == CROSSING_CIRCLE_COMPLEX) return false;
    tracked_begin(at, &found);
    const crossing_spectrum *spectrum = &at->spectra[found.matrix];
    return spectrum->n >= ROWS_LEAST && !spectrum->overflow;
}

/* Doubles for the vectors of the one that is followed from here. */
static size_t vectors_of(const sample *at) {
    tracked_eigenvalue found;
    tracked_begin(at, &found);
    return 4 * (size_t)at->spectra[found.matrix].n;
}

static void give_vectors(tracked_eigenvalue *tracked, double **rest, size_t size) {
    tracked->pair.right = *rest;
    tracked->pair.left = *rest + size / 2;
    *rest += size;
}

static costab_status track_create(cell *c, const sample *const ends[2], track **made, costab_error *error) {
    size_t size = (size_t)fmax((double)vectors_of(ends[0]), (double)vectors_of(ends[1]));
    size_t head = (sizeof **made + sizeof(double) - 1) / sizeof(double);
    double *block = memory_alloc(head + NODES * size, sizeof *block), *rest = block + head;
    *made = (track *)(void *)block;
    if (block == NULL) return error_memory(error);
    (*made)->c = c;
    for (int i = 0; i < NODES; i++) {
        give_vectors(&(*made)->nodes[i], &rest, size);
        (*made)->nodes[i].at = cell_node(c, CHEBYSHEV_DEGREES - 1, i);
    }
    for (int e = 0; e < 2; e++) tracked_begin(ends[e], &(*made)->begin[e]);
    return COSTAB_OK;
}

/* ---- Following ---- */

static bool is_beyond(const tracked_eigenvalue *b) {
    return b->found && b->beyond > 0;
}

/* The same eigenvalue at two places, at both beyond the limit? */
static bool is_continued(const tracked_eigenvalue *a, const tracked_eigenvalue *b) {
    return is_beyond(a) && is_beyond(b) && a->matrix == b->matrix && a->size == b->size &&
           eigen_tracked_overlap(a->size, &a->pair, &b->pair) > ALIKE;
}

/* Step 2, from one end of the cell. [out] *whole: it is beyond the limit all the way to the other. */
static costab_status follow(track *t, int end, bool *whole, costab_error *error) {
    const tracked_eigenvalue *last = &t->begin[end];
    *whole = true;
    for (int i = 0; i < NODES && *whole; i += STRIDE) {
        tracked_eigenvalue *next = &t->nodes[end == 0 ? i : NODES - 1 - i];
        const tracking_step step = {last, next};
        TRY(sample_track(t->c->s->cache, 1, &step, error));
        *whole = i == 0 ? is_beyond(next) : is_continued(last, next);
        last = next;
    }
    return COSTAB_OK;
}

/* ---- What the nodes say ---- */

/* How far an eigenvalue is beyond the limit, as an analytic function of the parameter: |l|^2 - 1, Re l. */
static crossing_value value_of(const tracked_eigenvalue *b, bool line) {
    double value = line ? b->beyond : b->beyond * (2 + b->beyond), slope = line ? 1 : 2 * (1 + b->beyond);
    return (crossing_value){.mantissa = value, .noise = slope * b->pair.slack / value};
}

/* Divides by the distance from a known zero at the cell's border. */
static bool deflate(const known_zero *zero, double width, const interpolant_nodes *nodes, crossing_value *f) {
    for (int i = 0; i < nodes->count; i++) {
        double away = fabs(nodes->p[i] - zero->at);
        if (!(away > zero->error)) return false;
        f[i].mantissa *= width / away;
        f[i].noise += zero->error / away;
    }
    return true;
}

/* The largest distance between eigenvalues, in the units of value_of: that of the furthest one from 0. */
static double reach_of(const track *t, int stride) {
    double most = 0;
    for (int i = 0; i < t->c->count + 2; i++) {
        const tracked_eigenvalue *b = i < 2 ? &t->begin[i] : &t->nodes[(i - 2) * stride];
        bool line = t->c->s->continuous && b->matrix == SAMPLE_MAP;
        most = fmax(most, line ? hypot(b->pair.re, b->pair.im) : (1 + b->beyond) * (1 + b->beyond));
    }
    return most;
}

/* Step 3 at the nodes of one degree: as it is, and divided by the distance from a known zero at either
 * border, or from both. */
static bool is_beyond_throughout(const track *t) {
    const cell *c = t->c;
    interpolant_nodes nodes = {.table = &c->s->table, .k = c->k, .count = c->count, .deflated = true};
    const known_zero *zeros[2] = {search_zero_at(c->s, c->from), search_zero_at(c->s, c->to)};
    crossing_value f[NODES];
    interpolant_reading r;
    int stride = CHEBYSHEV_MOST / (c->count - 1);
    const double reach = reach_of(t, stride);
    for (unsigned divided = 0; divided < 4; divided++) { /* bit e: by the zero at border e */
        bool fits = true;
        for (int i = 0; i < c->count; i++) {
            const tracked_eigenvalue *b = &t->nodes[i * stride];
            nodes.p[i] = b->at;
            f[i] = value_of(b, c->s->continuous && b->matrix == SAMPLE_MAP);
        }
        for (int e = 0; e < 2; e++)
            if ((divided >> e & 1) != 0)
                fits = fits && zeros[e] != NULL && deflate(zeros[e], c->to - c->from, &nodes, f);
        if (!fits) continue;
        f[0].noise += cell_offset_noise(c);
        f[c->count - 1].noise += cell_offset_noise(c);
        double largest = 0;
        for (int i = 0; i < c->count; i++) largest = fmax(largest, f[i].mantissa);
        nodes.reach = reach / largest;
        interpolant_read(&nodes, f, &r);
        if (!r.neutral && r.count == 0) return true;
    }
    return false;
}

/* Nodes of the next degree between those that are known. */
static costab_status follow_between(track *t, costab_error *error) {
    tracking_step steps[NODES];
    int count = 0, stride = CHEBYSHEV_MOST / (t->c->count - 1);
    for (int i = stride; i < NODES; i += 2 * stride)
        steps[count++] = (tracking_step){&t->nodes[i - stride], &t->nodes[i]};
    return sample_track(t->c->s->cache, count, steps, error);
}

/* Steps 3 and 4 for an eigenvalue that is known at the nodes of the least degree. */
static costab_status certify(track *t, bool *certain, costab_error *error) {
    cell *c = t->c;
    *certain = false;
    for (int k = 0; k < CHEBYSHEV_DEGREES; k++) {
        c->k = k;
        c->count = chebyshev_degree(k) + 1;
        if (k > 0) TRY(follow_between(t, error));
        int stride = CHEBYSHEV_MOST / (c->count - 1);
        for (int i = stride; i < NODES; i += stride)
            if (!is_continued(&t->nodes[i - stride], &t->nodes[i])) return COSTAB_OK;
        if (!is_beyond_throughout(t) || !cell_is_dense(c)) continue;
        *certain = true;
        return COSTAB_OK;
    }
    return COSTAB_OK;
}

/* Steps 2 to 4, from the left end, then from the right one. */
static costab_status try_both_ends(track *t, bool *certain, costab_error *error) {
    *certain = false;
    for (int end = 0; end < 2 && !*certain; end++) {
        bool whole;
        TRY(follow(t, end, &whole, error));
        if (whole) TRY(certify(t, certain, error));
    }
    return COSTAB_OK;
}

/* ---- A cell ---- */

costab_status tracking_settle(cell *c, bool *done, costab_error *error) {
    const sample *ends[2];
    memory_local track *t = NULL;
    *done = false;
    c->node_offset = cell_node_offset(c);
    const double at[2] = {cell_node(c, 0, 0), cell_node(c, 0, CHEBYSHEV_LEAST)};
    if (c->s->confirmed) return COSTAB_OK;
    TRY(sample_find_all(c->s->cache, 2, at, ends, error));
    for (int e = 0; e < 2; e++)
        if (sample_outcome(ends[e]) != COSTAB_OUTCOME_UNSTABLE || !can_be_tracked(c->s, ends[e]))
            return COSTAB_OK;
    TRY(track_create(c, ends, &t, error));
    TRY(try_both_ends(t, done, error));
    c->count = 0;
    if (*done) return cell_emit(c, COSTAB_OUTCOME_UNSTABLE, COSTAB_REASON_EIGENVALUE, error);
    c->count = chebyshev_degree(0) + 1;
    *done = !cell_is_dense(c);
    c->count = 0;
    return *done ? cell_bisect(c, error) : COSTAB_OK;
}

/* ---- By itself ---- */

costab_status tracking_single_create(const search *s, const sample *at, tracking_single **single,
                                     costab_error *error) {
    *single = NULL;
    if (!can_be_tracked(s, at)) return COSTAB_OK;
    size_t size = vectors_of(at), head = (sizeof **single + sizeof(double) - 1) / sizeof(double);
    double *block = memory_alloc(head + 2 * size, sizeof *block), *rest = block + head;
    if (block == NULL) return error_memory(error);
    *single = (tracking_single *)(void *)block;
    for (int i = 0; i < 2; i++) give_vectors(&(*single)->at[i], &rest, size);
    tracked_begin(at, &(*single)->at[0]);
    bool found;
    sample_margin margin;
    costab_status status = tracking_single_margin(s, *single, at->at[0], &found, &margin, error);
    if (!status && found) return COSTAB_OK;
    memory_free(*single);
    *single = NULL;
    return status;
}

costab_status tracking_single_margin(const search *s, tracking_single *single, double at, bool *found,
                                     sample_margin *margin, costab_error *error) {
    const tracked_eigenvalue *from = &single->at[single->last];
    tracked_eigenvalue *to = &single->at[1 - single->last];
    const tracking_step step = {from, to};
    to->at = at;
    TRY(sample_track(s->cache, 1, &step, error));
    *found = to->found;
    if (!*found) return COSTAB_OK;
    single->last = 1 - single->last;
    *margin = (sample_margin){.beyond = to->beyond, .backward = to->pair.backward, .slack = to->pair.slack};
    return COSTAB_OK;
}
