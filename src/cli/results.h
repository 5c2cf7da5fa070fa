/* cli/results.h - a study into a results file. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "costab/store.h"
#include "costab/study.h"

/* Runs the study into the file `output`, with progress on stderr unless quiet; stopped by a signal it ends
 * with COSTAB_CANCELLED and leaves nothing. threads: 0 for as many as OpenMP chooses. */
costab_status cli_write_results(const costab_study *study, const costab_store_info *info, const char *output,
                                int threads, bool quiet, costab_error *error);

#endif
