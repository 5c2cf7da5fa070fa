/* Critical values of a by sampling, for polynomials of a degree at which resultants take too long. Not
 * complete: changes that undo each other between two numbers are missed.
 *
 * The kinds are decided exactly at numbers between neighbouring roots: the range in SAMPLES equal parts,
 * and the roots of the polynomials in a alone from which the bounds are put together. Where two numbers have
 * different kinds, what changes lies at the root between them or is found by bisection. */
#include "exact/critical_events.h"

enum { SAMPLES = 256, BESIDE = 60 };

static bool same_kinds(const critical_kinds *left, const critical_kinds *right) {
    for (int region = 0; region < CRITICAL_REGIONS; region++)
        if (left->of[region] != right->of[region]) return false;
    return true;
}

static void add_roots(critical_scan *s) {
    const area_side *side = &s->system.sides[0];
    const surd_poly *const all[4] = {&side->den, &side->phi, &side->p0, &side->p1};
    fmpz_poly_t norm;
    arf_t place, step;
    fmpz_poly_init(norm);
    flint_each(arf_init, place, step);
    for (int k = 0; k < 4; k++) {
        surd_norm(norm, all[k], s->system.root);
        (void)real_roots_add(&s->roots, norm);
    }
    critical_add_number(&s->roots, place); /* 0 */
    arf_sub(step, s->roots.high, s->roots.low, ARF_PREC_EXACT, ARF_RND_NEAR);
    for (int k = 1; k < SAMPLES; k++) {
        arf_mul_si(place, step, k, ARF_PREC_EXACT, ARF_RND_NEAR);
        arf_div_si(place, place, SAMPLES, 30, ARF_RND_NEAR);
        arf_add(place, place, s->roots.low, 30, ARF_RND_NEAR);
        critical_add_number(&s->roots, place);
    }
    fmpz_poly_clear(norm);
    flint_each(arf_clear, place, step);
}

/* All changes between two numbers. */
static bool bisect(critical_scan *s, const fmpq_t left, const critical_kinds *at_left, const fmpq_t right,
                   const critical_kinds *at_right) {
    if (same_kinds(at_left, at_right)) return true;
    double low = fmpq_get_d(left), high = fmpq_get_d(right), middle = low + 0.5 * (high - low);
    bool fine = true;
    if (middle > low && middle < high) {
        critical_kinds at_middle;
        fmpq_t a;
        arf_t x;
        fmpq_init(a);
        arf_init(x);
        arf_set_d(x, middle);
        arf_get_fmpq(a, x);
        fine = critical_kinds_at(s, a, &at_middle) && bisect(s, left, at_left, a, &at_middle) &&
               bisect(s, a, &at_middle, right, at_right);
        fmpq_clear(a);
        arf_clear(x);
    } else {
        for (int region = 0; region < CRITICAL_REGIONS; region++)
            critical_change(s->events, high, region, at_left->of[region], at_right->of[region]);
    }
    return fine;
}

/* The kinds very close to place i: before it for side -1, behind it for 1. */
static bool kinds_beside(critical_scan *s, int i, int side, fmpq_t a, critical_kinds *k) {
    arf_t x, step;
    flint_each(arf_init, x, step);
    real_roots_refine(&s->roots, i, BESIDE + 20);
    arf_set(x, side < 0 ? s->roots.root[i].low : s->roots.root[i].high);
    arf_abs(step, x);
    if (arf_is_zero(x)) arf_one(step);
    arf_mul_2exp_si(step, step, -BESIDE);
    arf_set_round(step, step, 2, ARF_RND_NEAR);
    (side < 0 ? arf_sub : arf_add)(x, x, step, BESIDE + 10, ARF_RND_NEAR);
    arf_get_fmpq(a, x);
    flint_each(arf_clear, x, step);
    return critical_kinds_at(s, a, k);
}

/* What changes between two numbers with root i between them. */
static bool changes_around(critical_scan *s, int i, const fmpq_t left, const critical_kinds *before,
                           const fmpq_t right, const critical_kinds *after) {
    if (same_kinds(before, after)) return critical_add_events(s, i, before, after);
    critical_kinds beside[2];
    fmpq_t a[2];
    flint_each(fmpq_init, a[0], a[1]);
    bool fine = kinds_beside(s, i, -1, a[0], &beside[0]) && kinds_beside(s, i, 1, a[1], &beside[1]) &&
                bisect(s, left, before, a[0], &beside[0]) &&
                critical_add_events(s, i, &beside[0], &beside[1]) &&
                bisect(s, a[1], &beside[1], right, after);
    flint_each(fmpq_clear, a[0], a[1]);
    return fine;
}

bool critical_sampled(critical_scan *s) {
    add_roots(s);
    critical_kinds before, after;
    fmpq_t left, right;
    flint_each(fmpq_init, left, right);
    bool started = false, fine = real_roots_find(&s->roots);
    for (int i = 0; i + 1 < s->roots.count && fine; i++) {
        if (planar_watch_stops(&s->watch, (double)i / (double)s->roots.count)) fine = false;
        if (!fine || !critical_inside(s, i)) continue;
        fine = critical_kinds_between(s, i, right, &after);
        if (started && fine) fine = changes_around(s, i, left, &before, right, &after);
        before = after;
        fmpq_swap(left, right);
        started = true;
    }
    flint_each(fmpq_clear, left, right);
    return fine;
}
