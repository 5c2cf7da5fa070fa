/* base/guard.h - a child process for untrusted files in libraries that may crash, or for another program.
 * Terms and work set the limits of the child. Its crash becomes an error message in the parent. */
#pragma once

#include <sys/types.h>

#include "costab/base.h"

/* A child, and the channel to it. */
typedef struct guard guard;

/* Work of the child. It uses the channel (guard_get, guard_put) and ends when it returns; its changes in
 * memory are invisible to the caller. */
typedef void (*guard_work)(int channel, void *context);

/* Permissions of a child; all false: it only reads. */
typedef struct guard_terms {
    bool writes;        /* it may write files */
    bool alone;         /* closes the caller's other descriptors */
    bool group;         /* has its own process group, which ends with it */
    bool guardian;      /* on SIGTERM it ends with all its descendants; its first child does the work */
    bool program;       /* becomes a program that writes to the channel: a pipe, not for guard_put */
    int output, errors; /* descriptors for its standard output and error; 0: /dev/null */
    int kept;           /* an additional descriptor that it keeps, even if `alone`; 0: none */
} guard_terms;

/* Starts the child. `path` names the file and `library` its reader in messages; both are borrowed until
 * guard_end. COSTAB_IO if the system starts no process. [out] *started: end it with guard_end. */
costab_status guard_start(const guard_terms *terms, const char *path, const char *library, guard_work work,
                          void *context, guard **started, costab_error *error);

/* Outcome of a transfer. */
typedef enum guard_outcome {
    GUARD_DONE,
    GUARD_SILENT,  /* the child was inactive for too long and has been killed */
    GUARD_CRASHED, /* the child died of a signal; *number: the signal */
    GUARD_GONE     /* the child ended by itself; *number: its exit status, -1 if unknown */
} guard_outcome;

/* Sends (from) or receives (to) exactly `size` bytes. Gives up if no byte moves for `seconds`. Time during
 * which this process is suspended (SIGSTOP) does not count, here and below. [out] *number: see guard_outcome.
 */
guard_outcome guard_move(guard *g, void *to, const void *from, size_t size, double seconds, int *number);

/* Returns true if within `seconds` there is something to receive, or an end to report. */
bool guard_ready(guard *g, double seconds);

/* Returns true if the child has ended. Its descendants may still hold the channel open. */
bool guard_ended(const guard *g);

/* Waits for a child that has ended or closed its channel; kills it after 0.5 s. Returns GUARD_CRASHED or
 * GUARD_GONE, [out] *number as for guard_move. */
guard_outcome guard_wait(guard *g, int *number);

/* Send to the child, or receive from it, exactly `size` bytes. COSTAB_INVALID, with the reason, if the child
 * has ended or is inactive for 300 s. */
costab_status guard_send(guard *g, const void *bytes, size_t size, costab_error *error);
costab_status guard_receive(guard *g, void *bytes, size_t size, costab_error *error);

/* Ends the child, whatever it does, and sets the pointer to NULL; NULL is allowed. */
void guard_end(guard **started);

/* For the child: transfer exactly `size` bytes. Return false if the parent has ended. */
bool guard_get(int channel, void *bytes, size_t size);
bool guard_put(int channel, const void *bytes, size_t size);

/* For the child: limits its memory to `bytes` more than at its start; its processor time to `seconds` from
 * now on; and forbids opening files. Systems without such limits ignore the calls. */
void guard_memory(size_t bytes);
void guard_seconds(unsigned seconds);
void guard_no_files(void);

/* Calls `take` for every child process of `parent`. Returns their number, 0 on systems without /proc. */
int guard_children(pid_t parent, void (*take)(void *context, pid_t child), void *context);

/* For a program started by exec in the child: guard_memory counts from now on. */
void guard_restart(void);
