/* A signal at the worst moment, for tests: preloaded, the first fork() waits for a thread of its own that
 * gets SIGTERM then, as a fork waits for the threads of OpenBLAS. A handler that waits there for what the
 * thread that forks holds never ends. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_t thread;
static sem_t handled;
static atomic_bool sent;

static void *wait_for_signal(void *unused) {
    while (!atomic_load(&sent)) (void)poll(NULL, 0, 1);
    (void)sem_post(&handled);
    return unused;
}

static void before_fork(void) {
    if (atomic_load(&sent)) return;
    (void)pthread_kill(thread, SIGTERM);
    atomic_store(&sent, true);
    while (sem_wait(&handled) != 0) continue;
}

__attribute__((constructor)) static void start(void) {
    if (sem_init(&handled, 0, 0) != 0 || pthread_create(&thread, NULL, wait_for_signal, NULL) != 0 ||
        pthread_atfork(before_fork, NULL, NULL) != 0)
        abort();
}
