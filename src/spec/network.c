/* Reads the network of a spec, and makes the model of it.
 *   1. Where the spec names a file in `model`, the system (subsystems, connections, parameters) is that
 *      file's; a file of another program, such as SSP, is first turned into a model's text.
 *   2. Sections are read in the order of their dependence: parameters, subsystems, connections, couplings,
 *      then the spec's own axes, fields, history and refinement. Mistakes are noted at their places, and
 *      reading goes on.
 *   3. A model without mistakes is checked as a whole (model/check.c). */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "spec/network.h"

/* The text of the file of `model`, beside the spec, unless the spec has brought it. */
static costab_status load_base(costab_model *model, bool stored, costab_error *error) {
    if (model->base_text != NULL) return COSTAB_OK;
    if (stored)
        return error_invalid(error, "'%s' does not come with the stored text, and is not opened",
                             model->base_path);
    text_local content = {0};
    TRY(text_read_file(model->base_path, SPEC_SIZE_MAX, &content, error));
    model->base_text = memory_copy_n(content.data, content.size);
    model->base_text_size = content.size;
    return model->base_text != NULL ? COSTAB_OK : COSTAB_MEMORY;
}

/* The same where that file is a system of other programs, such as SSP. Its macro step is the spec's own
 * business where that has a parameter or an axis H. */
static costab_status load_system(model_reader *r, const spec_sections *own, costab_error *error) {
    costab_model *model = r->model;
    bool given = (own->parameters != NULL && spec_find(r->file, own->parameters, "H") != NULL) ||
                 (own->axes != NULL && spec_find(r->file, own->axes, "H") != NULL);
    char *made = NULL;
    TRY(model->foreign->system_text(model->base_path, given ? 1 : 0, &made, &r->system_warnings, error));
    model->base_text = memory_copy(made);
    model->base_text_size = strlen(made);
    model->foreign->free_text(&made);
    return model->base_text != NULL ? COSTAB_OK : error_memory(error);
}

/* [out] *sections: those of the file of `model`. */
static bool read_base(model_reader *r, const spec_sections *own, spec_file *base, spec_sections *sections,
                      char **title) {
    costab_model *model = r->model;
    const spec_node *node = own->model;
    memory_local char *name = NULL;
    text_local path = {0};
    costab_error error;
    if (!spec_line(r->file, node, "model", &name)) return false;
    if (model_path(r, model->path, name, &path)) model->base_path = model_copy(r, path.data);
    if (model->base_path == NULL) return false;
    bool system = model->base_text == NULL && !r->file->stored && model->foreign != NULL &&
                  model->foreign->is_system(model->base_path);
    costab_status status = system ? load_system(r, own, &error) : load_base(model, r->file->stored, &error);
    if (status == COSTAB_MEMORY) r->memory_failed = true;
    if (status && status != COSTAB_MEMORY) spec_complain(r->file, node, "model: %s", error.message);
    if (status) return false;
    costab_system kind;
    base->made = system;
    const spec_node *root = spec_load(base, model->base_path, model->base_text, model->base_text_size);
    if (root == NULL || !spec_read_sections(base, root, sections, &kind)) return false;
    if (kind != COSTAB_SYSTEM_NETWORK)
        spec_complain(base, sections->system, "system: the file that 'model' names is of a network, not '%s'",
                      costab_system_name(kind));
    else if (sections->model != NULL)
        spec_complain(base, sections->model,
                      "model: a file that another one names as its model names none itself");
    if (kind != COSTAB_SYSTEM_NETWORK || sections->model != NULL) return false;
    return *title != NULL || sections->title == NULL || spec_line(base, sections->title, "title", title);
}

/* Keys that describe the system stand where the subsystems are. */
static void refuse_beside_model(spec_file *file, const spec_sections *s) {
    static const char *const keys[] = {"subsystems", "connections", "power_bonds", "sources"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const spec_node *node = spec_find(file, s->root, keys[i]);
        if (node != NULL)
            spec_complain(file, node, "%s: these come from the file of 'model'; change them there", keys[i]);
    }
}

static void read_system(model_reader *r, const spec_sections *s) {
    const spec_node *place = s->connections != NULL ? s->connections : s->root;
    r->body->connections_place = (model_place){r->path, place->line, place->column};
    if (s->subsystems != NULL) model_read_subsystems(r, s->subsystems);
    if (s->connections != NULL && !r->memory_failed) model_read_connections(r, s->connections);
    if (s->power_bonds != NULL && !r->memory_failed) model_read_bonds(r, s->power_bonds);
    if (s->sources != NULL && !r->memory_failed) model_read_sources(r, s->sources);
    if (s->subsystems == NULL)
        spec_complain(
            r->file, s->root,
            "model: the key 'subsystems' is missing; write for instance 'subsystems: [{name: plant, A: "
            "[[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]'");
}

/* Axes, history, refinement: always of the first file. */
static void read_sweep(model_reader *r, const spec_sections *s, costab_spec *spec) {
    if (s->axes != NULL) network_read_axes(r, s->axes, spec);
    spec_read_samples(r->file, s->samples, spec);
    r->axis_count = spec->axis_count;
    r->axis_parameters = spec->axis_parameters;
    r->axes = spec->axes;
    if (s->history != NULL) network_read_history(r, s->history);
    if (s->best != NULL) network_read_best(r, s->best, spec);
    if (s->fields != NULL) network_check_fields(r, s->fields, s->history, spec);
    network_check_best(r, s->best, s->fields, spec);
    spec_read_refine(r->file, s->refine, spec);
    r->steps_used = (spec->fields & COSTAB_NETWORK_PATTERN_RADIUS) != 0;
}

/* `own` are the sections of the spec, `system` those of the file of `model`: the same where there is none. */
static void read_all(model_reader *r, const spec_sections *own, spec_file *base, const spec_sections *system,
                     costab_spec *spec) {
    bool split = base != r->first;
    model_turn_to(r, base);
    model_read_parameters(r, system->parameters, split ? own->parameters : NULL);
    if (r->memory_failed) return;
    read_system(r, system);
    if (r->memory_failed) return;
    const spec_node *coupling = own->coupling != NULL ? own->coupling : system->coupling;
    r->coupling_file = own->coupling != NULL ? r->first : base;
    if (coupling == NULL)
        spec_complain(base, system->root,
                      "model: the key 'coupling' is missing; write for instance 'coupling: {scheme: "
                      "jacobi, macro_step: 0.1}'");
    const spec_node *rest = own->operating_point != NULL ? own->operating_point : system->operating_point;
    model_turn_to(r, own->operating_point != NULL ? r->first : base);
    model_read_rest(r, rest);
    model_turn_to(r, r->coupling_file);
    if (coupling != NULL) model_read_couplings(r, coupling);
    if (r->memory_failed) return;
    model_link_foreign(r);
    model_link_rest(r);
    model_turn_to(r, r->first);
    read_sweep(r, own, spec);
    model_turn_to(r, base);
    bool failed = r->memory_failed || r->first->memory_failed || base->memory_failed;
    if (!failed && r->first->problem_count + base->problem_count + r->set.problem_count == 0)
        model_check(r, system->root);
}

/* ---- Making and freeing */

/* What stands behind a joint at `at`, unless that is the end. */
static char *copy_behind(model_reader *r, const char *joint, const char *bytes, size_t at, size_t end) {
    size_t begin = at + strlen(joint);
    char *copy = at < end ? memory_copy_n(bytes + begin, end - begin) : NULL;
    if (at < end && copy == NULL) r->memory_failed = true;
    return copy;
}

static bool create(model_reader *r, costab_spec *spec, const char *behind, size_t size) {
    costab_model *model = r->model = spec->model = model_alloc(r, 1, sizeof *model);
    if (model == NULL) return false;
    size_t texts = spec_find_joint(COSTAB_JOINT_MATRICES, behind, size);
    model->path = spec->path;
    model->foreign = spec->foreign;
    model->base_text = copy_behind(r, COSTAB_JOINT_MODEL, behind, 0, texts);
    model->matrices = copy_behind(r, COSTAB_JOINT_MATRICES, behind, texts, size);
    if (model->base_text != NULL) model->base_text_size = texts - strlen(COSTAB_JOINT_MODEL);
    r->body = model->body = model_alloc(r, 1, sizeof *model->body);
    return !r->memory_failed;
}

/* The texts behind the spec's own, but that of the model's file. */
static void open_attached(model_reader *r, const char *set) {
    const char *matrices = r->model->matrices;
    if (matrices != NULL) r->attached_root = spec_load(&r->attached, r->path, matrices, strlen(matrices));
    if (set != NULL) r->set_root = spec_load(&r->set, r->path, set, strlen(set));
}

/* From now on the model's matrices are those that it uses. */
static void close_attached(model_reader *r) {
    if (r->attached.memory_failed || r->set.memory_failed) r->memory_failed = true;
    if (r->attached.problem_count > 0)
        spec_complain_at(r->first, 1, 1, "model: the matrices behind the text cannot be read");
    if (r->set.problem_count > 0)
        spec_complain_at(r->first, 1, 1, "model: the parameters set behind the text cannot be read: %s",
                         r->set.problems[0].message);
    spec_file_free(&r->attached);
    spec_file_free(&r->set);
    memory_free(r->model->matrices);
    r->model->matrices = r->matrices.data;
}

void spec_read_network(spec_file *file, const spec_sections *own, spec_file *base, const char *behind,
                       size_t behind_size, costab_spec *spec) {
    model_reader r = {.file = file, .path = spec->path, .first = file, .coupling_file = file};
    spec_sections system = *own;
    if (create(&r, spec, behind, behind_size)) {
        open_attached(&r, spec->settings);
        if (own->model != NULL) refuse_beside_model(file, own);
        if (own->model == NULL && r.model->base_text != NULL)
            spec_complain(file, own->root, "model: the key 'model' is missing, though a second file follows");
        if (own->model == NULL)
            read_all(&r, own, file, own, spec);
        else if (read_base(&r, own, base, &system, &spec->title))
            read_all(&r, own, base, &system, spec);
        close_attached(&r);
        for (int s = 0; s < r.body->subsystem_count; s++) r.body->subsystems[s].node = NULL;
    }
    if (r.system_warnings != NULL) r.model->foreign->free_text(&r.system_warnings);
    if (r.memory_failed) file->memory_failed = true;
}
