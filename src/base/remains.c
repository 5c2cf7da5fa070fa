/* Keeps a list of files and processes that are removed if a signal ends the program: doubly linked, under one
 * lock.
 * Children are killed and waited for before paths are removed, because a child may still write into a folder.
 * The signal handler clears the list. So a thread with the lock blocks signals, and a folder is removed by
 * rm, because walking it would allocate memory. */
#include "base/remains.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static sigset_t before; /* signals blocked by the thread before it took the lock */
static remains *first;

static void take_lock(void) {
    while (atomic_flag_test_and_set(&lock)) (void)poll(NULL, 0, 1);
}

void remains_hold(void) {
    sigset_t all, mask;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &mask);
    take_lock();
    before = mask;
}

void remains_release(void) {
    const sigset_t mask = before;
    atomic_flag_clear(&lock);
    (void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void remains_add(remains *r) {
    r->next = first;
    r->link = &first;
    if (first != NULL) first->link = &r->next;
    first = r;
}

void remains_drop(remains *r) {
    if (r->link == NULL) return;
    remains_hold();
    *r->link = r->next;
    if (r->next != NULL) r->next->link = r->link;
    r->link = NULL;
    remains_release();
}

void remains_forget(void) {
    first = NULL;
    remains_release();
}

static void wait_for(pid_t child) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

static void run(const char *program, char *const arguments[]) {
    char *const environment[] = {NULL};
    pid_t child;
    if (posix_spawn(&child, program, NULL, NULL, arguments, environment) == 0) wait_for(child);
}

void remains_remove(char *path) {
    char rm[] = "rm", options[] = "-rf", chmod[] = "chmod", recursive[] = "-R", rights[] = "u+rwx",
         end[] = "--";
    char *const remove[] = {rm, options, end, path, NULL};
    char *const permit[] = {chmod, recursive, rights, end, path, NULL};
    if (unlink(path) == 0 || errno == ENOENT || rmdir(path) == 0) return;
    run("/bin/rm", remove);
    if (access(path, F_OK) != 0) return;
    run("/bin/chmod", permit);
    run("/bin/rm", remove);
}

int remains_end_child(const remains *r) {
    enum { LONG = 10000 };
    int outcome = -1;
    pid_t found = 0;
    if (r->guardian) (void)kill(r->child, SIGTERM);
    for (int milliseconds = 0; r->guardian && found == 0 && milliseconds < LONG; milliseconds++) {
        (void)kill(r->child, SIGCONT);
        (void)poll(NULL, 0, 1);
        found = waitpid(r->child, &outcome, WNOHANG);
    }
    if (found == 0) {
        (void)kill(r->group ? -r->child : r->child, SIGKILL);
        do found = waitpid(r->child, &outcome, 0);
        while (found < 0 && errno == EINTR);
    }
    return found > 0 ? outcome : -1;
}

void remains_clear(void) {
    take_lock();
    for (const remains *r = first; r != NULL; r = r->next)
        if (r->child > 0) (void)remains_end_child(r);
    for (const remains *r = first; r != NULL; r = r->next)
        if (r->path != NULL) remains_remove(r->path);
}
