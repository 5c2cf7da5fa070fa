/* cli/results.h - a study into a results file, with what is said on the way. */
#pragma once

#include "cli/command.h"
#include "costab/store.h"
#include "costab/study.h"

/* costab_study_run with a line of progress unless `quiet`, on which a signal ends it with COSTAB_CANCELLED.
 * The options' progress, started and context are set here. [out] *current: whether the file was up to date,
 * so that nothing was computed; may be NULL. */
costab_status cli_write_results(costab_study *study, const char *output,
                                const costab_study_run_options *options, bool quiet, bool *current,
                                costab_error *error);

/* Says on stderr how many points could not be analysed, if any: that is no failure of the run. */
void cli_tell_failures(const char *path, const costab_study *study);

/* Ends the run of a study: what was written, how much of it is stable, and what draws it, on stderr. */
void cli_tell_written(const char *path, const costab_study *study);

/* "wrote PATH" on stderr, unless --quiet; the latter with what draws it. */
void cli_tell_file(const char *path, const cli_arguments *arguments);
void cli_tell_drawable(const char *path, const cli_arguments *arguments);

/* How often each code stands in a field over all axes, of bytes. */
costab_status cli_count_codes(const costab_results *results, int field, size_t counts[256],
                              costab_error *error);
