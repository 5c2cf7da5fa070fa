/* What becomes of one cell of a search (docs/algorithms.md, Complete limits).
 *
 * 1. A cell that is as narrow as cells become is an end: a crossing.
 * 2. A map of 32 rows or more: where one eigenvalue, followed from node to node, stays beyond the limit the
 *    cell is unstable (tracking.h).
 * 3. Nodes of degree 8, then 16, then 32; after each of them the first of these that holds is done:
 *    a. ill-posed at every node, or overflowing at every node: one verdict;
 *    b. of different kinds at the nodes: cut where the map jumps, else bisected;
 *    c. no crossing function has a zero, or the cell is surely unstable (exclusion.h): one verdict, if nodes
 *       are dense enough, else the next degree;
 *    d. (the nodes show one end: it is found, and the functions are looked at without it;)
 *    e. functions vary too much, towards p = 0: bisected;
 *    f. resolved: clear intervals get verdicts, unresolved ones become cells;
 *    g. a function that rounding does not hide is unresolved everywhere: divided;
 *    h. the next degree.
 * 4. Beyond the last degree: neutral at every node: neutral, or undecided where rounding moves eigenvalues
 *    far; rounding hides what happens: undecided; else divided at a known zero, or bisected.
 *
 * Cost: 9, 17 or 33 eigenvalue problems a cell, of which neighbours and halves share some. */
#include "proof/decision.h"

#include <math.h>

#include "proof/exclusion.h"
#include "proof/tracking.h"
#include "proof/zero.h"

/* Rounding decides only in cells as narrow as this, relative. */
#define NARROW 1e-6
/* Where rounding hides what happens, but every node shows the same side, cells down to this width, relative,
 * may still be clear. */
#define NOISY_WIDTH 0.1
/* The same far beyond the limit: rounding that hides everything in such a cell hides it in its halves, too,
 * and what they would show by chance would be slivers. */
#define NOISY_FAR_WIDTH 0.01
/* No interpolant follows a function over more factors of 2. */
#define SPREAD_MOST 53
/* Beyond this the map is as good as overflowed. */
#define OVERFLOWING 1e30
/* Rounding that moves eigenvalues near the limit further than this hides everything. */
#define MOVED_MOST 1e-3

/* ---- The functions of a matrix ---- */

/* Just beyond the limit, so far that rounding does not matter; far beyond it where rounding is that large. */
static double past_limit(const cell *c, int which) {
    double most = 0, size = 0;
    for (int i = 0; i < c->count; i++) {
        const crossing_spectrum *s = &c->nodes[i]->spectra[which];
        for (int j = 0; j < s->n; j++) {
            most = fmax(most, s->slack[j]);
            size = fmax(size, hypot(s->re[j], s->im[j]));
        }
    }
    return c->s->continuous ? 64 * most : fmax(1e-9 * fmin(1, size), 64 * most);
}

/* Where a matrix is neutral at the limit it is looked at just beyond. */
static void read_matrix(const cell *c, int which, cell_reading *r) {
    cell_functions f;
    double beyond[INTERPOLANT_SAMPLES] = {0};
    r->beyond[which] = 0;
    cell_values(c, which, beyond, &f);
    cell_look(c, &f, &r->unresolved[which]);
    r->noisy = r->noisy || r->unresolved[which].noisy;
    double past = past_limit(c, which);
    if (!r->unresolved[which].neutral || past > MOVED_MOST) return;
    r->neutral = true;
    r->beyond[which] = past;
    for (int i = 0; i < INTERPOLANT_SAMPLES; i++) beyond[i] = past;
    cell_values(c, which, beyond, &f);
    cell_look(c, &f, &r->unresolved[which]);
}

static bool has_guesses(const cell *c) {
    return c->nodes[0]->spectra[SAMPLE_GUESSES].n > 0;
}

static void read_matrices(const cell *c, cell_reading *r) {
    r->neutral = r->noisy = false;
    if (has_guesses(c)) read_matrix(c, SAMPLE_GUESSES, r);
    read_matrix(c, SAMPLE_MAP, r);
}

static double spread_of(const cell_reading *r) {
    return fmax(r->unresolved[SAMPLE_MAP].spread, r->unresolved[SAMPLE_GUESSES].spread);
}

/* ---- One verdict ---- */

typedef struct verdict {
    bool whole; /* there is one for all of the cell */
    costab_outcome is;
    costab_reason reason;
} verdict;

/* Is the matrix clear of crossings, with the same number of eigenvalues beyond the limit at every node? [out]
 * *count: that number, or the first node's. */
static bool has_one_count(const cell *c, int which, const cell_reading *r, int *count) {
    double beyond = r->beyond[which];
    *count = crossing_beyond(&c->nodes[0]->spectra[which], beyond);
    for (int i = 1; i < c->count + c->checks; i++)
        if (crossing_beyond(&c->nodes[i]->spectra[which], beyond) != *count) return false;
    return cell_is_clear(&r->unresolved[which]);
}

/* One verdict for the whole cell, where there is one; fills the reading else. */
static verdict whole_verdict(const cell *c, cell_reading *r) {
    verdict unstable = {true, COSTAB_OUTCOME_UNSTABLE, COSTAB_REASON_CLEAR};
    int count;
    bool contracts = true;
    r->neutral = r->noisy = false;
    r->unresolved[SAMPLE_GUESSES] = r->unresolved[SAMPLE_MAP] = (unresolved_list){.resolved = true};
    if (has_guesses(c)) {
        if (exclusion_of_cell(c, SAMPLE_GUESSES, &unstable.reason)) return unstable;
        read_matrix(c, SAMPLE_GUESSES, r);
        contracts = has_one_count(c, SAMPLE_GUESSES, r, &count);
        if (contracts && count > 0) return unstable;
    }
    if (exclusion_of_cell(c, SAMPLE_MAP, &unstable.reason)) return unstable;
    read_matrix(c, SAMPLE_MAP, r);
    if (!has_one_count(c, SAMPLE_MAP, r, &count)) return (verdict){.whole = false};
    if (count > 0) return unstable;
    if (r->neutral) return (verdict){contracts, COSTAB_OUTCOME_NEUTRAL, COSTAB_REASON_ROUNDING};
    return (verdict){contracts, COSTAB_OUTCOME_STABLE, COSTAB_REASON_CLEAR};
}

/* By the nodes; then with check points, where a scaling is worth it. */
static costab_status find_verdict(cell *c, cell_reading *r, verdict *found, costab_error *error) {
    *found = whole_verdict(c, r);
    if (found->whole || spread_of(r) < INTERPOLANT_SCALED || cell_is_near_zero(c) || c->s->confirmed)
        return COSTAB_OK;
    costab_status status = cell_gather_checks(c, error);
    if (!status && c->checks > 0) *found = whole_verdict(c, r);
    return status;
}

/* ---- What nodes show ---- */

static double cell_width(const cell *c) {
    return (c->to - c->from) / search_scale(c->s, c->from, c->to);
}

typedef enum kinds { ORDINARY, DIFFERENT, ILL_POSED, OVERFLOWS } kinds;

/* Whether there are numbers at all nodes, at some, or at none. */
static kinds kinds_of_nodes(const cell *c) {
    int posed = 0, finite = 0, huge = 0, same = 0;
    for (int i = 0; i < c->count; i++) {
        const sample *p = c->nodes[i];
        posed += p->posed;
        if (!p->posed) continue;
        bool overflow = false, far = false;
        for (int s = 0; s < SAMPLE_SPECTRA; s++) {
            overflow = overflow || p->spectra[s].overflow;
            far = far || (s != SAMPLE_LOOP && p->spectra[s].furthest > OVERFLOWING);
        }
        finite += !overflow;
        huge += overflow || far;
        same += sample_has_form_of(p, c->nodes[0]);
    }
    if (posed == 0) return ILL_POSED;
    if (posed == c->count && huge == c->count && !c->s->continuous) return OVERFLOWS;
    return finite == c->count && same == c->count ? ORDINARY : DIFFERENT;
}

/* Is a node of another kind than the one before it, with the same delays, more often than an interval of one
 * kind makes it? That is rounding's doing. */
static bool kinds_alternate(const cell *c) {
    int changes = 0;
    for (int i = 1; i < c->count; i++) {
        const sample *a = c->nodes[i - 1], *b = c->nodes[i];
        if (a->waits != b->waits) continue;
        bool same = a->posed == b->posed;
        for (int k = SAMPLE_GUESSES; k <= SAMPLE_MAP && same && a->posed; k++)
            same = a->spectra[k].n == b->spectra[k].n && a->spectra[k].overflow == b->spectra[k].overflow;
        changes += !same;
    }
    return changes > 2;
}

/* Does the same side of the limit show at every node, beyond rounding, or is every one on it within that? */
static bool all_alike(const cell *c) {
    for (int i = 1; i < c->count; i++)
        if (sample_outcome(c->nodes[i]) != sample_outcome(c->nodes[0])) return false;
    return true;
}

/* Is every node near the limit? Far beyond it rounding hides zeros inside and cells may be clear elsewhere.
 */
static bool all_near(const cell *c) {
    for (int i = 0; i < c->count; i++)
        for (int p = SAMPLE_GUESSES; p <= SAMPLE_MAP; p++)
            if (c->nodes[i]->spectra[p].n > 0 && c->nodes[i]->spectra[p].furthest > MOVED_MOST) return false;
    return true;
}

/* Where the nodes show one end it is found, and the functions are looked at again with that zero divided out.
 */
static costab_status find_zero(cell *c, cell_reading *r, costab_error *error) {
    int number = c->sought || c->s->confirmed || cell_zero(c) != NULL ? 0 : cell_change(c);
    bool found;
    if (number == 0) return COSTAB_OK;
    c->sought = true;
    costab_status status = zero_find(c, number, &found, error);
    if (!status && found) status = cell_gather_zero_check(c, error);
    if (!status && found) read_matrices(c, r);
    return status;
}

/* Is the cell resolved, with something in it that is not clear? */
static bool is_resolved(const cell *c, const cell_reading *r) {
    const unresolved_list *map = &r->unresolved[SAMPLE_MAP], *guesses = &r->unresolved[SAMPLE_GUESSES];
    bool any = map->count > 0 || guesses->count > 0 || cell_zero(c) != NULL;
    return any && !map->neutral && !guesses->neutral && map->resolved && guesses->resolved;
}

/* Is nothing known of the cell, though rounding does not hide it? */
static bool is_unknown(const cell_reading *r) {
    return !r->noisy && (r->unresolved[SAMPLE_MAP].throughout || r->unresolved[SAMPLE_GUESSES].throughout);
}

/* ---- Decisions ---- */

/* Step 3 at one degree; *done: the cell was emitted or divided. */
static costab_status decide_at(cell *c, int k, cell_reading *r, bool *done, costab_error *error) {
    costab_status status = cell_gather(c, k, error);
    if (status) return status;
    verdict found;
    *done = true;
    kinds nodes = kinds_of_nodes(c);
    if (nodes == ILL_POSED) return cell_emit(c, COSTAB_OUTCOME_ILL_POSED, COSTAB_REASON_ILL_POSED, error);
    if (nodes == OVERFLOWS) return cell_emit(c, COSTAB_OUTCOME_UNSTABLE, COSTAB_REASON_OVERFLOW, error);
    if (nodes == DIFFERENT && kinds_alternate(c) && cell_width(c) <= NOISY_FAR_WIDTH)
        return cell_emit(c, COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_ROUNDING, error);
    if (nodes == DIFFERENT) return cell_cut(c, error);
    status = find_verdict(c, r, &found, error);
    bool dense = cell_is_dense(c);
    if (!status && found.whole && dense) return cell_emit(c, found.is, found.reason, error);
    if (!status && !found.whole) status = find_zero(c, r, error);
    *done = status || !found.whole;
    if (status || found.whole) return status;
    if (cell_is_near_zero(c) && spread_of(r) > SPREAD_MOST && cell_zero(c) == NULL)
        return cell_bisect(c, error);
    if (dense && is_resolved(c, r)) return cell_take_apart(c, r, error);
    if (is_unknown(r)) return cell_divide(c, error);
    *done = false;
    return COSTAB_OK;
}

/* Step 4. */
static costab_status decide_last(const cell *c, const cell_reading *r, costab_error *error) {
    double width = cell_width(c);
    bool alike = all_alike(c), near = all_near(c);
    if (alike && sample_outcome(c->nodes[0]) == COSTAB_OUTCOME_NEUTRAL)
        return cell_emit(c, near ? COSTAB_OUTCOME_NEUTRAL : COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_ROUNDING,
                         error);
    if (r->noisy && (near ? !alike || width <= NOISY_WIDTH : width <= NOISY_FAR_WIDTH))
        return cell_emit(c, COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_ROUNDING, error);
    return cell_zero(c) != NULL ? cell_divide(c, error) : cell_bisect(c, error);
}

costab_status decision_make(search *s, double from, double to, bool first, costab_error *error) {
    cell c = {.s = s, .from = from, .to = to};
    cell_reading r;
    double scale = search_scale(s, from, to);
    bool done = false;
    costab_status status = COSTAB_OK;
    if (to - from <= SEARCH_TOLERANCE * scale) return cell_finish(&c, first, error);
    c.narrow = to - from <= NARROW * scale;
    for (int k = 0; k < CHEBYSHEV_DEGREES && !status && !done; k++) {
        /* All eigenvalues first where nothing is known yet: they may show that no single one need be. */
        if (k == first) status = tracking_settle(&c, &done, error);
        if (!status && !done) status = decide_at(&c, k, &r, &done, error);
    }
    return status || done ? status : decide_last(&c, &r, error);
}
