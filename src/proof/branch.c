/* Eigenvalues that are followed over a cell: one from each end until they meet, or each over all of it. */
#include "proof/branch.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/end.h"

/* All eigenvalues of fewer rows cost no more than one of them. */
enum { ROWS_LEAST = 32 };
/* So much of an eigenvalue's vectors is left at the next node. */
#define ALIKE 0.5
/* Two that are followed to the same place are the same where they are no further apart, beside rounding. */
#define SAME 1e-9

enum { NODES = CHEBYSHEV_MOST + 1, STRIDE = CHEBYSHEV_MOST / CHEBYSHEV_LEAST, MIDDLE = CHEBYSHEV_MOST / 2 };

/* At the nodes of the largest degree. */
typedef struct track {
    place_branch nodes[NODES];
} track;

typedef struct tracks {
    cell *c;
    track from_left, from_right;
    place_branch begin[2];
} tracks;

/* Is there an eigenvalue to be followed from this place? */
static bool is_worth(const search *s, const place *at) {
    place_branch found;
    if (s->confirmed || !at->posed || at->kind == CROSSING_CIRCLE_COMPLEX) return false;
    place_branch_begin(at, &found);
    const crossing_spectrum *spectrum = &at->spectra[found.which];
    return spectrum->n >= ROWS_LEAST && !spectrum->overflow;
}

/* One of the largest size that is followed from a place: doubles for its vectors. */
static size_t vectors_of(const place *at) {
    place_branch found;
    place_branch_begin(at, &found);
    return 4 * (size_t)at->spectra[found.which].n;
}

static void give_vectors(place_branch *branch, double **rest, size_t size) {
    branch->pair.right = *rest;
    branch->pair.left = *rest + size / 2;
    *rest += size;
}

static costab_status tracks_create(cell *c, const place *const ends[2], tracks **made, costab_error *error) {
    size_t size = (size_t)fmax((double)vectors_of(ends[0]), (double)vectors_of(ends[1]));
    size_t head = (sizeof **made + sizeof(double) - 1) / sizeof(double);
    double *block = memory_alloc(head + 2 * NODES * size, sizeof *block), *rest = block + head;
    *made = (tracks *)(void *)block;
    if (block == NULL) return error_memory(error);
    (*made)->c = c;
    for (int i = 0; i < NODES; i++) {
        place_branch *pair[2] = {&(*made)->from_left.nodes[i], &(*made)->from_right.nodes[i]};
        for (int t = 0; t < 2; t++) {
            give_vectors(pair[t], &rest, size);
            pair[t]->at = cell_node(c, CHEBYSHEV_DEGREES - 1, i);
        }
    }
    for (int e = 0; e < 2; e++) place_branch_begin(ends[e], &(*made)->begin[e]);
    return COSTAB_OK;
}

/* ---- Following ---- */

static bool is_beyond(const place_branch *b) {
    return b->found && b->beyond > 0;
}

/* The same eigenvalue at two places, at both beyond the limit? */
static bool is_continued(const place_branch *a, const place_branch *b) {
    return is_beyond(a) && is_beyond(b) && a->which == b->which && a->size == b->size &&
           eigen_branch_alike(a->size, &a->pair, &b->pair) > ALIKE;
}

/* Both followed to the same place: is it the same one? */
static bool is_same(const place_branch *a, const place_branch *b) {
    double apart = hypot(a->pair.re - b->pair.re, fabs(a->pair.im) - fabs(b->pair.im));
    return is_continued(a, b) &&
           apart <= a->pair.slack + b->pair.slack + SAME * hypot(a->pair.re, a->pair.im);
}

/* From both ends to the middle, at the nodes of the least degree, two at a time; [out] met: there they are
 * one.
 */
static costab_status follow_halves(tracks *t, bool *met, costab_error *error) {
    place_branch *left = t->from_left.nodes, *right = t->from_right.nodes;
    const place_branch *last[2] = {&t->begin[0], &t->begin[1]};
    for (int i = 0; i <= MIDDLE; i += STRIDE) {
        place_step steps[2];
        int count = 0;
        place_branch *next[2] = {left + i, right + CHEBYSHEV_MOST - i};
        for (int e = 0; e < 2; e++)
            if (last[e] != NULL) steps[count++] = (place_step){last[e], next[e]};
        costab_status status = place_follow(t->c->s->book, count, steps, error);
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
        const place_step step = {&one->nodes[i], &one->nodes[next]};
        status = place_follow(t->c->s->book, 1, &step, error);
    }
    return status;
}

/* ---- What the nodes say ---- */

/* How far an eigenvalue is beyond the limit, as an analytic function of the parameter. */
static crossing_value value_of(const place_branch *b, bool line) {
    double value = line ? b->beyond : b->beyond * (2 + b->beyond), slope = line ? 1 : 2 * (1 + b->beyond);
    return (crossing_value){.mantissa = value, .noise = slope * b->pair.slack / value};
}

/* Where it is 0 at an end of the search at the cell's border, and is divided by the distance. */
static bool take_out(const search_end *end, double width, const interpolant_nodes *nodes, crossing_value *f) {
    for (int i = 0; i < nodes->count; i++) {
        double away = fabs(nodes->p[i] - end->at);
        if (!(away > end->off)) return false;
        f[i].mantissa *= width / away;
        f[i].noise += end->off / away;
    }
    return true;
}

/* How far eigenvalues may move, in the units of value_of, all over the cell: as far as the furthest ones are
 * from 0. */
static double reach_of(const tracks *t, const track *one, int stride) {
    double most = 0;
    for (int i = 0; i < t->c->count + 2; i++) {
        const place_branch *b = i < 2 ? &t->begin[i] : &one->nodes[(i - 2) * stride];
        bool line = t->c->s->continuous && b->which == PLACE_MAP;
        most = fmax(most, line ? hypot(b->pair.re, b->pair.im) : (1 + b->beyond) * (1 + b->beyond));
    }
    return most;
}

static bool is_clear(const tracks *t, const track *one) {
    const cell *c = t->c;
    interpolant_nodes nodes = {.table = &c->s->table, .k = c->k, .count = c->count, .divided = true};
    const search_end *ends[2] = {end_at(c->s, c->from), end_at(c->s, c->to)};
    crossing_value f[NODES];
    interpolant_reading r;
    int stride = CHEBYSHEV_MOST / (c->count - 1);
    const double reach = reach_of(t, one, stride);
    for (int taken = 0; taken < 4; taken++) {
        bool fits = true;
        for (int i = 0; i < c->count; i++) {
            const place_branch *b = &one->nodes[i * stride];
            nodes.p[i] = b->at;
            f[i] = value_of(b, c->s->continuous && b->which == PLACE_MAP);
        }
        for (int e = 0; e < 2; e++)
            if ((taken >> e & 1) != 0)
                fits = fits && ends[e] != NULL && take_out(ends[e], c->to - c->from, &nodes, f);
        if (!fits) continue;
        f[0].noise += cell_aside_noise(c);
        f[c->count - 1].noise += cell_aside_noise(c);
        double largest = 0;
        for (int i = 0; i < c->count; i++) largest = fmax(largest, f[i].mantissa);
        nodes.meeting = reach / largest;
        interpolant_read(&nodes, f, &r);
        if (!r.neutral && r.count == 0) return true;
    }
    return false;
}

/* Nodes of the next degree between those that are known. */
static costab_status follow_between(const tracks *t, track *one, costab_error *error) {
    place_step steps[NODES];
    int count = 0, stride = CHEBYSHEV_MOST / (t->c->count - 1);
    for (int i = stride; i < NODES; i += 2 * stride)
        steps[count++] = (place_step){&one->nodes[i - stride], &one->nodes[i]};
    return place_follow(t->c->s->book, count, steps, error);
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

static costab_status emit(cell *c, const place_branch *b, costab_error *error) {
    costab_cell found = {.verdict = COSTAB_OUTCOME_UNSTABLE,
                         .reason = COSTAB_REASON_EIGENVALUE,
                         .subject = b->which == PLACE_GUESSES ? COSTAB_SUBJECT_GUESSES
                                    : c->s->continuous        ? COSTAB_SUBJECT_CONTINUOUS
                                                              : COSTAB_SUBJECT_MAP,
                         .from = c->from,
                         .to = c->to,
                         .cell_from = c->from,
                         .cell_to = c->to,
                         .degree = c->count - 1,
                         .kernel = -1};
    return search_emit(c->s->cells, found, error);
}

costab_status branch_settle(cell *c, bool *done, costab_error *error) {
    const place *ends[2];
    tracks *t;
    *done = false;
    c->aside = cell_aside(c);
    const double at[2] = {cell_node(c, 0, 0), cell_node(c, 0, CHEBYSHEV_LEAST)};
    if (c->s->confirmed) return COSTAB_OK;
    costab_status status = place_find_all(c->s->book, 2, at, ends, error);
    if (status) return status;
    for (int e = 0; e < 2; e++)
        if (place_outcome(ends[e]) != COSTAB_OUTCOME_UNSTABLE || !is_worth(c->s, ends[e])) return COSTAB_OK;
    status = tracks_create(c, ends, &t, error);
    if (!status) status = look(t, done, error);
    if (!status && *done) status = emit(c, &t->from_left.nodes[0], error);
    memory_free(t);
    if (status || *done) return status;
    c->count = chebyshev_degree(0) + 1;
    *done = !cell_is_dense(c);
    c->count = 0;
    return *done ? cell_bisect(c, error) : COSTAB_OK;
}

/* ---- By itself ---- */

costab_status branch_single_create(const search *s, const place *at, branch_single **single,
                                   costab_error *error) {
    *single = NULL;
    if (!is_worth(s, at)) return COSTAB_OK;
    size_t size = vectors_of(at), head = (sizeof **single + sizeof(double) - 1) / sizeof(double);
    double *block = memory_alloc(head + 2 * size, sizeof *block), *rest = block + head;
    if (block == NULL) return error_memory(error);
    *single = (branch_single *)(void *)block;
    for (int i = 0; i < 2; i++) give_vectors(&(*single)->places[i], &rest, size);
    place_branch_begin(at, &(*single)->places[0]);
    bool found;
    place_margin margin;
    costab_status status = branch_single_margin(s, *single, at->at[0], &found, &margin, error);
    if (!status && found) return COSTAB_OK;
    memory_free(*single);
    *single = NULL;
    return status;
}

costab_status branch_single_margin(const search *s, branch_single *single, double at, bool *found,
                                   place_margin *margin, costab_error *error) {
    const place_branch *from = &single->places[single->last];
    place_branch *to = &single->places[1 - single->last];
    const place_step step = {from, to};
    to->at = at;
    costab_status status = place_follow(s->book, 1, &step, error);
    *found = !status && to->found;
    if (!*found) return status;
    single->last = 1 - single->last;
    *margin = (place_margin){.beyond = to->beyond, .backward = to->pair.backward, .slack = to->pair.slack};
    return COSTAB_OK;
}
