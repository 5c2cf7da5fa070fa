/* bench.h - what the benchmarks share: the time, and what to do where something failed. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "costab/base.h"

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void check(costab_status status, const costab_error *error) {
    if (!status) return;
    fprintf(stderr, "bench: %s\n", error->message);
    exit(EXIT_FAILURE);
}
