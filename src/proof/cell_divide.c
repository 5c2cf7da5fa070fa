/* What becomes of a cell that has not one verdict: its clear stretches, what is opened anew, and ends. */
#include <math.h>

#include "proof/end.h"

/* Grey stretches are widened by this share of themselves on each side. */
#define WIDEN 0.05
/* What a cell leaves beyond an end. */
#define SHARE_BEYOND 0.125

static costab_status emit(const cell *c, costab_cell found, costab_error *error) {
    found.cell_from = c->from;
    found.cell_to = c->to;
    found.degree = c->count - 1;
    found.kernel = c->count > 0 ? c->nodes[0]->kernel : -1;
    for (int i = 1; i < c->count; i++)
        if (c->nodes[i]->kernel < found.kernel) found.kernel = c->nodes[i]->kernel;
    return search_emit(c->s->cells, found, error);
}

costab_status cell_emit_whole(const cell *c, costab_cell found, costab_error *error) {
    found.from = c->from;
    found.to = c->to;
    return emit(c, found, error);
}

/* ---- A cell with grey stretches ---- */

static int beyond_at(const place *p, const cell_reading *r) {
    int count = crossing_beyond(&p->spectra[PLACE_MAP], r->beyond[PLACE_MAP]);
    if (p->spectra[PLACE_GUESSES].n > 0)
        count += 10000 * crossing_beyond(&p->spectra[PLACE_GUESSES], r->beyond[PLACE_GUESSES]);
    return count;
}

/* Is a decided place on the other side of the limit than a verdict says? */
static bool contradicts(const place *p, costab_outcome verdict) {
    costab_outcome outcome = place_outcome(p);
    bool decided = outcome == COSTAB_OUTCOME_STABLE || outcome == COSTAB_OUTCOME_UNSTABLE;
    return decided && (outcome == COSTAB_OUTCOME_UNSTABLE) != (verdict == COSTAB_OUTCOME_UNSTABLE);
}

/* A clear stretch: the nodes in it must agree, and where there is none its middle is evaluated. Its ends,
 * which grey stretches begin with, must not be beyond what makes them grey. */
static costab_status clear_stretch(const cell *c, const cell_reading *r, double from, double to,
                                   costab_error *error) {
    bool any = false, agree = true;
    int count = 0;
    costab_status status = COSTAB_OK;
    for (int i = 0; i < c->count + c->checks; i++) {
        if (c->nodes[i]->at[0] < from || c->nodes[i]->at[0] > to) continue;
        int now = beyond_at(c->nodes[i], r);
        agree = agree && (!any || now == count);
        count = now;
        any = true;
    }
    if (!any) {
        const place *middle;
        double at = from + (to - from) / 2;
        status = place_find(c->s->book, &at, &middle, error);
        if (status) return status;
        agree =
            middle->posed && !middle->spectra[PLACE_MAP].overflow && !middle->spectra[PLACE_GUESSES].overflow;
        if (agree) count = beyond_at(middle, r);
    }
    costab_cell found = {.from = from,
                         .to = to,
                         .reason = COSTAB_REASON_CLEAR,
                         .subject = c->s->continuous ? COSTAB_SUBJECT_CONTINUOUS : COSTAB_SUBJECT_MAP,
                         .verdict = count > 0    ? COSTAB_OUTCOME_UNSTABLE
                                    : r->neutral ? COSTAB_OUTCOME_NEUTRAL
                                                 : COSTAB_OUTCOME_STABLE};
    for (int i = 0; i < 2; i++) {
        const double at = i == 0 ? from : to;
        const place *end;
        if (end_at(c->s, at) != NULL) continue; /* the places beside it have been asked */
        status = place_find(c->s->book, &at, &end, error);
        if (status) return status;
        agree = agree && !contradicts(end, found.verdict);
    }
    return agree ? emit(c, found, error) : search_open_cell(c->s, from, to, error);
}

static costab_status emit_end(const cell *c, double from, double to, costab_error *error) {
    costab_cell found = {
        .from = from, .to = to, .verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_NARROW};
    return emit(c, found, error);
}

static costab_status grey_stretch(const cell *c, const chebyshev_stretch *grey, double from, double to,
                                  costab_error *error) {
    if (grey->final) {
        costab_cell found = {
            .from = from, .to = to, .verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_ROUNDING};
        return emit(c, found, error);
    }
    const search_end *end = end_at(c->s, from);
    if (end != NULL && end == end_at(c->s, to)) return emit_end(c, from, to, error);
    if (to - from <= 0.6 * (c->to - c->from)) return search_open_cell(c->s, from, to, error);
    double middle = from + (to - from) / 2;
    costab_status status = search_open_cell(c->s, middle, to, error);
    return status ? status : search_open_cell(c->s, from, middle, error);
}

/* Are there nodes between two places of [-1, 1], and is something beyond the limit at each? */
static bool is_unstable_between(const cell *c, const cell_reading *r, double from, double to) {
    bool any = false;
    for (int i = 0; i < c->count + c->checks; i++) {
        double at = c->nodes[i]->at[0];
        if (at < cell_place(c, from) || at > cell_place(c, to)) continue;
        if (beyond_at(c->nodes[i], r) == 0) return false;
        any = true;
    }
    return any;
}

/* Where more passes a limit that something is beyond already, grey stretches and what is between them become
 * one: not stable at all, it is decided at once. */
static int join_unstable(const cell *c, const cell_reading *r, chebyshev_stretch *grey, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        chebyshev_stretch *last = grey + kept - 1;
        bool joined = kept > 0 && !grey[i].final && !last->final &&
                      is_unstable_between(c, r, kept > 1 ? last[-1].to : -1, last->from) &&
                      is_unstable_between(c, r, last->to, grey[i].from) &&
                      is_unstable_between(c, r, grey[i].to, i + 1 < count ? grey[i + 1].from : 1);
        if (joined)
            last->to = grey[i].to;
        else
            grey[kept++] = grey[i];
    }
    return kept;
}

/* A known end inside the cell, which was taken out of its functions, is a grey stretch, too. */
static int add_end(const cell *c, chebyshev_stretch *grey, int count) {
    const search_end *end = end_inside(c);
    if (end == NULL) return count;
    double middle = c->from + (c->to - c->from) / 2, half = (c->to - c->from) / 2;
    grey[count++] = (chebyshev_stretch){.from = (end->at - end->half - middle) / half,
                                        .to = (end->at + end->half - middle) / half};
    return chebyshev_join(grey, count);
}

/* Clear stretches get their verdict, grey ones are cells of their own. From right to left, so that the
 * leftmost is the next to be looked at. */
costab_status cell_take_apart(const cell *c, const cell_reading *r, costab_error *error) {
    chebyshev_stretch grey[2 * CELL_STRETCHES + 1];
    int count = 0;
    for (int p = PLACE_GUESSES; p <= PLACE_MAP; p++)
        for (int i = 0; i < r->grey[p].count; i++) grey[count++] = r->grey[p].items[i];
    count = chebyshev_join(grey, count);
    double least = 0.2 * SEARCH_TOLERANCE * search_scale(c->s, c->from, c->to) * 2 / (c->to - c->from);
    for (int i = 0; i < count; i++) {
        double more = fmax(WIDEN * (grey[i].to - grey[i].from), least);
        grey[i].from = fmax(-1, grey[i].from - more);
        grey[i].to = fmin(1, grey[i].to + more);
    }
    count = add_end(c, grey, chebyshev_join(grey, count));
    count = join_unstable(c, r, grey, count);
    double right = c->to;
    costab_status status = COSTAB_OK;
    for (int i = count - 1; i >= 0 && !status; i--) {
        double from = grey[i].from <= -1 ? c->from : cell_place(c, grey[i].from);
        double to = grey[i].to >= 1 ? c->to : cell_place(c, grey[i].to);
        if (to < right) status = clear_stretch(c, r, to, right, error);
        if (!status && from < to) status = grey_stretch(c, &grey[i], from, to, error);
        right = from;
    }
    if (right > c->from && !status) status = clear_stretch(c, r, c->from, right, error);
    return status;
}

/* ---- Divisions ---- */

/* Where a cell is divided in two. No circle is between what has just passed the limit and what follows it in
 * all of a cell that reaches far beyond an end: such a cell leaves a small one there. */
static double middle_of(const cell *c) {
    double share = 0.5, width = c->to - c->from;
    bool unstable = c->count == 0 || place_outcome(c->nodes[c->count / 2]) == COSTAB_OUTCOME_UNSTABLE;
    if (unstable && !c->s->confirmed) {
        if (end_at(c->s, c->from) != NULL) share = SHARE_BEYOND;
        if (end_at(c->s, c->to) != NULL) share = 1 - SHARE_BEYOND;
    }
    if (share == 0.5 && c->from > 0 && c->to > 4 * c->from) return sqrt(c->from * c->to);
    return c->from + share * width;
}

costab_status cell_bisect(const cell *c, costab_error *error) {
    double middle = middle_of(c);
    if (!(middle > c->from && middle < c->to)) {
        costab_cell found = {.verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_NARROW};
        return cell_emit_whole(c, found, error);
    }
    costab_status status = search_open_cell(c->s, middle, c->to, error);
    return status ? status : search_open_cell(c->s, c->from, middle, error);
}

int cell_change(const cell *c) {
    int changes = 0, at = 0;
    costab_outcome before = place_outcome(c->nodes[0]);
    for (int i = 0; i < c->count; i++) {
        costab_outcome now = place_outcome(c->nodes[i]);
        if (now != COSTAB_OUTCOME_STABLE && now != COSTAB_OUTCOME_UNSTABLE) return 0;
        if (now == before) continue;
        changes++;
        at = i;
        before = now;
    }
    return changes == 1 ? at : 0;
}

costab_status cell_divide(const cell *c, costab_error *error) {
    const search_end *end = end_inside(c);
    int at = cell_change(c);
    costab_status status = COSTAB_OK;
    if (end != NULL) {
        status = search_open_cell(c->s, end->at + end->half, c->to, error);
        if (!status) status = search_open_cell(c->s, c->from, end->at - end->half, error);
        return status ? status : emit_end(c, end->at - end->half, end->at + end->half, error);
    }
    if (at == 0) return cell_bisect(c, error);
    if (at + 1 < c->count) status = search_open_cell(c->s, c->nodes[at]->at[0], c->to, error);
    if (!status) status = search_open_cell(c->s, c->nodes[at - 1]->at[0], c->nodes[at]->at[0], error);
    if (!status && at > 1) status = search_open_cell(c->s, c->from, c->nodes[at - 1]->at[0], error);
    return status;
}

costab_status cell_finish(const cell *c, costab_error *error) {
    const place *ends[2] = {NULL, NULL};
    costab_status status = place_find(c->s->book, &c->from, &ends[0], error);
    if (!status) status = place_find(c->s->book, &c->to, &ends[1], error);
    if (status) return status;
    bool ill = !ends[0]->posed || !ends[1]->posed;
    if (!ill && ends[0]->spectra[PLACE_LOOP].n > 0)
        ill = (ends[0]->functions[PLACE_LOOP][0].mantissa < 0) !=
              (ends[1]->functions[PLACE_LOOP][0].mantissa < 0);
    bool neutral = !ill && place_outcome(ends[0]) == COSTAB_OUTCOME_NEUTRAL &&
                   place_outcome(ends[1]) == COSTAB_OUTCOME_NEUTRAL;
    costab_cell found = {.verdict = ill       ? COSTAB_OUTCOME_ILL_POSED
                                    : neutral ? COSTAB_OUTCOME_NEUTRAL
                                              : COSTAB_OUTCOME_UNDECIDED,
                         .reason = ill ? COSTAB_REASON_ILL_POSED : COSTAB_REASON_NARROW};
    return cell_emit_whole(c, found, error);
}
