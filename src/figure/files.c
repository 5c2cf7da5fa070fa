/* The files of a figure: script, data and drawn figures. costab checks whether they may be replaced before it
 * draws; files are written under other names and renamed. */
#include "figure/files.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "figure/gnuplot.h"

#define SIZE_MOST ((size_t)1 << 31) /* bytes of an existing script that is read */

/* Refuses names that gnuplot would take for a command or an option. */
static costab_status check_name(const char *name, costab_error *error) {
    if (name[0] && !strchr("|<$-", name[0])) return COSTAB_OK;
    return error_invalid(error,
                         "'%s': gnuplot takes a name that begins with | < $ or - for a command or "
                         "an option; rename the results file, or give the figure another name",
                         name);
}

static char *path_of(const costab_plot_options *options, const char *ending) {
    text path = {0};
    if (strcmp(options->folder, ".") != 0) text_printf(&path, "%s/", options->folder);
    text_printf(&path, "%s%s", options->name, ending);
    if (path.failed) text_free(&path);
    return path.data;
}

costab_status files_check(const costab_plot_options *options, const char *formats, costab_error *error) {
    memory_local char *script = path_of(options, ".gp"), *data = path_of(options, ".dat");
    const file_terms terms = {.force = options->force}, drawn = {.force = options->force, .script = script};
    TRY(check_name(options->name, error));
    if (!script || !data) return error_memory(error);
    TRY(file_may_replace(script, &terms, error));
    TRY(file_may_replace(data, &terms, error));
    while (formats) {
        int format = gnuplot_next_format(&formats);
        for (int i = 0; gnuplot_ending(format, i); i++) {
            memory_local char *path = path_of(options, gnuplot_ending(format, i));
            if (!path) return error_memory(error);
            TRY(file_may_replace(path, &drawn, error));
        }
    }
    return COSTAB_OK;
}

/* ---- Writing */

static bool is_listed(const char *formats, int format) {
    while (formats)
        if (gnuplot_next_format(&formats) == format) return true;
    return false;
}

/* Returns true if the figure exists and belongs to the previous script. */
static bool is_drawn(const char *path, const char *script) {
    struct stat about;
    const file_terms terms = {.script = script};
    return stat(path, &about) == 0 && about.st_size > 0 && !file_may_replace(path, &terms, NULL);
}

/* Appends the lines that name figures: of the formats, and those of the previous script. */
static costab_status name_figures(const costab_plot_options *options, const char *formats, const char *script,
                                  text *to, costab_error *error) {
    for (int format = 0; costab_format_name(format); format++)
        for (int i = 0; gnuplot_ending(format, i); i++) {
            memory_local char *path = path_of(options, gnuplot_ending(format, i));
            if (!path) return error_memory(error);
            if (is_listed(formats, format) || is_drawn(path, script)) file_mark_figure(to, file_name(path));
        }
    return COSTAB_OK;
}

static costab_status write_one(const char *path, const char *what, const text *content, costab_error *error) {
    text_local marked = {0};
    file_mark(&marked, what, content);
    return marked.failed ? error_memory(error)
                         : file_write(path, &(file_terms){.force = true}, marked.data, marked.size, error);
}

/* [out] kinds: those in the script's line FILES_KIND, "" without it. */
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
    text_local whole = {0};
    memory_local char *path = path_of(options, ".gp"), *beside = path_of(options, ".dat");
    if (!path || !beside) return error_memory(error);
    TRY(name_figures(options, formats, path, &whole, error));
    text_append_text(&whole, script);
    TRY(write_one(beside, "data", data, error));
    return write_one(path, "script", &whole, error);
}
