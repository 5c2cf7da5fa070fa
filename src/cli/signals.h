/* cli/signals.h - every wait ends at the first signal of INT, TERM, HUP, USR1 and ALRM: its handler ends
 * child processes, removes temporary files, and the program dies of the signal. A command that has something
 * to save asks for an orderly end, and gets a moment for it; a second signal ends that, too. */
#pragma once

#include "costab/base.h"

/* From now on a signal ends the program, and the command's name is said then. */
void signals_watch(const char *command);

/* Exit status of a command that did not finish: after --time, or after a signal if what was complete is
 * printed. */
#define SIGNALS_UNFINISHED 3

/* After so many seconds from now the program ends as by a signal, but with SIGNALS_UNFINISHED. SIGALRM stands
 * for that. */
void signals_deadline(double seconds);

/* "stopped by a signal", or "stopped by --time, unfinished". */
const char *signals_words(int number);

/* From now on signals_caught tells of the first signal. The program ends SIGNALS_GRACE seconds later where it
 * has not by then, and says `kept`, which is borrowed (NULL: nothing). For USR1, by which a batch system
 * tells early, there is no such limit of time. */
#define SIGNALS_GRACE 0.35
void signals_orderly(const char *kept);

/* The number of the signal that asked for an orderly end; 0 if none did. */
int signals_caught(void);

/* Dies of that signal. Returns only if there is none. */
void signals_die(void);

/* From now on the first signal calls `by` on a thread of its own. If `by` returns true, having printed what
 * is complete, the program ends with SIGNALS_UNFINISHED. */
void signals_finish(bool (*by)(void));

/* Does the same on this thread, if a signal has come. Returns if there was none, or nothing to print. */
void signals_print_complete(void);

/* The command ends by itself, with an answer that is not complete: SIGNALS_UNFINISHED. */
void signals_set_unfinished(void);
bool signals_unfinished(void);
