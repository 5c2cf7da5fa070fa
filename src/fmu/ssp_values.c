/* ParameterBindings of SSP: values in the .ssd itself, or in a file beside it. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fmu/ssp.h"

/* The component and the variable that a name of an element's binding means: of a component the variable
 * itself, of a system `component.variable`. False where it is none of them. */
static bool split(const ssp *s, const char *element, const char *name, const char **component,
                  const char **variable) {
    for (int i = 0; i < s->component_count; i++) {
        const char *own = s->components[i].name;
        size_t outer = strlen(element), length = strlen(own);
        *component = own;
        *variable = name;
        if (strcmp(own, element) == 0) return true;
        if (outer > 0 && (strncmp(own, element, outer) != 0 || own[outer] != '/')) continue;
        const char *rest = own + (outer > 0 ? outer + 1 : 0);
        size_t part = length - (size_t)(rest - own);
        bool same = strlen(name) > part && name[part] == '.';
        for (size_t k = 0; k < part && same; k++)
            same =
                rest[k] == name[k] || ((rest[k] == '/' || rest[k] == '_') && strchr(" .,:", name[k]) != NULL);
        *variable = name + part + 1;
        if (same) return true;
    }
    return false;
}

/* A later value of the same variable takes the place of an earlier one. */
static void set(ssp_reader *r, const xmlNode *at, const char *component, const char *variable, double value) {
    ssp *s = r->system;
    for (int i = 0; i < s->value_count; i++)
        if (strcmp(s->values[i].component, component) == 0 && strcmp(s->values[i].variable, variable) == 0) {
            s->values[i].value = value;
            return;
        }
    if (s->values == NULL) s->values = memory_alloc(SSP_PARTS_MAX, sizeof *s->values);
    if (s->values == NULL) {
        xml_no_memory(r->x);
    } else if (s->value_count == SSP_PARTS_MAX) {
        xml_refuse(r->x, at, "more than %d parameters", SSP_PARTS_MAX);
    } else {
        ssp_value *v = &s->values[s->value_count++];
        *v = (ssp_value){memory_copy(component), memory_copy(variable), value};
        if (v->component == NULL || v->variable == NULL) xml_no_memory(r->x);
    }
}

static void read_parameter(ssp_reader *r, xml *x, const xmlNode *at, const char *element,
                           const char *prefix) {
    static const char *const numbers[] = {"Real", "Float64", "Integer", "Int32", "Boolean"};
    const char *name = xml_need(x, at, "name"), *component, *variable;
    const xmlNode *type = NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && type == NULL; i++)
        type = xml_child(at, numbers[i]);
    if (name == NULL || x->status) return;
    if (type == NULL) {
        xml_refuse(x, at, "Parameter: '%.100s' is no number or flag, which is not supported", name);
        return;
    }
    double value = 0;
    bool flag = false;
    if (xml_is(type, "Boolean")) {
        if (xml_flag(x, type, "value", &flag)) value = flag ? 1 : 0;
    } else if (xml_need(x, type, "value") != NULL) {
        (void)xml_number(x, type, "value", &value);
    }
    text full = {0};
    text_printf(&full, "%s%s", prefix, name);
    if (full.failed) xml_no_memory(x);
    if (!x->status && split(r->system, element, full.data, &component, &variable))
        set(r, at, component, variable, value);
    text_free(&full);
}

static void read_set(ssp_reader *r, xml *x, const xmlNode *set_node, const char *element,
                     const char *prefix) {
    for (const xmlNode *at = xml_child(xml_child(set_node, "Parameters"), "Parameter");
         at != NULL && !x->status && !r->x->status; at = xml_next(at, "Parameter"))
        read_parameter(r, x, at, element, prefix);
}

/* A .ssv file. */
static void read_file(ssp_reader *r, const xmlNode *at, const char *source, const char *element,
                      const char *prefix) {
    char *bytes = NULL;
    size_t size = 0;
    xml x;
    if (!ssp_load(r, at, source, &bytes, &size)) return;
    const xmlNode *root = xml_parse(&x, source, bytes, size, r->x->error);
    if (root != NULL && !xml_is(root, "ParameterSet"))
        xml_refuse(&x, root, "the root is '%.100s', not 'ParameterSet'", (const char *)root->name);
    if (root != NULL && !x.status) read_set(r, &x, root, element, prefix);
    xml_free(&x);
    memory_free(bytes);
    if (!r->x->status) r->x->status = x.status;
}

void ssp_bindings(ssp_reader *r, const xmlNode *owner, const char *element) {
    static const char set_type[] = "application/x-ssp-parameter-set";
    for (const xmlNode *at = xml_child(xml_child(owner, "ParameterBindings"), "ParameterBinding");
         at != NULL && !r->x->status; at = xml_next(at, "ParameterBinding")) {
        const char *source = xml_get(at, "source"), *type = xml_get(at, "type"),
                   *prefix = xml_get(at, "prefix");
        const char *base = xml_get(at, "sourceBase");
        const xmlNode *values = xml_child(at, "ParameterValues");
        if (type != NULL && strcmp(type, set_type) != 0)
            xml_refuse(r->x, at, "ParameterBinding: type = '%.100s' is not supported; %s is", type, set_type);
        if (xml_child(at, "ParameterMapping") != NULL)
            xml_refuse(r->x, at, "ParameterBinding: parameter mappings are not supported");
        if (base != NULL && strcmp(base, "SSD") != 0)
            xml_refuse(r->x, at, "ParameterBinding: sourceBase = '%.40s' is not supported; SSD is", base);
        if (r->x->status) return;
        if (source != NULL)
            read_file(r, at, source, element, prefix != NULL ? prefix : "");
        else
            read_set(r, r->x, xml_child(values, "ParameterSet"), element, prefix != NULL ? prefix : "");
    }
}
