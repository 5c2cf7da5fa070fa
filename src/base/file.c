/* Files that appear complete or not at all.
 *   1. Draft: a file in the target's folder, without a name if the system supports it (O_TMPFILE), otherwise
 *      with a hidden name, which is constant if the caller holds a lock.
 *   2. Synchronise: the draft gets the mode of the file that it replaces, and its bytes are written to the
 *      disk.
 *   3. Link: an older file gets a second, hidden name, so that it can be restored.
 *   4. Rename: the draft is renamed over the target, and the folder synchronised; after a failure the rename
 *      is undone.
 *
 * Without `force` only an empty file, or a file that costab wrote and that was not edited since, is replaced:
 * a text (script, data, model, page) if its marker line has the CRC-32 of the lines below; a figure if the
 * script in its folder is costab's own and names the figure. (Results files and logs:
 * costab_store_may_replace.)
 *
 * Limitation: a file system that cannot synchronise folders may lose the rename in a power failure. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* O_TMPFILE; before the first header */
#endif
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/memory.h"

/* A hidden name is ".", the start of the file's name, a hash of the whole name, and numbers: shorter than the
 * usual limit of 255 bytes, and distinct for distinct names. */
#define NAME_KEPT 180   /* bytes of the file's name, at most */
#define NAME_MORE 72    /* bytes of all else, at most */
#define TRIES     1000u /* number of names that are tried */

/* Endings of hidden names: of a draft, and of the file that it will replace. */
#define PART  "part"
#define OLDER "older"

/* Returns the `attempt`-th hidden name in the target's folder, distinct for this process or (alone) the same
 * for all; free with memory_free. */
static char *hidden_name(const char *target, const char *ending, bool alone, unsigned attempt) {
    const char *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    size_t folder = (size_t)(base - target), length = strlen(base), size = strlen(target) + NAME_MORE;
    if (length > NAME_KEPT) length = NAME_KEPT;
    char *name = memory_alloc(size, 1), turn[32] = "";
    if (!alone) (void)snprintf(turn, sizeof turn, "%ld-%u.", (long)getpid(), attempt);
    if (name)
        (void)snprintf(name, size, "%.*s.%.*s.%016" PRIx64 ".%s%s", (int)folder, target, (int)length, base,
                       hash_bytes(HASH_START, base, strlen(base)), turn, ending);
    return name;
}

/* Returns the folder of a target; free with memory_free. */
static char *folder_of(const char *target) {
    const char *slash = strrchr(target, '/');
    return slash ? memory_copy_n(target, (size_t)(slash - target) + 1) : memory_copy(".");
}

#ifdef O_TMPFILE
/* Writes the path of a descriptor, for linkat. */
static void descriptor_path(int descriptor, char path[static 32]) {
    (void)snprintf(path, 32, "/proc/self/fd/%d", descriptor);
}

/* [out] *descriptor: -1 if the system or the file system does not support files without names. Returns 0 or
 * an errno. */
static int open_nameless(const char *target, int *descriptor) {
    memory_local char *folder = folder_of(target);
    char path[32];
    if (!folder) return ENOMEM;
    *descriptor = file_open(folder, O_TMPFILE | O_RDWR);
    if (*descriptor < 0) return 0;
    descriptor_path(*descriptor, path);
    if (access(path, F_OK) == 0) return 0;
    (void)close(*descriptor);
    *descriptor = -1;
    return 0;
}

static int link_nameless(int descriptor, const char *name) {
    char path[32];
    descriptor_path(descriptor, path);
    return linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}
#else
static int open_nameless(const char *target, int *descriptor) {
    (void)target;
    *descriptor = -1;
    return 0;
}

static int link_nameless(int descriptor, const char *name) {
    (void)descriptor;
    (void)name;
    return ENOTSUP;
}
#endif

/* Creates the file with the draft's name; a signal that ends the program removes it. Returns 0 or an errno.
 */
static int create_hidden_file(file_draft *draft) {
    remains *left = memory_alloc(1, sizeof *left);
    if (!left) return ENOMEM;
    remains_hold();
    draft->descriptor = file_open(draft->name, O_RDWR | O_CREAT | O_EXCL);
    int number = draft->descriptor < 0 ? errno : 0;
    left->path = draft->name;
    if (!number) remains_add(left);
    remains_release();
    if (number)
        memory_free(left);
    else
        draft->left = left;
    return number;
}

/* Creates a draft with a hidden name. Its mode is 0666, unlike mkstemp's, so that the user's umask decides
 * who may read the result. Returns 0 or an errno. */
static int open_hidden(const char *target, file_draft *draft) {
    for (unsigned attempt = 0; attempt < TRIES; attempt++) {
        char *name = hidden_name(target, PART, draft->terms.alone, attempt);
        if (!name) return ENOMEM;
        if (draft->terms.alone) (void)unlink(name); /* left by a killed program */
        draft->name = name;
        int number = create_hidden_file(draft);
        if (!number) return 0;
        draft->name = NULL;
        memory_free(name);
        if (number != EEXIST) return number;
    }
    return EEXIST;
}

costab_status file_create(const char *path, const file_terms *terms, file_draft *draft, costab_error *error) {
    memory_local char *target = NULL;
    *draft = FILE_DRAFT_NONE;
    TRY(file_may_replace(path, terms, error));
    TRY(file_target(path, &target, error));
    if (terms) draft->terms = *terms;
    int number = draft->terms.named ? 0 : open_nameless(target, &draft->descriptor);
    if (!number && draft->descriptor < 0) number = open_hidden(target, draft);
    return number ? file_error(error, "create a file beside", path, number) : COSTAB_OK;
}

costab_status file_beside(const char *path, const char *ending, char **name, costab_error *error) {
    memory_local char *target = NULL;
    *name = NULL;
    TRY(file_target(path, &target, error));
    size_t size = strlen(target) + strlen(ending) + 1;
    *name = memory_alloc(size, 1);
    if (*name) (void)snprintf(*name, size, "%s%s", target, ending);
    return *name ? COSTAB_OK : error_memory(error);
}

/* Gives a nameless draft a hidden name, for the rename. Returns 0 or an errno. */
static int link_hidden_name(const char *target, file_draft *draft) {
    int number = draft->name ? 0 : EEXIST;
    for (unsigned attempt = 0; attempt < TRIES && number == EEXIST; attempt++) {
        char *name = hidden_name(target, PART, false, attempt);
        if (!name) return ENOMEM;
        number = link_nameless(draft->descriptor, name);
        if (number)
            memory_free(name);
        else
            draft->name = name;
    }
    return number;
}

/* Gives the draft the mode of the file that it will replace. Returns 0 or an errno. */
static int copy_mode(const char *target, int descriptor) {
    struct stat older;
    if (stat(target, &older) != 0) return errno == ENOENT ? 0 : errno;
    return fchmod(descriptor, older.st_mode & 0777) == 0 ? 0 : errno;
}

/* Closes a second descriptor, because some systems report a failed write only when a file is closed. Returns
 * 0 or an errno. */
static int check_close(int descriptor) {
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return copy >= 0 && close(copy) == 0 ? 0 : errno;
}

/* Sets the draft's mode and writes its bytes to the disk. Returns 0 or an errno. */
static int synchronise_draft(const char *target, const file_draft *draft) {
    int number = copy_mode(target, draft->descriptor);
    return number || fsync(draft->descriptor) == 0 ? number : errno;
}

/* Gives the draft a hidden name and reports failed writes. (With a lock no second descriptor may be closed:
 * that would release the lock.) Returns 0 or an errno. */
static int name_draft(const char *target, file_draft *draft) {
    int number = link_hidden_name(target, draft);
    return number || draft->terms.alone ? number : check_close(draft->descriptor);
}

bool file_is_named(int descriptor, const char *name) {
    struct stat open_file, named;
    return fstat(descriptor, &open_file) == 0 && lstat(name, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

/* Some file systems cannot synchronise a folder and return EINVAL or ENOTSUP; that is accepted, as is a
 * folder without read permission, which cannot be opened. */
int file_sync_folder(const char *target) {
    memory_local char *folder = folder_of(target);
    if (!folder) return ENOMEM;
    int fd = file_open(folder, O_RDONLY | O_DIRECTORY), number = fd < 0 ? errno : 0;
    if (fd < 0) return number == EACCES ? 0 : number;
    if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) number = errno;
    if (close(fd) != 0 && !number) number = errno;
    return number;
}

/* Gives the file to be replaced a second name. Returns NULL if the file does not exist or links are not
 * supported. */
static char *link_older(const char *target, bool alone) {
    for (unsigned attempt = 0; attempt < TRIES; attempt++) {
        char *name = hidden_name(target, OLDER, alone, attempt);
        if (name && alone) (void)unlink(name); /* left by a killed program */
        if (!name || link(target, name) == 0) return name;
        int number = errno;
        memory_free(name);
        if (number != EEXIST) return NULL;
    }
    return NULL;
}

/* Undoes the rename of a draft. The disk has just failed, so another rename may fail, too. Returns false if
 * the draft cannot have its own name again: then no file can be moved, and the finished file stays the
 * target. */
static bool undo_rename(file_draft *draft, const char *target, const char *older) {
    if (rename(target, draft->name) != 0 && link(target, draft->name) != 0) {
        draft->name[0] = '\0';
        if (older) (void)unlink(older);
        return false;
    }
    if (older && rename(older, target) == 0) return true;
    (void)unlink(target);
    if (older && link(older, target) == 0) (void)unlink(older);
    return true;
}

/* Renames the synchronised draft over the target. Afterwards the draft has no name of its own. */
static costab_status rename_over_target(file_draft *draft, const char *target, const char *path,
                                        costab_error *error) {
    if (!file_is_named(draft->descriptor, draft->name)) {
        draft->name[0] = '\0'; /* the name belongs to another file now */
        return error_set(error, COSTAB_IO,
                         "cannot write '%s': another process took the name of the unfinished file; run it "
                         "again",
                         path);
    }
    memory_local char *older = link_older(target, draft->terms.alone);
    if (rename(draft->name, target) != 0) {
        const int refused = errno;
        if (older) (void)unlink(older);
        return file_error(error, "give the finished file its name", path, refused);
    }
    const int number = file_sync_folder(target);
    if (!number) {
        draft->name[0] = '\0';
        if (older) (void)unlink(older);
        return COSTAB_OK;
    }
    if (undo_rename(draft, target, older))
        return file_error(error, "synchronise the folder of", path, number);
    return error_set(error, COSTAB_IO,
                     "cannot synchronise the folder of '%s': %s; the finished file is there, but may be lost "
                     "if the power fails now",
                     path, strerror(number));
}

costab_status file_publish(file_draft *draft, const char *path, costab_error *error) {
    memory_local char *target = NULL;
    costab_status status = file_may_replace(path, &draft->terms, error);
    if (!status) status = file_target(path, &target, error);
    int number = status ? 0 : synchronise_draft(target, draft);
    remains_hold(); /* a signal ends the program before, or after only the final name is left */
    if (!status && !number) number = name_draft(target, draft);
    if (number) status = file_error(error, "write", path, number);
    if (!status) status = rename_over_target(draft, target, path, error);
    remains_release();
    if (status && draft->terms.kept && draft->name) draft->name[0] = '\0';
    file_discard(draft);
    return status;
}

void file_discard(file_draft *draft) {
    if (draft->descriptor >= 0) (void)close(draft->descriptor); /* its contents are discarded */
    if (draft->name && draft->name[0] != '\0') (void)unlink(draft->name);
    if (draft->left) remains_drop(draft->left);
    memory_free_all(draft->left, draft->name);
    *draft = FILE_DRAFT_NONE;
}

costab_status file_take(const char *made, const char *path, const file_terms *terms, costab_error *error) {
    file_draft draft = {.descriptor = file_open(made, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
                        .name = memory_copy(made)};
    if (terms) draft.terms = *terms;
    if (draft.name && draft.descriptor >= 0) return file_publish(&draft, path, error);
    costab_status status = draft.name ? file_error(error, "take over", made, errno) : error_memory(error);
    file_discard(&draft);
    return status;
}

costab_status file_write(const char *path, const file_terms *terms, const void *bytes, size_t size,
                         costab_error *error) {
    file_draft draft;
    TRY(file_create(path, terms, &draft, error));
    int number = file_put(draft.descriptor, bytes, size);
    if (!number) return file_publish(&draft, path, error);
    file_discard(&draft);
    return file_error(error, "write", path, number);
}

/* ---- Files that may be replaced ---- */

/* Number of bytes that are searched for the lines of file_mark and file_mark_figure. */
#define HEAD_BYTES ((size_t)1 << 16)

#define SUM " and replaces it while the lines below have the CRC-32 "

void file_mark(text *t, const char *what, const text *below) {
    text_printf(t, "# costab %s wrote this %s," SUM "%08lx\n", COSTAB_VERSION, what,
                crc32_z(0, (const Bytef *)below->data, below->size));
    text_append_text(t, below);
}

void file_mark_figure(text *t, const char *name) {
    text_append(t, "# costab drew ");
    escape(t, ESCAPE_COMMENT, name);
    text_append(t, "\n");
}

typedef enum owner { OTHERS, EDITED, OWN } owner;

/* Returns the CRC-32 of a file from an offset on. */
static unsigned long sum_from(int descriptor, size_t at) {
    unsigned char block[1 << 14];
    unsigned long sum = 0;
    for (ssize_t n; (n = pread(descriptor, block, sizeof block, (off_t)at)) > 0; at += (size_t)n)
        sum = crc32_z(sum, block, (size_t)n);
    return sum;
}

static owner owner_of_text(int descriptor, const char *head) {
    const char *sum = strstr(head, SUM), *end = sum ? strchr(sum, '\n') : NULL;
    char wanted[16];
    if (!end) return OTHERS;
    (void)text_format(wanted, sizeof wanted, "%08lx\n", sum_from(descriptor, (size_t)(end + 1 - head)));
    return strncmp(sum + strlen(SUM), wanted, strlen(wanted)) == 0 ? OWN : EDITED;
}

/* Determines the owner of a file. Reads its start into `head`, up to HEAD_BYTES - 1 bytes and a NUL. */
static owner owner_of(const char *path, char *head) {
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0) return OTHERS;
    ssize_t size = pread(descriptor, head, HEAD_BYTES - 1, 0);
    head[size > 0 ? size : 0] = '\0';
    owner found = owner_of_text(descriptor, head);
    (void)close(descriptor);
    return found;
}

/* Returns true if a line of the script names the figure. */
static bool names_figure(const char *script, const char *figure) {
    text_local line = {0};
    text_append(&line, "\n");
    file_mark_figure(&line, figure);
    return !line.failed && strstr(script, line.data) != NULL;
}

static costab_status check_target(const char *path, const char *target, const file_terms *terms,
                                  costab_error *error) {
    struct stat about;
    if (stat(target, &about) != 0)
        return errno == ENOENT ? COSTAB_OK : file_error(error, "write", path, errno);
    if ((about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || access(target, W_OK) != 0)
        return error_set(
            error, COSTAB_IO,
            "cannot write '%s': it has no permission to be written (mode %03o); give it one with chmod, or "
            "choose another name",
            path, (unsigned)(about.st_mode & 0777));
    if (about.st_size == 0 || (terms && terms->force)) return COSTAB_OK;
    const char *script = terms ? terms->script : NULL;
    memory_local char *head = memory_alloc(HEAD_BYTES, 1);
    if (!head) return error_memory(error);
    owner found = owner_of(script ? script : target, head);
    if (found == OWN && (!script || names_figure(head, file_name(target)))) return COSTAB_OK;
    return error_invalid(
        error, "'%s' is there already, and %s: choose another name, or replace it with --force", path,
        script            ? "no script of costab in its folder names it"
        : found == EDITED ? "it was edited since costab wrote it"
                          : "costab does not know it as its own");
}

costab_status file_may_replace(const char *path, const file_terms *terms, costab_error *error) {
    memory_local char *target = NULL;
    TRY(file_target(path, &target, error));
    return check_target(path, target, terms, error);
}
