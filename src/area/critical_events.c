/* Decides the kinds of the areas of SS, US and US right of Gamma = 0 at one a, and the events at a root of
 * the projection's polynomials in a (docs/explanation/algorithms.md, Critical values).
 *
 * 1. Rational a: the pieces of rows (cells.c) give the kinds. A region without a piece is empty; an area is
 *    infinite if that of a piece is.
 * 2. Events: differences between the kinds before and after a root. If a kind is equal on both sides the
 *    region may still be empty at the root itself, which is decided next.
 * 3. Rational root: as for any rational a. At any root at which phi_a vanishes or is infinite nothing is
 *    stable.
 * 4. Irrational root: at an adjacent rational number, 2^-20 or 2^-400 away, a point in the middle of each
 *    piece is taken. If balls prove that this point is stable at the root too, the region is not empty there.
 *
 * Limitation: without such a proof the region counts as empty at the root, and the event as undecided. Cost:
 * that of the cells (cells.c) at one a, up to four times per root. */
#include "area/critical_events.h"

#include <string.h>

/* Bits of the rational number next to an irrational root; working precision of balls. */
enum { NEAR_BITS = 400, BALL_BITS = 512 };

static const char *const event_names[] = {
#define EVENT_NAME(name, text) text,
    COSTAB_EVENT_LIST(EVENT_NAME)
#undef EVENT_NAME
};

const char *costab_event_name(costab_event event) {
    return (unsigned)event < COSTAB_EVENT_COUNT ? event_names[event] : NULL;
}

/* ---- Events ---- */

/* Events of one region, in the order of costab_event. */
typedef enum region_event { BEGINS, ENDS, INFINITE_BEGINS, INFINITE_ENDS, REGION_EVENTS } region_event;

critical_region critical_region_of(costab_event event) {
    return (critical_region)((int)event / REGION_EVENTS);
}

static void add_event(critical_events *events, double a, critical_region region, region_event event) {
    events->full = events->full || events->count == COSTAB_CRITICAL_MAX;
    if (events->full) return;
    events->critical[events->count++] =
        (costab_critical){a, (costab_event)(REGION_EVENTS * (int)region + (int)event), events->search};
}

static bool is_in_region(const area_piece *piece, critical_region region) {
    return region == CRITICAL_SS ? piece->ss : !piece->ss && (region == CRITICAL_US || piece->right);
}

/* Raises the kinds of the regions that contain a piece. */
static void add_piece(critical_kinds *kinds, const area_piece *piece) {
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
        if (is_in_region(piece, region) && kinds->of[region] != AREA_INFINITE)
            kinds->of[region] = piece->infinite ? AREA_INFINITE : AREA_FINITE;
}

void critical_add_change(critical_events *events, double a, critical_region region, area_kind from,
                         area_kind to) {
    if (from == AREA_ZERO && to != AREA_ZERO) add_event(events, a, region, BEGINS);
    if (from != AREA_INFINITE && to == AREA_INFINITE) add_event(events, a, region, INFINITE_BEGINS);
    if (from == AREA_INFINITE && to != AREA_INFINITE) add_event(events, a, region, INFINITE_ENDS);
    if (from != AREA_ZERO && to == AREA_ZERO) add_event(events, a, region, ENDS);
}

/* [out] same: the kinds that are equal on both sides of a root, otherwise AREA_ZERO. Returns true if there
 * are any, so that the root itself must be analysed. (A region empty on one side is also empty at the root,
 * because stability is an open condition.) */
static bool common_kinds(const critical_kinds *before, const critical_kinds *after, critical_kinds *same) {
    bool some = false;
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++) {
        const bool is = before->of[region] == after->of[region];
        same->of[region] = is ? before->of[region] : AREA_ZERO;
        some = some || same->of[region] != AREA_ZERO;
    }
    return some;
}

/* Adds the events at root a. [in] at: the kinds at the root itself if they are equal on both sides;
 * undecided[region]: such a kind is undecided. */
static void add_events_at(critical_events *events, double a, const critical_kinds *before,
                          const critical_kinds *after, const critical_kinds *at,
                          const bool undecided[CRITICAL_REGIONS]) {
    const costab_search search = events->search;
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++) {
        const area_kind from = before->of[region], to = after->of[region];
        const area_kind by = from == to && from != AREA_ZERO ? at->of[region] : to;
        if (from == to && from != AREA_ZERO && undecided[region]) events->search = COSTAB_SEARCH_UNDECIDED;
        critical_add_change(events, a, region, from, by);
        critical_add_change(events, a, region, by, to);
        events->search = search;
    }
}

/* ---- Kinds at one rational a ---- */

/* Pieces of rows at one a, and the bounds at the ends of their intervals. */
typedef struct pieces {
    area_bounds bounds;
    area_cells cells;
} pieces;

/* Finds the pieces at one a. Returns false if memory is exhausted. */
static bool find_pieces(const critical_scan *s, const fmpq_t a, pieces *p) {
    area_bounds_init(&p->bounds);
    area_bounds_at(&p->bounds, s->system.scheme, s->system.subsystem, s->system.radicand, a,
                   s->window != NULL ? s->window->delta : NULL);
    return area_cells_find(&p->bounds, s->window != NULL ? s->window->gamma : NULL, &p->cells);
}

static void clear_pieces(pieces *p) {
    area_cells_clear(&p->cells);
    area_bounds_clear(&p->bounds);
}

bool critical_kinds_at(const critical_scan *s, const fmpq_t a, critical_kinds *k) {
    ends_by(clear_pieces) pieces p;
    *k = (critical_kinds){{AREA_ZERO}};
    bool fine = find_pieces(s, a, &p);
    for (int i = 0; fine && i < p.cells.count; i++) add_piece(k, &p.cells.piece[i]);
    return fine;
}

/* ---- Stable points at one irrational a ---- */

/* end := the bound -x0 / x1 of the row at d, in a ball; 0 for END_ZERO. */
static void row_end(const area_bounds *b, int which, const fmpq_t d, arb_t end) {
    flint_local(acb_poly, f);
    flint_local(acb, value, top);
    arb_zero(end);
    acb_set_fmpq(value, d, BALL_BITS);
    if (which >= 0) {
        surd_get_acb(f, &b->bound[which].x0, b->radicand, BALL_BITS);
        acb_poly_evaluate(top, f, value, BALL_BITS);
        surd_get_acb(f, &b->bound[which].x1, b->radicand, BALL_BITS);
        acb_poly_evaluate(value, f, value, BALL_BITS);
        acb_div(top, top, value, BALL_BITS);
        arb_neg(end, acb_realref(top));
    }
}

/* delta := the middle of the row's stable interval at d, or a distance of 1 from its only end. */
static void middle_of_row(const area_bounds *b, const area_piece *p, const fmpq_t d, fmpq_t delta) {
    flint_local(arb, low, high);
    row_end(b, p->lower == END_INFINITE ? p->upper : p->lower, d, low);
    row_end(b, p->upper == END_INFINITE ? p->lower : p->upper, d, high);
    if (p->lower == END_INFINITE) arb_sub_ui(low, low, 2, BALL_BITS);
    if (p->upper == END_INFINITE) arb_add_ui(high, high, 2, BALL_BITS);
    arb_add(low, low, high, BALL_BITS);
    arb_mul_2exp_si(low, low, -1);
    if (arb_is_finite(low))
        arf_get_fmpq(delta, arb_midref(low));
    else
        fmpq_zero(delta);
}

/* Sign of f, a polynomial in a, for all a of a ball; 0 if it is unknown. */
static int sign_in(const surd_poly *f, int radicand, const arb_t a) {
    flint_local(acb_poly, balls);
    flint_local(acb, value);
    arb_set(acb_realref(value), a);
    surd_get_acb(balls, f, radicand, BALL_BITS);
    acb_poly_evaluate(value, balls, value, BALL_BITS);
    return arb_sgn_nonzero(acb_realref(value));
}

/* Returns true if the point (d, delta) is proved stable at every a of a ball. */
static bool is_stable(const critical_scan *s, const arb_t a, const fmpq_t d, const fmpq_t delta) {
    ends_by(area_bounds_clear) area_bounds b;
    flint_local(area_subsystem, D);
    area_bounds_init(&b);
    b.radicand = s->system.radicand;
    area_subsystem_set_value(D, &s->system.subsystem[1], d);
    area_bounds_combine(&b, s->system.scheme, &s->system.subsystem[0], D, NULL); /* polynomials in a */
    int den = sign_in(&b.den, b.radicand, a);
    bool stable = sign_in(&b.fold, b.radicand, a) * den * fmpq_sgn(delta) > 0;
    for (int k = 0; k < BOUND_COUNT && stable; k++) {
        if (!b.bound[k].used) continue;
        flint_local(surd, value);
        area_bound_at(&b.bound[k], delta, value);
        stable = sign_in(value, b.radicand, a) * den > 0;
    }
    return stable;
}

/* Returns true if all numbers of a ball are in the window. */
static bool in_window(const area_window *window, const arb_t gamma) {
    if (window == NULL) return true;
    flint_local(arb, from, to);
    arb_set_fmpq(from, &window->gamma[0], BALL_BITS);
    arb_set_fmpq(to, &window->gamma[1], BALL_BITS);
    return arb_lt(from, gamma) && arb_lt(gamma, to);
}

/* Returns true if a point of a piece, found at a number next to a, is proved stable at a and in the same
 * region. */
static bool is_stable_at_root(const critical_scan *s, const pieces *found, const area_piece *p,
                              const arb_t a) {
    flint_local(fmpq, d, delta);
    flint_local(arb, gamma);
    for (int i = p->from; i < p->to; i++) {
        real_roots_between(&found->cells.roots, i, d);
        middle_of_row(&found->bounds, p, d, delta);
        arb_set_fmpq(gamma, d, BALL_BITS);
        arb_add(gamma, gamma, a, BALL_BITS);
        bool here =
            p->right ? arb_is_positive(gamma) : arb_is_negative(gamma) && (fmpq_sgn(delta) > 0) == p->ss;
        if (here && in_window(s->window, gamma) && is_stable(s, a, d, delta)) return true;
    }
    return false;
}

/* ---- Roots ---- */

/* Returns true if root i is rational. [out] a: the root, or a rational number within 2^-NEAR_BITS of it,
 * relative. */
static bool rational_root(real_roots *roots, int i, fmpq_t a) {
    real_roots_refine(roots, i, NEAR_BITS);
    const real_root *root = &roots->root[i];
    flint_local(fmpq, low, high, value);
    arf_get_fmpq(low, root->low);
    arf_get_fmpq(high, root->high);
    fmpq_simplest_between(a, low, high);
    fmpz_poly_evaluate_fmpq(value, roots->polynomial[root->polynomial].f, a);
    if (fmpq_is_zero(value)) return true;
    fmpq_set(a, low);
    return false;
}

/* Copies from an adjacent number to root i the kinds of regions proved nonempty there. The adjacent number is
 * the root rounded to `bits` bits, towards 0 or (beyond) away from 0. Returns false if memory is exhausted.
 */
static bool copy_kinds_shown(critical_scan *s, int i, slong bits, bool beyond, const critical_kinds *same,
                             critical_kinds *at) {
    ends_by(clear_pieces) pieces near;
    flint_local(fmpq, a);
    flint_local(arb, ball);
    flint_local(arf, next);
    real_roots_ball(&s->roots, i, NEAR_BITS, ball);
    arf_set_round(next, s->roots.root[i].low, bits, beyond ? ARF_RND_UP : ARF_RND_DOWN);
    arf_get_fmpq(a, next);
    bool fine = find_pieces(s, a, &near);
    for (int k = 0; k < near.cells.count && fine; k++) {
        const area_piece *piece = &near.cells.piece[k];
        for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
            if (is_in_region(piece, region) && at->of[region] != same->of[region] &&
                is_stable_at_root(s, &near, piece, ball))
                at->of[region] = same->of[region];
    }
    return fine;
}

/* Decides the kinds at root i itself. [in] same: the kinds that are equal on both sides. [out]
 * undecided[region]: the kind is undecided and AREA_ZERO is assumed. */
static bool kinds_at_root(critical_scan *s, int i, const critical_kinds *same, critical_kinds *at,
                          bool undecided[CRITICAL_REGIONS]) {
    const surd_poly phi = s->system.subsystem[0].phi, den = s->system.subsystem[0].den; /* borrowed */
    /* 20 bits usually suffice and take a tenth of the time. Both sides of the root are tried because the
     * middle of a piece may be a point at which it splits. */
    const slong bits[2] = {20, NEAR_BITS};
    int radicand = s->system.radicand;
    flint_local(fmpq, a);
    *at = (critical_kinds){{AREA_ZERO}};
    if (rational_root(&s->roots, i, a)) return critical_kinds_at(s, a, at);
    if (real_roots_vanishes(&s->roots, i, &phi, radicand) ||
        real_roots_vanishes(&s->roots, i, &den, radicand))
        return true;
    bool fine = true;
    for (int k = 0; k < 4 && fine && memcmp(at, same, sizeof *at) != 0; k++)
        fine = copy_kinds_shown(s, i, bits[k / 2], k % 2 != 0, same, at);
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
        undecided[region] = at->of[region] == AREA_ZERO;
    return fine;
}

bool critical_add_events(critical_scan *s, int i, const critical_kinds *before, const critical_kinds *after) {
    flint_local(arb, ball);
    real_roots_ball(&s->roots, i, 100, ball);
    double a = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    bool fine = true, undecided[CRITICAL_REGIONS] = {false};
    critical_kinds same, at = *before;
    if (common_kinds(before, after, &same)) fine = kinds_at_root(s, i, &same, &at, undecided);
    if (fine) add_events_at(s->events, a, before, after, &at, undecided);
    return fine;
}

bool critical_kinds_between(const critical_scan *s, int i, fmpq_t a, critical_kinds *k) {
    real_roots_between(&s->roots, i, a);
    return critical_kinds_at(s, a, k);
}

/* Both ends of the range are also roots, each with an isolating interval. */
bool critical_is_in_range(const critical_scan *s, int i) {
    flint_local(fmpq, left, right);
    arf_get_fmpq(left, s->roots.root[i].high);
    arf_get_fmpq(right, s->roots.root[i + 1].low);
    return fmpq_cmp(left, s->range[0]) >= 0 && fmpq_cmp(right, s->range[1]) <= 0;
}
