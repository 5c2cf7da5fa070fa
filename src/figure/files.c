/* The files of a figure: script, data and drawn figures, named after its output.
 *   1. The last line of script and data is a checksum of all above it. So a file that was edited by hand,
 *      or that costab has not written, is not replaced unless that is forced.
 *   2. This is checked before anything is drawn; files are then written under other names, and renamed. */
#include "figure/files.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "figure/gnuplot.h"

#define CHECKSUM  "# costab checksum of all above: "
#define SIZE_MOST ((size_t)1 << 31)

/* Names that gnuplot or a shell would take for something else are refused. */
static costab_status check_name(const char *name, costab_error *error) {
    if (name[0] && !strchr("|<$-", name[0])) return COSTAB_OK;
    return error_invalid(error,
                         "'%s': gnuplot takes a name that begins with | < $ or - for a command or "
                         "an option; rename the results file, or give the figure another name",
                         name);
}

static char *path_of(const costab_plot_options *options, const char *ending) {
    text path = {0};
    text_printf(&path, "%s/%s%s", options->folder, options->name, ending);
    if (path.failed) text_free(&path);
    return path.data;
}

/* ---- Checksums */

static uint64_t checksum(const char *bytes, size_t size) {
    return hash_bytes(HASH_START, bytes, size);
}

static void seal(text *content) {
    text_printf(content, CHECKSUM "%016" PRIx64 "\n", checksum(content->data, content->size));
}

/* Whether the last line is the checksum of what is above it. */
static bool is_sealed(const text *content) {
    const size_t length = strlen(CHECKSUM) + 17;
    char line[80];
    if (content->size < length) return false;
    size_t above = content->size - length;
    text_format(line, sizeof line, CHECKSUM "%016" PRIx64 "\n", checksum(content->data, above));
    return memcmp(content->data + above, line, length) == 0;
}

/* ---- What may be replaced */

/* A mistake in the call is exit 2; a file that must not be replaced is exit 1. */
static costab_status in_the_way(costab_status status, costab_error *error) {
    bool there = status == COSTAB_INVALID || status == COSTAB_UNREADABLE;
    if (there && error) error->status = COSTAB_IO;
    return there ? COSTAB_IO : status;
}

static costab_status check_text(const costab_plot_options *options, const char *ending, costab_error *error) {
    memory_local char *path = path_of(options, ending);
    text_local content = {0};
    struct stat about;
    if (!path) return error_memory(error);
    TRY(in_the_way(file_may_replace(path, &(file_terms){.force = options->force}, error), error));
    if (!options->force && stat(path, &about) == 0 && about.st_size > 0) {
        TRY(in_the_way(text_read_file(path, SIZE_MOST, &content, error), error));
        if (!is_sealed(&content))
            return error_set(
                error, COSTAB_IO,
                "'%s' was edited since costab wrote it: move it away to keep it, or replace it with --force",
                path);
    }
    return COSTAB_OK;
}

static costab_status check_figures(const costab_plot_options *options, const char *formats,
                                   const char *script, costab_error *error) {
    const file_terms terms = {.force = options->force, .script = script};
    while (formats) {
        int format = gnuplot_next_format(&formats);
        for (int i = 0; gnuplot_ending(format, i); i++) {
            memory_local char *path = path_of(options, gnuplot_ending(format, i));
            if (!path) return error_memory(error);
            TRY(in_the_way(file_may_replace(path, &terms, error), error));
        }
    }
    return COSTAB_OK;
}

costab_status files_check(const costab_plot_options *options, const char *formats, costab_error *error) {
    TRY(check_name(options->name, error));
    TRY(check_text(options, ".gp", error));
    TRY(check_text(options, ".dat", error));
    memory_local char *script = path_of(options, ".gp");
    return script ? check_figures(options, formats, script, error) : error_memory(error);
}

/* ---- Writing */

/* The lines that name figures: of the formats, and of an older script. */
static void name_figures(const costab_plot_options *options, const char *formats, const text *older,
                         text *to) {
    while (formats) {
        int format = gnuplot_next_format(&formats);
        for (int i = 0; gnuplot_ending(format, i); i++) {
            text_local name = {0}, line = {0};
            text_printf(&name, "%s%s", options->name, gnuplot_ending(format, i));
            if (!name.failed) file_mark_figure(&line, name.data);
            bool there = older->data && line.data && strstr(older->data, line.data);
            if (name.failed || line.failed) to->failed = true;
            if (!there) text_append_text(to, &line);
        }
    }
    text_append_text(to, older);
}

static costab_status write_one(const costab_plot_options *options, const char *ending, text *content,
                               costab_error *error) {
    memory_local char *path = path_of(options, ending);
    seal(content);
    return !path || content->failed
               ? error_memory(error)
               : file_write(path, &(file_terms){.force = true}, content->data, content->size, error);
}

/* The kinds that a script names. */
static void kinds_of(const char *script, char kinds[64]) {
    const char *line = strstr(script, "\n" FILES_KIND), *start = line ? line + strlen("\n" FILES_KIND) : "";
    (void)text_format(kinds, 64, "%.*s", (int)strcspn(start, "\n"), start);
}

costab_status files_replaced(const costab_plot_options *options, const text *script, char kinds[64],
                             costab_error *error) {
    memory_local char *path = path_of(options, ".gp");
    char now[64];
    text_local before = {0};
    struct stat about;
    kinds[0] = '\0';
    if (!path) return error_memory(error);
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return COSTAB_OK;
    TRY(text_read_file(path, SIZE_MOST, &before, error));
    text_append(&before, "");
    kinds_of(script->data, now);
    kinds_of(before.failed ? "" : before.data, kinds);
    if (strcmp(kinds, now) == 0) kinds[0] = '\0';
    return COSTAB_OK;
}

costab_status files_write(const costab_plot_options *options, const char *formats, const text *script,
                          const text *data, costab_error *error) {
    text_local marked = {0}, older = {0}, values = {0};
    memory_local char *path = path_of(options, ".gp");
    if (!path) return error_memory(error);
    TRY(file_marked_figures(path, &older, error));
    file_mark(&marked, "script");
    name_figures(options, formats, &older, &marked);
    text_append_text(&marked, script);
    file_mark(&values, "data");
    text_append_text(&values, data);
    TRY(write_one(options, ".dat", &values, error));
    return write_one(options, ".gp", &marked, error);
}
