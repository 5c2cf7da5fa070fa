/* Start of an FMU's process, forked from costab: it becomes the program of child.c.
 * 1. It enters a private folder, also used as TMPDIR, so files left by an FMU are removed.
 * 2. The program's terms are written there (child_put).
 * 3. exec replaces the process, which removes costab and its libraries. The program is linked with the C
 *    library alone, so an FMU only sees its own symbols, its libraries and the C library. RTLD_DEEPBIND would
 *    leave costab's libraries visible, for undefined symbols and in place of bundled libraries of the same
 *    name.
 * The program's bytes are embedded in this library, because callers of libcostab may not have a separate
 * file. They are written next to the unpacked FMU (unpacked.c). */
#include <errno.h>
#include <fcntl.h>
#include <libxml/uri.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/guard.h"
#include "fmu/child.h"

static costab_status enter_folder(const char *folder, costab_error *error) {
    if (chdir(folder) == 0 && setenv("TMPDIR", folder, 1) == 0) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "its folder '%s' cannot be entered: %s", folder, strerror(errno));
}

static costab_status write_terms(const text *bytes, costab_error *error) {
    int made = open(CHILD_TERMS, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    int number = made < 0 ? errno : file_put(made, bytes->data, bytes->size);
    if (made >= 0) (void)close(made);
    return number == 0 ? COSTAB_OK : file_error(error, "write", CHILD_TERMS, number);
}

/* Names the resources, as a URI in 2.0 and as a path in 3.0. */
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

/* Becomes the program; returns only on failure. */
static costab_status become_program(const fmu_child *child, int channel, costab_error *error) {
    char numbers[2][16];
    const int kept[2] = {channel, child->board};
    text_local bytes = {0};
    text_local resources = {0};
    text_local program = {0};
    fmu_child passed = *child;
    TRY(enter_folder(child->own, error));
    TRY(name_resources(child, &resources, error));
    passed.resources = resources.data;
    child_put(&passed, &bytes);
    text_printf(&program, "%s/%s", child->folder, CHILD_PROGRAM);
    if (bytes.failed || program.failed) return error_memory(error);
    TRY(write_terms(&bytes, error));
    for (int i = 0; i < 2; i++) {
        (void)fcntl(kept[i], F_SETFD, 0);
        (void)snprintf(numbers[i], sizeof *numbers, "%d", kept[i]);
    }
    (void)execv(program.data, (char *[]){program.data, numbers[0], numbers[1], NULL});
    return error_set(
        error, COSTAB_IO,
        "programs in the folder '%s' cannot be run: %s; set TMPDIR to a folder in which they can",
        child->folder, strerror(errno));
}

void child_main(int channel, void *context) {
    const fmu_child *child = context;
    costab_error error = {.status = COSTAB_OK};
    guard_memory(child->memory);
    costab_status status = become_program(child, channel, &error);
    fmu_answer answer = {.status = FMI_ERROR, .memory = status == COSTAB_MEMORY};
    (void)snprintf(answer.words, sizeof answer.words, "%.*s", FMU_WORDS_MAX - 1, error.message);
    (void)guard_put(channel, &answer, sizeof answer);
}
