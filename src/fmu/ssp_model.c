/* Converts a system of FMUs to the document of a model (model/yaml.h).
 * 1. One subsystem per component, with the bound start values; one connection per pair of ports, with its
 *    factor as gain; offsets are constant sources of the inputs.
 * 2. Bound values and other numeric parameters of FMUs become parameters of the model, plant.k as plant_k;
 *    the macro step is H.
 * 3. The ports of a component are the usual ones. If a connection needs others (integers or Booleans), all
 *    ports are listed by name.
 * Features without a counterpart in the model, such as connections of texts, cause a warning or an error with
 * the line. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "fmu/part.h"
#include "fmu/ssp.h"
#include "formula/formula.h"
#include "model/yaml.h"

/* Limit of the FMU parameters converted to model parameters. */
enum { PARAMETERS_MAX = 200, NAME_MAX_SIZE = 60 };
/* Default macro step in seconds, without a step in the system and its FMUs. */
#define STEP_USUAL 0.01

/* ---- Parameters ---- */

/* A parameter of the model: a variable of a component, and its name in expressions. */
typedef struct parameter {
    int component;
    const char *variable, *unit; /* unit: NULL if not given */
    double value;
    char name[NAME_MAX_SIZE + 4];
} parameter;

typedef struct writer {
    const ssp *system;
    parameter *parameters;
    int count;
    spec_builder to;
} writer;

/* Names "plant.k" as "plant_k" if that is short and unique; otherwise the value stays a number. */
static void name_parameter(const writer *w, parameter *p) {
    char name[sizeof p->name];
    const char *component = w->system->components[p->component].name;
    p->name[0] = '\0';
    if (strlen(component) + strlen(p->variable) + 1 > NAME_MAX_SIZE) return;
    size_t length = strlen(component);
    memset(name, 0, sizeof name);
    memcpy(name, component, length);
    name[length] = '_';
    memcpy(name + length + 1, p->variable, strlen(p->variable));
    for (char *c = name; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!letter) *c = '_';
    }
    if (!formula_is_name(name) || strcmp(name, "H") == 0) return;
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->parameters[i].name, name) == 0) return;
    memcpy(p->name, name, sizeof name);
}

static const ssp_value *bound(const ssp *s, const char *component, const char *variable) {
    for (int i = 0; i < s->value_count; i++)
        if (strcmp(s->values[i].component, component) == 0 && strcmp(s->values[i].variable, variable) == 0)
            return &s->values[i];
    return NULL;
}

/* Collects the bound values and other numeric parameters of FMUs, up to the limit of names. Variable names
 * within an FMU are distinct, so no value is taken twice. */
static void gather(writer *w) {
    int names = 0;
    for (int c = 0; c < w->system->component_count; c++) {
        const ssp_component *of = &w->system->components[c];
        for (int i = 0; i < of->fmu->variable_count; i++) {
            const fmu_variable *v = &of->fmu->variables[i];
            const ssp_value *value = bound(w->system, of->name, v->name);
            bool number = v->type == FMU_REAL && v->size == 1 && v->has_start &&
                          v->causality == FMU_PARAMETER && v->variability != FMU_CONSTANT;
            if (value == NULL && !number) continue;
            parameter p = {.component = c,
                           .variable = v->name,
                           .unit = ssp_unit_of(w->system, of, v),
                           .value = value != NULL ? value->value : v->start};
            if (names < PARAMETERS_MAX) name_parameter(w, &p);
            names += p.name[0] != '\0';
            if (p.name[0] != '\0' || value != NULL) w->parameters[w->count++] = p;
        }
    }
}

/* ---- Connections ---- */

/* Computes the gains from components' outputs to the end of a connection through pass-through connectors, NaN
 * without a path, and the sum of all offsets there. Returns false for a cycle. */
static bool trace(const ssp *s, const ssp_connection *last, double gain, int hops, double *gains,
                  double *offset) {
    bool ends = hops <= s->connection_count;
    *offset += gain * last->offset;
    gain *= last->factor;
    if (!s->connectors[last->from].system)
        gains[last->from] = isnan(gains[last->from]) ? gain : gains[last->from] + gain;
    for (int i = 0; i < s->connection_count && ends && s->connectors[last->from].system; i++)
        if (s->connections[i].to == last->from)
            ends = trace(s, &s->connections[i], gain, hops + 1, gains, offset);
    return ends;
}

static void add_port(spec_builder *to, const ssp_connector *c) {
    text_local name = {0};
    text_printf(&name, "%s.%s", c->element, c->name);
    spec_add_text(to, name.failed ? "" : name.data);
    if (name.failed) to->file->memory_failed = true;
}

/* Adds connections from all outputs that reach a component's input. `gains`: one per connector. [out] offset:
 * of the input. */
static costab_status add_connection(const ssp *s, const ssp_connection *last, double *gains, double *offset,
                                    bool *any, spec_builder *to, costab_error *error) {
    for (int c = 0; c < s->connector_count; c++) gains[c] = (double)NAN;
    if (!trace(s, last, 1, 0, gains, offset))
        return error_invalid(error, "the connections of systems form a cycle");
    for (int c = 0; c < s->connector_count; c++) {
        if (isnan(gains[c])) continue;
        if (!*any) {
            spec_open_key(to, "connections", SPEC_LIST);
        }
        *any = true;
        spec_open(to, SPEC_MAPPING);
        spec_add_word(to, "from");
        add_port(to, &s->connectors[c]);
        spec_add_word(to, "to");
        add_port(to, &s->connectors[last->to]);
        if (gains[c] != 1) {
            spec_add_word(to, "gain");
            spec_add_number(to, gains[c]);
        }
        spec_close(to);
    }
    return COSTAB_OK;
}

static costab_status add_connections(const ssp *s, spec_builder *to, costab_error *error) {
    memory_local_array(double, gains, 2 * (size_t)s->connector_count + 1, error);
    double *offsets = gains + s->connector_count;
    bool any = false, shifted = false;
    for (int i = 0; i < s->connection_count; i++) {
        const ssp_connection *c = &s->connections[i];
        if (s->connectors[c->to].system) continue;
        TRY(add_connection(s, c, gains, &offsets[c->to], &any, to, error));
    }
    if (any) spec_close(to);
    for (int c = 0; c < s->connector_count; c++) {
        if (offsets[c] == 0) continue;
        if (!shifted) spec_open_key(to, "sources", SPEC_MAPPING);
        shifted = true;
        add_port(to, &s->connectors[c]);
        spec_add_number(to, offsets[c]);
    }
    if (shifted) spec_close(to);
    return COSTAB_OK;
}

/* Adds bonds: input and output of one side, then of the other. */
static void add_bonds(const ssp *s, spec_builder *to) {
    if (s->bond_count == 0) return;
    spec_open_key(to, "power_bonds", SPEC_LIST);
    for (int i = 0; i < s->bond_count; i++) {
        const ssp_connection *one = &s->connections[s->bonds[i].connections[0]],
                             *two = &s->connections[s->bonds[i].connections[1]];
        const int ports[] = {one->to, two->from, two->to, one->from};
        spec_open(to, SPEC_LIST);
        for (int k = 0; k < 4; k++) add_port(to, &s->connectors[ports[k]]);
        spec_close(to);
    }
    spec_close(to);
}

/* ---- Ports ---- */

static bool is_connected(const ssp *s, const char *element, const char *name) {
    for (int i = 0; i < s->connection_count; i++) {
        const int ends[] = {s->connections[i].from, s->connections[i].to};
        for (int k = 0; k < 2; k++)
            if (strcmp(s->connectors[ends[k]].element, element) == 0 &&
                strcmp(s->connectors[ends[k]].name, name) == 0)
                return true;
    }
    return false;
}

static bool needs_names(const ssp *s, const ssp_component *of) {
    for (int i = 0; i < of->fmu->variable_count; i++) {
        const fmu_variable *v = &of->fmu->variables[i];
        bool port = v->causality == FMU_INPUT || v->causality == FMU_OUTPUT;
        if (port && !fmu_part_is_usual(of->kind, v) && is_connected(s, of->name, v->name)) return true;
    }
    return false;
}

static void add_ports(const ssp *s, const ssp_component *of, spec_builder *to) {
    static const struct {
        fmu_causality causality;
        const char *key;
    } lists[] = {{FMU_INPUT, "inputs"}, {FMU_OUTPUT, "outputs"}};
    if (!needs_names(s, of)) return;
    for (int k = 0; k < 2; k++) {
        spec_open_key(to, lists[k].key, SPEC_LIST);
        for (int i = 0; i < of->fmu->variable_count; i++) {
            const fmu_variable *v = &of->fmu->variables[i];
            if (v->causality != lists[k].causality) continue;
            if (fmu_part_is_usual(of->kind, v) || is_connected(s, of->name, v->name))
                spec_add_text(to, v->name);
        }
        spec_close(to);
    }
}

/* ---- The model ---- */

/* Makes a path relative to the system's folder, as in model files. */
static const char *relative_path(const char *path, const char *system) {
    const char *slash = strrchr(system, '/');
    size_t length = slash != NULL ? (size_t)(slash + 1 - system) : 0;
    return path[0] != '/' || strncmp(path, system, length) == 0 ? path + length : path;
}

static void add_subsystem(writer *w, const char *path, int c) {
    const ssp_component *of = &w->system->components[c];
    spec_builder *to = &w->to;
    spec_open(to, SPEC_MAPPING);
    spec_add_pair(to, "name", of->name, true);
    spec_add_pair(to, "fmu", relative_path(of->path, path), true);
    spec_add_pair(to, "kind", costab_fmu_kind_name(of->kind), false);
    if (of->kind == COSTAB_FMU_MODEL_EXCHANGE) spec_add_pair(to, "method", "exact", false);
    if (of->stride > 1) {
        spec_add_word(to, "stride");
        spec_add_number(to, of->stride);
    }
    add_ports(w->system, of, to);
    spec_open_key(to, "start", SPEC_MAPPING);
    for (int i = 0; i < w->count; i++) {
        const parameter *p = &w->parameters[i];
        if (p->component != c) continue;
        spec_add_text(to, p->variable);
        if (p->name[0] != '\0')
            spec_add_word(to, p->name);
        else
            spec_add_number(to, p->value);
    }
    spec_close(to);
    spec_close(to);
}

static void add_parameter(spec_builder *to, const parameter *p) {
    const bool unit = p->unit != NULL && p->unit[0] != '\0';
    if (p->name[0] == '\0') return;
    spec_add_word(to, p->name);
    if (unit) {
        spec_open(to, SPEC_MAPPING);
        spec_add_word(to, "value");
    }
    spec_add_number(to, p->value);
    if (!unit) return;
    spec_add_pair(to, "unit", p->unit, true);
    spec_close(to);
}

static costab_status add_all(writer *w, const char *path, double step, costab_error *error) {
    const ssp *s = w->system;
    spec_builder *to = &w->to;
    spec_open(to, SPEC_MAPPING);
    spec_add_pair(to, "system", "network", false);
    spec_add_pair(to, "title", s->name, true);
    spec_open_key(to, "parameters", SPEC_MAPPING);
    spec_add_word(to, "H");
    spec_add_number(to, step);
    for (int i = 0; i < w->count; i++) add_parameter(to, &w->parameters[i]);
    spec_close(to);
    spec_open_key(to, "subsystems", SPEC_LIST);
    for (int c = 0; c < s->component_count; c++) add_subsystem(w, path, c);
    spec_close(to);
    TRY(add_connections(s, to, error));
    add_bonds(s, to);
    spec_open_key(to, "coupling", SPEC_MAPPING);
    spec_add_pair(to, "scheme", "jacobi", false);
    spec_add_pair(to, "macro_step", "H", false);
    spec_close(to);
    spec_close(to);
    return to->file->memory_failed ? error_memory(error) : COSTAB_OK;
}

/* Returns the step of the system, otherwise the smallest proposed by an FMU; 0: none. */
static double step_of(const ssp *s) {
    double step = s->step_size;
    for (int c = 0; c < s->component_count && s->step_size <= 0; c++) {
        double own = s->components[c].fmu->step_size;
        if (own > 0 && (step <= 0 || own < step)) step = own;
    }
    return step;
}

/* Makes a system of one FMU; its component gets the model's name with valid characters. */
static costab_status ssp_of_one(ssp *system, const char *path, costab_error *error) {
    *system = (ssp){.component_count = 1};
    system->components = memory_alloc(1, sizeof *system->components);
    system->name = memory_copy(file_name(path));
    if (system->components == NULL) system->component_count = 0;
    if (system->components == NULL || system->name == NULL) return error_memory(error);
    ssp_component *c = system->components;
    TRY(costab_fmu_read(path, &c->fmu, error));
    c->path = memory_copy(path);
    c->name = memory_copy(c->fmu->name);
    if (c->path == NULL || c->name == NULL) return error_memory(error);
    for (char *at = c->name; *at != '\0'; at++)
        if (strchr(" .,:/", *at) != NULL) *at = '_';
    if (c->fmu->interfaces[COSTAB_FMU_MODEL_EXCHANGE].identifier == NULL) c->kind = COSTAB_FMU_CO_SIMULATION;
    return COSTAB_OK;
}

costab_status ssp_model(const char *path, double macro_step, spec_file *document, costab_error *error) {
    ends_by(ssp_clear) ssp system = {.name = NULL};
    TRY(file_ends_in(path, ".fmu") ? ssp_of_one(&system, path, error) : ssp_read(&system, path, error));
    memory_local_array(parameter, parameters, PARAMETERS_MAX + SSP_PARTS_MAX, error);
    double step = macro_step > 0 ? macro_step : step_of(&system);
    if (step <= 0) {
        step = STEP_USUAL;
        text_printf(&system.warnings,
                    "%s%s: warning: neither the system nor its FMUs give a step size: H = %g s, unless "
                    "--set H or an axis sets it",
                    system.warnings.size > 0 ? "\n" : "", path, STEP_USUAL);
    }
    writer w = {.system = &system, .parameters = parameters, .to = {.file = document}};
    gather(&w);
    document->made = true;
    text_append_text(&document->notes, &system.warnings);
    if (document->notes.failed) return error_memory(error);
    return add_all(&w, path, step, error);
}

bool costab_ssp_is(const char *path) {
    return file_ends_in(path, ".ssp") || file_ends_in(path, ".ssd") || file_ends_in(path, ".xml") ||
           file_ends_in(path, ".fmu");
}
