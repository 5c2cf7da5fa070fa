/* costab/study.h - binds a spec to the evaluator that computes it. */
#ifndef COSTAB_STUDY_H
#define COSTAB_STUDY_H

#include "costab/spec.h"
#include "costab/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_study costab_study;

/* Makes the plan and the evaluator of a spec. The spec is borrowed and must outlive the study. [out] *study: free
 * with costab_study_destroy. */
COSTAB_API costab_status costab_study_create(const costab_sweep_spec *spec, costab_study **study,
                                             costab_error *error);
COSTAB_API void costab_study_destroy(costab_study **study);

/* Borrowed from the study. */
COSTAB_API const costab_plan *costab_study_plan(const costab_study *study);
COSTAB_API costab_evaluator costab_study_evaluator(const costab_study *study);

#ifdef __cplusplus
}
#endif
#endif
