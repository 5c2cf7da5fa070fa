/* Signals that end a command: INT, TERM, HUP, and USR1 and ALRM, by which job schedulers and --time end
 * it.
 *   1. The handler writes the signal's number into a pipe, from which a thread of its own reads it.
 *   2. Where the command is one that ends in order (signals_orderly), as a sweep does that closes its
 *      checkpoint, it finds the signal by signals_caught, and has SIGNALS_GRACE milliseconds for it; after
 *      USR1 any time. A second signal ends it at once.
 *   3. Else, or after that, the thread removes temporary files, says on stderr why the command ends, as the
 *      last that is written there, and ends the process by the same signal. */
#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/remains.h"
#include "base/text.h"

/* What the thread's calls take of its stack. */
#define STACK ((size_t)1 << 19)

enum { READING, WRITING };

/* In milliseconds: what a thread may take for the line that it writes to stderr. */
#define HOLD_MOST 50

static int ends[2]; /* the handler writes the signal's number for the thread */
static const char *name;
static struct itimerval deadline; /* 0: none */
static const char *_Atomic kept;  /* what the message says beside: what is left of an unfinished sweep */
static atomic_int caught;
static atomic_bool orderly;

static void write_to_pipe(int number) {
    const unsigned char byte = (unsigned char)number;
    int before = errno;
    (void)!write(ends[WRITING], &byte, 1);
    errno = before;
}

const char *signals_words(int number) {
    return number == SIGALRM ? "stopped by --time, unfinished" : "stopped by a signal";
}

/* Keeps all other threads from stderr, but for one that waits there for a reader. */
static void hold_stderr(void) {
    for (int k = 0; k < HOLD_MOST && ftrylockfile(stderr) != 0; k++) (void)poll(NULL, 0, 1);
}

/* The message goes not through stderr, which another thread may hold; and it is left out where stderr is
 * full, as nothing waits for its reader. */
static void tell(int caught_now) {
    char line[1024];
    const char *more = atomic_load(&kept);
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    int length = text_format(line, sizeof line, "%scostab %s: %s%s\n", isatty(STDERR_FILENO) ? "\n" : "",
                             name, signals_words(caught_now), more != NULL ? more : "");
    if (poll(&room, 1, 0) == 1)
        (void)!write(STDERR_FILENO, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

static void die(int number) {
    if (number == SIGALRM) _exit(EXIT_FAILURE);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void *wait_for_signals(void *unused) {
    unsigned char number;
    struct pollfd second = {.fd = ends[READING], .events = POLLIN};
    (void)unused;
    while (read(ends[READING], &number, 1) != 1) continue;
    if (atomic_load(&orderly)) {
        atomic_store(&caught, number);
        (void)poll(&second, 1, number == SIGUSR1 ? -1 : SIGNALS_GRACE);
    }
    remains_clear();
    hold_stderr();
    tell(number);
    die(number);
    return NULL;
}

static int start_thread(void) {
    pthread_t thread;
    pthread_attr_t how;
    int number = pthread_attr_init(&how);
    if (number) return number;
    (void)pthread_attr_setstacksize(&how, STACK);
    (void)pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    number = pthread_create(&thread, &how, wait_for_signals, NULL);
    (void)pthread_attr_destroy(&how);
    return number;
}

static void install_handlers(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM};
    struct sigaction action = {.sa_handler = write_to_pipe, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        /* a signal that nohup or the shell ignores stays ignored */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
    }
    if (deadline.it_value.tv_sec + deadline.it_value.tv_usec > 0)
        (void)setitimer(ITIMER_REAL, &deadline, NULL);
}

void signals_deadline(double seconds) {
    const double millions = 1e6;
    double whole = floor(seconds);
    deadline.it_value.tv_sec = (time_t)whole;
    deadline.it_value.tv_usec = (suseconds_t)fmin(millions * (seconds - whole) + 1, millions - 1);
}

costab_status signals_watch(const char *command, costab_error *error) {
    name = command;
    int number = pipe(ends) == 0 ? 0 : errno;
    for (int k = 0; k < 2 && !number; k++)
        if (fcntl(ends[k], F_SETFD, FD_CLOEXEC) != 0) number = errno;
    if (!number) number = start_thread();
    if (number)
        return error_set(error, COSTAB_IO, "cannot start the thread that waits for signals: %s",
                         strerror(number));
    install_handlers();
    return COSTAB_OK;
}

void signals_orderly(const char *words) {
    atomic_store(&kept, words);
    atomic_store(&orderly, true);
}

int signals_caught(void) {
    return atomic_load(&caught);
}

void signals_die(void) {
    if (signals_caught() != 0) die(signals_caught());
}
