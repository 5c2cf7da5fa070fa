/* Divides a cell into intervals with verdicts and new open cells (docs/explanation/algorithms.md, Complete
 * limits).
 * Clear intervals (cell_split_clear):
 * 1. Joins the unresolved intervals of all functions and widens them by a twentieth on each side. Also joins
 *    neighbours if all samples around them have an eigenvalue beyond the limit.
 * 2. Counts the eigenvalues beyond the limit at the nodes of each interval in between, or at its middle if it
 *    has no node. Equal counts give the verdict, provided that the samples at both ends do not contradict it.
 *    Otherwise the interval becomes an open cell.
 * 3. Turns each unresolved interval into an open cell, or into two if it is wider than 0.6 of the cell.
 * Jumps (cell_cut_at_jump):
 * 4. The map jumps if a delay in seconds spans one more macro step or if its size changes. A jump between two
 *    nodes is bisected to neighbouring doubles; both sides become open cells.
 * Cost: one sample at each end of a clear interval and in an interval without nodes; about 50 per jump. */
#include <math.h>

#include "base/error.h"
#include "limit/cell.h"

/* Widening of unresolved intervals on each side, relative to their width. */
#define WIDEN 0.05
/* An unresolved interval wider than this share of the cell becomes two cells. */
#define WIDE 0.6
/* Share of the part next to a known zero when an unstable cell is divided. */
#define SHARE_BEYOND 0.125

static costab_status emit(const cell *c, double from, double to, costab_outcome verdict, costab_reason reason,
                          costab_error *error) {
    costab_cell found = {.from = from, .to = to, .verdict = verdict, .reason = reason};
    return search_emit(c->s->cells, found, error);
}

costab_status cell_emit(const cell *c, costab_outcome verdict, costab_reason reason, costab_error *error) {
    return emit(c, c->from, c->to, verdict, reason, error);
}

/* ---- A resolved cell ---- */

/* Returns the number of eigenvalues beyond the limit: the count of the map plus 10000 times the count of the
 * iteration matrix. */
static int beyond_at(const sample *p, const cell_reading *r) {
    int count = crossing_beyond(&p->spectra[SAMPLE_MAP], r->beyond[SAMPLE_MAP]);
    if (p->spectra[SAMPLE_GUESSES].n > 0)
        count += 10000 * crossing_beyond(&p->spectra[SAMPLE_GUESSES], r->beyond[SAMPLE_GUESSES]);
    return count;
}

/* Returns true if a sample is beyond rounding on the other side of the limit than a verdict. */
static bool contradicts(const sample *p, costab_outcome verdict) {
    costab_outcome outcome = sample_outcome(p);
    bool decided = outcome == COSTAB_OUTCOME_STABLE || outcome == COSTAB_OUTCOME_UNSTABLE;
    return decided && (outcome == COSTAB_OUTCOME_UNSTABLE) != (verdict == COSTAB_OUTCOME_UNSTABLE);
}

/* Counts the eigenvalues beyond the limit in a clear interval. *agree: all samples have the same count. An
 * interval without samples is evaluated at its middle. */
static costab_status count_beyond(const cell *c, const cell_reading *r, double from, double to, bool *agree,
                                  int *count, costab_error *error) {
    bool any = false;
    *agree = true;
    *count = 0;
    for (int i = 0; i < c->count + c->checks; i++) {
        if (c->nodes[i]->at < from || c->nodes[i]->at > to) continue;
        int now = beyond_at(c->nodes[i], r);
        *agree = *agree && (!any || now == *count);
        *count = now;
        any = true;
    }
    if (any) return COSTAB_OK;
    const sample *middle;
    double at = from + (to - from) / 2;
    TRY(sample_find(c->s->cache, at, &middle, error));
    const crossing_spectrum *s = middle->spectra;
    *agree = middle->posed && !s[SAMPLE_MAP].overflow && !s[SAMPLE_GUESSES].overflow;
    if (*agree) *count = beyond_at(middle, r);
    return COSTAB_OK;
}

/* Emits a clear interval, or opens it if samples contradict each other. An end at a known zero is skipped:
 * the samples on both sides were checked when the zero was found. */
static costab_status decide_clear(const cell *c, const cell_reading *r, double from, double to,
                                  costab_error *error) {
    bool agree;
    int count;
    TRY(count_beyond(c, r, from, to, &agree, &count, error));
    costab_outcome verdict = count > 0    ? COSTAB_OUTCOME_UNSTABLE
                             : r->neutral ? COSTAB_OUTCOME_NEUTRAL
                                          : COSTAB_OUTCOME_STABLE;
    for (int i = 0; i < 2; i++) {
        const double at = i == 0 ? from : to;
        const sample *border;
        if (search_zero_at(c->s, at) != NULL) continue;
        TRY(sample_find(c->s->cache, at, &border, error));
        agree = agree && !contradicts(border, verdict);
    }
    return agree ? emit(c, from, to, verdict, COSTAB_REASON_CLEAR, error)
                 : search_open_cell(c->s, from, to, error);
}

/* Emits the undecided interval around a known zero. */
static costab_status emit_zero(const cell *c, double from, double to, costab_error *error) {
    return emit(c, from, to, COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_NARROW, error);
}

/* Opens one unresolved interval, in two cells if it is wide. Emits it as undecided if rounding is the cause
 * (`final`), or if it is the interval of a known zero. */
static costab_status open_unresolved(const cell *c, bool final, double from, double to, costab_error *error) {
    if (final) return emit(c, from, to, COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_ROUNDING, error);
    const known_zero *zero = search_zero_at(c->s, from);
    if (zero != NULL && zero == search_zero_at(c->s, to)) return emit_zero(c, from, to, error);
    if (to - from <= WIDE * (c->to - c->from)) return search_open_cell(c->s, from, to, error);
    double middle = from + (to - from) / 2;
    TRY(search_open_cell(c->s, middle, to, error));
    return search_open_cell(c->s, from, middle, error);
}

/* Returns true if there are samples between two numbers of [-1, 1] and each has an eigenvalue beyond the
 * limit. */
static bool is_unstable_between(const cell *c, const cell_reading *r, double from, double to) {
    bool any = false;
    for (int i = 0; i < c->count + c->checks; i++) {
        double at = c->nodes[i]->at;
        if (at < cell_parameter(c, from) || at > cell_parameter(c, to)) continue;
        if (beyond_at(c->nodes[i], r) == 0) return false;
        any = true;
    }
    return any;
}

/* Joins neighbouring unresolved intervals if all samples around them have an eigenvalue beyond the limit.
 * Another eigenvalue passes the limit there, and a single open cell may be proved unstable at once. Returns
 * the number of remaining intervals. */
static int join_unstable(const cell *c, const cell_reading *r, chebyshev_interval *all, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        chebyshev_interval *last = all + kept - 1;
        bool joined = kept > 0 && !all[i].final && !last->final &&
                      is_unstable_between(c, r, kept > 1 ? last[-1].to : -1, last->from) &&
                      is_unstable_between(c, r, last->to, all[i].from) &&
                      is_unstable_between(c, r, all[i].to, i + 1 < count ? all[i + 1].from : 1);
        if (joined)
            last->to = all[i].to;
        else
            all[kept++] = all[i];
    }
    return kept;
}

/* Lists the unresolved intervals, ascending and widened. Adds the interval around a known zero inside the
 * cell, because that zero was divided out of the functions. */
static int list_unresolved(const cell *c, const cell_reading *r, chebyshev_interval *all) {
    int count = 0;
    for (int p = SAMPLE_GUESSES; p <= SAMPLE_MAP; p++)
        for (int i = 0; i < r->unresolved[p].count; i++) all[count++] = r->unresolved[p].items[i];
    count = chebyshev_join(all, count);
    double least = SEARCH_TOLERANCE * search_scale(c->s, c->from, c->to) * 2 / (c->to - c->from);
    for (int i = 0; i < count; i++) {
        double more = fmax(WIDEN * (all[i].to - all[i].from), 0.2 * least);
        all[i].from = fmax(-1, all[i].from - more);
        all[i].to = fmin(1, all[i].to + more);
        if (i > 0 && all[i].from < all[i - 1].to + least) all[i].from = all[i - 1].to;
    }
    count = chebyshev_join(all, count);
    const known_zero *zero = cell_zero(c);
    if (zero == NULL) return count;
    double middle = c->from + (c->to - c->from) / 2, half = (c->to - c->from) / 2;
    all[count++] = (chebyshev_interval){.from = (zero->at - zero->half - middle) / half,
                                        .to = (zero->at + zero->half - middle) / half};
    return chebyshev_join(all, count);
}

/* Runs from right to left: the cell opened last is decided next. */
costab_status cell_split_clear(const cell *c, const cell_reading *r, costab_error *error) {
    chebyshev_interval all[2 * CELL_INTERVALS + 1];
    int count = join_unstable(c, r, all, list_unresolved(c, r, all));
    double right = c->to;
    for (int i = count - 1; i >= 0; i--) {
        double from = all[i].from <= -1 ? c->from : cell_parameter(c, all[i].from);
        double to = all[i].to >= 1 ? c->to : cell_parameter(c, all[i].to);
        if (to < right) TRY(decide_clear(c, r, to, right, error));
        if (from < to) TRY(open_unresolved(c, all[i].final, from, to, error));
        right = from;
    }
    return right > c->from ? decide_clear(c, r, c->from, right, error) : COSTAB_OK;
}

/* ---- Divisions ---- */

/* Returns the point at which a cell is divided in two: the arithmetic mean, or the geometric mean if the ends
 * (the lower one at least 1e-8 of the range) differ by more than a factor of 4. An unstable cell next to a
 * known zero is divided near the zero. Over a wide cell no circle would separate the passing eigenvalue from
 * the others, as exclusion requires. */
static double middle_of(const cell *c) {
    double share = 0.5, width = c->to - c->from;
    bool unstable = sample_outcome(c->nodes[c->count / 2]) == COSTAB_OUTCOME_UNSTABLE;
    if (unstable) {
        if (search_zero_at(c->s, c->from) != NULL) share = SHARE_BEYOND;
        if (search_zero_at(c->s, c->to) != NULL) share = 1 - SHARE_BEYOND;
    }
    double least = fmax(c->from, search_scale(c->s, 0, 0));
    if (share == 0.5 && c->from > 0 && c->to > 4 * least) return sqrt(least * c->to);
    return c->from + share * width;
}

costab_status cell_bisect(const cell *c, costab_error *error) {
    double middle = middle_of(c);
    if (!(middle > c->from && middle < c->to))
        return cell_emit(c, COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_NARROW, error);
    TRY(search_open_cell(c->s, middle, c->to, error));
    return search_open_cell(c->s, c->from, middle, error);
}

costab_status cell_divide(const cell *c, costab_error *error) {
    const known_zero *zero = cell_zero(c);
    int at = cell_change(c);
    if (zero != NULL) {
        double from = zero->at - zero->half, to = zero->at + zero->half;
        TRY(search_open_cell(c->s, to, c->to, error));
        TRY(search_open_cell(c->s, c->from, from, error));
        return emit_zero(c, from, to, error);
    }
    if (at == 0) return cell_bisect(c, error);
    double before = c->nodes[at - 1]->at, after = c->nodes[at]->at;
    if (at + 1 < c->count) TRY(search_open_cell(c->s, after, c->to, error));
    TRY(search_open_cell(c->s, before, after, error));
    return at > 1 ? search_open_cell(c->s, c->from, before, error) : COSTAB_OK;
}

/* ---- Jumps ---- */

/* Returns true if the map jumps between two samples. */
static bool jumps(const sample *p, const sample *q) {
    return p->posed && q->posed && !sample_has_form_of(p, q);
}

/* Opens one side of a jump. A side of a single number belongs to the neighbouring cell; at an end of the
 * range it gets its own verdict. */
static costab_status open_side(const cell *c, double from, double to, costab_error *error) {
    if (from < to) {
        TRY(search_open_cell(c->s, from, to, error));
        c->s->open[c->s->open_count - 1].first = true;
        return COSTAB_OK;
    }
    if (from != c->s->lower && to != c->s->upper) return COSTAB_OK;
    const sample *at;
    TRY(sample_find(c->s->cache, from, &at, error));
    return emit(c, from, to, sample_outcome(at), COSTAB_REASON_PLACE, error);
}

costab_status cell_cut_at_jump(const cell *c, costab_error *error) {
    int i = 1;
    while (i < c->count && !jumps(c->nodes[i - 1], c->nodes[i])) i++;
    if (i == c->count) return cell_bisect(c, error);
    double before = c->nodes[i - 1]->at, after = c->nodes[i]->at;
    sample_narrow_jump(c->s->cache, &before, &after);
    for (;;) {
        double middle = before + (after - before) / 2;
        const sample *at;
        if (!(middle > before && middle < after)) break;
        TRY(sample_find(c->s->cache, middle, &at, error));
        bool same = at->posed && sample_has_form_of(at, c->nodes[i - 1]);
        *(same ? &before : &after) = middle;
    }
    TRY(open_side(c, after, c->to, error));
    return open_side(c, c->from, before, error);
}

/* ---- Cells of minimal width ---- */

/* Returns true if det(I - D L) has different signs at the two ends. */
static bool passes_pole(const sample *const ends[2]) {
    if (ends[0]->spectra[SAMPLE_LOOP].n == 0) return false;
    return (ends[0]->functions[SAMPLE_LOOP][0].mantissa < 0) !=
           (ends[1]->functions[SAMPLE_LOOP][0].mantissa < 0);
}

costab_status cell_emit_narrow(const cell *c, bool first, costab_error *error) {
    const sample *ends[2] = {NULL, NULL};
    TRY(sample_find(c->s->cache, c->from, &ends[0], error));
    TRY(sample_find(c->s->cache, c->to, &ends[1], error));
    if (!ends[0]->posed || !ends[1]->posed || passes_pole(ends))
        return cell_emit(c, COSTAB_OUTCOME_ILL_POSED, COSTAB_REASON_ILL_POSED, error);
    costab_outcome is = sample_outcome(ends[0]);
    bool told = is == sample_outcome(ends[1]) && (is == COSTAB_OUTCOME_NEUTRAL || first);
    return cell_emit(c, told ? is : COSTAB_OUTCOME_UNDECIDED, COSTAB_REASON_NARROW, error);
}
