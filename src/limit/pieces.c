/* Combines the cells of both searches into the intervals of the result (docs/explanation/algorithms.md,
 * Complete limits).
 * 1. Joins neighbouring cells of one verdict into intervals.
 * 2. A narrow run (2e-8, relative) of intervals that are neither stable nor unstable, between a stable and an
 *    unstable interval, becomes one end, refined by zero_refine.
 * 3. Any other run of such intervals between two stable or unstable intervals becomes one undecided interval
 *    if it is narrower than 1e-4, unless part of it is ill-posed or undecided for lack of evaluations.
 * 4. Where an eigenvalue of A_mono passes 0, the map of a consistent coupling has the eigenvalue 1. Both
 *    systems then have a common end, separated only by rounding. So an end of the co-simulation within both
 *    uncertainties of an end of the continuous system moves to that end. Ends within one list are not
 *    compared.
 * 5. Cuts both lists at the ends of either, so each interval has a class. Joins neighbours of one class if
 *    the co-simulation is not unstable. Unstable intervals are left out.
 * Cost: about ten eigenvalue problems per end that the search has not refined. */
#include "limit/pieces.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "limit/zero.h"

/* Largest relative width of a run that becomes an end. */
#define END_WIDTH 2e-8
/* Largest relative width of a run that becomes one undecided interval. */
#define RUN_WIDTH 1e-4
/* join_cells joins two undecided intervals across a neutral one up to this width, and across a stable or
 * unstable one up to END_WIDTH: where rounding hides the limit, some verdicts are random. */
#define NEUTRAL_GAP_WIDTH 1e-2
/* Largest relative width of an undecided interval that becomes an end next to a neutral interval. */
#define NEUTRAL_END_WIDTH 1e-9

/* ---- Intervals ---- */

static bool is_definite(costab_outcome verdict) {
    return verdict == COSTAB_OUTCOME_STABLE || verdict == COSTAB_OUTCOME_UNSTABLE ||
           verdict == COSTAB_OUTCOME_NEUTRAL;
}

/* Finds the end in [from, to] and its uncertainty: a known zero, otherwise by zero_refine. */
static costab_status refine(search *s, double from, double to, double *at, double *uncertainty,
                            costab_error *error) {
    const known_zero *known = search_zero_at(s, from + (to - from) / 2);
    if (known == NULL || known->at < from || known->at > to)
        return zero_refine(s, from, to, at, uncertainty, error);
    *at = known->at;
    *uncertainty = fmin(known->error, SEARCH_TOLERANCE * search_scale(s, from, to));
    return COSTAB_OK;
}

/* Returns true if the last interval is a narrow one after an undecided one. */
static bool is_gap(const search *s, const interval *intervals, size_t count) {
    if (count < 2 || !is_definite(intervals[count - 1].verdict) ||
        intervals[count - 2].verdict != COSTAB_OUTCOME_UNDECIDED)
        return false;
    double from = intervals[count - 1].from, to = intervals[count - 1].to;
    double width = intervals[count - 1].verdict == COSTAB_OUTCOME_NEUTRAL ? NEUTRAL_GAP_WIDTH : END_WIDTH;
    return to - from <= width * search_scale(s, from, to);
}

/* Joins cells; returns the number of intervals. */
static size_t join_cells(const search *s, interval *intervals) {
    size_t count = 0;
    for (size_t i = 0; i < s->cells->count; i++) {
        const costab_cell *item = &s->cells->items[i];
        if (item->verdict == COSTAB_OUTCOME_UNDECIDED && is_gap(s, intervals, count)) count--;
        bool same = count > 0 && intervals[count - 1].verdict == item->verdict;
        if (same) {
            intervals[count - 1].to = item->to;
            if (item->reason == COSTAB_REASON_CAP) intervals[count - 1].reason = item->reason;
        } else {
            intervals[count++] = (interval){item->from, item->to, item->verdict, item->reason, false, 0};
        }
    }
    return count;
}

/* Returns the index of the first stable or unstable interval from i on: the end of a run that starts at i. */
static size_t run_from(const interval *intervals, size_t i, size_t count) {
    while (i < count && intervals[i].verdict != COSTAB_OUTCOME_STABLE &&
           intervals[i].verdict != COSTAB_OUTCOME_UNSTABLE)
        i++;
    return i;
}

/* Returns the number of intervals from i on that form one end: a whole run, or one undecided interval next to
 * a neutral one; 0 otherwise. *ill: one of them is ill-posed. */
static size_t end_length(const search *s, const interval *intervals, size_t i, size_t count, bool *ill) {
    size_t next = run_from(intervals, i, count);
    *ill = false;
    if (i == 0 || next == i) return 0;
    double scale = search_scale(s, intervals[i].from, intervals[i].to);
    for (size_t k = i; k < next; k++) *ill = *ill || intervals[k].verdict == COSTAB_OUTCOME_ILL_POSED;
    if (next < count && intervals[i - 1].verdict != COSTAB_OUTCOME_NEUTRAL &&
        (intervals[i - 1].verdict != intervals[next].verdict || *ill) &&
        intervals[next].from - intervals[i].from <= END_WIDTH * scale)
        return next - i;
    *ill = intervals[i].verdict == COSTAB_OUTCOME_ILL_POSED;
    if (i + 1 == count || is_definite(intervals[i].verdict) || !is_definite(intervals[i + 1].verdict) ||
        !is_definite(intervals[i - 1].verdict))
        return 0;
    bool differ = intervals[i - 1].verdict != intervals[i + 1].verdict || *ill;
    return differ && intervals[i].to - intervals[i].from <= NEUTRAL_END_WIDTH * scale ? 1 : 0;
}

/* Returns the number of intervals from i on that form one undecided interval; 0 otherwise. */
static size_t run_length(const search *s, const interval *intervals, size_t i, size_t count) {
    size_t next = run_from(intervals, i, count);
    if (i == 0 || next == i || next == count || run_from(intervals, i - 1, count) != i - 1) return 0;
    for (size_t k = i; k < next; k++)
        if (intervals[k].verdict == COSTAB_OUTCOME_ILL_POSED || intervals[k].reason == COSTAB_REASON_CAP)
            return 0;
    double width = intervals[next].from - intervals[i].from;
    return width <= RUN_WIDTH * search_scale(s, intervals[i].from, intervals[i].to) ? next - i : 0;
}

/* Joins `length` intervals from i on to one undecided interval. */
static interval join_run(const interval *intervals, size_t i, size_t length) {
    interval run = intervals[i];
    run.to = intervals[i + length - 1].to;
    run.verdict = COSTAB_OUTCOME_UNDECIDED;
    run.reason = COSTAB_REASON_NARROW;
    for (size_t k = i; k < i + length; k++)
        if (intervals[k].verdict == COSTAB_OUTCOME_NEUTRAL || intervals[k].reason == COSTAB_REASON_ROUNDING)
            run.reason = COSTAB_REASON_ROUNDING;
    return run;
}

costab_status pieces_intervals(search *s, interval **intervals, size_t *count, costab_error *error) {
    *count = 0;
    TRY(memory_make(intervals, s->cells->count + 1, error));
    interval *all = *intervals;
    size_t joined = join_cells(s, all), kept = 0;
    for (size_t i = 0; i < joined; i++) {
        bool ill;
        size_t length = end_length(s, all, i, joined, &ill), run = run_length(s, all, i, joined);
        if (length == 0) {
            all[kept++] = run > 0 ? join_run(all, i, run) : all[i];
            i += run > 0 ? run - 1 : 0;
            continue;
        }
        double from = all[i].from, to = all[i + length - 1].to, at = from + (to - from) / 2, uncertainty = 0;
        i += length - 1;
        all[i + 1].cut = ill;
        if (!ill) TRY(refine(s, from, to, &at, &uncertainty, error));
        all[kept - 1].to = at;
        all[i + 1].from = at;
        all[i + 1].uncertainty = uncertainty;
    }
    *count = kept;
    return COSTAB_OK;
}

/* ---- Common ends ---- */

/* Returns the nearest end of the continuous system within both uncertainties (at least 4 ulp) of an end of
 * the co-simulation; NaN if there is none. */
static double common_end(const interval *of, const interval *continuous, size_t count) {
    double nearest = (double)NAN, away = (double)INFINITY;
    for (size_t j = 1; j < count; j++) {
        double apart = fabs(of->from - continuous[j].from);
        double most =
            fmax(of->uncertainty + continuous[j].uncertainty, 4 * DBL_EPSILON * fabs(continuous[j].from));
        if (apart > most || apart >= away) continue;
        nearest = continuous[j].from;
        away = apart;
    }
    return nearest;
}

/* Moves common ends; returns the number of co-simulation intervals of positive length. */
static size_t share_ends(interval *discrete, size_t count, const interval *continuous,
                         size_t continuous_count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        double end = i + 1 < count ? common_end(&discrete[i + 1], continuous, continuous_count) : (double)NAN;
        if (!isnan(end)) discrete[i].to = discrete[i + 1].from = end;
        if (discrete[i].to > discrete[i].from || count == 1) discrete[kept++] = discrete[i];
    }
    return kept;
}

/* ---- Intervals with classes ---- */

/* Computes the class of an interval. Returns false if the co-simulation is unstable or the model
 * ill-posed. */
static bool class_of(costab_outcome discrete, costab_outcome continuous, uint8_t *code) {
    *code = COSTAB_CLASS_UNDECIDED;
    if (discrete == COSTAB_OUTCOME_UNSTABLE || discrete == COSTAB_OUTCOME_ILL_POSED) return false;
    if (discrete == COSTAB_OUTCOME_UNDECIDED || continuous == COSTAB_OUTCOME_UNDECIDED) return true;
    unsigned bits = discrete == COSTAB_OUTCOME_STABLE ? COSTAB_DISCRETE_STABLE : COSTAB_DISCRETE_NEUTRAL;
    if (continuous == COSTAB_OUTCOME_STABLE) bits |= COSTAB_CONTINUOUS_STABLE;
    if (continuous == COSTAB_OUTCOME_NEUTRAL) bits |= COSTAB_CONTINUOUS_NEUTRAL;
    *code = (uint8_t)bits;
    return continuous != COSTAB_OUTCOME_ILL_POSED;
}

typedef struct builder {
    costab_limit *limit;
    size_t capacity;
} builder;

static costab_status add_piece(builder *b, costab_piece piece, costab_error *error) {
    costab_limit *limit = b->limit;
    TRY(memory_reserve(&limit->pieces, &b->capacity, limit->count + 1, error));
    limit->pieces[limit->count++] = piece;
    return COSTAB_OK;
}

/* Returns the kind of an end from the states of both sides. */
static costab_end end_between(bool ill, bool other_ill, bool undecided, bool other_undecided) {
    if (ill || other_ill) return COSTAB_END_ILL_POSED;
    if (!undecided && other_undecided) return COSTAB_END_UNDECIDED;
    return COSTAB_END_LIMIT;
}

/* An interval without an end of either list inside. */
typedef struct class_interval {
    double from, to;
    bool shown, undecided, ill; /* shown: part of the result */
    bool cut;                   /* ill-posed at `from` */
    uint8_t code;
} class_interval;

/* Extends the last interval of the result or starts a new one. */
static costab_status add_interval(builder *b, const class_interval *before, const class_interval *now,
                                  costab_error *error) {
    costab_limit *limit = b->limit;
    bool first = before == NULL;
    if (!first && before->shown) {
        if (now->shown && now->code == before->code && !now->cut) {
            limit->pieces[limit->count - 1].to = now->to;
            return COSTAB_OK;
        }
        limit->pieces[limit->count - 1].to_is =
            end_between(now->cut, now->ill, before->undecided, now->undecided);
    }
    if (!now->shown) return COSTAB_OK;
    costab_piece piece = {
        .from = now->from, .to = now->to, .to_is = COSTAB_END_RANGE, .class_code = now->code};
    piece.from_is =
        first ? COSTAB_END_RANGE : end_between(now->cut, before->ill, now->undecided, before->undecided);
    return add_piece(b, piece, error);
}

/* Returns the class interval that starts at `from`, within one interval of each list. */
static class_interval next_interval(const interval *discrete, const interval *continuous, double from) {
    class_interval now = {.from = from, .to = discrete->to};
    costab_outcome other = COSTAB_OUTCOME_UNSTABLE;
    now.cut = discrete->cut && discrete->from == from;
    if (continuous != NULL) {
        now.to = fmin(now.to, continuous->to);
        now.cut = now.cut || (continuous->cut && continuous->from == from);
        other = continuous->verdict;
    }
    now.ill = discrete->verdict == COSTAB_OUTCOME_ILL_POSED || other == COSTAB_OUTCOME_ILL_POSED;
    now.shown = class_of(discrete->verdict, other, &now.code);
    now.undecided = now.shown && now.code == COSTAB_CLASS_UNDECIDED;
    return now;
}

costab_status pieces_combine(interval *discrete, size_t discrete_count, const interval *continuous,
                             size_t continuous_count, costab_limit *limit, costab_error *error) {
    builder b = {.limit = limit};
    class_interval before = {.from = 0}, now;
    bool any = false;
    size_t d = 0, c = 0;
    discrete_count = share_ends(discrete, discrete_count, continuous, continuous_count);
    while (d < discrete_count) {
        const interval *other = c < continuous_count ? &continuous[c] : NULL;
        double from = any ? fmax(before.to, discrete[d].from) : discrete[d].from;
        if (other != NULL) from = fmax(from, other->from);
        now = next_interval(&discrete[d], other, from);
        if (now.to > now.from) TRY(add_interval(&b, any ? &before : NULL, &now, error));
        if (now.undecided) {
            costab_reason why = discrete[d].verdict == COSTAB_OUTCOME_UNDECIDED || other == NULL
                                    ? discrete[d].reason
                                    : other->reason;
            limit->undecided[why] += now.to - now.from;
        }
        if (now.to > now.from) before = now;
        any = any || now.to > now.from; /* false for a single value at the start of the range */
        before.to = now.to;
        if (other != NULL && other->to <= now.to && c + 1 < continuous_count) c++;
        if (discrete[d].to <= now.to) d++;
    }
    return COSTAB_OK;
}

costab_status pieces_of_places(const interval *discrete, const interval *continuous, size_t count,
                               costab_limit *limit, costab_error *error) {
    builder b = {.limit = limit};
    class_interval before = {.from = 0};
    for (size_t i = 0; i < count; i++) {
        class_interval now = next_interval(&discrete[i], &continuous[i], discrete[i].from);
        TRY(add_interval(&b, i > 0 ? &before : NULL, &now, error));
        before = now;
    }
    return COSTAB_OK;
}
