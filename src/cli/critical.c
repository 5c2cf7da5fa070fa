/* costab critical: values of a at which an area changes its kind (zero, finite, infinite).
 *   1. Up to one thread per scheme searches (costab_planar_critical) and reports its progress.
 *   2. The events are printed in the order of the schemes, then of a. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/area.h"
#include "costab/sweep.h"
#include "sweep/run.h"
#include "sweep/threads.h"

static CLI_OPTION(opt_a_window, "a", 0, "LO:HI", NULL, "range of a that is searched (default -8:8)");

static const char *const searches[] = {[COSTAB_SEARCH_COMPLETE] = "complete",
                                       [COSTAB_SEARCH_NOT_COMPLETE] = "not complete",
                                       [COSTAB_SEARCH_UNDECIDED] = "undecided"};

/* Result of one scheme. */
typedef struct found_scheme {
    costab_status status;
    costab_error error;
    double share; /* completed share of the search */
    size_t count;
    costab_critical critical[COSTAB_CRITICAL_MAX];
} found_scheme;

typedef struct search {
    cli_planar planar;
    cli_plane_window window;
    double a[2];
    char *written[2];  /* ends of the range as given; NULL: the default */
    atomic_int left;   /* schemes not yet taken by a thread */
    atomic_int failed; /* index of the first scheme with a failed search; later schemes are skipped */
    pthread_mutex_t showing;
    progress bar;
    found_scheme found[COSTAB_SCHEME_COUNT];
} search;

/* One scheme's search, as the context of its progress. */
typedef struct watched {
    search *of;
    int scheme;
} watched;

/* Progress of one scheme's search. Returns true if it must end: stopped, or an earlier scheme failed. */
static bool show_progress(void *context, double share) {
    enum { STEPS = 1000 };
    const watched *w = context;
    search *s = w->of;
    double sum = 0;
    (void)pthread_mutex_lock(&s->showing);
    s->found[w->scheme].share = share;
    for (int k = 0; k < s->planar.count; k++) sum += s->found[k].share;
    const bool stop = progress_follow(&s->bar, (size_t)(sum * STEPS), (size_t)s->planar.count * STEPS);
    (void)pthread_mutex_unlock(&s->showing);
    return stop || w->scheme > atomic_load(&s->failed);
}

static void search_scheme(search *s, int k) {
    watched w = {s, k};
    found_scheme *found = &s->found[k];
    const costab_critical_options options = {.low = s->a[0],
                                             .high = s->a[1],
                                             .written = {s->written[0], s->written[1]},
                                             .progress = show_progress,
                                             .progress_context = &w,
                                             .gamma = s->window.given ? s->window.end : NULL,
                                             .delta = s->window.given ? s->window.end + 2 : NULL};
    found->status = costab_planar_critical(&s->planar.schemes[k], &options, found->critical, &found->count,
                                           &found->error);
    int failed = atomic_load(&s->failed);
    while (found->status && k < failed && !atomic_compare_exchange_weak(&s->failed, &failed, k)) continue;
    (void)show_progress(&w, 1);
}

/* Work of each thread. It takes the last scheme first, whose search takes as long as all other searches. */
static void search_schemes(void *of) {
    search *s = of;
    for (int k = atomic_fetch_sub(&s->left, 1) - 1; k >= 0; k = atomic_fetch_sub(&s->left, 1) - 1)
        search_scheme(s, k);
}

static costab_status show_found(const search *s, costab_error *error) {
    size_t count = 0;
    for (int k = 0; k < s->planar.count; k++) {
        const found_scheme *found = &s->found[k];
        if (found->status) {
            *error = found->error;
            return found->status;
        }
        count += found->count;
        for (size_t i = 0; i < found->count; i++) {
            table_planar(&s->planar.schemes[k]);
            table_numbers(found->critical[i].a);
            table_text(costab_event_name(found->critical[i].event));
            table_text(searches[found->critical[i].search]);
        }
    }
    for (int k = 0; k < s->planar.count; k++)
        if (s->planar.schemes[k].scheme == COSTAB_SIMULATION)
            (void)fputs("costab critical: simulation: its areas are the same for every a: no values\n",
                        stderr);
    table_say("%zu value%s for a from %g to %g. Areas near a value: costab area --a A", count,
              count == 1 ? "" : "s", s->a[0], s->a[1]);
    return table_end(error);
}

static void search_all(search *s, bool quiet) {
    progress_start(&s->bar, "critical", "%", 100.0 / (1000 * s->planar.count), quiet);
    atomic_init(&s->left, s->planar.count);
    atomic_init(&s->failed, COSTAB_SCHEME_COUNT);
    (void)pthread_mutex_init(&s->showing, NULL);
    threads_run(costab_run_threads(0, (size_t)s->planar.count), search_schemes, s);
    (void)pthread_mutex_destroy(&s->showing);
    progress_end(&s->bar);
}

static costab_status search_and_show(search *s, const cli_arguments *arguments, costab_error *error) {
    static const double default_a[2] = {-8, 8};
    TRY(cli_planar_options(arguments, &s->planar, error));
    TRY(cli_plane_window_options(arguments, &s->window, error));
    TRY(cli_window(arguments, &opt_a_window, default_a, s->a, error));
    TRY(cli_window_written(arguments, &opt_a_window, s->written, error));
    table_begin(arguments, "scheme,method,substeps,a,event,search");
    search_all(s, arguments->quiet);
    return show_found(s, error);
}

static costab_status cli_critical(const cli_arguments *arguments, costab_error *error) {
    search *s = memory_alloc(1, sizeof *s); /* too large for a stack */
    if (s == NULL) return error_memory(error);
    costab_status status = search_and_show(s, arguments, error);
    cli_plane_window_free(&s->window);
    memory_free_all(s->written[0], s->written[1], s);
    return status;
}

const cli_command cli_critical_command = {
    .name = "critical",
    .summary = "values of a at which an area changes its kind",
    .details =
        "Prints the values of a at which the area of SS, of US, or of the part of US with Gamma > 0 "
        "(us_right) becomes positive or 0, infinite or finite, as a increases; in the whole (Gamma, "
        "Delta) plane or in a window. To draw those of the whole plane with the areas: costab area --a LO:HI:N -o "
        "FILE.h5, then costab plot FILE.h5.",
    .examples = "costab critical --scheme zigzag --a -5:5\n"
                "costab critical --scheme cross --gamma -4:0 --delta 0:10",
    .options = {&opt_a_window, &opt_plane_gamma, &opt_plane_delta, CLI_PLANAR, CLI_TABLE, CLI_COMMON},
    .run = cli_critical};
