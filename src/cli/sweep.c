/* costab sweep: spec to results file; a planar system's or a network's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/path.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/results.h"
#include "cli/table.h"
#include "cli/value.h"

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

static void describe(FILE *to, const char *output, const costab_study *study, size_t tiles, size_t points) {
    const costab_plan *plan = costab_study_plan(study);
    size_t cell = costab_study_origin_of(study)->refine_cell;
    fprintf(to, "output  %s\npoints  %zu (", output, points);
    for (int k = 0; k < plan->swept; k++)
        fprintf(to, "%s%zu %s", k > 0 ? " x " : "", plan->axes[k].count, plan->axes[k].name);
    fprintf(to, ")");
    if (cell > 0) fprintf(to, ", refined from cells of %zu", cell);
    fprintf(to, "\nfields ");
    for (int f = 0; f < plan->field_count; f++) fprintf(to, " %s", plan->fields[f].name);
    fprintf(to, "\nbytes   %.0f before compression\ntiles   %zu\n", raw_bytes(plan), tiles);
}

/* What a run has written, and how fast; `timer` began with it. points: 0 where only a part was computed now.
 */
static void tell_written(const char *output, size_t points, const progress *timer) {
    char duration[PROGRESS_SHOWN_MAX], rate[PROGRESS_SHOWN_MAX];
    struct stat file;
    double seconds = progress_elapsed(timer);
    if (stat(output, &file) != 0) return; /* somebody has taken it away already */
    fprintf(stderr, "written %lld bytes in %s", (long long)file.st_size,
            progress_duration(seconds, duration));
    if (points > 0) fprintf(stderr, ", %s points/s", progress_quantity((double)points / seconds, rate));
    fputc('\n', stderr);
}

/* A run that goes on from a checkpoint, and the first of several ranks, tells of its own part. */
static void tell_refined(const char *path, const char *who, const costab_study *study, size_t points) {
    size_t analysed = costab_study_analysed(study);
    if (analysed > 0)
        fprintf(stderr, "%s: %s analysed %zu points of %zu (%.3g %%)\n", path, who, analysed, points,
                100 * (double)analysed / (double)points);
}

/* Runs the study into its file, and says so if asked to. */
static costab_status write_study(costab_study *study, const char *output, size_t tiles, size_t points,
                                 const cli_write_options *options, costab_error *error) {
    const costab_study_origin *origin = costab_study_origin_of(study);
    costab_store_info info = {.title = origin->title,
                              .references = origin->references,
                              .spec_path = origin->spec_path,
                              .spec_text = origin->spec_text};
    progress timer;
    progress_start(&timer, NULL, NULL, 0, true);
    if (options->verbose) {
        describe(stderr, output, study, tiles, points);
        fprintf(stderr, "threads %d", costab_run_threads(options->threads, tiles));
        if (options->team != NULL)
            fprintf(stderr, " of rank 0, which has %d beside it", options->team->size - 1);
        fputc('\n', stderr);
    }
    costab_status status = cli_write_results(study, &info, output, options, error);
    if (status == COSTAB_OK && options->verbose) tell_written(output, options->resume ? 0 : points, &timer);
    return status;
}

#define SLICES_MAX 9999999

/* The K-th of N slices: whole tiles, as equally many as they can be. */
typedef struct slice {
    long number, count; /* count 0: no slices */
} slice;

static costab_status read_slice(const cli_arguments *arguments, slice *s, costab_error *error) {
    const char *value = arguments->values[OPTION_SLICE];
    char *rest;
    *s = (slice){.count = 0};
    if (value == NULL) return COSTAB_OK;
    if (strspn(value, "0123456789/") == strlen(value)) {
        s->number = strtol(value, &rest, 10);
        if (*rest == '/' && rest[1] != '\0') s->count = strtol(rest + 1, &rest, 10);
        if (*rest == '\0' && s->number >= 1 && s->number <= s->count && s->count <= SLICES_MAX)
            return COSTAB_OK;
    }
    return error_set(error, COSTAB_INVALID, "--slice: '%s' is not K/N with 1 <= K <= N, such as 2/8", value);
}

static costab_status cut(const slice *s, size_t tiles, cli_write_options *options, costab_error *error) {
    if (s->count == 0) return COSTAB_OK;
    size_t number = (size_t)s->number, count = (size_t)s->count;
    if (count > tiles)
        return error_set(error, COSTAB_INVALID,
                         "--slice: the grid has only %zu tiles; take %zu slices or fewer", tiles, tiles);
    options->part = true;
    options->first = tiles / count * (number - 1) + tiles % count * (number - 1) / count;
    options->last = tiles / count * number + tiles % count * number / count;
    return COSTAB_OK;
}

static void slice_ending(const slice *s, text *ending) {
    if (s->count == 0)
        text_append(ending, ".h5");
    else
        text_printf(ending, ".%ld-of-%ld.part", s->number, s->count);
}

/* options: NULL to describe the sweep only. */
static costab_status sweep_one(const char *path, const char *output, const cli_write_options *wanted,
                               const slice *part, const cli_ranks *ranks, costab_error *error) {
    costab_study *study = NULL;
    size_t tiles = 0, points = 0;
    if (path_same(path, output))
        return error_set(error, COSTAB_INVALID, "--output: '%s' is the spec itself", output);
    costab_status status = costab_study_read(path, &study, error);
    if (status == COSTAB_IO) return COSTAB_INVALID; /* an input that is not there is the caller's mistake */
    if (status != COSTAB_OK) return status;
    const costab_study_origin *origin = costab_study_origin_of(study);
    bool speaks = ranks->team.rank == 0;
    if (speaks && origin->warnings[0] != '\0') fprintf(stderr, "%s\n", origin->warnings);
    const costab_plan *plan = costab_study_plan(study);
    status = costab_plan_size(plan, &tiles, &points, error);
    cli_write_options all = {.threads = 0};
    const cli_write_options *options = wanted != NULL ? &all : NULL;
    if (wanted != NULL) all = *wanted;
    if (status == COSTAB_OK) status = cut(part, tiles, &all, error);
    if (status == COSTAB_OK && options == NULL) {
        if (speaks) describe(stdout, output, study, tiles, points);
        status = cli_flush(error);
    } else if (status == COSTAB_OK) {
        status = write_study(study, output, tiles, points, options, error);
        if (status == COSTAB_OK && speaks && !options->part) cli_tell_failures(path, study);
        if (status == COSTAB_OK && speaks && !options->quiet)
            tell_refined(path, ranks->team.size > 1 ? "rank 0" : "this run", study, points);
    }
    costab_study_destroy(&study);
    return status;
}

costab_status cli_sweep(const cli_arguments *arguments, costab_error *error) {
    long threads;
    const char *output = arguments->values[OPTION_OUTPUT];
    bool many = arguments->operand_count > 1;
    costab_status status = cli_whole(arguments, OPTION_THREADS, 1, 4096, 0, &threads, error);
    if (status == COSTAB_OK) status = ranks_check(arguments->ranks, error);
    if (status == COSTAB_OK && many && output != NULL && !path_is_folder(output))
        status = error_set(error, COSTAB_INVALID,
                           "--output: several specs need a folder that exists, not '%s'", output);
    const char *clash = path_clash(arguments->operands, arguments->operand_count);
    if (status == COSTAB_OK && clash != NULL)
        status = error_set(error, COSTAB_INVALID,
                           "%s: an earlier spec has the same name; its results would be replaced", clash);
    slice part = {.count = 0};
    text ending = {0};
    if (status == COSTAB_OK) status = read_slice(arguments, &part, error);
    if (status == COSTAB_OK) slice_ending(&part, &ending);
    if (ending.failed) status = error_memory(error);
    for (int k = 0; k < arguments->operand_count && status == COSTAB_OK; k++) {
        if (strcmp(arguments->operands[k], "-") == 0 && ranks_team(arguments->ranks) != NULL)
            status = error_set(error, COSTAB_INVALID,
                               "the standard input reaches one rank only; give the spec as a file");
        else if (strcmp(arguments->operands[k], "-") == 0 && (output == NULL || path_is_folder(output)))
            status = error_set(error, COSTAB_INVALID,
                               "a spec from the standard input has no name; give its results one with "
                               "--output FILE.h5");
    }
    bool dry = arguments->values[OPTION_DRY_RUN] != NULL;
    cli_write_options options = {.threads = (int)threads,
                                 .quiet = arguments->values[OPTION_QUIET] != NULL,
                                 .verbose = arguments->values[OPTION_VERBOSE] != NULL &&
                                            arguments->ranks->team.rank == 0,
                                 .checkpoint = true,
                                 .resume = arguments->values[OPTION_RESUME] != NULL,
                                 .team = ranks_team(arguments->ranks)};
    for (int k = 0; k < arguments->operand_count && status == COSTAB_OK; k++) {
        text target = {0};
        path_output(&target, output, arguments->operands[k], ending.data);
        status = target.failed ? error_memory(error)
                               : sweep_one(arguments->operands[k], target.data, dry ? NULL : &options, &part,
                                           arguments->ranks, error);
        text_free(&target);
    }
    text_free(&ending);
    return status;
}
