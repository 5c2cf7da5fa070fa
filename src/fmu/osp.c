/* Reads OspSystemStructure.xml of the Open Simulation Platform (schema OspSystemStructure.xsd 0.1;
 * undocumented details follow libcosim) as a system of connectors and connections like SSP:
 * 1. Simulators are components for co-simulation with initial values. BaseStepSize is the macro step, 0.1 s
 *    by default; a stepSize counts in integer base steps, rounded down.
 * 2. Functions are pass-through connectors: a linear transformation applies its factor and offset, sums add
 *    their inputs.
 * 3. A connection of variables leads from the output to the input, as declared by the FMUs. Groups come from
 *    NAME_OspModelDescription.xml (NAME of the FMU's model) in the folder of the FMU, or of the system. Their
 *    variables are connected in order, likewise inner groups.
 * 4. Two connections with the same powerBond form a power bond.
 * Ignored: StartTime, EndTime and units, also unconverted in libcosim. */
#include <libxml/uri.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "fmu/ssp.h"

#define STEP_DEFAULT 0.1
#define TICKS        1e9 /* libcosim counts time in nanoseconds */

/* Description of a component's groups, read on first use. */
typedef struct description {
    xml x;
    text path, content;
    const xmlNode *groups; /* NULL: there are none */
    bool read;
} description;

typedef struct osp {
    ssp_reader *r;
    ssp *system;
    description *descriptions; /* one per component */
} osp;

/* ---- Simulators ---- */

/* Returns the file named by a URI, such as file:///home/a%20b.fmu, or by a path; free with memory_free.
 * Returns NULL after an error. */
static char *file_of(osp *o, const xmlNode *at, const char *source) {
    static const char file[] = "file:", host[] = "//";
    const char *from = ssp_behind_proxy(source);
    if (strncmp(from, file, sizeof file - 1) == 0) {
        from += sizeof file - 1;
        if (strncmp(from, host, sizeof host - 1) == 0) from += sizeof host - 1 + strcspn(from + 2, "/");
    }
    if (strstr(from, "%00") != NULL) xml_refuse(o->r->x, at, "source = '%.200s' names no file", source);
    char *decoded = xmlURIUnescapeString(from, 0, NULL),
         *made = decoded != NULL ? memory_copy(decoded) : NULL;
    xmlFree(decoded);
    if (made == NULL) xml_no_memory(o->r->x);
    return made;
}

/* Returns the stride of a simulator in base steps; 0 if it has no step size, or after an error. */
static int stride_of(osp *o, const xmlNode *at) {
    double step = 0, base = o->system->step_size, most = 1e6;
    if (!xml_number(o->r->x, at, "stepSize", &step) || step == 0) return 0;
    double ratio = floor(rint(step * TICKS) / fmax(rint(base * TICKS), 1));
    if (!(step > 0 && ratio <= most))
        xml_refuse(o->r->x, at, "Simulator: stepSize = %.9g is not between 0 and %g base steps", step, most);
    if (ratio < 1) ratio = 1;
    if (fabs(ratio * base - step) > 1e-9 * step)
        xml_warn(o->r->x, at, "stepSize = %.9g is not a multiple of the base step: it is taken as %.9g", step,
                 ratio * base);
    return o->r->x->status ? 0 : (int)ratio;
}

static void read_simulator(osp *o, const xmlNode *at) {
    xml *x = o->r->x;
    const char *name = xml_name(x, at, "name"), *source = xml_need(x, at, "source");
    memory_local char *file = x->status ? NULL : file_of(o, at, source);
    ssp_component *c = NULL;
    if (!x->status) c = ssp_add_component(o->r, at, ssp_inside(o->r, "", name), file);
    if (c == NULL) return;
    c->kind = COSTAB_FMU_CO_SIMULATION;
    c->stride = stride_of(o, at);
    XML_EACH(v, x, xml_child(at, "InitialValues"), "InitialValue") {
        const char *variable = xml_need(x, v, "variable");
        if (variable != NULL) ssp_give(o->r, v, c->name, variable);
    }
}

/* ---- Functions ---- */

/* Adds a connector of a function: "out" (input -1), "in" (below -1) or "in[2]", for elements of vectors
 * "in[2].0". Returns its index; -1 after an error. */
static int add_signal(osp *o, const xmlNode *at, const char *function, int input, int element) {
    char name[60] = "out";
    int used = 3;
    if (input != -1) used = snprintf(name, sizeof name, input < 0 ? "in" : "in[%d]", input);
    if (element >= 0) (void)snprintf(name + used, sizeof name - (size_t)used, ".%d", element);
    ssp_connector *c = ssp_add_connector(o->r, at, function, name, NULL);
    if (c == NULL) return -1;
    c->system = true;
    c->sums = input == -1;
    return o->system->connector_count - 1;
}

static int count_of(osp *o, const xmlNode *at, const char *name) {
    uint32_t count = 0;
    if (xml_need(o->r->x, at, name) != NULL && xml_whole(o->r->x, at, name, &count) &&
        (count == 0 || count > SSP_PARTS_MAX))
        xml_refuse(o->r->x, at, "%.60s: %s = %u is not between 1 and %d", (const char *)at->name, name,
                   (unsigned)count, SSP_PARTS_MAX);
    return o->r->x->status ? 0 : (int)count;
}

static void read_function(osp *o, const xmlNode *at) {
    xml *x = o->r->x;
    bool linear = xml_is(at, "LinearTransformation"), vector = xml_is(at, "VectorSum");
    const char *name = xml_name(x, at, "name");
    ssp_connection c = {.factor = 1};
    if (!linear && !vector && !xml_is(at, "Sum"))
        xml_refuse(x, at, "the function '%.60s' is not known", (const char *)at->name);
    for (int i = 0; i < o->system->connector_count && name != NULL; i++)
        if (strcmp(o->system->connectors[i].element, name) == 0)
            xml_refuse(x, at, "%.60s: two have the name '%.100s'", (const char *)at->name, name);
    if (x->status) return;
    if (linear) (void)xml_number(x, at, "factor", &c.factor);
    if (linear) (void)xml_number(x, at, "offset", &c.offset);
    int inputs = linear ? 1 : count_of(o, at, "inputCount");
    int elements = vector ? count_of(o, at, "dimension") : 1;
    for (int k = 0; k < elements && !x->status; k++) {
        int element = vector ? k : -1;
        c.to = add_signal(o, at, name, -1, element);
        for (int i = 0; i < inputs && !x->status; i++) {
            c.from = add_signal(o, at, name, linear ? -2 : i, element);
            if (!x->status) (void)ssp_add_connection(o->r, at, &c);
        }
    }
}

/* ---- Groups of variables ---- */

/* Reads a group description. Returns false if the file is missing; errors in it set the status. */
static bool load(osp *o, description *d, const char *base, const char *name) {
    const char *slash = strrchr(base, '/');
    costab_error ignored;
    text_free(&d->path);
    text_free(&d->content);
    text_printf(&d->path, "%.*s%s_OspModelDescription.xml", slash != NULL ? (int)(slash + 1 - base) : 0, base,
                name);
    if (d->path.failed || strchr(name, '/') != NULL ||
        text_read_file(d->path.data, XML_BYTES_MAX, &d->content, &ignored) != COSTAB_OK ||
        d->content.data == NULL)
        return false;
    const xmlNode *root = xml_parse(&d->x, d->path.data, d->content.data, d->content.size, o->r->x->error);
    if (root != NULL) d->groups = xml_child(root, "VariableGroups");
    if (root != NULL && d->groups == NULL) xml_refuse(&d->x, root, "the element 'VariableGroups' is missing");
    if (d->x.status) o->r->x->status = d->x.status;
    return true;
}

/* Returns the group of that name at any depth; NULL if there is none. */
static const xmlNode *search(const xmlNode *groups, const char *name) {
    const xmlNode *found = NULL;
    for (const xmlNode *at = xml_child(groups, NULL); at != NULL && found == NULL; at = xml_next(at, NULL)) {
        const char *own = xml_is(at, "Variable") ? NULL : xml_get(at, "name");
        found = own != NULL && strcmp(own, name) == 0 ? at : search(at, name);
    }
    return found;
}

static const xmlNode *find_group(osp *o, const xmlNode *at, int component, const char *name) {
    const ssp_component *c = &o->system->components[component];
    description *d = &o->descriptions[component];
    if (!d->read && !load(o, d, c->path, c->fmu->name)) (void)load(o, d, o->r->path, c->fmu->name);
    d->read = true;
    if (o->r->x->status) return NULL;
    if (d->groups == NULL)
        xml_refuse(o->r->x, at,
                   "the groups of '%.100s' are not known: %.100s_OspModelDescription.xml is missing "
                   "next to its FMU and next to the system",
                   c->name, c->fmu->name);
    const xmlNode *found = d->groups != NULL ? search(d->groups, name) : NULL;
    if (found == NULL) xml_refuse(o->r->x, at, "'%.100s' has no group '%.100s'", c->name, name);
    return found;
}

/* ---- Connections ---- */

/* An end of a connection: a variable of a component, a signal of a function (component -1), or a group of
 * these. */
typedef struct end {
    const char *element, *name;
    int component;
    const xmlNode *group; /* NULL: no group, or a vector of a function */
} end;

/* Returns the index of the connector; -1 after an error. [out] *from: the signal starts here. */
static int port_of(osp *o, const xmlNode *at, const end *e, const char *name, bool *from) {
    *from = strncmp(name, "out", 3) == 0;
    int found = ssp_find_connector(o->system, e->element, name);
    if (e->component < 0) {
        if (found < 0)
            xml_refuse(o->r->x, at, "the function '%.100s' has no signal '%.100s'", e->element, name);
        return found;
    }
    const costab_fmu *fmu = o->system->components[e->component].fmu;
    int i = description_find(fmu, name);
    if (i < 0) {
        char words[SPELLING_GUESS_MAX];
        xml_refuse(o->r->x, at, "the FMU of '%.100s' has no variable '%.100s'%s", e->element, name,
                   spelling_meant(description_nearest(fmu, name), "", "", words, sizeof words));
        return -1;
    }
    const fmu_variable *v = &fmu->variables[i];
    *from = v->causality == FMU_OUTPUT || v->causality == FMU_CALCULATED_PARAMETER;
    if (!*from && v->causality != FMU_INPUT)
        xml_refuse(o->r->x, at, "'%.100s' of '%.100s' is neither an input nor an output", name, e->element);
    if (found >= 0 || o->r->x->status) return found;
    ssp_connector *made = ssp_add_connector(o->r, at, e->element, name, NULL);
    if (made == NULL) return -1;
    made->real = v->type == FMU_REAL && v->causality != FMU_CALCULATED_PARAMETER;
    return o->system->connector_count - 1;
}

/* Adds a connection to a power bond. */
static void note_bond(osp *o, const xmlNode *at, const char *name, int connection) {
    ssp *s = o->system;
    ssp_bond *bond = NULL;
    for (int i = 0; i < s->bond_count && bond == NULL; i++)
        if (strcmp(s->bonds[i].name, name) == 0) bond = &s->bonds[i];
    if (bond == NULL) {
        bond = ssp_add(o->r->x, at, "power bonds", (void **)&s->bonds, &s->bond_count, sizeof *s->bonds);
        if (bond != NULL) *bond = (ssp_bond){.name = memory_copy(name), .at = at};
        if (bond == NULL || bond->name == NULL) xml_no_memory(o->r->x);
    }
    if (o->r->x->status) return;
    if (bond->count == 2)
        xml_refuse(o->r->x, at, "powerBond = '%.100s' is set at more than two connections", name);
    else
        bond->connections[bond->count++] = connection;
}

static void connect(osp *o, const xmlNode *at, const end *a, const char *one, const end *b, const char *two) {
    bool forth = false, back = false;
    const char *bond = xml_get(at, "powerBond");
    int first = port_of(o, at, a, one, &forth);
    int second = o->r->x->status ? -1 : port_of(o, at, b, two, &back);
    if (!o->r->x->status && forth == back)
        xml_refuse(o->r->x, at, "'%.100s' of '%.60s' and '%.100s' of '%.60s' are both %s", one, a->element,
                   two, b->element, forth ? "outputs" : "inputs");
    if (o->r->x->status) return;
    const ssp_connection c = {.from = forth ? first : second, .to = forth ? second : first, .factor = 1};
    int added = ssp_add_connection(o->r, at, &c);
    if (added >= 0 && bond != NULL) note_bond(o, at, bond, added);
}

/* Returns the first variable, or group, from here on. */
static const xmlNode *variable_from(const xmlNode *at, bool variable) {
    while (at != NULL && xml_is(at, "Variable") != variable) at = xml_next(at, NULL);
    return at;
}

static void connect_groups(osp *o, const xmlNode *at, const end *a, const end *b) {
    for (int k = 0; k < 2; k++) {
        const xmlNode *one = variable_from(xml_child(a->group, NULL), k > 0),
                      *two = variable_from(xml_child(b->group, NULL), k > 0);
        for (; one != NULL && two != NULL && !o->r->x->status;
             one = variable_from(xml_next(one, NULL), k > 0),
             two = variable_from(xml_next(two, NULL), k > 0)) {
            end inner_a = *a, inner_b = *b;
            inner_a.group = one, inner_b.group = two;
            const char *name = xml_get(one, "ref"), *other = xml_get(two, "ref");
            if (k == 0) connect_groups(o, at, &inner_a, &inner_b);
            if (k == 1) connect(o, at, a, name != NULL ? name : "", b, other != NULL ? other : "");
        }
        if ((one == NULL) != (two == NULL))
            xml_refuse(o->r->x, at, "the groups '%.100s' of '%.60s' and '%.100s' of '%.60s' differ in size",
                       a->name, a->element, b->name, b->element);
    }
}

/* Connects a group of variables with the vector of a function. */
static void connect_vector(osp *o, const xmlNode *at, const end *group, const end *vector) {
    char name[200];
    int k = 0;
    XML_EACH(v, o->r->x, group->group, "Variable") {
        const char *own = xml_get(v, "ref");
        (void)snprintf(name, sizeof name, "%.100s.%d", vector->name, k++);
        connect(o, at, group, own != NULL ? own : "", vector, name);
    }
}

/* Reads an end such as <Variable simulator="a" name="x"/>. */
static end read_end(osp *o, const xmlNode *at, bool group) {
    xml *x = o->r->x;
    bool signal = xml_is(at, "Signal") || xml_is(at, "SignalGroup");
    end e = {.element = xml_need(x, at, signal ? "function" : "simulator"), .component = -1};
    e.name = x->status ? NULL : xml_name(x, at, "name");
    if (x->status || signal) return e;
    memory_local char *full = ssp_inside(o->r, "", e.element);
    for (int i = 0; i < o->system->component_count && full != NULL; i++)
        if (strcmp(o->system->components[i].name, full) == 0) e.component = i;
    if (e.component < 0) xml_refuse(x, at, "there is no simulator '%.100s'", e.element);
    if (x->status) return e;
    e.element = o->system->components[e.component].name;
    if (group) e.group = find_group(o, at, e.component, e.name);
    return e;
}

static void read_connection(osp *o, const xmlNode *at) {
    xml *x = o->r->x;
    bool group = xml_is(at, "VariableGroupConnection") || xml_is(at, "SignalGroupConnection");
    const xmlNode *first = xml_child(at, NULL), *second = first != NULL ? xml_next(first, NULL) : NULL;
    if (!group && !xml_is(at, "VariableConnection") && !xml_is(at, "SignalConnection"))
        xml_refuse(x, at, "the connection '%.60s' is not known", (const char *)at->name);
    else if (second == NULL || xml_next(second, NULL) != NULL)
        xml_refuse(x, at, "%.60s: two ends are needed", (const char *)at->name);
    if (x->status) return;
    const end a = read_end(o, first, group), b = x->status ? a : read_end(o, second, group);
    if (!x->status && a.component < 0 && b.component < 0)
        xml_refuse(x, at, "%.60s: one of the ends must belong to a simulator", (const char *)at->name);
    if (x->status) return;
    if (!group)
        connect(o, at, &a, a.name, &b, b.name);
    else if (a.component >= 0 && b.component >= 0)
        connect_groups(o, at, &a, &b);
    else
        connect_vector(o, at, a.component >= 0 ? &a : &b, a.component >= 0 ? &b : &a);
}

/* Checks that each bond leads back and forth between the same two components. */
static void check_bonds(const osp *o) {
    const ssp *s = o->system;
    for (int i = 0; i < s->bond_count && !o->r->x->status; i++) {
        const ssp_bond *b = &s->bonds[i];
        const ssp_connection *one = &s->connections[b->connections[0]],
                             *two = &s->connections[b->connections[1]];
        const ssp_connector *c = s->connectors;
        if (b->count < 2 || strcmp(c[one->from].element, c[two->to].element) != 0 ||
            strcmp(c[two->from].element, c[one->to].element) != 0)
            xml_refuse(o->r->x, b->at,
                       "powerBond = '%.100s' is not set at two connections, there and back between the "
                       "same simulators",
                       b->name);
    }
}

/* ---- The document ---- */

static void read_all(osp *o, const xmlNode *root) {
    xml *x = o->r->x;
    const xmlNode *step = xml_child(root, "BaseStepSize");
    o->system->step_size = STEP_DEFAULT;
    if (step != NULL && xml_content(x, step, &o->system->step_size) && !(o->system->step_size > 0))
        xml_refuse(x, step, "BaseStepSize is not positive");
    XML_EACH(at, x, xml_child(root, "Simulators"), "Simulator")
    read_simulator(o, at);
    XML_EACH(at, x, xml_child(root, "Functions"), NULL)
    read_function(o, at);
    XML_EACH(at, x, xml_child(root, "Connections"), NULL)
    read_connection(o, at);
    check_bonds(o);
}

void ssp_read_osp(ssp_reader *r, const xmlNode *root) {
    osp o = {.r = r, .system = r->system};
    o.descriptions = memory_alloc(SSP_PARTS_MAX, sizeof *o.descriptions);
    r->system->name = memory_copy("system");
    if (o.descriptions == NULL || r->system->name == NULL)
        xml_no_memory(r->x);
    else
        read_all(&o, root);
    for (int i = 0; i < r->system->component_count && o.descriptions != NULL; i++) {
        xml_free(&o.descriptions[i].x);
        text_free(&o.descriptions[i].path);
        text_free(&o.descriptions[i].content);
    }
    memory_free(o.descriptions);
}
