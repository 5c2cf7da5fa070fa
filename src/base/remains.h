/* base/remains.h - a list of what the program would leave behind if a signal ended it: files under hidden
 * names, temporary folders and child processes. Whoever makes one adds it to the list, and drops it when it
 * is gone. The program's handler of signals removes all that is in the list, and ends the program. The
 * library itself neither handles signals nor ends. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* One of them, owned by who adds it. Zero-initialised it is not added. */
typedef struct remains {
    char *path;    /* a file, or a folder with all that is in it; borrowed; NULL: none */
    pid_t child;   /* 0 or less: none */
    bool group;    /* the child has a process group of its own, which ends with it */
    bool guardian; /* SIGTERM ends the child and all processes that descend from it, which no group holds */
    struct remains *next, **link;
} remains;

/* Nobody clears from hold to release: what is made in between is added, or gone, or has its final name then.
 * The thread's signals wait so long. They do not nest. */
void remains_hold(void);
void remains_release(void);

/* Adds it, between hold and release. */
void remains_add(remains *r);

/* Takes it out, outside of hold and release; one that is not added is allowed. */
void remains_drop(remains *r);

/* In a child that was forked between hold and release: what is noted is its parent's. */
void remains_forget(void);

/* For a signal's handler: kills the children, waits for them, and removes the paths. From then on a hold and
 * a drop wait for ever: the program is to end. */
void remains_clear(void);

/* Ends the child and waits for it: returns its status, as of waitpid, or -1. A guardian gets 10 s to end its
 * descendants, and is continued all the time, as one of them may suspend it; then it is killed. */
int remains_end_child(const remains *r);

/* Removes a file, or a folder and all that is in it, also folders without permissions; also in a signal's
 * handler. */
void remains_remove(char *path);
