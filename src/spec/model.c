/* Model files: the top-level keys, the file that `model` names, and the order in which parts are read. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "spec/model_parts.h"
#include "spec/parts.h"

static const spec_key model_keys[] = {
    {"title", false, "title: Two masses", model_keep},
    {"system", true, "system: network", model_keep},
    {"model", false, "model: plant.yaml", model_keep},
    {"parameters", false, "parameters: {m: 2, k: 10}", model_keep},
    {"subsystems", false, "subsystems:", model_keep},
    {"connections", false, "connections: [{from: a.y, to: b.u}]", model_keep},
    {"power_bonds", false, "power_bonds: [[a.u, a.y, b.u, b.y]]", model_keep},
    {"sources", false, "sources: {a.u: sin(t)}", model_keep},
    {"coupling", false, "coupling: {scheme: jacobi, macro_step: 0.1}", model_keep},
    {"axes", false, "axes: {H: {from: 0.1, to: 5, points: 50}}", model_keep},
    {"fields", false, "fields: [class]", model_keep},
    {"refine", false, "refine: true", model_keep},
    {"history", false, "history: {until: 20}", model_keep},
    {"figure", false, "figure: {kind: classes}", model_keep},
};

/* ---- Reading in order
 * --------------------------------------------------------------------------------------- */

static bool read_head(spec_file *file, const spec_node *root, const char *what) {
    static const char *const systems[] = {"network"};
    size_t index;
    spec_read_mapping(file, root, what, model_keys, sizeof model_keys / sizeof *model_keys, NULL);
    const spec_node *system = spec_find(file, root, "system");
    return root->kind == SPEC_MAPPING &&
           (system == NULL || spec_choice(file, system, "system", systems, 1, &index));
}

/* The file of `model`, beside this one. */
static void read_base(model_reader *r, const spec_node *node, spec_file *base, const spec_node **root) {
    costab_model *model = r->model;
    char *name = NULL;
    text path = {0}, content = {0};
    costab_error error;
    if (!spec_line(r->file, node, "model", &name)) return;
    const char *slash = strrchr(model->path, '/');
    if (name[0] != '/' && slash != NULL) text_append_n(&path, model->path, (size_t)(slash + 1 - model->path));
    if (strcmp(name, "-") == 0) text_append(&path, "./"); /* a file's name, not the standard input */
    text_append(&path, name);
    costab_status status = COSTAB_MEMORY;
    bool joined = model->base_text != NULL;
    if (!path.failed && (model->base_path = memory_copy(path.data)) != NULL)
        status = joined ? COSTAB_OK : text_read_file(model->base_path, SPEC_SIZE_MAX, &content, &error);
    if (status == COSTAB_OK && !joined) {
        model->base_text = memory_copy_n(content.data, content.size);
        model->base_text_size = content.size;
        if (model->base_text == NULL) status = COSTAB_MEMORY;
    }
    if (status == COSTAB_OK) {
        *root = spec_load(base, model->base_path, model->base_text, model->base_text_size);
    } else if (status == COSTAB_MEMORY) {
        r->memory_failed = true;
    } else {
        spec_complain(r->file, node, "model: %s", error.message);
    }
    memory_free(name);
    text_free(&path);
    text_free(&content);
}

/* Keys that describe the system stand where the subsystems are. */
static void refuse_beside_model(spec_file *file, const spec_node *root) {
    static const char *const keys[] = {"subsystems", "connections", "power_bonds", "sources"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const spec_node *node = spec_find(file, root, keys[i]);
        if (node != NULL)
            spec_complain(file, node, "%s: these come from the file of 'model'; change them there", keys[i]);
    }
}

typedef void (*part_reader)(model_reader *r, const spec_node *node);

static void read_system(model_reader *r, const spec_node *root) {
    static const struct {
        const char *key;
        part_reader read;
    } parts[] = {{"subsystems", model_read_subsystems},
                 {"connections", model_read_connections},
                 {"power_bonds", model_read_bonds},
                 {"sources", model_read_sources}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !r->memory_failed; i++) {
        const spec_node *node = spec_find(r->file, root, parts[i].key);
        if (node != NULL) parts[i].read(r, node);
    }
    if (spec_find(r->file, root, "subsystems") == NULL)
        spec_complain(
            r->file, root,
            "model: the key 'subsystems' is missing; write for instance 'subsystems: [{name: plant, A: "
            "[[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]'");
}

/* Axes, fields, history, figure: always of the first file. */
static void read_sweep(model_reader *r, const spec_node *root) {
    const spec_node *axes = spec_find(r->file, root, "axes"), *fields = spec_find(r->file, root, "fields");
    const spec_node *history = spec_find(r->file, root, "history");
    const spec_node *figure = spec_find(r->file, root, "figure");
    const spec_node *refine = spec_find(r->file, root, "refine");
    if (axes != NULL) model_read_axes(r, axes);
    if (fields != NULL) model_read_fields(r, fields);
    if (history != NULL) model_read_history(r, history);
    if (fields != NULL) model_check_fields(r, fields, history);
    if (refine != NULL) model_read_refine(r, refine);
    if (figure != NULL && !r->memory_failed) spec_read_figure(r->file, figure, &r->model->figure);
}

static void complain_coupling(spec_file *file, const spec_node *root) {
    spec_complain(file, root,
                  "model: the key 'coupling' is missing; write for instance 'coupling: {scheme: jacobi, "
                  "macro_step: 0.1}'");
}

/* `first` is the file given, `base` that of `model`: the same where there is none. */
static void read_parts(model_reader *r, spec_file *first, const spec_node *root, spec_file *base,
                       const spec_node *base_root) {
    costab_model *model = r->model;
    bool split = base != first;
    const char *base_path = split ? model->base_path : model->path;
    const spec_node *parameters = spec_find(base, base_root, "parameters");
    const spec_node *overrides = split ? spec_find(first, root, "parameters") : NULL;
    const spec_node *coupling = spec_find(first, root, "coupling");
    r->file = base;
    r->path = base_path;
    model_read_parameters(r, parameters, overrides, first, model->path);
    if (r->memory_failed) return;
    read_system(r, base_root);
    if (r->memory_failed) return;
    spec_file *coupling_file = coupling != NULL || !split ? first : base;
    if (coupling == NULL && split) coupling = spec_find(base, base_root, "coupling");
    r->coupling_file = coupling_file;
    if (coupling == NULL) complain_coupling(base, base_root);
    r->file = coupling_file;
    r->path = coupling_file == first ? model->path : base_path;
    if (coupling != NULL) model_read_couplings(r, coupling);
    if (r->memory_failed) return;
    r->file = first;
    r->path = model->path;
    read_sweep(r, root);
    r->file = base;
    r->path = base_path;
    if (!r->memory_failed && first->problem_count + base->problem_count == 0) model_check(r, base_root);
}

static bool read_title(spec_file *file, const spec_node *root, costab_model *model) {
    const spec_node *title = spec_find(file, root, "title");
    return title == NULL || model->title != NULL || spec_line(file, title, "title", &model->title);
}

static void read_tree(model_reader *r, spec_file *first, const spec_node *root, spec_file *base) {
    const spec_node *base_root = root;
    bool fine = read_head(first, root, "model");
    if (!fine) return;
    const spec_node *name = spec_find(first, root, "model");
    read_title(first, root, r->model);
    if (name == NULL) {
        if (r->model->base_text != NULL)
            spec_complain(first, root, "model: the key 'model' is missing, though a second part follows");
        read_parts(r, first, root, first, root);
        return;
    }
    refuse_beside_model(first, root);
    base_root = NULL;
    read_base(r, name, base, &base_root);
    if (base_root == NULL || r->memory_failed || !read_head(base, base_root, "model")) return;
    read_title(base, base_root, r->model);
    const spec_node *again = spec_find(base, base_root, "model");
    if (again != NULL)
        spec_complain(base, again, "model: a file that another one names as its model names none itself");
    else
        read_parts(r, first, root, base, base_root);
}

/* ---- Making and freeing
 * ------------------------------------------------------------------------------------- */

/* Where a text ends: at the joint, or with its last byte. */
static size_t size_before(const char *joint, const char *bytes, size_t size) {
    const size_t length = strlen(joint);
    for (size_t i = 0; i + length <= size; i++)
        if (bytes[i] == joint[0] && memcmp(bytes + i, joint, length) == 0) return i;
    return size;
}

/* The same for the file given itself. */
static size_t first_size(const char *bytes, size_t size) {
    return size_before(COSTAB_MODEL_JOINT, bytes, size_before(COSTAB_MODEL_MATRICES, bytes, size));
}

/* What stands behind a joint at `at`; NULL if there is none. */
static bool copy_behind(const char *joint, const char *bytes, size_t at, size_t size, char **copy) {
    size_t begin = at + strlen(joint);
    if (at < size) *copy = memory_copy_n(bytes + begin, size - begin);
    return at >= size || *copy != NULL;
}

static costab_status create(const char *path, const char *bytes, size_t size, costab_model **created,
                            costab_error *error) {
    costab_model *model = *created = memory_alloc(1, sizeof *model);
    if (model == NULL) return error_memory(error);
    model->path = memory_copy(path);
    size_t texts = size_before(COSTAB_MODEL_MATRICES, bytes, size), own = first_size(bytes, size);
    model->text = memory_copy_n(bytes, own);
    if (!copy_behind(COSTAB_MODEL_JOINT, bytes, own, texts, &model->base_text) ||
        !copy_behind(COSTAB_MODEL_MATRICES, bytes, texts, size, &model->matrices))
        return error_memory(error);
    if (model->base_text != NULL) model->base_text_size = texts - own - strlen(COSTAB_MODEL_JOINT);
    model->parts = memory_alloc(1, sizeof *model->parts);
    if (model->path == NULL || model->text == NULL || model->parts == NULL) return error_memory(error);
    model->text_size = own;
    model->fields = COSTAB_NETWORK_CLASS;
    return COSTAB_OK;
}

/* The mistakes of both files, the first file's first. */
static costab_status finish(model_reader *r, spec_file *first, spec_file *base, costab_error *error) {
    if (r->memory_failed) first->memory_failed = true;
    costab_error second = {.status = COSTAB_OK};
    costab_status status = spec_finish(first, error), other = spec_finish(base, &second);
    if (status == COSTAB_MEMORY || other == COSTAB_OK) return status;
    if (status == COSTAB_OK || other == COSTAB_MEMORY) {
        if (error != NULL) *error = second;
        return other;
    }
    error_append(error, "%s", second.message);
    return COSTAB_INVALID;
}

static void open_attached(model_reader *r) {
    const char *bytes = r->model->matrices;
    if (bytes != NULL) r->attached_root = spec_load(&r->attached, r->path, bytes, strlen(bytes));
}

/* From now on the model's matrices are those that it uses. */
static void close_attached(model_reader *r) {
    if (r->attached.memory_failed) r->memory_failed = true;
    if (r->attached.problem_count > 0)
        spec_complain_at(r->first, 1, 1, "model: the matrices behind the text cannot be read");
    spec_file_free(&r->attached);
    memory_free(r->model->matrices);
    r->model->matrices = r->matrices.data;
}

static costab_status read_into(costab_model *model, costab_error *error) {
    spec_file first = {.path = model->path}, base = {.path = ""};
    model_reader r = {.model = model,
                      .parts = model->parts,
                      .file = &first,
                      .path = model->path,
                      .first = &first,
                      .coupling_file = &first};
    open_attached(&r);
    const spec_node *root = spec_load(&first, model->path, model->text, model->text_size);
    if (root != NULL && !first.memory_failed) read_tree(&r, &first, root, &base);
    if (model->title == NULL && (model->title = memory_copy("")) == NULL) r.memory_failed = true;
    close_attached(&r);
    costab_status status = finish(&r, &first, &base, error);
    for (int s = 0; s < model->parts->subsystem_count; s++) model->parts->subsystems[s].node = NULL;
    spec_file_free(&first);
    spec_file_free(&base);
    return status;
}

costab_status costab_model_parse(const char *path, const char *bytes, size_t size, costab_model **model,
                                 costab_error *error) {
    costab_error local;
    if (error == NULL) error = &local;
    *model = NULL;
    if (size > SPEC_SIZE_MAX)
        return error_set(error, COSTAB_INVALID, "%s:1:1: error: the file is longer than %zu bytes", path,
                         SPEC_SIZE_MAX);
    costab_status status = create(path, bytes, size, model, error);
    if (status == COSTAB_OK) status = read_into(*model, error);
    if (status != COSTAB_OK) costab_model_destroy(model);
    return status;
}

costab_status costab_model_read(const char *path, costab_model **model, costab_error *error) {
    text content = {0};
    *model = NULL;
    costab_status status = text_read_file(path, SPEC_SIZE_MAX, &content, error);
    if (status == COSTAB_OK) status = costab_model_parse(path, content.data, content.size, model, error);
    text_free(&content);
    return status;
}

costab_status costab_model_whole(const costab_model *model, char **whole, costab_error *error) {
    text t = {0};
    text_append_n(&t, model->text, model->text_size);
    if (model->base_text != NULL) {
        text_append(&t, COSTAB_MODEL_JOINT);
        text_append_n(&t, model->base_text, model->base_text_size);
    }
    if (model->matrices != NULL) {
        text_append(&t, COSTAB_MODEL_MATRICES);
        text_append(&t, model->matrices);
    }
    *whole = NULL;
    if (t.failed) {
        text_free(&t);
        return error_memory(error);
    }
    *whole = t.data;
    return COSTAB_OK;
}

void costab_model_free_text(char **freed) {
    if (freed == NULL) return;
    memory_free(*freed);
    *freed = NULL;
}

static void free_names(char **names, int count) {
    for (int i = 0; names != NULL && i < count; i++) memory_free(names[i]);
    memory_free(names);
}

static void free_subsystem(model_subsystem *s) {
    free_names(s->state_names, s->states);
    free_names(s->input_names, s->inputs);
    free_names(s->output_names, s->outputs);
    for (int i = 0; s->equations != NULL && i < s->states + s->outputs; i++)
        model_formula_free(&s->equations[i]);
    memory_free(s->equations);
    memory_free(s->local_names);
    memory_free(s->name);
}

void model_parts_free(costab_model *model) {
    model_parts *parts = model->parts;
    if (parts == NULL) return;
    for (int i = 0; i < parts->formula_count; i++) model_formula_free(&parts->formulas[i]);
    for (int i = 0; parts->derived != NULL && i < model->parameter_count; i++)
        model_formula_free(&parts->derived[i]);
    for (int s = 0; s < parts->subsystem_count; s++) free_subsystem(&parts->subsystems[s]);
    for (int i = 0; i < parts->source_count; i++) model_formula_free(&parts->sources[i].formula);
    for (int i = 0; parts->couplings != NULL && i < model->coupling_count; i++)
        memory_free(parts->couplings[i].order);
    void *blocks[] = {parts->slots,
                      parts->formulas,
                      parts->parameter_names,
                      parts->derived,
                      parts->derived_order,
                      parts->subsystems,
                      parts->connections,
                      parts->bonds,
                      parts->sources,
                      parts->couplings,
                      parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) memory_free(blocks[i]);
}

void costab_model_destroy(costab_model **destroyed) {
    if (destroyed == NULL || *destroyed == NULL) return;
    costab_model *model = *destroyed;
    model_parts_free(model);
    for (int i = 0; i < model->parameter_count; i++) memory_free(model->parameters[i].name);
    free_names(model->coupling_names, model->coupling_count);
    for (int i = 0; i < COSTAB_NETWORK_AXES_MAX; i++) memory_free(model->axes[i].values);
    void *blocks[] = {
        model->path,  model->text,       model->base_path,       model->base_text, model->matrices,
        model->title, model->parameters, model->history.signals, model->warnings};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) memory_free(blocks[i]);
    costab_figure_clear(&model->figure);
    memory_free(model);
    *destroyed = NULL;
}

/* ---- Looking things up
 * -------------------------------------------------------------------------------------- */

costab_status costab_model_is_network(const char *bytes, size_t size, bool *network, costab_error *error) {
    spec_file file = {.path = ""};
    const spec_node *root =
        size <= SPEC_SIZE_MAX ? spec_load(&file, "", bytes, first_size(bytes, size)) : NULL;
    const spec_node *system = root != NULL ? spec_find(&file, root, "system") : NULL;
    *network = system != NULL && spec_is(&file, system, "network");
    costab_status status = file.memory_failed ? error_memory(error) : COSTAB_OK;
    spec_file_free(&file);
    return status;
}

int costab_model_parameter(const costab_model *model, const char *name) {
    for (int i = 0; i < model->parameter_count; i++)
        if (strcmp(model->parameters[i].name, name) == 0) return i;
    return -1;
}

int costab_model_coupling(const costab_model *model, const char *name) {
    for (int i = 0; i < model->coupling_count; i++)
        if (strcmp(model->coupling_names[i], name) == 0) return i;
    return -1;
}

costab_status costab_model_find_parameter(const costab_model *model, const char *name, int *index,
                                          costab_error *error) {
    *index = costab_model_parameter(model, name);
    if (*index >= 0) return COSTAB_OK;
    const char *const *names = model->parts->parameter_names;
    const char *near = spelling_nearest(name, names, (size_t)model->parameter_count, sizeof *names);
    if (near != NULL)
        return error_set(error, COSTAB_INVALID, "%s has no parameter '%s'; did you mean '%s'?", model->path,
                         name, near);
    text list = {0};
    for (int i = 0; i < model->parameter_count; i++) text_printf(&list, "%s%s", i == 0 ? "" : ", ", names[i]);
    error_set(error, COSTAB_INVALID, "%s has no parameter '%s'; its parameters are: %s", model->path, name,
              list.data != NULL && !list.failed ? list.data : "none");
    text_free(&list);
    return COSTAB_INVALID;
}
