/* sweep/threads.h - starts the threads of a run (run.c). */
#pragma once

/* Calls work(of) on `threads` threads including the caller, or on fewer if the system provides fewer. Returns
 * after all of them have ended. */
void threads_run(int threads, void (*work)(void *of), void *of);
