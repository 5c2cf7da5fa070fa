/* Common functions of all kinds of studies: adding axes and fields to a plan, results of a run, and
 * destruction. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "spec/spec.h"
#include "study/create.h"
#include "study/study.h"

void costab_study_destroy(costab_study **study) {
    if (study == NULL || *study == NULL) return;
    if ((*study)->destroy != NULL) (*study)->destroy(*study);
    for (int k = 0; k < (*study)->labelled_count; k++) {
        for (size_t i = 0; i < (*study)->labelled[k].count; i++) memory_free((*study)->labelled[k].labels[i]);
        memory_free((*study)->labelled[k].labels);
    }
    if ((*study)->slices != NULL) (*study)->free_slices((*study)->slices);
    costab_spec_destroy(&(*study)->own_spec);
    costab_spec_free_text(&(*study)->own_spec_text);
    memory_free((*study)->own_figure);
    memory_free(*study);
    *study = NULL;
}

int study_add_axis(costab_study *study, costab_axis axis) {
    study->plan.axes[study->plan.axis_count] = axis;
    return study->plan.axis_count++;
}

costab_status study_add_labelled(costab_study *study, costab_axis axis, study_label label,
                                 const void *context, costab_error *error) {
    char space[STUDY_LABEL_MAX], **labels = memory_alloc(axis.count, sizeof *labels);
    if (labels == NULL) return error_memory(error);
    study->labelled[study->labelled_count].labels = axis.labels = labels;
    study->labelled[study->labelled_count++].count = axis.count;
    for (size_t i = 0; i < axis.count; i++) {
        labels[i] = memory_copy(label(context, i, space));
        if (labels[i] == NULL) return error_memory(error);
    }
    study_add_axis(study, axis);
    return COSTAB_OK;
}

int study_plan_field(costab_plan *plan, const study_field *field, const int *place) {
    costab_field *to = &plan->fields[plan->field_count];
    *to = (costab_field){.type = COSTAB_F64, .long_name = field->long_name, .unit = field->unit};
    for (int k = 0; k < COSTAB_AXES_MAX; k++) {
        if ((field->axes & 1U << k) == 0) continue;
        to->axes[to->rank] = place != NULL ? place[k] : k;
        if (to->axes[to->rank++] < 0) return -1;
    }
    (void)snprintf(to->name, sizeof to->name, "%s", field->name);
    if (field->codes != NULL) {
        to->type = COSTAB_U8;
        to->codes = field->codes->kind;
        to->code_count = field->codes->count;
        to->code_meanings = field->codes->meanings;
        to->fill = field->codes->fill;
        memcpy(to->code_values, field->codes->values, sizeof to->code_values);
    }
    return plan->field_count++;
}

static const char *scheme_label(const void *context, size_t i, char space[STUDY_LABEL_MAX]) {
    (void)space;
    return costab_scheme_name(((const costab_spec *)context)->planar.schemes[i]);
}

costab_status study_add_schemes(costab_study *study, costab_planar *schemes, costab_error *error) {
    const costab_spec *spec = study->spec;
    for (int s = 0; s < spec->planar.scheme_count; s++) TRY(costab_spec_planar(spec, s, &schemes[s], error));
    costab_axis axis = {
        .name = "scheme", .count = (size_t)spec->planar.scheme_count, .long_name = "coupling scheme"};
    return study_add_labelled(study, axis, scheme_label, spec, error);
}

size_t costab_study_histories(const costab_study *study) {
    return study->histories;
}

size_t costab_study_failures(const costab_study *study, costab_error *first) {
    if (study->report == NULL) return 0;
    if (study->report->failures > 0 && first != NULL) *first = study->report->failure;
    return study->report->failures;
}

const char *costab_study_ending(const costab_study *study, int c) {
    return c >= 0 && c < study->ending_count ? study->endings[c] : NULL;
}

costab_notes costab_study_notes(const costab_study *study) {
    return study->notes;
}

size_t costab_study_analysed(const costab_study *study) {
    return study->report != NULL ? study->report->analysed : 0;
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
