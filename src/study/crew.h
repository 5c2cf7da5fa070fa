/* study/crew.h - workers for the places of a search: each an instance of the model and a workspace. */
#pragma once

#include "costab/study.h"

typedef struct study_crew study_crew;

/* What a worker has of its own. */
typedef struct study_worker {
    costab_model_instance *instance;
    costab_network_work *work;
} study_worker;

/* Workers with instances whose parameters are those of this one, as many as a run of costab/sweep.h has
 * threads where `threads` is asked for; 0: the default. No subsystem is one of another program
 * (study_is_sampled). [out] *crew: NULL where one thread is as good: for small networks. */
costab_status study_crew_create(const costab_model_instance *instance, int threads, study_crew **crew,
                                costab_error *error);
void study_crew_destroy(study_crew **crew);

/* 0 for NULL. */
int study_crew_size(const study_crew *crew);
study_worker study_crew_worker(const study_crew *crew, int number);

/* What a worker evaluates, by its instance and workspace; borrowed. To be said of each before a search. */
void study_crew_set(study_crew *crew, int number, costab_family family);

/* For costab_limit_options; NULL for NULL. */
const costab_crew *study_crew_of(const study_crew *crew);
