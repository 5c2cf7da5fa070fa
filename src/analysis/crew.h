/* analysis/crew.h - workers for the places of a search: each an instance of the model and a workspace. */
#pragma once

#include "costab/analysis.h"

/* What a worker has of its own. */
typedef struct study_worker {
    costab_model_instance *instance;
    costab_network_work *work;
} study_worker;

/* Zeros: no workers. */
typedef struct study_crew {
    costab_crew of; /* for costab_limit_options; it stays where it is made */
    study_worker *workers;
    costab_family *families; /* what each evaluates, by its instance and workspace: the caller's to fill */
} study_crew;

/* Workers with instances whose parameters are those of this one, as many as a run of costab/sweep.h has
 * threads where `threads` is asked for; 0: the default. No subsystem is one of another program
 * (study_is_sampled). There are none where one thread is as good: for small networks. To be freed with
 * study_crew_free even where this fails. */
costab_status study_crew_make(const costab_model_instance *instance, int threads, study_crew *crew,
                              costab_error *error);
void study_crew_free(study_crew *crew);
