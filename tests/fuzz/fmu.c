/* Untrusted files around FMUs: archives, model descriptions of FMI 2.0 and 3.0, system structures of
 * SSP and of OSP. An archive is opened and all its entries are read; a description must have what the rest
 * relies on, or be refused with a message. A system finds two FMUs, a set of values, a mapping and groups
 * beside it, and becomes the document of a model. No program is run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "base/memory.h"
#include "costab/spec.h"
#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/ssp.h"
#include "fuzz.h"
#include "spec/sections.h"

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
                (strpbrk(fmu.interfaces[k].identifier, "/\\") == NULL &&
                 strstr(fmu.interfaces[k].identifier, "..") == NULL));
    promise(status || ((fmu.version == 2 || fmu.version == 3) && fmu.token != NULL && fmu.name != NULL));
    description_clear(&fmu);
}

/* ---- The folder of systems ---- */

enum { PATH_SIZE = 300 };
static char folder[PATH_SIZE - 50], system_path[PATH_SIZE];
static const char *const beside[] = {"resources/mass.fmu",
                                     "resources/coupled.fmu",
                                     "extra/set.ssv",
                                     "extra/m.ssm",
                                     "resources/mass_OspModelDescription.xml",
                                     "s.ssd"};

static void in_folder(const char *name, char path[PATH_SIZE]) {
    (void)snprintf(path, PATH_SIZE, "%s/%s", folder, name);
}

static void remove_folder(void) {
    static const char *const folders[] = {"resources", "extra", ""};
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        in_folder(beside[i], path), (void)remove(path);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        in_folder(folders[i], path), (void)rmdir(path);
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    promise(file != NULL && (size == 0 || fwrite(bytes, 1, size, file) == size) && fclose(file) == 0);
}

/* An FMU without a program: its description is a seed. */
static void pack(const char *name, const char *description) {
    char path[PATH_SIZE];
    in_folder(name, path);
    zip_t *zip = zip_open(path, ZIP_CREATE, NULL);
    zip_source_t *source = zip != NULL ? zip_source_file(zip, description, 0, 0) : NULL;
    promise(source != NULL && zip_file_add(zip, "modelDescription.xml", source, 0) >= 0 &&
            zip_close(zip) == 0);
}

static void make_folder(void) {
    static const char values[] = "<ParameterSet version='1.0' name='p'><Parameters><Parameter name='k'>"
                                 "<Real value='3' unit='mm'/></Parameter></Parameters></ParameterSet>",
                      mapping[] = "<ParameterMapping version='1.0'><MappingEntry source='k' target='m'>"
                                  "<LinearTransformation factor='2'/></MappingEntry></ParameterMapping>",
                      groups[] = "<OspModelDescription><VariableGroups><Generic name='g'><Generic name='p'>"
                                 "<Variable ref='position'/><Variable ref='speed'/></Generic><Variable "
                                 "ref='force'/></Generic></VariableGroups></OspModelDescription>";
    const char *base = getenv("TMPDIR");
    char path[PATH_SIZE];
    (void)snprintf(folder, sizeof folder, "%.200s/costab-fuzz-XXXXXX", base != NULL ? base : "/tmp");
    promise(mkdtemp(folder) != NULL);
    promise(atexit(remove_folder) == 0);
    in_folder("resources", path);
    promise(mkdir(path, 0700) == 0);
    in_folder("extra", path);
    promise(mkdir(path, 0700) == 0);
    pack(beside[0], "tests/fuzz/seeds/fmu/mass-2.xml");
    pack(beside[1], "tests/fuzz/seeds/fmu/coupled-3.xml");
    in_folder(beside[2], path);
    write_file(path, values, sizeof values - 1);
    in_folder(beside[3], path);
    write_file(path, mapping, sizeof mapping - 1);
    in_folder(beside[4], path);
    write_file(path, groups, sizeof groups - 1);
    in_folder(beside[5], system_path);
}

static void look_at_model(const char *bytes, size_t size) {
    ends_by(spec_file_free) spec_file document = {.path = system_path};
    costab_spec *spec = NULL;
    costab_error error = {.status = COSTAB_OK};
    write_file(system_path, bytes, size);
    costab_status status = ssp_model(system_path, 0.1, &document, &error);
    if (status) refused_in_words(status, &error);
    /* Nothing fills its subsystems here: it is refused. */
    promise(status || spec_read_document(system_path, &document, NULL, &spec, &error) != COSTAB_OK);
    costab_spec_destroy(&spec);
}

static void look_at_system(const char *bytes, size_t size) {
    ssp system;
    costab_error error = {.status = COSTAB_OK};
    if (folder[0] == '\0') make_folder();
    costab_status status = ssp_parse(&system, NULL, system_path, system_path, bytes, size, &error);
    if (status) refused_in_words(status, &error);
    for (int i = 0; i < system.connection_count && !status; i++)
        promise(system.connections[i].from >= 0 && system.connections[i].from < system.connector_count &&
                system.connections[i].to >= 0 && system.connections[i].to < system.connector_count);
    for (int i = 0; i < 2 * system.bond_count && !status; i++)
        promise(system.bonds[i / 2].connections[i % 2] >= 0 &&
                system.bonds[i / 2].connections[i % 2] < system.connection_count);
    bool whole = !status;
    ssp_clear(&system);
    if (whole) look_at_model(bytes, size);
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
    const char *words = (const char *)data;
    if (size > 1 && words[0] == 'P' && words[1] == 'K') {
        look_at_archive(data, size);
    } else {
        look_at_description(words, size);
        look_at_system(words, size);
    }
    return 0;
}
