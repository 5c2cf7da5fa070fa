/* cli/signals.h - SIGINT and SIGTERM set a flag; the program ends cleanly and then dies of the signal. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* Installs the handlers (for commands that ask for signals_caught). A second signal ends
 * the program at once. */
void signals_install(void);

/* The signal caught so far, 0 if none. */
int signals_caught(void);

/* If a signal was caught: restores its default action and raises it. Returns only if none was. */
void signals_die(void);

#endif
