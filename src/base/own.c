/* Which files are costab's own, so that they may be replaced:
 *
 *  1. HDF5 files by a whole seal behind them (base/seal.h); tables by a seal stored beside them.
 *  2. A log of tiles by its first bytes; a text by a line of file_mark in its beginning.
 *  3. A figure by the script beside it, which is costab's own and names the figure.
 *
 * Empty files may be replaced, too. Whatever else is there is not, unless it is forced. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/seal.h"

/* How much of a text is read: it holds the lines of a script that name its figures. */
#define HEAD_BYTES ((size_t)1 << 16)

#define MARK_BEGIN  "# costab "
#define MARK_MIDDLE " wrote this "
#define DREW        "# costab drew "

void file_mark(text *t, const char *what) {
    text_printf(
        t, MARK_BEGIN "%s" MARK_MIDDLE "%s, and replaces it without asking while this line stands in it\n",
        COSTAB_VERSION, what);
}

void file_mark_figure(text *t, const char *name) {
    text_append(t, DREW);
    escape(t, ESCAPE_COMMENT, name);
    text_append(t, "\n");
}

/* The next line of a text: *line, and its length without the line's end. False at the end. */
static bool next_line(const char **rest, const char *end, const char **line, size_t *length) {
    if (*rest >= end) return false;
    const char *stop = memchr(*rest, '\n', (size_t)(end - *rest));
    *line = *rest;
    *length = (size_t)((stop ? stop : end) - *rest);
    *rest = stop ? stop + 1 : end;
    return true;
}

static bool begins(const char *bytes, size_t size, const char *with) {
    size_t n = strlen(with);
    return size >= n && memcmp(bytes, with, n) == 0;
}

static bool is_marked(const char *head, size_t size) {
    const char *rest = head, *end = head + size, *line;
    size_t length;
    while (next_line(&rest, end, &line, &length)) {
        if (!begins(line, length, MARK_BEGIN)) continue;
        size_t at = sizeof MARK_BEGIN - 1;
        while (at < length && line[at] != ' ') at++;
        if (begins(line + at, length - at, MARK_MIDDLE)) return true;
    }
    return false;
}

static bool is_sealed(const char *path) {
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    bool whole = descriptor >= 0 && seal_is_whole(descriptor);
    if (descriptor >= 0) (void)close(descriptor);
    return whole;
}

static bool is_noted(const char *path, bool *whole) {
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    bool noted = descriptor >= 0 && seal_is_noted(descriptor, whole);
    if (descriptor >= 0) (void)close(descriptor);
    return noted;
}

/* The beginning of a file; *size: how much of it. 0 or an errno. */
static int read_head(const char *path, char *head, size_t *size) {
    *size = 0;
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK), number = descriptor < 0 ? errno : 0;
    while (!number && *size < HEAD_BYTES) {
        ssize_t n = pread(descriptor, head + *size, HEAD_BYTES - *size, (off_t)*size);
        if (n < 0 && errno != EINTR) number = errno;
        if (n == 0) break;
        if (n > 0) *size += (size_t)n;
    }
    if (descriptor >= 0) (void)close(descriptor);
    return number;
}

/* Whether a script is costab's own and names the figure. */
static bool is_drawn(const char *script, const char *name, char *head) {
    size_t size, length;
    const char *line;
    text_local wanted = {0};
    bool found = false;
    if (read_head(script, head, &size) != 0 || !is_marked(head, size)) return false;
    file_mark_figure(&wanted, name);
    for (const char *rest = head; !found && !wanted.failed && next_line(&rest, head + size, &line, &length);)
        found = length + 1 == wanted.size && memcmp(line, wanted.data, length) == 0;
    return found;
}

/* What is no figure tells by itself what it is. */
static costab_status is_own(const char *target, const file_terms *terms, bool *own, bool *changed,
                            costab_error *error) {
    size_t size = 0;
    memory_local char *head = memory_alloc(HEAD_BYTES, 1);
    if (!head) return error_memory(error);
    if (terms && terms->script)
        *own = is_drawn(terms->script, file_name(target), head);
    else
        *own =
            read_head(target, head, &size) == 0 &&
            (begins(head, size, FILE_HDF5_HEAD) ? is_sealed(target)
                                                : begins(head, size, FILE_LOG_HEAD) || is_marked(head, size));
    *changed = begins(head, size, FILE_HDF5_HEAD) && !*own;
    if (!*own && !*changed && !(terms && terms->script)) *changed = is_noted(target, own) && !*own;
    return COSTAB_OK;
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
    bool own = false, changed = false;
    costab_status status = is_own(target, terms, &own, &changed, error);
    if (status || own) return status;
    return error_invalid(
        error, "'%s' is there already, and %s: choose another name, or replace it with --force", path,
        terms && terms->script ? "no script of costab beside it says that it drew it"
        : changed              ? "was changed since costab wrote it, or is from elsewhere"
                               : "costab did not write it");
}

costab_status file_may_replace(const char *path, const file_terms *terms, costab_error *error) {
    memory_local char *target = NULL;
    TRY(file_target(path, &target, error));
    return check_target(path, target, terms, error);
}

/* The name that a line gives, in the folder of the script: appended with its line if that file is there. */
static bool keep_figure(const char *script, const char *line, size_t length, text *lines) {
    struct stat about;
    text_local path = {0};
    text_append_n(&path, script, (size_t)(file_name(script) - script));
    escape_read_comment(&path, line + strlen(DREW), length - strlen(DREW));
    if (!path.failed && stat(path.data, &about) == 0) text_printf(lines, "%.*s\n", (int)length, line);
    return !path.failed && !lines->failed;
}

costab_status file_marked_figures(const char *script, text *lines, costab_error *error) {
    size_t size, length;
    const char *line;
    memory_local char *head = memory_alloc(HEAD_BYTES, 1);
    bool good = head != NULL;
    if (good && read_head(script, head, &size) == 0 && is_marked(head, size))
        for (const char *rest = head; good && next_line(&rest, head + size, &line, &length);)
            if (begins(line, length, DREW) && length > strlen(DREW))
                good = keep_figure(script, line, length, lines);
    return good ? COSTAB_OK : error_memory(error);
}
