/* ParameterBindings of SSP: start values of components' variables.
 * 1. The values of a binding, and an optional mapping of names, are in the .ssd itself, in a file next to it,
 *    or in a component's archive.
 * 2. A value's name, after the mapping, selects a component and its variable. The value is transformed by the
 *    mapping and converted to the variable's unit.
 * 3. Bindings of outer systems come later and override inner ones.
 * Names without a variable are ignored with a warning, as the standard requires. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "base/text.h"
#include "fmu/ssp.h"

/* ---- Units ---- */

/* Units of SSP: powers of the base units, with a factor and an offset. */

void ssp_read_units(xml *x, const xmlNode *definitions, ssp_units *units) {
    static const char *const names[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    const int most = 1000; /* larger powers are implausible */
    XML_EACH(at, x, definitions, "Unit") {
        const xmlNode *base = xml_child(at, "BaseUnit");
        if (xml_need(x, at, "name") == NULL) return;
        ssp_unit *unit = ssp_add(x, at, "units", (void **)&units->list, &units->count, sizeof *units->list);
        if (unit == NULL) return;
        *unit = (ssp_unit){.name = xml_copy(x, at, "name"), .factor = 1};
        if (base == NULL) continue;
        (void)xml_number(x, base, "factor", &unit->factor);
        (void)xml_number(x, base, "offset", &unit->offset);
        if (unit->factor == 0) xml_refuse(x, base, "BaseUnit: factor = 0");
        for (int i = 0; i < 8; i++) {
            double power = 0;
            if (!xml_number(x, base, names[i], &power)) continue;
            if (power < -most || power > most || power != (int)power)
                xml_refuse(x, base, "BaseUnit: the power of %s is not an integer between -%d and %d",
                           names[i], most, most);
            else
                unit->dimensions[i] = (int)power;
        }
    }
}

void ssp_free_units(ssp_units *units) {
    for (int i = 0; i < units->count; i++) memory_free(units->list[i].name);
    memory_free(units->list);
    *units = (ssp_units){.count = 0};
}

static const ssp_unit *find(const ssp_units *units, const char *name) {
    for (int i = 0; i < units->count; i++)
        if (units->list[i].name != NULL && strcmp(units->list[i].name, name) == 0) return &units->list[i];
    return NULL;
}

static bool is_given(const char *unit) {
    return unit != NULL && unit[0] != '\0';
}

void ssp_convert(xml *x, const xmlNode *at, const ssp_units *own, const ssp_units *of_system,
                 const char *from, const char *to, double *factor, double *offset) {
    *factor = 1;
    *offset = 0;
    if (!is_given(from) || !is_given(to) || strcmp(from, to) == 0) return;
    const ssp_unit *a = find(own, from), *b = find(of_system, to);
    if (a == NULL) a = find(of_system, from);
    if (b == NULL) b = find(own, to);
    if (a == NULL || b == NULL) {
        xml_warn(x, at,
                 "the unit '%.40s' is not defined here: values in '%.40s' are taken as such in '%.40s'",
                 a == NULL ? from : to, from, to);
    } else if (memcmp(a->dimensions, b->dimensions, sizeof a->dimensions) != 0) {
        xml_refuse(x, at, "the units '%.40s' and '%.40s' are not those of one quantity", from, to);
    } else {
        *factor = a->factor / b->factor;
        *offset = (a->offset - b->offset) / b->factor;
    }
}

/* ---- Values ---- */

/* The current binding. */
typedef struct binding {
    ssp_reader *r;
    const char *element, *prefix;
    xml *x;                 /* document of the values */
    const ssp_units *units; /* units of these values */
    xml *mapped;            /* document of the mapping */
    const xmlNode *mapping; /* NULL: names are parameter names */
    int given;              /* number of values so far */
} binding;

/* Finds the component and the variable of a name in an element's binding: for a component the variable
 * itself, for a system `component.variable`. Returns NULL if there is none. */
static const ssp_component *find_variable(const ssp *s, const char *element, const char *name,
                                          const char **variable) {
    for (int i = 0; i < s->component_count; i++) {
        const char *own = s->components[i].name;
        size_t outer = strlen(element), length = strlen(own);
        *variable = name;
        if (strcmp(own, element) == 0) return &s->components[i];
        if (outer > 0 && (strncmp(own, element, outer) != 0 || own[outer] != '/')) continue;
        const char *rest = own + (outer > 0 ? outer + 1 : 0);
        size_t part = length - (size_t)(rest - own);
        bool same = strlen(name) > part && name[part] == '.';
        for (size_t k = 0; k < part && same; k++)
            same =
                rest[k] == name[k] || ((rest[k] == '/' || rest[k] == '_') && strchr(" .,:", name[k]) != NULL);
        *variable = name + part + 1;
        if (same) return &s->components[i];
    }
    return NULL;
}

/* Stores a component's value; a later value of the same variable replaces an earlier one. */
static void set_value(const binding *b, const xmlNode *at, const char *component, const char *variable,
                      double value) {
    ssp *s = b->r->system;
    for (int i = 0; i < s->value_count; i++)
        if (strcmp(s->values[i].component, component) == 0 && strcmp(s->values[i].variable, variable) == 0) {
            s->values[i].value = value;
            return;
        }
    ssp_value *v = ssp_add(b->x, at, "parameters", (void **)&s->values, &s->value_count, sizeof *s->values);
    if (v == NULL) return;
    *v = (ssp_value){memory_copy(component), memory_copy(variable), value};
    if (v->component == NULL || v->variable == NULL) xml_no_memory(b->x);
}

/* ---- One parameter ---- */

/* A value with its unit; NULL: none is given. */
typedef struct given {
    double value;
    const char *unit;
} given;

/* Reads the number or Boolean of a parameter with its unit. Returns false, with a warning, for texts. */
static bool read_value(xml *x, const xmlNode *at, const char *name, given *g) {
    static const char *const numbers[] = {"Real",    "Float64", "Integer", "Int32", "Boolean",
                                          "Float32", "Int8",    "UInt8",   "Int16", "UInt16",
                                          "UInt32",  "Int64",   "UInt64"};
    const xmlNode *type = NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && type == NULL; i++)
        type = xml_child(at, numbers[i]);
    *g = (given){.value = 0};
    if (type == NULL)
        xml_warn(x, at, "'%.100s' is not a number or flag: it is ignored, and the FMU keeps its own", name);
    bool flag = false, is_flag = type != NULL && xml_is(type, "Boolean");
    if (type == NULL || xml_need(x, type, "value") == NULL) return false;
    if (is_flag && xml_flag(x, type, "value", &flag)) g->value = flag ? 1 : 0;
    if (!is_flag) (void)xml_number(x, type, "value", &g->value);
    if (!is_flag) g->unit = xml_get(type, "unit"); /* only real numbers have a unit */
    return !x->status;
}

const char *ssp_unit_of(const ssp *s, const ssp_component *c, const fmu_variable *v) {
    for (int i = 0; i < s->connector_count; i++)
        if (strcmp(s->connectors[i].element, c->name) == 0 && strcmp(s->connectors[i].name, v->name) == 0 &&
            s->connectors[i].unit != NULL)
            return s->connectors[i].unit;
    return v->unit;
}

/* Sets the variable of that name to factor * value + offset, or warns if there is none. */
static void give_value(const binding *b, const xmlNode *at, const char *name, const given *g, double factor,
                       double offset, bool keeps_unit) {
    const char *variable;
    const ssp_component *c = find_variable(b->r->system, b->element, name, &variable);
    int found = c != NULL ? description_find(c->fmu, variable) : -1;
    if (c == NULL) {
        xml_warn(b->x, at,
                 "'%.100s' is not a parameter of a component, as component.variable is: it is ignored", name);
    } else if (found < 0) {
        const char *near = xml_is_heard(b->x) ? description_nearest(c->fmu, variable) : NULL;
        char words[SPELLING_GUESS_MAX];
        xml_warn(b->x, at, "the FMU of '%.100s' has no variable '%.100s': it is ignored%s", c->name, variable,
                 spelling_meant(near, "", "", words, sizeof words));
    } else if (!description_may_start(&c->fmu->variables[found])) {
        xml_refuse(
            b->x, at,
            "'%.100s' of '%.100s' cannot be given a value: it is not a parameter or start value, a single number "
            "or flag, that the FMU lets be set before its initialisation",
            variable, c->name);
    } else {
        double scale = 1, shift = 0;
        const char *unit = keeps_unit ? NULL : ssp_unit_of(b->r->system, c, &c->fmu->variables[found]);
        ssp_convert(b->x, at, b->units, &b->r->system->units, g->unit, unit, &scale, &shift);
        double value = factor * (scale * g->value + shift) + offset;
        if (!isfinite(value)) xml_refuse(b->x, at, "the value of '%.100s' becomes too large", variable);
        if (!b->x->status) set_value(b, at, c->name, variable, value);
    }
}

/* ---- Mappings ---- */

void ssp_read_linear(xml *x, const xmlNode *at, double *factor, double *offset) {
    for (const xmlNode *child = xml_child(at, NULL); child != NULL; child = xml_next(child, NULL)) {
        const char *name = (const char *)child->name;
        if (strstr(name, "MappingTransformation") != NULL)
            xml_refuse(x, child, "%.60s: only linear transformations are supported", name);
    }
    const xmlNode *linear = xml_child(at, "LinearTransformation");
    *factor = 1;
    *offset = 0;
    if (linear != NULL) (void)xml_number(x, linear, "factor", factor);
    if (linear != NULL) (void)xml_number(x, linear, "offset", offset);
}

/* Sets all variables named by the mapping for a value. */
static void give_mapped_values(binding *b, const xmlNode *at, const char *name, const given *g) {
    bool any = false;
    for (const xmlNode *entry = xml_child(b->mapping, "MappingEntry");
         entry != NULL && !b->mapped->status && !b->x->status; entry = xml_next(entry, "MappingEntry")) {
        const char *source = xml_need(b->mapped, entry, "source"),
                   *target = xml_need(b->mapped, entry, "target");
        double factor, offset;
        bool keeps = false;
        if (source == NULL || target == NULL || strcmp(source, name) != 0) continue;
        any = true;
        if (++b->given > SSP_PARTS_MAX)
            xml_refuse(b->mapped, entry, "the mapping gives more than %d values", SSP_PARTS_MAX);
        ssp_read_linear(b->mapped, entry, &factor, &offset);
        (void)xml_flag(b->mapped, entry, "suppressUnitConversion", &keeps);
        if (!b->mapped->status) give_value(b, at, target, g, factor, offset, keeps);
    }
    if (!any && !b->mapped->status)
        xml_warn(b->x, at, "'%.100s' is not in the mapping of parameters: it is ignored", name);
}

/* Limits the number of entries, since each value searches all of them. */
static void check_mapping_size(const binding *b) {
    int count = 0;
    XML_EACH(entry, b->mapped, b->mapping, "MappingEntry")
    if (++count > SSP_PARTS_MAX)
        xml_refuse(b->mapped, entry, "more than %d entries of a mapping", SSP_PARTS_MAX);
}

static void read_set(binding *b, const xmlNode *values) {
    int count = 0;
    for (const xmlNode *at = xml_child(xml_child(values, "Parameters"), "Parameter");
         at != NULL && !b->x->status && !b->r->x->status && (b->mapped == NULL || !b->mapped->status);
         at = xml_next(at, "Parameter")) {
        const char *name = xml_need(b->x, at, "name");
        text_local full = {0};
        given g;
        if (++count > SSP_PARTS_MAX) xml_refuse(b->x, at, "more than %d parameters", SSP_PARTS_MAX);
        bool any = name != NULL && !b->x->status && read_value(b->x, at, name, &g);
        if (b->x->status) return;
        if (!any) continue;
        text_printf(&full, "%s%s", b->prefix, name);
        if (full.failed)
            xml_no_memory(b->x);
        else if (b->mapping != NULL)
            give_mapped_values(b, at, full.data, &g);
        else
            give_value(b, at, full.data, &g, 1, 0, false);
    }
}

/* ---- Files ---- */

/* A file named by a binding, from the system's folder or from a component's archive. */
typedef struct file {
    xml x;
    char *bytes;
    text shown;
} file;

/* Returns its root element of that name; NULL after an error. Call close_file in any case. */
static const xmlNode *open_file(ssp_reader *r, const xmlNode *at, const char *element, const char *name,
                                file *f) {
    static const char *const words[] = {"SSD", "component"};
    const char *source = xml_get(at, "source");
    size_t size = 0;
    int base = 0;
    *f = (file){.bytes = NULL};
    (void)xml_choice(r->x, at, "sourceBase", words, 2, &base);
    if (r->x->status || !ssp_load(r, at, source, base == 1 ? element : NULL, &f->bytes, &size, &f->shown))
        return NULL;
    const xmlNode *root = xml_parse(&f->x, f->shown.data, f->bytes, size, r->x->error);
    f->x.warnings = r->x->warnings;
    if (root != NULL && !xml_is(root, name))
        xml_refuse(&f->x, root, "the root is '%.100s', not '%s'", (const char *)root->name, name);
    return f->x.status ? NULL : root;
}

static void close_file(ssp_reader *r, file *f) {
    if (!r->x->status) r->x->status = f->x.status;
    xml_free(&f->x);
    memory_free(f->bytes);
    text_free(&f->shown);
}

static void check_type(xml *x, const xmlNode *at, const char *expected) {
    const char *type = xml_get(at, "type");
    if (type != NULL && strcmp(type, expected) != 0)
        xml_refuse(x, at, "%.60s: type = '%.100s' is not supported; %s is", (const char *)at->name, type,
                   expected);
}

static void read_values(binding *b, const xmlNode *at) {
    ssp_reader *r = b->r;
    ssp_units units = {.count = 0};
    file own = {.bytes = NULL};
    bool here = xml_get(at, "source") == NULL;
    const xmlNode *values = here ? xml_child(xml_child(at, "ParameterValues"), "ParameterSet")
                                 : open_file(r, at, b->element, "ParameterSet", &own);
    b->x = here ? r->x : &own.x;
    b->units = &units;
    if (values != NULL && !r->x->status) ssp_read_units(b->x, xml_child(values, "Units"), &units);
    if (values != NULL && !r->x->status && !b->x->status) read_set(b, values);
    ssp_free_units(&units);
    if (!here) close_file(r, &own);
}

static void read_binding(ssp_reader *r, const xmlNode *at, const char *element) {
    const char *prefix = xml_get(at, "prefix");
    const xmlNode *mapping = xml_child(at, "ParameterMapping");
    binding b = {.r = r, .element = element, .prefix = prefix != NULL ? prefix : ""};
    file own = {.bytes = NULL};
    check_type(r->x, at, "application/x-ssp-parameter-set");
    if (mapping != NULL) check_type(r->x, mapping, "application/x-ssp-parameter-mapping");
    if (r->x->status) return;
    bool here = mapping != NULL && xml_get(mapping, "source") == NULL;
    if (here) b.mapping = xml_child(mapping, "ParameterMapping");
    if (here && b.mapping == NULL) b.mapping = mapping; /* an empty mapping */
    if (mapping != NULL && !here) b.mapping = open_file(r, mapping, element, "ParameterMapping", &own);
    b.mapped = mapping == NULL ? NULL : here ? r->x : &own.x;
    if (b.mapping != NULL) check_mapping_size(&b);
    if (!r->x->status && (b.mapped == NULL || !b.mapped->status)) read_values(&b, at);
    if (mapping != NULL && !here) close_file(r, &own);
}

void ssp_give(ssp_reader *r, const xmlNode *at, const char *component, const char *variable) {
    const binding b = {.r = r, .element = component, .x = r->x, .units = &r->system->units};
    given g;
    if (read_value(r->x, at, variable, &g)) give_value(&b, at, variable, &g, 1, 0, false);
}

void ssp_bindings(ssp_reader *r, const xmlNode *owner, const char *element) {
    XML_EACH(at, r->x, xml_child(owner, "ParameterBindings"), "ParameterBinding")
    read_binding(r, at, element);
}
