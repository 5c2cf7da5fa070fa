/* cli/progress.h - one line of progress on stderr: a bar that renews itself on a terminal, else a line now
 * and then. */
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

/* Starts; nothing is shown before half a second has passed. quiet: nothing ever. */
void progress_start(progress *p, const char *label, const char *unit, double per_step, bool quiet);
void progress_update(progress *p, size_t done, size_t total);
/* Ends the line that a terminal shows. */
void progress_end(progress *p);

#endif
