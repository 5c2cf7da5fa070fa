/* Makes a study from the file or the text of a spec, from a spec in memory, or for the time histories of a
 * variant of a model. A study is prepared for evaluation: a sweep or time histories, of the planar system or
 * of a network. From a file or text:
 *   1. Reads the spec (spec.h). The module fmu reads FMUs and systems of FMUs, except for untrusted text,
 *      which opens no other file.
 *   2. Changes couplings and sets parameters (costab_spec_couple, costab_spec_set).
 *   3. Completes the text of the spec with everything that it names (costab_spec_whole).
 *   4. Creates the study, and adds warnings of delays (analysis/delays.h).
 *   5. Compares its figure with its plan, so that a figure that cannot be drawn from the results is refused
 *      before the run, and describes the figure.
 *   6. Stores spec, text, figure and origin in the study, for the results file. */
#include "study/study.h"

#include "analysis/delays.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "costab/figure.h"
#include "costab/fmu.h"
#include "figure/figure.h"
#include "model/yaml.h"
#include "spec/spec.h"
#include "study/create.h"
#include "sweep/run.h"

/* Checks the plan of a new study, whose making returned `status`. Destroys the study after an error. */
static costab_status check_made(costab_study **study, costab_status status, costab_error *error) {
    size_t tiles, points;
    if (!status) status = costab_plan_size(&(*study)->plan, &tiles, &points, error);
    if (status) costab_study_destroy(study);
    return status;
}

/* Makes the study of the kind that the spec requires. */
static costab_status create(const costab_spec *spec, costab_study **study, costab_error *error) {
    const costab_study_history history = {.variant = {.model = spec->model}};
    if (spec->system == COSTAB_SYSTEM_PLANAR)
        return spec->planar.case_count > 0 ? planar_history_create(spec, study, error)
                                           : planar_study_create(spec, study, error);
    if (spec->axis_count > 0 || spec->model->history.until == 0)
        return network_study_create(spec, study, error);
    if (spec->fields != COSTAB_NETWORK_CLASS || spec->uncertain_count > 0)
        return error_invalid(
            error,
            "%s: error: without axes the key 'history' stores signals alone: leave 'fields' and uncertain parameters out, or give 'axes' a parameter with values, perhaps one",
            spec->path);
    return network_history_create(&history, study, error);
}

costab_status costab_study_create(const costab_spec *spec, costab_study **study, costab_error *error) {
    *study = NULL;
    if (spec == NULL) return error_invalid(error, "a study needs a spec");
    TRY(check_made(study, create(spec, study, error), error));
    (*study)->plan.compression = spec->compression;
    return COSTAB_OK;
}

costab_status costab_study_create_history(const costab_study_history *history, costab_study **study,
                                          costab_error *error) {
    *study = NULL;
    return check_made(study, network_history_create(history, study, error), error);
}

/* ---- Reading ---- */

/* Adds warnings of delays to the spec, for the values of all axes. */
static costab_status warn_of_delays(costab_spec *spec, costab_error *error) {
    parameter_values lists[COSTAB_SPEC_AXES_MAX];
    if (spec->model == NULL) return COSTAB_OK;
    for (int k = 0; k < spec->axis_count; k++)
        lists[k] = (parameter_values){spec->axis_parameters[k], spec->axes[k].values, spec->axes[k].count};
    return analysis_warn_of_delays(spec, &(costab_variant){.model = spec->model}, lists, spec->axis_count,
                                   error);
}

#define PLANAR_REFERENCE                                                                                     \
    "T. Kalmar-Nagy, I. Stanciulescu, Can complex systems really be simulated?, Applied Mathematics and "    \
    "Computation, 2014"

/* Checks the key `figure`. Figures of time histories select from all axes of the file. */
static costab_status check_figure(const costab_spec *spec, const costab_study *study, const char *path,
                                  costab_error *error) {
    costab_plan plan = study->plan;
    if (study->histories > 0) plan.swept = plan.axis_count;
    return costab_figure_check(&spec->figure, &plan, path, error);
}

/* Makes a study of a spec, from the complete text to the origin. Takes ownership of the spec, also after an
 * error. */
static costab_status study_of(costab_spec *spec, const char *path, costab_study **study,
                              costab_error *error) {
    char *spec_text = NULL;
    text figure = {0};
    costab_status status = costab_spec_whole(spec, &spec_text, error);
    if (!status) status = costab_study_create(spec, study, error);
    if (!status) status = warn_of_delays(spec, error);
    if (!status) status = check_figure(spec, *study, path, error);
    if (!status) status = study_figure_text(spec, &figure, error);
    if (status) {
        text_free(&figure);
        costab_study_destroy(study);
        costab_spec_free_text(&spec_text);
        costab_spec_destroy(&spec);
        return status;
    }
    (*study)->own_spec = spec;
    (*study)->own_spec_text = spec_text;
    (*study)->own_figure = figure.data;
    (*study)->origin =
        (costab_study_origin){.title = spec->title,
                              .references = spec->system == COSTAB_SYSTEM_PLANAR ? PLANAR_REFERENCE : NULL,
                              .spec_path = file_name(spec->path),
                              .spec_text = spec_text,
                              .figure = figure.data,
                              .refine_cell = spec->refine_cell,
                              .warnings = spec->warnings};
    return COSTAB_OK;
}

/* Puts comment lines before the text of the spec. */
static costab_status add_notes(costab_spec *spec, const char *notes, costab_error *error) {
    text whole = {0};
    const size_t mark =
        spec->text_size >= 3 && memcmp(spec->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* of byte order */
    text_append(&whole, notes);
    text_append_n(&whole, spec->text + mark, spec->text_size - mark);
    memory_free(spec->text);
    spec->text = whole.data;
    spec->text_size = whole.size;
    return whole.failed ? error_memory(error) : COSTAB_OK;
}

costab_status study_set_and_make(costab_spec *spec, const costab_changes *changes, const char *path,
                                 costab_study **study, costab_error *error) {
    costab_status status = COSTAB_OK;
    if (changes->coupling_count > 0)
        status = costab_spec_couple(&spec, changes->couplings, changes->coupling_count, error);
    if (!status && changes->setting_count > 0)
        status = costab_spec_set(&spec, changes->settings, changes->setting_count, error);
    if (!status && changes->notes != NULL) status = add_notes(spec, changes->notes, error);
    if (!status) return study_of(spec, path, study, error);
    costab_spec_destroy(&spec);
    return status;
}

costab_status costab_study_parse_set(const char *path, const char *bytes, size_t size,
                                     const costab_changes *changes, costab_study **study,
                                     costab_error *error) {
    costab_spec *spec = NULL;
    *study = NULL;
    TRY(costab_spec_parse_with(path, bytes, size, costab_fmu_foreign(), &spec, error));
    return study_set_and_make(spec, changes, path, study, error);
}

costab_status costab_study_parse(const char *path, const char *bytes, size_t size, costab_study **study,
                                 costab_error *error) {
    return costab_study_parse_set(path, bytes, size, &(costab_changes){.setting_count = 0}, study, error);
}

costab_status study_parse_stored(const char *path, const char *bytes, size_t size, costab_study **study,
                                 costab_error *error) {
    costab_spec *spec = NULL;
    *study = NULL;
    TRY(costab_spec_parse_stored(path, bytes, size, &spec, error));
    return study_of(spec, path, study, error);
}

costab_status costab_study_read_set(const char *path, const costab_changes *changes, costab_study **study,
                                    costab_error *error) {
    costab_spec *spec = NULL;
    *study = NULL;
    TRY(costab_spec_read_with(path, costab_fmu_foreign(), &spec, error));
    return study_set_and_make(spec, changes, path, study, error);
}

costab_status costab_study_read(const char *path, costab_study **study, costab_error *error) {
    return costab_study_read_set(path, &(costab_changes){.setting_count = 0}, study, error);
}

const costab_study_origin *costab_study_origin_of(const costab_study *study) {
    return study->origin.spec_text != NULL ? &study->origin : NULL;
}
