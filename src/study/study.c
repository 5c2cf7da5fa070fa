/* Choosing the kind of study, and passing calls on to it. */
#include "study/study.h"
#include "base/error.h"
#include "base/memory.h"

/* A study that could be made, or the reason why not; nothing is left of it then. */
static costab_status made(costab_study **study, costab_status status, costab_error *error) {
    size_t tiles, points;
    if (status == COSTAB_OK) status = costab_plan_size(&(*study)->plan, &tiles, &points, error);
    if (status != COSTAB_OK) costab_study_destroy(study);
    return status;
}

costab_status costab_study_create(const costab_sweep_spec *spec, costab_study **study, costab_error *error) {
    *study = NULL;
    costab_status status = spec->case_count > 0 ? history_study_create(spec, study, error)
                                                : planar_study_create(spec, study, error);
    return made(study, status, error);
}

costab_status costab_study_create_network(const costab_model *model, costab_study **study,
                                          costab_error *error) {
    *study = NULL;
    bool history = model->axis_count == 0 && model->history.until > 0;
    return made(study,
                history ? network_history_of_model(model, study, error)
                        : network_study_create(model, study, error),
                error);
}

costab_status costab_study_create_history(const costab_study_history *history, costab_study **study,
                                          costab_error *error) {
    *study = NULL;
    return made(study, network_history_create(history, study, error), error);
}

void costab_study_destroy(costab_study **study) {
    if (study == NULL || *study == NULL) return;
    (*study)->destroy(*study);
    costab_sweep_spec_destroy(&(*study)->own_spec);
    costab_model_destroy(&(*study)->own_model);
    costab_model_free_text(&(*study)->own_text);
    memory_free(*study);
    *study = NULL;
}

costab_status study_schemes(const costab_sweep_spec *spec, costab_planar *schemes, char **labels,
                            costab_error *error) {
    for (int s = 0; s < spec->scheme_count; s++) {
        costab_status status = costab_sweep_spec_planar(spec, s, &schemes[s], error);
        if (status != COSTAB_OK) return status;
        labels[s] = memory_copy(costab_scheme_name(spec->schemes[s]));
        if (labels[s] == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

size_t costab_study_failures(const costab_study *study, costab_error *first) {
    return study->failures != NULL ? study->failures(study, first) : 0;
}

costab_notes costab_study_notes(costab_study *study) {
    return study->notes != NULL ? study->notes(study) : (costab_notes){.context = NULL};
}

size_t costab_study_analysed(const costab_study *study) {
    return study->analysed != NULL ? study->analysed(study) : 0;
}

const costab_plan *costab_study_plan(const costab_study *study) {
    return &study->plan;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const costab_study *study = (const costab_study *)context;
    return study->evaluate(study, tile, blocks, error);
}

costab_evaluator costab_study_evaluator(const costab_study *study) {
    return (costab_evaluator){.context = study, .evaluate = evaluate};
}
