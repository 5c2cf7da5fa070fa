/* Groups of connections with common weights, and the unknowns of a group.
 * 1. Assigns a group to each connection: one for all, one per target subsystem, or one each. Connections with
 *    their own weights have no group. For orders 2 and 3 a connection to an input with delayed feedthrough
 *    gets fixed weights of that order.
 * 2. Unknowns (docs/explanation/algorithms.md, Extrapolation by weights): order 1 has the mean and the slope
 *    of a(s); order 2 has the slope (the mean is 1/2); order 3 has none (a(s) = s). Memory 2 adds the mean of
 *    b(s), fixed at 5/12 for order 3, and its slope. */
#include <math.h>
#include <stddef.h>

#include "analysis/tune.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/instance.h"

/* ---- Unknowns and weights ---- */
costab_extrapolation tune_weights_of(const tuner *t, const double *u) {
    double mean = 0.5, slope = 1, b_mean = 5. / 12, b_slope = 0;
    if (t->order == 1) mean = *u++;
    if (t->order < 3) slope = *u++;
    if (t->memory == 2 && t->order < 3) b_mean = *u++;
    if (t->memory == 2) b_slope = *u;
    costab_extrapolation by = {.hold = COSTAB_TUNED, .a0 = mean - slope / 2, .a1 = slope};
    if (t->memory == 2) by.hold = COSTAB_TUNED_2, by.b0 = b_mean - b_slope / 2, by.b1 = b_slope;
    return by;
}

/* Returns true if an input feeds through to an output with its value of the last communication point
 * (feedthrough: delayed). */
static bool is_late_through(const tuner *t, const costab_connection *k) {
    const costab_subsystem *to = &t->network->subsystems[k->to];
    bool through = false;
    for (int o = 0; o < to->outputs && to->D != NULL; o++)
        through = through || to->D[o * to->inputs + k->input] != 0;
    return through && t->base.feedthrough == COSTAB_DELAYED;
}

/* Returns the index of `key` among the `count` entries of `keys`, added at the end if missing. */
static int number_of(int key, int *keys, int *count) {
    int g = 0;
    while (g < *count && keys[g] != key) g++;
    if (g == *count && g < COSTAB_TUNE_GROUPS_MAX) keys[g] = key;
    if (g == *count) ++*count;
    return g;
}

costab_status tune_make_groups(tuner *t, costab_error *error) {
    int keys[COSTAB_TUNE_GROUPS_MAX], count = t->network->connection_count;
    TRY(memory_make(&t->group, (size_t)count + 1, error));
    for (int c = 0; c < count; c++) {
        const costab_connection *k = &t->network->connections[c];
        const int of[] = {0, k->to, c};
        t->group[c] = k->extrapolates ? -1
                      : t->order > 1 && is_late_through(t, k)
                          ? COSTAB_TUNE_GROUPS_MAX
                          : number_of(of[t->options->groups], keys, &t->groups);
        if (t->groups > COSTAB_TUNE_GROUPS_MAX)
            return error_invalid(error, "more than %d groups; take fewer: all, or target",
                                 COSTAB_TUNE_GROUPS_MAX);
    }
    for (int c = 0; c < count; c++)
        if (t->group[c] == COSTAB_TUNE_GROUPS_MAX) t->group[c] = t->groups;
    if (t->groups == 0)
        return error_invalid(
            error, "no connection is left to be tuned: all inputs feed through, delayed, or extrapolate "
                   "in their own way; take feedthrough: solved (--coupling jacobi-solved), or order 1");
    /* Delayed feedthrough: weights with the requested order at the end of the step, s = 1. */
    t->held = (costab_extrapolation){.hold = COSTAB_TUNED, .a1 = 1};
    if (t->order == 3) t->held = (costab_extrapolation){COSTAB_TUNED_2, .a1 = 1, .b0 = -1. / 6, .b1 = 7. / 6};
    t->group_unknowns = t->order == 3 ? 1 : (t->order == 1 ? 2 : 1) + (t->memory == 2 ? 2 : 0);
    t->unknowns = t->group_unknowns * t->groups;
    return COSTAB_OK;
}

void tune_set_weights(tuner *t, const double *unknowns) {
    for (int c = 0; c < t->network->connection_count; c++) {
        if (t->group[c] < 0) continue;
        costab_extrapolation by = t->held;
        if (unknowns != NULL && t->group[c] < t->groups)
            by = tune_weights_of(t, unknowns + (ptrdiff_t)t->group_unknowns * t->group[c]);
        costab_model_instance_extrapolate(t->instance, c, unknowns != NULL ? &by : NULL);
    }
}
