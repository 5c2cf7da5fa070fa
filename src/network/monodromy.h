/* network/monodromy.h - the sampled-data system: continuous and discrete-time subsystems without
 * co-simulation. */
#pragma once

#include "network/work.h"

/* Sets the times of samples: work->mono.grain, span and instants, and each sub->every. Requires
 * sub->discrete. COSTAB_INVALID if the sample times have no common multiple. */
costab_status monodromy_times(costab_network_work *work, costab_error *error);

/* Lays out the matrices. */
void monodromy_lay(costab_network_work *work, network_arena *arena);

/* Computes F in work->mono.flow, and the map over the span in work->mono.matrix; otherwise like
 * monolithic_make. */
costab_status monodromy_make(costab_network_work *work, costab_error *error);

/* Returns the first instant after instant `at` with a sample. */
int64_t monodromy_next(const costab_network_work *work, int64_t at);

/* Takes the samples of instant `at`, after monodromy_make. [in, out] z: all states, states x columns. u: the
 * inputs just before, inputs x columns. COSTAB_INVALID if direct links between samples form a loop without
 * solution. */
costab_status monodromy_sample(costab_network_work *work, int64_t at, int columns, const double *u, double *z,
                               costab_error *error);
