/* costab merge: the slices of a sweep into one results file. */
#include "base/error.h"
#include "cli/command.h"
#include "cli/path.h"
#include "cli/results.h"

costab_status cli_merge(const cli_arguments *arguments, costab_error *error) {
    const char *const *slices = (const char *const *)arguments->operands;
    costab_study *study = NULL;
    text_local target = {0};
    costab_status status = costab_study_merge(slices, arguments->operand_count, &study, error);
    if (status) return status;
    path_output(&target, arguments->values[OPTION_OUTPUT], costab_study_origin_of(study)->spec_path, ".h5");
    if (target.failed) status = error_memory(error);
    for (int k = 0; k < arguments->operand_count && !status; k++)
        if (path_same(slices[k], target.data))
            status = error_set(error, COSTAB_INVALID, "'%s' is one of the slices: give --output another name",
                               target.data);
    if (!status)
        status = cli_write_results(study, target.data,
                                   &(costab_study_run_options){.threads = 1, .force = arguments->force}, true,
                                   error);
    if (!status) cli_tell_failures(target.data, study);
    if (!status && !arguments->quiet) cli_tell_written(target.data);
    costab_study_destroy(&study);
    return status;
}
