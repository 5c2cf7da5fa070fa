/* analysis/crew.h - workers for the values of a search, each with an instance of the model and a
 * workspace. */
#pragma once

#include "costab/analysis.h"

/* Private data of a worker. */
typedef struct analysis_worker {
    costab_model_instance *instance;
    costab_network_work *work;
} analysis_worker;

/* All zero: no workers. */
typedef struct analysis_crew {
    costab_crew of; /* for costab_limit_options; must not be moved */
    analysis_worker *workers;
    costab_family *families; /* one per worker, with its instance and workspace; filled by the caller */
} analysis_crew;

/* Creates workers with instances at the parameters of `instance`, as many as a run of costab/sweep.h has
 * threads for `threads` (0: the default), but at most 16. No subsystem may be sampled (analysis_is_sampled).
 * Networks of fewer than 32 states get no workers. Call analysis_crew_free even after a failure. */
costab_status analysis_crew_make(const costab_model_instance *instance, int threads, analysis_crew *crew,
                                 costab_error *error);
void analysis_crew_free(analysis_crew *crew);
