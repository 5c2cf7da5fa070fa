/* network/monodromy.h - the sampled-data system: continuous subsystems and discrete-time ones without a
 * master, all on one time. */
#pragma once

#include "network/work.h"

/* When the discrete-time subsystems take their samples: work->mono.grain, span and each sub->every. After
 * number_subsystems. COSTAB_INVALID if their sample times have no common multiple. */
costab_status monodromy_times(costab_network_work *work, costab_error *error);

/* Memory of the matrices. */
void monodromy_lay(costab_network_work *work, network_arena *arena);

/* The system between samples into work->mono.flow, and its map over a span of time into work->mono.matrix.
 * Otherwise as monolithic_make. */
costab_status monodromy_make(costab_network_work *work, costab_error *error);

/* The number of the first instant after instant `at` at which a subsystem takes a sample. */
int64_t monodromy_next(const costab_network_work *work, int64_t at);

/* Takes the samples of instant `at`. z: all states, states x columns, in place; u: the inputs just before,
 * inputs x columns. After monodromy_make. COSTAB_INVALID if direct links between samples form a loop without
 * solution. */
costab_status monodromy_sample(costab_network_work *work, int64_t at, int columns, const double *u, double *z,
                               costab_error *error);
