/* Reads the network of a spec, and creates the model that sweeps and analyses use.
 * 1. If the spec names a file in `model`, the system (subsystems, connections, parameters) comes from that
 *    file. A foreign system, such as SSP, is converted to a document of a model.
 * 2. Sections are read in the order of their dependence: parameters, subsystems, connections, couplings, then
 *    the spec's own axes, fields, history and refinement. Errors are recorded at their positions, and reading
 *    continues.
 * 3. A model without errors is checked as a whole (model/check.c). */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/body.h"
#include "spec/network.h"

/* Loads the document of the `model` file, unless it is attached to the spec. For a foreign system, a
 * parameter or an axis H of the spec replaces the macro step. */
static costab_status load_base(model_reader *r, const spec_sections *own, spec_documents *documents,
                               costab_error *error) {
    const costab_model *model = r->model;
    spec_file *base = &documents->base;
    text_local content = {0};
    if (spec_root(base) != NULL) return COSTAB_OK;
    if (documents->base_text == NULL && r->file->stored)
        return error_invalid(error, "'%s' is not stored with the text, and is not opened", model->base_path);
    bool system =
        documents->base_text == NULL && model->foreign != NULL && model->foreign->is_system(model->base_path);
    if (system) {
        bool given = (own->parameters != NULL && spec_find(r->file, own->parameters, "H") != NULL) ||
                     (own->axes != NULL && spec_find(r->file, own->axes, "H") != NULL);
        TRY(model->foreign->read_system(model->base_path, given ? 1 : 0, base, error));
        spec_write(base, &content);
    } else if (documents->base_text == NULL) {
        TRY(text_read_file(model->base_path, SPEC_SIZE_MAX, &content, error));
    }
    if (documents->base_text == NULL) {
        documents->base_text = content.failed ? NULL : memory_copy_n(content.data, content.size);
        documents->base_size = content.size;
    }
    if (documents->base_text == NULL) return error_memory(error);
    if (!system) (void)spec_load(base, model->base_path, documents->base_text, documents->base_size);
    return COSTAB_OK;
}

/* Reads the file of `model`. [out] *sections: its sections. */
static bool read_base(model_reader *r, const spec_sections *own, spec_documents *documents,
                      spec_sections *sections, char **title) {
    costab_model *model = r->model;
    spec_file *base = &documents->base;
    const spec_node *node = own->model;
    memory_local char *name = NULL;
    text_local path = {0};
    costab_error error;
    if (!spec_line(r->file, node, "model", &name)) return false;
    if (model_path(r, model->path, name, &path)) model->base_path = model_copy(r, path.data);
    if (model->base_path == NULL) return false;
    costab_status status = load_base(r, own, documents, &error);
    if (status == COSTAB_MEMORY) r->memory_failed = true;
    if (status && status != COSTAB_MEMORY) spec_complain(r->file, node, "model: %s", error.message);
    if (status) return false;
    base->path = model->base_path;
    model->base_text = documents->base_text;
    if (base->notes.size > 0) text_append_text(&r->file->warnings, &base->notes);
    costab_system kind;
    const spec_node *root = spec_root(base);
    if (root == NULL || !spec_read_sections(base, root, sections, &kind)) return false;
    if (kind != COSTAB_SYSTEM_NETWORK)
        spec_complain(base, sections->system, "system: expected a network, which has a model; found '%s'",
                      costab_system_name(kind));
    else if (sections->model != NULL)
        spec_complain(base, sections->model,
                      "model: this file takes its model from another file; name that file instead");
    if (kind != COSTAB_SYSTEM_NETWORK || sections->model != NULL) return false;
    return *title != NULL || sections->title == NULL || spec_line(base, sections->title, "title", title);
}

/* Reports keys of the system that belong in the `model` file. */
static void refuse_with_model(spec_file *file, const spec_sections *s) {
    static const char *const keys[] = {"subsystems", "connections", "power_bonds", "sources"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const spec_node *node = spec_find(file, s->root, keys[i]);
        if (node != NULL)
            spec_complain(file, node, "%s: these come from the file of 'model'; change them there", keys[i]);
    }
}

/* Reads the sections of the system: subsystems, connections, power bonds and sources. */
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

/* Reads axes, history and refinement, always from the first file. */
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

/* Reads all sections. `own`: sections of the spec; `system`: sections of the `model` file, or the same. */
static void read_all(model_reader *r, const spec_sections *own, spec_file *base, const spec_sections *system,
                     costab_spec *spec) {
    bool split = base != r->first;
    model_turn_to(r, base);
    model_read_parameters(r, system->parameters, split ? own->parameters : NULL);
    if (r->memory_failed) return;
    read_system(r, system);
    if (r->memory_failed) return;
    const spec_node *coupling = own->coupling != NULL ? own->coupling : system->coupling;
    if (coupling == NULL)
        spec_complain(base, system->root,
                      "model: the key 'coupling' is missing; write for instance 'coupling: {scheme: "
                      "jacobi, macro_step: 0.1}'");
    const spec_node *rest = own->operating_point != NULL ? own->operating_point : system->operating_point;
    model_turn_to(r, own->operating_point != NULL ? r->first : base);
    model_read_rest(r, rest);
    model_turn_to(r, own->coupling != NULL ? r->first : base);
    if (coupling != NULL) model_read_couplings(r, coupling, base, split ? system->coupling : NULL);
    if (r->memory_failed) return;
    model_turn_to(r, base);
    model_link_foreign(r);
    model_link_rest(r);
    model_turn_to(r, r->first);
    read_sweep(r, own, spec);
    model_turn_to(r, base);
    bool failed = r->memory_failed || r->first->memory_failed || base->memory_failed;
    if (!failed && r->first->problem_count + base->problem_count + r->set->problem_count == 0)
        model_check(r, system->root);
}

/* ---- Creation */

static bool create(model_reader *r, costab_spec *spec) {
    costab_model *model = r->model = spec->model = model_alloc(r, 1, sizeof *model);
    if (model == NULL) return false;
    model->path = spec->path;
    model->foreign = spec->foreign;
    r->body = model->body = model_alloc(r, 1, sizeof *model->body);
    return !r->memory_failed;
}

/* Replaces the attached matrices by the matrices that the model uses. */
static void close_attached(model_reader *r, const spec_file *base) {
    spec_file *attached = r->attached;
    if (attached->memory_failed || r->set->memory_failed || r->used.memory_failed) r->memory_failed = true;
    if (attached->problem_count > 0)
        spec_complain_at(r->first, 1, 1, "model: the matrices after the text cannot be read");
    if (r->set->problem_count > 0)
        spec_complain_at(r->first, 1, 1, "model: the parameters set after the text cannot be read: %s",
                         r->set->problems[0].message);
    if (spec_root(&r->used) != NULL) spec_close(&r->use);
    if (r->first->problem_count + base->problem_count == 0 && !r->memory_failed) {
        spec_file_free(attached);
        *attached = r->used;
    } else {
        spec_file_free(&r->used);
    }
}

void spec_read_network(spec_documents *documents, const spec_sections *own, costab_spec *spec) {
    spec_file *file = &documents->own, *base = own->model != NULL ? &documents->base : file;
    model_reader r = {.file = file,
                      .path = spec->path,
                      .first = file,
                      .set = &documents->set,
                      .attached = &documents->attached};
    r.use.file = &r.used;
    spec_sections system = *own;
    if (create(&r, spec)) {
        if (own->model != NULL) refuse_with_model(file, own);
        if (own->model == NULL && documents->base_text != NULL)
            spec_complain(file, own->root, "model: the key 'model' is missing, though a second file follows");
        if (own->model == NULL || read_base(&r, own, documents, &system, &spec->title))
            read_all(&r, own, base, &system, spec);
        close_attached(&r, base);
        for (int s = 0; s < r.body->subsystem_count; s++) r.body->subsystems[s].node = NULL;
    }
    if (r.memory_failed) file->memory_failed = true;
}
