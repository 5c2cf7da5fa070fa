/* modelDescription.xml: what both versions share, and the life of a description. What costab does not know,
 * such as annotations, is passed over; an unknown value of a known attribute is refused. */
#include "fmu/description.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spelling.h"
#include "base/text.h"
#include "fmu/description_parts.h"

static const char *const kinds[] = {"model-exchange", "co-simulation"};
static const char *const causalities[] = {"parameter",   "calculatedParameter", "input", "output", "local",
                                          "independent", "structuralParameter"};
static const char *const variabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
static const char *const initials[] = {"exact", "approx", "calculated"};

#define COUNT(words) ((int)(sizeof(words) / sizeof *(words)))

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

/* ---- The parts of both versions ---- */

/* It becomes a part of a path. */
static bool is_identifier(const char *word) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return word[0] != '\0' && strchr(letters, word[0]) != NULL &&
           word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] == '\0';
}

static void read_interface(xml *x, const xmlNode *root, const char *element, const char *state_flag,
                           const char *derivative_flag, fmu_interface *into) {
    const xmlNode *at = xml_child(root, element);
    if (at == NULL) return;
    const char *identifier = xml_need(x, at, "modelIdentifier");
    if (identifier != NULL && !is_identifier(identifier)) {
        xml_refuse(x, at, "%s: modelIdentifier = '%.100s' is no name of letters, digits and _", element,
                   identifier);
        return;
    }
    into->identifier = xml_copy(x, at, "modelIdentifier");
    (void)xml_flag(x, at, "needsExecutionTool", &into->needs_tool);
    (void)xml_flag(x, at, state_flag, &into->keeps_state);
    (void)xml_flag(x, at, derivative_flag, &into->derivatives);
    (void)xml_flag(x, at, "canBeInstantiatedOnlyOncePerProcess", &into->once);
    (void)xml_flag(x, at, "canHandleVariableCommunicationStepSize", &into->variable_step);
    (void)xml_flag(x, at, "canInterpolateInputs", &into->lines);
}

static void read_experiment(xml *x, const xmlNode *root, costab_fmu *fmu) {
    const xmlNode *at = xml_child(root, "DefaultExperiment");
    if (at == NULL) return;
    (void)xml_number(x, at, "startTime", &fmu->start_time);
    (void)xml_number(x, at, "tolerance", &fmu->tolerance);
    (void)xml_number(x, at, "stepSize", &fmu->step_size);
    if (fmu->step_size < 0 || fmu->tolerance < 0)
        xml_refuse(x, at, "DefaultExperiment: stepSize and tolerance cannot be negative");
}

void description_variable(xml *x, const xmlNode *element, fmu_variability usual, fmu_variable *v) {
    int causality = FMU_LOCAL, initial = FMU_INITIAL_NONE;
    v->line = (size_t)xmlGetLineNo(element);
    v->size = 1;
    v->nominal = 1;
    v->name = xml_name(x, element, "name") != NULL ? xml_copy(x, element, "name") : NULL;
    if (xml_need(x, element, "valueReference") != NULL)
        (void)xml_whole(x, element, "valueReference", &v->reference);
    (void)xml_choice(x, element, "causality", causalities, COUNT(causalities), &causality);
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

void description_number(xml *x, const xmlNode *element, fmu_variable *v) {
    read_start(x, element, v);
    if (v->type != FMU_REAL && v->type != FMU_FLOAT32) return;
    if (xml_number(x, element, "nominal", &v->nominal) && v->nominal < 0) v->nominal = -v->nominal;
    if (v->nominal == 0) v->nominal = 1;
    v->has_state = xml_whole(x, element, "derivative", &v->state);
    v->unit = xml_copy(x, element, "unit");
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

/* ---- Names and references ---- */

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

void description_add_state(xml *x, const xmlNode *at, costab_fmu *fmu, int derivative) {
    const fmu_variable *d = &fmu->variables[derivative];
    int state = meant(fmu, d->state);
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
    fmu->variables[output].apart = apart;
}

/* ---- The whole ---- */

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
        description_read_2(x, fmu, variables, structure);
    else
        description_read_3(x, fmu, variables, structure);
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
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT; k++) memory_free(fmu->interfaces[k].identifier);
    memory_free_all(fmu->variables, fmu->by_name, fmu->by_reference, fmu->states, fmu->path,
                    fmu->version_text, fmu->name, fmu->token, fmu->platforms);
    *fmu = (costab_fmu){.path = NULL};
}

/* ---- What others see of it ---- */

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
        info->runs[k] = fmu->binary[k];
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
        .causality = causalities[from->causality],
        .continuous = from->type == FMU_REAL && from->variability == FMU_CONTINUOUS,
        .has_start = from->has_start,
        .start = from->start,
        .state = from->is_state,
        .size = from->size,
    };
    return true;
}
