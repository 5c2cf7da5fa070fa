/* Which ports the components of a system have in the text of a model: the usual ones, unless a connection
 * needs others, whole numbers or flags, which then have to be named. */
#include <string.h>

#include "base/escape.h"
#include "fmu/part.h"
#include "fmu/ssp.h"

/* The variable of a component's connector; NULL where the FMU has none of that name, or it is a system's. */
static const fmu_variable *variable_of(const ssp *s, const ssp_connector *c, costab_fmu_kind *kind) {
    for (int i = 0; i < s->component_count && !c->system; i++) {
        if (strcmp(s->components[i].name, c->element) != 0) continue;
        int found = description_find(s->components[i].fmu, c->name);
        *kind = s->components[i].kind;
        return found >= 0 ? &s->components[i].fmu->variables[found] : NULL;
    }
    return NULL;
}

bool ssp_is_passed(const ssp *s, const ssp_connector *c) {
    costab_fmu_kind kind = COSTAB_FMU_CO_SIMULATION;
    const fmu_variable *v = variable_of(s, c, &kind);
    return v == NULL || fmu_part_is_possible(v);
}

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

void ssp_write_ports(const ssp *s, const ssp_component *of, text *t) {
    static const struct {
        fmu_causality causality;
        const char *key;
    } lists[] = {{FMU_INPUT, ", inputs: ["}, {FMU_OUTPUT, ", outputs: ["}};
    if (!needs_names(s, of)) return;
    for (int k = 0; k < 2; k++) {
        const char *sign = "";
        text_append(t, lists[k].key);
        for (int i = 0; i < of->fmu->variable_count; i++) {
            const fmu_variable *v = &of->fmu->variables[i];
            if (v->causality != lists[k].causality) continue;
            if (!fmu_part_is_usual(of->kind, v) && !is_connected(s, of->name, v->name)) continue;
            text_append(t, sign);
            escape(t, ESCAPE_YAML, v->name);
            sign = ", ";
        }
        text_append(t, "]");
    }
}
