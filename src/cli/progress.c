#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(progress *p, const char *label, const char *unit, double per_step, bool quiet) {
    const char *term = getenv("TERM");
    *p = (progress){.label = quiet ? NULL : label, .unit = unit, .per_step = per_step};
    p->terminal = isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
    p->started = p->last = now();
}

void progress_update(progress *p, size_t done, size_t total) {
    if (p->label == NULL || total == 0) return;
    double t = now(), wait = p->terminal ? 0.1 : 10.0, elapsed = t - p->started;
    if (elapsed < 0.5 || t - p->last < wait) return;
    p->last = t;
    double share = (double)done / (double)total;
    double rate = (double)done * p->per_step / elapsed;
    double left = share > 0 ? elapsed / share - elapsed : 0;
    char line[256];
    snprintf(line, sizeof line, "%s: %5.1f %%, %.3g %s/s, %.0f s left", p->label, 100 * share, rate, p->unit,
             left);
    if (p->terminal)
        fprintf(stderr, "\r\033[K%s", line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    p->shown = true;
}

void progress_end(progress *p) {
    if (p->label != NULL && p->shown && p->terminal) fprintf(stderr, "\r\033[K");
    p->shown = false;
}
