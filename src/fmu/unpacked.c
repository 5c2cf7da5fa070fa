/* The FMUs of this process on disk: a locked list with one entry per FMU and its number of users.
 * 1. Limit: an FMU counts with the sizes in its archive before anything is written. Unpacking respects these
 *    sizes (archive.c), so the limit on their sum holds for the disk.
 * 2. Unpacking: at the first use, by a separate process (base/guard.c), if the archive is still the same.
 * That process becomes the folder's keeper, the program of child.c, which removes the folder if this process
 * is killed.
 * 3. Removal: with the last user, or by a signal that ends the program (base/remains.h). */
#include "fmu/unpacked.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/remains.h"
#include "base/text.h"
#include "fmu/archive.h"
#include "fmu/child.h"

struct unpacked {
    char *path, *mark; /* of the FMU; archive_mark of its contents */
    int version;
    uint64_t size;
    int users;
    char *folder;  /* NULL: not unpacked */
    guard *keeper; /* of the folder */
    remains left;  /* the folder */
    struct unpacked *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unpacked *first;
static uint64_t total; /* sum of all sizes */

/* ---- Users ---- */

static unpacked *find(const costab_fmu *fmu) {
    unpacked *of = first;
    while (of != NULL && (strcmp(of->path, fmu->path) != 0 || strcmp(of->mark, fmu->contents_mark) != 0))
        of = of->next;
    return of;
}

static void remove_folder(unpacked *of) {
    guard_end(&of->keeper);
    if (of->folder != NULL) remains_remove(of->folder);
    remains_drop(&of->left);
    memory_free(of->folder);
    of->folder = NULL;
}

static void free_entry(unpacked *of) {
    remove_folder(of);
    memory_free_all(of->path, of->mark, of);
}

static costab_status add(const costab_fmu *fmu, unpacked **added, costab_error *error) {
    const double unit = 1073741824;
    if (fmu->unpacked_size > UNPACKED_BYTES_MAX - total)
        return error_invalid(
            error,
            "'%s': unpacked, the FMUs in use would take %.3g GiB; at most %g GiB are allowed: use fewer, "
            "or FMUs with smaller resources",
            fmu->path, ((double)total + (double)fmu->unpacked_size) / unit,
            (double)UNPACKED_BYTES_MAX / unit);
    TRY(memory_make(added, 1, error));
    **added = (unpacked){.path = memory_copy(fmu->path),
                         .mark = memory_copy(fmu->contents_mark),
                         .version = fmu->version,
                         .size = fmu->unpacked_size,
                         .next = first};
    if ((*added)->path == NULL || (*added)->mark == NULL) {
        free_entry(*added);
        return error_memory(error);
    }
    first = *added;
    total += fmu->unpacked_size;
    return COSTAB_OK;
}

costab_status unpacked_take(const costab_fmu *fmu, unpacked **taken, costab_error *error) {
    costab_status status = COSTAB_OK;
    (void)pthread_mutex_lock(&lock);
    *taken = find(fmu);
    if (*taken == NULL) status = add(fmu, taken, error);
    if (status)
        *taken = NULL;
    else
        (*taken)->users++;
    (void)pthread_mutex_unlock(&lock);
    return status;
}

void unpacked_leave(unpacked **left) {
    unpacked *of = *left;
    *left = NULL;
    if (of == NULL) return;
    (void)pthread_mutex_lock(&lock);
    if (--of->users == 0) {
        unpacked **at = &first;
        while (*at != of) at = &(*at)->next;
        *at = of->next;
        total -= of->size;
        free_entry(of);
    }
    (void)pthread_mutex_unlock(&lock);
}

/* ---- The folder ---- */

costab_status unpacked_make_folder(const char *parent, const char *name, char **folder, costab_error *error) {
    text_local path = {0};
    text_printf(&path, "%s/%s-XXXXXX", parent, name);
    *folder = path.failed ? NULL : memory_copy(path.data);
    if (*folder == NULL) return error_memory(error);
    return mkdtemp(*folder) != NULL ? COSTAB_OK
                                    : file_error(error, "make a temporary folder like", *folder, errno);
}

static costab_status write_program(const char *folder, costab_error *error) {
    text_local path = {0};
    text_printf(&path, "%s/%s", folder, CHILD_PROGRAM);
    if (path.failed) return error_memory(error);
    int made = open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU);
    int number = made < 0 ? errno : file_put(made, child_program, child_program_size);
    if (made >= 0 && close(made) != 0 && number == 0) number = errno;
    return number == 0 ? COSTAB_OK : file_error(error, "write", path.data, number);
}

/* Returns only if the program cannot be run; the FMU's first process reports this. */
static void become_keeper(char *folder, int channel) {
    text_local path = {0};
    char number[16], word[] = "keep";
    text_printf(&path, "%s/%s", folder, CHILD_PROGRAM);
    (void)snprintf(number, sizeof number, "%d", channel);
    (void)fcntl(channel, F_SETFD, 0);
    if (!path.failed) (void)execv(path.data, (char *[]){path.data, number, word, folder, NULL});
}

/* Unpacks an FMU, as a guard_work. A file that was replaced since it was read would not be the one that its
 * description and the results name. */
static void unpack(int channel, void *context) {
    const unpacked *of = context;
    archive *a = NULL;
    char mark[ARCHIVE_MARK_SIZE] = "";
    costab_error error = {.status = COSTAB_OK};
    costab_status status = archive_open(of->path, &a, &error);
    if (!status) archive_mark(a, mark);
    if (!status && strcmp(mark, of->mark) != 0)
        status = error_invalid(&error, "the file was replaced after the model was read; read it again");
    if (!status) status = archive_unpack(a, description_folder(of->version), of->folder, &error);
    if (!status) status = archive_unpack(a, FMU_RESOURCES, of->folder, &error);
    if (!status) status = write_program(of->folder, &error);
    error.status = status;
    if (!guard_put(channel, &error, sizeof error))
        remains_remove(of->folder);
    else if (!status)
        become_keeper(of->folder, channel);
}

/* Runs `unpack` in a child. */
static costab_status unpack_in_child(unpacked *of, costab_error *error) {
    const guard_terms terms = {
        .writes = true, .alone = true, .group = true}; /* independent of signals to our process group */
    costab_error found;
    TRY(guard_start(&terms, of->path, "costab", unpack, of, &of->keeper, error));
    costab_status status = guard_receive(of->keeper, &found, sizeof found, error);
    if (status || found.status == COSTAB_OK) return status;
    return error_set(error, found.status, "%s: %s", file_name(of->path), found.message);
}

static costab_status make(unpacked *of, costab_error *error) {
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] != '/') base = "/tmp";
    remains_hold();
    costab_status status = unpacked_make_folder(base, "costab", &of->folder, error);
    of->left = (remains){.path = of->folder};
    if (!status) remains_add(&of->left);
    remains_release();
    if (!status) status = unpack_in_child(of, error);
    if (status) remove_folder(of);
    return status;
}

costab_status unpacked_folder(unpacked *of, char **folder, costab_error *error) {
    (void)pthread_mutex_lock(&lock);
    costab_status status = of->folder == NULL ? make(of, error) : COSTAB_OK;
    *folder = of->folder;
    (void)pthread_mutex_unlock(&lock);
    return status;
}
