/* Critical values of a by sampling, where the degrees are so high that resultants take too long
 * (docs/explanation/algorithms.md, Critical values):
 *
 *  1. The range is cut into 2^SAMPLE_BITS equal parts, and at the roots of the polynomials in a alone from
 *     which the bounds are made (bounds.h): one subsystem's denominator, phi, P0 and P1.
 *  2. The kinds of the areas (zero, finite, infinite) are decided exactly at one number between each two
 *     neighbouring cuts.
 *  3. Where the kinds at two neighbours differ, they are decided 2^-OFFSET_BITS, relative, before and behind
 *     the cut between them, too. A change between these two is an event at the cut; any other change is
 *     bisected to neighbouring doubles.
 *
 * Not guaranteed: changes that undo each other between two of the numbers are missed. Cost: that of the cells
 * (cells.c) at each number, some 300 of them and 53 for each bisection. */
#include "area/critical_events.h"
#include "area/number.h"

enum { SAMPLE_BITS = 8, OFFSET_BITS = 60 };

static bool equal_kinds(const critical_kinds *left, const critical_kinds *right) {
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
        if (left->of[region] != right->of[region]) return false;
    return true;
}

/* Step 1. */
static void add_cuts(critical_scan *s) {
    const area_subsystem *A = &s->system.subsystem[0];
    const surd_poly *const all[4] = {&A->den, &A->phi, &A->p0, &A->p1};
    flint_local(fmpq, a, step);
    for (int k = 0; k < 4; k++) real_roots_add_surd(&s->roots, all[k], s->system.root);
    real_roots_add_number(&s->roots, a); /* 0 */
    fmpq_sub(step, s->range[1], s->range[0]);
    fmpq_div_2exp(step, step, SAMPLE_BITS);
    fmpq_set(a, s->range[0]);
    for (int k = 1; k < 1 << SAMPLE_BITS; k++) {
        fmpq_add(a, a, step);
        real_roots_add_number(&s->roots, a);
    }
}

/* Adds the changes between two numbers without a cut between them, by bisection to neighbouring doubles
 * (step 3). */
static bool add_changes_between(critical_scan *s, const fmpq_t left, const critical_kinds *at_left,
                                const fmpq_t right, const critical_kinds *at_right) {
    if (equal_kinds(at_left, at_right)) return true;
    double low = fmpq_get_d(left), high = fmpq_get_d(right), middle = low + 0.5 * (high - low);
    if (middle > low && middle < high) {
        critical_kinds at_middle;
        flint_local(fmpq, a);
        rational_of(a, middle);
        return critical_kinds_at(s, a, &at_middle) && add_changes_between(s, left, at_left, a, &at_middle) &&
               add_changes_between(s, a, &at_middle, right, at_right);
    }
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
        critical_add_change(s->events, high, region, at_left->of[region], at_right->of[region]);
    return true;
}

/* The kinds very close to root i: before it for side -1, behind it for 1. [out] a: that number. */
static bool kinds_next_to(critical_scan *s, int i, int side, fmpq_t a, critical_kinds *k) {
    flint_local(arf, x, step);
    real_roots_refine(&s->roots, i, OFFSET_BITS + 20);
    arf_set(x, side < 0 ? s->roots.root[i].low : s->roots.root[i].high);
    arf_abs(step, x);
    if (arf_is_zero(x)) arf_one(step);
    arf_mul_2exp_si(step, step, -OFFSET_BITS);
    arf_set_round(step, step, 2, ARF_RND_NEAR);
    (side < 0 ? arf_sub : arf_add)(x, x, step, OFFSET_BITS + 10, ARF_RND_NEAR);
    arf_get_fmpq(a, x);
    return critical_kinds_at(s, a, k);
}

/* Adds the changes between two numbers with one cut, root i, between them (step 3). */
static bool add_changes_around(critical_scan *s, int i, const fmpq_t left, const critical_kinds *before,
                               const fmpq_t right, const critical_kinds *after) {
    if (equal_kinds(before, after)) return critical_add_events(s, i, before, after);
    critical_kinds beside[2];
    flint_local(fmpq, low, high);
    return kinds_next_to(s, i, -1, low, &beside[0]) && kinds_next_to(s, i, 1, high, &beside[1]) &&
           add_changes_between(s, left, before, low, &beside[0]) &&
           critical_add_events(s, i, &beside[0], &beside[1]) &&
           add_changes_between(s, high, &beside[1], right, after);
}

bool critical_add_sampled(critical_scan *s) {
    search_watch_next(&s->watch, 1);
    add_cuts(s);
    critical_kinds before, after;
    flint_local(fmpq, left, right);
    bool started = false, fine = real_roots_find(&s->roots);
    for (int i = 0; i + 1 < s->roots.count && fine; i++) {
        if (search_watch_stops(&s->watch, (double)i / (double)s->roots.count)) fine = false;
        if (!fine || !critical_is_in_range(s, i)) continue;
        fine = critical_kinds_between(s, i, right, &after);
        if (started && fine) fine = add_changes_around(s, i, left, &before, right, &after);
        before = after;
        fmpq_swap(left, right);
        started = true;
    }
    return fine;
}
