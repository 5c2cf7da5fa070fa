/* Files of strangers around FMUs: archives, model descriptions of FMI 2.0 and 3.0, system structures. An
 * archive is opened and all its entries are read; a description must have what the rest relies on, or be
 * refused with a message. No program is run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/ssp.h"
#include "fuzz.h"

#define ENTRY_MOST ((size_t)1 << 20)

static void promise(int kept) {
    if (!kept) abort();
}

static void refused_in_words(costab_status status, const costab_error *error) {
    promise(status == error->status && error->message[0] != '\0');
}

static void look_at_description(const char *bytes, size_t size) {
    costab_fmu fmu = {.path = NULL};
    costab_error error = {.status = COSTAB_OK};
    costab_status status = description_parse(&fmu, "m.xml", bytes, size, &error);
    if (status) refused_in_words(status, &error);
    for (int i = 0; i < fmu.variable_count && !status; i++)
        promise(fmu.variables[i].name != NULL && fmu.variables[i].nominal > 0 &&
                isfinite(fmu.variables[i].start) && fmu.variables[i].size <= FMU_ELEMENTS_MAX);
    for (int i = 0; i < fmu.state_count && !status; i++)
        promise(fmu.states[i].variable < fmu.variable_count && fmu.states[i].derivative < fmu.variable_count);
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT && !status; k++)
        promise(fmu.interfaces[k].identifier == NULL ||
                strpbrk(fmu.interfaces[k].identifier, "/.\\") == NULL);
    promise(status || ((fmu.version == 2 || fmu.version == 3) && fmu.token != NULL && fmu.name != NULL));
    description_clear(&fmu);
}

static void look_at_system(const char *bytes, size_t size) {
    ssp system;
    costab_error error = {.status = COSTAB_OK};
    costab_status status = ssp_parse(&system, NULL, "nowhere/s.ssd", "nowhere/s.ssd", bytes, size, &error);
    if (status) refused_in_words(status, &error);
    for (int i = 0; i < system.connection_count && !status; i++)
        promise(system.connections[i].from >= 0 && system.connections[i].from < system.connector_count &&
                system.connections[i].to >= 0 && system.connections[i].to < system.connector_count);
    ssp_clear(&system);
}

static void look_at_archive(const void *bytes, size_t size) {
    archive *a = NULL;
    costab_error error = {.status = COSTAB_OK};
    costab_status status = archive_open_bytes("a.fmu", bytes, size, &a, &error);
    if (status) refused_in_words(status, &error);
    for (size_t i = 0; !status && i < archive_count(a); i++) {
        const char *name = archive_name(a, i);
        char *content = NULL;
        size_t length;
        promise(name[0] != '/' && strncmp(name, "../", 3) != 0 && strstr(name, "/../") == NULL);
        if (archive_read(a, name, ENTRY_MOST, &content, &length, &error) == COSTAB_OK) {
            promise(length <= ENTRY_MOST && content[length] == '\0');
            if (strcmp(name, "modelDescription.xml") == 0) look_at_description(content, length);
        }
        memory_free(content);
    }
    archive_close(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    if (size > 1 && text[0] == 'P' && text[1] == 'K') {
        look_at_archive(data, size);
    } else {
        look_at_description(text, size);
        look_at_system(text, size);
    }
    return 0;
}
