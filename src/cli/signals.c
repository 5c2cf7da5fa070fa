/* Signals that end a command: INT, TERM, HUP, and USR1 and ALRM from job schedulers and --time.
 *   1. A command with an orderly end (signals_orderly), such as a sweep that closes its checkpoint, polls a
 *      flag set by the first signal (signals_caught). It then has SIGNALS_GRACE seconds; after USR1, any
 *      time.
 *   2. If a table is being printed (signals_finish), a thread that waits for the first signal prints the
 *      complete rows during the computation and ends the program with SIGNALS_UNFINISHED, within the same
 *      time.
 *   3. Otherwise, after that time, and at a second signal, the handler removes temporary files and prints the
 *      reason on stderr, and the process dies of the first signal.
 *
 * The handler runs in any thread, inside any call: it allocates nothing and prints with write alone. Only the
 * main thread ends the program. Another thread sends it the signal, because a thread of OpenBLAS that waited
 * here for the lock of base/remains.c would block fork(), which waits for that thread. */
#include "cli/signals.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/remains.h"

static pthread_t main_thread;
static const char *name;
static bool on_terminal;
static const char *_Atomic note; /* added to the message: which files an unfinished sweep leaves */
static atomic_int caught;
static atomic_bool orderly, finishes;
static bool (*finish)(void); /* prints all complete results; returns false if there are none */
static sem_t come;           /* posted by the first signal, once */
static bool unfinished;

const char *signals_words(int number) {
    return number == SIGALRM ? "stopped by --time, unfinished" : "stopped by a signal";
}

static void put(const char *words) {
    if (words != NULL) (void)!write(STDERR_FILENO, words, strlen(words));
}

/* Prints the reason. The message is dropped if stderr is full, because waiting for its reader could block. */
static void print_reason(int number) {
    struct pollfd space = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&space, 1, 0) != 1) return;
    if (on_terminal) put("\n");
    put("costab ");
    put(name);
    put(": ");
    put(signals_words(number));
    put(atomic_load(&note));
    put("\n");
}

/* Returns only if the signal is ignored. */
static void die(int number) {
    sigset_t only;
    if (number == SIGALRM) _exit(SIGNALS_UNFINISHED);
    sigemptyset(&only);
    sigaddset(&only, number);
    (void)signal(number, SIG_DFL);
    (void)pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    (void)raise(number);
}

/* The handler of all signals. The first one is only noted if the command ends by itself or if complete rows
 * are to be printed; any other ends the program. */
static void handle(int number) {
    int first = 0, before = errno;
    if ((atomic_load(&orderly) || atomic_load(&finishes)) &&
        atomic_compare_exchange_strong(&caught, &first, number)) {
        if (number != SIGUSR1 || atomic_load(&finishes)) signals_deadline(SIGNALS_GRACE);
        if (atomic_load(&finishes)) (void)sem_post(&come);
        errno = before;
        return;
    }
    if (!pthread_equal(pthread_self(), main_thread)) {
        (void)pthread_kill(main_thread, number);
        errno = before;
        return;
    }
    if (first == 0) first = number;
    remains_clear();
    print_reason(first);
    die(first);
}

void signals_watch(const char *command) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    main_thread = pthread_self();
    name = command;
    on_terminal = isatty(STDERR_FILENO);
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        /* a signal ignored by nohup or the shell stays ignored */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(numbers[i], &action, NULL);
    }
}

void signals_deadline(double seconds) {
    const double millions = 1e6, whole = floor(seconds);
    struct itimerval timer = {.it_value.tv_sec = (time_t)whole};
    timer.it_value.tv_usec = (suseconds_t)fmin(millions * (seconds - whole) + 1, millions - 1);
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

void signals_orderly(const char *words) {
    atomic_store(&note, words);
    atomic_store(&orderly, true);
}

int signals_caught(void) {
    return atomic_load(&caught);
}

void signals_die(void) {
    if (signals_caught() != 0) die(signals_caught());
}

/* ---- Tables ---- */

void signals_print_complete(void) {
    if (signals_caught() == 0 || finish == NULL || !finish()) return;
    remains_clear();
    print_reason(signals_caught());
    _exit(SIGNALS_UNFINISHED);
}

static void *wait_for_signal(void *unused) {
    (void)unused;
    while (sem_wait(&come) != 0) continue;
    signals_print_complete();
    return NULL;
}

/* The new thread takes no signals. If it cannot be created, signals end the command at once. */
void signals_finish(bool (*by)(void)) {
    sigset_t all, before;
    pthread_t thread;
    if (atomic_load(&finishes) || sem_init(&come, 0, 0) != 0) return;
    finish = by;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool made = pthread_create(&thread, NULL, wait_for_signal, NULL) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made) (void)pthread_detach(thread);
    atomic_store(&finishes, made);
}

void signals_set_unfinished(void) {
    unfinished = true;
}

bool signals_unfinished(void) {
    return unfinished;
}
