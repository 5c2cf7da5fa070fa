/* Progress on stderr: one line that is rewritten on a terminal, otherwise a line at growing intervals. */
#include "cli/progress.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "cli/signals.h"
#include "costab/fmu.h"

#define QUIET_START    0.5 /* seconds; a shorter run shows nothing */
#define ESTIMATE_AFTER 2.0 /* seconds; the first tiles say little about the time left */
#define TERMINAL_EVERY 0.1 /* seconds between lines on a terminal */
/* Seconds between lines without a terminal: 10 at first, then a tenth of the elapsed time, at most 10
 * minutes. */
#define LOG_EVERY      10.0
#define LOG_EVERY_MOST 600.0
#define LOG_SHARE      0.1

/* Seconds from the start of a command to the first message about a wait for an FMU, and on a terminal between
 * messages. */
#define FMU_WAIT_EVERY 2.0

enum { COLUMNS_USUAL = 80, LINE = 256 };

const char *progress_quantity(double value, char shown[PROGRESS_SHOWN_MAX]) {
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    size_t k = 0;
    while (value >= 999.5 && k + 1 < sizeof prefixes / sizeof prefixes[0]) value /= 1000, k++;
    snprintf(shown, PROGRESS_SHOWN_MAX, "%.3g%s%s", value, k > 0 ? " " : "", prefixes[k]);
    return shown;
}

const char *progress_duration(double seconds, char shown[PROGRESS_SHOWN_MAX]) {
    static const struct {
        const char *name, *smaller;
        double length, count; /* length in seconds, and in the next smaller unit */
    } units[] = {{"d", "h", 86400, 24}, {"h", "min", 3600, 60}, {"min", "s", 60, 60}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        double smaller = units[k].length / units[k].count, total = floor(seconds / smaller + 0.5);
        if (total < units[k].count) continue;
        double whole = floor(total / units[k].count);
        snprintf(shown, PROGRESS_SHOWN_MAX, "%.0f %s %.0f %s", whole, units[k].name,
                 total - whole * units[k].count, units[k].smaller);
        return shown;
    }
    snprintf(shown, PROGRESS_SHOWN_MAX, seconds < 9.95 ? "%.2g s" : "%.0f s", seconds);
    return shown;
}

static size_t terminal_columns(void) {
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
    return COLUMNS_USUAL;
}

/* Shows label, bar and line as far as they fit, because a wrapped line cannot be rewritten. */
static void show_on_terminal(const char *label, const char *line, double share) {
    size_t space = terminal_columns() - 1, length = strlen(line);
    size_t rest = space > length ? space - length : 0, named = strlen(label) + 1;
    char bar[] = "[....................] ";
    bool barred = rest >= named + sizeof bar - 1;
    memset(bar + 1, '#', (size_t)(share * (double)(sizeof bar - 4)));
    if (named > rest) named = rest;
    fprintf(stderr, "\r\033[K%.*s%s%s%.*s", named > 0 ? (int)named - 1 : 0, label, named > 0 ? " " : "",
            barred ? bar : "", (int)space, line);
}

static bool on_terminal(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

/* ---- Messages about waits for FMUs ---- */

static struct {
    const char *command;
    bool terminal;
    atomic_bool shown;
    double started;
    _Atomic double last; /* time of the last line, also of other lines */
    atomic_flag busy;    /* a thread writes; the others leave out their messages */
} fmu_wait = {.busy = ATOMIC_FLAG_INIT};

/* Shows a message about a wait for an FMU, if enough time has passed. */
static void show_fmu_wait(void *unused, const char *words) {
    (void)unused;
    if (atomic_flag_test_and_set(&fmu_wait.busy)) return;
    double t = number_seconds();
    bool now = t - fmu_wait.started >= FMU_WAIT_EVERY &&
               (fmu_wait.last == 0 || t - fmu_wait.last >= (fmu_wait.terminal ? FMU_WAIT_EVERY : LOG_EVERY));
    if (now && fmu_wait.terminal)
        fprintf(stderr, "\r\033[K%.*s", (int)terminal_columns() - 1, words);
    else if (now)
        fprintf(stderr, "costab %s: %s\n", fmu_wait.command, words);
    if (now) fflush(stderr);
    if (now) fmu_wait.last = t;
    fmu_wait.shown = fmu_wait.shown || (now && fmu_wait.terminal);
    atomic_flag_clear(&fmu_wait.busy);
}

void progress_show_fmu_waits(const cli_arguments *arguments, const char *command) {
    fmu_wait.command = command;
    fmu_wait.terminal = on_terminal();
    fmu_wait.started = number_seconds();
    bool wanted = fmu_wait.terminal || arguments->verbose;
    if (wanted && !arguments->quiet) costab_fmu_set_listener(show_fmu_wait, NULL);
}

void progress_clear(void) {
    if (fmu_wait.shown) fprintf(stderr, "\r\033[K");
    fmu_wait.shown = false;
}

/* ---- How far a command is ---- */

void progress_start(progress *p, const char *label, const char *unit, double per_step, bool quiet) {
    *p = (progress){.label = quiet ? NULL : label, .unit = unit, .per_step = per_step};
    p->terminal = on_terminal();
    p->started = p->last = number_seconds();
}

void progress_start_file(progress *p, const cli_arguments *arguments, const char *unit) {
    progress_start(p, file_name(arguments->operands[0]), unit, 1, arguments->quiet);
}

double progress_elapsed(const progress *p) {
    return number_seconds() - p->started;
}

void progress_update(progress *p, size_t done, size_t total) {
    if (p->label == NULL || total == 0) return;
    double t = number_seconds(), elapsed = t - p->started;
    double wait = p->terminal ? TERMINAL_EVERY : fmin(fmax(LOG_EVERY, LOG_SHARE * elapsed), LOG_EVERY_MOST);
    if (elapsed < QUIET_START || t - p->last < wait) return;
    p->last = t;
    fmu_wait.last = t;
    double share = fmin((double)done / (double)total, 1);
    char line[LINE], rate[PROGRESS_SHOWN_MAX], left[PROGRESS_SHOWN_MAX];
    int used = snprintf(line, sizeof line, "%5.1f %%, %s %s/s", floor(1000 * share) / 10,
                        progress_quantity((double)done * p->per_step / elapsed, rate), p->unit);
    if (done > 0 && elapsed >= ESTIMATE_AFTER)
        snprintf(line + used, sizeof line - (size_t)used, ", %s left",
                 progress_duration(ceil(elapsed / share - elapsed), left));
    if (p->terminal)
        show_on_terminal(p->label, line, share);
    else
        fprintf(stderr, "%s: %s\n", p->label, line);
    fflush(stderr);
    p->shown = true;
}

bool progress_follow(void *context, size_t done, size_t total) {
    progress_update(context, done, total);
    return signals_caught() != 0;
}

void progress_end(progress *p) {
    if (p->label != NULL && p->shown && p->terminal) fprintf(stderr, "\r\033[K");
    p->shown = false;
}
