/* costab sweep: spec to results file. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/text.h"
#include "cli/path.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/spec.h"
#include "costab/store.h"
#include "costab/study.h"

static bool on_progress(void *context, size_t done, size_t total) {
    progress_update((progress *)context, done, total);
    return signals_caught() != 0;
}

/* Bytes of all fields before compression. */
static double raw_bytes(const costab_plan *plan) {
    double sum = 0;
    for (int f = 0; f < plan->field_count; f++) {
        double bytes = (double)costab_type_size(plan->fields[f].type);
        for (int r = 0; r < plan->fields[f].rank; r++)
            bytes *= (double)plan->axes[plan->fields[f].axes[r]].count;
        sum += bytes;
    }
    return sum;
}

static costab_status describe(const char *output, const costab_plan *plan, size_t tiles, size_t points,
                              costab_error *error) {
    printf("output  %s\npoints  %zu (", output, points);
    for (int k = 0; k < plan->swept; k++)
        printf("%s%zu %s", k > 0 ? " x " : "", plan->axes[k].count, plan->axes[k].name);
    printf(")\nfields ");
    for (int f = 0; f < plan->field_count; f++) printf(" %s", plan->fields[f].name);
    printf("\nbytes   %.0f before compression\ntiles   %zu\n", raw_bytes(plan), tiles);
    return cli_flush(error);
}

static costab_status run_into_file(const costab_sweep_spec *spec, const costab_study *study,
                                   const char *output, int threads, bool quiet, costab_error *error) {
    const costab_plan *plan = costab_study_plan(study);
    size_t tiles, points;
    costab_status status = costab_plan_size(plan, &tiles, &points, error);
    if (status != COSTAB_OK) return status;

    costab_store_info info = {.title = spec->title,
                              .references = "T. Kalmar-Nagy, I. Stanciulescu, Can complex systems really be "
                                            "simulated?, Applied Mathematics and Computation, 2014",
                              .spec_path = path_name(spec->path),
                              .spec_text = spec->text};
    costab_store *store = NULL;
    status = costab_store_create(output, plan, &info, &store, error);
    if (status != COSTAB_OK) return status;

    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_sink sink = costab_store_sink(store);
    progress bar;
    progress_start(&bar, path_name(output), "points", (double)points / (double)tiles, quiet);
    costab_run_options options = {.threads = threads, .progress = on_progress, .progress_context = &bar};
    status = costab_run(plan, &evaluator, &sink, &options, error);
    progress_end(&bar);
    if (status == COSTAB_OK) return costab_store_publish(&store, error);
    costab_store_discard(&store);
    return status;
}

static costab_status sweep_one(const char *path, const char *output, int threads, bool dry, bool quiet,
                               costab_error *error) {
    costab_sweep_spec *spec = NULL;
    costab_study *study = NULL;
    costab_status status = costab_sweep_spec_read(path, &spec, error);
    if (status == COSTAB_IO)
        status = COSTAB_INVALID; /* an input file that is not there is the caller's mistake */
    if (status == COSTAB_OK) status = costab_study_create(spec, &study, error);
    if (status == COSTAB_OK && dry) {
        size_t tiles = 0, points = 0;
        status = costab_plan_size(costab_study_plan(study), &tiles, &points, error);
        if (status == COSTAB_OK) status = describe(output, costab_study_plan(study), tiles, points, error);
    } else if (status == COSTAB_OK) {
        status = run_into_file(spec, study, output, threads, quiet, error);
    }
    costab_study_destroy(&study);
    costab_sweep_spec_destroy(&spec);
    return status;
}

costab_status cli_sweep(const cli_arguments *arguments, costab_error *error) {
    long threads;
    const char *output = arguments->values[OPTION_OUTPUT];
    signals_install(); /* here they are asked for between tiles */
    bool many = arguments->operand_count > 1;
    costab_status status = cli_whole(arguments, OPTION_THREADS, 1, 4096, 0, &threads, error);
    if (status == COSTAB_OK && many && output != NULL && !path_is_folder(output))
        status = error_set(error, COSTAB_INVALID,
                           "--output: several specs need a folder that exists, not '%s'", output);
    for (int k = 0; k < arguments->operand_count && status == COSTAB_OK; k++) {
        text target = {0};
        path_output(&target, output, arguments->operands[k], ".h5");
        status = target.failed ? error_memory(error)
                               : sweep_one(arguments->operands[k], target.data, (int)threads,
                                           arguments->values[OPTION_DRY_RUN] != NULL,
                                           arguments->values[OPTION_QUIET] != NULL, error);
        text_free(&target);
    }
    return status;
}
