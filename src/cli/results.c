#include "cli/results.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/progress.h"
#include "cli/signals.h"

typedef struct showing {
    const char *output;
    progress bar;
} showing;

static bool on_progress(void *context, size_t done, size_t total) {
    return progress_follow(&((showing *)context)->bar, done, total);
}

static void on_start(void *context, const costab_study_start *start) {
    const char *output = ((const showing *)context)->output;
    if (start->finished) fprintf(stderr, "%s: is finished already\n", output);
    if (start->replaced > 0)
        fprintf(stderr, "%s: begins again; with --resume it would have continued after tile %zu of %zu\n",
                output, start->replaced, start->last);
    if (start->resumed)
        fprintf(stderr, "%s: continues after tile %zu of %zu%s\n", output, start->next, start->last,
                start->damaged ? "; what its checkpoint holds beyond that is cut short or damaged" : "");
}

costab_status cli_write_results(costab_study *study, const char *output,
                                const costab_study_run_options *options, bool quiet, costab_error *error) {
    size_t tiles, points, kept;
    text kept_in = {0};
    showing s = {.output = output};
    costab_study_run_options all = *options;
    costab_status status = costab_plan_size(costab_study_plan(study), &tiles, &points, error);
    if (status) return status;
    progress_start(&s.bar, file_name(output), "points", (double)points / (double)tiles, quiet);
    if (options->checkpoint || options->slices > 0)
        text_printf(
            &kept_in,
            "; tiles are kept in '%s.checkpoint': the same command with --resume continues from there",
            output);
    signals_orderly(kept_in.data, options->team != NULL);
    all.progress = on_progress;
    all.started = on_start;
    all.context = &s;
    status = costab_study_run(study, output, &all, &kept, error);
    progress_end(&s.bar);
    signals_orderly(NULL, options->team != NULL);
    text_free(&kept_in);
    size_t used = strlen(error->message), room = sizeof error->message - used;
    if (kept > 0)
        snprintf(error->message + used, room, ": the same command with --resume continues from there");
    return status;
}

void cli_tell_failures(const char *path, const costab_study *study) {
    costab_error first;
    size_t tiles, points, failures = costab_study_failures(study, &first);
    if (failures > 0 && !costab_plan_size(costab_study_plan(study), &tiles, &points, NULL))
        fprintf(stderr,
                "%s: warning: %zu of %zu points cannot be analysed (class failed); the first one: %s\n", path,
                failures, points, first.message);
}
