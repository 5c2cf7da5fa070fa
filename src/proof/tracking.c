/* One eigenvalue of a large matrix that is beyond the limit all over a cell.
 *
 * 1. At both ends of the cell all eigenvalues are found; something must be beyond the limit at each.
 * 2. The furthest one is followed from each end to the middle, by its vectors (method/eigen.h). Where both
 *    are one in the middle that one is known at 9 nodes; else each is followed on to the other end.
 * 3. How far it is beyond the limit is interpolated: where that exceeds its error, and the root of it that
 *    meetings between nodes may cost (interpolant.h), the cell is unstable.
 * 4. Else with 17 and 33 nodes. A cell too wide for a verdict is bisected at once.
 *
 * Cost: a node takes some tenth of all eigenvalues of a matrix of 32 rows or more. */
#include "proof/tracking.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* All eigenvalues of fewer rows cost no more than one of them. */
enum { ROWS_LEAST = 32 };
/* So much of an eigenvalue's vectors is left at the next node. */
#define ALIKE 0.5
/* Two that are followed to the same place are the same where they are no further apart, beside rounding. */
#define SAME 1e-9

enum { NODES = CHEBYSHEV_MOST + 1, STRIDE = CHEBYSHEV_MOST / CHEBYSHEV_LEAST, MIDDLE = CHEBYSHEV_MOST / 2 };

/* At the nodes of the largest degree. */
typedef struct track {
    tracked_eigenvalue nodes[NODES];
} track;

typedef struct tracks {
    cell *c;
    track from_left, from_right;
    tracked_eigenvalue begin[2];
} tracks;

/* Is there an eigenvalue to be followed from here? */
static bool is_worth(const search *s, const sample *at) {
    tracked_eigenvalue found;
    if (s->confirmed || !at->posed || at->kind == CROSSING_CIRCLE_COMPLEX) return false;
    tracked_begin(at, &found);
    const crossing_spectrum *spectrum = &at->spectra[found.which];
    return spectrum->n >= ROWS_LEAST && !spectrum->overflow;
}

/* Doubles for the vectors of the one that is followed from here. */
static size_t vectors_of(const sample *at) {
    tracked_eigenvalue found;
    tracked_begin(at, &found);
    return 4 * (size_t)at->spectra[found.which].n;
}

static void give_vectors(tracked_eigenvalue *tracked, double **rest, size_t size) {
    tracked->pair.right = *rest;
    tracked->pair.left = *rest + size / 2;
    *rest += size;
}

static costab_status tracks_create(cell *c, const sample *const ends[2], tracks **made, costab_error *error) {
    size_t size = (size_t)fmax((double)vectors_of(ends[0]), (double)vectors_of(ends[1]));
    size_t head = (sizeof **made + sizeof(double) - 1) / sizeof(double);
    double *block = memory_alloc(head + 2 * NODES * size, sizeof *block), *rest = block + head;
    *made = (tracks *)(void *)block;
    if (block == NULL) return error_memory(error);
    (*made)->c = c;
    for (int i = 0; i < NODES; i++) {
        tracked_eigenvalue *pair[2] = {&(*made)->from_left.nodes[i], &(*made)->from_right.nodes[i]};
        for (int t = 0; t < 2; t++) {
            give_vectors(pair[t], &rest, size);
            pair[t]->at = cell_node(c, CHEBYSHEV_DEGREES - 1, i);
        }
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
    return is_beyond(a) && is_beyond(b) && a->which == b->which && a->size == b->size &&
           eigen_branch_alike(a->size, &a->pair, &b->pair) > ALIKE;
}

/* Both followed to the same place: is it the same one? */
static bool is_same(const tracked_eigenvalue *a, const tracked_eigenvalue *b) {
    double apart = hypot(a->pair.re - b->pair.re, fabs(a->pair.im) - fabs(b->pair.im));
    return is_continued(a, b) &&
           apart <= a->pair.slack + b->pair.slack + SAME * hypot(a->pair.re, a->pair.im);
}

/* From both ends to the middle, at the nodes of the least degree, two at a time; [out] met: there they are
 * one.
 */
static costab_status follow_halves(tracks *t, bool *met, costab_error *error) {
    tracked_eigenvalue *left = t->from_left.nodes, *right = t->from_right.nodes;
    const tracked_eigenvalue *last[2] = {&t->begin[0], &t->begin[1]};
    for (int i = 0; i <= MIDDLE; i += STRIDE) {
        tracking_step steps[2];
        int count = 0;
        tracked_eigenvalue *next[2] = {left + i, right + CHEBYSHEV_MOST - i};
        for (int e = 0; e < 2; e++)
            if (last[e] != NULL) steps[count++] = (tracking_step){last[e], next[e]};
        costab_status status = sample_track(t->c->s->cache, count, steps, error);
        if (status) return status;
        for (int e = 0; e < 2; e++) {
            bool on = last[e] != NULL && (i == 0 ? is_beyond(next[e]) : is_continued(last[e], next[e]));
            last[e] = on ? next[e] : NULL;
        }
    }
    *met = last[0] != NULL && last[1] != NULL && is_same(left + MIDDLE, right + MIDDLE);
    return COSTAB_OK;
}

/* From the middle on to the other end. */
static costab_status follow_on(const tracks *t, track *one, int way, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (int i = MIDDLE; i >= 0 && i < NODES - 1 + (way < 0) && !status; i += way * STRIDE) {
        int next = i + way * STRIDE;
        if (next < 0 || next >= NODES || !is_beyond(&one->nodes[i])) break;
        const tracking_step step = {&one->nodes[i], &one->nodes[next]};
        status = sample_track(t->c->s->cache, 1, &step, error);
    }
    return status;
}

/* ---- What the nodes say ---- */

/* How far an eigenvalue is beyond the limit, as an analytic function of the parameter. */
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

/* How far eigenvalues may move, in the units of value_of, all over the cell: as far as the furthest ones are
 * from 0. */
static double reach_of(const tracks *t, const track *one, int stride) {
    double most = 0;
    for (int i = 0; i < t->c->count + 2; i++) {
        const tracked_eigenvalue *b = i < 2 ? &t->begin[i] : &one->nodes[(i - 2) * stride];
        bool line = t->c->s->continuous && b->which == SAMPLE_MAP;
        most = fmax(most, line ? hypot(b->pair.re, b->pair.im) : (1 + b->beyond) * (1 + b->beyond));
    }
    return most;
}

static bool is_clear(const tracks *t, const track *one) {
    const cell *c = t->c;
    interpolant_nodes nodes = {.table = &c->s->table, .k = c->k, .count = c->count, .deflated = true};
    const known_zero *zeros[2] = {search_zero_at(c->s, c->from), search_zero_at(c->s, c->to)};
    crossing_value f[NODES];
    interpolant_reading r;
    int stride = CHEBYSHEV_MOST / (c->count - 1);
    const double reach = reach_of(t, one, stride);
    for (int which = 0; which < 4; which++) {
        bool fits = true;
        for (int i = 0; i < c->count; i++) {
            const tracked_eigenvalue *b = &one->nodes[i * stride];
            nodes.p[i] = b->at;
            f[i] = value_of(b, c->s->continuous && b->which == SAMPLE_MAP);
        }
        for (int e = 0; e < 2; e++)
            if ((which >> e & 1) != 0)
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
static costab_status follow_between(const tracks *t, track *one, costab_error *error) {
    tracking_step steps[NODES];
    int count = 0, stride = CHEBYSHEV_MOST / (t->c->count - 1);
    for (int i = stride; i < NODES; i += 2 * stride)
        steps[count++] = (tracking_step){&one->nodes[i - stride], &one->nodes[i]};
    return sample_track(t->c->s->cache, count, steps, error);
}

/* Is an eigenvalue that is known at the nodes of the least degree beyond the limit all over the cell? */
static costab_status certify(const tracks *t, track *one, bool *certain, costab_error *error) {
    cell *c = t->c;
    *certain = false;
    for (int k = 0; k < CHEBYSHEV_DEGREES; k++) {
        c->k = k;
        c->count = chebyshev_degree(k) + 1;
        costab_status status = k > 0 ? follow_between(t, one, error) : COSTAB_OK;
        if (status) return status;
        int stride = CHEBYSHEV_MOST / (c->count - 1);
        for (int i = stride; i < NODES; i += stride)
            if (!is_continued(&one->nodes[i - stride], &one->nodes[i])) return COSTAB_OK;
        if (!is_clear(t, one) || !cell_is_dense(c)) continue;
        *certain = true;
        return COSTAB_OK;
    }
    return COSTAB_OK;
}

static costab_status look(tracks *t, bool *certain, costab_error *error) {
    bool met;
    track *left = &t->from_left, *right = &t->from_right;
    costab_status status = follow_halves(t, &met, error);
    if (status) return status;
    if (met) {
        for (int i = MIDDLE + STRIDE; i < NODES; i += STRIDE) left->nodes[i] = right->nodes[i];
        return certify(t, left, certain, error);
    }
    status = follow_on(t, left, 1, error);
    if (!status) status = certify(t, left, certain, error);
    if (status || *certain) return status;
    status = follow_on(t, right, -1, error);
    return status ? status : certify(t, right, certain, error);
}

/* ---- A cell ---- */

costab_status tracking_settle(cell *c, bool *done, costab_error *error) {
    const sample *ends[2];
    tracks *t;
    *done = false;
    c->node_offset = cell_node_offset(c);
    const double at[2] = {cell_node(c, 0, 0), cell_node(c, 0, CHEBYSHEV_LEAST)};
    if (c->s->confirmed) return COSTAB_OK;
    costab_status status = sample_find_all(c->s->cache, 2, at, ends, error);
    if (status) return status;
    for (int e = 0; e < 2; e++)
        if (sample_outcome(ends[e]) != COSTAB_OUTCOME_UNSTABLE || !is_worth(c->s, ends[e])) return COSTAB_OK;
    status = tracks_create(c, ends, &t, error);
    if (!status) status = look(t, done, error);
    c->count = 0;
    if (!status && *done) status = cell_emit(c, COSTAB_OUTCOME_UNSTABLE, COSTAB_REASON_EIGENVALUE, error);
    memory_free(t);
    if (status || *done) return status;
    c->count = chebyshev_degree(0) + 1;
    *done = !cell_is_dense(c);
    c->count = 0;
    return *done ? cell_bisect(c, error) : COSTAB_OK;
}

/* ---- By itself ---- */

costab_status tracking_single_create(const search *s, const sample *at, tracking_single **single,
                                     costab_error *error) {
    *single = NULL;
    if (!is_worth(s, at)) return COSTAB_OK;
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
    costab_status status = sample_track(s->cache, 1, &step, error);
    *found = !status && to->found;
    if (!*found) return status;
    single->last = 1 - single->last;
    *margin = (sample_margin){.beyond = to->beyond, .backward = to->pair.backward, .slack = to->pair.slack};
    return COSTAB_OK;
}
