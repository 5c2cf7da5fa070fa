/* cli/signals.h - INT, TERM, HUP, USR1 and ALRM end the program at once: the handler ends child processes and
 * removes temporary files, and the program dies of the signal. A command with results to save requests an
 * orderly end and gets a short time for it; a second signal ends that, too. */
#pragma once

#include "costab/base.h"

/* From now on a signal ends the program with a message that names the command. */
void signals_watch(const char *command);

/* Exit status of an unfinished command: after --time, or after a signal if the complete rows are printed. */
#define SIGNALS_UNFINISHED 3

/* Ends the program after `seconds` seconds as by a signal (SIGALRM), but with SIGNALS_UNFINISHED. */
void signals_deadline(double seconds);

/* Returns "stopped by a signal", or for SIGALRM "stopped by --time, unfinished". */
const char *signals_words(int number);

/* From now on signals_caught returns the first signal. SIGNALS_GRACE seconds after it the program ends, if it
 * has not yet, and prints `note` (borrowed, may be NULL). USR1, the early warning of a batch system, has no
 * time limit unless a table is being printed. */
#define SIGNALS_GRACE 0.35
void signals_orderly(const char *note);

/* Returns the signal that requested an orderly end; 0 if there was none. */
int signals_caught(void);

/* Dies of the signal of signals_caught. Returns only if no signal came. */
void signals_die(void);

/* From now on the first signal calls `by` on another thread. If `by` has printed the complete rows and
 * returns true, the program ends with SIGNALS_UNFINISHED. */
void signals_finish(bool (*by)(void));

/* Calls the function of signals_finish on this thread if a signal has come. Returns if no signal came or
 * there was nothing to print. */
void signals_print_complete(void);

/* Marks that the command ends normally with an incomplete answer: SIGNALS_UNFINISHED. */
void signals_set_unfinished(void);
bool signals_unfinished(void);
