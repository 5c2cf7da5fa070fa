/* A chart of a model without a spec of its own: the spec that it amounts to is written, followed by the model
 * file, and read like any other. So the results file holds it, and every part that knows specs knows this.
 */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "costab/fmu.h"
#include "costab/study.h"

static costab_status check_model(const costab_spec *spec, const char *path, const costab_chart_axis *axes,
                                 int count, costab_error *error) {
    int number;
    if (spec->system != COSTAB_SYSTEM_NETWORK)
        return error_invalid(error,
                             "%s: it is a spec of the planar system, which has axes of its own; a "
                             "model of `system: network` is needed",
                             path);
    if (spec->model->base_text != NULL)
        return error_invalid(error,
                             "%s: it takes its model from another file, which its key `model` "
                             "names: give that file",
                             path);
    for (int i = 0; i < count; i++)
        TRY(costab_model_find_parameter(spec->model, axes[i].parameter, &number, error));
    return COSTAB_OK;
}

static costab_status check_axes(const costab_chart_axis *axes, int count, costab_error *error) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(axes[k].parameter, axes[i].parameter) == 0)
                return error_invalid(error, "the axis '%s' is given twice", axes[i].parameter);
    return count > 0 ? COSTAB_OK : error_invalid(error, "a chart needs an axis");
}

/* Appends a word in quotation marks. */
static void write_word(text *to, const char *word) {
    json out = {.to = to};
    json_text(&out, NULL, word);
    if (out.failed) to->failed = true;
}

/* A list or a range as it is written, and otherwise the doubles in their shortest form. */
static void write_axis(text *to, const costab_chart_axis *axis) {
    text_local numbers = {0};
    if (axis->written != NULL) text_append(&numbers, axis->written);
    for (size_t i = 0; axis->written == NULL && axis->values != NULL && i < axis->points; i++)
        text_append_number(&numbers, i > 0 ? "," : "", axis->values[i]);
    if (axis->written == NULL && axis->values == NULL) {
        text_append_number(&numbers, "", axis->from);
        text_append_number(&numbers, ":", axis->to);
        text_append(&numbers, ":");
    }
    to->failed = to->failed || numbers.failed;
    const char *first = to->failed ? "" : numbers.data, *colon = strchr(first, ':');
    text_append(to, "  ");
    write_word(to, axis->parameter);
    if (colon != NULL)
        text_printf(to, ": {from: %.*s, to: %.*s, points: %zu}\n", (int)(colon - first), first,
                    (int)strcspn(colon + 1, ":"), colon + 1, axis->points);
    else
        text_printf(to, ": [%s]\n", first);
}

static void write_spec(text *to, const char *path, const costab_chart_axis *axes, int count) {
    text_append(to, "system: network\nmodel: ");
    write_word(to, file_name(path));
    text_append(to, "\naxes:\n");
    for (int i = 0; i < count; i++) write_axis(to, &axes[i]);
    text_append(to, "fields: [class, spectral_radius]\n");
}

costab_status costab_study_chart(const char *path, const costab_chart_axis *axes, int axis_count,
                                 const costab_setting *settings, int count, costab_study **study,
                                 costab_error *error) {
    ends_by(costab_spec_destroy) costab_spec *spec = NULL;
    ends_by(costab_spec_free_text) char *whole = NULL;
    text_local made = {0};
    *study = NULL;
    const bool system = costab_ssp_is(path); /* which the spec names, and its reader turns into a model */
    TRY(check_axes(axes, axis_count, error));
    if (!system) TRY(costab_spec_read_with(path, costab_fmu_foreign(), &spec, error));
    if (!system) TRY(check_model(spec, path, axes, axis_count, error));
    if (!system) TRY(costab_spec_whole(spec, &whole, error));
    write_spec(&made, path, axes, axis_count);
    if (!system) text_append(&made, COSTAB_JOINT_MODEL);
    if (!system) text_append(&made, whole);
    if (made.failed) return error_memory(error);
    return costab_study_parse_set(path, made.data, made.size, settings, count, study, error);
}
