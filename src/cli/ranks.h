/* cli/ranks.h - the ranks that mpirun or srun started the program as: rank 0 does everything that is seen
 * from outside, the others help it with sweeps. */
#pragma once

#include "costab/sweep.h"

/* Of several ranks; all zeros where the program is alone. */
typedef struct cli_ranks {
    costab_team team; /* size 0: alone */
    int strangers;    /* so many were started, but they do not know each other; else 0 */
    struct ranks_mail *mail;
} cli_ranks;

/* Finds out what the program was started as; to be called before any thread is made. */
costab_status ranks_start(cli_ranks *ranks, costab_error *error);

/* COSTAB_INVALID for strangers: each would do the whole sweep. */
costab_status ranks_check(const cli_ranks *ranks, costab_error *error);

/* The team of several ranks; NULL where the program is alone. */
const costab_team *ranks_team(const cli_ranks *ranks);

/* Another rank than 0: tells rank 0 what went wrong outside of a run. */
void ranks_tell(const cli_ranks *ranks, costab_status status, const costab_error *error);

/* Rank 0: sends the others home and waits for them; another rank: waits to be sent. False where some did not
 * come, so that the job has to be ended by force. */
bool ranks_end(cli_ranks *ranks);

/* Ends the whole job with this exit status. */
void ranks_abort(int status);
