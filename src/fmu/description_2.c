/* FMI 2.0: a variable's type is an element inside it; the structure counts variables from 1. */
#include "fmu/description_parts.h"

static void read_variable(xml *x, const xmlNode *element, fmu_variable *v) {
    static const struct {
        const char *name;
        fmu_type type;
    } types[] = {{"Real", FMU_REAL},
                 {"Integer", FMU_INTEGER},
                 {"Enumeration", FMU_INTEGER},
                 {"Boolean", FMU_BOOLEAN},
                 {"String", FMU_OTHER}};
    const xmlNode *inner = NULL;
    description_variable(x, element, FMU_CONTINUOUS, v);
    v->type = FMU_OTHER;
    for (size_t i = 0; i < sizeof types / sizeof *types && inner == NULL; i++) {
        inner = xml_child(element, types[i].name);
        if (inner != NULL) v->type = types[i].type;
    }
    if (inner == NULL)
        xml_refuse(x, element, "ScalarVariable: it has no type: Real, Integer, Boolean, String, Enumeration");
    else
        description_number(x, inner, v);
}

void description_read_2(xml *x, costab_fmu *fmu, const xmlNode *variables, const xmlNode *structure) {
    size_t count = 0;
    XML_EACH(at, x, variables, NULL) count++;
    if (!description_room(x, fmu, count)) return;
    XML_EACH(at, x, variables, "ScalarVariable")
    read_variable(x, at, &fmu->variables[fmu->variable_count++]);
    if (!x->status) description_index(x, variables, fmu);
    if (!x->status)
        description_unknowns(x, fmu, xml_child(structure, "Derivatives"), "Unknown", description_add_state);
    if (!x->status)
        description_unknowns(x, fmu, xml_child(structure, "Outputs"), "Unknown", description_dependencies);
}
