/* gnuplot as a child process, without a shell. */
#include "figure/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "costab/figure.h"
#include "figure/words.h"

costab_status gnuplot_find(char **path, costab_error *error) {
    *path = NULL;
    const char *rest = getenv("PATH");
    while (rest && !*path) {
        size_t n = strcspn(rest, ":");
        text candidate = {0};
        struct stat about;
        text_append_n(&candidate, n > 0 ? rest : ".", n > 0 ? n : 1);
        text_append(&candidate, "/gnuplot");
        if (candidate.failed) {
            text_free(&candidate);
            return error_memory(error);
        }
        bool usable =
            stat(candidate.data, &about) == 0 && S_ISREG(about.st_mode) && access(candidate.data, X_OK) == 0;
        /* The child runs in another folder: the path must not depend on this one. */
        char *absolute = usable ? realpath(candidate.data, NULL) : NULL;
        text_free(&candidate);
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
    if (nothing < 0 || chdir(folder) != 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 ||
        dup2(messages, 2) < 0)
        _exit(127);
    execv(program, arguments);
    _exit(127);
}

/* Reads what the child says to its end; keeps the beginning. */
static void listen_to(int messages, char *said, size_t size) {
    size_t used = 0;
    for (;;) {
        char rest[512];
        bool room = used + 1 < size;
        ssize_t n = read(messages, room ? said + used : rest, room ? size - 1 - used : sizeof rest);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        if (room) used += (size_t)n;
    }
    while (used > 0 && strchr(" \n\t", said[used - 1])) used--;
    said[used] = '\0';
}

/* Runs gnuplot in `folder` and waits for it. */
static costab_status run(const char *program, char *const *arguments, const char *folder, const char *script,
                         costab_error *error) {
    int ends[2], outcome = 0;
    char said[2048];
    if (pipe(ends) != 0) return error_set(error, COSTAB_IO, "cannot run gnuplot: pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        int reason = errno;
        close(ends[0]);
        close(ends[1]);
        return error_set(error, COSTAB_IO, "cannot run gnuplot: fork: %s", strerror(reason));
    }
    if (child == 0) {
        close(ends[0]);
        become(program, arguments, folder, ends[1]);
    }
    close(ends[1]);
    listen_to(ends[0], said, sizeof said);
    close(ends[0]);
    while (waitpid(child, &outcome, 0) < 0)
        if (errno != EINTR)
            return error_set(error, COSTAB_IO, "cannot wait for gnuplot: %s", strerror(errno));
    if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0) return COSTAB_OK;
    if (WIFSIGNALED(outcome))
        return error_set(error, COSTAB_IO, "%s on %s was ended by signal %d", program, script,
                         WTERMSIG(outcome));
    return error_set(error, COSTAB_IO, "%s on %s failed with exit code %d: %s", program, script,
                     WEXITSTATUS(outcome), said[0] ? said : "it said nothing");
}

/* folder/name, name being a prefix and an ending. */
static char *join_path(const char *folder, const char *name, const char *ending) {
    text path = {0};
    text_printf(&path, "%s/%s%s", folder, name, ending);
    if (path.failed) text_free(&path);
    return path.data;
}

/* Moves (or, with to = NULL, removes) a file of the hidden folder. */
static costab_status move(const char *from, const char *to, const char *name, const char *ending,
                          costab_error *error) {
    costab_status status = COSTAB_OK;
    char *source = join_path(from, name, ending), *target = to ? join_path(to, name, ending) : NULL;
    if (!source || (to && !target))
        status = error_memory(error);
    else if (!to)
        remove(source);
    else if (rename(source, target) != 0)
        status = error_set(error, COSTAB_IO, "%s: gnuplot did not write it, or it cannot be put there: %s",
                           target, strerror(errno));
    memory_free(source);
    memory_free(target);
    return status;
}

/* Draws into the hidden folder, whose parent has script and data. */
static costab_status draw_in(const char *program, const char *hidden, const char *name, const char *format,
                             costab_error *error) {
    text command = {0}, script = {0};
    text_printf(&command, "FMT = '%s'; NAME = ", format);
    words_verbatim(&command, name);
    text_append(&command, "; DATA = ");
    text_printf(&script, "../%s.dat", name);
    if (!script.failed) words_verbatim(&command, script.data);
    text_free(&script);
    text_printf(&script, "../%s.gp", name);
    costab_status status = command.failed || script.failed ? error_memory(error) : COSTAB_OK;
    if (!status) {
        char first[] = "gnuplot", defaults[] = "-d", execute[] = "-e";
        char *arguments[] = {first, defaults, execute, command.data, script.data, NULL};
        status = run(program, arguments, hidden, script.data + 3, error);
    }
    text_free(&command);
    text_free(&script);
    return status;
}

/* The formats: a row here, and its terminal in plots/figure.gp. */
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

int gnuplot_format(const char *name, size_t size) {
    for (int k = 0; costab_format_name(k); k++)
        if (strlen(formats[k].name) == size && memcmp(formats[k].name, name, size) == 0) return k;
    return -1;
}

costab_status gnuplot_draw(const char *program, const char *folder, const char *name, int format,
                           costab_error *error) {
    text hidden = {0};
    text_printf(&hidden, "%s/.figure-XXXXXX", folder);
    costab_status status = COSTAB_OK;
    if (hidden.failed)
        status = error_memory(error);
    else if (!mkdtemp(hidden.data))
        status = error_set(error, COSTAB_IO,
                           "%s: cannot make a folder in it: %s; choose a folder that can be written", folder,
                           strerror(errno));
    if (status) {
        text_free(&hidden);
        return status;
    }
    status = draw_in(program, hidden.data, name, formats[format].name, error);
    for (int i = 0; i < 3 && formats[format].endings[i] && !status; i++)
        status = move(hidden.data, folder, name, formats[format].endings[i], error);
    for (int i = 0; i < 3 && formats[format].endings[i]; i++)
        move(hidden.data, NULL, name, formats[format].endings[i], NULL);
    rmdir(hidden.data);
    text_free(&hidden);
    return status;
}
