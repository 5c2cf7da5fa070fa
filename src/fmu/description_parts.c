/* The parts of modelDescription.xml that both versions share: variables, the finding of them by name and by
 * number, states and dependencies. What costab does not know, such as annotations, is passed over; an unknown
 * value of a known attribute is refused. */
#include "fmu/description_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "base/text.h"

const char *const description_causalities[] = {
    "parameter", "calculatedParameter", "input", "output", "local", "independent", "structuralParameter"};
static const char *const variabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
static const char *const initials[] = {"exact", "approx", "calculated"};

#define COUNT(words) ((int)(sizeof(words) / sizeof *(words)))

void description_variable(xml *x, const xmlNode *element, fmu_variability usual, fmu_variable *v) {
    int causality = FMU_LOCAL, initial = FMU_INITIAL_NONE;
    v->line = (size_t)xmlGetLineNo(element);
    v->size = 1;
    v->nominal = 1;
    v->name = xml_name(x, element, "name") != NULL ? xml_copy(x, element, "name") : NULL;
    if (xml_need(x, element, "valueReference") != NULL)
        (void)xml_whole(x, element, "valueReference", &v->reference);
    (void)xml_choice(x, element, "causality", description_causalities, COUNT(description_causalities),
                     &causality);
    v->causality = (fmu_causality)causality;
    bool parameter = causality == FMU_PARAMETER || causality == FMU_CALCULATED_PARAMETER ||
                     causality == FMU_STRUCTURAL_PARAMETER;
    int variability = (int)(parameter ? FMU_FIXED : usual);
    (void)xml_choice(x, element, "variability", variabilities, COUNT(variabilities), &variability);
    v->variability = (fmu_variability)variability;
    (void)xml_choice(x, element, "initial", initials, COUNT(initials), &initial);
    v->initial = (fmu_initial)initial;
}

/* The first number of a list. */
static void read_start(xml *x, const xmlNode *element, fmu_variable *v) {
    const char *start = xml_get(element, "start");
    if (start == NULL || v->type == FMU_OTHER) return;
    if (v->type == FMU_BOOLEAN && v->size == 1) {
        bool flag = false;
        v->has_start = xml_flag(x, element, "start", &flag);
        v->start = flag ? 1 : 0;
    } else if (v->size == 1) {
        v->has_start = xml_number(x, element, "start", &v->start);
    }
}

/* The element's own unit, else that of the type that it names. */
void description_unit(xml *x, const xmlNode *element, fmu_variable *v) {
    const xmlNode *types = xml_child(xmlDocGetRootElement(x->document), "TypeDefinitions");
    const char *type = xml_get(element, "declaredType");
    v->unit = xml_copy(x, element, "unit");
    for (const xmlNode *at = xml_child(types, NULL); at != NULL && type != NULL && v->unit == NULL;
         at = xml_next(at, NULL)) {
        const char *name = xml_get(at, "name");
        const xmlNode *inner = xml_is(at, "SimpleType") ? xml_child(at, "Real") : at;
        if (inner == NULL || name == NULL || strcmp(name, type) != 0) continue;
        v->unit = xml_copy(x, inner, "unit");
        return;
    }
}

void description_number(xml *x, const xmlNode *element, fmu_variable *v) {
    read_start(x, element, v);
    if (v->type != FMU_REAL && v->type != FMU_FLOAT32) return;
    if (xml_number(x, element, "nominal", &v->nominal) && v->nominal < 0) v->nominal = -v->nominal;
    if (v->nominal == 0) v->nominal = 1;
    v->has_state = xml_whole(x, element, "derivative", &v->state);
    description_unit(x, element, v);
}

bool description_room(xml *x, costab_fmu *fmu, size_t count) {
    if (count > FMU_VARIABLES_MAX) {
        xml_refuse(x, xmlDocGetRootElement(x->document), "more than %d variables", FMU_VARIABLES_MAX);
        return false;
    }
    fmu->variables = memory_alloc(count + 1, sizeof *fmu->variables);
    fmu->states = memory_alloc(count + 1, sizeof *fmu->states);
    if (fmu->variables == NULL || fmu->states == NULL) xml_no_memory(x);
    return !x->status;
}

static int by_name(const void *one, const void *other) {
    const fmu_variable *const *a = one, *const *b = other;
    return strcmp((*a)->name, (*b)->name);
}

/* Variables of one reference stand in the order of the document. */
static int by_reference(const void *one, const void *other) {
    const fmu_variable *a = *(const fmu_variable *const *)one, *b = *(const fmu_variable *const *)other;
    if (a->reference != b->reference) return a->reference < b->reference ? -1 : 1;
    return a < b ? -1 : a > b;
}

void description_index(xml *x, const xmlNode *variables, costab_fmu *fmu) {
    size_t count = (size_t)fmu->variable_count;
    fmu->by_name = memory_alloc(count + 1, sizeof *fmu->by_name);
    fmu->by_reference = memory_alloc(count + 1, sizeof *fmu->by_reference);
    if (fmu->by_name == NULL || fmu->by_reference == NULL) {
        xml_no_memory(x);
        return;
    }
    for (size_t i = 0; i < count; i++) fmu->by_name[i] = fmu->by_reference[i] = &fmu->variables[i];
    qsort(fmu->by_name, count, sizeof *fmu->by_name, by_name);
    qsort(fmu->by_reference, count, sizeof *fmu->by_reference, by_reference);
    for (size_t i = 1; i < count && !x->status; i++)
        if (strcmp(fmu->by_name[i - 1]->name, fmu->by_name[i]->name) == 0)
            xml_refuse(x, variables, "two variables have the name '%.100s'", fmu->by_name[i]->name);
}

static int to_name(const void *name, const void *entry) {
    return strcmp(name, (*(const fmu_variable *const *)entry)->name);
}

int description_find(const costab_fmu *fmu, const char *name) {
    const fmu_variable **found =
        bsearch(name, fmu->by_name, (size_t)fmu->variable_count, sizeof *fmu->by_name, to_name);
    return found != NULL ? (int)(*found - fmu->variables) : -1;
}

const char *description_nearest(const costab_fmu *fmu, const char *name) {
    if (fmu->variable_count == 0) return NULL;
    return spelling_nearest(name, (const char *const *)&fmu->variables[0].name, (size_t)fmu->variable_count,
                            sizeof *fmu->variables);
}

int description_find_reference(const costab_fmu *fmu, uint32_t reference) {
    int first = 0, end = fmu->variable_count;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (fmu->by_reference[middle]->reference < reference)
            first = middle + 1;
        else
            end = middle;
    }
    bool found = first < fmu->variable_count && fmu->by_reference[first]->reference == reference;
    return found ? (int)(fmu->by_reference[first] - fmu->variables) : -1;
}

bool description_may_start(const fmu_variable *v) {
    bool constant = v->variability == FMU_CONSTANT || v->causality == FMU_STRUCTURAL_PARAMETER ||
                    v->causality == FMU_INDEPENDENT || v->causality == FMU_CALCULATED_PARAMETER;
    bool known = v->type != FMU_OTHER && v->type != FMU_OTHER_INTEGER && v->size == 1;
    bool set = v->causality == FMU_PARAMETER || v->causality == FMU_INPUT || v->initial == FMU_EXACT ||
               v->initial == FMU_APPROX || (v->initial == FMU_INITIAL_NONE && v->has_start);
    return known && set && !constant;
}

/* The variable that a structure means by a number: 2.0 counts them from 1, 3.0 has value references. -1 where
 * there is none. */
static int meant(const costab_fmu *fmu, uint32_t number) {
    if (fmu->version == 3) return description_find_reference(fmu, number);
    return number >= 1 && number <= (uint32_t)fmu->variable_count ? (int)(number - 1) : -1;
}

void description_unknowns(xml *x, costab_fmu *fmu, const xmlNode *list, const char *element,
                          description_take take) {
    const char *key = fmu->version == 3 ? "valueReference" : "index";
    XML_EACH(at, x, list, element) {
        uint32_t number = 0;
        if (xml_need(x, at, key) == NULL || !xml_whole(x, at, key, &number)) return;
        int variable = meant(fmu, number);
        if (variable >= 0)
            take(x, at, fmu, variable);
        else if (fmu->version == 3)
            xml_refuse(x, at, "%s: there is no variable of the value reference %u", element,
                       (unsigned)number);
        else
            xml_refuse(x, at, "%s: index = %u, but there are %d variables", element, (unsigned)number,
                       fmu->variable_count);
    }
}

void description_add_state(xml *x, const xmlNode *at, costab_fmu *fmu, int derivative) {
    const fmu_variable *d = &fmu->variables[derivative];
    int state = meant(fmu, d->state);
    if (!d->has_state && fmu->interfaces[COSTAB_FMU_MODEL_EXCHANGE].identifier == NULL) return; /* nobody's */
    if (!d->has_state || d->type != FMU_REAL) {
        xml_refuse(x, at, "'%.100s' is listed as a derivative, but says of no state that it is its own",
                   d->name);
        return;
    }
    if (state < 0 || fmu->variables[state].type != FMU_REAL || fmu->variables[state].size != d->size) {
        xml_refuse(x, at, "the state of which '%.100s' is the derivative is not there, or of another kind",
                   d->name);
        return;
    }
    if (fmu->state_count == FMU_STATES_MAX) xml_refuse(x, at, "more than %d states", FMU_STATES_MAX);
    if (fmu->variables[state].is_state)
        xml_refuse(x, at, "the state '%.100s' has two derivatives", fmu->variables[state].name);
    if (x->status) return;
    fmu->variables[state].is_state = true;
    fmu->states[fmu->state_count++] = (fmu_state){state, derivative};
}

void description_dependencies(xml *x, const xmlNode *at, costab_fmu *fmu, int output) {
    const char *next = xml_get(at, "dependencies");
    if (next == NULL) return;
    bool apart = fmu->variables[output].causality == FMU_OUTPUT;
    for (next += strspn(next, " \t\r\n"); *next != '\0'; next += strspn(next, " \t\r\n")) {
        size_t length = strcspn(next, " \t\r\n"), number;
        if (!number_parse_size(next, length, &number) || number > UINT32_MAX) {
            xml_refuse(x, at, "dependencies: '%.*s' is no whole number", (int)(length < 40 ? length : 40),
                       next);
            return;
        }
        int variable = meant(fmu, (uint32_t)number);
        if (variable >= 0 && fmu->variables[variable].causality == FMU_INPUT) apart = false;
        next += length;
    }
    fmu->variables[output].no_feedthrough = apart;
}
