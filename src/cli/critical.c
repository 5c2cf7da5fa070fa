/* costab critical: values of a at which an area changes its kind. Schemes are searched on threads of their
 * own, the last one first: it takes as long as all others. That is a millisecond, and a tenth of it passes
 * until a thread has begun, or has ended: the others begin before the options are read, and end while what
 * was found is printed. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/machine.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/area.h"
#include "costab/sweep.h"
#include "sweep/threads.h"

static const char *const searches[] = {[COSTAB_SEARCH_COMPLETE] = "complete",
                                       [COSTAB_SEARCH_NOT_COMPLETE] = "not complete",
                                       [COSTAB_SEARCH_UNDECIDED] = "undecided"};

/* What is found of a scheme. */
typedef struct found_scheme {
    costab_status status;
    costab_error error;
    double share; /* of the search that is done */
    size_t count;
    costab_critical critical[COSTAB_CRITICAL_MAX];
} found_scheme;

enum { READING, SEARCHING, ENDED };

typedef struct search {
    const cli_arguments *arguments;
    costab_status status; /* of the command */
    costab_error *error;
    cli_planar planar;
    double a[2];
    atomic_int stage;   /* READING, SEARCHING, ENDED */
    atomic_int left;    /* schemes that no thread has taken */
    atomic_int missing; /* schemes whose search has not ended */
    atomic_int failed;  /* the first scheme whose search failed: those behind it need not be searched */
    pthread_mutex_t showing, changing;
    pthread_cond_t changed;
    progress bar;
    found_scheme found[COSTAB_SCHEME_COUNT];
} search;

/* ---- stages ---- */

static void set_stage(search *s, int stage) {
    (void)pthread_mutex_lock(&s->changing);
    atomic_store(&s->stage, stage);
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->changing);
}

/* Looks a few times before the thread sleeps: it takes as long to be woken. */
static void wait_for_end_of(search *s, int stage) {
    enum { LOOKS = 200 };
    for (int k = 0; k < LOOKS && atomic_load(&s->stage) == stage; k++) (void)sched_yield();
    (void)pthread_mutex_lock(&s->changing);
    while (atomic_load(&s->stage) == stage) (void)pthread_cond_wait(&s->changed, &s->changing);
    (void)pthread_mutex_unlock(&s->changing);
}

/* ---- searches ---- */

/* One scheme's search, as the context of its progress. */
typedef struct watched {
    search *of;
    int scheme;
} watched;

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
    const costab_critical_options options = {
        .low = s->a[0], .high = s->a[1], .progress = show_progress, .progress_context = &w};
    found->status = costab_planar_critical(&s->planar.schemes[k], &options, found->critical, &found->count,
                                           &found->error);
    int failed = atomic_load(&s->failed);
    while (found->status && k < failed && !atomic_compare_exchange_weak(&s->failed, &failed, k)) continue;
    (void)show_progress(&w, 1);
}

/* What each thread does. */
static void search_schemes(search *s) {
    for (int k = atomic_fetch_sub(&s->left, 1) - 1; k >= 0; k = atomic_fetch_sub(&s->left, 1) - 1) {
        search_scheme(s, k);
        if (atomic_fetch_sub(&s->missing, 1) == 1) set_stage(s, ENDED);
    }
}

static void search_beside(void *of) {
    search *s = of;
    memory_gather();
    wait_for_end_of(s, READING);
    search_schemes(s);
    memory_scatter();
}

/* ---- the command ---- */

static costab_status show_found(cli_table *table, const search *s, costab_error *error) {
    for (int k = 0; k < s->planar.count; k++) {
        const found_scheme *found = &s->found[k];
        if (found->status) {
            *error = found->error;
            return found->status;
        }
        for (size_t i = 0; i < found->count; i++) {
            cli_table_planar(table, &s->planar.schemes[k]);
            cli_table_numbers(table, found->critical[i].a);
            cli_table_text(table, costab_event_name(found->critical[i].event));
            cli_table_text(table, searches[found->critical[i].search]);
        }
    }
    return cli_table_end(table, error);
}

static costab_status read_options(search *s, cli_table *table, costab_error *error) {
    static const double default_a[2] = {-8, 8};
    costab_status status = cli_planar_options(s->arguments, &s->planar, error);
    if (!status) status = cli_window(s->arguments, OPTION_A_WINDOW, default_a, s->a, error);
    if (!status)
        status = cli_table_begin(table, s->arguments, "scheme,method,substeps,a,event,search", error);
    return status;
}

static void read_search_show(void *of, int count) {
    search *s = of;
    cli_table table;
    (void)count;
    s->status = read_options(s, &table, s->error);
    if (s->status) {
        set_stage(s, ENDED);
        return;
    }
    signals_install();
    progress_start(&s->bar, "critical", "%", 100.0 / (1000 * s->planar.count),
                   s->arguments->values[OPTION_QUIET] != NULL);
    atomic_store(&s->missing, s->planar.count);
    atomic_store(&s->left, s->planar.count);
    set_stage(s, SEARCHING);
    search_schemes(s);
    wait_for_end_of(s, SEARCHING);
    progress_end(&s->bar);
    s->status = show_found(&table, s, s->error);
}

static costab_status search_all(search *s, int threads) {
    const threads_work work = {read_search_show, search_beside, s};
    atomic_init(&s->stage, READING);
    atomic_init(&s->left, 0);
    atomic_init(&s->missing, 0);
    atomic_init(&s->failed, COSTAB_SCHEME_COUNT);
    (void)pthread_mutex_init(&s->showing, NULL);
    (void)pthread_mutex_init(&s->changing, NULL);
    (void)pthread_cond_init(&s->changed, NULL);
    threads_run(threads, &work);
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->changing);
    (void)pthread_mutex_destroy(&s->showing);
    return s->status;
}

costab_status cli_critical(const cli_arguments *arguments, costab_error *error) {
    const size_t schemes = (size_t)cli_scheme_number(arguments);
    memory_gather();
    search *s = memory_alloc(1, sizeof *s); /* large, and few of its pages are used */
    costab_status status = COSTAB_MEMORY;
    if (s != NULL) {
        s->arguments = arguments;
        s->error = error;
        status = search_all(s, machine_limited() ? 1 : costab_run_threads(0, schemes));
    } else {
        (void)error_memory(error);
    }
    memory_free(s);
    memory_scatter();
    return status;
}
