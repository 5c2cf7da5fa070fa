/* network/turns.h - macro steps of unequal lengths from a periodic list. */
#pragma once

#include "network/subsystem.h"

/* Relative tolerance, in macro steps, of equal times. */
#define SAME_TIME 1e-9

/* All zero: every step has the coupling's length. Free with turns_free. */
typedef struct step_turns {
    const double *steps; /* in seconds; borrowed */
    int64_t count;       /* 0: all steps have equal lengths */
    double *begins;      /* count + 1: start of each step since the start of the list */
    double *former;      /* lengths of the steps before the current one */
    network_past past;
} step_turns;

/* COSTAB_INVALID with the reason unless sequences of steps are possible: they exclude multirate, real powers,
 * clocks, discrete-time subsystems, dead time, and multistep methods whose micro steps change their length.
 */
costab_status turns_check(const costab_network *network, const costab_coupling *coupling,
                          costab_error *error);

/* Takes a list of `count` steps, borrowed, and frees the memory of the previous list; 0: none. COSTAB_INVALID
 * if a step is not positive, or does not suit the coupling (turns_check, costab_coupling_check). */
costab_status turns_make(step_turns *turns, const costab_network *network, const costab_coupling *coupling,
                         const double *steps, int64_t count, costab_error *error);
void turns_free(step_turns *turns);

/* Start and length of macro step `index`; count > 0. */
double turns_begin(const step_turns *turns, int64_t index);
double turns_length(const step_turns *turns, int64_t index);

/* Number of macro steps that end by `until`; a double, because it may exceed the range of integers. */
double turns_ended(const step_turns *turns, double until);

/* Fills turns->past with the steps before step `index`. Steps before t = 0 have the length of the first
 * step. */
void turns_look_back(step_turns *turns, int64_t index);
