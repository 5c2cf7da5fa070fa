/* Makes the study of a chart of a model without a spec. Writes the document of the equivalent spec, with the
 * model's file as `model`, and reads it like any other spec. So the results file contains the spec as YAML.
 */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "costab/fmu.h"
#include "spec/sections.h"
#include "study/study.h"

static costab_status check_axes(const costab_chart_axis *axes, int count, costab_error *error) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(axes[k].parameter, axes[i].parameter) == 0)
                return error_invalid(error, "the axis '%s' is given twice", axes[i].parameter);
    return count > 0 ? COSTAB_OK : error_invalid(error, "a chart needs an axis");
}

/* Adds a part of the written numbers, up to `end`. Returns the text after `end`; NULL for the last part. */
static const char *add_written(spec_builder *to, const char *written, const char *end) {
    written += strspn(written, " ");
    size_t size = strcspn(written, end);
    spec_add_scalar(to, written, size, false);
    return written[size] != '\0' ? written + size + 1 : NULL;
}

/* Adds the numbers as written or, without a text, the doubles. */
static void add_list(spec_builder *to, const costab_chart_axis *axis) {
    spec_open(to, SPEC_LIST);
    for (const char *at = axis->written; at != NULL;) at = add_written(to, at, ",");
    for (size_t i = 0; axis->written == NULL && i < axis->points; i++) spec_add_number(to, axis->values[i]);
    spec_close(to);
}

static void add_range(spec_builder *to, const costab_chart_axis *axis) {
    const char *written = axis->written;
    spec_open(to, SPEC_MAPPING);
    spec_add_word(to, "from");
    if (axis->written != NULL)
        written = add_written(to, written, ":");
    else
        spec_add_number(to, axis->from);
    spec_add_word(to, "to");
    if (axis->written != NULL)
        (void)add_written(to, written, ":");
    else
        spec_add_number(to, axis->to);
    spec_add_word(to, "points");
    spec_add_number(to, (double)axis->points);
    if (axis->log) spec_add_pair(to, "spacing", "log", false);
    spec_close(to);
}

void study_spec_axis(spec_builder *to, const costab_chart_axis *axis) {
    spec_add_word(to, axis->parameter);
    if (axis->written != NULL ? strchr(axis->written, ':') == NULL : axis->values != NULL)
        add_list(to, axis);
    else
        add_range(to, axis);
}

static void add_all(spec_builder *to, const char *path, const costab_chart_axis *axes, int count) {
    spec_open(to, SPEC_MAPPING);
    spec_add_pair(to, "system", "network", false);
    spec_add_pair(to, "model", file_name(path), true);
    spec_open_key(to, "axes", SPEC_MAPPING);
    for (int i = 0; i < count; i++) study_spec_axis(to, &axes[i]);
    spec_close(to);
    spec_open_key(to, "fields", SPEC_LIST);
    spec_add_word(to, "class");
    spec_add_word(to, "spectral_radius");
    spec_close(to);
    spec_close(to);
}

costab_status costab_study_chart(const char *path, const costab_chart_axis *axes, int axis_count,
                                 const costab_changes *changes, costab_study **study, costab_error *error) {
    ends_by(spec_file_free) spec_file document = {.path = path};
    costab_spec *spec = NULL;
    spec_builder to = {.file = &document};
    *study = NULL;
    TRY(check_axes(axes, axis_count, error));
    add_all(&to, path, axes, axis_count);
    if (document.memory_failed) return error_memory(error);
    TRY(spec_read_document(path, &document, costab_fmu_foreign(), &spec, error));
    return study_set_and_make(spec, changes, path, study, error);
}
