/* Number of micro steps h in a subsystem's step H by the option micro_steps. H is the stride times the macro
 * step.
 *
 * 1. whole: H/h must be an integer up to the rounding of its input. The error message proposes the nearest
 *    steps.
 * 2. clocks: H/h = p/q with the smallest q. Step k has ceil((k + 1) p/q) - ceil(k p/q) micro steps
 *    ([SP] Algorithm 1).
 * 3. real-power: H/h is the exponent of the matrix of a micro step, unless it is an integer as in `whole`.
 *
 * Samples of a discrete-time subsystem, with any option: H/h = p/q. Step k has floor((k + 1) p/q) -
 * floor(k p/q) samples, those in (k H, (k + 1) H].
 *
 * Cost: q trials per ratio. Limitation: q is at most COSTAB_CLOCK_PARTS. */
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "network/clock.h"
#include "network/network.h"

/* Relative rounding error allowed in a ratio of steps. */
#define RATIO_TOLERANCE 1e-12

bool clock_fraction(double ratio, int64_t q_max, int64_t *p, int64_t *q) {
    for (int64_t candidate = 1; candidate <= q_max; candidate++) {
        double product = ratio * (double)candidate, whole = round(product);
        if (whole < 1 || !(whole < 0x1p53) || fabs(product - whole) > RATIO_TOLERANCE * product) continue;
        *p = (int64_t)whole;
        *q = candidate;
        return true;
    }
    return false;
}

static int stride_of(const costab_subsystem *subsystem) {
    return subsystem->stride > 1 ? subsystem->stride : 1;
}

/* Writes the time between two exchanges of the subsystem, for messages. */
static const char *show_advance(const costab_subsystem *subsystem, double macro_step, char shown[80]) {
    char step[NUMBER_SHOWN_MAX];
    number_shortest(macro_step, step);
    if (subsystem->stride > 1)
        (void)text_format(shown, 80, "its %d macro steps of %s", subsystem->stride, step);
    else
        (void)text_format(shown, 80, "the macro step %s", step);
    return shown;
}

/* Proposed steps are rounded to 15 digits, well within the tolerance, to print 0.3 instead of three times
 * 0.1. */
static costab_status not_whole(const costab_subsystem *subsystem, double macro_step, costab_error *error) {
    char step[NUMBER_SHOWN_MAX], advance[80];
    int stride = stride_of(subsystem);
    double ratio = stride * macro_step / subsystem->step, below = floor(ratio), above = ceil(ratio);
    number_shortest(subsystem->step, step);
    show_advance(subsystem, macro_step, advance);
    if (below < 1)
        return error_invalid(error,
                             "the step %s of subsystem '%s' is longer than %s: take at most "
                             "that, or micro_steps: clocks",
                             step, subsystem->name, advance);
    return error_invalid(error,
                         "the step %s of subsystem '%s' does not divide %s: a step of %.15g or "
                         "%.15g would, so would a macro step of %.15g or %.15g; or take micro_steps: clocks",
                         step, subsystem->name, advance, stride * macro_step / below,
                         stride * macro_step / above, below * subsystem->step / stride,
                         above * subsystem->step / stride);
}

static costab_status no_fraction(const costab_subsystem *subsystem, double macro_step, costab_error *error) {
    char step[NUMBER_SHOWN_MAX], advance[80];
    number_shortest(subsystem->step, step);
    show_advance(subsystem, macro_step, advance);
    if (subsystem->method.kind == COSTAB_DISCRETE)
        return error_invalid(error,
                             "the sample time %s of subsystem '%s' and %s have no ratio p/q with q <= %d: "
                             "choose a macro step that divides the sample time, or a multiple of it",
                             step, subsystem->name, advance, COSTAB_CLOCK_PARTS);
    return error_invalid(error,
                         "the step %s of subsystem '%s' and %s have no ratio p/q with q <= %d: choose "
                         "steps with a common multiple, or micro_steps: real-power",
                         step, subsystem->name, advance, COSTAB_CLOCK_PARTS);
}

static costab_status too_many(const costab_subsystem *subsystem, double macro_step, costab_error *error) {
    char step[NUMBER_SHOWN_MAX], advance[80];
    return error_invalid(error, "the step %s of subsystem '%s' fits more than %d times into %s",
                         number_shortest(subsystem->step, step), subsystem->name, COSTAB_SUBSTEPS_MAX,
                         show_advance(subsystem, macro_step, advance));
}

costab_status clock_make(const costab_network *network, const costab_coupling *coupling, int s,
                         network_clock *clock, costab_error *error) {
    const costab_subsystem *subsystem = &network->subsystems[s];
    double H = coupling->macro_step * stride_of(subsystem);
    if (subsystem->substeps > 0) {
        *clock = (network_clock){
            .h = H / subsystem->substeps, .ratio = subsystem->substeps, .p = subsystem->substeps, .q = 1};
        return COSTAB_OK;
    }
    double ratio = H / subsystem->step;
    *clock = (network_clock){.h = subsystem->step, .ratio = ratio, .q = 1};
    if (!(ratio <= COSTAB_SUBSTEPS_MAX)) return too_many(subsystem, coupling->macro_step, error);
    clock->samples = subsystem->method.kind == COSTAB_DISCRETE;
    if (clock->samples || coupling->micro_steps == COSTAB_CLOCKS) {
        if (clock_fraction(ratio, COSTAB_CLOCK_PARTS, &clock->p, &clock->q)) return COSTAB_OK;
        return no_fraction(subsystem, coupling->macro_step, error);
    }
    if (clock_fraction(ratio, 1, &clock->p, &clock->q)) {
        clock->h = H / (double)clock->p;
        return COSTAB_OK;
    }
    if (coupling->micro_steps == COSTAB_WHOLE) return not_whole(subsystem, coupling->macro_step, error);
    clock->real = true;
    return COSTAB_OK;
}

/* ceil(k p / q), for samples floor(k p / q), without overflow: k <= q <= 1e4, p <= 1e10. */
static int64_t ticks(const network_clock *clock, int64_t k) {
    return (k * clock->p + (clock->samples ? 0 : clock->q - 1)) / clock->q;
}

int64_t clock_ticks(const network_clock *clock, int64_t steps) {
    return steps / clock->q * clock->p + ticks(clock, steps % clock->q);
}

network_clock_step clock_step(const network_clock *clock, int64_t index) {
    if (clock->real || clock->q == 1) return (network_clock_step){.count = clock->p, .start = 0, .end = 1};
    int64_t k = index % clock->q, first = ticks(clock, k), last = ticks(clock, k + 1);
    /* A tick is q/p of the subsystem's step; the difference to k is exact in integers. */
    double start = (double)(first * clock->q - k * clock->p) / (double)clock->p;
    double end = (double)(last * clock->q - k * clock->p) / (double)clock->p;
    return (network_clock_step){.count = last - first, .start = start, .end = end};
}

int64_t clock_lcm(int64_t a, int64_t b, int64_t most) {
    int64_t factor = b / number_gcd(a, b);
    return factor > most / a ? 0 : a * factor;
}

/* ---- Common units of steps ---- */

static costab_status no_multiple(const costab_subsystem *one, const costab_subsystem *other,
                                 costab_error *error) {
    char shown[2][NUMBER_SHOWN_MAX];
    return error_invalid(
        error,
        "the sample times %s of subsystem '%s' and %s of subsystem '%s' have no common multiple "
        "within %d parts: choose sample times in a ratio of small whole numbers",
        number_shortest(one->step, shown[0]), one->name, number_shortest(other->step, shown[1]), other->name,
        COSTAB_PERIOD_MAX);
}

costab_status network_sample_times(const costab_network *network, double *grain, int64_t *span,
                                   costab_error *error) {
    const costab_subsystem *list = network->subsystems, *first = NULL;
    int64_t parts = 1, p, q;
    *grain = 0;
    *span = 0;
    for (int s = 0; s < network->subsystem_count; s++) {
        if (list[s].method.kind != COSTAB_DISCRETE) continue;
        if (first == NULL) first = &list[s];
        if (!clock_fraction(list[s].step / first->step, COSTAB_CLOCK_PARTS, &p, &q) ||
            (parts = clock_lcm(parts, q, COSTAB_PERIOD_MAX)) == 0)
            return no_multiple(first, &list[s], error);
    }
    if (first == NULL) return COSTAB_OK;
    *grain = first->step / (double)parts;
    *span = 1;
    for (int s = 0; s < network->subsystem_count; s++) {
        if (list[s].method.kind != COSTAB_DISCRETE) continue;
        (void)clock_fraction(list[s].step / first->step, COSTAB_CLOCK_PARTS, &p, &q);
        *span = clock_lcm(*span, p * (parts / q), COSTAB_PERIOD_MAX);
        if (*span == 0) return no_multiple(first, &list[s], error);
    }
    return COSTAB_OK;
}

/* Returns true if the subsystem limits the macro step: micro steps of fixed length, with `samples` also
 * sample times. */
static bool limits_macro_step(const costab_subsystem *subsystem, bool samples) {
    return subsystem->substeps == 0 && (samples || subsystem->method.kind != COSTAB_DISCRETE);
}

bool network_has_steps(const costab_network *network, bool samples) {
    for (int s = 0; s < network->subsystem_count; s++)
        if (limits_macro_step(&network->subsystems[s], samples)) return true;
    return false;
}

/* A subsystem permits the macro steps that are a multiple of its step over its stride. The least common
 * multiple of these is the smallest of them times the lcm of all p, with their ratios p/q to the smallest in
 * lowest terms. Limits: COSTAB_CLOCK_PARTS for q, COSTAB_SUBSTEPS_MAX for the lcm. */
costab_status costab_network_macro_unit(const costab_network *network, double *unit, costab_error *error) {
    const costab_subsystem *first = NULL;
    int64_t multiple = 1;
    double smallest = (double)INFINITY;
    *unit = 0;
    TRY(costab_network_check(network, error));
    const bool samples = !network_has_steps(network, false);
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        double own = subsystem->step / stride_of(subsystem);
        if (!limits_macro_step(subsystem, samples) || own >= smallest) continue;
        smallest = own;
        first = subsystem;
    }
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *subsystem = &network->subsystems[s];
        if (!limits_macro_step(subsystem, samples)) continue;
        int64_t p, q;
        bool found =
            clock_fraction(subsystem->step / stride_of(subsystem) / smallest, COSTAB_CLOCK_PARTS, &p, &q);
        if (found) multiple = clock_lcm(multiple, p, COSTAB_SUBSTEPS_MAX);
        char shown[2][NUMBER_SHOWN_MAX];
        if (!found || multiple == 0)
            return error_invalid(error,
                                 "the steps %s and %s of the subsystems have no common multiple "
                                 "within %d steps: take micro_steps: clocks or real-power, or substeps",
                                 number_shortest(first->step, shown[0]),
                                 number_shortest(subsystem->step, shown[1]), COSTAB_SUBSTEPS_MAX);
    }
    if (isfinite(smallest)) *unit = smallest * (double)multiple;
    return COSTAB_OK;
}
