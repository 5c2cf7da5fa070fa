#include "cli/results.h"

#include "base/file.h"
#include "cli/path.h"
#include "cli/progress.h"
#include "cli/signals.h"

static bool on_progress(void *context, size_t done, size_t total) {
    progress_update((progress *)context, done, total);
    return signals_caught() != 0;
}

costab_status cli_write_results(const costab_study *study, const costab_store_info *info, const char *output,
                                int threads, bool quiet, costab_error *error) {
    const costab_plan *plan = costab_study_plan(study);
    size_t tiles, points;
    costab_store *store = NULL;
    costab_status status = costab_plan_size(plan, &tiles, &points, error);
    if (status == COSTAB_OK) status = costab_store_create(output, plan, info, &store, error);
    if (status != COSTAB_OK) return status;

    signals_install(); /* here they are asked for between tiles */
    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_sink sink = costab_store_sink(store);
    progress bar;
    progress_start(&bar, file_name(output), "points", (double)points / (double)tiles, quiet);
    costab_run_options options = {.threads = threads, .progress = on_progress, .progress_context = &bar};
    status = costab_run(plan, &evaluator, &sink, &options, error);
    progress_end(&bar);
    if (status == COSTAB_OK) return costab_store_publish(&store, error);
    costab_store_discard(&store);
    return status;
}
