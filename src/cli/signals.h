/* cli/signals.h - signals that stop the program set a flag; the program cleans up and then dies of the
 * signal. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

/* Installs the handlers of SIGINT, SIGTERM, SIGHUP and SIGUSR1, for a command that asks signals_caught. A
 * second signal ends the program at once. */
void signals_install(void);

/* The number of the signal that was caught; 0 if none was. */
int signals_caught(void);

/* Whether one was: for the library's calls, which pass their context. */
bool signals_stop(void *context);

/* Dies of the signal that was caught. Returns only if none was. */
void signals_die(void);

#endif
