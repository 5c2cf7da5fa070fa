/* Critical values of a, where an area changes its kind (zero, finite, infinite), by projection and one number
 * between neighbouring roots, as in cylindrical algebraic decomposition (docs/explanation/algorithms.md,
 * Critical values):
 *
 *  1. The projection (projection.c) gives polynomials in a. Between neighbouring real roots of them the kinds
 *     of all areas stay the same.
 *  2. These roots are isolated and put in order exactly (real_roots.c).
 *  3. The kinds are decided exactly at one rational number between each two neighbouring roots; and at the
 *     roots themselves where the kinds are the same on both sides (critical_events.c).
 *
 * Complete, with two exceptions. At an irrational root with the same kind on both sides it may stay undecided
 * whether the region is empty there. And an area that is infinite at such a root alone, or finite there
 * alone, is not looked for. Beyond DEGREE_MAX stages times micro steps the projection takes too long, and a
 * is sampled (critical_sampled.c). Cost: nearly all is the projection's. */
#include <math.h>
#include <stdlib.h>

#include "area/critical_events.h"
#include "area/exponential.h"
#include "area/number.h"
#include "area/projection.h"
#include "base/error.h"

/* RANGE_BITS: of the range in which roots are isolated, rounded outwards. */
enum { DEGREE_MAX = 16, RANGE_BITS = 64 };

/* Step 3: adds the events at all roots in the range. */
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

/* Steps 1 to 3. */
static bool add_complete(critical_scan *s) {
    const double projected = 0.6, isolated = 0.8; /* shares of the time, about */
    search_watch_next(&s->watch, projected);
    if (!projection_add(&s->system, &s->roots, &s->watch)) return false;
    search_watch_next(&s->watch, isolated);
    if (!real_roots_find(&s->roots)) return false;
    search_watch_next(&s->watch, 1);
    return add_all_events(s);
}

/* Adds the events in the range, of a Runge-Kutta method. [in, out] events: none yet, with `search` set: it
 * says which of the two searches is done. */
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

/* Adds the events in the range, of any method. */
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

/* Ascending a; at one a in the order of the events. */
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
