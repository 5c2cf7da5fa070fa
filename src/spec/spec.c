/* Makes specs from documents (model/yaml.h), changes them and writes their whole text.
 * 1. Documents come from YAML, a system of FMUs, or a caller (a chart of a model). The spec stores them:
 *    setting parameters reads them again with an additional document of settings.
 * 2. Results files store the whole text: the spec's own text, then its model's file, matrices, settings and
 *    figure files, each after a separator (COSTAB_JOINT_...). It can be read without any other file. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/style.h"
#include "model/body.h"
#include "spec/sections.h"
#include "spec/spec.h"

static void swap(spec_file *a, spec_file *b) {
    spec_file before = *a;
    *a = *b;
    *b = before;
}

/* ---- Reading */

static void read_compression(spec_file *file, const spec_node *node, costab_spec *spec) {
    static const char *const names[COSTAB_COMPRESSION_COUNT] = {"integers", "fast", "none"};
    size_t index;
    bool small = spec_is(file, node, "small");
    if (small && !spec->stored)
        spec_warn(file, file, node, "compression: 'small' was removed, 'fast' is used");
    if (small)
        spec->compression = COSTAB_COMPRESSION_FAST;
    else if (spec_choice(file, node, "compression", names, COSTAB_COMPRESSION_COUNT, &index))
        spec->compression = (costab_compression)index;
}

/* Replaces a missing text by an empty one. */
static void fill_in(spec_file *file, char **line) {
    if (*line == NULL) *line = memory_copy("");
    if (*line == NULL) file->memory_failed = true;
}

/* Combines the errors of both files, the first file's first. */
static costab_status finish(spec_file *first, spec_file *base, costab_error *error) {
    costab_error second = {.status = COSTAB_OK};
    costab_status status = spec_finish(first, error), other = spec_finish(base, &second);
    if (status == COSTAB_MEMORY || !other) return status;
    if (!status || other == COSTAB_MEMORY) {
        *error = second;
        return other;
    }
    for (char *line = second.message, *rest; line != NULL; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL) *rest++ = '\0';
        error_append(error, "%s", line);
    }
    return COSTAB_INVALID;
}

static bool is_there(const spec_file *document) {
    return document->node_count + document->problem_count > 0;
}

/* Fills the spec from its documents. */
static costab_status read_documents(costab_spec *spec, costab_error *error) {
    costab_error unused;
    if (error == NULL) error = &unused;
    spec_documents *documents = spec->documents;
    spec_file *file = &documents->own;
    spec_sections found;
    const spec_node *root = spec_root(file);
    if (file->notes.size > 0) text_append_text(&file->warnings, &file->notes);
    if (root != NULL && !file->memory_failed && spec_read_sections(file, root, &found, &spec->system)) {
        if (found.title != NULL) spec_line(file, found.title, "title", &spec->title);
        if (found.fields != NULL) spec_read_fields(file, found.fields, spec);
        if (found.figure != NULL) spec_read_figure(file, found.figure, &spec->figure);
        if (spec->system == COSTAB_SYSTEM_NETWORK)
            spec_read_network(documents, &found, spec);
        else if (documents->base_text != NULL || is_there(&documents->attached) || is_there(&documents->set))
            spec_complain(file, root, "spec: a planar spec takes no model and no parameters after its text");
        else
            spec_read_planar(file, &found, spec);
        if (found.compression != NULL) read_compression(file, found.compression, spec);
    }
    fill_in(file, &spec->title);
    if (file->warnings.size > 0) spec->warnings = memory_copy(file->warnings.data);
    fill_in(file, &spec->warnings);
    costab_status status = finish(file, &documents->base, error);
    if (status == COSTAB_INVALID && file->failure) error->status = status = file->failure;
    return status;
}

/* Creates an empty spec. */
static costab_status make(const char *path, const costab_foreign *foreign, bool stored, costab_spec **made,
                          costab_error *error) {
    TRY(memory_make(made, 1, error));
    costab_spec *spec = *made;
    TRY(memory_make(&spec->documents, 1, error));
    spec->path = memory_copy(path);
    spec->stored = spec->documents->own.stored = spec->documents->base.stored = spec->documents->set.stored =
        stored;
    spec->documents->own.path = spec->path;
    spec->foreign = foreign;
    spec->fields = 1; /* the class, in both systems */
    return spec->path != NULL ? COSTAB_OK : error_memory(error);
}

/* ---- Texts */

/* Returns the position of a separator; `size` if there is none. */
static size_t find_joint(const char *joint, const char *bytes, size_t size) {
    const size_t length = strlen(joint);
    for (size_t i = 0; i + length <= size; i++)
        if (bytes[i] == joint[0] && memcmp(bytes + i, joint, length) == 0) return i;
    return size;
}

/* Removes the part after this separator from the end of a whole text. [out] *part: NULL if there is none. */
static costab_status take_part(const char *joint, const char *bytes, size_t *size, char **part,
                               size_t *part_size, costab_error *error) {
    size_t at = find_joint(joint, bytes, *size), begin = at + strlen(joint);
    if (at == *size) return COSTAB_OK;
    *part_size = *size - begin;
    *part = memory_copy_n(bytes + begin, *part_size);
    *size = at;
    return *part != NULL ? COSTAB_OK : error_memory(error);
}

/* Reads a document appended to a spec's text. */
static costab_status take_document(const char *joint, const char *bytes, size_t *size, spec_file *document,
                                   const char *path, costab_error *error) {
    memory_local char *part = NULL;
    size_t part_size = 0;
    TRY(take_part(joint, bytes, size, &part, &part_size, error));
    if (part != NULL) (void)spec_load(document, path, part, part_size);
    return document->memory_failed ? error_memory(error) : COSTAB_OK;
}

static costab_status read_text(costab_spec *spec, const char *bytes, size_t size, costab_error *error) {
    spec_documents *documents = spec->documents;
    size_t ignored;
    TRY(take_part(COSTAB_JOINT_LINES, bytes, &size, &spec->figure.lines.text, &ignored, error));
    TRY(take_part(COSTAB_JOINT_POINTS, bytes, &size, &spec->figure.points.text, &ignored, error));
    TRY(take_document(COSTAB_JOINT_SET, bytes, &size, &documents->set, spec->path, error));
    TRY(take_document(COSTAB_JOINT_MATRICES, bytes, &size, &documents->attached, spec->path, error));
    TRY(take_part(COSTAB_JOINT_MODEL, bytes, &size, &documents->base_text, &documents->base_size, error));
    spec->text = memory_copy_n(bytes, size);
    spec->text_size = size;
    if (spec->text == NULL) return error_memory(error);
    (void)spec_load(&documents->own, spec->path, bytes, size);
    return read_documents(spec, error);
}

static costab_status parse(const char *path, const char *bytes, size_t size, bool stored,
                           const costab_foreign *foreign, costab_spec **parsed, costab_error *error) {
    *parsed = NULL;
    if (size > SPEC_SIZE_MAX)
        return error_invalid(error, "%s:1:1: error: the file is longer than %zu bytes", path, SPEC_SIZE_MAX);
    costab_status status = make(path, foreign, stored, parsed, error);
    if (!status) status = read_text(*parsed, bytes, size, error);
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
    if (foreign != NULL && foreign->is_system(path))
        return costab_spec_read_system(path, 0, foreign, spec, error);
    TRY(text_read_file(path, SPEC_SIZE_MAX, &content, error));
    return costab_spec_parse_with(path, content.data, content.size, foreign, spec, error);
}

costab_status costab_spec_whole(const costab_spec *spec, char **whole, costab_error *error) {
    const spec_documents *documents = spec->documents;
    const struct {
        const char *joint, *text;
        const spec_file *document;
    } parts[] = {{COSTAB_JOINT_MODEL, documents->base_text, NULL},
                 {COSTAB_JOINT_MATRICES, NULL, &documents->attached},
                 {COSTAB_JOINT_SET, NULL, &documents->set},
                 {COSTAB_JOINT_POINTS, spec->figure.points.text, NULL},
                 {COSTAB_JOINT_LINES, spec->figure.lines.text, NULL}};
    text t = {0};
    text_append_n(&t, spec->text, spec->text_size);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const spec_file *document = parts[k].document;
        if (parts[k].text == NULL && (document == NULL || spec_root(document) == NULL)) continue;
        text_append(&t, parts[k].joint);
        if (document != NULL)
            spec_write(document, &t);
        else
            text_append(&t, parts[k].text);
    }
    *whole = t.failed ? NULL : t.data;
    if (t.failed) text_free(&t);
    return *whole != NULL ? COSTAB_OK : error_memory(error);
}

/* ---- Documents without a text */

/* Reads a spec from its own document; the text becomes the document's YAML. */
static costab_status read_made(costab_spec *spec, costab_error *error) {
    text written = {0};
    spec_file *own = &spec->documents->own;
    own->path = spec->path;
    spec_write(own, &written);
    spec->text = written.data;
    spec->text_size = written.size;
    return written.failed || own->memory_failed ? error_memory(error) : read_documents(spec, error);
}

costab_status spec_read_document(const char *path, spec_file *document, const costab_foreign *foreign,
                                 costab_spec **spec, costab_error *error) {
    costab_status status = make(path, foreign, false, spec, error);
    if (!status) swap(&(*spec)->documents->own, document);
    if (!status) status = read_made(*spec, error);
    if (status) costab_spec_destroy(spec);
    return status;
}

costab_status costab_spec_read_system(const char *path, double macro_step, const costab_foreign *foreign,
                                      costab_spec **spec, costab_error *error) {
    costab_status status = make(path, foreign, false, spec, error);
    if (!status) status = foreign->read_system(path, macro_step, &(*spec)->documents->own, error);
    if (!status) status = read_made(*spec, error);
    if (status) costab_spec_destroy(spec);
    return status;
}

/* ---- Setting parameters */

/* Checks that the parameter may be set. [out] *parameter: its index. */
static costab_status check_setting(const costab_spec *spec, const costab_setting *setting, int *parameter,
                                   costab_error *error) {
    if (spec->model == NULL)
        return error_invalid(error, "%s: a spec of the planar system has no parameters to be set",
                             spec->path);
    TRY(costab_model_find_parameter(spec->model, setting->name, parameter, error));
    if (!isfinite(setting->value))
        return error_invalid(error, "parameter '%s': a value must be finite", setting->name);
    for (int i = 0; i < spec->axis_count; i++)
        if (spec->axis_parameters[i] == *parameter)
            return error_invalid(error,
                                 "%s: the parameter '%s' is an axis of the sweep, which gives it its values",
                                 spec->path, setting->name);
    return COSTAB_OK;
}

const spec_file *spec_settings(const costab_spec *spec) {
    return &spec->documents->set;
}

/* Builds the document of settings from the previous settings and new ones; the last value of a name counts.
 * `given`: new values, otherwise NaN. */
static void build_settings(const costab_spec *spec, const double *given, spec_file *set) {
    const spec_file *old = &spec->documents->set;
    const spec_node *root = spec_root(old);
    spec_builder to = {.file = set};
    spec_open(&to, SPEC_MAPPING);
    for (int i = 0; i < spec->model->parameter_count; i++) {
        const char *name = spec->model->parameters[i].name;
        const spec_node *before = root != NULL ? spec_find(old, root, name) : NULL;
        if (isnan(given[i]) && before == NULL) continue;
        spec_add_word(&to, name);
        if (isnan(given[i]))
            spec_add_scalar(&to, spec_text(old, before), before->size, false);
        else
            spec_add_number(&to, given[i]);
    }
    spec_close(&to);
}

/* Exchanges the spec's own document and its text. */
static void swap_text(costab_spec *spec, spec_file *own, text *written) {
    const text before = {.data = spec->text, .size = spec->text_size};
    swap(own, &spec->documents->own);
    spec->text = written->data;
    spec->text_size = written->size;
    *written = before;
}

/* Moves the sources of a spec to another spec: the documents, and the texts of files. */
static void move_sources(costab_spec *from, costab_spec *to) {
    char **const texts[][2] = {{&from->text, &to->text},
                               {&from->figure.points.text, &to->figure.points.text},
                               {&from->figure.lines.text, &to->figure.lines.text}};
    spec_documents *empty = to->documents;
    to->documents = from->documents;
    from->documents = empty;
    to->documents->own.path = to->path;
    to->text_size = from->text_size;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        *texts[k][1] = *texts[k][0];
        *texts[k][0] = NULL;
    }
    spec_forget_problems(&to->documents->own);
    spec_forget_problems(&to->documents->base);
}

/* Reads a spec again after exchanging its own document with `own`, or its settings with `set`; NULL:
 * unchanged. `written`: text of `own`. */
static costab_status read_again(costab_spec **spec, spec_file *own, text *written, spec_file *set,
                                costab_error *error) {
    costab_spec *old = *spec, *changed = NULL;
    costab_status status = make(old->path, old->foreign, old->stored, &changed, error);
    if (!status) {
        if (own != NULL) swap_text(old, own, written);
        if (set != NULL) swap(set, &old->documents->set);
        move_sources(old, changed);
        status = read_documents(changed, error);
        if (status) move_sources(changed, old);
        if (status && set != NULL) swap(set, &old->documents->set);
        if (status && own != NULL) swap_text(old, own, written);
    }
    costab_spec_destroy(status ? &changed : spec);
    if (!status) *spec = changed;
    return status;
}

costab_status costab_spec_set(costab_spec **spec, const costab_setting *settings, int count,
                              costab_error *error) {
    costab_spec *old = *spec;
    ends_by(spec_file_free) spec_file set = {.path = old->path, .stored = old->stored};
    double given[COSTAB_PARAMETERS_MAX];
    for (int i = 0; i < COSTAB_PARAMETERS_MAX; i++) given[i] = (double)NAN;
    for (int k = 0; k < count; k++) {
        int parameter;
        TRY(check_setting(old, &settings[k], &parameter, error));
        given[parameter] = settings[k].value;
    }
    if (count == 0) return COSTAB_OK;
    build_settings(old, given, &set);
    return set.memory_failed ? error_memory(error) : read_again(spec, NULL, NULL, &set, error);
}

/* ---- Other couplings */

/* Adds a built-in coupling as a mapping with the macro step of `as`. */
static costab_status add_standard(spec_builder *to, const costab_spec *spec, const spec_node *as,
                                  const char *name, costab_error *error) {
    static const char *const steps[] = {"macro_step", "micro_steps"};
    const spec_file *from = &spec->documents->own;
    memory_local int *order = NULL;
    costab_coupling choices = {.macro_step = 1};
    TRY(memory_make(&order, (size_t)spec->model->body->subsystem_count, error));
    TRY(model_standard_coupling(spec->model->body, name, order, &choices, error));
    spec_open(to, SPEC_MAPPING);
    spec_add_pair(to, "name", name, true);
    for (int k = 0; k < 2; k++) {
        const spec_node *value = spec_find(from, as, steps[k]);
        if (value == NULL) continue;
        spec_add_word(to, steps[k]);
        spec_add_copy(to, from, value);
    }
    spec_close(to);
    return COSTAB_OK;
}

/* Adds a coupling: the mapping of `own` with this name; otherwise the built-in coupling of this name with the
 * steps of the first mapping; without any mapping the name alone. */
static costab_status add_coupling(spec_builder *to, const costab_spec *spec, const spec_node *own,
                                  const char *name, costab_error *error) {
    const spec_file *from = &spec->documents->own;
    const spec_node *named = NULL, *first = NULL;
    if (own != NULL) SPEC_EACH_OF(item, from, own) {
            const spec_node *found = spec_find(from, item, "name");
            if (named == NULL && found != NULL && spec_is(from, found, name)) named = item;
            if (first == NULL && item->kind == SPEC_MAPPING) first = item;
        }
    to->line = to->column = 0;
    if (named != NULL)
        spec_add_copy(to, from, named);
    else if (first == NULL)
        spec_add_text(to, name);
    else
        return add_standard(to, spec, first, name, error);
    return COSTAB_OK;
}

costab_status costab_spec_couple(costab_spec **spec, const char *const *names, int count,
                                 costab_error *error) {
    costab_spec *old = *spec;
    const spec_file *from = &old->documents->own;
    const spec_node *root = spec_root(from), *own = spec_find(from, root, "coupling");
    ends_by(spec_file_free)
        spec_file document = {.path = old->path, .stored = old->stored, .made = from->made};
    spec_builder to = {.file = &document};
    text_local written = {0};
    if (old->model == NULL)
        return error_invalid(error, "%s: a spec of the planar system has no couplings; it has schemes",
                             old->path);
    if (count == 0) return error_invalid(error, "%s: no coupling is named", old->path);
    spec_open(&to, SPEC_MAPPING);
    SPEC_EACH_KEY(key, from, root) {
        const spec_node *value = spec_next(from, key);
        if (value == own) continue;
        spec_add_copy(&to, from, key);
        spec_add_copy(&to, from, value);
    }
    spec_open_key(&to, "coupling", SPEC_LIST);
    for (int c = 0; c < count; c++) TRY(add_coupling(&to, old, own, names[c], error));
    spec_close(&to);
    spec_close(&to);
    spec_write(&document, &written);
    text_append_text(&document.notes, &from->notes);
    if (document.memory_failed || written.failed) return error_memory(error);
    return read_again(spec, &document, &written, NULL, error);
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
                        spec->words[i].display, spec->words[i].written);
    if (spec->documents != NULL) {
        spec_file_free(&spec->documents->own);
        spec_file_free(&spec->documents->base);
        spec_file_free(&spec->documents->attached);
        spec_file_free(&spec->documents->set);
        memory_free_all(spec->documents->base_text, spec->documents);
    }
    memory_free_all(spec->path, spec->text, spec->title, spec->warnings, spec);
    *destroyed = NULL;
}
