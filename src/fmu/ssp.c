/* Reads a system of FMUs (SSP) from its SystemStructure.ssd.
 * 1. Systems are read depth first: connectors, components, connections and parameter bindings (ssp_values.c).
 *    Names of nested systems are joined by /.
 * 2. A component's FMU is read. By default it is used for co-simulation if it offers that.
 * 3. Each connection gets the factor and offset of its transformation and of the units at its ends
 *    (ssp_values.c). An input has at most one source.
 * The root element OspSystemStructure is handled by osp.c. Errors are reported with their lines. */
#include "fmu/ssp.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "fmu/part.h"

/* ---- Lists ---- */

#define ADD(r, at, member, count)                                                                            \
    ssp_add((r)->x, (at), "parts of one sort", (void **)&(r)->system->member, &(r)->system->count,           \
            sizeof *(r)->system->member)

static char *copy_text(ssp_reader *r, const char *words) {
    if (words == NULL) return NULL; /* after an error */
    char *made = memory_copy(words);
    if (made == NULL) xml_no_memory(r->x);
    return made;
}

/* ---- Connectors ---- */

ssp_connector *ssp_add_connector(ssp_reader *r, const xmlNode *at, const char *element, const char *name,
                                 const char *unit) {
    ssp_connector *c = ADD(r, at, connectors, connector_count);
    if (c == NULL) return NULL;
    *c = (ssp_connector){copy_text(r, element), copy_text(r, name), copy_text(r, unit), .real = true};
    return r->x->status ? NULL : c;
}

/* Returns the variable of a component's connector; NULL if the FMU has none of that name, or for a system's
 * connector. */
static const fmu_variable *variable_of(const ssp *s, const ssp_connector *c) {
    for (int i = 0; i < s->component_count && !c->system; i++) {
        if (strcmp(s->components[i].name, c->element) != 0) continue;
        int found = description_find(s->components[i].fmu, c->name);
        return found >= 0 ? &s->components[i].fmu->variables[found] : NULL;
    }
    return NULL;
}

/* Without a unit of its own, a connector has that of its variable. */
static void read_connectors(ssp_reader *r, const xmlNode *owner, const char *element, bool system) {
    XML_EACH(at, r->x, xml_child(owner, "Connectors"), "Connector") {
        const char *name = xml_name(r->x, at, "name");
        const xmlNode *real = xml_child(at, "Real"), *type = xml_child(at, NULL);
        if (real == NULL) real = xml_child(at, "Float64"); /* SSP 2.0 */
        while (type != NULL && (xml_is(type, "ConnectorGeometry") || xml_is(type, "Annotations")))
            type = xml_next(type, NULL);
        const char *unit = real != NULL ? xml_get(real, "unit") : NULL;
        ssp_connector *c = name != NULL ? ssp_add_connector(r, at, element, name, unit) : NULL;
        if (c == NULL) return;
        c->real = real != NULL || type == NULL;
        c->system = system;
        const fmu_variable *v = unit == NULL && c->real ? variable_of(r->system, c) : NULL;
        if (v != NULL && v->unit != NULL) c->unit = copy_text(r, v->unit);
    }
}

int ssp_find_connector(const ssp *s, const char *element, const char *name) {
    for (int i = 0; i < s->connector_count; i++)
        if (strcmp(s->connectors[i].element, element) == 0 && strcmp(s->connectors[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- Components ---- */

char *ssp_inside(ssp_reader *r, const char *system, const char *name) {
    text_local t = {0};
    text_printf(&t, "%s%s%s", system, system[0] != '\0' ? "/" : "", name);
    char *made = t.failed ? NULL : memory_copy(t.data);
    for (char *c = made; c != NULL && *c != '\0'; c++)
        if (strchr(" .,:", *c) != NULL) *c = '_';
    if (made == NULL) xml_no_memory(r->x);
    return made;
}

/* Chooses the requested kind, otherwise co-simulation if it is offered. */
static void choose_kind(ssp_reader *r, const xmlNode *at, ssp_component *c) {
    static const char *const words[] = {"ModelExchange", "CoSimulation", "any"};
    int found = 2;
    (void)xml_choice(r->x, at, "implementation", words, 3, &found);
    bool both = c->fmu != NULL && c->fmu->interfaces[COSTAB_FMU_CO_SIMULATION].identifier != NULL;
    c->kind = found < 2 ? (costab_fmu_kind)found
              : both    ? COSTAB_FMU_CO_SIMULATION
                        : COSTAB_FMU_MODEL_EXCHANGE;
}

ssp_component *ssp_add_component(ssp_reader *r, const xmlNode *at, char *name, const char *source) {
    ssp_component *c = name != NULL ? ADD(r, at, components, component_count) : NULL;
    if (c == NULL) {
        memory_free(name);
        return NULL;
    }
    c->name = name;
    for (int i = 0; i + 1 < r->system->component_count; i++)
        if (strcmp(r->system->components[i].name, name) == 0)
            xml_refuse(r->x, at, "%.60s: two have the name '%.100s'", (const char *)at->name, name);
    if (!r->x->status && ssp_locate(r, at, source, &c->path))
        r->x->status = costab_fmu_read(c->path, &c->fmu, r->x->error);
    return r->x->status ? NULL : c;
}

/* After a component with an unreadable FMU, reports the other unreadable ones as well. */
static void name_other_failures(ssp_reader *r, const xmlNode *at) {
    costab_error *error = r->x->error, why;
    const costab_status status = r->x->status;
    if (error == NULL || (status != COSTAB_INVALID && status != COSTAB_UNREADABLE)) return;
    r->x->error = &why;
    while ((at = xml_next(at, "Component")) != NULL) {
        const char *source = xml_get(at, "source");
        memory_local char *path = NULL;
        costab_fmu *fmu = NULL;
        r->x->status = COSTAB_OK;
        if (source != NULL && ssp_locate(r, at, source, &path))
            r->x->status = costab_fmu_read(path, &fmu, &why);
        if (r->x->status == COSTAB_INVALID || r->x->status == COSTAB_UNREADABLE)
            error_append(error, "%s", why.message);
        costab_fmu_free(&fmu);
    }
    r->x->error = error;
    r->x->status = error->status = status;
}

static void read_component(ssp_reader *r, const xmlNode *at, const char *system) {
    static const char unit_type[] = "application/x-fmu-sharedlibrary";
    const char *name = xml_name(r->x, at, "name"), *source = xml_need(r->x, at, "source");
    const char *type = xml_get(at, "type");
    if (type != NULL && strcmp(type, unit_type) != 0)
        xml_refuse(r->x, at, "Component: type = '%.100s' is not supported; FMUs are (%s)", type, unit_type);
    if (r->x->status) return;
    ssp_component *c = ssp_add_component(r, at, ssp_inside(r, system, name), source);
    if (c == NULL) name_other_failures(r, at);
    if (c == NULL) return;
    choose_kind(r, at, c);
    read_connectors(r, at, c->name, false);
    ssp_bindings(r, at, c->name);
}

/* ---- Connections ---- */

static int find_end(ssp_reader *r, const xmlNode *at, const char *system, const char *element_key,
                    const char *connector_key) {
    const char *element = xml_get(at, element_key), *connector = xml_need(r->x, at, connector_key);
    if (connector == NULL) return -1;
    if (element != NULL && element[0] == '\0') element = NULL;
    memory_local char *name = element != NULL ? ssp_inside(r, system, element) : copy_text(r, system);
    int found = name != NULL ? ssp_find_connector(r->system, name, connector) : -1;
    if (name != NULL && found < 0)
        xml_refuse(r->x, at, "Connection: unknown connector '%.100s' of '%.100s'", connector,
                   element != NULL ? element : "the system");
    return found;
}

/* Returns true if a connector transfers values: varying numbers or Booleans. */
static bool is_passed(const ssp *s, const ssp_connector *c) {
    const fmu_variable *v = variable_of(s, c);
    return v == NULL || fmu_part_is_possible(v);
}

int ssp_add_connection(ssp_reader *r, const xmlNode *at, const ssp_connection *added) {
    const ssp_connector *from = &r->system->connectors[added->from], *to = &r->system->connectors[added->to];
    if (!is_passed(r->system, from) || !is_passed(r->system, to)) {
        xml_warn(r->x, at, "'%.100s' is not a number or flag that varies: it keeps its start value",
                 to->name);
        return -1;
    }
    for (int i = 0; i < r->system->connection_count && !to->sums; i++)
        if (r->system->connections[i].to == added->to)
            xml_refuse(r->x, at, "%.60s: '%.100s' has two sources", (const char *)at->name, to->name);
    ssp_connection *c = r->x->status ? NULL : ADD(r, at, connections, connection_count);
    if (c != NULL) *c = *added;
    return c != NULL ? r->system->connection_count - 1 : -1;
}

/* Gives a system's connector without a unit the unit at the other end. */
static void adopt_unit(ssp_reader *r, ssp_connector *c, const ssp_connector *other) {
    if (c->system && c->unit == NULL && other->unit != NULL) c->unit = copy_text(r, other->unit);
}

static void read_connection(ssp_reader *r, const xmlNode *at, const char *system) {
    ssp_connection c = {.factor = 1};
    bool keep = false;
    double scale, shift;
    ssp_read_linear(r->x, at, &c.factor, &c.offset);
    (void)xml_flag(r->x, at, "suppressUnitConversion", &keep);
    c.from = find_end(r, at, system, "startElement", "startConnector");
    c.to = r->x->status ? -1 : find_end(r, at, system, "endElement", "endConnector");
    if (r->x->status) return;
    ssp_connector *from = &r->system->connectors[c.from], *to = &r->system->connectors[c.to];
    const ssp_units *units = &r->system->units;
    bool converts = !keep && from->real && to->real; /* other types have no units */
    if (converts) adopt_unit(r, from, to);
    if (converts) adopt_unit(r, to, from);
    ssp_convert(r->x, at, units, units, converts ? from->unit : NULL, to->unit, &scale, &shift);
    c.offset += c.factor * shift;
    c.factor *= scale;
    (void)ssp_add_connection(r, at, &c);
}

/* ---- Systems ---- */

static void read_system(ssp_reader *r, const xmlNode *system, const char *name, int depth) {
    const xmlNode *elements = xml_child(system, "Elements");
    if (depth > SSP_DEPTH_MAX)
        xml_refuse(r->x, system, "systems are nested more than %d deep", SSP_DEPTH_MAX);
    read_connectors(r, system, name, true);
    XML_EACH(at, r->x, elements, NULL) {
        const char *inner = xml_is(at, "System") ? xml_name(r->x, at, "name") : NULL;
        memory_local char *full = inner != NULL ? ssp_inside(r, name, inner) : NULL;
        if (xml_is(at, "Component"))
            read_component(r, at, name);
        else if (full != NULL)
            read_system(r, at, full, depth + 1);
        else if (!r->x->status)
            xml_refuse(r->x, at, "the element '%.100s' is not supported", (const char *)at->name);
    }
    XML_EACH(at, r->x, xml_child(system, "Connections"), "Connection")
    read_connection(r, at, name);
    if (!r->x->status) ssp_bindings(r, system, name);
}

/* Returns the first element of that name below a node with few elements. */
static const xmlNode *find_element(const xmlNode *node, const char *name, int depth) {
    const xmlNode *found = NULL;
    for (const xmlNode *at = xml_child(node, NULL); at != NULL && found == NULL && depth > 0;
         at = xml_next(at, NULL))
        found = xml_is(at, name) ? at : find_element(at, name, depth - 1);
    return found;
}

/* Warns of FMUs that do not begin at the start time of the system. */
static void check_start_times(ssp_reader *r, const xmlNode *experiment) {
    double start;
    if (experiment == NULL || !xml_number(r->x, experiment, "startTime", &start)) return;
    for (int c = 0; c < r->system->component_count; c++) {
        const double own = r->system->components[c].fmu->start_time;
        if (own != start)
            xml_warn(r->x, experiment, "startTime = %.9g is not used: the FMU of '%.100s' starts at %.9g",
                     start, r->system->components[c].name, own);
    }
}

static void read_root(ssp_reader *r, const xmlNode *root) {
    const xmlNode *system = xml_child(root, "System"), *experiment = xml_child(root, "DefaultExperiment");
    const xmlNode *algorithm = find_element(root, "FixedStepAlgorithm", 6);
    if (xml_is(root, "OspSystemStructure") && r->archive == NULL) {
        ssp_read_osp(r, root);
        return;
    }
    if (!xml_is(root, "SystemStructureDescription"))
        xml_refuse(r->x, root, "the root is '%.100s', not 'SystemStructureDescription'",
                   (const char *)root->name);
    const char *version = r->x->status ? NULL : xml_need(r->x, root, "version");
    if (version != NULL && strncmp(version, "1.", 2) != 0 && strncmp(version, "2.", 2) != 0)
        xml_refuse(r->x, root, "SSP %.20s is not supported; 1.0 and 2.0 are", version);
    if (!r->x->status && system == NULL) xml_refuse(r->x, root, "the element 'System' is missing");
    if (r->x->status) return;
    r->system->name =
        xml_get(root, "name") != NULL ? copy_text(r, xml_name(r->x, root, "name")) : copy_text(r, "system");
    if (experiment != NULL) (void)xml_number(r->x, experiment, "stepSize", &r->system->step_size);
    if (algorithm != NULL && r->system->step_size == 0)
        (void)xml_number(r->x, algorithm, "baseStepSize", &r->system->step_size);
    ssp_read_units(r->x, xml_child(root, "Units"), &r->system->units);
    if (!r->x->status) read_system(r, system, "", 1);
    if (!r->x->status) check_start_times(r, experiment);
}

costab_status ssp_parse(ssp *system, archive *a, const char *path, const char *shown, const char *bytes,
                        size_t size, costab_error *error) {
    xml x;
    ssp_reader r = {.system = system, .path = path, .archive = a, .x = &x};
    *system = (ssp){.name = NULL};
    const xmlNode *root = xml_parse(&x, shown, bytes, size, error);
    x.warnings = &system->warnings;
    if (root != NULL) read_root(&r, root);
    if (root != NULL && !x.status && system->component_count == 0)
        xml_refuse(&x, root, "it contains no component");
    xml_free(&x);
    return x.status;
}

static costab_status read_packed(ssp *system, const char *path, costab_error *error) {
    static const char name[] = "SystemStructure.ssd";
    ends_by(archive_close) archive *a = NULL;
    memory_local char *bytes = NULL;
    size_t size = 0;
    text_local shown = {0};
    text_printf(&shown, "%s/%s", path, name);
    TRY(shown.failed ? error_memory(error) : archive_open(path, &a, error));
    TRY(archive_read(a, name, XML_BYTES_MAX, &bytes, &size, error));
    return ssp_parse(system, a, path, shown.data, bytes, size, error);
}

costab_status ssp_read(ssp *system, const char *path, costab_error *error) {
    text_local loose = {0};
    *system = (ssp){.name = NULL};
    if (file_ends_in(path, ".ssp")) return read_packed(system, path, error);
    TRY(text_read_file(path, XML_BYTES_MAX, &loose, error));
    return ssp_parse(system, NULL, path, path, loose.data != NULL ? loose.data : "", loose.size, error);
}

void ssp_clear(ssp *s) {
    for (int i = 0; i < s->component_count; i++) {
        memory_free(s->components[i].name);
        memory_free(s->components[i].path);
        costab_fmu_free(&s->components[i].fmu);
    }
    for (int i = 0; i < s->connector_count; i++) {
        memory_free(s->connectors[i].element);
        memory_free(s->connectors[i].name);
        memory_free(s->connectors[i].unit);
    }
    for (int i = 0; i < s->bond_count; i++) memory_free(s->bonds[i].name);
    for (int i = 0; i < s->value_count; i++) {
        memory_free(s->values[i].component);
        memory_free(s->values[i].variable);
    }
    ssp_free_units(&s->units);
    text_free(&s->warnings);
    memory_free_all(s->name, s->components, s->connectors, s->connections, s->bonds, s->values);
    *s = (ssp){.name = NULL};
}
