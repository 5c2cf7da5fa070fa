/* study/crew.h - workers for the places of a limit: each an instance of the model and a workspace. */
#ifndef STUDY_CREW_H
#define STUDY_CREW_H

#include "costab/study.h"

typedef struct study_crew study_crew;

/* Workers for a family, as many as a run of costab/sweep.h has threads where `threads` is asked for; 0: the
 * default. No subsystem is one of another program (study_is_sampled). [out] *crew: NULL where one thread is
 * as good: for small networks. */
costab_status study_crew_create(const costab_study_family *family, int threads, study_crew **crew,
                                costab_error *error);
void study_crew_destroy(study_crew **crew);

/* For costab_limit_options; NULL for NULL. */
const costab_crew *study_crew_of(const study_crew *crew);

#endif
