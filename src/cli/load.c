/* Starts the program if no threads can be created (ulimit -u). OpenBLAS creates threads while it is loaded
 * and raises SIGINT if it cannot, which would end the program as Ctrl-C does. costab does not need these
 * threads.
 *   1. Before the constructors of the libraries run, a handler of SIGINT is set (.preinit_array).
 *   2. A SIGINT from this process starts the program again, with OPENBLAS_NUM_THREADS=1.
 *   3. main restores SIGINT.
 *
 * Limitation: the message of OpenBLAS appears before the messages of costab. */
#define _GNU_SOURCE 1 /* SI_TKILL */
#include "cli/load.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
static char **arguments;
static struct sigaction before;

/* Writes a message; allowed in a signal handler. */
static void put(const char *words) {
    (void)!write(STDERR_FILENO, words, strlen(words));
}

static void handle(int number, siginfo_t *about, void *unused) {
    sigset_t only;
    (void)unused;
    (void)sigaction(number, &before, NULL);
    sigemptyset(&only);
    sigaddset(&only, number);
    (void)sigprocmask(SIG_UNBLOCK, &only, NULL);
    if (about->si_code != SI_TKILL || about->si_pid != getpid()) {
        (void)raise(number);
        return;
    }
    put("costab: no further thread can be started: the number of processes is limited (ulimit -u)\n");
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
    (void)execv("/proc/self/exe", arguments);
    _exit(EXIT_FAILURE);
}

static void prepare(int count, char **words, char **environment) {
    const char *threads = NULL;
    static const char name[] = "OPENBLAS_NUM_THREADS=";
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    (void)count;
    arguments = words;
    for (char **e = environment; *e != NULL && threads == NULL; e++) /* getenv is not ready yet */
        if (strncmp(*e, name, sizeof name - 1) == 0) threads = *e + sizeof name - 1;
    (void)sigaction(SIGINT, threads != NULL && strcmp(threads, "1") == 0 ? NULL : &action, &before);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = prepare;
#endif

void load_end(void) {
#ifdef __linux__
    (void)sigaction(SIGINT, &before, NULL);
#endif
}
