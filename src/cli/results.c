/* Runs studies into results files and reports on stderr: progress, restarts, continued runs, failed points
 * with the reason, and how to continue a stopped run. */
#include "cli/results.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "costab/store.h"
#include "study/create.h"
#include "sweep/run.h"

typedef struct showing {
    const char *output;
    progress bar;
    bool quiet, current;
} showing;

static bool on_progress(void *context, size_t done, size_t total) {
    return progress_follow(&((showing *)context)->bar, done, total);
}

static void on_start(void *context, const costab_study_start *start) {
    showing *s = context;
    const char *output = s->output;
    s->current = start->finished;
    if (start->finished && !s->quiet)
        fprintf(stderr, "%s: is up to date; --force computes it again\n", output);
    if (start->replaced > 0)
        fprintf(stderr, "%s: begins again; with --resume it would have continued after tile %zu of %zu\n",
                output, start->replaced, start->count);
    if (start->resumed)
        fprintf(stderr, "%s: continues after tile %zu of %zu%s\n", output, start->done, start->count,
                start->damaged ? "; what its checkpoint holds beyond that is cut short or damaged" : "");
}

costab_status cli_write_results(costab_study *study, const char *output,
                                const costab_study_run_options *options, bool quiet, bool *current,
                                costab_error *error) {
    size_t tiles, points, stored; /* stored: tiles in the checkpoint of a stopped run */
    text_local checkpoint = {0};
    showing s = {.output = output, .quiet = quiet};
    costab_study_run_options all = *options;
    TRY(costab_plan_size(costab_study_plan(study), &tiles, &points, error));
    progress_start(&s.bar, file_name(output), "points", (double)points / (double)tiles, quiet);
    if (options->checkpoint || options->slices > 0)
        text_printf(
            &checkpoint,
            "; tiles are kept in '%s.checkpoint': the same command with --resume continues from there",
            output);
    signals_orderly(checkpoint.data);
    all.progress = on_progress;
    all.started = on_start;
    all.context = &s;
    costab_status status = costab_study_run(study, output, &all, &stored, error);
    progress_end(&s.bar);
    signals_orderly(NULL);
    if (current != NULL) *current = s.current;
    size_t used = strlen(error->message), space = sizeof error->message - used;
    if (stored > 0)
        snprintf(error->message + used, space, ": the same command with --resume continues from there");
    return status;
}

void cli_tell_failures(const char *path, const costab_study *study) {
    costab_error first;
    size_t tiles, points, failures = costab_study_failures(study, &first);
    if (failures > 0 && !costab_plan_size(costab_study_plan(study), &tiles, &points, NULL))
        fprintf(
            stderr,
            "%s: warning: %zu of %zu points cannot be analysed (class failed, or numbers of a run NaN); the first one: %s\n",
            path, failures, points, first.message);
    const costab_axis *couplings = &costab_study_plan(study)->axes[0];
    for (int c = 0; c < (int)couplings->count; c++)
        if (costab_study_ending(study, c) != NULL)
            fprintf(stderr, "%s: warning: %s ended early: %s\n", path, couplings->labels[c],
                    costab_study_ending(study, c));
}

costab_status cli_count_codes(const costab_results *results, int field, size_t counts[256],
                              costab_error *error) {
    costab_plan plan = *costab_results_plan(results);
    size_t tiles, points, tile_size = 1;
    TRY(costab_plan_size(&plan, &tiles, &points, error));
    memset(counts, 0, 256 * sizeof *counts);
    for (int k = 0; k < plan.axis_count; k++) tile_size *= plan.tile_shape[k];
    memory_local_array(uint8_t, values, tile_size, error);
    for (size_t t = 0; t < tiles; t++) {
        costab_tile tile;
        costab_plan_tile(&plan, t, &tile);
        TRY(costab_results_read(results, field, tile.start, tile.count, values, error));
        size_t count = costab_tile_values(&plan, field, &tile);
        for (size_t i = 0; i < count; i++) counts[values[i]]++;
    }
    return COSTAB_OK;
}

/* Writes a number with commas, such as 40,000. */
static const char *grouped(size_t number, char shown[40]) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%zu", number), used = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0) shown[used++] = ',';
        shown[used++] = digits[i];
    }
    shown[used] = '\0';
    return shown;
}

void cli_tell_file(const char *path, const cli_arguments *arguments) {
    if (!arguments->quiet) cli_print(stderr, "wrote %s\n", path);
}

void cli_tell_drawable(const char *path, const cli_arguments *arguments) {
    if (arguments->quiet) return;
    cli_print(stderr, "wrote %s; draw it: costab plot %s\n", path, cli_word(path));
}

void cli_tell_written(const char *path, const costab_study *study) {
    size_t tiles, points, stable;
    char shown[40], share[40] = "";
    if (costab_plan_size(costab_study_plan(study), &tiles, &points, NULL) != COSTAB_OK) return;
    const size_t histories = costab_study_histories(study), count = histories > 0 ? histories : points;
    if (costab_study_stable(study, &stable))
        (void)snprintf(share, sizeof share, ", %.3g %% SS", 100 * (double)stable / (double)points);
    const char *const things[2][2] = {{"point", "points"}, {"time history", "time histories"}};
    cli_print(stderr, "wrote %s: %s %s%s; draw it: costab plot %s\n", path, grouped(count, shown),
              things[histories > 0][count != 1], share, cli_word(path));
}
