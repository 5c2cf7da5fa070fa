#include "support/complaints.h"

#include <stdio.h>
#include <string.h>

#include "costab/spec.h"
#include "costab/study.h"

costab_status complaint_use(const costab_model *model, costab_error *error) {
    const costab_variant variant = {.model = model, .time_varying = true};
    costab_setup *setup;
    costab_coupling coupling;
    costab_status status = costab_setup_create(&variant, &setup, error);
    for (int c = 0; c < model->coupling_count && !status; c++)
        status = costab_setup_coupling(setup, c, &coupling, error);
    costab_setup_destroy(&setup);
    return status;
}

costab_status complaint_read(const char *path, const char *text, size_t size, costab_error *error) {
    costab_spec *spec;
    costab_status status = costab_spec_parse(path, text, size, &spec, error);
    check_true((!status) == (spec != NULL), "there is a spec exactly where it is fine");
    if (!status && spec->figure.kind_count > 0) {
        costab_study *study;
        status = costab_study_parse(path, text, size, &study, error);
        costab_study_destroy(&study);
    }
    if (!status && spec->model != NULL) status = complaint_use(spec->model, error);
    costab_spec_destroy(&spec);
    return status;
}
