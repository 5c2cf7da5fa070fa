/* Reads an FMU's archive: its description, and for each kind of interface (model exchange, co-simulation)
 * the library for this machine. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/xml.h"

/* Returns true if a list, such as "linux64, win64", contains this word. */
static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += strspn(at, ", ");
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) return true;
    }
    return false;
}

/* Displayed bytes of a folder's name, and length that ends a list. */
enum { FOLDER_MAX = 40, FOLDERS_MAX = 400 };

/* Lists the folders below binaries/ once each. */
static void list_platforms(const archive *a, text *list) {
    static const char prefix[] = "binaries/";
    const size_t length = sizeof prefix - 1;
    for (size_t i = 0; i < archive_count(a) && !list->failed && list->size < FOLDERS_MAX; i++) {
        const char *name = archive_name(a, i);
        if (strncmp(name, prefix, length) != 0) continue;
        size_t part = strcspn(name + length, "/");
        if (part == 0 || name[length + part] != '/') continue;
        if (part > FOLDER_MAX) part = FOLDER_MAX;
        memory_local char *folder = memory_copy_n(name + length, part);
        if (folder == NULL) list->failed = true;
        if (folder != NULL) text_make_plain(folder, part + 1);
        if (folder != NULL && !has_word(list->data, folder))
            text_printf(list, "%s%s", list->size > 0 ? ", " : "", folder);
    }
    text_append(list, "");
}

/* Returns the path of the library of that name in a folder of an archive, or of the only library there; NULL
 * if there is none, or several of other names. */
static const char *find_library(const archive *a, const char *folder, const char *identifier) {
    static const char ending[] = ".so";
    const char *lone = NULL;
    int count = 0;
    for (size_t i = 0; i < archive_count(a); i++) {
        const char *path = archive_name(a, i), *name = path + strlen(folder);
        if (strncmp(path, folder, strlen(folder)) != 0 || strchr(name, '/') != NULL) continue;
        size_t size = strlen(name), stem = strlen(identifier);
        if (size < sizeof ending || strcmp(name + size - (sizeof ending - 1), ending) != 0) continue;
        if (size == stem + sizeof ending - 1 && strncmp(name, identifier, stem) == 0) return path;
        lone = path;
        count++;
    }
    return count == 1 ? lone : NULL;
}

static costab_status find_binaries(costab_fmu *fmu, const archive *a, costab_error *error) {
    const char *folder = description_folder(fmu->version);
    text_local list = {0};
    list_platforms(a, &list);
    fmu->platforms = list.failed ? NULL : memory_copy(list.data != NULL ? list.data : "");
    if (fmu->platforms == NULL) return error_memory(error);
    fmu->sources = archive_has(a, "sources/");
    fmu->unpacked_size = archive_size(a, FMU_RESOURCES) + (folder != NULL ? archive_size(a, folder) : 0);
    for (int k = 0; k < COSTAB_FMU_KIND_COUNT && folder != NULL; k++) {
        fmu_interface *of = &fmu->interfaces[k];
        const char *found = of->identifier != NULL ? find_library(a, folder, of->identifier) : NULL;
        if (found != NULL && (of->library = memory_copy(found)) == NULL) return error_memory(error);
    }
    return COSTAB_OK;
}

static costab_status read_description(costab_fmu *fmu, archive *a, costab_error *error) {
    static const char name[] = "modelDescription.xml";
    memory_local char *bytes = NULL;
    size_t size;
    text_local path = {0};
    TRY(archive_read(a, name, XML_BYTES_MAX, &bytes, &size, error));
    text_printf(&path, "%s/%s", fmu->path, name);
    if (path.failed) return error_memory(error);
    TRY(description_parse(fmu, path.data, bytes, size, error));
    archive_mark(a, fmu->contents_mark);
    return find_binaries(fmu, a, error);
}

costab_status costab_fmu_read(const char *path, costab_fmu **fmu, costab_error *error) {
    ends_by(archive_close) archive *a = NULL;
    *fmu = NULL;
    TRY(archive_open(path, &a, error));
    *fmu = memory_alloc(1, sizeof **fmu);
    if (*fmu != NULL) (*fmu)->path = memory_copy(path);
    costab_status status =
        *fmu == NULL || (*fmu)->path == NULL ? error_memory(error) : read_description(*fmu, a, error);
    if (status) costab_fmu_free(fmu);
    return status;
}

void costab_fmu_free(costab_fmu **fmu) {
    if (fmu == NULL || *fmu == NULL) return;
    description_clear(*fmu);
    memory_free(*fmu);
    *fmu = NULL;
}
