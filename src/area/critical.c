/* Critical values of a, at which an area changes its kind (zero, finite, infinite), by projection and sample
 * points as in cylindrical algebraic decomposition (docs/explanation/algorithms.md, Critical values).
 *
 * 1. Projection (projection.c): polynomials in a. Between adjacent real roots the kinds of all areas are
 *    constant.
 * 2. Roots: isolated and ordered exactly (real_roots.c).
 * 3. Kinds: decided exactly at one rational number between adjacent roots, and at a root itself if the kinds
 *    on both sides are equal (critical_events.c).
 *
 * The search is complete with two exceptions. At an irrational root with equal kinds on both sides it may
 * remain undecided whether the region is empty. An area that is infinite only at such a root, or finite only
 * there, is not searched for. Above DEGREE_MAX stages times micro steps the projection takes too long, and a
 * is sampled instead. Cost: dominated by the projection. */
#include <math.h>
#include <stdlib.h>

#include "area/critical_events.h"
#include "area/exponential.h"
#include "area/number.h"
#include "area/projection.h"
#include "base/error.h"

/* RANGE_BITS: precision of the range for root isolation, rounded outwards. */
enum { DEGREE_MAX = 16, RANGE_BITS = 64 };

/* Adds the events at all roots in the range. */
static bool add_all_events(critical_scan *s) {
    critical_kinds before, after;
    bool started = false;
    flint_local(fmpq, a);
    for (int i = 0; i + 1 < s->roots.count; i++) {
        if (search_watch_stops(&s->watch, (double)i / (double)s->roots.count)) return false;
        if (!critical_is_in_range(s, i)) continue;
        if (!critical_kinds_between(s, i, a, &after)) return false;
        if (started && !critical_add_events(s, i, &before, &after)) return false;
        before = after;
        started = true;
    }
    return true;
}

/* Runs the complete search. */
static bool add_complete(critical_scan *s) {
    const double projected = 0.6, isolated = 0.8; /* approximate fractions of the run time */
    search_watch_next(&s->watch, projected);
    if (!projection_add(&s->system, &s->roots, &s->watch)) return false;
    search_watch_next(&s->watch, isolated);
    if (!real_roots_find(&s->roots)) return false;
    search_watch_next(&s->watch, 1);
    return add_all_events(s);
}

/* Adds the events in the range for a Runge-Kutta method. [in, out] events: empty; events->search selects one
 * of the two searches. */
static costab_status search_range(const costab_planar *planar, const costab_critical_options *options,
                                  const fmpq_t low, const fmpq_t high, critical_events *events,
                                  costab_error *error) {
    flint_local(arf, from, to);
    critical_scan s = {.range = {low, high},
                       .roots = {.low = from, .high = to, .watch = &s.watch},
                       .watch = {.progress = options->progress, .context = options->progress_context},
                       .events = events};
    arf_set_fmpq(from, low, RANGE_BITS, ARF_RND_FLOOR);
    arf_set_fmpq(to, high, RANGE_BITS, ARF_RND_CEIL);
    bool fine = area_system_init(planar, &s.system);
    real_roots_add_number(&s.roots, low);
    real_roots_add_number(&s.roots, high);
    if (fine) fine = events->search == COSTAB_SEARCH_COMPLETE ? add_complete(&s) : critical_add_sampled(&s);
    area_system_clear(&s.system);
    real_roots_clear(&s.roots);
    if (s.watch.stopped)
        return error_set(error, COSTAB_CANCELLED, "the critical values of %s are not all found",
                         costab_scheme_name(planar->scheme));
    return fine ? COSTAB_OK : error_memory(error);
}

/* Adds the events in the range for any method. */
static costab_status find_events(const costab_planar *planar, const costab_critical_options *options,
                                 critical_events *events, costab_error *error) {
    const costab_method *m = &planar->method;
    const int most = planar->substeps[0] > planar->substeps[1] ? planar->substeps[0] : planar->substeps[1];
    const costab_number range[2] = {{options->low, options->written[0]},
                                    {options->high, options->written[1]}};
    flint_local(fmpq, low, high);
    TRY(area_system_check(planar, "critical values", COSTAB_CRITICAL_DEGREE_MAX, error));
    TRY(rational_range(range, "a", low, high, error));
    events->search = most * m->stages > DEGREE_MAX ? COSTAB_SEARCH_NOT_COMPLETE : COSTAB_SEARCH_COMPLETE;
    if (m->kind != COSTAB_EXACT) return search_range(planar, options, low, high, events, error);
    area_exponential_critical(planar->scheme, low, high, events);
    return COSTAB_OK;
}

/* By a, then by event. */
static int by_a(const void *left, const void *right) {
    const costab_critical *a = left, *b = right;
    if (a->a != b->a) return (a->a > b->a) - (a->a < b->a);
    return (int)a->event - (int)b->event;
}

costab_status costab_planar_critical(const costab_planar *planar, const costab_critical_options *options,
                                     costab_critical *critical, size_t *count, costab_error *error) {
    const double low = options->low, high = options->high;
    *count = 0;
    if (!isfinite(low) || !isfinite(high) || !(low < high))
        return error_invalid(error, "critical values need a range of a from low to high, not %g to %g", low,
                             high);
    if (planar->scheme == COSTAB_SIMULATION) return COSTAB_OK;
    critical_events events = {.critical = critical};
    TRY(find_events(planar, options, &events, error));
    if (events.full)
        return error_set(
            error, COSTAB_NUMERIC, "%s with %s has more than %d critical values between %g and %g",
            costab_scheme_name(planar->scheme), planar->method.name, COSTAB_CRITICAL_MAX, low, high);
    *count = events.count;
    qsort(critical, *count, sizeof *critical, by_a);
    return COSTAB_OK;
}

/* ---- Sampling ---- */

/* Critical values of a by sampling, for degrees with too expensive resultants
 * (docs/explanation/algorithms.md, Critical values).
 *
 * 1. Cuts: the range is divided into 2^SAMPLE_BITS equal parts, and at the roots of the polynomials in a that
 *    form the bounds (bounds.h): one subsystem's denominator, phi, P0 and P1.
 * 2. Kinds of the areas (zero, finite, infinite) are decided exactly at one number between adjacent cuts.
 * 3. If the kinds at two adjacent numbers differ, they are also decided at relative distance 2^-OFFSET_BITS
 *    before and after the cut between them. A change between these two is an event at the cut; other changes
 *    are bisected to adjacent doubles.
 *
 * Limitation: changes that cancel between two sample numbers are missed. Cost: the cells (cells.c) at about
 * 300 numbers, and at 53 per bisection. */

enum { SAMPLE_BITS = 8, OFFSET_BITS = 60 };

static bool equal_kinds(const critical_kinds *left, const critical_kinds *right) {
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
        if (left->of[region] != right->of[region]) return false;
    return true;
}

/* Adds the cuts. */
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

/* Adds the changes between two numbers without a cut between them, by bisection to adjacent doubles. */
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

/* Kinds very close to root i: before it for side -1, after it for side 1. [out] a: the number used. */
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

/* Adds the changes between two numbers separated by one cut, root i. */
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
