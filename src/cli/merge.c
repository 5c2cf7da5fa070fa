/* costab merge: joins the slices of a sweep, each written by a process of its own, into one results file. */
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/path.h"
#include "cli/results.h"
#include "study/create.h"

static const cli_takes slice_files = {.kind = CLI_FILE, .words = ".part"};

/* Raises the limit of open files, because all slices are open at the same time. */
static void allow_files(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

static costab_status cli_merge(const cli_arguments *arguments, costab_error *error) {
    const char *const *slices = (const char *const *)arguments->operands;
    ends_by(costab_study_destroy) costab_study *study = NULL;
    text_local target = {0};
    allow_files();
    TRY(costab_study_merge(slices, arguments->operand_count, &study, error));
    const char *output = cli_value(arguments, &opt_output), *spec = costab_study_origin_of(study)->spec_path;
    if (strcmp(spec, "-") == 0 && (output == NULL || path_is_folder(output)))
        return error_invalid(error,
                             "the slices are of a spec from the standard input, which has no name; give "
                             "the results one with --output FILE.h5");
    path_output(&target, output, spec, ".h5");
    if (target.failed) return error_memory(error);
    for (int k = 0; k < arguments->operand_count; k++)
        if (path_same(slices[k], target.data))
            return error_invalid(error, "'%s' is one of the slices: give --output another name", target.data);
    TRY(cli_write_results(study, target.data,
                          &(costab_study_run_options){.threads = 1, .force = arguments->force}, true, NULL,
                          error));
    cli_tell_failures(target.data, study);
    if (!arguments->quiet) cli_tell_written(target.data, study);
    return COSTAB_OK;
}

static const cli_operands slices = {"SLICE...", 1, -1, &slice_files};

const cli_command cli_merge_command = {
    .name = "merge",
    .operands = &slices,
    .summary = "join the slices of a sweep into one HDF5 file",
    .details =
        "Joins the slices that `costab sweep --slice K/N` wrote, given in any order, into the file that "
        "a single sweep would have written, byte for byte. Slices of different sweeps or versions, and "
        "damaged, unfinished, missing or repeated slices are refused.",
    .examples = "costab merge map.1-of-2.part map.2-of-2.part -o map.h5",
    .options = {&opt_output, &opt_force, CLI_COMMON},
    .run = cli_merge};
