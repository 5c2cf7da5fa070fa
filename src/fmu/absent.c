/* Replaces costab/fmu.h in a library built without FMUs (make FMU=0): every FMU is refused. Other models are
 * unaffected. */
#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "costab/fmu.h"

static costab_status refuse(const char *path, costab_error *error) {
    return error_invalid(
        error,
        "'%s' is an FMU or a system of FMUs, and this costab is built without them: build it with make FMU=1",
        path);
}

const char *costab_fmu_kind_name(costab_fmu_kind kind) {
    static const char *const names[COSTAB_FMU_KIND_COUNT] = {"model-exchange", "co-simulation"};
    return (unsigned)kind < COSTAB_FMU_KIND_COUNT ? names[kind] : NULL;
}

costab_status costab_fmu_read(const char *path, costab_fmu **fmu, costab_error *error) {
    *fmu = NULL;
    return refuse(path, error);
}

void costab_fmu_free(costab_fmu **fmu) {
    *fmu = NULL;
}

void costab_fmu_get_info(const costab_fmu *fmu, costab_fmu_info *info) {
    (void)fmu;
    *info = (costab_fmu_info){0};
}

bool costab_fmu_get_variable(const costab_fmu *fmu, int i, costab_fmu_variable *variable) {
    (void)fmu, (void)i, (void)variable;
    return false;
}

static costab_status find(const costab_foreign_wish *wish, void **found, costab_foreign_ports *ports,
                          costab_error *error) {
    (void)found, (void)ports;
    return refuse(wish->path, error);
}

bool costab_ssp_is(const char *path) {
    return file_ends_in(path, ".ssp") || file_ends_in(path, ".ssd") || file_ends_in(path, ".xml") ||
           file_ends_in(path, ".fmu");
}

static costab_status read_system(const char *path, double macro_step, struct spec_file *document,
                                 costab_error *error) {
    (void)macro_step, (void)document;
    return refuse(path, error);
}

/* Every subsystem is refused, so the other functions are never called. */
const costab_foreign *costab_fmu_foreign(void) {
    static const costab_foreign foreign = {
        .find = find, .is_system = costab_ssp_is, .read_system = read_system};
    return &foreign;
}

const costab_foreign *costab_fmu_foreign_for_runs(void) {
    return costab_fmu_foreign();
}

void costab_fmu_set_running(bool running) {
    (void)running;
}

costab_status costab_fmu_set_timeout(double seconds, costab_error *error) {
    (void)seconds, (void)error;
    return COSTAB_OK;
}

costab_status costab_fmu_set_memory(size_t bytes, costab_error *error) {
    (void)bytes, (void)error;
    return COSTAB_OK;
}

costab_status costab_fmu_set_accuracy(double accuracy, costab_error *error) {
    (void)accuracy, (void)error;
    return COSTAB_OK;
}

void costab_fmu_set_listener(void (*hear)(void *context, const char *words), void *context) {
    (void)hear, (void)context;
}
