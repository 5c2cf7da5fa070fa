/* base/guard.h - a child process for work on files from strangers, by libraries that may crash on them, or
 * for another program. The child has the limits that its terms and its work set; its crash becomes an error
 * message here. */
#pragma once

#include <sys/types.h>

#include "costab/base.h"

/* A child, and the channel to it. */
typedef struct guard guard;

/* What the child does. It talks through the channel (guard_get, guard_put) and ends when it returns; nothing
 * that it changes in memory is seen by the caller. */
typedef void (*guard_work)(int channel, void *context);

/* What a child is allowed that does not only read; all false: nothing. */
typedef struct guard_terms {
    bool writes; /* it may write files */
    bool alone;  /* it keeps no descriptor of the caller's but the standard streams, which lead nowhere */
    bool group;  /* it has a process group of its own, which ends with it */
    bool
        guardian; /* SIGTERM ends it, and all processes that descend from it; its first child does the work */
    bool program; /* it becomes a program, which writes to the channel: a pipe then, not for guard_put */
    int output, errors; /* descriptors that its standard output and error go to; 0: they lead nowhere */
    int kept;           /* a descriptor that it keeps besides, even if `alone`; 0: none */
} guard_terms;

/* Starts the child. `path` names the file and `library` what reads it, in messages; both are borrowed until
 * guard_end. [out] *started: to be ended. */
costab_status guard_start(const guard_terms *terms, const char *path, const char *library, guard_work work,
                          void *context, guard **started, costab_error *error);

/* What came of a transfer. */
typedef enum guard_outcome {
    GUARD_DONE,
    GUARD_SILENT,  /* the child did nothing for so long; it has been ended */
    GUARD_CRASHED, /* it died of a signal, whose number is told */
    GUARD_GONE     /* it ended by itself, with a status that is told; -1: the system does not tell it */
} guard_outcome;

/* Sends (from) or receives (to) exactly `size` bytes, within so many seconds, where it is the caller who says
 * what a failure means. Time in which this process is suspended (SIGSTOP) does not count, here and below.
 * [out] *number: see above. */
guard_outcome guard_move(guard *g, void *to, const void *from, size_t size, double seconds, int *number);

/* Whether there is something to receive, or an end to be told of, within so many seconds. */
bool guard_ready(guard *g, double seconds);

/* Returns true if the child has ended. Its descendants may still hold the channel open. */
bool guard_ended(const guard *g);

/* Waits for a child that has ended. Returns GUARD_CRASHED or GUARD_GONE, [out] *number as of guard_move. */
guard_outcome guard_wait(guard *g, int *number);

/* Sends to the child, or receives from it, exactly `size` bytes. COSTAB_INVALID where the child has ended, or
 * does not answer for minutes: the message says why. */
costab_status guard_send(guard *g, const void *bytes, size_t size, costab_error *error);
costab_status guard_receive(guard *g, void *bytes, size_t size, costab_error *error);

/* Ends the child, whatever it does, and sets the pointer to NULL; NULL is allowed. */
void guard_end(guard **started);

/* For the child. Exactly `size` bytes; false where the other side is gone. */
bool guard_get(int channel, void *bytes, size_t size);
bool guard_put(int channel, const void *bytes, size_t size);

/* For the child: from now on it may take so many bytes more than it had at its start; so many seconds of
 * computing from now on; and it cannot open any file. Systems without such limits have none. */
void guard_memory(size_t bytes);
void guard_seconds(unsigned seconds);
void guard_no_files(void);

/* Calls `take` for every process that has this parent; returns how many there are, 0 on systems without
 * /proc.
 */
int guard_children(pid_t parent, void (*take)(void *context, pid_t child), void *context);

/* For a program that the child has become by exec: its start, from which guard_memory counts, is now. */
void guard_restart(void);
