/* cli/results.h - a study into a results file. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "costab/store.h"
#include "costab/study.h"

typedef struct cli_write_options {
    int threads;        /* 0: as many as OpenMP chooses */
    bool quiet;         /* no progress on stderr */
    bool verbose;       /* for the command: it says what is done */
    bool checkpoint;    /* finished tiles are kept in OUTPUT.checkpoint until the file is whole */
    bool resume;        /* goes on from what is kept there, if there is something */
    size_t first, last; /* with `part`: the tiles first <= i < last alone, */
    bool part;          /* as a log of them that costab_checkpoint_read opens, in place of a results file */
    const costab_team
        *team; /* the ranks that share the run, all of which call this with the same study; NULL: alone */
} cli_write_options;

/* Runs the study into the file `output`. A part that is finished is left as it is where the run is to go on.
 * Stopped by a signal it ends with COSTAB_CANCELLED. Whatever ends it early, no unfinished file is left; with
 * a checkpoint the message says what is kept. */
costab_status cli_write_results(costab_study *study, const costab_store_info *info, const char *output,
                                const cli_write_options *options, costab_error *error);

/* Points that could not be analysed are no failure of the run, but nobody should overlook them: says on
 * stderr how many there were. */
void cli_tell_failures(const char *path, const costab_study *study);

#endif
