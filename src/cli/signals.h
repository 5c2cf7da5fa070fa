/* cli/signals.h - every wait ends at the first signal of INT, TERM, HUP, USR1 and ALRM: its handler ends
 * child processes, removes temporary files, and the program dies of the signal. A command that has something
 * to save asks for an orderly end, and gets a moment for it; a second signal ends that, too. */
#pragma once

#include "costab/base.h"

/* From now on a signal ends the program, and the command's name is said then. */
void signals_watch(const char *command);

/* After so many seconds from now the program ends as by a signal, but with exit status 1. SIGALRM stands for
 * that. */
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
