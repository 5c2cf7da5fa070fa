/* The guardian of an FMU's process: its parent process, without code of the FMU.
 * 1. It waits until the FMU's process ends, costab sends SIGTERM, or costab is gone, which closes its side of
 *    the channel.
 * 2. It kills the FMU's process, then all other children. Orphaned processes become children of the guardian
 *    (PR_SET_CHILD_SUBREAPER), so all descendants of the FMU's process end, including those in other sessions
 *    or process groups.
 * 3. It ends with the status of the FMU's process, after SIGTERM with the status 0.
 * Cost: a fork of a small process. Limitation: an FMU that kills its guardian ends itself as well, but its
 * descendants survive. */
#define _GNU_SOURCE 1 /* ppoll */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>

#include "base/guard.h"
#include "fmu/child.h"

static volatile sig_atomic_t terminated; /* SIGTERM was received */

static void note(int number) {
    if (number == SIGTERM) terminated = 1;
}

static void end_child(void *context, pid_t child) {
    (void)context;
    (void)kill(child, SIGKILL);
}

/* Waits until costab's side of the channel closes or a signal arrives. Returns true if the channel closed. */
static bool parent_is_gone(int channel, const sigset_t *during) {
    struct pollfd end = {.fd = channel};
    return ppoll(&end, 1, NULL, during) > 0;
}

/* Ends this process as waitpid() described another; with status 0 if outcome < 0. */
static void end_as(int outcome) {
    sigset_t all;
    if (outcome >= 0 && WIFSIGNALED(outcome)) {
        (void)signal(WTERMSIG(outcome), SIG_DFL);
        sigfillset(&all);
        (void)sigprocmask(SIG_UNBLOCK, &all, NULL);
        (void)raise(WTERMSIG(outcome));
    }
    _exit(outcome >= 0 && WIFEXITED(outcome) ? WEXITSTATUS(outcome) : EXIT_SUCCESS);
}

static void guard_process(pid_t process, int channel, const sigset_t *during) {
    int outcome = -1, status;
    pid_t found = 0;
    bool gone = false;
    while (outcome < 0 && !terminated && !gone) {
        while ((found = waitpid(-1, &status, WNOHANG)) > 0)
            if (found == process) outcome = status;
        gone = outcome < 0 && !terminated && parent_is_gone(channel, during);
    }
    if (outcome < 0) {
        (void)kill(process, SIGKILL);
        (void)waitpid(process, &outcome, 0);
    }
    while ((found = waitpid(-1, &status, WNOHANG)) >= 0) /* -1: no child is left */
        if (found == 0 && guard_children(getpid(), end_child, NULL) > 0)
            (void)waitpid(-1, &status, 0);
        else if (found == 0)
            break; /* without /proc */
    end_as(terminated ? -1 : outcome);
}

void child_get_guardian(int channel) {
    static const int heard[] = {SIGTERM, SIGCHLD};
    sigset_t blocked, before;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) {
        (void)sigaddset(&blocked, heard[i]);
        (void)sigaction(heard[i], &(struct sigaction){.sa_handler = note}, NULL);
    }
    (void)sigprocmask(SIG_BLOCK, &blocked, &before);
#ifdef PR_SET_CHILD_SUBREAPER
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    const pid_t guardian = getpid(), process = fork();
    if (process < 0) _exit(EXIT_FAILURE);
    if (process > 0) guard_process(process, channel, &before);
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) (void)signal(heard[i], SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
#ifdef PR_SET_PDEATHSIG
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != guardian) _exit(EXIT_FAILURE);
}
