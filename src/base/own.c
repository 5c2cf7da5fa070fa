/* Which files costab may replace: those that it wrote and that nobody edited.
 *
 *  1. A text (script, data, model, page) by its marker line, which has the CRC-32 of the lines below it.
 *  2. A figure by the script beside it, which is costab's own and names the figure.
 *
 * Empty files may be replaced, too. Whatever else is there, such as a table, is not unless it is forced.
 * (Results files and logs of tiles: costab_store_may_replace.) */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"

/* How much of a file is looked at for the lines of file_mark and file_mark_figure. */
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

/* The CRC-32 of a file from an offset on. */
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

/* Whose a file is; its beginning is read into `head`, up to HEAD_BYTES - 1 bytes and a NUL. */
static owner owner_of(const char *path, char *head) {
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0) return OTHERS;
    ssize_t size = pread(descriptor, head, HEAD_BYTES - 1, 0);
    head[size > 0 ? size : 0] = '\0';
    owner found = owner_of_text(descriptor, head);
    (void)close(descriptor);
    return found;
}

/* Whether one of a script's lines names the figure. */
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
        script            ? "no script of costab beside it names it"
        : found == EDITED ? "it was edited since costab wrote it"
                          : "costab does not know it as its own");
}

costab_status file_may_replace(const char *path, const file_terms *terms, costab_error *error) {
    memory_local char *target = NULL;
    TRY(file_target(path, &target, error));
    return check_target(path, target, terms, error);
}
