/* sweep/threads.h - the threads of a run. */
#pragma once

/* Calls work(of) on so many threads, of which the caller is one; on fewer where the system gives no more.
 * Returns when all have ended. */
void threads_run(int threads, void (*work)(void *of), void *of);
