/* Subsystems of other programs: `fmu: plant.fmu`. What the file says of one becomes a wish; what fills it
 * (costab_foreign) says which ports it has, and gives its numbers at every update of an instance. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "spec/model_instance.h"

/* ---- Reading ---- */

/* Names as they are; those of other programs may hold dots and blanks. */
static bool read_names(model_reader *r, const spec_node *node, const char *what, char ***names, int *count) {
    if (node == NULL) return true;
    if (!spec_list(r->file, node, what, 0)) return false;
    if (node->size > MODEL_PORTS_MAX) {
        spec_complain(r->file, node, "%s: more than %d names", what, MODEL_PORTS_MAX);
        return false;
    }
    *names = model_alloc(r, node->size, sizeof **names);
    if (*names == NULL) return false;
    SPEC_EACH(item, r->file, node) {
        if (!spec_line(r->file, item, what, &(*names)[*count])) return false;
        ++*count;
        if (model_index_of(*names, *count - 1, (*names)[*count - 1]) < 0) continue;
        spec_complain(r->file, item, "%s: the name '%.200s' stands here twice", what, (*names)[*count - 1]);
        return false;
    }
    return true;
}

static char **copy_names(model_reader *r, const char *const *names, int count) {
    char **copies = model_alloc(r, (size_t)count + 1, sizeof *copies);
    for (int i = 0; i < count && copies != NULL; i++) copies[i] = model_copy(r, names[i]);
    return copies;
}

static void free_names(char **names, int count) {
    for (int i = 0; names != NULL && i < count; i++) memory_free(names[i]);
    memory_free(names);
}

/* The keys of `start` are names, their values numbers. */
static bool read_starts(model_reader *r, model_subsystem *s, const spec_node *node, char ***names) {
    char what[MODEL_WHAT_MAX];
    if (node == NULL) return true;
    snprintf(what, sizeof what, "subsystem '%s', start", s->name);
    if (!spec_pairs(r->file, node, what, "{k: 10}")) return false;
    *names = model_alloc(r, (size_t)node->size + 1, sizeof **names);
    s->start = model_slots(r, (int)node->size);
    if (*names == NULL || s->start < 0) return false;
    int first = r->body->formula_count;
    SPEC_EACH_KEY(key, r->file, node) {
        if (!spec_line(r->file, key, what, &(*names)[s->starts])) return false;
        int i = s->starts++;
        bool twice = model_index_of(*names, i, (*names)[i]) >= 0;
        if (twice) spec_complain(r->file, key, "%s: '%.200s' stands here twice", what, (*names)[i]);
        if (twice || !model_number(r, spec_next(r->file, key), what, MODEL_ANY, s->start + i)) return false;
    }
    for (int i = first; i < r->body->formula_count; i++) model_set_join(&s->uses, &r->body->formulas[i].uses);
    return true;
}

/* Numbers for some states and inputs; the others are the program's own. */
static bool read_point(model_reader *r, model_subsystem *s, const spec_node *node) {
    char what[MODEL_WHAT_MAX], *name = NULL;
    s->point = model_slots(r, s->states + s->inputs);
    if (s->point < 0) return false;
    for (int i = 0; i < s->states + s->inputs; i++) r->body->slots[s->point + i] = (double)NAN;
    if (node == NULL) return true;
    snprintf(what, sizeof what, "subsystem '%s', operating_point", s->name);
    if (!spec_pairs(r->file, node, what, "{x: 1, v: 0}")) return false;
    int first = r->body->formula_count;
    bool fine = true;
    SPEC_EACH_KEY(key, r->file, node) {
        const spec_node *value = spec_next(r->file, key);
        if (!spec_line(r->file, key, what, &name)) return false;
        int i = model_index_of(s->state_names, s->states, name);
        int input = i < 0 ? model_index_of(s->input_names, s->inputs, name) : -1;
        if (input >= 0) i = s->states + input;
        if (i >= 0)
            fine = model_number(r, value, what, MODEL_ANY, s->point + i) && fine;
        else if (strcmp(name, "solve") == 0)
            fine = spec_flag(r->file, value, "operating_point, solve", &s->solve) && fine;
        else
            spec_complain(r->file, key, "%s: '%.200s' is no state or input of this subsystem", what, name);
    }
    memory_free(name);
    for (int i = first; i < r->body->formula_count; i++) model_set_join(&s->uses, &r->body->formulas[i].uses);
    return fine;
}

/* ---- Ports ---- */

/* For texts that stand for themselves: the ports, as rows of names. */
static void attach_ports(model_reader *r, const model_subsystem *s, const char *file) {
    /* Its states are not shown: any names will do. */
    char *const *const rows[] = {s->sampled ? s->output_names : s->state_names, s->input_names,
                                 s->output_names};
    const int counts[] = {s->sampled ? s->outputs : s->states, s->inputs, s->outputs};
    text *t = &r->matrices;
    text_append(t, "- [");
    model_append_quoted(t, file);
    text_append(t, ", ");
    model_append_quoted(t, s->name);
    text_append(t, ", [");
    for (int k = 0; k < 3; k++) {
        text_append(t, k == 0 ? "[" : ", [");
        for (int i = 0; i < counts[k]; i++) {
            text_append(t, i == 0 ? "" : ", ");
            model_append_quoted(t, rows[k][i]);
        }
        text_append(t, "]");
    }
    text_append(t, "]]\n");
    if (t->failed) r->memory_failed = true;
}

static bool take_ports(model_reader *r, model_subsystem *s, const spec_node *node, const char *file) {
    const spec_node *rows = model_attached_rows(r, file, s->name);
    char ***lists[] = {&s->state_names, &s->input_names, &s->output_names};
    int *counts[] = {&s->states, &s->inputs, &s->outputs}, k = 0;
    spec_file *own = r->file;
    if (rows == NULL || rows->size != 3) {
        spec_complain(r->file, node,
                      "subsystem '%s': '%.300s' does not come with the stored text, and is not opened",
                      s->name, file);
        return false;
    }
    bool fine = true;
    r->file = &r->attached;
    SPEC_EACH(row, r->file, rows) {
        if (row->kind != SPEC_LIST || row->size > 0)
            fine = read_names(r, row, "ports", lists[k], counts[k]) && fine;
        k++;
    }
    r->file = own;
    s->room = s->states;
    return fine;
}

static bool find_ports(model_reader *r, model_subsystem *s, const model_nodes *nodes,
                       const costab_foreign_wish *wish) {
    costab_foreign_ports ports;
    costab_error error = {.status = COSTAB_OK};
    const costab_foreign *foreign = r->model->foreign;
    if (foreign == NULL) {
        spec_complain(r->file, nodes->fmu, "subsystem '%s': FMUs cannot be read here", s->name);
        return false;
    }
    costab_status status = foreign->find(wish, &s->part, &ports, &error);
    if (status == COSTAB_MEMORY) r->memory_failed = true;
    if (status) {
        spec_complain(r->file, nodes->fmu, "subsystem '%s': %s", s->name, error.message);
        return false;
    }
    s->leave = foreign->leave;
    s->sampled = ports.sampled;
    s->states = ports.sampled ? 0 : ports.states;
    s->room = ports.states;
    s->inputs = ports.inputs;
    s->outputs = ports.outputs;
    if (!ports.sampled) s->state_names = copy_names(r, ports.state_names, ports.states);
    s->input_names = copy_names(r, ports.input_names, ports.inputs);
    s->output_names = copy_names(r, ports.output_names, ports.outputs);
    if (r->memory_failed) return false;
    s->feedthrough = ports.feedthrough;
    return true;
}

static void refuse_others(model_reader *r, const model_subsystem *s, const model_nodes *nodes) {
    const spec_node *const others[] = {nodes->matrices[0],
                                       nodes->matrices[1],
                                       nodes->matrices[2],
                                       nodes->matrices[3],
                                       nodes->states,
                                       nodes->f,
                                       nodes->g};
    static const char *const keys[] = {"A", "B", "C", "D", "states", "f", "g"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] != NULL)
            spec_complain(
                r->file, others[i],
                "subsystem '%s': its equations are those of the FMU; '%s' cannot stand beside 'fmu'", s->name,
                keys[i]);
}

static bool read_all(model_reader *r, model_subsystem *s, const model_nodes *nodes, char **file, char **kind,
                     costab_foreign_wish *wish, text *path) {
    char what[MODEL_WHAT_MAX], **starts = NULL, **inputs = NULL, **outputs = NULL;
    snprintf(what, sizeof what, "subsystem '%s', ports", s->name);
    bool fine = spec_line(r->file, nodes->fmu, "fmu", file) && model_path(r, r->path, *file, path) &&
                (nodes->kind == NULL || spec_line(r->file, nodes->kind, "kind", kind)) &&
                read_names(r, nodes->inputs, what, &inputs, &wish->input_count) &&
                read_names(r, nodes->outputs, what, &outputs, &wish->output_count) &&
                read_starts(r, s, nodes->start, &starts);
    wish->path = path->data;
    wish->kind = *kind;
    wish->inputs = (const char *const *)inputs;
    wish->outputs = (const char *const *)outputs;
    wish->starts = (const char *const *)starts;
    wish->start_count = s->starts;
    if (fine) fine = r->spec->stored ? take_ports(r, s, nodes->fmu, *file) : find_ports(r, s, nodes, wish);
    free_names(inputs, wish->input_count);
    free_names(outputs, wish->output_count);
    free_names(starts, s->starts);
    return fine;
}

/* It has its own solver, and its states are not shown. */
static bool check_sampled(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    const spec_node *const others[] = {nodes->x0,       nodes->method,    nodes->step,
                                       nodes->substeps, nodes->positions, nodes->velocities};
    static const char *const keys[] = {"x0", "method", "step", "substeps", "positions", "velocities"};
    bool fine = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i] == NULL) continue;
        spec_complain(
            r->file, others[i],
            "subsystem '%s': an FMU for co-simulation has a solver and states of its own; '%s' is for "
            "'kind: model-exchange'",
            s->name, keys[i]);
        fine = false;
    }
    s->method = (costab_method){.name = "own", .kind = COSTAB_SAMPLED};
    return fine;
}

static void uses_of_slot(const model_body *body, int slot, model_set *uses) {
    for (int i = 0; i < body->formula_count; i++)
        if (body->formulas[i].slot == slot) model_set_join(uses, &body->formulas[i].uses);
}

void model_link_foreign(model_reader *r) {
    model_body *body = r->body;
    for (int s = 0; s < body->subsystem_count; s++) {
        model_subsystem *subsystem = &body->subsystems[s];
        if (!subsystem->sampled) continue;
        for (int c = 0; c < r->model->coupling_count; c++)
            uses_of_slot(body, body->couplings[c].macro_step, &subsystem->uses);
        uses_of_slot(body, subsystem->stride, &subsystem->uses);
    }
}

bool model_read_foreign(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    char *file = NULL, *kind = NULL;
    costab_foreign_wish wish = {.path = NULL};
    text path = {0};
    refuse_others(r, s, nodes);
    s->foreign = true;
    s->point_place = (model_place){r->path, nodes->fmu->line, nodes->fmu->column};
    bool fine = read_all(r, s, nodes, &file, &kind, &wish, &path);
    if (fine && s->sampled) fine = check_sampled(r, s, nodes);
    if (fine) {
        int n = s->room;
        attach_ports(r, s, file);
        s->A = model_slots(r, n * n);
        s->B = model_slots(r, n * s->inputs);
        s->C = model_slots(r, s->outputs * n);
        if (s->feedthrough) s->D = model_slots(r, s->outputs * s->inputs);
        fine = read_point(r, s, nodes->operating_point);
        if (nodes->x0 == NULL) s->x0 = model_slots(r, n);
        s->own_start = nodes->x0 == NULL;
    }
    text_free(&path);
    memory_free(file);
    memory_free(kind);
    return fine;
}

void model_free_foreign(model_subsystem *s) {
    if (s->part != NULL) s->leave(s->part);
    s->part = NULL;
}

/* ---- Instances ---- */

costab_status model_open_foreign(costab_model_instance *instance, int s, costab_error *error) {
    const costab_foreign *foreign = instance->model->foreign;
    instance_functions *g = &instance->functions[s];
    costab_status status = foreign->open(instance->model->body->subsystems[s].part, &g->foreign, error);
    if (!status) g->dynamics = (costab_dynamics){.context = g->foreign, .f = foreign->f, .g = foreign->g};
    g->stepper = (costab_stepper){.context = g->foreign, .step = foreign->step};
    if (!status && g->subsystem->sampled)
        instance->subsystems[g->subsystem - instance->model->body->subsystems].stepper = &g->stepper;
    return status;
}

void model_close_foreign(costab_model_instance *instance, int s) {
    void *foreign = instance->functions[s].foreign;
    if (foreign != NULL) instance->model->foreign->close(foreign);
}

const char *model_foreign_warning(const costab_model_instance *instance, int s) {
    return instance->functions[s].warning;
}

int costab_model_instance_checks(const costab_model_instance *instance, int subsystem,
                                 const costab_check **checks) {
    if (subsystem < 0 || subsystem >= instance->model->body->subsystem_count) return 0;
    *checks = instance->functions[subsystem].checks;
    return instance->functions[subsystem].check_count;
}

/* The length of its step, which all couplings must agree on: the map is that of one. */
static bool one_step(model_update *u, int s, double *length) {
    const costab_model_instance *instance = u->instance;
    const model_body *body = instance->model->body;
    const model_subsystem *from = &body->subsystems[s];
    double H = instance->slots[body->couplings[0].macro_step];
    *length = H * model_whole(instance->slots[from->stride]);
    for (int c = 1; c < instance->model->coupling_count; c++)
        if (instance->slots[body->couplings[c].macro_step] != H) {
            model_tell(u, &from->point_place, from->name,
                       "beside an FMU for co-simulation all couplings must have the same macro step");
            return false;
        }
    return true;
}

void model_update_foreign(model_update *u, int s) {
    costab_model_instance *instance = u->instance;
    instance_functions *g = &instance->functions[s];
    const model_subsystem *from = g->subsystem;
    double *slots = instance->slots;
    double length = 0;
    costab_error error = {.status = COSTAB_OK};
    if (from->part == NULL) return; /* a stored text, whose numbers are not needed */
    if (from->sampled && !one_step(u, s, &length)) return;
    memcpy(g->local, slots + from->point, (size_t)(from->states + from->inputs) * sizeof *g->local);
    costab_foreign_numbers numbers = {.starts = slots + (from->start >= 0 ? from->start : 0),
                                      .point = g->local,
                                      .solve = from->solve,
                                      .length = length,
                                      .states = from->room,
                                      .linear = from->method.kind == COSTAB_EXACT,
                                      .A = slots + from->A,
                                      .B = slots + from->B,
                                      .C = slots + from->C,
                                      .D = from->D >= 0 ? slots + from->D : NULL,
                                      .x0 = from->own_start ? slots + from->x0 : NULL};
    costab_status status = instance->model->foreign->update(g->foreign, &numbers, &error);
    g->check_count = numbers.check_count;
    memcpy(g->checks, numbers.checks, sizeof g->checks);
    g->drift = numbers.drift;
    g->drifting = numbers.drifting;
    instance->subsystems[s].doubt = numbers.doubt;
    (void)snprintf(g->warning, sizeof g->warning, "%s", numbers.warning);
    if (from->sampled) {
        instance->subsystems[s].states = numbers.states;
        instance->subsystems[s].step = length;
    }
    if (!status) return;
    if (status != COSTAB_INVALID) instance->failure = status;
    char what[MODEL_WHAT_MAX];
    snprintf(what, sizeof what, "subsystem '%.60s'", from->name);
    model_tell(u, &from->point_place, what, error.message);
}
