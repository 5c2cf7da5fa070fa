/* Macro steps of unequal lengths: a list of steps is repeated.
 *
 * 1. Step k of a list of n starts after floor(k / n) repetitions and the first k mod n steps of the next. Its
 *    time has one rounding error more than the sum of these steps, however long the run is.
 * 2. Before each step the previous lengths are listed (network_past): twice as many as powers of a
 * polynomial, plus the span of the longest delay. Steps before t = 0 have the length of the first step, so
 * sequences with equal beginnings have equal results until they differ.
 *
 * Limitation: multirate, clocks, real powers, samples, dead time, and multistep methods with micro steps of
 * varying length require more than previous lengths and are rejected. */
#include "network/turns.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/network.h"
#include "network/polynomial.h"

static costab_status refuse(costab_error *error, const char *why) {
    return error_invalid(error, "sequences of steps: %s", why);
}

costab_status turns_check(const costab_network *network, const costab_coupling *coupling,
                          costab_error *error) {
    if (coupling->micro_steps == COSTAB_CLOCKS)
        return refuse(error,
                      "the state of the clocks depends on all previous steps; take `micro_steps: whole`");
    if (coupling->micro_steps != COSTAB_WHOLE)
        return refuse(error, "real powers of micro steps cannot be simulated; take `micro_steps: whole`");
    TRY(network_refuse_sampled_data(network, "sequences of steps",
                                    "the samples of a step depend on all previous steps", error));
    TRY(network_refuse_dead_time(network, "sequences of steps",
                                 "it is interpolated between steps of equal length", error));
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *part = &network->subsystems[s];
        if (part->stride > 1)
            return refuse(error, "a subsystem with a stride takes several macro steps at once, and cannot "
                                 "know their lengths when it begins; take no strides");
        if (part->method.former > 0 && part->substeps > 0)
            return error_invalid(error,
                                 "sequences of steps: %s is a method for micro steps of one length: give the "
                                 "subsystem `step` instead of `substeps`, or another method",
                                 part->method.name);
    }
    return COSTAB_OK;
}

/* Number of previous lengths required. */
static int reach(const costab_network *network, double shortest) {
    int most = 0;
    for (int c = 0; c < network->connection_count; c++) {
        double late = ceil(network->connections[c].delay_time / shortest);
        if (late < COSTAB_DELAY_MAX && late > most) most = (int)late;
        if (network->connections[c].delay > most) most = network->connections[c].delay;
    }
    return most + 2 * MATRIX_POWERS;
}

static costab_status check_lengths(step_turns *turns, const costab_network *network,
                                   const costab_coupling *coupling, costab_error *error) {
    costab_coupling now = *coupling;
    TRY(turns_check(network, coupling, error));
    for (int64_t k = 0; k < turns->count; k++) {
        now.macro_step = turns->steps[k];
        if (!(now.macro_step > 0) || !isfinite(now.macro_step))
            return error_invalid(error, "step %lld is %g; it must be above 0", (long long)k + 1,
                                 now.macro_step);
        if (k == 0 || now.macro_step != turns->steps[k - 1]) TRY(costab_coupling_check(network, &now, error));
        turns->past.shortest = k == 0 ? now.macro_step : fmin(turns->past.shortest, now.macro_step);
        turns->begins[k + 1] = turns->begins[k] + now.macro_step;
    }
    return COSTAB_OK;
}

costab_status turns_make(step_turns *turns, const costab_network *network, const costab_coupling *coupling,
                         const double *steps, int64_t count, costab_error *error) {
    turns_free(turns);
    *turns = (step_turns){.steps = steps, .count = count};
    if (count < 0)
        return error_invalid(error, "the number of steps must be 0 or more, not %lld", (long long)count);
    if (count == 0) return COSTAB_OK;
    TRY(memory_make(&turns->begins, (size_t)count + 1, error));
    TRY(check_lengths(turns, network, coupling, error));
    turns->past.count = reach(network, turns->past.shortest);
    turns->past.lengths = turns->former = memory_alloc((size_t)turns->past.count, sizeof *turns->former);
    return turns->former != NULL ? COSTAB_OK : error_memory(error);
}

void turns_free(step_turns *turns) {
    memory_free_all(turns->begins, turns->former);
    *turns = (step_turns){.count = 0};
}

double turns_begin(const step_turns *turns, int64_t index) {
    double rounds = (double)(index / turns->count);
    return rounds * turns->begins[turns->count] + turns->begins[index % turns->count];
}

double turns_length(const step_turns *turns, int64_t index) {
    return turns->steps[index % turns->count];
}

double turns_ended(const step_turns *turns, double until) {
    double round = turns->begins[turns->count];
    double rounds = fmax(0, floor(until / round) - 1), ended = rounds * (double)turns->count;
    double left = until - rounds * round;
    for (int64_t k = 0; k < 3 * turns->count; k++, ended++)
        if (!(turns_begin(turns, k + 1) <= left + SAME_TIME * turns_length(turns, k))) break;
    return ended;
}

void turns_look_back(step_turns *turns, int64_t index) {
    for (int i = 0; i < turns->past.count; i++) {
        int64_t former = index - 1 - i;
        turns->former[i] = turns_length(turns, former < 0 ? 0 : former);
    }
}
