/* Choosing the kind of study that a spec asks for. */
#include "study/study.h"
#include "study/create.h"

#include "base/error.h"
#include "sweep/run.h"

/* A study that could be made, or the reason why not; nothing is left of it then. */
static costab_status made(costab_study **study, costab_status status, costab_error *error) {
    size_t tiles, points;
    if (!status) status = costab_plan_size(&(*study)->plan, &tiles, &points, error);
    if (status) costab_study_destroy(study);
    return status;
}

static costab_status create(const costab_spec *spec, costab_study **study, costab_error *error) {
    const costab_study_history history = {.variant = {.model = spec->model}};
    if (spec->system == COSTAB_SYSTEM_PLANAR)
        return spec->planar.case_count > 0 ? planar_history_create(spec, study, error)
                                           : planar_study_create(spec, study, error);
    return spec->axis_count == 0 && spec->model->history.until > 0
               ? network_history_create(&history, study, error)
               : network_study_create(spec, study, error);
}

costab_status costab_study_create(const costab_spec *spec, costab_study **study, costab_error *error) {
    *study = NULL;
    if (spec == NULL) return error_invalid(error, "there is no spec to make a study of");
    TRY(made(study, create(spec, study, error), error));
    (*study)->plan.compression = spec->compression;
    return COSTAB_OK;
}

costab_status costab_study_create_history(const costab_study_history *history, costab_study **study,
                                          costab_error *error) {
    *study = NULL;
    return made(study, network_history_create(history, study, error), error);
}
