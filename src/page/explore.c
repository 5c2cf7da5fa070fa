/* The explorer page of a results file: one JSON in a template.
 *   1. Title, name of the file and source.
 *   2. The stored grid: axes, and fields in few bytes (explore_grid.c).
 *   3. Text and path of the stored spec, and the field that its figure draws (`of`).
 *   4. For a planar chart its controls, and areas and critical values along a; for a network the labels and
 *      units of its parameters and signals, and the parameters that --set changed.
 *
 * Cost: reading the grid; for a planar chart up to a second for areas. Equal results give equal bytes. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "costab/page.h"
#include "model/yaml_values.h"
#include "page/explore.h"
#include "page/page.h"
#include "plots.h"
#include "spec/spec.h"

/* Puts the parameters that the sweep gave other values than the spec. */
static void put_settings(json *out, const costab_model *model, const spec_file *set) {
    json_object(out, "set");
    for (int p = 0; p < model->parameter_count && spec_root(set) != NULL; p++) {
        const spec_node *value = spec_find(set, spec_root(set), model->parameters[p].name);
        text_local digits = {0};
        if (value == NULL) continue;
        text_append_n(&digits, spec_text(set, value), value->size);
        if (digits.failed) out->failed = true;
        if (!digits.failed) json_text(out, model->parameters[p].name, digits.data);
    }
    json_end_object(out);
}

static costab_status put_spec(json *out, const costab_results *results, costab_error *error) {
    ends_by(costab_spec_destroy) costab_spec *spec = NULL;
    costab_error why = {.status = COSTAB_OK};
    const char *spec_text = costab_results_spec_text(results);
    costab_status status = costab_spec_parse_stored(costab_results_spec_path(results), spec_text,
                                                    strlen(spec_text), &spec, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    page_text(out, "text", spec_text);
    json_text(out, "path", file_name(costab_results_spec_path(results)));
    if (status) return COSTAB_OK;
    if (spec->figure.of.word[0] != '\0') json_text(out, "of", spec->figure.of.word);
    if (spec->model == NULL) return explore_planar(out, spec, error);
    page_words(out, spec->model);
    put_settings(out, spec->model, spec_settings(spec));
    return COSTAB_OK;
}

costab_status costab_explore(const costab_results *results, const char *name, char **page,
                             costab_error *error) {
    text_local data = {0};
    json out = {.to = &data};
    *page = NULL;
    json_object(&out, NULL);
    page_text(&out, "title", costab_results_title(results));
    json_text(&out, "file", file_name(name));
    json_text(&out, "source", costab_results_source(results));
    TRY(explore_grid(&out, results, error));
    TRY(put_spec(&out, results, error));
    json_end_object(&out);
    return page_make(plot_template_explorer, &data, page, error);
}
