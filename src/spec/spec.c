/* Specs as texts. Reading: a text and the files that it names become a costab_spec. A results file stores
 * the whole text: the spec, then its model's file, matrices, settings and figure files, with a separator
 * (COSTAB_JOINT_...) before each, so that no other file is needed to read it again. Setting parameters
 * writes such a text with further settings, and reads it anew. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "spec/sections.h"

/* ---- Reading and freeing */

static void read_compression(spec_file *file, const spec_node *node, costab_spec *spec) {
    static const char *const names[COSTAB_COMPRESSION_COUNT] = {"integers", "fast", "none"};
    size_t index;
    bool small = spec_is(file, node, "small");
    if (small && !spec->stored)
        spec_warn(file, file, node, "compression: 'small' is no more, 'fast' is taken");
    if (small)
        spec->compression = COSTAB_COMPRESSION_FAST;
    else if (spec_choice(file, node, "compression", names, COSTAB_COMPRESSION_COUNT, &index))
        spec->compression = (costab_compression)index;
}

/* An empty text where there is none. */
static void fill_in(spec_file *file, char **line) {
    if (*line == NULL) *line = memory_copy("");
    if (*line == NULL) file->memory_failed = true;
}

/* The mistakes of both files, the first file's first. */
static costab_status finish(spec_file *first, spec_file *base, costab_error *error) {
    costab_error second = {.status = COSTAB_OK};
    costab_status status = spec_finish(first, error), other = spec_finish(base, &second);
    if (status == COSTAB_MEMORY || !other) return status;
    if (!status || other == COSTAB_MEMORY) {
        *error = second;
        return other;
    }
    error_append(error, "%s", second.message);
    return COSTAB_INVALID;
}

/* Reads spec->text; what stands behind it in a whole text is that of the model's file and matrices. */
static costab_status read_into(costab_spec *spec, const char *behind, size_t behind_size,
                               costab_error *error) {
    ends_by(spec_file_free) spec_file file = {.path = spec->path}, base = {.path = ""};
    spec_sections found;
    file.stored = base.stored = spec->stored;
    file.made = !spec->stored && spec->foreign != NULL && spec->foreign->is_system(spec->path);
    const spec_node *root = spec_load(&file, spec->path, spec->text, spec->text_size);
    if (root != NULL && !file.memory_failed && spec_read_sections(&file, root, &found, &spec->system)) {
        if (found.title != NULL) spec_line(&file, found.title, "title", &spec->title);
        if (found.fields != NULL) spec_read_fields(&file, found.fields, spec);
        if (found.figure != NULL) spec_read_figure(&file, found.figure, &spec->figure);
        if (spec->system == COSTAB_SYSTEM_NETWORK)
            spec_read_network(&file, &found, &base, behind, behind_size, spec);
        else if (behind_size > 0 || spec->settings != NULL)
            spec_complain(&file, root,
                          "spec: a planar spec has no model and no parameters that could stand behind it");
        else
            spec_read_planar(&file, &found, spec);
        if (found.compression != NULL) read_compression(&file, found.compression, spec);
    }
    fill_in(&file, &spec->title);
    if (file.warnings.size > 0) spec->warnings = memory_copy(file.warnings.data);
    fill_in(&file, &spec->warnings);
    costab_status status = finish(&file, &base, error);
    if (status == COSTAB_INVALID && file.failure) error->status = status = file.failure;
    return status;
}

/* Takes the last part of a whole text, behind this separator, off its end. */
static costab_status take_joint(const char *joint, const char *bytes, size_t *size, costab_figure_file *file,
                                costab_error *error) {
    size_t at = spec_find_joint(joint, bytes, *size);
    if (at == *size) return COSTAB_OK;
    file->text = memory_copy_n(bytes + at + strlen(joint), *size - at - strlen(joint));
    *size = at;
    return file->text ? COSTAB_OK : error_memory(error);
}

static costab_status parse(const char *path, const char *bytes, size_t size, bool stored,
                           const costab_foreign *foreign, costab_spec **parsed, costab_error *error) {
    costab_error local;
    if (error == NULL) error = &local;
    *parsed = NULL;
    if (size > SPEC_SIZE_MAX)
        return error_invalid(error, "%s:1:1: error: the file is longer than %zu bytes", path, SPEC_SIZE_MAX);
    costab_spec *spec = *parsed = memory_alloc(1, sizeof *spec);
    if (spec == NULL) return error_memory(error);
    costab_status status = take_joint(COSTAB_JOINT_LINES, bytes, &size, &spec->figure.lines, error);
    if (!status) status = take_joint(COSTAB_JOINT_POINTS, bytes, &size, &spec->figure.points, error);
    size_t end = spec_find_joint(COSTAB_JOINT_SET, bytes, size), set = end + strlen(COSTAB_JOINT_SET);
    size_t own = spec_find_joint(COSTAB_JOINT_MATRICES, bytes, end);
    own = spec_find_joint(COSTAB_JOINT_MODEL, bytes, own);
    spec->path = memory_copy(path);
    spec->text = memory_copy_n(bytes, own);
    spec->settings = end < size ? memory_copy_n(bytes + set, size - set) : NULL;
    spec->text_size = own;
    spec->stored = stored;
    spec->foreign = foreign;
    spec->fields = 1; /* the class, in both systems */
    bool memory = spec->path != NULL && spec->text != NULL && (spec->settings != NULL || end == size);
    if (!status) status = memory ? read_into(spec, bytes + own, end - own, error) : error_memory(error);
    if (!status) status = spec_read_figure_files(&spec->figure, path, stored, error);
    if (status) costab_spec_destroy(parsed);
    return status;
}

costab_status costab_spec_parse(const char *path, const char *bytes, size_t size, costab_spec **spec,
                                costab_error *error) {
    return parse(path, bytes, size, false, NULL, spec, error);
}

costab_status costab_spec_parse_with(const char *path, const char *bytes, size_t size,
                                     const costab_foreign *foreign, costab_spec **spec, costab_error *error) {
    return parse(path, bytes, size, false, foreign, spec, error);
}

costab_status costab_spec_parse_stored(const char *path, const char *bytes, size_t size, costab_spec **spec,
                                       costab_error *error) {
    return parse(path, bytes, size, true, NULL, spec, error);
}

costab_status costab_spec_read(const char *path, costab_spec **spec, costab_error *error) {
    return costab_spec_read_with(path, NULL, spec, error);
}

costab_status costab_spec_read_with(const char *path, const costab_foreign *foreign, costab_spec **spec,
                                    costab_error *error) {
    text_local content = {0};
    *spec = NULL;
    TRY(text_read_file(path, SPEC_SIZE_MAX, &content, error));
    return costab_spec_parse_with(path, content.data, content.size, foreign, spec, error);
}

costab_status costab_spec_whole(const costab_spec *spec, char **whole, costab_error *error) {
    const costab_model *model = spec->model;
    const struct {
        const char *joint, *text;
    } behind[] = {{COSTAB_JOINT_MODEL, model != NULL ? model->base_text : NULL},
                  {COSTAB_JOINT_MATRICES, model != NULL ? model->matrices : NULL},
                  {COSTAB_JOINT_SET, spec->settings},
                  {COSTAB_JOINT_POINTS, spec->figure.points.text},
                  {COSTAB_JOINT_LINES, spec->figure.lines.text}};
    text t = {0};
    text_append_n(&t, spec->text, spec->text_size);
    for (size_t k = 0; k < sizeof behind / sizeof *behind; k++) {
        if (behind[k].text == NULL) continue;
        text_append(&t, behind[k].joint);
        text_append(&t, behind[k].text);
    }
    *whole = t.failed ? NULL : t.data;
    if (t.failed) text_free(&t);
    return *whole != NULL ? COSTAB_OK : error_memory(error);
}

/* May the parameter be set? */
static costab_status check_setting(const costab_spec *spec, const costab_setting *setting,
                                   costab_error *error) {
    int index;
    if (spec->model == NULL)
        return error_invalid(error, "%s: a spec of the planar system has no parameters to be set",
                             spec->path);
    TRY(costab_model_find_parameter(spec->model, setting->name, &index, error));
    if (!isfinite(setting->value))
        return error_invalid(error, "parameter '%s': a value must be finite", setting->name);
    for (int i = 0; i < spec->axis_count; i++)
        if (spec->axis_parameters[i] == index)
            return error_invalid(error,
                                 "%s: the parameter '%s' is an axis of the sweep, which gives it its values",
                                 spec->path, setting->name);
    return COSTAB_OK;
}

/* The last value of a name stands, first those of the spec, then the new ones. */
static void write_settings(const costab_spec *spec, const costab_setting *settings, int count, text *t) {
    char shown[NUMBER_SHOWN_MAX];
    const char *line = spec->settings;
    while (line != NULL && *line != '\0') {
        size_t length = strcspn(line, "\n"), name = strcspn(line, ":");
        bool again = false;
        for (int k = 0; k < count; k++)
            again = again || (strlen(settings[k].name) == name && strncmp(line, settings[k].name, name) == 0);
        if (!again) text_append_n(t, line, length + (line[length] == '\n'));
        line += length + (line[length] == '\n');
    }
    for (int k = 0; k < count; k++) {
        bool again = false;
        for (int l = k + 1; l < count; l++) again = again || strcmp(settings[k].name, settings[l].name) == 0;
        if (!again) text_printf(t, "%s: %s\n", settings[k].name, number_shortest(settings[k].value, shown));
    }
}

costab_status costab_spec_set(costab_spec **spec, const costab_setting *settings, int count,
                              costab_error *error) {
    costab_spec *changed = NULL;
    for (int k = 0; k < count; k++) TRY(check_setting(*spec, &settings[k], error));
    char *own = (*spec)->settings;
    memory_local char *whole = NULL;
    text_local set = {0};
    write_settings(*spec, settings, count, &set);
    text_append(&set, "");
    if (set.failed) return error_memory(error);
    (*spec)->settings = set.data; /* for the whole text alone */
    costab_status status = costab_spec_whole(*spec, &whole, error);
    (*spec)->settings = own;
    if (status) return status;
    TRY(parse((*spec)->path, whole, strlen(whole), (*spec)->stored, (*spec)->foreign, &changed, error));
    costab_spec_destroy(spec);
    *spec = changed;
    return COSTAB_OK;
}

void costab_spec_free_text(char **freed) {
    if (freed == NULL) return;
    memory_free(*freed);
    *freed = NULL;
}

void costab_spec_destroy(costab_spec **destroyed) {
    if (destroyed == NULL || *destroyed == NULL) return;
    costab_spec *spec = *destroyed;
    model_free(spec->model);
    costab_figure_clear(&spec->figure);
    for (int i = 0; i < COSTAB_SPEC_AXES_MAX; i++)
        memory_free_all(spec->axes[i].values, spec->words[i].label, spec->words[i].unit,
                        spec->words[i].written);
    memory_free_all(spec->path, spec->text, spec->title, spec->warnings, spec->settings, spec);
    *destroyed = NULL;
}
