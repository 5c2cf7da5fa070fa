/* Which connections share weights, and what their unknowns mean. */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "study/tune.h"

/* Unknowns by order and memory: of order 1 the mean and the slope of each weight; of order 2 the first mean
 * is 1/2; of order 3 a(s) = s, b's mean 5/12. */
costab_extrapolation tune_weights(const tuner *t, const double *u) {
    double mean = 0.5, slope = 1, second = 5. / 12, bend = 0;
    if (t->order == 1) mean = *u++;
    if (t->order < 3) slope = *u++;
    if (t->memory == 2 && t->order < 3) second = *u++;
    if (t->memory == 2) bend = *u;
    costab_extrapolation by = {.hold = COSTAB_TUNED, .a0 = mean - slope / 2, .a1 = slope};
    if (t->memory == 2) by.hold = COSTAB_TUNED_2, by.b0 = second - bend / 2, by.b1 = bend;
    return by;
}

/* Does an input of a subsystem reach an output at once, with the input of the last step's end? */
static bool is_late_through(const tuner *t, const costab_connection *k) {
    const costab_subsystem *to = &t->network->subsystems[k->to];
    bool through = false;
    for (int o = 0; o < to->outputs && to->D != NULL; o++)
        through = through || to->D[o * to->inputs + k->input] != 0;
    return through && t->base.feedthrough == COSTAB_DELAYED;
}

/* The number of the group that `key` is the `count`-th of; found among `keys`. */
static int number_of(int key, int *keys, int *count) {
    int g = 0;
    while (g < *count && keys[g] != key) g++;
    if (g == *count && g < COSTAB_TUNE_GROUPS_MAX) keys[g] = key;
    if (g == *count) ++*count;
    return g;
}

costab_status tune_group(tuner *t, costab_error *error) {
    int keys[COSTAB_TUNE_GROUPS_MAX], count = t->network->connection_count;
    t->group = memory_alloc((size_t)count + 1, sizeof *t->group);
    if (t->group == NULL) return error_memory(error);
    for (int c = 0; c < count; c++) {
        const costab_connection *k = &t->network->connections[c];
        const int of[] = {0, k->to, c};
        t->group[c] = k->extrapolates ? -1
                      : t->order > 1 && is_late_through(t, k)
                          ? COSTAB_TUNE_GROUPS_MAX
                          : number_of(of[t->options->groups], keys, &t->groups);
        if (t->groups > COSTAB_TUNE_GROUPS_MAX)
            return error_set(error, COSTAB_INVALID, "more than %d groups; take fewer: all, or target",
                             COSTAB_TUNE_GROUPS_MAX);
    }
    for (int c = 0; c < count; c++)
        if (t->group[c] == COSTAB_TUNE_GROUPS_MAX) t->group[c] = t->groups;
    if (t->groups == 0)
        return error_set(
            error, COSTAB_INVALID,
            "no connection is left to be tuned: all inputs feed through, delayed, or extrapolate "
            "in their own way; take feedthrough: solved (--coupling jacobi-solved), or order 1");
    /* What ends on a polynomial of as high an order. */
    t->held = (costab_extrapolation){.hold = COSTAB_TUNED, .a1 = 1};
    if (t->order == 3) t->held = (costab_extrapolation){COSTAB_TUNED_2, .a1 = 1, .b0 = -1. / 6, .b1 = 7. / 6};
    t->each = t->order == 3 ? 1 : (t->order == 1 ? 2 : 1) + (t->memory == 2 ? 2 : 0);
    t->unknowns = t->each * t->groups;
    return COSTAB_OK;
}

void tune_apply(tuner *t, const double *unknowns) {
    for (int c = 0; c < t->network->connection_count; c++) {
        if (t->group[c] < 0) continue;
        costab_extrapolation by = t->held;
        if (unknowns != NULL && t->group[c] < t->groups)
            by = tune_weights(t, unknowns + (ptrdiff_t)t->each * t->group[c]);
        costab_model_instance_extrapolate(t->instance, c, unknowns != NULL ? &by : NULL);
    }
}
