/* Ends: found by a secant method, checked by the places beside them. */
#include "proof/end.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/branch.h"

/* Ends are refined to this, or to a margin that is this share of the backward error: rounding seldom makes
 * more of it than that. */
#define END_TOLERANCE 1e-14
#define RESIDUE       (1.0 / 64)
enum { REFINEMENTS_MAX = 80 };

/* Nodes stand so far beside an end, relative, but no further than this share of the cell's width. */
#define ASIDE       1e-6
#define ASIDE_SHARE 1e-4
/* What is left undecided at an end is half as wide as ends are found, or, where rounding moves the end
 * further, so many times that; up to a width, relative, that is less than what pieces take for an end, where
 * that is so many times it still. */
#define HALF_OFF   4
#define HALF_MOST  9e-9
#define HALF_LEAST 2
/* What is computed anew is at most that far from the border of an end. */
#define BESIDE 1e-4
/* No rounding moves an end further than this share of the way to the places beside it. */
#define OFF_MOST 1e-2

static costab_status margin_at(search *s, double at, place_margin *found, costab_error *error) {
    const place *p;
    costab_status status = place_find(s->book, &at, &p, error);
    if (!status) *found = place_margin_of(p);
    return status;
}

/* What is looked at between two places on different sides: one eigenvalue where that is followed, else the
 * furthest of all. */
typedef struct probe {
    search *s;
    branch_single *single;
} probe;

static costab_status margin_between(probe *p, double at, place_margin *found, costab_error *error) {
    bool followed = false;
    costab_status status = COSTAB_OK;
    if (p->single != NULL) status = branch_single_margin(p->s, p->single, at, &followed, found, error);
    if (status || followed) return status;
    memory_free(p->single);
    p->single = NULL;
    return margin_at(p->s, at, found, error);
}

/* Regula falsi (Illinois). */
static costab_status approach(probe *p, const double ends[2], place_margin low, place_margin high, double *at,
                              costab_error *error) {
    double from = ends[0], to = ends[1];
    int same = 0;
    for (int i = 0; i < REFINEMENTS_MAX && to - from > END_TOLERANCE * search_scale(p->s, from, to); i++) {
        double next = from + (to - from) * (low.beyond / (low.beyond - high.beyond));
        place_margin now;
        if (!(next > from && next < to)) next = from + (to - from) / 2;
        costab_status status = margin_between(p, next, &now, error);
        if (status || !isfinite(now.beyond)) return status;
        bool left = (now.beyond < 0) == (low.beyond < 0);
        if (left) {
            from = next;
            low = now;
            if (same < 0) high.beyond /= 2;
        } else {
            to = next;
            high = now;
            if (same > 0) low.beyond /= 2;
        }
        same = left ? -1 : 1;
        *at = next;
        if (fabs(now.beyond) <= RESIDUE * now.backward) break;
    }
    return COSTAB_OK;
}

/* `follow`: one eigenvalue between them, from where something is beyond the limit. */
static costab_status refine(search *s, double from, double to, bool follow, double *at, costab_error *error) {
    const place *places[2];
    place_margin margins[2];
    const double ends[2] = {from, to};
    probe p = {.s = s};
    *at = from + (to - from) / 2;
    costab_status status = place_find_all(s->book, 2, ends, places, error);
    for (int i = 0; i < 2 && !status; i++) margins[i] = place_margin_of(places[i]);
    if (status || !isfinite(margins[0].beyond) || !isfinite(margins[1].beyond) ||
        (margins[0].beyond < 0) == (margins[1].beyond < 0))
        return status;
    if (follow) status = branch_single_create(s, places[margins[0].beyond < 0], &p.single, error);
    if (!status) status = approach(&p, ends, margins[0], margins[1], at, error);
    memory_free(p.single);
    return status;
}

costab_status end_refine(search *s, double from, double to, double *at, costab_error *error) {
    return refine(s, from, to, false, at, error);
}

/* ---- Known ends ---- */

/* The functions of a matrix with their poles taken away. */
static void functions_of(const cell *c, const place *p, int which, crossing_value *f) {
    memcpy(f, p->functions[which], sizeof p->functions[which]);
    if (which == PLACE_MAP) place_take_poles(p, c->kind, f);
}

/* Which function alone changes its sign from one place to the other; false where it is none, or two. */
static bool sole_change(const cell *c, const place *const beside[2], search_end *end) {
    int changes = 0;
    for (int which = PLACE_GUESSES; which <= PLACE_MAP; which++) {
        crossing_value f[2][CROSSING_FUNCTIONS];
        crossing_kind kind = which == PLACE_MAP ? c->kind : CROSSING_CIRCLE;
        if (beside[0]->spectra[which].n == 0) continue;
        for (int side = 0; side < 2; side++) functions_of(c, beside[side], which, f[side]);
        for (int k = 0; k < crossing_count(kind); k++) {
            if ((f[0][k].mantissa < 0) == (f[1][k].mantissa < 0)) continue;
            end->which = which;
            end->function = k;
            changes++;
        }
    }
    return changes == 1;
}

/* Are two places such as the cell's nodes, and on different sides of the limit beyond rounding? */
static bool are_sides(const cell *c, const place *const beside[2]) {
    costab_outcome sides[2];
    for (int i = 0; i < 2; i++) {
        const place *p = beside[i], *node = c->nodes[0];
        if (!p->posed || p->kind != c->kind) return false;
        for (int k = 0; k < PLACE_SPECTRA; k++)
            if (p->spectra[k].n != node->spectra[k].n || p->spectra[k].overflow) return false;
        sides[i] = place_outcome(p);
        if (sides[i] != COSTAB_OUTCOME_STABLE && sides[i] != COSTAB_OUTCOME_UNSTABLE) return false;
    }
    return sides[0] != sides[1];
}

/* How far the end may be from where it was found: by the line through the places beside it, and by rounding
 * at them. */
static double off_of(const search_end *end, const place *const beside[2]) {
    place_margin low = place_margin_of(beside[0]), high = place_margin_of(beside[1]);
    double steep = fabs(high.beyond - low.beyond) / (2 * end->aside);
    double along = end->aside * fabs(high.beyond + low.beyond) / fabs(high.beyond - low.beyond);
    return along + fmax(low.slack, high.slack) / steep + 4 * DBL_EPSILON * fabs(end->at);
}

/* The end between two nodes of a cell as `follow` finds it. [out] *found: it is one of the search now;
 * *other: the places beside it are both on the same side. */
static costab_status find_between(const cell *c, const double nodes[2], bool follow, bool *found, bool *other,
                                  costab_error *error) {
    search *s = c->s;
    search_end end;
    const place *beside[2];
    *found = *other = false;
    costab_status status = refine(s, nodes[0], nodes[1], follow, &end.at, error);
    if (status || end_at(s, end.at) != NULL) return status;
    double scale = search_scale(s, end.at, end.at);
    end.aside = fmin(ASIDE * scale, ASIDE_SHARE * (c->to - c->from));
    const double sides[2] = {end.at - end.aside, end.at + end.aside};
    if (!(sides[0] > nodes[0] && sides[1] < nodes[1])) return COSTAB_OK;
    status = place_find_all(s->book, 2, sides, beside, error);
    if (status) return status;
    *other = place_outcome(beside[0]) == place_outcome(beside[1]);
    if (!are_sides(c, beside) || !sole_change(c, beside, &end)) return COSTAB_OK;
    end.off = off_of(&end, beside);
    end.half = fmin(fmax(SEARCH_TOLERANCE / 4 * scale, HALF_OFF * end.off), HALF_MOST * scale);
    if (!(end.off <= OFF_MOST * end.aside) || !(end.half >= HALF_LEAST * end.off)) return COSTAB_OK;
    search_end *ends = memory_grow(s->ends, &s->end_capacity, s->end_count + 1, sizeof *ends);
    if (ends == NULL) return error_memory(error);
    s->ends = ends;
    s->ends[s->end_count++] = end;
    *found = true;
    return COSTAB_OK;
}

costab_status end_find(const cell *c, int number, bool *found, costab_error *error) {
    const double nodes[2] = {c->nodes[number - 1]->at[0], c->nodes[number]->at[0]};
    bool other;
    costab_status status = find_between(c, nodes, true, found, &other, error);
    if (status || *found || !other) return status;
    return find_between(c, nodes, false, found, &other, error);
}

const search_end *end_at(const search *s, double at) {
    for (size_t i = 0; i < s->end_count; i++)
        if (fabs(at - s->ends[i].at) <= s->ends[i].half * (1 + BESIDE)) return &s->ends[i];
    return NULL;
}

const search_end *end_inside(const cell *c) {
    for (size_t i = 0; i < c->s->end_count; i++) {
        const search_end *end = &c->s->ends[i];
        if (end->at - end->half > c->from && end->at + end->half < c->to) return end;
    }
    return NULL;
}

void end_take_out(const cell *c, int which, node_values *f) {
    double width = c->to - c->from;
    for (size_t e = 0; e < c->s->end_count; e++) {
        const search_end *end = &c->s->ends[e];
        if (end->which != which || end->at < c->from - width || end->at > c->to + width) continue;
        f->divided |= 1U << end->function;
        for (int i = 0; i < cell_places(c); i++) {
            crossing_value *v = &f->at[i][end->function];
            double away = c->nodes[i]->at[0] - end->at;
            if (fabs(away) > end->off) v->mantissa *= width / away;
            v->noise += fabs(away) > end->off ? end->off / fabs(away) : 1;
        }
    }
}
