/* sweep/threads.h - the threads of a run. */
#pragma once

/* What the calling thread does (NULL: the same), and what each of the others does. `count`: how many threads
 * there are, which is fewer than were asked for where the system gives no more. */
typedef struct threads_work {
    void (*first)(void *of, int count);
    void (*other)(void *of);
    void *of;
} threads_work;

/* Returns when all have ended. */
void threads_run(int threads, const threads_work *work);
