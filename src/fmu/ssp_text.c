/* A system of FMUs as the text of a model.
 *   1. One subsystem per component, with the start values that the system binds; one connection per pair of
 *      ports, with its factor.
 *   2. Values that are bound, and other numbers that FMUs have as parameters, become parameters of the
 *      model, plant.k as plant_k; the macro step is H.
 *   3. The text is read like any model file, so that its messages, proofs and pages are the same.
 * What the model cannot say (offsets of units, signals that are no reals) is a warning or a refusal, by its
 * line. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "fmu/ssp.h"
#include "formula/formula.h"

/* Parameters of FMUs that become parameters of the model, at most. */
enum { PARAMETERS_MAX = 200, NAME_MAX_SIZE = 60 };
/* The macro step in seconds, where neither a system nor its FMUs have one. */
#define STEP_USUAL 0.01

/* ---- Parameters ---- */

/* A parameter of the model: a variable of a component, and its name in expressions. */
typedef struct parameter {
    int component;
    const char *variable, *unit; /* unit: NULL where none is given */
    double value;
    char name[NAME_MAX_SIZE + 4];
} parameter;

typedef struct writer {
    const ssp *system;
    parameter *parameters;
    int count;
} writer;

/* "plant.k" as "plant_k", where that is short enough and nobody else's; else the value stays a number. */
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

/* The values that are bound, and other numbers that FMUs have as parameters, as long as there is room for
 * names. The names of an FMU's variables differ: no value is taken twice.
 */
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

/* The gains of a component's outputs on what comes over a connection, through connectors that pass it on; NaN
 * where there is no way. False where connections go round in a circle. */
static bool trace(const ssp *s, const ssp_connection *last, double gain, int hops, double *gains) {
    bool ends = hops <= s->connection_count;
    gain *= last->factor;
    if (!s->connectors[last->from].system)
        gains[last->from] = isnan(gains[last->from]) ? gain : gains[last->from] + gain;
    for (int i = 0; i < s->connection_count && ends && s->connectors[last->from].system; i++)
        if (s->connections[i].to == last->from) ends = trace(s, &s->connections[i], gain, hops + 1, gains);
    return ends;
}

static void write_port(const ssp_connector *c, text *t) {
    text_local name = {0};
    text_printf(&name, "%s.%s", c->element, c->name);
    escape(t, ESCAPE_YAML, name.data != NULL ? name.data : "");
    if (name.failed) t->failed = true;
}

/* From all component's outputs that reach a component's input over a connection. `gains`: room for one per
 * connector. */
static costab_status write_connection(const ssp *s, const ssp_connection *last, double *gains, text *t,
                                      bool *any, costab_error *error) {
    char shown[NUMBER_SHOWN_MAX];
    for (int c = 0; c < s->connector_count; c++) gains[c] = (double)NAN;
    if (!trace(s, last, 1, 0, gains))
        return error_invalid(error, "connections of systems go round in a circle");
    for (int c = 0; c < s->connector_count; c++) {
        if (isnan(gains[c])) continue;
        if (!*any) text_append(t, "connections:\n");
        *any = true;
        text_append(t, "  - {from: ");
        write_port(&s->connectors[c], t);
        text_append(t, ", to: ");
        write_port(&s->connectors[last->to], t);
        if (gains[c] != 1) text_printf(t, ", gain: %s", number_shortest(gains[c], shown));
        text_append(t, "}\n");
    }
    return COSTAB_OK;
}

static costab_status write_connections(const ssp *s, text *t, costab_error *error) {
    memory_local_array(double, gains, (size_t)s->connector_count + 1, error);
    bool any = false;
    for (int i = 0; i < s->connection_count; i++) {
        if (s->connectors[s->connections[i].to].system) continue;
        TRY(write_connection(s, &s->connections[i], gains, t, &any, error));
    }
    return COSTAB_OK;
}

/* Input and output of one side, then of the other. */
static void write_bonds(const ssp *s, text *t) {
    for (int i = 0; i < s->bond_count; i++) {
        const ssp_connection *one = &s->connections[s->bonds[i].connections[0]],
                             *two = &s->connections[s->bonds[i].connections[1]];
        const int ports[] = {one->to, two->from, two->to, one->from};
        text_append(t, i == 0 ? "power_bonds:\n  - [" : "  - [");
        for (int k = 0; k < 4; k++) {
            if (k > 0) text_append(t, ", ");
            write_port(&s->connectors[ports[k]], t);
        }
        text_append(t, "]\n");
    }
}

/* ---- The text ---- */

/* A path as a file beside the system would name it: model files take paths from their own folder. */
static const char *beside(const char *path, const char *system) {
    const char *slash = strrchr(system, '/');
    size_t length = slash != NULL ? (size_t)(slash + 1 - system) : 0;
    return path[0] != '/' || strncmp(path, system, length) == 0 ? path + length : path;
}

static void write_subsystems(const writer *w, const char *path, text *t) {
    char shown[NUMBER_SHOWN_MAX];
    text_append(t, "subsystems:\n");
    for (int c = 0; c < w->system->component_count; c++) {
        const ssp_component *of = &w->system->components[c];
        const char *sign = "";
        text_append(t, "  - {name: ");
        escape(t, ESCAPE_YAML, of->name);
        text_append(t, ", fmu: ");
        escape(t, ESCAPE_YAML, beside(of->path, path));
        text_printf(t, ", kind: %s", costab_fmu_kind_name(of->kind));
        if (of->kind == COSTAB_FMU_MODEL_EXCHANGE) text_append(t, ", method: exact");
        if (of->stride > 1) text_printf(t, ", stride: %d", of->stride);
        ssp_write_ports(w->system, of, t);
        text_append(t, ", start: {");
        for (int i = 0; i < w->count; i++) {
            const parameter *p = &w->parameters[i];
            if (p->component != c) continue;
            text_append(t, sign);
            escape(t, ESCAPE_YAML, p->variable);
            text_printf(t, ": %s", p->name[0] != '\0' ? p->name : number_shortest(p->value, shown));
            sign = ", ";
        }
        text_append(t, "}}\n");
    }
}

static void write_parameter(const parameter *p, text *t) {
    char shown[NUMBER_SHOWN_MAX];
    const bool unit = p->unit != NULL && p->unit[0] != '\0';
    if (p->name[0] == '\0') return;
    text_printf(t, "  %s: %s%s", p->name, unit ? "{value: " : "", number_shortest(p->value, shown));
    if (unit) {
        text_append(t, ", unit: ");
        escape(t, ESCAPE_YAML, p->unit);
        text_append(t, "}");
    }
    text_append(t, "\n");
}

static costab_status write_all(const writer *w, const char *path, double step, text *t, costab_error *error) {
    const ssp *s = w->system;
    char shown[NUMBER_SHOWN_MAX];
    text_append(t, "system: network\ntitle: ");
    escape(t, ESCAPE_YAML, s->name);
    text_printf(t, "\nparameters:\n  H: %s\n", number_shortest(step, shown));
    for (int i = 0; i < w->count; i++) write_parameter(&w->parameters[i], t);
    write_subsystems(w, path, t);
    costab_status status = write_connections(s, t, error);
    write_bonds(s, t);
    text_append(t, "coupling: {scheme: jacobi, macro_step: H}\n");
    return status;
}

/* The step of the system; else the smallest that an FMU proposes; 0: none. */
static double step_of(const ssp *s) {
    double step = s->step_size;
    for (int c = 0; c < s->component_count && s->step_size <= 0; c++) {
        double own = s->components[c].fmu->step_size;
        if (own > 0 && (step <= 0 || own < step)) step = own;
    }
    return step;
}

/* A system of one FMU, whose component has the model's name as far as that can be one. */
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

costab_status costab_ssp_text(const char *path, double macro_step, char **made, char **warnings,
                              costab_error *error) {
    ends_by(ssp_clear) ssp system = {.name = NULL};
    text_local t = {0};
    *made = *warnings = NULL;
    TRY(file_ends_in(path, ".fmu") ? ssp_of_one(&system, path, error) : ssp_read(&system, path, error));
    memory_local_array(parameter, parameters, PARAMETERS_MAX + SSP_PARTS_MAX, error);
    double step = macro_step > 0 ? macro_step : step_of(&system);
    if (step <= 0) {
        step = STEP_USUAL;
        text_printf(&system.warnings,
                    "%s: warning: it gives no step size, nor does one of its FMUs: H = %g s, where neither "
                    "--set H nor an axis says otherwise\n",
                    path, STEP_USUAL);
    }
    writer w = {.system = &system, .parameters = parameters};
    gather(&w);
    TRY(write_all(&w, path, step, &t, error));
    if (t.failed) return error_memory(error);
    *made = memory_copy(t.data);
    *warnings = memory_copy(system.warnings.data != NULL ? system.warnings.data : "");
    return *made != NULL && *warnings != NULL ? COSTAB_OK : error_memory(error);
}

bool costab_ssp_is(const char *path) {
    return file_ends_in(path, ".ssp") || file_ends_in(path, ".ssd") || file_ends_in(path, ".xml") ||
           file_ends_in(path, ".fmu");
}

void costab_ssp_free_text(char **freed) {
    memory_free(*freed);
    *freed = NULL;
}
