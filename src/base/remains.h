/* base/remains.h - a list for cleaning up after a signal: files under hidden names, temporary folders and
 * child processes. Their creator adds them to the list, and drops them when they are gone. The program's
 * signal handler removes everything in the list and ends the program. The library itself neither handles
 * signals nor ends. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* An entry, owned by its creator. A zero-initialised entry is not in the list. */
typedef struct remains {
    char *path;    /* a file or a folder with its contents; borrowed; NULL: none */
    pid_t child;   /* 0 or less: none */
    bool group;    /* the child has its own process group, which ends with it */
    bool guardian; /* on SIGTERM the child ends with all its descendants, which may be in other groups */
    struct remains *next, **link;
} remains;

/* Between hold and release the list is not cleared: files made in between can be added, removed or renamed to
 * their final name. The thread's signals wait. The calls do not nest. */
void remains_hold(void);
void remains_release(void);

/* Adds an entry, between hold and release. */
void remains_add(remains *r);

/* Removes an entry from the list, outside of hold and release; an entry that is not in the list is allowed.
 */
void remains_drop(remains *r);

/* For a child forked between hold and release: the entries belong to its parent. */
void remains_forget(void);

/* For a signal handler: kills the children, waits for them, and removes the paths. Afterwards remains_hold
 * and remains_drop wait for ever, because the program must end. */
void remains_clear(void);

/* Kills the child and waits for it. Returns its status as from waitpid, or -1. A guardian first gets 10 s to
 * end its descendants. It is sent SIGCONT all the time, because a descendant may suspend it. */
int remains_end_child(const remains *r);

/* Removes a file, or a folder with its contents, also folders without permissions; usable in a signal
 * handler. */
void remains_remove(char *path);
