/* Reads modelDescription.xml of FMI 2.0 and 3.0: the attributes of its root, and the public view of an
 * FMU. */
#include "fmu/description.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "base/text.h"
#include "fmu/xml.h"

/* ---- Common to both ---- */

/* Parts of modelDescription.xml common to both versions: variables, their search by name and reference,
 * states and dependencies. Unknown elements, such as annotations, are skipped; unknown values of known
 * attributes are errors. */

/* Handles an element of the structure for the variable of this index. */
typedef void description_take(xml *x, const xmlNode *at, costab_fmu *fmu, int variable);

/* Names of fmu_causality. */
static const char *const description_causalities[] = {
    "parameter", "calculatedParameter", "input", "output", "local", "independent", "structuralParameter"};
static const char *const variabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
static const char *const initials[] = {"exact", "approx", "calculated"};

#define COUNT(words) ((int)(sizeof(words) / sizeof *(words)))

/* Reads name, reference, causality, variability (default `usual`) and initial. */
static void description_variable(xml *x, const xmlNode *element, fmu_variability usual, fmu_variable *v) {
    int causality = FMU_LOCAL, initial = FMU_INITIAL_NONE;
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

/* Reads a scalar start value. */
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

/* Reads the element's own unit, or the unit of its declared type. */
static void description_unit(xml *x, const xmlNode *element, fmu_variable *v) {
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

/* Reads start, nominal and derivative from their element; requires v->type and v->size. */
static void description_number(xml *x, const xmlNode *element, fmu_variable *v) {
    read_start(x, element, v);
    if (v->type != FMU_REAL && v->type != FMU_FLOAT32) return;
    if (xml_number(x, element, "nominal", &v->nominal) && v->nominal < 0) v->nominal = -v->nominal;
    if (v->nominal == 0) v->nominal = 1;
    v->has_state = xml_whole(x, element, "derivative", &v->state);
    description_unit(x, element, v);
}

/* Allocates space for `count` variables. Returns false after an error. */
static bool allocate_variables(xml *x, costab_fmu *fmu, size_t count) {
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

/* Variables of one reference keep the order of the document. */
static int by_reference(const void *one, const void *other) {
    const fmu_variable *a = *(const fmu_variable *const *)one, *b = *(const fmu_variable *const *)other;
    if (a->reference != b->reference) return a->reference < b->reference ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Sorts all variables by name and by reference, as required by the searches. Repeated names are errors. */
static void description_index(xml *x, const xmlNode *variables, costab_fmu *fmu) {
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

/* Returns the index of the first variable with that value reference; -1 if there is none. In FMI 2.0, unlike
 * 3.0, variables of several types may share a reference. */
static int description_find_reference(const costab_fmu *fmu, uint32_t reference) {
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

/* Returns the variable for a number of the structure: an index from 1 (2.0) or a value reference (3.0); -1 if
 * there is none. */
static int meant(const costab_fmu *fmu, uint32_t number) {
    if (fmu->version == 3) return description_find_reference(fmu, number);
    return number >= 1 && number <= (uint32_t)fmu->variable_count ? (int)(number - 1) : -1;
}

/* Calls `take` for each element of that name in a list (may be NULL). */
static void description_unknowns(xml *x, costab_fmu *fmu, const xmlNode *list, const char *element,
                                 description_take take) {
    const char *key = fmu->version == 3 ? "valueReference" : "index";
    XML_EACH(at, x, list, element) {
        uint32_t number = 0;
        if (xml_need(x, at, key) == NULL || !xml_whole(x, at, key, &number)) return;
        int variable = meant(fmu, number);
        if (variable >= 0)
            take(x, at, fmu, variable);
        else if (fmu->version == 3)
            xml_refuse(x, at, "%s: no variable has the value reference %u", element, (unsigned)number);
        else
            xml_refuse(x, at, "%s: index = %u, but there are %d variables", element, (unsigned)number,
                       fmu->variable_count);
    }
}

/* Adds the state with this variable as its derivative. */
static void description_add_state(xml *x, const xmlNode *at, costab_fmu *fmu, int derivative) {
    const fmu_variable *d = &fmu->variables[derivative];
    int state = meant(fmu, d->state);
    if (!d->has_state && fmu->interfaces[COSTAB_FMU_MODEL_EXCHANGE].identifier == NULL)
        return; /* of an unused interface */
    if (!d->has_state || d->type != FMU_REAL) {
        xml_refuse(x, at, "'%.100s' is listed as a derivative, but its own entry names no state", d->name);
        return;
    }
    if (state < 0 || fmu->variables[state].type != FMU_REAL || fmu->variables[state].size != d->size) {
        xml_refuse(x, at, "the state of the derivative '%.100s' is missing, or has a different type or size",
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

/* Sets `no_feedthrough` of an output if its element lists dependencies without any input. The list has
 * indices from 1 (2.0) or value references. */
static void description_dependencies(xml *x, const xmlNode *at, costab_fmu *fmu, int output) {
    const char *next = xml_get(at, "dependencies");
    if (next == NULL) return;
    bool apart = fmu->variables[output].causality == FMU_OUTPUT;
    for (next += strspn(next, " \t\r\n"); *next != '\0'; next += strspn(next, " \t\r\n")) {
        size_t length = strcspn(next, " \t\r\n"), number;
        if (!number_parse_size(next, length, &number) || number > UINT32_MAX) {
            xml_refuse(x, at, "dependencies: '%.*s' is not an integer", (int)(length < 40 ? length : 40),
                       next);
            return;
        }
        int variable = meant(fmu, (uint32_t)number);
        if (variable >= 0 && fmu->variables[variable].causality == FMU_INPUT) apart = false;
        next += length;
    }
    fmu->variables[output].no_feedthrough = apart;
}

/* ---- FMI 2.0 ---- */

/* The type of a variable is an inner element; the structure counts variables from 1. */

static void read_variable_2(xml *x, const xmlNode *element, fmu_variable *v) {
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

/* Reads ModelVariables and ModelStructure (may be NULL) of FMI 2.0. */
static void read_fmi_2(xml *x, costab_fmu *fmu, const xmlNode *variables, const xmlNode *structure) {
    size_t count = 0;
    XML_EACH(at, x, variables, NULL) count++;
    if (!allocate_variables(x, fmu, count)) return;
    XML_EACH(at, x, variables, "ScalarVariable")
    read_variable_2(x, at, &fmu->variables[fmu->variable_count++]);
    if (!x->status) description_index(x, variables, fmu);
    if (!x->status)
        description_unknowns(x, fmu, xml_child(structure, "Derivatives"), "Unknown", description_add_state);
    if (!x->status)
        description_unknowns(x, fmu, xml_child(structure, "Outputs"), "Unknown", description_dependencies);
}

/* ---- FMI 3.0 ---- */

/* The element of a variable is its type; the structure uses value references; variables may be arrays. */

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

/* Returns the length of a dimension: a number, or the start of a structural parameter anywhere in the
 * document. Returns 0 after an error. */
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
    xml_refuse(x, at, "Dimension: no structural parameter has the value reference %u with a start",
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

/* Reads a variable, except for the size and the numbers of an array. */
static void read_variable_3(xml *x, costab_fmu *fmu, const xmlNode *element) {
    size_t i = find_type(element);
    if (i == TYPES) return;
    fmu_variable *v = &fmu->variables[fmu->variable_count++];
    description_variable(x, element, types[i].usual, v);
    v->type = types[i].type;
    if (!is_array(element)) description_number(x, element, v);
}

/* Reads arrays; their lengths may be values of other variables. */
static void read_arrays(xml *x, costab_fmu *fmu, const xmlNode *variables) {
    fmu_variable *v = fmu->variables;
    XML_EACH(at, x, variables, NULL) {
        if (find_type(at) == TYPES) continue;
        if (is_array(at)) read_size(x, at, fmu, v);
        /* A scalar written as a list of one. */
        if (is_array(at) && v->size == 1)
            description_number(x, at, v);
        else if (is_array(at) && v->type == FMU_REAL) {
            v->has_state = xml_whole(x, at, "derivative", &v->state);
            description_unit(x, at, v);
        }
        v++;
    }
}

/* Reads ModelVariables and ModelStructure (may be NULL) of FMI 3.0. */
static void read_fmi_3(xml *x, costab_fmu *fmu, const xmlNode *variables, const xmlNode *structure) {
    size_t count = 0, values = 0;
    XML_EACH(at, x, variables, NULL) count++;
    if (!allocate_variables(x, fmu, count)) return;
    XML_EACH(at, x, variables, NULL)
    read_variable_3(x, fmu, at);
    if (!x->status) description_index(x, variables, fmu);
    if (!x->status) read_arrays(x, fmu, variables);
    for (int i = 0; i < fmu->variable_count && !x->status; i++) values += fmu->variables[i].size;
    if (values > FMU_ELEMENTS_MAX)
        xml_refuse(x, variables, "more than %zu values in all variables", FMU_ELEMENTS_MAX);
    if (!x->status)
        description_unknowns(x, fmu, structure, "ContinuousStateDerivative", description_add_state);
    if (!x->status) description_unknowns(x, fmu, structure, "Output", description_dependencies);
}

/* ---- Descriptions ---- */

static const char *const kinds[] = {"model-exchange", "co-simulation"};

const char *costab_fmu_kind_name(costab_fmu_kind kind) {
    return (unsigned)kind < COSTAB_FMU_KIND_COUNT ? kinds[kind] : NULL;
}

const char *description_folder(int version) {
#if defined(__linux__) && defined(__x86_64__)
    return version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
#elif defined(__linux__) && defined(__aarch64__)
    return version == 2 ? NULL : "binaries/aarch64-linux/";
#else
    (void)version;
    return NULL;
#endif
}

/* The identifier becomes part of a path. */
static bool is_identifier(const char *word) {
    static const char taken[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-.";
    return word[0] != '\0' && word[strspn(word, taken)] == '\0' && strstr(word, "..") == NULL;
}

static void read_interface(xml *x, const xmlNode *root, const char *element, const char *state_flag,
                           const char *derivative_flag, fmu_interface *into) {
    const xmlNode *at = xml_child(root, element);
    if (at == NULL) return;
    const char *identifier = xml_need(x, at, "modelIdentifier");
    if (identifier != NULL && !is_identifier(identifier)) {
        xml_refuse(x, at, "%s: modelIdentifier = '%.100s' is not a name of letters, digits, _, - and .",
                   element, identifier);
        return;
    }
    into->identifier = xml_copy(x, at, "modelIdentifier");
    (void)xml_flag(x, at, state_flag, &into->keeps_state);
    (void)xml_flag(x, at, derivative_flag, &into->derivatives);
    (void)xml_flag(x, at, "canBeInstantiatedOnlyOncePerProcess", &into->single_instance);
    (void)xml_number(x, at, "fixedInternalStepSize", &into->own_step);
    (void)xml_flag(x, at, "canInterpolateInputs", &into->inputs_can_rise);
}

static void read_experiment(xml *x, const xmlNode *root, costab_fmu *fmu) {
    const xmlNode *at = xml_child(root, "DefaultExperiment");
    if (at == NULL) return;
    (void)xml_number(x, at, "startTime", &fmu->start_time);
    (void)xml_number(x, at, "stopTime", &fmu->stop_time);
    (void)xml_number(x, at, "tolerance", &fmu->tolerance);
    (void)xml_number(x, at, "stepSize", &fmu->step_size);
    if (fmu->step_size < 0 || fmu->tolerance < 0)
        xml_refuse(x, at, "DefaultExperiment: stepSize and tolerance cannot be negative");
}

/* ---- The document ---- */

static void read_version(xml *x, const xmlNode *root, costab_fmu *fmu) {
    const char *version = xml_need(x, root, "fmiVersion");
    if (version == NULL) return;
    if (strcmp(version, "2.0") == 0)
        fmu->version = 2;
    else if (strncmp(version, "3.", 2) == 0 && version[2] >= '0' && version[2] <= '9')
        fmu->version = 3;
    else
        xml_refuse(x, root, "FMI %.20s is not supported; 2.0 and 3.0 are", version);
}

static void read_root(xml *x, const xmlNode *root, costab_fmu *fmu) {
    static const char *const elements[] = {"ModelExchange", "CoSimulation"};
    if (!xml_is(root, "fmiModelDescription"))
        xml_refuse(x, root, "the root is '%.100s', not 'fmiModelDescription'", (const char *)root->name);
    read_version(x, root, fmu);
    if (x->status) return;
    bool old = fmu->version == 2;
    const char *token = old ? "guid" : "instantiationToken";
    fmu->version_text = xml_copy(x, root, "fmiVersion");
    fmu->name = xml_name(x, root, "modelName") != NULL ? xml_copy(x, root, "modelName") : NULL;
    fmu->token = xml_need(x, root, token) != NULL ? xml_copy(x, root, token) : NULL;
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT; k++)
        read_interface(x, root, elements[k], old ? "canGetAndSetFMUstate" : "canGetAndSetFMUState",
                       old ? "providesDirectionalDerivative" : "providesDirectionalDerivatives",
                       &fmu->interfaces[k]);
    if (old) (void)xml_whole(x, root, "numberOfEventIndicators", &fmu->indicators);
    if (fmu->indicators > FMU_INDICATORS_MAX) xml_refuse(x, root, "too many event indicators");
    fmu->scheduled = xml_child(root, "ScheduledExecution") != NULL;
    read_experiment(x, root, fmu);
    const xmlNode *variables = xml_child(root, "ModelVariables"),
                  *structure = xml_child(root, "ModelStructure");
    if (variables == NULL) xml_refuse(x, root, "the element 'ModelVariables' is missing");
    if (x->status) return;
    if (old)
        read_fmi_2(x, fmu, variables, structure);
    else
        read_fmi_3(x, fmu, variables, structure);
}

costab_status description_parse(costab_fmu *fmu, const char *path, const char *bytes, size_t size,
                                costab_error *error) {
    xml x;
    const xmlNode *root = xml_parse(&x, path, bytes, size, error);
    if (root != NULL) read_root(&x, root, fmu);
    xml_free(&x);
    return x.status;
}

void description_clear(costab_fmu *fmu) {
    for (int i = 0; i < fmu->variable_count; i++) {
        memory_free(fmu->variables[i].name);
        memory_free(fmu->variables[i].unit);
    }
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT; k++)
        memory_free_all(fmu->interfaces[k].identifier, fmu->interfaces[k].library);
    memory_free_all(fmu->variables, fmu->by_name, fmu->by_reference, fmu->states, fmu->path,
                    fmu->version_text, fmu->name, fmu->token, fmu->platforms);
    *fmu = (costab_fmu){.path = NULL};
}

/* ---- Public view ---- */

void costab_fmu_get_info(const costab_fmu *fmu, costab_fmu_info *info) {
    *info = (costab_fmu_info){.name = fmu->name,
                              .version = fmu->version_text,
                              .platforms = fmu->platforms,
                              .start_time = fmu->start_time,
                              .step_size = fmu->step_size,
                              .variables = fmu->variable_count};
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT; k++) {
        const fmu_interface *from = &fmu->interfaces[k];
        info->offers[k] = from->identifier != NULL;
        info->runs[k] = from->library != NULL;
        info->keeps_state[k] = from->keeps_state;
        info->derivatives[k] = from->derivatives;
    }
    for (int i = 0; i < fmu->state_count; i++)
        info->states += (int)fmu->variables[fmu->states[i].variable].size;
}

bool costab_fmu_get_variable(const costab_fmu *fmu, int i, costab_fmu_variable *variable) {
    if (i < 0 || i >= fmu->variable_count) return false;
    const fmu_variable *from = &fmu->variables[i];
    *variable = (costab_fmu_variable){
        .name = from->name,
        .causality = description_causalities[from->causality],
        .continuous = from->type == FMU_REAL && from->variability == FMU_CONTINUOUS,
        .has_start = from->has_start,
        .start = from->start,
        .state = from->is_state,
        .size = from->size,
    };
    return true;
}
