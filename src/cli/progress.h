/* cli/progress.h - one line of progress on stderr: one that renews itself on a terminal, else a line now and
 * then. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "costab/base.h"

typedef struct progress {
    const char *label;
    const char *unit; /* "points" */
    double per_step;  /* units a step */
    bool terminal, shown;
    double started, last; /* seconds */
} progress;

/* Starts; nothing is shown before half a second has passed. quiet: nothing ever. `label` and `unit` are
 * borrowed. */
void progress_start(progress *p, const char *label, const char *unit, double per_step, bool quiet);
void progress_update(progress *p, size_t done, size_t total);
/* Takes away the line that a terminal shows. */
void progress_end(progress *p);

/* Seconds since the start. */
double progress_elapsed(const progress *p);

/* "12.3 M", and "0.21 s", "3 min 20 s", "2 h 5 min" or "3 d 4 h": three digits or two units. Returns `shown`.
 */
#define PROGRESS_SHOWN_MAX 32
const char *progress_quantity(double value, char shown[PROGRESS_SHOWN_MAX]);
const char *progress_duration(double seconds, char shown[PROGRESS_SHOWN_MAX]);

#endif
