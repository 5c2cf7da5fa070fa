/* Decides one cell of a search: gives it a verdict or replaces it by new open cells
 * (docs/explanation/algorithms.md, Complete limits).
 * A crossing function of the parameter is zero where an eigenvalue is on the stability limit (crossing.h). It
 * is interpolated through the cell's nodes. It is clear where the interpolant exceeds its error, and
 * unresolved elsewhere.
 *
 * 1. A cell narrower than 1e-10 (relative) is a crossing and is emitted as such.
 * 2. Otherwise nodes of degree 8, then 16, then 32 are evaluated. At each degree the first applicable rule
 *    decides:
 *  a. All nodes are ill-posed, or all overflow: one verdict if the nodes are dense enough.
 *  b. Some are, or maps differ in size or delays. A narrow cell with alternating nodes is undecided, since
 *     rounding causes the alternation. Otherwise it is cut at the jump of the map, or bisected.
 *  c. No crossing function has a zero, or exclusion.c proves the cell unstable: one verdict if the nodes are
 *     dense enough, otherwise the next degree.
 *  d. The side of the limit changes exactly once: finds that zero p0 (zero.h) and divides its function by
 *     p - p0. The next rules then follow.
 *  e. Functions vary by more than 2^53 towards p = 0, and the cell has no known zero: bisected.
 *  f. The nodes are dense enough, and every function is unresolved on at most a tenth of the cell: clear
 *     intervals get verdicts, unresolved intervals become open cells.
 *  g. A function is unresolved everywhere, though above rounding: divided.
 *  h. Otherwise the next degree.
 * 3. After the last degree: neutral or, with large eigenvalue errors, undecided if an eigenvalue is on the
 *    limit within rounding at every node. Undecided if rounding hides a function and the cell is narrow, or
 *    its nodes have different verdicts close to the limit. Otherwise the cell is divided at a known zero, or
 *    bisected.
 * Cost: 9, 17 or 33 eigenvalue problems per cell, some of them shared with neighbours and halves. Limitation:
 * the interpolation error is an estimate. */
#include "limit/cell.h"

#include <math.h>

#include "base/error.h"
#include "limit/zero.h"

/* Largest relative width of a cell with cell.narrow set. */
#define NARROW 1e-6
/* After the last degree, with all nodes close to the stability limit and of one verdict: largest relative
 * width of a cell that is undecided because rounding hides a function. Wider cells are divided, since a part
 * may still be clear. */
#define NOISY_WIDTH 0.1
/* The same limit if a node is far beyond the stability limit. Rounding of the largest eigenvalue hides the
 * others there. Narrower cells can show another eigenvalue beyond the limit while the largest passes 0. */
#define NOISY_FAR_WIDTH 1e-5
/* Replaces NOISY_FAR_WIDTH for maps with an algebraic loop. Also the largest width of a cell that is
 * undecided because the kinds of its nodes alternate. Halves would only show random slivers. */
#define SLIVERS_WIDTH 0.01
/* Largest variation, as log2, of a function that an interpolant can follow. */
#define SPREAD_MOST 53
/* A cell overflows, and is unstable, if an eigenvalue at each of its nodes is further beyond the limit. */
#define OVERFLOWING 1e30
/* Largest distance beyond the limit at which functions are analysed if rounding hides them at the limit.
 * Eigenvalues further beyond the limit are far from it. */
#define MOVED_MOST 1e-3

/* ---- The functions of a matrix ---- */

/* Returns a distance beyond the limit larger than the rounding error of every eigenvalue. */
static double past_limit(const cell *c, sample_matrix matrix) {
    double most = 0, size = 0;
    for (int i = 0; i < c->count; i++) {
        const crossing_spectrum *s = &c->nodes[i]->spectra[matrix];
        for (int j = 0; j < s->n; j++) {
            most = fmax(most, s->slack[j]);
            size = fmax(size, hypot(s->re[j], s->im[j]));
        }
    }
    return c->s->continuous ? 64 * most : fmax(1e-9 * fmin(1, size), 64 * most);
}

/* Analyses the functions at the limit. If rounding hides them (neutral), analyses them slightly beyond the
 * limit. */
static void read_matrix(const cell *c, sample_matrix matrix, cell_reading *r) {
    cell_functions f;
    double beyond[INTERPOLANT_SAMPLES] = {0};
    r->beyond[matrix] = 0;
    cell_functions_at(c, matrix, beyond, &f);
    cell_find_unresolved(c, &f, &r->unresolved[matrix]);
    r->noisy = r->noisy || r->unresolved[matrix].noisy;
    if (!r->unresolved[matrix].neutral) return;
    double past = past_limit(c, matrix);
    if (past > MOVED_MOST) return;
    r->neutral = true;
    r->beyond[matrix] = past;
    for (int i = 0; i < INTERPOLANT_SAMPLES; i++) beyond[i] = past;
    cell_functions_at(c, matrix, beyond, &f);
    cell_find_unresolved(c, &f, &r->unresolved[matrix]);
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
    bool whole; /* the whole cell has one verdict */
    costab_outcome is;
    costab_reason reason;
} verdict;

/* Returns true if the matrix has no crossing and equally many eigenvalues beyond the limit at every node.
 * [out] *count: that number, or the first node's. */
static bool has_one_count(const cell *c, sample_matrix matrix, const cell_reading *r, int *count) {
    double beyond = r->beyond[matrix];
    *count = crossing_beyond(&c->nodes[0]->spectra[matrix], beyond);
    for (int i = 1; i < c->count + c->checks; i++)
        if (crossing_beyond(&c->nodes[i]->spectra[matrix], beyond) != *count) return false;
    return cell_is_clear(&r->unresolved[matrix]);
}

/* Returns the verdict of the whole cell, if it has no crossing or is proved unstable; otherwise fills the
 * reading. */
static verdict whole_verdict(const cell *c, cell_reading *r) {
    verdict unstable = {true, COSTAB_OUTCOME_UNSTABLE, COSTAB_REASON_CLEAR};
    int count;
    bool contracts = true;
    r->neutral = r->noisy = false;
    r->unresolved[SAMPLE_GUESSES] = r->unresolved[SAMPLE_MAP] = (unresolved_list){.resolved = true};
    if (has_guesses(c)) {
        if (exclusion_find(c, SAMPLE_GUESSES, &unstable.reason)) return unstable;
        read_matrix(c, SAMPLE_GUESSES, r);
        contracts = has_one_count(c, SAMPLE_GUESSES, r, &count);
        if (contracts && count > 0) return unstable;
    }
    if (exclusion_find(c, SAMPLE_MAP, &unstable.reason)) return unstable;
    read_matrix(c, SAMPLE_MAP, r);
    if (!has_one_count(c, SAMPLE_MAP, r, &count)) return (verdict){.whole = false};
    if (count > 0) return unstable;
    if (r->neutral) return (verdict){contracts, COSTAB_OUTCOME_NEUTRAL, COSTAB_REASON_ROUNDING};
    return (verdict){contracts, COSTAB_OUTCOME_STABLE, COSTAB_REASON_CLEAR};
}

/* Looks for one verdict of the whole cell. If functions vary strongly, repeats this with check points and
 * scaling. */
static costab_status find_verdict(cell *c, cell_reading *r, verdict *found, costab_error *error) {
    *found = whole_verdict(c, r);
    if (found->whole || spread_of(r) < INTERPOLANT_SCALED || cell_is_near_origin(c)) return COSTAB_OK;
    TRY(cell_gather_checks(c, error));
    if (c->checks > 0) *found = whole_verdict(c, r);
    return COSTAB_OK;
}

/* ---- Properties of nodes ---- */

/* Relative width. */
static double cell_width(const cell *c) {
    return (c->to - c->from) / search_scale(c->s, c->from, c->to);
}

typedef enum node_kinds { ORDINARY, DIFFERENT, ILL_POSED, OVERFLOWS } node_kinds;

/* Returns the common kind of all nodes: ordinary (well-posed, finite, same size and delays), ill-posed or
 * overflowing. */
static node_kinds find_node_kinds(const cell *c) {
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

/* Returns true if the kind of node changes more than twice at equal delays. One interval of another kind
 * makes two changes; more come from rounding. */
static bool node_kinds_alternate(const cell *c) {
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

/* Returns true if all nodes have the same outcome: stable, unstable or neutral. */
static bool all_alike(const cell *c) {
    for (int i = 1; i < c->count; i++)
        if (sample_outcome(c->nodes[i]) != sample_outcome(c->nodes[0])) return false;
    return true;
}

/* Returns true if no node has an eigenvalue far beyond the limit. */
static bool all_near(const cell *c) {
    for (int i = 0; i < c->count; i++)
        for (int p = SAMPLE_GUESSES; p <= SAMPLE_MAP; p++)
            if (c->nodes[i]->spectra[p].n > 0 && c->nodes[i]->spectra[p].furthest > MOVED_MOST) return false;
    return true;
}

/* If the side of the limit changes once, finds that zero and divides it out of its function. */
static costab_status find_zero(cell *c, cell_reading *r, costab_error *error) {
    int index = c->zero_sought || cell_zero(c) != NULL ? 0 : cell_change(c);
    bool found;
    if (index == 0) return COSTAB_OK;
    c->zero_sought = true;
    TRY(zero_find(c, index, &found, error));
    if (found) TRY(cell_gather_zero_check(c, error));
    if (found) read_matrices(c, r);
    return COSTAB_OK;
}

/* Returns true if every function is unresolved on a small part only. Requires an unresolved interval, since
 * otherwise the single clear interval would be the cell itself. */
static bool is_resolved(const cell *c, const cell_reading *r) {
    const unresolved_list *map = &r->unresolved[SAMPLE_MAP], *guesses = &r->unresolved[SAMPLE_GUESSES];
    bool any = map->count > 0 || guesses->count > 0 || cell_zero(c) != NULL;
    return any && !map->neutral && !guesses->neutral && map->resolved && guesses->resolved;
}

/* Returns true if a function is unresolved everywhere, though above rounding. */
static bool is_unknown(const cell_reading *r) {
    return !r->noisy && (r->unresolved[SAMPLE_MAP].throughout || r->unresolved[SAMPLE_GUESSES].throughout);
}

/* ---- Decisions ---- */

/* Applies the rules at one degree. *done: the cell was emitted or divided. */
static costab_status decide_at(cell *c, int k, cell_reading *r, bool *done, costab_error *error) {
    TRY(cell_gather(c, k, error));
    verdict found;
    *done = true;
    node_kinds nodes = find_node_kinds(c);
    bool dense = cell_is_dense(c);
    if ((nodes == ILL_POSED || nodes == OVERFLOWS) && !dense) {
        *done = false;
        return COSTAB_OK;
    }
    if (nodes == ILL_POSED) return cell_emit(c, COSTAB_OUTCOME_ILL_POSED, COSTAB_REASON_ILL_POSED, error);
    if (nodes == OVERFLOWS) return cell_emit(c, COSTAB_OUTCOME_UNSTABLE, COSTAB_REASON_OVERFLOW, error);
    if (nodes == DIFFERENT && node_kinds_alternate(c) && cell_width(c) <= SLIVERS_WIDTH)
        return cell_emit(c, COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_ROUNDING, error);
    if (nodes == DIFFERENT) return cell_cut_at_jump(c, error);
    TRY(find_verdict(c, r, &found, error));
    *done = !found.whole || dense;
    if (found.whole) return dense ? cell_emit(c, found.is, found.reason, error) : COSTAB_OK;
    TRY(find_zero(c, r, error));
    if (cell_is_near_origin(c) && spread_of(r) > SPREAD_MOST && cell_zero(c) == NULL)
        return cell_bisect(c, error);
    if (dense && is_resolved(c, r)) return cell_split_clear(c, r, error);
    if (is_unknown(r)) return cell_divide(c, error);
    *done = false;
    return COSTAB_OK;
}

/* Decides a cell after the last degree. */
static costab_status decide_last(const cell *c, const cell_reading *r, costab_error *error) {
    double width = cell_width(c);
    bool alike = all_alike(c), near = all_near(c);
    if (alike && sample_outcome(c->nodes[0]) == COSTAB_OUTCOME_NEUTRAL)
        return cell_emit(c, near ? COSTAB_OUTCOME_NEUTRAL : COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_ROUNDING,
                         error);
    double far_width = c->nodes[0]->spectra[SAMPLE_LOOP].n > 0 ? SLIVERS_WIDTH : NOISY_FAR_WIDTH;
    if (r->noisy && (near ? !alike || width <= NOISY_WIDTH : width <= far_width))
        return cell_emit(c, COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_ROUNDING, error);
    return cell_zero(c) != NULL ? cell_divide(c, error) : cell_bisect(c, error);
}

costab_status decision_make(search *s, double from, double to, bool first, costab_error *error) {
    cell c = {.s = s, .from = from, .to = to};
    cell_reading r;
    double scale = search_scale(s, from, to);
    bool done = false;
    if (to - from <= SEARCH_TOLERANCE * scale) return cell_emit_narrow(&c, first, error);
    c.narrow = to - from <= NARROW * scale;
    for (int k = 0; k < CHEBYSHEV_DEGREES && !done; k++) TRY(decide_at(&c, k, &r, &done, error));
    return done ? COSTAB_OK : decide_last(&c, &r, error);
}
