/* network/clock.h - number and times of a subsystem's micro steps in its steps, in integer arithmetic. A step
 * of a subsystem is its multirate factor (stride) times the macro step. */
#pragma once

#include <stdint.h>

#include "costab/network.h"

/* Micro steps of length h in seconds; the subsystem's step is (p/q) h in lowest terms, and `ratio` is p/q.
 * real: the ratio is not an integer and serves as the exponent of a matrix power; p is 0 and q is 1. samples:
 * the micro steps are samples of a discrete-time subsystem. */
typedef struct network_clock {
    double h, ratio;
    int64_t p, q;
    bool real, samples;
} network_clock;

/* The micro steps of one step of the subsystem: `count` of them from `start` to `end`, in units of that step
 * after its start. start >= 0; end >= 1 within rounding. Samples are at the ends of their micro steps; then
 * start <= 0 and end <= 1. With a real ratio count is 0, start 0 and end 1. */
typedef struct network_clock_step {
    int64_t count;
    double start, end;
} network_clock_step;

/* Finds the fraction p/q of smallest q <= q_max within 1e-12 relative of the ratio. Returns false if there is
 * none. */
bool clock_fraction(double ratio, int64_t q_max, int64_t *p, int64_t *q);

/* Sets up the clock of subsystem s. COSTAB_INVALID if the option micro_steps does not allow the ratio of the
 * steps, or if there are too many micro steps. */
costab_status clock_make(const costab_network *network, const costab_coupling *coupling, int s,
                         network_clock *clock, costab_error *error);

/* The micro steps of the subsystem's step `index` >= 0. */
network_clock_step clock_step(const network_clock *clock, int64_t index);

/* Number of micro steps in the first `steps` steps of the subsystem; for clocks without real powers. */
int64_t clock_ticks(const network_clock *clock, int64_t steps);

/* Least common multiple of positive numbers, or 0 if it exceeds `most`. */
int64_t clock_lcm(int64_t a, int64_t b, int64_t most);
