/* What each connection delivers: its polynomial over the target's step, as weights of values that its
 * source has published (docs/algorithms.md, Maps).
 *
 * 1. Does the target see the source's new value? Then interpolation, else extrapolation.
 * 2. Even steps: one rule for all connections. Strides: by the publications at each macro step.
 * 3. Steps of other lengths: through the true times; a delay in seconds is as many steps as take so long.
 * 4. Smoothed: a line from where the last polynomial ended to where the new one ends. */
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
    return n % from->stride != 0 || from->position < to->position;
}

/* ---- With strides ---- */

/* The extrapolation for the step that begins at macro step n; *newest is the publication it ends with. */
static void extrapolate(const costab_network_work *work, int c, int64_t n, int64_t *newest,
                        polynomial_rule *rule) {
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    *newest = published(n - work->delays[c], from->stride);
    double first = -(double)(n - *newest - work->delays[c]) / to->stride;
    const costab_extrapolation by = coupling_extrapolation(work->network, &work->coupling, c);
    polynomial_extrapolate(&by, polynomial_even(first, (double)from->stride / to->stride), rule);
}

static void make_strided(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
                         int *shift) {
    const network_subsystem *from = &work->subs[work->network->connections[c].from],
                            *to = &work->subs[work->network->connections[c].to];
    int64_t last = published(n, from->stride), newest;
    *shift = 0;
    if (!held && exchange_known(work, c, n)) {
        polynomial_interpolate(work->coupling.interpolation,
                               polynomial_even((double)(last + from->stride - n) / to->stride,
                                               (double)from->stride / to->stride),
                               rule);
        return;
    }
    extrapolate(work, c, n, &newest, rule);
    *shift = (int)((last - newest) / from->stride);
    if (held || !work->coupling.smoothed) return;
    polynomial_rule before, now = *rule;
    int64_t newest_before;
    extrapolate(work, c, n - to->stride, &newest_before, &before);
    polynomial_smooth(&before, &now, (int)((newest - newest_before) / from->stride), rule);
}

/* ---- After steps of other lengths ---- */

static double past_length(const costab_network_work *work, int back) {
    const network_past *past = work->past;
    if (past == NULL || past->count == 0) return work->coupling.macro_step;
    return past->lengths[back < past->count ? back : past->count - 1];
}

/* Seconds from where the last `steps` steps begin to where the step `from` before the one at hand does. */
static double past_seconds(const costab_network_work *work, int from, int steps) {
    double seconds = 0;
    for (int i = from; i < from + steps; i++) seconds += past_length(work, i);
    return seconds;
}

/* What lies `steps` steps before the step `from` before the one at hand, a delay's seconds at least. A time
 * that is a whole number of steps may be off by the rounding of its input. */
static int steps_late(const costab_network_work *work, int from, double seconds) {
    double passed = 0;
    int steps = 0;
    for (; !(passed >= seconds * (1 - 1e-12)); steps++) passed += past_length(work, from + steps);
    return steps;
}

/* Nodes at the begins of the last steps, seen from the step `from` before the one at hand, whose length this
 * is. */
static polynomial_times past_times(const costab_network_work *work, int from, double length) {
    polynomial_times times;
    for (int i = 0; i < MATRIX_POWERS; i++) times.at[i] = -past_seconds(work, from, i) / length;
    return times;
}

/* ---- All together ---- */

/* What an unknown source delivers over the step at hand. */
static void make_unknown(const costab_network_work *work, const costab_extrapolation *by,
                         polynomial_rule *rule) {
    double H = work->coupling.macro_step;
    bool even = work->past == NULL;
    polynomial_extrapolate(by, even ? polynomial_even(0, 1) : past_times(work, 0, H), rule);
    if (!work->coupling.smoothed) return;
    polynomial_rule plain = *rule, before = plain;
    if (!even) {
        double length = past_length(work, 0);
        polynomial_extrapolate(by, past_times(work, 1, length), &before);
        for (int i = 0; i < before.count; i++) /* slopes per step: of this one */
            for (int l = 0; l < MATRIX_POWERS && before.nodes[i].slope; l++)
                before.nodes[i].weight[l] *= length / H;
    }
    polynomial_smooth(&before, &plain, 1, rule);
}

void exchange_make(costab_network_work *work) {
    const costab_coupling *now = &work->coupling;
    polynomial_times known = polynomial_even(1, 1);
    if (work->past != NULL) {
        polynomial_times unknown = past_times(work, 0, now->macro_step);
        for (int i = MATRIX_POWERS - 1; i > 0; i--) known.at[i] = unknown.at[i - 1];
    }
    const costab_extrapolation by = {now->extrapolation, now->a0, now->a1, now->b0, now->b1};
    make_unknown(work, &by, &work->rules[0]);
    polynomial_interpolate(now->interpolation, known, &work->rules[1]);
    polynomial_extrapolate(&(costab_extrapolation){.hold = now->predictor},
                           work->past == NULL ? polynomial_even(0, 1) : past_times(work, 0, now->macro_step),
                           &work->first_guess);
}

void exchange_unknown(const costab_network_work *work, int c, polynomial_rule *rule) {
    const costab_connection *connection = &work->network->connections[c];
    *rule = work->rules[0];
    if (connection->extrapolates) make_unknown(work, &connection->extrapolation, rule);
}

/* The master extrapolates through what it had received at the begins of the last steps. */
static void make_late(const costab_network_work *work, int c, polynomial_rule *rule) {
    exchange_unknown(work, c, rule);
    double seconds = work->network->connections[c].delay_time;
    for (int i = 0; i < rule->count; i++)
        rule->nodes[i].back += steps_late(work, rule->nodes[i].back, seconds);
}

void exchange_rule(const costab_network_work *work, int c, int64_t n, bool held, polynomial_rule *rule,
                   int *shift) {
    static const polynomial_rule value = {.count = 1, .reach = {1, 0}, .nodes = {{.weight = {1}}}};
    if (work->strided) {
        make_strided(work, c, n, held, rule, shift);
        return;
    }
    bool known = work->known[c], late = work->late && work->network->connections[c].delay_time > 0;
    *shift = known ? 0 : work->delays[c];
    if (held) {
        *rule = value;
    } else if (late) {
        *shift = 0;
        make_late(work, c, rule);
    } else {
        *rule = work->rules[1];
        if (!known) exchange_unknown(work, c, rule);
    }
}

costab_status exchange_delays(costab_network_work *work, costab_error *error) {
    for (int c = 0; c < work->network->connection_count; c++) {
        const costab_connection *connection = &work->network->connections[c];
        work->delays[c] = connection->delay;
        if (!(connection->delay_time > 0)) continue;
        work->late = work->late || work->past != NULL;
        double step = work->late ? work->past->shortest : work->coupling.macro_step;
        /* A time that is a whole number of macro steps may be off by the rounding of its input. */
        double ratio = connection->delay_time / step, whole = round(ratio);
        if (!(fabs(ratio - whole) <= 1e-12 * ratio)) whole = ceil(ratio);
        if (!(whole <= COSTAB_DELAY_MAX))
            return error_set(error, COSTAB_INVALID,
                             "connection %d: its delay of %g s is more than %d macro steps of %g s: take a "
                             "longer macro step",
                             c + 1, connection->delay_time, COSTAB_DELAY_MAX, step);
        work->delays[c] = work->late ? steps_late(work, 0, connection->delay_time) : (int)whole;
    }
    return COSTAB_OK;
}
