/* network/turns.h - macro steps of unlike lengths, which a simulation takes in turn. */
#pragma once

#include "network/subsystem.h"

/* Times that differ by less than this share of a macro step are the same. */
#define SAME_TIME 1e-9

/* All zero: every step is the coupling's. Free with turns_free. */
typedef struct step_turns {
    const double *steps; /* in seconds; borrowed */
    int64_t count;       /* 0: all steps are alike */
    double *begins;      /* count + 1: where each begins, from the first one's begin on */
    double *former;      /* lengths of the last steps before the one at hand */
    network_past past;
} step_turns;

/* What has sequences of steps: no strides, real powers, clocks or methods whose memory is of micro steps that
 * change their length. COSTAB_INVALID with the reason. */
costab_status turns_check(const costab_network *network, const costab_coupling *coupling,
                          costab_error *error);

/* Takes on the steps; those of before are freed. COSTAB_INVALID where one is not above 0, or the coupling
 * cannot take it. */
costab_status turns_make(step_turns *turns, const costab_network *network, const costab_coupling *coupling,
                         const double *steps, int64_t count, costab_error *error);
void turns_free(step_turns *turns);

/* When macro step number `index` begins, and how long it is; count > 0. */
double turns_begin(const step_turns *turns, int64_t index);
double turns_length(const step_turns *turns, int64_t index);

/* How many macro steps have ended at `until`; a double, as it may be too large for an integer. */
double turns_ended(const step_turns *turns, double until);

/* Fills turns->past with the steps before number `index`. Steps before t = 0 are as long as the first one. */
void turns_look_back(step_turns *turns, int64_t index);
