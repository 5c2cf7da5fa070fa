/* gnuplot as a child process, without a shell.
 *   1. It is found through PATH, and started in the figure's folder.
 *   2. It draws into a hidden folder, its messages are kept; it is ended where it takes longer than
 *      GNUPLOT_SECONDS, or is asked to stop.
 *   3. Finished files are moved to their names, one format after the other. */
#include "figure/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
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

/* In the child: becomes gnuplot, or ends with 127. Only calls that are safe after fork in a threaded program.
 */
static void become(const char *program, char *const *arguments, const char *folder, int messages) {
    int nothing = open("/dev/null", O_RDWR);
    (void)setpgid(0, 0); /* a terminal's signal is the parent's business */
    if (nothing < 0 || chdir(folder) != 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 ||
        dup2(messages, 2) < 0)
        _exit(127);
    execv(program, arguments);
    _exit(127);
}

typedef struct child {
    pid_t id;
    int messages;
    char said[2048];
    size_t used;
    const char *program, *script;
} child;

/* Reads what there is to read; keeps the beginning. False at the end. */
static bool listen_to(child *c) {
    char rest[512];
    bool room = c->used + 1 < sizeof c->said;
    ssize_t n =
        read(c->messages, room ? c->said + c->used : rest, room ? sizeof c->said - 1 - c->used : sizeof rest);
    if (n > 0 && room) c->used += (size_t)n;
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Ends the child, at once if it does not go. */
static void end_child(const child *c) {
    kill(-c->id, SIGTERM);
    for (int k = 0; k < 20; k++) {
        int outcome;
        if (waitpid(c->id, &outcome, WNOHANG) != 0) return;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    kill(-c->id, SIGKILL);
    while (waitpid(c->id, NULL, 0) < 0 && errno == EINTR) continue;
}

/* Until the child closes its messages, is stopped or takes too long. */
static costab_status attend(child *c, const costab_plot_options *options, costab_error *error) {
    const double deadline = number_seconds() + GNUPLOT_SECONDS;
    for (bool open = true; open;) {
        struct pollfd wait = {.fd = c->messages, .events = POLLIN};
        if (poll(&wait, 1, 100) > 0) open = listen_to(c);
        bool stopped = options->stop && options->stop(options->context), late = number_seconds() > deadline;
        if (!stopped && !late) continue;
        end_child(c);
        if (stopped) return error_set(error, COSTAB_CANCELLED, "stopped");
        return error_set(error, COSTAB_IO, "%s on %s was ended: it took longer than %d s", c->program,
                         c->script, GNUPLOT_SECONDS);
    }
    while (c->used > 0 && strchr(" \n\t", c->said[c->used - 1])) c->used--;
    c->said[c->used] = '\0';
    int outcome = 0;
    while (waitpid(c->id, &outcome, 0) < 0)
        if (errno != EINTR)
            return error_set(error, COSTAB_IO, "cannot wait for gnuplot: %s", strerror(errno));
    if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0) return COSTAB_OK;
    if (WIFSIGNALED(outcome))
        return error_set(error, COSTAB_IO, "%s on %s was ended by signal %d", c->program, c->script,
                         WTERMSIG(outcome));
    return error_set(error, COSTAB_IO, "%s on %s failed with exit code %d: %s", c->program, c->script,
                     WEXITSTATUS(outcome), c->said[0] ? c->said : "it said nothing");
}

/* Runs gnuplot in `folder` and waits for it. */
static costab_status run(child *c, char *const *arguments, const char *folder,
                         const costab_plot_options *options, costab_error *error) {
    int ends[2];
    if (pipe(ends) != 0) return error_set(error, COSTAB_IO, "cannot run gnuplot: pipe: %s", strerror(errno));
    remains_hold();
    c->id = fork();
    int reason = errno;
    if (c->id == 0) {
        close(ends[0]);
        become(c->program, arguments, folder, ends[1]);
    }
    if (c->id > 0) (void)setpgid(c->id, c->id); /* both call it: the first one counts */
    remains left = {.child = c->id, .group = true};
    if (c->id > 0) remains_add(&left);
    remains_release();
    if (c->id < 0) {
        close(ends[0]);
        close(ends[1]);
        return error_set(error, COSTAB_IO, "cannot run gnuplot: fork: %s", strerror(reason));
    }
    close(ends[1]);
    c->messages = ends[0];
    costab_status status = attend(c, options, error);
    remains_drop(&left);
    close(ends[0]);
    return status;
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

/* The name of a figure in the hidden folder. LaTeX's files name each other, so that they have the figure's
 * own. */
static const char *hidden_name(const costab_plot_options *options, int format) {
    return formats[format].endings[1] ? options->name : "figure";
}

/* Draws into the hidden folder, whose parent has script and data. */
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
    child c = {.program = program, .script = script.data + 3};
    return run(&c, arguments, hidden, options, error);
}

static costab_status take(const char *hidden, const costab_plot_options *options, int format,
                          const char *ending, costab_error *error) {
    text_local made = {0}, target = {0};
    text_printf(&made, "%s/%s%s", hidden, hidden_name(options, format), ending);
    text_printf(&target, "%s/%s%s", options->folder, options->name, ending);
    return made.failed || target.failed
               ? error_memory(error)
               : file_take(made.data, target.data, &(file_terms){.force = true}, error);
}

/* A folder of a name that no other has; noted until it is removed. */
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
    for (int i = 0; i < 3 && formats[format].endings[i] && !status; i++)
        status = take(hidden.data, options, format, formats[format].endings[i], error);
    remains_remove(hidden.data);
    remains_drop(&left);
    return status;
}
