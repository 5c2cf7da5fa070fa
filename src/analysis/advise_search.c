/* Finds the cheapest coupling within the error limits by branch and bound over couplings and macro steps. A
 * macro step is accepted if a run with it stays within all limits. Settling a coupling means finding its
 * largest accepted macro step.
 * 1. Bounds: each coupling has a lower bound of its cost. It is the cost at its largest stable macro step,
 *    once known, and later at the smallest rejected macro step.
 * 2. First coupling: all limits are computed. A trial cost starts at GROWTH times the least bound and grows.
 *    Each coupling is run at the macro step of that cost; the first accepted one is settled. So no run costs
 *    much more than the answer.
 * 3. Other couplings are run at the macro step of ADVISE_WINS times the cheapest cost. A rejected one cannot
 *    win, so its limit is not needed. Accepted and stable ones are run at half the cost, and so on until none
 *    is left. The last one is settled, and this phase repeats.
 * 4. Settling: from an accepted macro step upwards by the factor RATIO to a rejected one, then bisection to
 *    RESOLUTION. If runs without micro steps are cheap, they come first; runs with all micro steps follow
 *    from there downwards.
 * 5. Verification: the recommended coupling is run at VERIFIED smaller macro steps. After a violation it is
 *    settled below that, and the search repeats from phase 2.
 * Cost: one run per coupling, ended at the first violation, and about ten per settled coupling. Limitation:
 * misses violations between the tried macro steps. */
#include <math.h>

#include "analysis/advise.h"
#include "base/error.h"

#define GROWTH     4.0
#define RATIO      1.25
#define RESOLUTION 1e-3
enum { VERIFIED = 8 };

/* Runs a coupling at H and updates its largest accepted or smallest rejected macro step. */
static costab_status run_at(adviser *a, advise_candidate *c, double H, bool quick, bool *kept,
                            costab_error *error) {
    TRY(advise_keeps_errors(a, c, H, quick, kept, error));
    if (*kept)
        c->longest_kept = fmax(c->longest_kept, H);
    else
        c->shortest_refused = fmin(c->shortest_refused, H);
    return COSTAB_OK;
}

/* Returns the largest macro step to be tried: stable, and at most the simulated time. */
static double largest_step(const adviser *a, const advise_candidate *c) {
    return advise_largest_step(c, fmin(advise_longest_stable(a, c), a->options->until));
}

/* Returns the next macro step of the bisection; 0 at its end, and if none is refused. */
static double next_between(const advise_candidate *c) {
    if (c->shortest_refused == (double)INFINITY || c->shortest_refused <= c->longest_kept * (1 + RESOLUTION))
        return 0;
    double middle = advise_largest_step(c, sqrt(c->longest_kept) * sqrt(c->shortest_refused));
    if (middle <= c->longest_kept)
        middle = advise_smallest_step(c, sqrt(c->longest_kept) * sqrt(c->shortest_refused));
    return middle > c->longest_kept && middle < c->shortest_refused ? middle : 0;
}

/* Completes the row of a settled coupling; infinite cost without an accepted macro step. */
static costab_status fill_row(adviser *a, advise_candidate *c, costab_error *error) {
    c->settled = true;
    c->row.accurate_to = c->longest_kept > 0 ? c->longest_kept : (double)NAN;
    return advise_cost(a, c, c->row.accurate_to, &c->row.step, &c->least_cost, error);
}

/* Bisects between the accepted and the rejected macro step. */
static costab_status bisect_kept(adviser *a, advise_candidate *c, bool quick, costab_error *error) {
    bool kept;
    for (double H = next_between(c); H > 0; H = next_between(c)) TRY(run_at(a, c, H, quick, &kept, error));
    return COSTAB_OK;
}

/* Settles a coupling by errors at communication points (by full runs for nonlinear systems), starting at
 * c->longest_kept. If that is 0, halves macro steps until one is accepted. */
static costab_status settle_at_communication_points(adviser *a, advise_candidate *c, costab_error *error) {
    const double lowest = advise_smallest_step(c, a->options->lower), last = largest_step(a, c);
    bool kept = c->longest_kept > 0;
    for (double H = fmin(last, c->shortest_refused / 2); !kept && last >= lowest; H /= 2) {
        H = fmax(advise_largest_step(c, H), lowest);
        if (H >= c->shortest_refused) break;
        TRY(run_at(a, c, H, true, &kept, error));
        if (H <= lowest) break;
    }
    for (double H = c->longest_kept; kept && c->shortest_refused == (double)INFINITY && H < last;) {
        H = fmin(advise_smallest_step(c, H * RATIO), last);
        TRY(run_at(a, c, H, true, &kept, error));
    }
    return c->longest_kept == 0 ? COSTAB_OK : bisect_kept(a, c, true, error);
}

/* Settles a coupling, including the runs with micro steps. */
static costab_status settle(adviser *a, advise_candidate *c, costab_error *error) {
    const double lowest = advise_smallest_step(c, a->options->lower);
    TRY(settle_at_communication_points(a, c, error));
    double H = c->longest_kept;
    for (bool kept = H == 0 || !a->errors.linear_alone; !kept;) {
        c->longest_kept = 0;
        TRY(run_at(a, c, H, false, &kept, error));
        if (H <= lowest) break;
        if (!kept) H = fmax(advise_largest_step(c, H / RATIO), lowest);
    }
    if (c->longest_kept > 0) TRY(bisect_kept(a, c, false, error));
    TRY(fill_row(a, c, error));
    if (advise_best(a) == c) advise_report_better(a, c, c->row.step, c->least_cost);
    return COSTAB_OK;
}

/* Returns the unsettled coupling with the least bound (least_cost); NULL: none. */
static advise_candidate *cheapest_open(adviser *a) {
    advise_candidate *next = NULL;
    for (size_t i = 0; i < a->count; i++) {
        advise_candidate *c = &a->candidates[i];
        if (!c->settled && c->least_cost < (double)INFINITY &&
            (next == NULL || c->least_cost < next->least_cost))
            next = c;
    }
    return next;
}

/* Determines if the macro step with this cost is accepted. */
static costab_status try_step(adviser *a, advise_candidate *c, double cost, bool *kept, costab_error *error) {
    double H;
    *kept = false;
    if (c->least_cost > cost) return COSTAB_OK;
    TRY(advise_step_for(a, c, cost, &H, error));
    *kept = H > 0 && H == c->longest_kept; /* known from before */
    if (*kept || !(H > 0 && H < c->shortest_refused && H <= largest_step(a, c))) return COSTAB_OK;
    return run_at(a, c, H, true, kept, error);
}

/* Like try_step(), and checks stability last, because it takes longer. A rejection raises the bound to that
 * cost. */
static costab_status try_cost(adviser *a, advise_candidate *c, double cost, bool *kept, costab_error *error) {
    const bool limited = c->limited;
    costab_error why;
    costab_status status = try_step(a, c, cost, kept, limited ? error : &why);
    if (limited && status) return status;
    if (status == COSTAB_CANCELLED || status == COSTAB_MEMORY)
        return error_set(error, status, "%s", why.message);
    if (!limited && (status || *kept)) {
        /* Beyond the limit a run may be rejected or accepted by chance. */
        TRY(advise_find_stable(a, c, error));
        TRY(try_step(a, c, cost, kept, error));
    }
    if (!*kept) c->least_cost = fmax(c->least_cost, cost * (1 + 1e-9));
    if (!*kept && c->shortest_refused <= advise_smallest_step(c, a->options->lower))
        c->least_cost = (double)INFINITY;
    return COSTAB_OK;
}

/* Finds the first usable coupling. */
static costab_status find_first(adviser *a, costab_error *error) {
    for (size_t i = 0; i < a->count && advise_best(a) == NULL; i++)
        TRY(advise_find_stable(a, &a->candidates[i], error));
    for (advise_candidate *c = cheapest_open(a); c != NULL && advise_best(a) == NULL; c = cheapest_open(a)) {
        double cost = GROWTH * c->least_cost;
        bool kept = false;
        for (size_t i = 0; i < a->count && !kept; i++) {
            c = &a->candidates[i];
            if (!c->settled && c->least_cost < cost) TRY(try_cost(a, c, cost, &kept, error));
        }
        if (!kept) continue;
        TRY(advise_cost_at(a, c, c->longest_kept, &cost, error));
        advise_report_better(a, c, c->longest_kept, cost);
        TRY(settle(a, c, error));
    }
    return COSTAB_OK;
}

/* Runs all open couplings at this cost, then at half of it, until none is accepted. *last: the last accepted
 * one; NULL: none. */
static costab_status find_cheapest(adviser *a, double cost, advise_candidate **last, costab_error *error) {
    *last = NULL;
    for (bool any = true; any; cost /= 2) {
        any = false;
        for (size_t i = 0; i < a->count; i++) {
            advise_candidate *c = &a->candidates[i];
            bool kept;
            if (c->settled || c->least_cost > cost) continue;
            TRY(try_cost(a, c, cost, &kept, error));
            if (kept) *last = c;
            any = any || kept;
        }
    }
    return COSTAB_OK;
}

/* Runs the other couplings against the cheapest. */
static costab_status find_others(adviser *a, costab_error *error) {
    for (advise_candidate *best = advise_best(a), *c = best; best != NULL && c != NULL;
         best = advise_best(a)) {
        TRY(find_cheapest(a, ADVISE_WINS * best->least_cost, &c, error));
        if (c != NULL) TRY(settle(a, c, error));
    }
    return COSTAB_OK;
}

/* Verifies smaller macro steps of the recommended coupling. */
static costab_status verify_smaller_steps(adviser *a, advise_candidate *c, costab_error *error) {
    const double lowest = advise_smallest_step(c, a->options->lower);
    bool kept = true;
    double H = c->longest_kept;
    for (int i = 0; i < VERIFIED && kept && H > lowest; i++) {
        H = fmax(advise_largest_step(c, H / RATIO), lowest);
        TRY(advise_keeps_errors(a, c, H, true, &kept, error));
    }
    c->verified = kept;
    if (kept) return COSTAB_OK;
    c->longest_kept = 0;
    c->shortest_refused = H;
    return settle(a, c, error);
}

/* Settles the model's first coupling, so that its row is complete even if it cannot win. */
static costab_status settle_own(adviser *a, costab_error *error) {
    for (size_t i = 0; i < a->count; i++) {
        advise_candidate *c = &a->candidates[i];
        if (a->variant.couplings[c->row.listed].own != 0) continue;
        TRY(advise_find_stable(a, c, error));
        if (!c->settled && c->least_cost < (double)INFINITY) TRY(settle(a, c, error));
    }
    return COSTAB_OK;
}

costab_status advise_search(adviser *a, bool verify, costab_error *error) {
    for (advise_candidate *c = cheapest_open(a); a->options->all && c != NULL; c = cheapest_open(a))
        TRY(settle(a, c, error));
    for (;;) {
        TRY(find_first(a, error));
        TRY(find_others(a, error));
        advise_candidate *best = advise_best(a);
        if (best == NULL || best->verified || !verify) break;
        TRY(verify_smaller_steps(a, best, error));
    }
    return verify && a->lists_all ? settle_own(a, error) : COSTAB_OK;
}
