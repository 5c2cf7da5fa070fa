/* cli/progress.h - progress on stderr: on a terminal one line that is rewritten, otherwise a line at growing
 * intervals. */
#pragma once

#include "cli/command.h"

typedef struct progress {
    const char *label; /* NULL: quiet */
    const char *unit;  /* counted unit, such as "points" */
    double per_step;   /* units per step */
    bool terminal, shown;
    double started, last; /* in seconds of the monotonic clock */
} progress;

/* Starts the clock. Lines begin with `label` and count `per_step` units per step. Nothing is shown during the
 * first half second (without a terminal 10 s), and nothing at all if `quiet`. `label` and `unit` are
 * borrowed. */
void progress_start(progress *p, const char *label, const char *unit, double per_step, bool quiet);
/* Like progress_start, labelled with the command's file, one unit per step; quiet with --quiet. */
void progress_start_file(progress *p, const cli_arguments *arguments, const char *unit);
/* Shows `done` of `total` steps, if enough time has passed since the last line. */
void progress_update(progress *p, size_t done, size_t total);
/* Like progress_update, for callbacks of the library; context: the progress. Returns true if a signal has
 * come. */
bool progress_follow(void *context, size_t done, size_t total);
/* Erases the line on a terminal. */
void progress_end(progress *p);

/* Reports the FMU that the command waits for, from 2 seconds after this call on: on terminals, otherwise with
 * --verbose; not with --quiet. `command` is borrowed. */
void progress_show_fmu_waits(const cli_arguments *arguments, const char *command);
/* Erases the line on a wait for an FMU, before anything else is written. */
void progress_clear(void);

/* Returns the seconds since the start. */
double progress_elapsed(const progress *p);

/* Write a quantity in three digits, such as "12.3 M", or a duration in one or two units, such as "0.21 s", "3
 * min 20 s" or "3 d 4 h". Return `shown`. */
#define PROGRESS_SHOWN_MAX 32
const char *progress_quantity(double value, char shown[PROGRESS_SHOWN_MAX]);
const char *progress_duration(double seconds, char shown[PROGRESS_SHOWN_MAX]);
