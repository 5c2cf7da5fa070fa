/* costab sweep: computes the grid of a spec, of the planar system or of a network, into a results file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/network.h"
#include "cli/path.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/fmu.h"
#include "study/create.h"
#include "sweep/run.h"

/* ---- Slices ---- */

/* The value of --slice. K/N: as given. auto: rank and size from the nearest launcher. auto/N: K is the index
 * of the task in a job array; N never comes from the array, because its count changes if some tasks are
 * submitted again. */
typedef struct cli_slice {
    size_t k, n;    /* slice k of n, 1 <= k <= n; 0, 0: the whole sweep */
    bool automatic; /* k comes from the environment */
    text from;      /* source variables, such as "A=1, B=4" */
} cli_slice;

#define SLICES_MAX 9999999

/* Launchers, nearest first: mpirun inside a Slurm job sets its own variables in addition to those of Slurm.
 * The shell of a Slurm job also has SLURM_PROCID, but it is not a step. */
static const struct {
    const char *sign; /* set if the launcher started this process */
    const char *rank, *size;
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {"PMI_RANK", "PMI_RANK", "PMI_SIZE"},
                 {"SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

static const char *const indices[] = {"SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX"};

/* Reads a number of digits, up to SLICES_MAX. *rest: the characters after it. */
static bool read_number(const char *digits, size_t *number, const char **rest) {
    const size_t length = strspn(digits, "0123456789");
    *number = length > 0 && length < 10 ? (size_t)strtoul(digits, NULL, 10) : SIZE_MAX;
    *rest = digits + length;
    return *number <= SLICES_MAX;
}

/* Reads the number in a variable and records the variable in slice->from; `sign` is set. */
static costab_status read_variable(const char *sign, const char *name, cli_slice *slice, size_t *number,
                                   costab_error *error) {
    const char *value = getenv(name), *rest;
    if (value == NULL) return error_invalid(error, "--slice auto: %s is set, but %s is not", sign, name);
    if (!read_number(value, number, &rest) || *rest != '\0')
        return error_invalid(error, "--slice auto: %s is '%s', which is not an integer up to %d", name, value,
                             SLICES_MAX);
    text_printf(&slice->from, "%s%s=%s", slice->from.size > 0 ? ", " : "", name, value);
    return slice->from.failed ? error_memory(error) : COSTAB_OK;
}

/* Gets rank and size from the nearest launcher; n stays 0 without a launcher. */
static costab_status ask_launcher(cli_slice *slice, costab_error *error) {
    size_t l = 0;
    while (l < sizeof launchers / sizeof *launchers && getenv(launchers[l].sign) == NULL) l++;
    if (l == sizeof launchers / sizeof *launchers) return COSTAB_OK;
    TRY(read_variable(launchers[l].sign, launchers[l].rank, slice, &slice->k, error));
    TRY(read_variable(launchers[l].sign, launchers[l].size, slice, &slice->n, error));
    if (slice->k++ < slice->n) return COSTAB_OK;
    return error_invalid(error, "--slice auto: %s: ranks count from 0 and are below the size",
                         slice->from.data);
}

static costab_status ask_array(cli_slice *slice, costab_error *error) {
    size_t i = 0;
    while (i < sizeof indices / sizeof *indices && getenv(indices[i]) == NULL) i++;
    if (i == sizeof indices / sizeof *indices)
        return error_invalid(
            error, "--slice auto/%zu: neither %s nor %s is set: this process is not a task of a job array",
            slice->n, indices[0], indices[1]);
    TRY(read_variable(indices[i], indices[i], slice, &slice->k, error));
    if (slice->k >= 1 && slice->k <= slice->n) return COSTAB_OK;
    return error_invalid(
        error, "--slice auto/%zu: %s: no such slice: submit the array with --array=1-%zu (PBS: -J 1-%zu)",
        slice->n, slice->from.data, slice->n, slice->n);
}

/* Refuses a process that a launcher started as one of several: each of these would do the whole sweep. */
static costab_status check_alone(cli_slice *slice, costab_error *error) {
    const costab_status status = ask_launcher(slice, NULL);
    const size_t processes = status ? 0 : slice->n;
    slice->k = slice->n = 0;
    if (processes < 2) return COSTAB_OK;
    return error_invalid(
        error, "each of %zu processes (%s) would do the whole sweep: --slice auto shares it among them",
        processes, slice->from.data);
}

/* Reads --slice K/N, auto or auto/N. COSTAB_INVALID for any other value, if the environment lacks the
 * variables of auto, and for a process without --slice that a launcher started as one of several. Free
 * slice->from. */
static costab_status cli_slice_read(const cli_arguments *arguments, cli_slice *slice, costab_error *error) {
    const char *value = cli_value(arguments, &opt_slice), *rest;
    if (value == NULL) return check_alone(slice, error);
    slice->automatic = strncmp(value, "auto", 4) == 0;
    if (strcmp(value, "auto") == 0) {
        TRY(ask_launcher(slice, error));
        if (slice->n > 0) return COSTAB_OK;
        return error_invalid(
            error,
            "--slice auto: no launcher started this process: none of %s (mpirun), %s and %s (srun) is set; "
            "in a job array use auto/N",
            launchers[0].sign, launchers[1].sign, launchers[2].sign);
    }
    if (slice->automatic)
        rest = value + 4;
    else
        (void)read_number(value, &slice->k, &rest);
    const bool whole =
        *rest == '/' && read_number(rest + 1, &slice->n, &rest) && *rest == '\0' && slice->n > 0;
    if (whole && slice->automatic) return ask_array(slice, error);
    if (whole && slice->k >= 1 && slice->k <= slice->n) return COSTAB_OK;
    return error_invalid(error, "--slice: '%s' is not auto, auto/N or K/N with 1 <= K <= N, such as 2/8",
                         value);
}

/* ---- The command ---- */

static CLI_OPTION(
    opt_dry_run, "dry-run", 0, NULL, NULL,
    "print points, bytes and tiles, and whether existing results are up to date; compute nothing, and "
    "run no FMU");
static CLI_OPTION(opt_resume, "resume", 0, NULL, NULL,
                  "continue from OUTPUT.checkpoint if a stopped run left one");
static CLI_OPTION(
    opt_axis, "axis", 0, "NAME=NUMBERS", NULL,
    "of a model: values X,Y of a parameter, or LO:HI:N, N values with both ends, LO:HI:N:log with equal "
    "ratios, perhaps with the unit, H=1ms:100ms:101; may be repeated, the last one runs fastest",
    .repeats = true);

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

/* Prints whether the output or its checkpoint exists, and whether it is up to date. */
static void describe_existing(FILE *to, const char *output, const costab_study *study,
                              const costab_study_run_options *options) {
    text_local checkpoint = {0};
    struct stat file;
    text_printf(&checkpoint, "%s.checkpoint", output);
    const char *const paths[] = {output, checkpoint.data};
    for (int k = 0; k < 2; k++) {
        if (paths[k] == NULL || stat(paths[k], &file) != 0) continue;
        const bool current =
            options->slices == 0 && k == 0
                ? costab_study_is_current(study, paths[k])
                : costab_study_is_current_part(study, paths[k], options->slice, options->slices);
        fprintf(to, "exists  %s: %s\n", paths[k],
                current
                    ? "up to date"
                    : "not up to date: the spec, a file that it reads, the slice or costab is another one");
    }
}

/* Prints how much a run has written, and how fast. timer: started with the run. points: 0 with --resume,
 * because a checkpoint may have held some of the tiles. */
static void tell_written(const char *output, size_t points, const progress *timer) {
    char duration[PROGRESS_SHOWN_MAX], rate[PROGRESS_SHOWN_MAX];
    struct stat file;
    double seconds = progress_elapsed(timer);
    if (stat(output, &file) != 0) return; /* another program has removed it already */
    fprintf(stderr, "written %lld bytes in %s", (long long)file.st_size,
            progress_duration(seconds, duration));
    if (points > 0) fprintf(stderr, ", %s points/s", progress_quantity((double)points / seconds, rate));
    fputc('\n', stderr);
}

/* Prints how many points of a refined sweep this run has analysed: fewer if it continued from a checkpoint.
 */
static void tell_refined(const char *path, const costab_study *study, size_t points) {
    size_t analysed = costab_study_analysed(study);
    if (analysed > 0)
        fprintf(stderr, "%s: this run analysed %zu points of %zu (%.3g %%)%s\n", path, analysed, points,
                100 * (double)analysed / (double)points,
                analysed == points ? ": refining would take longer" : "");
}

/* The command line's request for each sweep. */
typedef struct sweep_choices {
    costab_study_run_options run;
    cli_slice slice;
    cli_settings settings;                   /* of --set */
    cli_names couplings;                     /* of --coupling */
    costab_chart_axis axes[CLI_REPEATS_MAX]; /* of --axis */
    char *names[CLI_REPEATS_MAX];            /* names of the axes' parameters */
    double *lists[CLI_REPEATS_MAX];          /* values of the axes */
    text written[CLI_REPEATS_MAX];           /* the axes as given, without units */
    int axis_count;
    text notes; /* --fmu-accuracy, as a comment */
    bool quiet, verbose, dry;
} sweep_choices;

/* Reduces the numbers of tiles and points of a sweep to those of the slice. */
static void keep_slice(const costab_plan *plan, const costab_study_run_options *options, size_t *tiles,
                       size_t *points) {
    if (options->slices == 0) return;
    const size_t all = *tiles, first = options->slice - 1;
    *tiles = costab_plan_share(all, first, options->slices);
    *points = 0;
    for (size_t t = first; t < all; t += options->slices) {
        costab_tile tile;
        size_t here = 1;
        costab_plan_tile(plan, t, &tile);
        for (int k = 0; k < plan->swept; k++) here *= tile.count[k];
        *points += here;
    }
}

static void tell_begin(const char *output, const costab_study *study, size_t tiles, size_t points,
                       const sweep_choices *a) {
    describe(stderr, output, study, tiles, points);
    keep_slice(costab_study_plan(study), &a->run, &tiles, &points);
    if (a->run.slices > 0) fprintf(stderr, "slice   %zu of %zu", a->run.slice, a->run.slices);
    if (a->slice.automatic) fprintf(stderr, " (%s)", a->slice.from.data);
    fprintf(stderr, "%sthreads %d\n", a->run.slices > 0 ? "\n" : "",
            costab_run_threads(a->run.threads, tiles));
}

static void ending_of(const costab_study_run_options *options, text *ending) {
    if (options->slices == 0)
        text_append(ending, ".h5");
    else
        text_printf(ending, ".%zu-of-%zu.part", options->slice, options->slices);
}

static costab_status run(costab_study *study, const char *path, const char *output, const sweep_choices *a,
                         costab_error *error) {
    size_t tiles, points;
    progress timer;
    bool current;
    TRY(costab_plan_size(costab_study_plan(study), &tiles, &points, error));
    if (a->dry) {
        describe(stdout, output, study, tiles, points);
        keep_slice(costab_study_plan(study), &a->run, &tiles, &points);
        if (a->run.slices > 0)
            printf("slice   %zu of %zu: %zu points, %zu tiles\n", a->run.slice, a->run.slices, points, tiles);
        describe_existing(stdout, output, study, &a->run);
        return cli_flush(error);
    }
    progress_start(&timer, NULL, NULL, 0, true);
    if (a->verbose) tell_begin(output, study, tiles, points, a);
    TRY(cli_write_results(study, output, &a->run, a->quiet, &current, error));
    if (current) return COSTAB_OK;
    keep_slice(costab_study_plan(study), &a->run, &tiles, &points);
    if (a->verbose) tell_written(output, a->run.resume ? 0 : points, &timer);
    cli_tell_failures(path, study);
    if (a->quiet) return COSTAB_OK;
    tell_refined(path, study, points);
    if (a->run.slices == 0)
        cli_tell_written(output, study);
    else
        fprintf(stderr, "wrote %s: slice %zu of %zu; join them, once all are there: costab merge\n", output,
                a->run.slice, a->run.slices);
    return COSTAB_OK;
}

static costab_status sweep_one(const char *path, const char *output, const sweep_choices *a,
                               costab_error *error) {
    ends_by(costab_study_destroy) costab_study *study = NULL;
    if (path_same(path, output)) return error_invalid(error, "--output: '%s' is the spec itself", output);
    const costab_changes changes = {a->settings.list, a->settings.count, a->couplings.of, a->couplings.count,
                                    a->notes.data};
    TRY(a->axis_count > 0 ? costab_study_chart(path, a->axes, a->axis_count, &changes, &study, error)
                          : costab_study_read_set(path, &changes, &study, error));
    const costab_study_origin *origin = costab_study_origin_of(study);
    if (origin->warnings[0] != '\0') cli_print(stderr, "%s\n", origin->warnings);
    return run(study, path, output, a, error);
}

/* Appends the numbers of an axis without their units. Text that is not a number is unchanged. */
static void without_units(const char *numbers, const char *unit, text *plain) {
    for (const char *at = numbers;; at++) {
        const size_t size = strcspn(at, ",:");
        text_local number = {0};
        if (cli_without_unit(at, size, unit, &number))
            text_append_text(plain, &number);
        else
            text_append_n(plain, at, size);
        plain->failed = plain->failed || number.failed;
        at += size;
        if (*at == '\0') return;
        text_append_n(plain, at, 1);
    }
}

/* Reads the i-th axis NAME=NUMBERS. */
static costab_status read_axis(const char *given, const costab_model *model, sweep_choices *a, int i,
                               costab_error *error) {
    costab_chart_axis *axis = &a->axes[i];
    static const char log_ending[] = ":log";
    const char *numbers;
    text *plain = &a->written[i];
    text_local listed = {0};
    if (!cli_divide(given, &a->names[i], &numbers))
        return error_invalid(error, "--axis: '%s' is not NAME=NUMBERS, such as k=1:100:101 or k=1,10,100",
                             given);
    if (a->names[i] == NULL) return error_memory(error);
    without_units(numbers, cli_unit_of(model, a->names[i]), plain);
    if (plain->failed) return error_memory(error);
    const size_t size = plain->size, ending = sizeof log_ending - 1;
    axis->log = size > ending && strcmp(plain->data + size - ending, log_ending) == 0;
    text_append_n(&listed, plain->data, axis->log ? size - ending : size);
    if (listed.failed) return error_memory(error);
    if (cli_list_read(&opt_axis, listed.data, &a->lists[i], &axis->points, NULL) != COSTAB_OK)
        return cli_list_read(&opt_axis, numbers, &a->lists[i], &axis->points,
                             error); /* reports it as given */
    if (axis->log && !(strchr(listed.data, ':') != NULL && a->lists[i][0] > 0))
        return error_invalid(error, "--axis: '%s': log needs LO:HI:N:log with LO above 0", given);
    for (size_t k = 1; k < axis->points; k++)
        if (!(a->lists[i][k - 1] < a->lists[i][k]))
            return error_invalid(error, "--axis: the values of '%s' do not ascend", given);
    axis->from = a->lists[i][0];
    axis->to = a->lists[i][axis->points - 1];
    axis->values = strchr(numbers, ':') != NULL ? NULL : a->lists[i];
    axis->parameter = a->names[i];
    axis->written = plain->data;
    return COSTAB_OK;
}

static void forget_numbers(sweep_choices *a) {
    cli_settings_free(&a->settings);
    for (int i = 0; i < CLI_REPEATS_MAX; i++) {
        memory_free_all(a->names[i], a->lists[i]);
        text_free(&a->written[i]);
    }
    memset(a->names, 0, sizeof a->names);
    memset(a->lists, 0, sizeof a->lists);
    memset(a->axes, 0, sizeof a->axes);
    a->settings.count = a->axis_count = 0;
}

/* Reads --set and --axis; model NULL: numbers without units. */
static costab_status read_numbers(const cli_arguments *arguments, const costab_model *model, sweep_choices *a,
                                  costab_error *error) {
    const char *given;
    forget_numbers(a);
    TRY(cli_settings_read(arguments, model, &a->settings, error));
    for (; (given = cli_value_at(arguments, &opt_axis, a->axis_count)) != NULL; a->axis_count++)
        TRY(read_axis(given, model, a, a->axis_count, error));
    return COSTAB_OK;
}

/* Reads --set and --axis for a spec, which is opened for its units only if the numbers cannot be read
 * without it. */
static costab_status read_numbers_of(const cli_arguments *arguments, const char *path, sweep_choices *a,
                                     costab_error *error) {
    ends_by(costab_spec_destroy) costab_spec *spec = NULL;
    const costab_status status = read_numbers(arguments, NULL, a, error);
    if (status != COSTAB_INVALID || strcmp(path, "-") == 0) return status;
    TRY(costab_spec_read_with(path, costab_fmu_foreign(), &spec, error));
    return read_numbers(arguments, spec->model, a, error);
}

static void end(sweep_choices *a) {
    forget_numbers(a);
    cli_names_free(&a->couplings);
    text_free(&a->slice.from);
    text_free(&a->notes);
}

/* Returns COSTAB_INVALID unless every operand has an output file of its own. */
static costab_status check_places(const cli_arguments *arguments, const char *output, costab_error *error) {
    const char *clash = path_clash(arguments->operands, arguments->operand_count);
    bool folder = output != NULL && path_is_folder(output);
    if (arguments->operand_count > 1 && output != NULL && !folder)
        return error_invalid(error, "--output: several specs need a folder that exists, not '%s'", output);
    if (clash != NULL)
        return error_invalid(error, "%s: an earlier spec has the same name; its results would be replaced",
                             clash);
    for (int k = 0; k < arguments->operand_count; k++) {
        if (strcmp(arguments->operands[k], "-") != 0) continue;
        if (cli_value(arguments, &opt_axis) != NULL)
            return error_invalid(error, "--axis needs the model as a file");
        if (output == NULL || folder)
            return error_invalid(error, "a spec from the standard input has no name; give its results one "
                                        "with --output FILE.h5");
    }
    return COSTAB_OK;
}

static costab_status cli_sweep(const cli_arguments *arguments, costab_error *error) {
    const char *output = cli_value(arguments, &opt_output);
    text_local ending = {0};
    ends_by(end) sweep_choices a = {.quiet = arguments->quiet,
                                    .verbose = arguments->verbose,
                                    .dry = cli_value(arguments, &opt_dry_run) != NULL,
                                    .run = {.threads = arguments->threads,
                                            .checkpoint = true,
                                            .force = arguments->force,
                                            .resume = cli_value(arguments, &opt_resume) != NULL}};
    TRY(check_places(arguments, output, error));
    TRY(cli_slice_read(arguments, &a.slice, error));
    a.run.slice = a.slice.k;
    a.run.slices = a.slice.n;
    if (a.slice.automatic && output != NULL && *output != '\0' && output[strlen(output) - 1] != '/' &&
        !path_is_folder(output))
        return error_invalid(
            error,
            "--output: with --slice auto each process needs a file of its own: give a folder, not '%s'",
            output);
    TRY(cli_couplings(cli_value(arguments, &opt_coupling), &a.couplings, error));
    cli_append_note(arguments, &opt_fmu_accuracy, &a.notes);
    if (a.notes.failed) return error_memory(error);
    ending_of(&a.run, &ending);
    for (int k = 0; k < arguments->operand_count; k++) {
        text_local target = {.failed = ending.failed};
        if (!ending.failed) path_output(&target, output, arguments->operands[k], ending.data);
        if (target.failed) return error_memory(error);
        TRY(read_numbers_of(arguments, arguments->operands[k], &a, error));
        TRY(sweep_one(arguments->operands[k], target.data, &a, error));
    }
    return COSTAB_OK;
}

static const cli_operands specs = {"SPEC...", 1, -1, &cli_yaml_files};

const cli_command cli_sweep_command = {
    .name = "sweep",
    .operands = &specs,
    .summary = "run a sweep spec into one HDF5 file",
    .details =
        "Computes the grid of a YAML spec (-: the standard input) on all cores and writes one HDF5 "
        "file, whole or not at all. A file that is up to date, that is of the same spec, contents of the "
        "files that it reads, version and commit of costab, is left as it is. A run that was stopped, was killed or filled the disk continues "
        "with the same command and --resume. With --axis it charts a model file that has no spec of "
        "its own: class and spectral radius of all its couplings. --coupling takes others in place "
        "of those of the file. Fields are listed by costab help fields.",
    .examples = "costab sweep sweeps/kns2014/fig09.yaml -o fig09.h5\n"
                "costab sweep model.yaml --axis k=1:100:101 --axis H=0.001:0.05:201 -o chart.h5\n"
                "costab sweep model.yaml --axis H=0.001:0.1:301:log -c jacobi,newton\n"
                "costab sweep sweeps/gomes2018/two-mass.yaml --slice 1/4\n"
                "srun -n 4 costab sweep sweeps/gomes2018/two-mass.yaml --slice auto",
    .options = {&opt_axis, &opt_coupling, &opt_output, &opt_force, &opt_set, CLI_FMUS, &opt_resume,
                &opt_slice, &opt_dry_run, CLI_COMMON},
    .run = cli_sweep};
