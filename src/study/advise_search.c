/* Which couplings can win, cheapest first.
 *
 * 1. Each coupling has a lower bound of its cost: that at its largest stable macro step; later that at the
 *    smallest macro step known to pass an error.
 * 2. Until one is settled that can be used: a cost is tried that grows by GROWTH, from the least bound on,
 * and the first coupling that keeps the errors at the macro step at which it costs that is settled. So no run
 * is much dearer than the answer.
 * 3. Of the others, by their bounds, up to ADVISE_WINS times the cheapest: one that passes an error at the
 *    macro step at which it would cost that cannot win, one that keeps them is settled.
 * 4. To settle: upwards from a macro step that keeps the errors by a constant ratio to one that does not,
 * then bisection to RESOLUTION. Where the map tells errors at communication points, by these first; all micro
 *    steps then count from there on downwards.
 * 5. The one to be recommended is looked at at smaller macro steps, too. Where it passes an error there, it
 * is settled below that, and all is repeated from 2 on.
 *
 * Cost: a run for each coupling, which ends where it passes an error, and some ten for each that is settled.
 * Not guaranteed: an error that is passed between the macro steps looked at. */
#include <math.h>

#include "study/advise.h"

#define GROWTH     4.0
#define RATIO      1.25
#define RESOLUTION 1e-3
enum { VERIFIED = 8 };

/* Notes what a run at H tells. */
static costab_status try_at(adviser *a, advise_candidate *c, double H, bool quick, bool *kept,
                            costab_error *error) {
    costab_status status = advise_keeps(a, c, H, quick, kept, error);
    if (status) return status;
    if (*kept)
        c->kept = fmax(c->kept, H);
    else
        c->passed = fmin(c->passed, H);
    return COSTAB_OK;
}

/* The largest macro step to be tried: stable, and at least one fits into the time. */
static double last_step(const adviser *a, const advise_candidate *c) {
    return advise_allowed(c, fmin(c->row.stable_to, a->options->until));
}

/* A macro step between the one kept and the one passed; 0: they are near enough. */
static double between(const advise_candidate *c) {
    if (c->passed <= c->kept * (1 + RESOLUTION)) return 0;
    double middle = advise_allowed(c, sqrt(c->kept) * sqrt(c->passed));
    if (middle <= c->kept) middle = advise_allowed_from(c, sqrt(c->kept) * sqrt(c->passed));
    return middle > c->kept && middle < c->passed ? middle : 0;
}

/* The row's step and cost; without a macro step that keeps the errors there are none. */
static costab_status complete(adviser *a, advise_candidate *c, costab_error *error) {
    c->settled = true;
    c->row.accurate_to = c->kept > 0 ? c->kept : (double)NAN;
    return advise_cost(a, c, c->row.accurate_to, &c->row.step, &c->bound, error);
}

static costab_status halve(adviser *a, advise_candidate *c, bool quick, costab_error *error) {
    costab_status status = COSTAB_OK;
    bool kept;
    for (double H = between(c); H > 0 && !status; H = between(c))
        status = try_at(a, c, H, quick, &kept, error);
    return status;
}

/* Where errors at communication points are kept, or where nothing else is looked at. From c->kept, or where
 * that is 0 from a macro step that does not pass yet. */
static costab_status settle_quickly(adviser *a, advise_candidate *c, costab_error *error) {
    const double lowest = advise_allowed_from(c, a->options->lower), last = last_step(a, c);
    costab_status status = COSTAB_OK;
    bool kept = c->kept > 0;
    for (double H = fmin(last, c->passed / 2); !kept && !status && last >= lowest; H /= 2) {
        H = fmax(advise_allowed(c, H), lowest);
        if (H >= c->passed) break;
        status = try_at(a, c, H, true, &kept, error);
        if (H <= lowest) break;
    }
    for (double H = c->kept; kept && !status && c->passed == (double)INFINITY && H < last;) {
        H = fmin(advise_allowed_from(c, H * RATIO), last);
        status = try_at(a, c, H, true, &kept, error);
    }
    return status || c->kept == 0 ? status : halve(a, c, true, error);
}

/* Then at all micro steps, downwards from there. */
static costab_status settle(adviser *a, advise_candidate *c, costab_error *error) {
    const double lowest = advise_allowed_from(c, a->options->lower);
    costab_status status = settle_quickly(a, c, error);
    double H = c->kept;
    for (bool kept = H == 0 || !a->errors.by_map; !kept && !status;) {
        c->kept = 0;
        status = try_at(a, c, H, false, &kept, error);
        if (H <= lowest) break;
        if (!kept) H = fmax(advise_allowed(c, H / RATIO), lowest);
    }
    if (!status && c->kept > 0) status = halve(a, c, false, error);
    if (!status) status = complete(a, c, error);
    if (!status && a->options->better != NULL && advise_best(a) == c) {
        c->row.cost = c->bound;
        a->options->better(a->options->progress_context, &c->row);
    }
    return status;
}

/* The open candidate of the least bound; NULL: none. */
static advise_candidate *next_open(adviser *a) {
    advise_candidate *next = NULL;
    a->done = a->total - a->count;
    for (size_t i = 0; i < a->count; i++) {
        advise_candidate *c = &a->candidates[i];
        if (!c->settled && c->bound < (double)INFINITY && (next == NULL || c->bound < next->bound)) next = c;
        a->done += c->settled;
    }
    return next;
}

/* Does it keep the errors where it costs this much? If it does not its bound grows to that. */
static costab_status try_cost(adviser *a, advise_candidate *c, double cost, bool *kept, costab_error *error) {
    double H;
    *kept = false;
    costab_status status = advise_step_for(a, c, cost, &H, error);
    if (!status && H > 0 && H < c->passed && H <= last_step(a, c))
        status = try_at(a, c, H, true, kept, error);
    if (!status && !*kept) c->bound = fmax(c->bound, cost * (1 + 1e-9));
    if (!status && !*kept && c->passed <= advise_allowed_from(c, a->options->lower))
        c->bound = (double)INFINITY;
    return status;
}

/* Step 2: a cost that grows, until one is settled that can be used. */
static costab_status find_first(adviser *a, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (advise_candidate *c = next_open(a); c != NULL && advise_best(a) == NULL && !status;
         c = next_open(a)) {
        double cost = GROWTH * c->bound;
        bool kept = false;
        for (size_t i = 0; i < a->count && !kept && !status; i++) {
            c = &a->candidates[i];
            if (c->settled || !(c->bound < cost)) continue;
            status = try_cost(a, c, cost, &kept, error);
        }
        if (!status && kept) status = settle(a, c, error);
    }
    return status;
}

static costab_status find_others(adviser *a, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (advise_candidate *c = next_open(a), *best = advise_best(a); c != NULL && best != NULL && !status;
         c = next_open(a), best = advise_best(a)) {
        bool kept;
        if (c->bound > ADVISE_WINS * best->bound) break;
        status = try_cost(a, c, ADVISE_WINS * best->bound, &kept, error);
        if (!status && kept) status = settle(a, c, error);
    }
    return status;
}

/* Smaller macro steps than the one to be recommended. */
static costab_status verify(adviser *a, advise_candidate *c, costab_error *error) {
    const double lowest = advise_allowed_from(c, a->options->lower);
    costab_status status = COSTAB_OK;
    bool kept = true;
    double H = c->kept;
    for (int i = 0; i < VERIFIED && kept && !status && H > lowest; i++) {
        H = fmax(advise_allowed(c, H / RATIO), lowest);
        status = advise_keeps(a, c, H, true, &kept, error);
    }
    c->verified = kept;
    if (status || kept) return status;
    c->kept = 0;
    c->passed = H;
    return settle(a, c, error);
}

costab_status advise_search(adviser *a, costab_error *error) {
    costab_status status = COSTAB_OK;
    for (advise_candidate *c = next_open(a); a->options->all && c != NULL && !status; c = next_open(a))
        status = settle(a, c, error);
    for (advise_candidate *best = NULL; !status;) {
        status = find_first(a, error);
        if (!status) status = find_others(a, error);
        best = advise_best(a);
        if (status || best == NULL || best->verified) break;
        status = verify(a, best, error);
    }
    return status;
}
