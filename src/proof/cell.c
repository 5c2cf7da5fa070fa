/* One cell: nodes, interpolants of the crossing functions, where they are clear of zeros, and what follows.
 */
#include <math.h>
#include <string.h>

#include "proof/cell.h"

/* A cell is resolved where no function is grey on more than this share of [-1, 1]. */
#define GREY_MOST 0.1
/* Rounding decides only in cells as narrow as this, relative. */
#define NARROW 1e-6
/* Grey stretches are widened by this share of themselves on each side. */
#define WIDEN 0.05
/* Rounding that is this share of a function's values at every node hides what it does. */
#define HIDDEN_SHARE 0.25
/* Where it does, but every node shows the same side, cells down to this width, relative, may still be clear.
 */
#define HIDDEN_WIDTH 0.1
/* No interpolant follows a function over more factors of 2. */
#define SPREAD_MOST 53
/* A trend has a term log p: it follows functions in cells whose ends differ by no larger a factor. */
#define FACTOR_MOST 500.0
/* Beyond this the map is as good as overflowed. */
#define OVERFLOWING 1e30

/* Rounding that moves eigenvalues near the limit further than this hides everything. */
#define BESIDE_MOST 1e-3

static double place_at(const cell *c, double x) {
    return c->from + (c->to - c->from) * (x + 1) / 2;
}

/* ---- Interpolants ---- */

static void add_grey(grey_list *g, const chebyshev_stretch *items, int count) {
    for (int i = 0; i < count && g->count < CELL_STRETCHES; i++) g->items[g->count++] = items[i];
}

/* Is rounding so large a share of the function at every node? */
static bool is_hidden(const cell *c, const node_values *f, int which) {
    for (int i = 0; i < c->count; i++)
        if (f->at[i][which].noise < HIDDEN_SHARE) return false;
    return true;
}

/* Adds the grey stretches of one function. */
static void look_at_function(const cell *c, const interpolant_nodes *nodes, const node_values *f, int which,
                             grey_list *g) {
    crossing_value at[INTERPOLANT_PLACES];
    interpolant_reading r;
    for (int i = 0; i < c->count + c->checks; i++) at[i] = f->at[i][which];
    g->hidden = g->hidden || is_hidden(c, f, which);
    interpolant_read(nodes, at, &r);
    g->neutral = g->neutral || r.neutral;
    g->spread = fmax(g->spread, r.spread);
    if (r.neutral) return;
    if (r.width > 2 * GREY_MOST && !r.final) g->resolved = false;
    g->blank = g->blank || (r.width >= 2 && !r.final);
    add_grey(g, r.grey, r.count);
}

void cell_look(const cell *c, const node_values *f, grey_list *g) {
    g->count = 0;
    g->resolved = true;
    g->blank = false;
    g->neutral = g->hidden = false;
    g->spread = 0;
    interpolant_nodes nodes = {
        .table = &c->s->table, .k = c->k, .count = c->count, .checks = c->checks, .narrow = c->narrow};
    for (int i = 0; i < c->count + c->checks; i++) nodes.p[i] = c->nodes[i]->at[0];
    for (int which = 0; which < f->functions; which++) look_at_function(c, &nodes, f, which, g);
    g->count = chebyshev_join(g->items, g->count);
}

bool cell_is_clear(const grey_list *g) {
    return g->count == 0 && g->resolved && !g->neutral;
}

void cell_values(const cell *c, int which, const double *beyond, node_values *f) {
    f->functions = crossing_count(which == PLACE_GUESSES ? CROSSING_CIRCLE : c->kind);
    for (int i = 0; i < c->count + c->checks; i++) {
        const place *p = c->nodes[i];
        crossing_kind kind = which == PLACE_GUESSES ? CROSSING_CIRCLE : c->kind;
        if (beyond[i] == 0 && (which == PLACE_GUESSES || p->kind == kind))
            memcpy(f->at[i], p->functions[which], sizeof f->at[i]);
        else
            crossing_values(kind, &p->spectra[which], beyond[i], f->at[i]);
        if (which == PLACE_MAP) place_take_poles(p, kind, f->at[i]);
    }
}

/* ---- Counts ---- */

/* The same number of eigenvalues so far beyond the limit at every node? [out] count: at the first. */
static bool counts_agree(const cell *c, int which, double beyond, int *count) {
    *count = 0;
    for (int i = 0; i < c->count + c->checks; i++) {
        int now = crossing_beyond(&c->nodes[i]->spectra[which], beyond);
        if (i > 0 && now != *count) return false;
        *count = now;
    }
    return true;
}

/* ---- What a cell says ---- */

/* What one degree tells of the cell. */
typedef struct reading {
    grey_list grey[PLACE_SPECTRA];
    double beyond[PLACE_SPECTRA]; /* how far beyond the limit it was looked: a little where neutral */
    bool neutral;
    bool hidden; /* at the limit itself */
} reading;

static costab_status emit(const cell *c, costab_cell found, costab_error *error) {
    found.cell_from = c->from;
    found.cell_to = c->to;
    found.degree = c->count - 1;
    found.kernel = c->count > 0 ? c->nodes[0]->kernel : -1;
    for (int i = 1; i < c->count; i++)
        if (c->nodes[i]->kernel < found.kernel) found.kernel = c->nodes[i]->kernel;
    return search_emit(c->s->cells, found, error);
}

static costab_status emit_whole(const cell *c, costab_cell found, costab_error *error) {
    found.from = c->from;
    found.to = c->to;
    return emit(c, found, error);
}

/* Just beyond the limit, so far that rounding does not matter; far beyond it where rounding is that large. */
static double beside_limit(const cell *c, int which) {
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

/* Where a matrix is neutral at the limit it is looked at beside it. */
static void read_matrix(const cell *c, int which, reading *r) {
    node_values f;
    double limit[INTERPOLANT_PLACES] = {0};
    r->beyond[which] = 0;
    cell_values(c, which, limit, &f);
    cell_look(c, &f, &r->grey[which]);
    r->hidden = r->hidden || r->grey[which].hidden;
    double beside = beside_limit(c, which);
    if (!r->grey[which].neutral || beside > BESIDE_MOST) return;
    r->neutral = true;
    r->beyond[which] = beside;
    for (int i = 0; i < INTERPOLANT_PLACES; i++) limit[i] = beside;
    cell_values(c, which, limit, &f);
    cell_look(c, &f, &r->grey[which]);
}

static bool has_guesses(const cell *c) {
    return c->nodes[0]->spectra[PLACE_GUESSES].n > 0;
}

/* Tries to find one verdict for the whole cell; fills the reading else. */
static bool whole_verdict(const cell *c, reading *r, costab_cell *found) {
    int outside = 0, diverging = 0;
    bool guesses = has_guesses(c), contracts = true;
    *found = (costab_cell){
        .verdict = COSTAB_OUTCOME_UNSTABLE, .reason = COSTAB_REASON_CLEAR, .subject = COSTAB_SUBJECT_GUESSES};
    r->neutral = r->hidden = false;
    r->grey[PLACE_GUESSES] = r->grey[PLACE_MAP] = (grey_list){.resolved = true};
    if (guesses) {
        if (cell_surely_unstable(c, PLACE_GUESSES, found)) return true;
        read_matrix(c, PLACE_GUESSES, r);
        contracts = counts_agree(c, PLACE_GUESSES, r->beyond[PLACE_GUESSES], &diverging);
        bool clear = contracts && cell_is_clear(&r->grey[PLACE_GUESSES]);
        found->reason = COSTAB_REASON_CLEAR;
        if (clear && diverging > 0) return true;
        contracts = clear;
    }
    found->subject = c->s->continuous ? COSTAB_SUBJECT_CONTINUOUS : COSTAB_SUBJECT_MAP;
    if (cell_surely_unstable(c, PLACE_MAP, found)) return true;
    found->reason = COSTAB_REASON_CLEAR;
    read_matrix(c, PLACE_MAP, r);
    if (!counts_agree(c, PLACE_MAP, r->beyond[PLACE_MAP], &outside) || !cell_is_clear(&r->grey[PLACE_MAP]))
        return false;
    if (outside > 0) return true;
    found->verdict = r->neutral ? COSTAB_OUTCOME_NEUTRAL : COSTAB_OUTCOME_STABLE;
    if (r->neutral) found->reason = COSTAB_REASON_ROUNDING;
    return contracts;
}

/* ---- A cell with grey stretches ---- */

static int beyond_at(const place *p, const reading *r) {
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
static costab_status clear_stretch(const cell *c, const reading *r, double from, double to,
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
    const place *ends[2];
    status = place_find_all(c->s->book, 2, (double[]){from, to}, ends, error);
    if (status) return status;
    for (int i = 0; i < 2; i++) agree = agree && !contradicts(ends[i], found.verdict);
    return agree ? emit(c, found, error) : search_open_cell(c->s, from, to, error);
}

static costab_status grey_stretch(const cell *c, const chebyshev_stretch *grey, double from, double to,
                                  costab_error *error) {
    if (grey->final) {
        costab_cell found = {
            .from = from, .to = to, .verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_ROUNDING};
        return emit(c, found, error);
    }
    if (to - from <= 0.6 * (c->to - c->from)) return search_open_cell(c->s, from, to, error);
    double middle = from + (to - from) / 2;
    costab_status status = search_open_cell(c->s, middle, to, error);
    return status ? status : search_open_cell(c->s, from, middle, error);
}

/* Are there nodes between two places of [-1, 1], and is something beyond the limit at each? */
static bool is_unstable_between(const cell *c, const reading *r, double from, double to) {
    bool any = false;
    for (int i = 0; i < c->count + c->checks; i++) {
        double at = c->nodes[i]->at[0];
        if (at < place_at(c, from) || at > place_at(c, to)) continue;
        if (beyond_at(c->nodes[i], r) == 0) return false;
        any = true;
    }
    return any;
}

/* Where more passes a limit that something is beyond already, grey stretches and what is between them become
 * one: not stable at all, it is decided at once. */
static int join_unstable(const cell *c, const reading *r, chebyshev_stretch *grey, int count) {
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

/* Clear stretches get their verdict, grey ones are cells of their own. From right to left, so that the
 * leftmost is the next to be looked at. */
static costab_status take_apart(const cell *c, const reading *r, costab_error *error) {
    chebyshev_stretch grey[2 * CELL_STRETCHES];
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
    count = join_unstable(c, r, grey, chebyshev_join(grey, count));
    double right = c->to;
    costab_status status = COSTAB_OK;
    for (int i = count - 1; i >= 0 && !status; i--) {
        double from = grey[i].from <= -1 ? c->from : place_at(c, grey[i].from);
        double to = grey[i].to >= 1 ? c->to : place_at(c, grey[i].to);
        if (to < right) status = clear_stretch(c, r, to, right, error);
        if (!status && from < to) status = grey_stretch(c, &grey[i], from, to, error);
        right = from;
    }
    if (right > c->from && !status) status = clear_stretch(c, r, c->from, right, error);
    return status;
}

/* ---- The cell ---- */

static costab_status bisect(const cell *c, costab_error *error) {
    double middle =
        c->from > 0 && c->to > 4 * c->from ? sqrt(c->from * c->to) : c->from + (c->to - c->from) / 2;
    if (!(middle > c->from && middle < c->to)) {
        costab_cell found = {.verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_NARROW};
        return emit_whole(c, found, error);
    }
    costab_status status = search_open_cell(c->s, middle, c->to, error);
    return status ? status : search_open_cell(c->s, c->from, middle, error);
}

/* The number of the node after which another side of the limit shows than before, where that changes once
 * beyond rounding; 0: not so. */
static int change_of(const cell *c) {
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

/* Divides a cell of which nothing is known: where its nodes show an end, around that. */
static costab_status divide(const cell *c, costab_error *error) {
    int at = change_of(c);
    if (at == 0) return bisect(c, error);
    costab_status status = COSTAB_OK;
    if (at + 1 < c->count) status = search_open_cell(c->s, c->nodes[at]->at[0], c->to, error);
    if (!status) status = search_open_cell(c->s, c->nodes[at - 1]->at[0], c->nodes[at]->at[0], error);
    if (!status && at > 1) status = search_open_cell(c->s, c->from, c->nodes[at - 1]->at[0], error);
    return status;
}

/* As narrow as cells become. */
static costab_status finish(const cell *c, costab_error *error) {
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
    return emit_whole(c, found, error);
}

static costab_status gather(cell *c, int k, costab_error *error) {
    double at[CHEBYSHEV_MOST + 1];
    c->k = k;
    c->checks = 0;
    c->count = chebyshev_degree(k) + 1;
    for (int i = 0; i < c->count; i++)
        at[i] = i == 0 ? c->from : i + 1 == c->count ? c->to : place_at(c, c->s->table.points[k][i]);
    costab_status status = place_find_all(c->s->book, c->count, at, c->nodes, error);
    for (int i = 0; i < c->count && !status; i++)
        if (i == 0 || c->nodes[i]->kind == CROSSING_CIRCLE_COMPLEX) c->kind = c->nodes[i]->kind;
    return status;
}

/* Is p = 0 too near to the cell, beside its width, for a trend? */
static bool is_near_zero(const cell *c) {
    return c->from > 0 && c->to > FACTOR_MOST * c->from;
}

static double spread_of(const reading *r) {
    return fmax(r->grey[PLACE_MAP].spread, r->grey[PLACE_GUESSES].spread);
}

/* Places between nodes, where functions vary so much that they may have a trend. */
static costab_status gather_checks(cell *c, const reading *r, costab_error *error) {
    const crossing_spectrum *first = c->nodes[0]->spectra;
    if (spread_of(r) < INTERPOLANT_TREND || is_near_zero(c) || c->s->confirmed) return COSTAB_OK;
    double at[INTERPOLANT_CHECKS];
    for (int i = 0; i < INTERPOLANT_CHECKS; i++)
        at[i] = place_at(c, interpolant_check(&c->s->table, c->k, i));
    costab_status status = place_find_all(c->s->book, INTERPOLANT_CHECKS, at, c->nodes + c->count, error);
    for (int i = 0; i < INTERPOLANT_CHECKS && !status; i++) {
        const place *p = c->nodes[c->count + i];
        bool same = p->posed && (p->kind == c->kind || c->kind == CROSSING_CIRCLE_COMPLEX);
        for (int s = 0; s < PLACE_SPECTRA; s++)
            same = same && p->spectra[s].n == first[s].n && !p->spectra[s].overflow;
        if (!same) return COSTAB_OK;
    }
    if (status) return status;
    c->checks = INTERPOLANT_CHECKS;
    return COSTAB_OK;
}

typedef enum state { ORDINARY, MIXED, NOWHERE_POSED, OVERFLOWS } state;

/* Whether there are numbers at all nodes, at some, or at none. */
static state state_of(const cell *c) {
    int posed = 0, finite = 0, huge = 0, same = 0;
    for (int i = 0; i < c->count; i++) {
        const place *p = c->nodes[i];
        posed += p->posed;
        if (!p->posed) continue;
        bool overflow = false, far = false;
        for (int s = 0; s < PLACE_SPECTRA; s++) {
            overflow = overflow || p->spectra[s].overflow;
            far = far || (s != PLACE_LOOP && p->spectra[s].furthest > OVERFLOWING);
        }
        finite += !overflow;
        huge += overflow || far;
        same += p->spectra[PLACE_MAP].n == c->nodes[0]->spectra[PLACE_MAP].n &&
                p->spectra[PLACE_GUESSES].n == c->nodes[0]->spectra[PLACE_GUESSES].n;
    }
    if (posed == 0) return NOWHERE_POSED;
    if (posed == c->count && huge == c->count && !c->s->continuous) return OVERFLOWS;
    return finite == c->count && same == c->count ? ORDINARY : MIXED;
}

/* Does the same side of the limit show at every node, beyond rounding, or is every one on it within that? */
static bool all_alike(const cell *c) {
    for (int i = 1; i < c->count; i++)
        if (place_outcome(c->nodes[i]) != place_outcome(c->nodes[0])) return false;
    return true;
}

/* Is every node near the limit? Far beyond it rounding hides zeros inside and cells may be clear elsewhere.
 */
static bool all_near(const cell *c) {
    for (int i = 0; i < c->count; i++)
        for (int p = PLACE_GUESSES; p <= PLACE_MAP; p++)
            if (c->nodes[i]->spectra[p].n > 0 && c->nodes[i]->spectra[p].furthest > BESIDE_MOST) return false;
    return true;
}

costab_status search_cell(search *s, double from, double to, costab_error *error) {
    cell c = {.s = s, .from = from, .to = to};
    double scale = search_scale(s, from, to);
    costab_cell found = {.verdict = COSTAB_OUTCOME_UNSTABLE, .reason = COSTAB_REASON_OVERFLOW};
    reading r;
    if (to - from <= SEARCH_TOLERANCE * scale) return finish(&c, error);
    c.narrow = to - from <= NARROW * scale;
    for (int k = 0; k < CHEBYSHEV_DEGREES; k++) {
        costab_status status = gather(&c, k, error);
        if (status) return status;
        switch (state_of(&c)) {
        case NOWHERE_POSED:
            found.verdict = COSTAB_OUTCOME_ILL_POSED;
            found.reason = COSTAB_REASON_ILL_POSED;
            return emit_whole(&c, found, error);
        case OVERFLOWS:
            return emit_whole(&c, found, error);
        case MIXED:
            return bisect(&c, error);
        case ORDINARY:
            break;
        }
        if (whole_verdict(&c, &r, &found)) return emit_whole(&c, found, error);
        status = gather_checks(&c, &r, error);
        if (status) return status;
        if (c.checks > 0 && whole_verdict(&c, &r, &found)) return emit_whole(&c, found, error);
        if (is_near_zero(&c) && spread_of(&r) > SPREAD_MOST) return bisect(&c, error);
        bool neutral = r.grey[PLACE_MAP].neutral || r.grey[PLACE_GUESSES].neutral;
        bool any = r.grey[PLACE_MAP].count > 0 || r.grey[PLACE_GUESSES].count > 0;
        if (any && !neutral && r.grey[PLACE_MAP].resolved && r.grey[PLACE_GUESSES].resolved)
            return take_apart(&c, &r, error);
        if (!r.hidden && (r.grey[PLACE_MAP].blank || r.grey[PLACE_GUESSES].blank)) return divide(&c, error);
    }
    bool alike = all_alike(&c);
    if (alike && place_outcome(c.nodes[0]) == COSTAB_OUTCOME_NEUTRAL) { /* more nodes would be so, too */
        found = (costab_cell){.verdict = COSTAB_OUTCOME_NEUTRAL, .reason = COSTAB_REASON_ROUNDING};
        return emit_whole(&c, found, error);
    }
    if (r.hidden && all_near(&c) && (!alike || to - from <= HIDDEN_WIDTH * scale)) {
        found = (costab_cell){.verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_ROUNDING};
        return emit_whole(&c, found, error);
    }
    return bisect(&c, error);
}
