/* Runs gnuplot as a child process, without a shell.
 *   1. It is found through PATH and started in a hidden folder of the figure's folder.
 *   2. Its messages are kept. It is ended after GNUPLOT_SECONDS or on request. The run is over when gnuplot
 * itself ends: its own children may keep its standard error open for longer.
 *   3. If all files of a format are regular and not empty, they are moved to their names. */
#include "figure/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/remains.h"
#include "base/text.h"
#include "costab/figure.h"

costab_status gnuplot_find(char **path, costab_error *error) {
    *path = NULL;
    const char *rest = getenv("PATH");
    while (rest && !*path) {
        size_t n = strcspn(rest, ":");
        text_local candidate = {0};
        struct stat about;
        text_append_n(&candidate, n > 0 ? rest : ".", n > 0 ? n : 1);
        text_append(&candidate, "/gnuplot");
        if (candidate.failed) return error_memory(error);
        bool usable =
            stat(candidate.data, &about) == 0 && S_ISREG(about.st_mode) && access(candidate.data, X_OK) == 0;
        /* The child runs in another folder: the path must not depend on this one. */
        char *absolute = usable ? realpath(candidate.data, NULL) : NULL;
        if (absolute) {
            *path = memory_copy(absolute);
            free(absolute);
            if (!*path) return error_memory(error);
        }
        rest = rest[n] == ':' ? rest + n + 1 : NULL;
    }
    return COSTAB_OK;
}

typedef struct call {
    const char *program, *folder;
    char *const *arguments;
} call;

/* The child becomes gnuplot, with its messages in the channel, or ends with 127. It keeps a copy of the
 * channel, so that its end is noticed even if gnuplot closes its standard error. */
static void become(int channel, void *context) {
    const call *c = context;
    if (chdir(c->folder) == 0 && dup2(channel, STDERR_FILENO) >= 0 && dup(channel) >= 0)
        (void)execv(c->program, c->arguments);
    _exit(127);
}

/* Runs gnuplot on `script` and waits for it; keeps the beginning of its messages. */
static costab_status run(call *c, const char *script, const costab_plot_options *options,
                         costab_error *error) {
    const guard_terms terms = {.writes = true, .alone = true, .group = true, .program = true};
    const double deadline = number_seconds() + GNUPLOT_SECONDS;
    ends_by(guard_end) guard *child = NULL;
    char said[2048], byte;
    size_t used = 0;
    int number = 0;
    guard_outcome outcome = GUARD_DONE;
    TRY(guard_start(&terms, script, "gnuplot", become, c, &child, error));
    while (outcome == GUARD_DONE) {
        if (options->stop && options->stop(options->context))
            return error_set(error, COSTAB_CANCELLED, "stopped");
        if (number_seconds() > deadline)
            return error_set(error, COSTAB_IO, "%s on %s was ended: it took longer than %d s", c->program,
                             script, GNUPLOT_SECONDS);
        /* After its end all its messages are in the channel. */
        const bool ended = guard_ended(child), full = used + 1 == sizeof said;
        const bool more = !(ended && full) && guard_ready(child, ended ? 0 : 0.1);
        if (more) outcome = guard_move(child, &byte, NULL, 1, 1, &number);
        if (more && outcome == GUARD_DONE && !full) said[used++] = byte;
        if (!more && ended) outcome = guard_wait(child, &number);
    }
    while (used > 0 && strchr(" \n\t", said[used - 1])) used--;
    said[used] = '\0';
    if (outcome == GUARD_GONE && number == 0) return COSTAB_OK;
    if (outcome == GUARD_CRASHED)
        return error_set(error, COSTAB_IO, "%s on %s was ended by signal %d", c->program, script, number);
    return error_set(error, COSTAB_IO, "%s on %s failed with exit code %d: %s", c->program, script, number,
                     said[0] ? said : "it said nothing");
}

/* ---- The formats: a row here, and its terminal in plots/figure.gp */

static const struct {
    const char *name;
    const char *endings[3];
} formats[] = {{"pdf", {".pdf"}},
               {"png", {".png"}},
               {"svg", {".svg"}},
               {"tex", {"-inc.pdf", "-inc.tex", ".tex"}},
               {"eps", {".eps"}}};

const char *costab_format_name(int format) {
    return (unsigned)format < sizeof formats / sizeof *formats ? formats[format].name : NULL;
}

const char *gnuplot_ending(int format, int i) {
    return costab_format_name(format) && i < 3 ? formats[format].endings[i] : NULL;
}

int gnuplot_next_format(const char **list) {
    const char *name = *list;
    size_t size = strcspn(name, ",");
    *list = name[size] == ',' ? name + size + 1 : NULL;
    for (int k = 0; costab_format_name(k); k++)
        if (strlen(formats[k].name) == size && memcmp(formats[k].name, name, size) == 0) return k;
    return -1;
}

/* ---- Drawing */

/* Returns the name of a figure in the hidden folder. LaTeX's files name each other, so they have the final
 * name. */
static const char *hidden_name(const costab_plot_options *options, int format) {
    return formats[format].endings[1] ? options->name : "figure";
}

/* Draws in the hidden folder; script and data are in its parent. */
static costab_status draw_in(const char *program, const char *hidden, const costab_plot_options *options,
                             int format, costab_error *error) {
    text_local command = {0}, data = {0}, script = {0};
    char first[] = "gnuplot", defaults[] = "-d", execute[] = "-e";
    text_printf(&data, "../%s.dat", options->name);
    text_printf(&script, "../%s.gp", options->name);
    text_printf(&command, "FMT = '%s'; NAME = ", formats[format].name);
    escape(&command, ESCAPE_GNUPLOT, hidden_name(options, format));
    text_append(&command, "; DATA = ");
    if (!data.failed) escape(&command, ESCAPE_GNUPLOT, data.data);
    if (data.failed || script.failed || command.failed) return error_memory(error);
    char *arguments[] = {first, defaults, execute, command.data, script.data, NULL};
    call c = {.program = program, .folder = hidden, .arguments = arguments};
    return run(&c, script.data + 3, options, error);
}

/* Refuses a missing, irregular or empty file. */
static costab_status check_made(const char *program, const char *hidden, const costab_plot_options *options,
                                int format, const char *ending, costab_error *error) {
    text_local made = {0};
    struct stat about;
    text_printf(&made, "%s/%s%s", hidden, hidden_name(options, format), ending);
    if (made.failed) return error_memory(error);
    bool exists = lstat(made.data, &about) == 0;
    if (exists && S_ISREG(about.st_mode) && about.st_size > 0) return COSTAB_OK;
    return error_set(error, COSTAB_IO,
                     "%s on %s.gp ended without an error, but its %s%s is %s; it is not kept", program,
                     options->name, options->name, ending,
                     !exists                  ? "missing"
                     : S_ISREG(about.st_mode) ? "empty"
                                              : "no regular file");
}

/* Moves a file from the hidden folder to its name. */
static costab_status take(const char *hidden, const costab_plot_options *options, int format,
                          const char *ending, costab_error *error) {
    text_local made = {0}, target = {0};
    text_printf(&made, "%s/%s%s", hidden, hidden_name(options, format), ending);
    text_printf(&target, "%s/%s%s", options->folder, options->name, ending);
    return made.failed || target.failed
               ? error_memory(error)
               : file_take(made.data, target.data, &(file_terms){.force = true}, error);
}

/* Makes a folder with a new name, and registers it until it is removed. */
static costab_status make_hidden(const costab_plot_options *options, text *hidden, remains *left,
                                 costab_error *error) {
    text_printf(hidden, "%s/.figure-XXXXXX", options->folder);
    if (hidden->failed) return error_memory(error);
    remains_hold();
    bool made = mkdtemp(hidden->data) != NULL;
    int number = errno;
    left->path = hidden->data;
    if (made) remains_add(left);
    remains_release();
    if (made) return COSTAB_OK;
    return error_set(error, COSTAB_IO,
                     "%s: cannot make a folder in it: %s; choose a folder that can be written",
                     options->folder, strerror(number));
}

costab_status gnuplot_draw(const char *program, const costab_plot_options *options, int format,
                           costab_error *error) {
    text_local hidden = {0};
    remains left = {.child = 0};
    TRY(make_hidden(options, &hidden, &left, error));
    costab_status status = draw_in(program, hidden.data, options, format, error);
    const char *ending;
    for (int i = 0; !status && (ending = gnuplot_ending(format, i)) != NULL; i++)
        status = check_made(program, hidden.data, options, format, ending, error);
    for (int i = 0; !status && (ending = gnuplot_ending(format, i)) != NULL; i++)
        status = take(hidden.data, options, format, ending, error);
    remains_remove(hidden.data);
    remains_drop(&left);
    return status;
}
