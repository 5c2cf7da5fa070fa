/* A chart of a model without a spec of its own: the spec that it amounts to is written, followed by the model
 * file, and read like any other. So the results file holds it, and every part that knows specs knows this.
 */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "costab/fmu.h"
#include "costab/study.h"

static costab_status check_model(const costab_spec *spec, const char *path, const costab_chart_axis *axes,
                                 int count, costab_error *error) {
    int number;
    if (spec->system != COSTAB_SYSTEM_NETWORK)
        return error_set(error, COSTAB_INVALID,
                         "%s: it is a spec of the planar system, which has axes of its own; a model of "
                         "`system: network` is needed",
                         path);
    if (spec->model->base_text != NULL)
        return error_set(error, COSTAB_INVALID,
                         "%s: it takes its model from another file, which its key `model` names: give that "
                         "file",
                         path);
    for (int i = 0; i < count; i++) {
        costab_status status = costab_model_find_parameter(spec->model, axes[i].parameter, &number, error);
        if (status) return status;
    }
    return COSTAB_OK;
}

static costab_status check_axes(const costab_chart_axis *axes, int count, costab_error *error) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(axes[k].parameter, axes[i].parameter) == 0)
                return error_set(error, COSTAB_INVALID, "the axis '%s' is given twice", axes[i].parameter);
    return count > 0 ? COSTAB_OK : error_set(error, COSTAB_INVALID, "a chart needs an axis");
}

static void write_axis(json *out, const costab_chart_axis *axis) {
    if (axis->values != NULL) {
        json_array(out, axis->parameter);
        for (size_t i = 0; i < axis->points; i++) json_number(out, NULL, axis->values[i]);
        json_end_array(out);
        return;
    }
    json_object(out, axis->parameter);
    json_number(out, "from", axis->from);
    json_number(out, "to", axis->to);
    json_number(out, "points", (double)axis->points);
    json_end_object(out);
}

/* YAML, whose mappings may be JSON. */
static void write_spec(text *to, const char *path, const costab_chart_axis *axes, int count) {
    json out = {.to = to};
    text_append(to, "system: network\nmodel: ");
    json_text(&out, NULL, file_name(path));
    text_append(to, "\naxes: ");
    out = (json){.to = to};
    json_object(&out, NULL);
    for (int i = 0; i < count; i++) write_axis(&out, &axes[i]);
    json_end_object(&out);
    text_append(to, "\nfields: [class, spectral_radius]\n");
    if (out.failed) to->failed = true;
}

costab_status costab_study_chart(const char *path, const costab_chart_axis *axes, int axis_count,
                                 const costab_setting *settings, int count, costab_study **study,
                                 costab_error *error) {
    costab_spec *spec = NULL;
    char *whole = NULL;
    text_local made = {0};
    *study = NULL;
    const bool system = costab_ssp_is(path); /* which the spec names, and its reader turns into a model */
    costab_status status = check_axes(axes, axis_count, error);
    if (!status && !system) status = costab_spec_read_with(path, costab_fmu_foreign(), &spec, error);
    if (!status && !system) status = check_model(spec, path, axes, axis_count, error);
    if (!status && !system) status = costab_spec_whole(spec, &whole, error);
    if (!status) {
        write_spec(&made, path, axes, axis_count);
        if (!system) text_append(&made, COSTAB_JOINT_MODEL);
        if (!system) text_append(&made, whole);
        if (made.failed) status = error_memory(error);
    }
    if (!status) status = costab_study_parse_set(path, made.data, made.size, settings, count, study, error);
    costab_spec_free_text(&whole);
    costab_spec_destroy(&spec);
    return status;
}
