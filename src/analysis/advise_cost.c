/* Cost of a coupling: subsystem steps per simulated second, including every sweep.
 * 1. The cost at a macro step is the number of micro steps of all subsystems per second times the number of
 *    sweeps.
 * 2. With a fixed number of sweeps the largest macro step requested is the cheapest.
 * 3. An iteration to convergence takes one sweep more than its radius needs to reduce an iteration variable
 * to 1e-6. The radius is the largest one found at smaller steps. The cost is the least of 301 macro steps, in
 *    geometric progression from the start of the range to the largest step requested.
 * 4. advise_step_for bisects for the macro step of a given cost. The cost at the end of the stable interval
 *    bounds that of a coupling from below.
 * Cost: one map per macro step for iterations to convergence. Limitation: ignores the cost of signal
 * exchanges and of starting steps. */
#include <math.h>

#include "analysis/advise.h"
#include "analysis/analysis.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

enum { COST_SAMPLES = 300, NEWTON_SWEEPS = 2, HALVINGS = 40 };

/* Ratio of the iteration variable to its first value at convergence. */
#define CONVERGED 1e-6

/* Computes the subsystem steps per simulated second at a macro step, for one sweep. */
static costab_status steps_at(adviser *a, const advise_candidate *c, double H, double *steps,
                              costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    TRY(advise_network_at(a, c, H, &network, &coupling, error));
    *steps = 0;
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        double stride = subsystem->stride > 0 ? subsystem->stride : 1;
        *steps += subsystem->substeps > 0 ? subsystem->substeps / (stride * H) : 1 / subsystem->step;
    }
    return COSTAB_OK;
}

/* Computes the sweeps to convergence at a macro step. *radius: the iteration radius, or the largest of
 * smaller macro steps analysed before, since an eigenvalue may pass 0 by chance. */
static costab_status sweeps_at(adviser *a, const advise_candidate *c, double H, double *radius,
                               double *sweeps, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_network_point point;
    TRY(advise_network_at(a, c, H, &network, &coupling, error));
    TRY(costab_network_analyse(a->work, network, &coupling, &point, error));
    *radius = fmax(*radius, point.iteration_radius);
    *sweeps = *radius < 1 ? 1 + ceil(fmax(0, log(CONVERGED) / log(*radius))) : (double)INFINITY;
    return COSTAB_OK;
}

/* Returns the fixed number of sweeps; 0: to convergence. */
static double fixed_sweeps(const advise_candidate *c) {
    if (c->choices.scheme != COSTAB_ITERATED) return 1;
    return c->choices.iterations == COSTAB_NEWTON ? NEWTON_SWEEPS : c->choices.iterations;
}

/* Computes the least cost of macro steps up to `most`, and the cost of the largest of them. */
static costab_status costs(adviser *a, const advise_candidate *c, double most, double *step, double *cost,
                           double *last, costab_error *error) {
    double radius = 1e-300, sweeps = fixed_sweeps(c), lower = fmin(a->options->lower, most);
    bool converged = sweeps == 0;
    *cost = *last = (double)INFINITY;
    *step = (double)NAN;
    if (isnan(most) || !(most > 0)) return COSTAB_OK;
    for (int i = converged ? 0 : COST_SAMPLES; i <= COST_SAMPLES; i++) {
        double steps, H = advise_largest_step(c, most * pow(lower / most, 1 - (double)i / COST_SAMPLES));
        if (H == 0) continue;
        TRY(steps_at(a, c, H, &steps, error));
        if (converged) TRY(sweeps_at(a, c, H, &radius, &sweeps, error));
        *last = steps * sweeps;
        if (!(*last <= *cost) || !isfinite(*last)) continue;
        *cost = *last;
        *step = H;
    }
    return COSTAB_OK;
}

costab_status advise_cost(adviser *a, const advise_candidate *c, double most, double *step, double *cost,
                          costab_error *error) {
    double last;
    return costs(a, c, most, step, cost, &last, error);
}

costab_status advise_cost_at(adviser *a, const advise_candidate *c, double H, double *cost,
                             costab_error *error) {
    double least, step;
    return costs(a, c, H, &step, &least, cost, error);
}

costab_status advise_step_for(adviser *a, const advise_candidate *c, double cost, double *step,
                              costab_error *error) {
    const double last = advise_longest_stable(a, c);
    double low = a->options->lower, high = last, sweeps = fixed_sweeps(c), steps, radius = 1e-300;
    *step = 0;
    if (sweeps == 0) TRY(sweeps_at(a, c, advise_smallest_step(c, low), &radius, &sweeps, error));
    TRY(steps_at(a, c, high, &steps, error));
    if (!(steps * sweeps <= cost)) return COSTAB_OK;
    TRY(steps_at(a, c, low, &steps, error));
    if (steps * sweeps <= cost) high = low;
    for (int i = 0; i < HALVINGS && high > low * (1 + 1e-9); i++) {
        double middle = sqrt(low) * sqrt(high);
        TRY(steps_at(a, c, middle, &steps, error));
        *(steps * sweeps <= cost ? &high : &low) = middle;
    }
    high = advise_smallest_step(c, high);
    *step = high <= last ? high : 0;
    return COSTAB_OK;
}

/* ---- Limits as bounds of the cost ---- */

static bool search_stops(void *context, double share, size_t evaluations) {
    (void)share;
    (void)evaluations;
    return advise_ask_progress(context, NULL) != COSTAB_OK;
}

costab_analysis_limit_options advise_limit_options(adviser *a) {
    return (costab_analysis_limit_options){.lower = a->options->lower,
                                           .upper = a->options->upper,
                                           .progress = search_stops,
                                           .progress_context = a};
}

/* COSTAB_INVALID if the limit leaves the first macro steps undecided because of long delays. */
static costab_status check_delays(const adviser *a, const costab_limit *limit, costab_error *error) {
    const bool first = limit->count > 0 && limit->pieces[0].from <= a->options->lower &&
                       limit->pieces[0].class_code == COSTAB_CLASS_UNDECIDED;
    if (!first || limit->undecided[COSTAB_REASON_DELAYS] == 0) return COSTAB_OK;
    char to[NUMBER_SHOWN_MAX];
    return error_invalid(error,
                         "below %s = %s s delays are more macro steps than are searched; begin the range "
                         "there",
                         a->options->parameter,
                         number_rounded(limit->pieces[0].to, NUMBER_LIMIT_DIGITS, 1, to));
}

costab_status advise_find_stable(adviser *a, advise_candidate *c, costab_error *error) {
    if (c->limited) return COSTAB_OK;
    analysis_family family = advise_family(a, c);
    costab_analysis_limit_options options = advise_limit_options(a);
    ends_by(analysis_limit_free) costab_analysis_limit limit = {.single = false};
    double cost;
    TRY(advise_ask_progress(a, error));
    TRY(analysis_limit_find(&family, &options, &limit, error));
    TRY(check_delays(a, &limit.found, error));
    if (c->values.at == NULL || c->values.count > 0) {
        c->row.stable_to = advise_stable_to(&limit.found, advise_smallest_step(c, options.lower));
        c->row.intervals = limit.found.pieces; /* owned by the row */
        c->row.interval_count = limit.found.count;
        limit.found.pieces = NULL;
        c->row.margin = a->moved ? (double)NAN : c->row.stable_to / a->nominal;
    }
    TRY(advise_cost(a, c, c->row.stable_to, &c->row.step, &cost, error));
    c->least_cost = fmax(c->least_cost, cost);
    /* Runs beyond the limit carry no information on smaller macro steps. */
    if (!(c->longest_kept <= c->row.stable_to)) c->longest_kept = 0;
    if (c->shortest_refused > c->row.stable_to) c->shortest_refused = (double)INFINITY;
    c->limited = true;
    return COSTAB_OK;
}
