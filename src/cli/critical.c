/* costab critical: values of a at which an area changes its kind. */
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/area.h"

static const char *const searches[] = {[COSTAB_SEARCH_COMPLETE] = "complete",
                                       [COSTAB_SEARCH_NOT_COMPLETE] = "not complete",
                                       [COSTAB_SEARCH_UNDECIDED] = "undecided"};

typedef struct watched {
    progress bar;
    int scheme, count; /* the one at hand; of all */
} watched;

static bool show_progress(void *context, double share) {
    enum { STEPS = 1000 };
    watched *w = context;
    w->bar.per_step = 100.0 / (w->count * STEPS);
    return progress_follow(&w->bar, (size_t)(((double)w->scheme + share) * STEPS), (size_t)w->count * STEPS);
}

costab_status cli_critical(const cli_arguments *arguments, costab_error *error) {
    static const double default_a[2] = {-8, 8};
    cli_planar planar;
    cli_table table;
    double a[2];
    watched w = {.count = 0};
    costab_critical found[COSTAB_CRITICAL_MAX];
    costab_status status = cli_planar_options(arguments, &planar, error);
    if (!status) status = cli_window(arguments, OPTION_A_WINDOW, default_a, a, error);
    if (!status) status = cli_table_begin(&table, arguments, "scheme,method,substeps,a,event,search", error);
    progress_start(&w.bar, "critical", "%", 1, arguments->values[OPTION_QUIET] != NULL);
    signals_install();
    for (int s = 0; s < planar.count && !status; s++) {
        const costab_critical_options options = {
            .low = a[0], .high = a[1], .progress = show_progress, .progress_context = &w};
        size_t count = 0;
        w.scheme = s;
        w.count = planar.count;
        status = costab_planar_critical(&planar.schemes[s], &options, found, &count, error);
        progress_end(&w.bar);
        for (size_t i = 0; i < count && !status; i++) {
            cli_table_planar(&table, &planar.schemes[s]);
            cli_table_numbers(&table, found[i].a);
            cli_table_text(&table, costab_event_name(found[i].event));
            cli_table_text(&table, searches[found[i].search]);
        }
    }
    return status ? status : cli_table_end(&table, error);
}
