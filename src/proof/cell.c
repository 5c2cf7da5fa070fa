/* One cell: nodes, interpolants of the crossing functions, where they are clear of zeros, and what follows.
 */
#include <math.h>
#include <string.h>

#include "proof/branch.h"
#include "proof/end.h"

/* A cell is resolved where no function is grey on more than this share of [-1, 1]. */
#define GREY_MOST 0.1
/* Rounding decides only in cells as narrow as this, relative. */
#define NARROW 1e-6
/* Rounding that is this share of a function's values at every node hides what it does. */
#define HIDDEN_SHARE 0.25
/* Where it does, but every node shows the same side, cells down to this width, relative, may still be clear.
 */
#define HIDDEN_WIDTH 0.1
/* No interpolant follows a function over more factors of 2. */
#define SPREAD_MOST 53
/* A trend has a term log p: it follows functions in cells whose ends differ by no larger a factor. */
#define FACTOR_MOST 500.0
/* In a cell that has a verdict nodes are, on average, no further apart than in one that is as wide as the
 * range and has them all; or as this share of the largest values, if that is more: a narrower range tells
 * nothing of what to expect. */
#define APART 0.125
/* Nodes stand no further beside a known end than this share of the cell's width. */
#define ASIDE_MOST 1e-3
/* Beyond this the map is as good as overflowed. */
#define OVERFLOWING 1e30

/* Rounding that moves eigenvalues near the limit further than this hides everything. */
#define BESIDE_MOST 1e-3

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
    for (int i = 0; i < cell_places(c); i++) at[i] = f->at[i][which];
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
    interpolant_nodes nodes = {.table = &c->s->table,
                               .k = c->k,
                               .count = c->count,
                               .checks = c->checks,
                               .beside = c->beside,
                               .narrow = c->narrow};
    for (int i = 0; i < cell_places(c); i++) nodes.p[i] = c->nodes[i]->at[0];
    if (c->beside > 0) nodes.beside_at = trend_x(nodes.p[c->count + c->checks], c->from, c->to);
    for (int which = 0; which < f->functions; which++) {
        nodes.divided = (f->divided >> which & 1) != 0;
        look_at_function(c, &nodes, f, which, g);
    }
    g->count = chebyshev_join(g->items, g->count);
}

bool cell_is_clear(const grey_list *g) {
    return g->count == 0 && g->resolved && !g->neutral;
}

double cell_aside_noise(const cell *c) {
    double degree = c->count - 1;
    return 2 * degree * degree * c->aside / (c->to - c->from);
}

void cell_values(const cell *c, int which, const double *beyond, node_values *f) {
    bool at_limit = true;
    f->divided = 0;
    f->functions = crossing_count(which == PLACE_GUESSES ? CROSSING_CIRCLE : c->kind);
    for (int i = 0; i < cell_places(c); i++) {
        const place *p = c->nodes[i];
        crossing_kind kind = which == PLACE_GUESSES ? CROSSING_CIRCLE : c->kind;
        if (beyond[i] == 0 && (which == PLACE_GUESSES || p->kind == kind))
            memcpy(f->at[i], p->functions[which], sizeof f->at[i]);
        else
            crossing_values(kind, &p->spectra[which], beyond[i], f->at[i]);
        if (which == PLACE_MAP) place_take_poles(p, kind, f->at[i]);
        at_limit = at_limit && beyond[i] == 0;
    }
    if (at_limit) end_take_out(c, which, f);
    for (int k = 0; k < f->functions; k++) {
        f->at[0][k].noise += cell_aside_noise(c);
        f->at[c->count - 1][k].noise += cell_aside_noise(c);
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
static void read_matrix(const cell *c, int which, cell_reading *r) {
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
static bool whole_verdict(const cell *c, cell_reading *r, costab_cell *found) {
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

/* Where the node at an end of the cell is: a little inside where the cell begins or ceases at a known end,
 * whose places beside it are not nearer. */
static double beside_end(const cell *c, double at) {
    const search_end *end = end_at(c->s, at);
    if (end == NULL || end->aside > ASIDE_MOST * (c->to - c->from) || end->aside < end->half) return at;
    return at == c->from ? end->at + end->aside : end->at - end->aside;
}

double cell_node(const cell *c, int k, int i) {
    return i == 0                     ? beside_end(c, c->from)
           : i == chebyshev_degree(k) ? beside_end(c, c->to)
                                      : cell_place(c, c->s->table.points[k][i]);
}

double cell_aside(const cell *c) {
    return fmax(beside_end(c, c->from) - c->from, c->to - beside_end(c, c->to));
}

/* The place beside the end inside the cell, evaluated when the end was found, follows nodes and checks. */
static costab_status gather_beside(cell *c, costab_error *error) {
    const search_end *end = end_inside(c);
    c->beside = 0;
    if (end == NULL || !(end->at - end->aside > c->from)) return COSTAB_OK;
    double at = end->at - end->aside;
    costab_status status = place_find(c->s->book, &at, &c->nodes[c->count + c->checks], error);
    if (!status) c->beside = 1;
    return status;
}

static costab_status gather(cell *c, int k, costab_error *error) {
    double at[CHEBYSHEV_MOST + 1];
    c->k = k;
    c->checks = 0;
    c->count = chebyshev_degree(k) + 1;
    c->aside = cell_aside(c);
    for (int i = 0; i < c->count; i++) at[i] = cell_node(c, k, i);
    costab_status status = place_find_all(c->s->book, c->count, at, c->nodes, error);
    for (int i = 0; i < c->count && !status; i++)
        if (i == 0 || c->nodes[i]->kind == CROSSING_CIRCLE_COMPLEX) c->kind = c->nodes[i]->kind;
    return status ? status : gather_beside(c, error);
}

/* Is p = 0 too near to the cell, beside its width, for a trend? */
static bool is_near_zero(const cell *c) {
    return c->from > 0 && c->to > FACTOR_MOST * c->from;
}

static double spread_of(const cell_reading *r) {
    return fmax(r->grey[PLACE_MAP].spread, r->grey[PLACE_GUESSES].spread);
}

/* Places between nodes, where functions vary so much that they may have a trend. */
static costab_status gather_checks(cell *c, const cell_reading *r, costab_error *error) {
    const crossing_spectrum *first = c->nodes[0]->spectra;
    if (spread_of(r) < INTERPOLANT_TREND || is_near_zero(c) || c->s->confirmed) return COSTAB_OK;
    double at[INTERPOLANT_CHECKS];
    for (int i = 0; i < INTERPOLANT_CHECKS; i++)
        at[i] = cell_place(c, interpolant_check(&c->s->table, c->k, i));
    costab_status status = place_find_all(c->s->book, INTERPOLANT_CHECKS, at, c->nodes + c->count, error);
    for (int i = 0; i < INTERPOLANT_CHECKS && !status; i++) {
        const place *p = c->nodes[c->count + i];
        bool same = p->posed && (p->kind == c->kind || c->kind == CROSSING_CIRCLE_COMPLEX);
        for (int s = 0; s < PLACE_SPECTRA; s++)
            same = same && p->spectra[s].n == first[s].n && !p->spectra[s].overflow;
        if (!same) return gather_beside(c, error);
    }
    if (status) return status;
    c->checks = INTERPOLANT_CHECKS;
    return gather_beside(c, error);
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

/* Tries to find one verdict for the whole cell: by its nodes, then with checks where trends are worth it. */
static costab_status decide(cell *c, cell_reading *r, costab_cell *found, bool *whole, costab_error *error) {
    *whole = whole_verdict(c, r, found);
    if (*whole) return COSTAB_OK;
    costab_status status = gather_checks(c, r, error);
    if (!status && c->checks > 0) *whole = whole_verdict(c, r, found);
    return status;
}

/* Where the nodes show one end it is found, and the functions looked at again without it: the cell has no
 * one verdict. */
static costab_status take_end(cell *c, cell_reading *r, costab_error *error) {
    int number = c->sought || c->s->confirmed || end_inside(c) != NULL ? 0 : cell_change(c);
    bool found;
    if (number == 0) return COSTAB_OK;
    c->sought = true;
    costab_status status = end_find(c, number, &found, error);
    if (!status && found) status = gather_beside(c, error);
    if (status || !found) return status;
    r->neutral = r->hidden = false;
    if (has_guesses(c)) read_matrix(c, PLACE_GUESSES, r);
    read_matrix(c, PLACE_MAP, r);
    return COSTAB_OK;
}

/* What is flat at few nodes need not be so between them. */
bool cell_is_dense(const cell *c) {
    const search *s = c->s;
    double most = fmax(s->upper - s->lower, APART * search_scale(s, s->lower, s->upper)) / CHEBYSHEV_MOST;
    return chebyshev_dense(c->to - c->from, c->count - 1, most);
}

costab_status search_cell(search *s, double from, double to, bool first, costab_error *error) {
    cell c = {.s = s, .from = from, .to = to};
    double scale = search_scale(s, from, to);
    costab_cell found;
    cell_reading r;
    if (to - from <= SEARCH_TOLERANCE * scale) return cell_finish(&c, error);
    c.narrow = to - from <= NARROW * scale;
    for (int k = 0; k < CHEBYSHEV_DEGREES; k++) {
        bool done = false;
        costab_status status = k == first ? branch_settle(&c, &done, error) : COSTAB_OK;
        if (!status && !done) status = gather(&c, k, error);
        if (status || done) return status;
        switch (state_of(&c)) {
        case NOWHERE_POSED:
            found = (costab_cell){.verdict = COSTAB_OUTCOME_ILL_POSED, .reason = COSTAB_REASON_ILL_POSED};
            return cell_emit_whole(&c, found, error);
        case OVERFLOWS:
            found = (costab_cell){.verdict = COSTAB_OUTCOME_UNSTABLE, .reason = COSTAB_REASON_OVERFLOW};
            return cell_emit_whole(&c, found, error);
        case MIXED:
            return cell_bisect(&c, error);
        case ORDINARY:
            break;
        }
        bool whole, dense = cell_is_dense(&c);
        status = decide(&c, &r, &found, &whole, error);
        if (!status && whole && !dense) continue;
        if (!status && whole) return cell_emit_whole(&c, found, error);
        if (!status) status = take_end(&c, &r, error);
        if (status) return status;
        bool near_zero = is_near_zero(&c) && spread_of(&r) > SPREAD_MOST, ended = end_inside(&c) != NULL;
        if (near_zero && !ended) return cell_bisect(&c, error);
        bool neutral = r.grey[PLACE_MAP].neutral || r.grey[PLACE_GUESSES].neutral;
        bool any = r.grey[PLACE_MAP].count > 0 || r.grey[PLACE_GUESSES].count > 0 || ended;
        if (any && dense && !neutral && r.grey[PLACE_MAP].resolved && r.grey[PLACE_GUESSES].resolved)
            return cell_take_apart(&c, &r, error);
        if (!r.hidden && (r.grey[PLACE_MAP].blank || r.grey[PLACE_GUESSES].blank))
            return cell_divide(&c, error);
    }
    bool alike = all_alike(&c);
    if (alike && place_outcome(c.nodes[0]) == COSTAB_OUTCOME_NEUTRAL) { /* more nodes would be so, too */
        found = (costab_cell){.verdict = COSTAB_OUTCOME_NEUTRAL, .reason = COSTAB_REASON_ROUNDING};
        return cell_emit_whole(&c, found, error);
    }
    if (r.hidden && all_near(&c) && (!alike || to - from <= HIDDEN_WIDTH * scale)) {
        found = (costab_cell){.verdict = COSTAB_OUTCOME_UNDECIDED, .reason = COSTAB_REASON_ROUNDING};
        return cell_emit_whole(&c, found, error);
    }
    return end_inside(&c) != NULL ? cell_divide(&c, error) : cell_bisect(&c, error);
}
