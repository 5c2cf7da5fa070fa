/* The polynomial that each connection delivers over the target's step, as weights of the source's published
 * values (docs/explanation/algorithms.md, Maps). The source publishes every `stride` macro steps.
 *
 * 1. If the new value of the source is available, the polynomial interpolates it and previous values.
 *    Otherwise it extrapolates previous values. New values are available without delay only: in an iteration
 *    always, under jacobi never. Under gauss-seidel both subsystems must start a step, the source must be
 *    earlier in the order, and its step must end no later than the target's. A longer step thus delivers its
 *    value when it ends, and no subsystem uses a value from after its own step.
 * 2. Nodes are the times of publication plus the delay. After steps of other lengths these are the actual
 *    times, and a delay in seconds counts the steps that cover it.
 *    The output of a discrete-time source is constant between samples.
 * 3. Smoothed: a line from the end of the last polynomial to the end of the new polynomial.
 * 4. Dead time of d + r macro steps, d whole: every value y_j in these polynomials is that of the delayed
 *    output, (1 - r) y_(j-d) + r y_(j-d-1).
 *
 * Cost: a few products of polynomials of degree 3, once per program (program.h). */
#include "network/exchange.h"

#include <math.h>

#include "base/error.h"
#include "network/words.h"

/* Largest multiple of `stride` that does not exceed n. */
static int64_t published(int64_t n, int64_t stride) {
    int64_t rest = n % stride;
    return n - (rest < 0 ? rest + stride : rest);
}

bool exchange_known(const costab_network_work *work, int c, int64_t n) {
    if (work->delays[c] > 0) return false;
    if (work->coupling.scheme != COSTAB_GAUSS_SEIDEL) return work->coupling.scheme == COSTAB_ITERATED;
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    return n % from->stride == 0 && from->stride <= to->stride && from->position < to->position;
}

bool exchange_given(const costab_network_work *work, int c, int64_t n) {
    const costab_connection *connection = &work->network->connections[c];
    return (work->network->subsystems[connection->to].D != NULL || !work->strided) &&
           (work->delays[c] > 0 || work->dead[c] > 0 || n % work->subs[connection->from].stride != 0);
}

int exchange_dead_steps(double dead) {
    return (int)floor(dead * (1 + 1e-12));
}

/* ---- Steps of unequal lengths ---- */

static double past_length(const costab_network_work *work, int back) {
    const network_past *past = work->past;
    if (past == NULL || past->count == 0) return work->coupling.macro_step;
    return past->lengths[back < past->count ? back : past->count - 1];
}

/* Total length of `steps` steps that precede the step `from` steps ago. */
static double past_seconds(const costab_network_work *work, int from, int steps) {
    double seconds = 0;
    for (int i = from; i < from + steps; i++) seconds += past_length(work, i);
    return seconds;
}

/* Number of steps, before the step `from` steps ago, that cover a delay in seconds. The tolerance absorbs the
 * rounding of the delay's input. */
static int steps_late(const costab_network_work *work, int from, double seconds) {
    double passed = 0;
    int steps = 0;
    for (; !(passed >= seconds * (1 - 1e-12)); steps++) passed += past_length(work, from + steps);
    return steps;
}

/* Start times of previous steps in units of `length`, measured from the start of the step `from` steps
 * ago. */
static polynomial_times past_times(const costab_network_work *work, int from, double length) {
    polynomial_times times;
    for (int i = 0; i < MATRIX_POWERS; i++) times.at[i] = -past_seconds(work, from, i) / length;
    return times;
}

/* ---- Polynomials ---- */

/* Extrapolation over the target's step that starts at macro step n, `ago` of its steps before the current
 * one. [out] *newest: latest publication used. held: the newest value instead of weights. */
static void extrapolate(const costab_network_work *work, int c, int64_t n, int ago, bool held,
                        int64_t *newest, polynomial_rule *rule) {
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    double length = ago > 0 ? past_length(work, 0) : work->coupling.macro_step;
    costab_extrapolation by = coupling_extrapolation(work->network, &work->coupling, c);
    if (held && (HOLDS_WEIGHTED & HOLD_BIT(by.hold)) != 0) by.hold = COSTAB_CONSTANT;
    *newest = published(n - work->delays[c], from->stride);
    double first = -(double)(n - *newest - work->delays[c]) / to->stride;
    polynomial_extrapolate(&by,
                           work->past != NULL ? past_times(work, ago, length)
                                              : polynomial_even(first, (double)from->stride / to->stride),
                           rule);
    for (int i = 0; i < rule->count && ago > 0; i++) /* slopes are per step: convert to the current step */
        for (int l = 0; l < MATRIX_POWERS && rule->nodes[i].slope; l++)
            rule->nodes[i].weight[l] *= length / work->coupling.macro_step;
}

static void interpolate(const costab_network_work *work, int c, polynomial_rule *rule) {
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    double spacing = (double)from->stride / to->stride;
    polynomial_times times = polynomial_even(spacing, spacing);
    if (work->past != NULL) {
        polynomial_times before = past_times(work, 0, work->coupling.macro_step);
        for (int i = 1; i < MATRIX_POWERS; i++) times.at[i] = before.at[i - 1];
    }
    polynomial_interpolate(coupling_interpolation(work->network, &work->coupling, c), times, rule);
}

void exchange_guess(const costab_network_work *work, polynomial_rule *rule) {
    polynomial_extrapolate(
        &(costab_extrapolation){.hold = work->coupling.predictor},
        work->past == NULL ? polynomial_even(0, 1) : past_times(work, 0, work->coupling.macro_step), rule);
}

static void read_output(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
                        int *shift) {
    const costab_connection *connection = &work->network->connections[c];
    int stride = work->subs[connection->from].stride, of_target = work->subs[connection->to].stride;
    int64_t newest;
    *shift = 0;
    if (!held && exchange_known(work, c, n)) {
        interpolate(work, c, rule);
        return;
    }
    extrapolate(work, c, n, 0, held, &newest, rule);
    if (!held && work->coupling.smoothed && !coupling_is_held(work->network, c)) {
        polynomial_rule before, now = *rule;
        int64_t newest_before;
        extrapolate(work, c, n - of_target, 1, false, &newest_before, &before);
        polynomial_smooth(&before, &now, (int)((newest - newest_before) / stride), rule);
    }
    if (!held && work->uneven_times &&
        connection->delay_time > 0) /* through the values received at the starts of the last steps */
        for (int i = 0; i < rule->count; i++)
            rule->nodes[i].back += steps_late(work, rule->nodes[i].back, connection->delay_time);
    else
        *shift = (int)((published(n, stride) - newest) / stride);
}

void exchange_rule(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
                   int *shift) {
    read_output(work, c, n, held, rule, shift);
    double dead = work->dead[c];
    int whole = exchange_dead_steps(dead);
    if (dead > 0) polynomial_delay(whole, fmax(0, dead - whole), rule);
}

double exchange_whole_delay(double seconds, double macro_step) {
    double ratio = seconds / macro_step, whole = round(ratio);
    return fabs(ratio - whole) <= 1e-12 * ratio ? whole : ceil(ratio);
}

costab_status exchange_delays(costab_network_work *work, costab_error *error) {
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        work->delays[c] = connection->delay;
        work->dead[c] = connection->dead_time / work->coupling.macro_step;
        if (!(work->dead[c] <= COSTAB_DELAY_MAX))
            return error_invalid(error,
                                 "connection %d: its dead time of %g s is more than %d macro steps of %g s: "
                                 "take a longer macro step",
                                 c + 1, connection->dead_time, COSTAB_DELAY_MAX, work->coupling.macro_step);
        if (work->dead[c] > 0 && exchange_dead_steps(work->dead[c]) == 0 && work->has_loop &&
            !(connection->delay > 0 || connection->delay_time > 0))
            return error_invalid(
                error,
                "connection %d: its dead time of %g s is shorter than the macro step of %g s, "
                "which feedthrough: solved does not cover: take a shorter macro step, or "
                "feedthrough: delayed",
                c + 1, connection->dead_time, work->coupling.macro_step);
        if (!(connection->delay_time > 0)) continue;
        work->uneven_times = work->uneven_times || work->past != NULL;
        double step = work->uneven_times ? work->past->shortest : work->coupling.macro_step;
        double whole = exchange_whole_delay(connection->delay_time, step);
        if (!(whole <= COSTAB_DELAY_MAX))
            return error_invalid(error,
                                 "connection %d: its delay of %g s is more than %d macro steps of "
                                 "%g s: take a longer macro step",
                                 c + 1, connection->delay_time, COSTAB_DELAY_MAX, step);
        work->delays[c] = work->uneven_times ? steps_late(work, 0, connection->delay_time) : (int)whole;
    }
    return COSTAB_OK;
}
