/* cli/results.h - runs a study into a results file, with progress, and messages about written files. */
#pragma once

#include "cli/command.h"
#include "costab/store.h"
#include "costab/study.h"

/* Runs costab_study_run with a line of progress unless `quiet`. A signal ends it with COSTAB_CANCELLED.
 * Replaces progress, started and context of the options. [out] *current: true if the file was up to date and
 * nothing was computed; may be NULL. */
costab_status cli_write_results(costab_study *study, const char *output,
                                const costab_study_run_options *options, bool quiet, bool *current,
                                costab_error *error);

/* Prints on stderr how many points could not be analysed, if any, and which time histories ended early; the
 * run itself has succeeded. */
void cli_tell_failures(const char *path, const costab_study *study);

/* Prints on stderr the written file, the share of stable points and the command that draws it. */
void cli_tell_written(const char *path, const costab_study *study);

/* Print "wrote PATH" on stderr, unless --quiet; cli_tell_drawable adds the command that draws it. */
void cli_tell_file(const char *path, const cli_arguments *arguments);
void cli_tell_drawable(const char *path, const cli_arguments *arguments);

/* Counts each code in a byte field over all axes. */
costab_status cli_count_codes(const costab_results *results, int field, size_t counts[256],
                              costab_error *error);
