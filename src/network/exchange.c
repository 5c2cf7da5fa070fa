/* What each connection delivers: a polynomial over the target's step, as weights of values that its source
 * has published (docs/explanation/algorithms.md, Maps). The source publishes every `stride` macro steps.
 *
 * 1. If the target sees the source's new value, the polynomial interpolates that and former values, else it
 *    extrapolates former ones. With gauss-seidel the target sees it if both begin a step, the source comes
 *    first, and the source's step ends no later than the target's: no subsystem sees a value of a time after
 *    its own step, and the value of a longer step arrives when that step ends.
 * 2. It goes through the values at the times at which they were published, plus the delay. After steps of
 *    other lengths these are the true times, and a delay in seconds is as many steps as take so long.
 * 3. Smoothed: a line from where the last polynomial ended to where the new one ends.
 *
 * Cost: a few products of polynomials of degree 3, once for each form of a coupling. */
#include "network/exchange.h"

#include <math.h>

#include "base/error.h"
#include "network/words.h"

/* The largest multiple of `stride` that is not above n. */
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

/* ---- After steps of other lengths ---- */

static double past_length(const costab_network_work *work, int back) {
    const network_past *past = work->past;
    if (past == NULL || past->count == 0) return work->coupling.macro_step;
    return past->lengths[back < past->count ? back : past->count - 1];
}

/* The sum of the lengths of `steps` steps before the one that is `from` steps before the one at hand. */
static double past_seconds(const costab_network_work *work, int from, int steps) {
    double seconds = 0;
    for (int i = from; i < from + steps; i++) seconds += past_length(work, i);
    return seconds;
}

/* How many steps, before the one that is `from` steps before the one at hand, take a delay's seconds or more.
 * A delay of a whole number of steps may be off by the rounding of its input. */
static int steps_late(const costab_network_work *work, int from, double seconds) {
    double passed = 0;
    int steps = 0;
    for (; !(passed >= seconds * (1 - 1e-12)); steps++) passed += past_length(work, from + steps);
    return steps;
}

/* The begins of former steps in the time of the step that is `from` steps before the one at hand and has this
 * length. */
static polynomial_times past_times(const costab_network_work *work, int from, double length) {
    polynomial_times times;
    for (int i = 0; i < MATRIX_POWERS; i++) times.at[i] = -past_seconds(work, from, i) / length;
    return times;
}

/* ---- Rules ---- */

/* The extrapolation over the target's step that begins at macro step n, `ago` of its steps before the one at
 * hand; [out] *newest: the last publication that it uses. `held`: where it has weights the newest value
 * alone. */
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
    for (int i = 0; i < rule->count && ago > 0; i++) /* slopes per step: of the one at hand */
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
    polynomial_interpolate(work->coupling.interpolation, times, rule);
}

void exchange_guess(const costab_network_work *work, polynomial_rule *rule) {
    polynomial_extrapolate(
        &(costab_extrapolation){.hold = work->coupling.predictor},
        work->past == NULL ? polynomial_even(0, 1) : past_times(work, 0, work->coupling.macro_step), rule);
}

void exchange_rule(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
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
    if (!held && work->coupling.smoothed) {
        polynomial_rule before, now = *rule;
        int64_t newest_before;
        extrapolate(work, c, n - of_target, 1, false, &newest_before, &before);
        polynomial_smooth(&before, &now, (int)((newest - newest_before) / stride), rule);
    }
    if (!held && work->uneven_times &&
        connection->delay_time > 0) /* through what was received at the last steps' begins */
        for (int i = 0; i < rule->count; i++)
            rule->nodes[i].back += steps_late(work, rule->nodes[i].back, connection->delay_time);
    else
        *shift = (int)((published(n, stride) - newest) / stride);
}

double exchange_whole_delay(double seconds, double macro_step) {
    double ratio = seconds / macro_step, whole = round(ratio);
    return fabs(ratio - whole) <= 1e-12 * ratio ? whole : ceil(ratio);
}

costab_status exchange_delays(costab_network_work *work, costab_error *error) {
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        work->delays[c] = connection->delay;
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
