/* Runs work in a child process with limits, for untrusted files and for other programs.
 *   1. Creates a pair of sockets, or a pipe from a program, and forks. In the child, signals have their
 *      defaults, standard streams lead to /dev/null, and memory, time and files can be limited (setrlimit).
 *   2. Bytes go both ways with a deadline: a child that is inactive for too long is ended. Time during which
 *      this process is suspended does not count.
 *   3. Its status gives the reason of its end (a signal, a limit, its own exit) in words.
 *
 * Limits are those of the system: without them, only the deadline holds. */
#include "base/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/remains.h"

/* A child that is inactive on its channel for this time is killed. */
#define WAIT_SECONDS 300
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* More address space than this belongs to a sanitizer: no limit makes sense. */
#define SPACE_MAX ((size_t)1 << 42)

struct guard {
    pid_t child;
    int channel;
    const char *path, *library;
    guard_terms terms;
    remains left; /* entry of the child in the list of remains */
};

/* In the child: the address space at its start, in bytes. */
static size_t space_at_start;

/* Returns the bytes of address space in use; 0 if the system does not report it. */
static size_t space_in_use(void) {
    char line[64];
    size_t pages = 0;
    int descriptor = file_open("/proc/self/statm", O_RDONLY);
    ssize_t n = descriptor >= 0 ? read(descriptor, line, sizeof line - 1) : -1;
    if (descriptor >= 0) (void)close(descriptor);
    for (ssize_t i = 0; i < n && line[i] >= '0' && line[i] <= '9'; i++)
        pages = 10 * pages + (size_t)(line[i] - '0');
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Sets a limit, never above the present hard limit. for_good: also as hard limit. */
static void set_limit(int resource, rlim_t soft, bool for_good) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_max != RLIM_INFINITY && soft > limit.rlim_max) soft = limit.rlim_max;
    limit.rlim_cur = soft;
    if (for_good) limit.rlim_max = soft;
    (void)setrlimit(resource, &limit);
}

void guard_memory(size_t bytes) {
    if (space_at_start == 0 || space_at_start > SPACE_MAX) return;
    size_t most = bytes < SPACE_MAX ? bytes : SPACE_MAX;
    set_limit(RLIMIT_AS, (rlim_t)(space_at_start + most), false);
}

void guard_restart(void) {
    space_at_start = space_in_use();
}

void guard_seconds(unsigned seconds) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return;
    set_limit(RLIMIT_CPU, (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1) + seconds, false);
}

void guard_no_files(void) {
    set_limit(RLIMIT_NOFILE, 0, true);
}

/* Redirects the standard streams to /dev/null, unless the caller listens: messages of a crashing library or
 * of a forged file are dropped. */
static void leave_streams(const guard_terms *terms) {
    int nothing = file_open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO && nothing >= 0; i++) (void)dup2(nothing, i);
    if (terms->output > 0) (void)dup2(terms->output, STDOUT_FILENO);
    if (terms->errors > 0) (void)dup2(terms->errors, STDERR_FILENO);
}

/* Gives all signals their defaults, because the caller's handlers are not made for the child. Signals of the
 * keyboard are ignored (the caller handles them), and so are SIGPIPE and SIGXFSZ, which are reported as
 * errors of writing. */
static void default_signals(void) {
    static const int ignored[] = {SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGXFSZ};
    const int last = 31; /* the last signal that is not a real-time signal */
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number <= last; number++) (void)signal(number, SIG_DFL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) (void)signal(ignored[i], SIG_IGN);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Closes the caller's other descriptors, because another child would otherwise not see the end of its
 * channel. */
static void leave_files(int channel, int kept) {
    DIR *list = opendir("/proc/self/fd");
    if (list == NULL) return;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        int descriptor = atoi(entry->d_name);
        if (descriptor > STDERR_FILENO && descriptor != channel && descriptor != kept &&
            descriptor != dirfd(list))
            (void)close(descriptor);
    }
    (void)closedir(list);
}

/* Prepares the child, does its work and ends it. */
static void be_child(const guard_terms *terms, int channel, guard_work work, void *context) {
    default_signals();
    remains_forget();
    leave_streams(terms);
    if (terms->group) (void)setpgid(0, 0);
    if (terms->alone) leave_files(channel, terms->kept);
    space_at_start = space_in_use();
    set_limit(RLIMIT_CORE, 0, true);
    if (!terms->writes) set_limit(RLIMIT_FSIZE, 0, true);
    work(channel, context);
    _exit(0);
}

/* Makes a pair of sockets, or a pipe, with both ends above the standard streams. Returns 0 or an errno. */
static int make_channel(bool program, int ends[2]) {
    int made[2], number = 0;
    if ((program ? pipe(made) : socketpair(AF_UNIX, SOCK_STREAM, 0, made)) != 0) return errno;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (ends[i] < 0) number = errno;
        (void)close(made[i]);
    }
    for (int i = 0; i < 2 && number; i++)
        if (ends[i] >= 0) (void)close(ends[i]);
    return number;
}

costab_status guard_start(const guard_terms *terms, const char *path, const char *library, guard_work work,
                          void *context, guard **started, costab_error *error) {
    int ends[2];
    guard *g = *started = memory_alloc(1, sizeof *g);
    if (!g) return error_memory(error);
    int number = make_channel(terms->program, ends);
    remains_hold();
    g->child = number ? -1 : fork();
    int failed = g->child < 0 ? errno : 0;
    if (g->child == 0) {
        (void)close(ends[0]);
        be_child(terms, ends[1], work, context);
    }
    if (g->child > 0 && terms->group)
        (void)setpgid(g->child, g->child); /* parent and child both call it: the first one counts */
    g->left = (remains){.child = g->child, .group = terms->group, .guardian = terms->guardian};
    if (g->child > 0) remains_add(&g->left);
    remains_release();
    if (g->child < 0) {
        if (!number) {
            number = failed;
            (void)close(ends[0]);
            (void)close(ends[1]);
        }
        memory_free(g);
        *started = NULL;
        return error_set(error, COSTAB_IO, "cannot start a process for '%s': %s", path, strerror(number));
    }
    (void)close(ends[1]);
    g->channel = ends[0];
    g->path = path;
    g->library = library;
    g->terms = *terms;
    return COSTAB_OK;
}

/* Waits up to `milliseconds` for the child to end; returns like waitpid. */
static pid_t await_end(pid_t child, int *outcome, int milliseconds) {
    const struct timespec pause = {.tv_nsec = 1000000};
    pid_t found = waitpid(child, outcome, WNOHANG);
    for (int i = 0; i < milliseconds && found == 0; i++) {
        (void)nanosleep(&pause, NULL);
        found = waitpid(child, outcome, WNOHANG);
    }
    return found;
}

/* Waits up to MOMENT milliseconds for the child to end by itself, unless `killed`; then kills it. Returns its
 * status as from waitpid; -1 if it is unknown or was returned before. */
static int reap(guard *g, bool killed) {
    enum { MOMENT = 500 };
    int outcome = -1;
    if (g->child < 0) return -1;
    pid_t found = killed ? 0 : await_end(g->child, &outcome, MOMENT);
    if (found == 0) outcome = remains_end_child(&g->left);
    if (g->terms.group) (void)kill(-g->child, SIGKILL); /* processes left by the child */
    g->child = -1;
    remains_drop(&g->left);
    return outcome;
}

/* One step of a transfer: returns the bytes moved, 0 if the other side has ended, -1 for an error. Never
 * raises SIGPIPE. */
static ssize_t move(int channel, char *to, const char *from, size_t size) {
    ssize_t n;
    do n = to ? read(channel, to, size) : send(channel, from, size, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n;
}

bool guard_ended(const guard *g) {
    siginfo_t about = {.si_pid = 0};
    return waitid(P_PID, (id_t)g->child, &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           about.si_pid == g->child;
}

/* Returns the parent of a process; 0 if it is not known. */
static pid_t parent_of(pid_t process) {
    char line[512], path[40];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    int file = file_open(path, O_RDONLY);
    ssize_t n = file >= 0 ? read(file, line, sizeof line - 1) : 0;
    if (file >= 0) (void)close(file);
    line[n > 0 ? n : 0] = '\0';
    const char *end =
        strrchr(line, ')'); /* end of the name, which may have any characters; " STATE PARENT" follows */
    return end != NULL && strlen(end) > 4 ? (pid_t)strtol(end + 4, NULL, 10) : 0;
}

int guard_children(pid_t parent, void (*take)(void *context, pid_t child), void *context) {
    int count = 0;
    DIR *list = opendir("/proc");
    if (list == NULL) return 0;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        const pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
        if (process <= 0 || parent_of(process) != parent) continue;
        take(context, process);
        count++;
    }
    (void)closedir(list);
    return count;
}

static double seconds_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for one of the events on the channel; returns false if none comes within `seconds`. Waits in short
 * slices, each of which counts at most its nominal length, however long this process was suspended in it. */
static bool await(guard *g, short events, double seconds) {
    const double longest = 0.1;
    struct pollfd wait = {.fd = g->channel, .events = events};
    for (double waited = 0;;) {
        double slice = fmin(seconds - waited, longest), start = seconds_now();
        if (poll(&wait, 1, (int)(1000 * slice) + 1) > 0) return true;
        waited += fmin(seconds_now() - start, slice);
        if (waited >= seconds) return false;
    }
}

/* Returns false if the child is inactive for `seconds` (*silent) or has ended. */
static bool transfer(guard *g, char *to, const char *from, size_t size, double seconds, bool *silent) {
    *silent = false;
    for (size_t done = 0; done < size;) {
        *silent = !await(g, to ? POLLIN : POLLOUT, seconds);
        if (*silent) return false;
        ssize_t n = move(g->channel, to ? to + done : NULL, from ? from + done : NULL, size - done);
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

guard_outcome guard_wait(guard *g, int *number) {
    int outcome = reap(g, false);
    bool signalled = outcome != -1 && WIFSIGNALED(outcome);
    *number = outcome == -1 ? -1 : signalled ? WTERMSIG(outcome) : WEXITSTATUS(outcome);
    return signalled ? GUARD_CRASHED : GUARD_GONE;
}

guard_outcome guard_move(guard *g, void *to, const void *from, size_t size, double seconds, int *number) {
    bool silent;
    *number = 0;
    if (transfer(g, to, from, size, seconds, &silent)) return GUARD_DONE;
    if (!silent) return guard_wait(g, number);
    (void)reap(g, true);
    return GUARD_SILENT;
}

bool guard_ready(guard *g, double seconds) {
    return await(g, POLLIN, seconds);
}

/* Moves bytes, and reports the reason if the child has ended. */
static costab_status exchange(guard *g, void *to, const void *from, size_t size, costab_error *error) {
    int number;
    guard_outcome outcome = guard_move(g, to, from, size, WAIT_SECONDS, &number);
    if (outcome == GUARD_DONE) return COSTAB_OK;
    if (outcome == GUARD_SILENT)
        return error_invalid(error, "'%s': %s has not read it within %d s", g->path, g->library,
                             WAIT_SECONDS);
    if (outcome == GUARD_CRASHED && number == SIGXCPU)
        return error_invalid(error,
                             "'%s': %s takes too long to read it: the file is damaged, or made to "
                             "keep programs busy; do not use it",
                             g->path, g->library);
    if (outcome == GUARD_CRASHED)
        return error_invalid(error,
                             "'%s': %s crashed on it (signal %d, in a process of its own): the file "
                             "is damaged, or made to do harm; do not use it",
                             g->path, g->library, number);
    return error_invalid(error,
                         "'%s': %s gave up on it: the file is damaged, or made to do harm; do not "
                         "use it",
                         g->path, g->library);
}

costab_status guard_send(guard *g, const void *bytes, size_t size, costab_error *error) {
    return exchange(g, NULL, bytes, size, error);
}

costab_status guard_receive(guard *g, void *bytes, size_t size, costab_error *error) {
    return exchange(g, bytes, NULL, size, error);
}

void guard_end(guard **started) {
    guard *g = started ? *started : NULL;
    if (!g) return;
    *started = NULL;
    (void)reap(g, true); /* before the end of its channel shows it that this process has ended */
    (void)close(g->channel);
    memory_free(g);
}

/* Moves all bytes, into `to` or out of `from`; the unused pointer is NULL. */
static bool move_all(int channel, char *to, const char *from, size_t size) {
    while (size > 0) {
        ssize_t n = move(channel, to, from, size);
        if (n <= 0) return false;
        if (to) to += n;
        if (from) from += n;
        size -= (size_t)n;
    }
    return true;
}

bool guard_get(int channel, void *bytes, size_t size) {
    return move_all(channel, bytes, NULL, size);
}

bool guard_put(int channel, const void *bytes, size_t size) {
    return move_all(channel, NULL, bytes, size);
}
