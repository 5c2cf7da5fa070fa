/* What a signal that ends the program would leave behind: a doubly linked list under one lock. It is cleared
 * in this order: children are killed, waited for, and then paths are removed, as a child may still write into
 * a folder. */
#define _GNU_SOURCE 1 /* nftw */
#include "base/remains.h"

#include <errno.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static remains *first;

void remains_hold(void) {
    (void)pthread_mutex_lock(&lock);
}

void remains_release(void) {
    (void)pthread_mutex_unlock(&lock);
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

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about;
    (void)kind;
    (void)place;
    (void)remove(path);
    return 0;
}

void remains_remove(const char *path) {
    enum { DESCRIPTORS = 16 };
    (void)nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

void remains_clear(void) {
    remains_hold();
    for (const remains *r = first; r != NULL; r = r->next)
        if (r->child > 0) (void)kill(r->group ? -r->child : r->child, SIGKILL);
    for (const remains *r = first; r != NULL; r = r->next)
        while (r->child > 0 && waitpid(r->child, NULL, 0) < 0 && errno == EINTR) continue;
    for (const remains *r = first; r != NULL; r = r->next)
        if (r->path != NULL) remains_remove(r->path);
}
