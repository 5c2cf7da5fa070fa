/* modelDescription.xml as a whole, of FMI 2.0 and 3.0: what its root says, and what others see of it. */
#include "fmu/description.h"

#include <string.h>

#include "base/memory.h"
#include "fmu/description_parts.h"

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

/* It becomes a part of a path. */
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
        xml_refuse(x, at, "%s: modelIdentifier = '%.100s' is no name of letters, digits, _, - and .", element,
                   identifier);
        return;
    }
    into->identifier = xml_copy(x, at, "modelIdentifier");
    (void)xml_flag(x, at, "needsExecutionTool", &into->needs_tool);
    (void)xml_flag(x, at, state_flag, &into->keeps_state);
    (void)xml_flag(x, at, derivative_flag, &into->derivatives);
    (void)xml_flag(x, at, "canBeInstantiatedOnlyOncePerProcess", &into->single_instance);
    (void)xml_flag(x, at, "canHandleVariableCommunicationStepSize", &into->variable_step);
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
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT; k++)
        memory_free_all(fmu->interfaces[k].identifier, fmu->interfaces[k].library);
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
