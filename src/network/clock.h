/* network/clock.h - how many micro steps a subsystem takes in a macro step, counted in whole numbers. */
#pragma once

#include <stdint.h>

#include "costab/network.h"

/* Micro steps h, the macro step H = (p/q) h in lowest terms. `real`: the ratio is not whole and stands for a
 * power. */
typedef struct network_clock {
    double h, ratio;
    int64_t p, q;
    bool real;
} network_clock;

/* The micro steps that a subsystem takes in one macro step: `count` of them, from `start` to `end`, both in
 * macro steps after the macro step's begin; start may be positive, end is at least 1 (within rounding). */
typedef struct network_clock_step {
    int64_t count;
    double start, end;
} network_clock_step;

/* The fraction p/q of smallest q <= q_max within 1e-12 relative of the ratio; false where there is none. */
bool clock_fraction(double ratio, int64_t q_max, int64_t *p, int64_t *q);

/* Sets up the clock of subsystem s. */
costab_status clock_make(const costab_network *network, const costab_coupling *coupling, int s,
                         network_clock *clock, costab_error *error);

/* Macro step number `index` >= 0. */
network_clock_step clock_step(const network_clock *clock, int64_t index);

/* Micro steps in the first so many macro steps, of a clock that takes no real power. */
int64_t clock_ticks(const network_clock *clock, int64_t macro_steps);

/* Least common multiple; 0 where it is above `most`. */
int64_t clock_lcm(int64_t a, int64_t b, int64_t most);
