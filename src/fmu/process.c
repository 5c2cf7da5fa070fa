/* The beginning of an FMU's process, which costab forks: it prepares the folder and becomes the program of
 * child.c.
 *   1. The FMU's archive is unpacked into the folder.
 *   2. The program of child.c, whose bytes are part of this library, is written there, and beside it what it
 *      has to know (child_put).
 *   3. exec replaces the process: nothing of costab and of its libraries is left in it. The program is linked
 *      with the C library alone. So the symbols of an FMU are its own, those of the libraries that it names,
 *      and the C library's. RTLD_DEEPBIND would leave costab's libraries in sight: to symbols that the FMU
 *      does not define itself, and in place of libraries of the same name that it brings.
 * The program is inside the library because a caller of libcostab could not be relied on to find a file.
 * Cost: 80 KB are written, which takes a millisecond. */
#include <errno.h>
#include <fcntl.h>
#include <libxml/uri.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/remains.h"
#include "fmu/archive.h"
#include "fmu/child.h"

static costab_status write_file(const char *path, mode_t mode, const void *bytes, size_t size,
                                costab_error *error) {
    int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    int number = made < 0 ? errno : file_put(made, bytes, size);
    if (made >= 0) (void)close(made);
    return number == 0 ? COSTAB_OK : file_error(error, "write", path, number);
}

/* The resources as a URI in 2.0, as a path in 3.0. */
static costab_status name_resources(const fmu_child *child, text *resources, costab_error *error) {
    xmlChar *coded = xmlURIEscapeStr((const xmlChar *)child->folder, (const xmlChar *)"/");
    if (child->part->fmu->version == 2)
        text_printf(resources, "file://%s/resources", coded != NULL ? (const char *)coded : "");
    else
        text_printf(resources, "%s/resources/", child->folder);
    bool failed = resources->failed || coded == NULL;
    xmlFree(coded);
    return failed ? error_memory(error) : COSTAB_OK;
}

/* Unpacks the FMU's libraries and resources. */
static costab_status unpack(const fmu_child *child, costab_error *error) {
    ends_by(archive_close) archive *a = NULL;
    TRY(archive_open(child->part->fmu->path, &a, error));
    TRY(archive_unpack(a, description_folder(child->part->fmu->version), child->folder, error));
    TRY(archive_unpack(a, "resources/", child->folder, error));
    if (chdir(child->folder) == 0) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "its folder '%s' cannot be entered: %s", child->folder,
                     strerror(errno));
}

/* Becomes the program; returns only if that fails. */
static costab_status become_program(const fmu_child *child, int channel, costab_error *error) {
    char numbers[2][16];
    const int kept[2] = {channel, child->board};
    text_local bytes = {0};
    text_local resources = {0};
    fmu_child passed = *child;
    TRY(name_resources(child, &resources, error));
    passed.resources = resources.data;
    child_put(&passed, &bytes);
    if (bytes.failed) return error_memory(error);
    TRY(write_file(CHILD_PROGRAM, S_IRWXU, child_program, child_program_size, error));
    TRY(write_file(CHILD_TERMS, S_IRUSR | S_IWUSR, bytes.data, bytes.size, error));
    for (int i = 0; i < 2; i++) {
        (void)fcntl(kept[i], F_SETFD, 0);
        (void)snprintf(numbers[i], sizeof *numbers, "%d", kept[i]);
    }
    char name[] = CHILD_PROGRAM;
    (void)execv(CHILD_PROGRAM, (char *[]){name, numbers[0], numbers[1], NULL});
    return error_set(error, COSTAB_IO,
                     "programs in the folder '%s' cannot be run: %s; set TMPDIR to another folder",
                     child->folder, strerror(errno));
}

void child_main(int channel, void *context) {
    const fmu_child *child = context;
    costab_error error = {.status = COSTAB_OK};
    guard_memory(child->memory);
    costab_status status = unpack(child, &error);
    if (!status) status = become_program(child, channel, &error);
    fmu_answer answer = {.status = FMI_ERROR, .memory = status == COSTAB_MEMORY};
    (void)snprintf(answer.words, sizeof answer.words, "%.*s", FMU_WORDS_MAX - 1, error.message);
    (void)guard_put(channel, &answer, sizeof answer);
    remains_remove(child->folder);
}
