/* FMI 3.0: a variable's element is its type; the structure names value references; there are arrays. */
#include <math.h>

#include "fmu/description_parts.h"

static const struct {
    const char *name;
    fmu_type type;
    fmu_variability usual;
} types[] = {{"Float64", FMU_REAL, FMU_CONTINUOUS},       {"Float32", FMU_FLOAT32, FMU_CONTINUOUS},
             {"Int32", FMU_INTEGER, FMU_DISCRETE},        {"Int64", FMU_INT64, FMU_DISCRETE},
             {"UInt64", FMU_UINT64, FMU_DISCRETE},        {"Int8", FMU_OTHER_INTEGER, FMU_DISCRETE},
             {"UInt8", FMU_OTHER_INTEGER, FMU_DISCRETE},  {"Int16", FMU_OTHER_INTEGER, FMU_DISCRETE},
             {"UInt16", FMU_OTHER_INTEGER, FMU_DISCRETE}, {"UInt32", FMU_OTHER_INTEGER, FMU_DISCRETE},
             {"Boolean", FMU_BOOLEAN, FMU_DISCRETE},      {"Enumeration", FMU_INT64, FMU_DISCRETE},
             {"String", FMU_OTHER, FMU_DISCRETE},         {"Binary", FMU_OTHER, FMU_DISCRETE},
             {"Clock", FMU_OTHER, FMU_DISCRETE}};
#define TYPES (sizeof types / sizeof *types)

static size_t find_type(const xmlNode *element) {
    size_t i = 0;
    while (i < TYPES && !xml_is(element, types[i].name)) i++;
    return i;
}

/* The length along one dimension: a number, or the start of a structural parameter, which stands before or
 * behind. 0 after noting a mistake. */
static size_t dimension(xml *x, const xmlNode *at, const costab_fmu *fmu) {
    uint32_t length = 0, reference;
    if (xml_whole(x, at, "start", &length)) return length;
    if (!xml_whole(x, at, "valueReference", &reference)) {
        xml_refuse(x, at, "Dimension: it has neither start nor valueReference");
        return 0;
    }
    int found = description_find_reference(fmu, reference);
    const fmu_variable *v = found >= 0 ? &fmu->variables[found] : NULL;
    if (v != NULL && v->type == FMU_UINT64 && v->has_start && v->start >= 0 && v->start <= UINT32_MAX &&
        v->start == floor(v->start))
        return (size_t)v->start;
    xml_refuse(x, at, "Dimension: there is no structural parameter of the value reference %u with a start",
               (unsigned)reference);
    return 0;
}

static void read_size(xml *x, const xmlNode *element, const costab_fmu *fmu, fmu_variable *v) {
    XML_EACH(at, x, element, "Dimension") {
        size_t length = dimension(x, at, fmu);
        if (length > FMU_ELEMENTS_MAX || (length > 0 && v->size > FMU_ELEMENTS_MAX / length))
            xml_refuse(x, element, "an array of more than %zu values", FMU_ELEMENTS_MAX);
        else
            v->size *= length;
    }
}

static bool is_array(const xmlNode *element) {
    return xml_child(element, "Dimension") != NULL;
}

/* All of a variable but the size and the numbers of an array. */
static void read_variable(xml *x, costab_fmu *fmu, const xmlNode *element) {
    size_t i = find_type(element);
    if (i == TYPES) return;
    fmu_variable *v = &fmu->variables[fmu->variable_count++];
    description_variable(x, element, types[i].usual, v);
    v->type = types[i].type;
    fmu->clocks = fmu->clocks || xml_is(element, "Clock");
    if (!is_array(element)) description_number(x, element, v);
}

/* Arrays, whose lengths other variables may have. */
static void read_arrays(xml *x, costab_fmu *fmu, const xmlNode *variables) {
    fmu_variable *v = fmu->variables;
    XML_EACH(at, x, variables, NULL) {
        if (find_type(at) == TYPES) continue;
        if (is_array(at)) read_size(x, at, fmu, v);
        /* A scalar that is written as a list of one. */
        if (is_array(at) && v->size == 1)
            description_number(x, at, v);
        else if (is_array(at) && v->type == FMU_REAL) {
            v->has_state = xml_whole(x, at, "derivative", &v->state);
            description_unit(x, at, v);
        }
        v++;
    }
}

void description_read_3(xml *x, costab_fmu *fmu, const xmlNode *variables, const xmlNode *structure) {
    size_t count = 0, values = 0;
    XML_EACH(at, x, variables, NULL) count++;
    if (!description_room(x, fmu, count)) return;
    XML_EACH(at, x, variables, NULL)
    read_variable(x, fmu, at);
    if (!x->status) description_index(x, variables, fmu);
    if (!x->status) read_arrays(x, fmu, variables);
    for (int i = 0; i < fmu->variable_count && !x->status; i++) values += fmu->variables[i].size;
    if (values > FMU_ELEMENTS_MAX)
        xml_refuse(x, variables, "more than %zu values in all variables", FMU_ELEMENTS_MAX);
    if (!x->status)
        description_unknowns(x, fmu, structure, "ContinuousStateDerivative", description_add_state);
    if (!x->status) description_unknowns(x, fmu, structure, "Output", description_dependencies);
}
