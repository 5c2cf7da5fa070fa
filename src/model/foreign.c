/* FMU subsystems, `fmu: plant.fmu`. This file uses the interface costab_foreign (fmu/foreign.c):
 * 1. Reading: determines the ports in the file. A stored text includes its ports, and no file is read.
 * 2. Update of an instance: computes A, B, C and D at the present start values and inputs. For an FMU with
 *    its own solver (`sampled`), the map of its steps is measured.
 * Ports outside all loops of connections are marked (`idle`), so a measurement may skip them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/instance.h"
#include "model/rest.h"
#include "network/network.h"

/* ---- Reading ---- */

static char **copy_names(model_reader *r, const char *const *names, int count) {
    char **copies = model_alloc(r, (size_t)count + 1, sizeof *copies);
    for (int i = 0; i < count && copies != NULL; i++) copies[i] = model_copy(r, names[i]);
    return copies;
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
        if (twice) spec_complain(r->file, key, "%s: '%.200s' is repeated", what, (*names)[i]);
        if (twice || !model_number(r, spec_next(r->file, key), what, MODEL_ANY, s->start + i)) return false;
    }
    for (int i = first; i < r->body->formula_count; i++) model_set_join(&s->uses, &r->body->formulas[i].uses);
    return true;
}

/* ---- Ports ---- */

/* Attaches the ports, as rows of names, to a results file, which must be self-contained. */
static void attach_ports(model_reader *r, const model_subsystem *s, const char *file) {
    /* An FMU for co-simulation hides its states: the names of its outputs take their place. */
    char *const *const rows[] = {s->sampled ? s->output_names : s->state_names, s->input_names,
                                 s->output_names};
    const int counts[] = {s->sampled ? s->outputs : s->states, s->inputs, s->outputs};
    model_begin_attached(r, file, s->name);
    for (int k = 0; k < 3; k++) {
        spec_open(&r->use, SPEC_LIST);
        for (int i = 0; i < counts[k]; i++) spec_add_text(&r->use, rows[k][i]);
        spec_close(&r->use);
    }
    if (s->mark != NULL) {
        spec_open(&r->use, SPEC_LIST);
        spec_add_word(&r->use, s->mark);
        if (s->inputs_can_rise) spec_add_word(&r->use, "lines");
        spec_close(&r->use);
    }
    model_end_attached(r);
}

static bool take_ports(model_reader *r, model_subsystem *s, const spec_node *node, const char *file) {
    const spec_node *rows = model_attached_rows(r, file, s->name);
    char **mark = NULL, ***lists[] = {&s->state_names, &s->input_names, &s->output_names, &mark};
    int marks = 0, *counts[] = {&s->states, &s->inputs, &s->outputs, &marks}, k = 0;
    spec_file *own = r->file;
    if (rows == NULL || (rows->size != 3 && rows->size != 4))
        return spec_complain(r->file, node,
                             "subsystem '%s': '%.300s' is not stored with the text, and is not opened",
                             s->name, file);
    bool fine = true;
    r->file = r->attached;
    SPEC_EACH(row, r->file, rows) {
        fine = model_names(r, row, "ports", MODEL_FOREIGN, NULL, lists[k], counts[k]) && fine;
        k++;
    }
    r->file = own;
    if (fine && marks > 0) s->mark = model_copy(r, mark[0]);
    s->inputs_can_rise = fine && marks > 1;
    model_free_names(mark, marks);
    s->states_max = s->states;
    return fine;
}

static bool find_ports(model_reader *r, model_subsystem *s, const model_nodes *nodes,
                       const costab_foreign_wish *wish) {
    costab_foreign_ports ports;
    costab_error error = {.status = COSTAB_OK};
    const costab_foreign *foreign = r->model->foreign;
    if (foreign == NULL)
        return spec_complain(r->file, nodes->fmu, "subsystem '%s': FMUs cannot be read here", s->name);
    costab_status status = foreign->find(wish, &s->found, &ports, &error);
    if (status == COSTAB_MEMORY) r->memory_failed = true;
    if (status) return spec_complain(r->file, nodes->fmu, "subsystem '%s': %s", s->name, error.message);
    s->free_found = foreign->leave;
    s->sampled = ports.sampled;
    s->states = ports.sampled ? 0 : ports.states;
    s->states_max = ports.states;
    s->inputs = ports.inputs;
    s->outputs = ports.outputs;
    if (!ports.sampled) s->state_names = copy_names(r, ports.state_names, ports.states);
    s->input_names = copy_names(r, ports.input_names, ports.inputs);
    s->output_names = copy_names(r, ports.output_names, ports.outputs);
    model_keep_units(r, s->name, ports.state_names, ports.state_units, ports.sampled ? 0 : ports.states);
    model_keep_units(r, s->name, ports.input_names, ports.input_units, ports.inputs);
    model_keep_units(r, s->name, ports.output_names, ports.output_units, ports.outputs);
    if (r->memory_failed) return false;
    s->feedthrough = ports.feedthrough;
    s->inputs_can_rise = ports.lines;
    if (ports.own_step > 0 && (s->step = model_slots(r, 1)) >= 0) r->body->slots[s->step] = ports.own_step;
    s->mark = ports.mark != NULL ? model_copy(r, ports.mark) : NULL;
    return true;
}

/* Reports keys that the subsystem must not have. Returns true if there are none. */
static bool refuse_keys(model_reader *r, const model_subsystem *s, const char *const *keys, size_t count,
                        const char *why, const char *hint) {
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        const spec_node *node = spec_find(r->file, s->node, keys[i]);
        if (node != NULL)
            fine = spec_complain(r->file, node, "subsystem '%s': %s; '%s' %s", s->name, why, keys[i], hint);
    }
    return fine;
}

/* Reads a constant: an FMU receives its tolerance once, at initialisation. */
static bool read_tolerance(model_reader *r, const model_subsystem *s, const spec_node *node,
                           costab_foreign_wish *wish) {
    char what[MODEL_WHAT_MAX];
    if (node == NULL) return true;
    snprintf(what, sizeof what, "subsystem '%s', tolerance", s->name);
    if (!spec_number(r->file, node, what, &wish->tolerance)) return false;
    return (wish->tolerance > 0 && wish->tolerance < 1) ||
           spec_complain(r->file, node, "%s: %g is not between 0 and 1", what, wish->tolerance);
}

static bool read_all(model_reader *r, model_subsystem *s, const model_nodes *nodes, char **file, char **kind,
                     costab_foreign_wish *wish, text *path) {
    char what[MODEL_WHAT_MAX], **starts = NULL, **inputs = NULL, **outputs = NULL;
    snprintf(what, sizeof what, "subsystem '%s', ports", s->name);
    bool fine = spec_line(r->file, nodes->fmu, "fmu", file) && model_path(r, r->path, *file, path) &&
                (nodes->kind == NULL || spec_line(r->file, nodes->kind, "kind", kind)) &&
                model_names(r, nodes->inputs, what, MODEL_FOREIGN, s->name, &inputs, &wish->input_count) &&
                model_names(r, nodes->outputs, what, MODEL_FOREIGN, s->name, &outputs, &wish->output_count) &&
                read_starts(r, s, nodes->start, &starts) && read_tolerance(r, s, nodes->tolerance, wish);
    wish->path = path->data;
    wish->kind = *kind;
    wish->inputs = (const char *const *)inputs;
    wish->outputs = (const char *const *)outputs;
    wish->starts = (const char *const *)starts;
    wish->start_count = s->starts;
    if (fine) fine = r->file->stored ? take_ports(r, s, nodes->fmu, *file) : find_ports(r, s, nodes, wish);
    model_free_names(inputs, wish->input_count);
    model_free_names(outputs, wish->output_count);
    model_free_names(starts, s->starts);
    return fine;
}

/* An FMU for co-simulation has its own solver and hidden states. */
static bool check_sampled(model_reader *r, model_subsystem *s) {
    static const char *const keys[] = {"x0", "method", "substeps", "positions", "velocities"};
    s->method = (costab_method){.name = "own", .kind = COSTAB_SAMPLED};
    return refuse_keys(r, s, keys, sizeof keys / sizeof *keys,
                       "an FMU for co-simulation has a solver and states of its own",
                       "is for 'kind: model-exchange'");
}

/* Adds the parameters of a slot's formula. */
static void add_uses_of_slot(const model_body *body, int slot, model_set *uses) {
    for (int i = 0; i < body->formula_count; i++)
        if (body->formulas[i].slot == slot) model_set_join(uses, &body->formulas[i].uses);
}

/* Finds the subsystems reachable along connections, including the start. */
static void find_reachable(const model_body *body, int subsystem, bool *reachable) {
    memset(reachable, 0, (size_t)body->subsystem_count * sizeof *reachable);
    reachable[subsystem] = true;
    for (bool more = true; more;) {
        more = false;
        for (int c = 0; c < body->connection_count; c++) {
            const model_connection *k = &body->connections[c];
            if (!reachable[k->from] || reachable[k->to]) continue;
            reachable[k->to] = more = true;
        }
    }
}

/* Marks all ports outside loops as idle. A loop contains inputs from reachable subsystems, and outputs to
 * subsystems with a path back to `s`. */
static void find_ports_outside_loops(model_reader *r, model_subsystem *s, bool *reachable) {
    const model_body *body = r->body;
    const int number = (int)(s - body->subsystems);
    s->idle = model_alloc(r, (size_t)(s->inputs + s->outputs) + 1, sizeof *s->idle);
    if (s->idle == NULL) return;
    for (int i = 0; i < s->inputs + s->outputs; i++) s->idle[i] = true;
    find_reachable(body, number, reachable);
    for (int c = 0; c < body->connection_count; c++)
        if (body->connections[c].to == number && reachable[body->connections[c].from])
            s->idle[body->connections[c].input] = false;
    for (int c = 0; c < body->connection_count; c++) {
        const model_connection *k = &body->connections[c];
        if (k->from != number) continue;
        find_reachable(body, k->to, reachable);
        if (reachable[number]) s->idle[s->inputs + k->output] = false;
    }
}

void model_link_foreign(model_reader *r) {
    model_body *body = r->body;
    memory_local bool *reachable = model_alloc(r, (size_t)body->subsystem_count + 1, sizeof *reachable);
    for (int s = 0; s < body->subsystem_count && reachable != NULL; s++) {
        model_subsystem *subsystem = &body->subsystems[s];
        if (!subsystem->sampled) continue;
        find_ports_outside_loops(r, subsystem, reachable);
        for (int c = 0; c < r->model->coupling_count; c++)
            add_uses_of_slot(body, body->couplings[c].macro_step, &subsystem->uses);
        add_uses_of_slot(body, subsystem->stride, &subsystem->uses);
        add_uses_of_slot(body, subsystem->step, &subsystem->uses);
    }
}

bool model_read_foreign(model_reader *r, model_subsystem *s, const model_nodes *nodes) {
    memory_local char *file = NULL, *kind = NULL;
    costab_foreign_wish wish = {.path = NULL};
    text_local path = {0};
    static const char *const keys[] = {"A", "B", "C", "D", "states", "f", "g"};
    refuse_keys(r, s, keys, sizeof keys / sizeof *keys, "its equations are those of the FMU",
                "cannot be combined with 'fmu'");
    s->foreign = true;
    s->point_place = (model_place){r->path, nodes->fmu->line, nodes->fmu->column};
    if (!read_all(r, s, nodes, &file, &kind, &wish, &path) || (s->sampled && !check_sampled(r, s)))
        return false;
    int n = s->states_max;
    attach_ports(r, s, file);
    s->A = model_slots(r, n * n);
    s->B = model_slots(r, n * s->inputs);
    s->C = model_slots(r, s->outputs * n);
    if (s->feedthrough) s->D = model_slots(r, s->outputs * s->inputs);
    if (s->inputs_can_rise && s->sampled) s->rise = model_slots(r, n * s->inputs);
    /* Missing values come from the FMU. */
    s->point = model_slots(r, s->states + s->inputs);
    for (int i = 0; i < s->states + s->inputs && s->point >= 0; i++)
        r->body->slots[s->point + i] = (double)NAN;
    bool fine = s->point >= 0 && model_read_point(r, s, nodes->operating_point);
    if (nodes->x0 == NULL) s->x0 = model_slots(r, n);
    s->own_start = nodes->x0 == NULL;
    return fine;
}

void model_free_foreign(model_subsystem *s) {
    if (s->found != NULL) s->free_found(s->found);
    s->found = NULL;
}

/* ---- Instances ---- */

bool model_is_run(const costab_model *model, int s) {
    return model->body->subsystems[s].found != NULL && model->foreign->open != NULL;
}

bool model_has_numbers(const costab_model *model) {
    bool all = true;
    for (int s = 0; s < model->body->subsystem_count; s++)
        all = all && (!model->body->subsystems[s].foreign || model_is_run(model, s));
    return all;
}

costab_status model_open_foreign(costab_model_instance *instance, int s, costab_error *error) {
    const costab_foreign *foreign = instance->model->foreign;
    instance_functions *g = &instance->functions[s];
    costab_status status = foreign->open(instance->model->body->subsystems[s].found, &g->foreign, error);
    if (!status)
        g->dynamics = (costab_dynamics){
            .context = g->foreign, .f = foreign->f, .g = foreign->g, .accept = foreign->accept};
    g->stepper = (costab_stepper){.context = g->foreign, .step = foreign->step};
    if (!status && g->subsystem->sampled)
        instance->subsystems[g->subsystem - instance->model->body->subsystems].stepper = &g->stepper;
    return status;
}

void model_close_foreign(costab_model_instance *instance, int s) {
    void *foreign = instance->functions[s].foreign;
    if (foreign != NULL) instance->model->foreign->close(foreign);
}

int costab_model_instance_checks(const costab_model_instance *instance, int subsystem,
                                 const costab_check **checks) {
    if (subsystem < 0 || subsystem >= instance->model->body->subsystem_count) return 0;
    *checks = instance->functions[subsystem].found.checks;
    return instance->functions[subsystem].found.check_count;
}

/* Computes the length of its step. All couplings must have the same macro step, since the measured map
 * belongs to one length. */
static bool one_step(model_update *u, int s, double *length) {
    const costab_model_instance *instance = u->instance;
    const model_body *body = instance->model->body;
    const model_subsystem *from = &body->subsystems[s];
    double H = instance->slots[body->couplings[0].macro_step];
    *length = H * model_whole(instance->slots[from->stride]);
    for (int c = 1; c < instance->model->coupling_count; c++)
        if (instance->slots[body->couplings[c].macro_step] != H) {
            model_tell(u, &from->uses, &from->point_place, from->name,
                       "with an FMU for co-simulation all couplings must have the same macro step");
            return false;
        }
    return true;
}

int model_foreign_inputs(const model_body *body) {
    int count = 0;
    for (int s = 0; s < body->subsystem_count; s++)
        if (body->subsystems[s].foreign) count += body->subsystems[s].inputs;
    return count;
}

static double call_start(void *context, double t) {
    (void)t;
    return *(const double *)context;
}

static double call_zero_slope(void *context, double t) {
    (void)context, (void)t;
    return 0;
}

/* Returns true if a connection or a source feeds an input. */
static bool has_source(const model_body *body, int s, int input) {
    for (int c = 0; c < body->connection_count; c++)
        if (body->connections[c].to == s && body->connections[c].input == input) return true;
    for (int i = 0; i < body->source_count; i++)
        if (body->sources[i].subsystem == s && body->sources[i].input == input) return true;
    return false;
}

void model_feed_foreign(costab_model_instance *instance) {
    const model_body *body = instance->model->body;
    int count = body->source_count;
    for (int s = 0; s < body->subsystem_count; s++) {
        const model_subsystem *from = &body->subsystems[s];
        for (int i = 0; i < from->inputs && from->foreign; i++) {
            double *start = &instance->functions[s].local[from->states + i];
            if (*start != 0 && !isnan(*start) && !has_source(body, s, i))
                instance->source_list[count++] = (costab_source){s, i, start, call_start, call_zero_slope};
        }
    }
    instance->network.source_count = count;
}

/* Collects the input of an FMU's update at `point`, its states and inputs. */
static costab_foreign_numbers numbers_of(const costab_model_instance *instance, int s, double *point) {
    const model_subsystem *from = &instance->model->body->subsystems[s];
    double *slots = instance->slots;
    bool held = true;
    for (int c = 0; c < instance->model->coupling_count; c++)
        held = held && costab_coupling_holds(&instance->network, &instance->couplings[c]);
    return (costab_foreign_numbers){.starts = slots + (from->start >= 0 ? from->start : 0),
                                    .point = point,
                                    .own_step = from->sampled && from->step >= 0 ? slots[from->step] : 0,
                                    .idle = from->idle,
                                    .found = {.held = held, .states = from->states_max},
                                    .linear = from->method.kind == COSTAB_EXACT,
                                    .time_varying = instance->time_varying,
                                    .brief = instance->brief,
                                    .A = slots + from->A,
                                    .B = slots + from->B,
                                    .C = slots + from->C,
                                    .D = from->D >= 0 ? slots + from->D : NULL,
                                    .rise = from->rise >= 0 ? slots + from->rise : NULL,
                                    .x0 = from->own_start ? slots + from->x0 : NULL};
}

bool model_foreign_values(const costab_model_instance *instance, int s, double *point, bool slopes,
                          double *values) {
    const instance_functions *g = &instance->functions[s];
    const costab_foreign *foreign = instance->model->foreign;
    const int n = g->subsystem->states;
    costab_error error = {.status = COSTAB_OK};
    costab_foreign_numbers numbers = numbers_of(instance, s, point);
    numbers.time_varying = true; /* a point at t = 0 exists nevertheless */
    if (slopes && foreign->update(g->foreign, &numbers, &error) != COSTAB_OK) return false;
    return foreign->f(g->foreign, 0, point, point + n, values, &error) == COSTAB_OK &&
           foreign->g(g->foreign, 0, point, point + n, values + n, &error) == COSTAB_OK;
}

void model_update_foreign(model_update *u, int s) {
    costab_model_instance *instance = u->instance;
    instance_functions *g = &instance->functions[s];
    const model_subsystem *from = g->subsystem;
    double length = 0;
    costab_error error = {.status = COSTAB_OK};
    if (from->sampled && !one_step(u, s, &length)) return;
    if (from->sampled) instance->subsystems[s].step = length;
    if (g->foreign == NULL) return;
    if (from->solve)
        model_rest_point(instance->rest, s, g->local);
    else
        memcpy(g->local, instance->slots + from->point,
               (size_t)(from->states + from->inputs) * sizeof *g->local);
    costab_foreign_numbers numbers = numbers_of(instance, s, g->local);
    numbers.length = length;
    costab_status status = instance->model->foreign->update(g->foreign, &numbers, &error);
    g->found = numbers.found;
    instance->subsystems[s].doubt = g->found.doubt;
    if (from->sampled) {
        instance->subsystems[s].states = g->found.states;
        instance->subsystems[s].rise = g->found.held ? NULL : numbers.rise;
    }
    if (!status) return;
    if (status != COSTAB_INVALID) instance->failure = status;
    char what[MODEL_WHAT_MAX];
    snprintf(what, sizeof what, "subsystem '%.60s'", from->name);
    model_set uses = from->uses;
    if (from->solve) model_set_join(&uses, &instance->model->body->rest_uses);
    model_tell(u, &uses, &from->point_place, what, error.message);
}
