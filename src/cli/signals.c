#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught = 0;

static void remember(int number) {
    caught = number;
}

void signals_install(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    struct sigaction action = {.sa_handler = remember};
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND); /* a second signal ends the program at once */
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        /* a signal that nohup or the shell ignores stays ignored */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

int signals_caught(void) {
    return caught;
}

bool signals_stop(void *context) {
    (void)context;
    return caught != 0;
}

void signals_die(void) {
    int number = caught;
    if (number == 0) return;
    signal(number, SIG_DFL);
    raise(number);
}
