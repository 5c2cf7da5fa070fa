/* costab export: writes a field of a results file as CSV, for other programs. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/removed.h"
#include "base/text.h"
#include "cli/path.h"
#include "cli/results.h"
#include "cli/table.h"
#include "costab/store.h"

static const cli_takes export_format = {.kind = CLI_WORD, .words = "csv"};
static CLI_OPTION(opt_format_export, "format", 'f', "csv", &export_format,
                  "CSV in long form, one row per point (default)");
static CLI_OPTION(opt_output_export, "output", 'o', "PATH", &cli_csv_files,
                  "the file, or a folder for NAME.csv (default: the standard output)",
                  .output = CLI_OUTPUT_TEXT);
static CLI_OPTION(opt_rows_of, "of", 0, "FIELD", NULL,
                  "the field whose points are the rows of CSV (default: the first one)");

static costab_status put_stdout(void *context, const char *bytes, size_t size, costab_error *error) {
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? COSTAB_OK : cli_flush(error);
}

/* An output file and its name. */
typedef struct target {
    file_draft draft;
    const char *path;
} target;

static costab_status put_draft(void *context, const char *bytes, size_t size, costab_error *error) {
    const target *to = context;
    int number = file_put(to->draft.descriptor, bytes, size);
    return number != 0 ? file_error(error, "write", to->path, number) : COSTAB_OK;
}

static costab_status write_csv(const costab_results *results, const char *field, const char *path, bool force,
                               costab_error *error) {
    target to = {.draft = FILE_DRAFT_NONE, .path = path};
    const costab_text_sink out = {.put = put_stdout}, sink = {.context = &to, .put = put_draft};
    if (path == NULL) {
        TRY(costab_export_csv(results, field, &out, error));
        return cli_flush(error);
    }
    costab_status status = file_create(path, &(file_terms){.force = force}, &to.draft, error);
    if (!status) status = costab_export_csv(results, field, &sink, error);
    if (!status) return file_publish(&to.draft, path, error);
    file_discard(&to.draft);
    return status;
}

static costab_status cli_export(const cli_arguments *arguments, costab_error *error) {
    const char *format = cli_value(arguments, &opt_format_export), *input = arguments->operands[0],
               *output = cli_value(arguments, &opt_output_export),
               *field = cli_value(arguments, &opt_rows_of);
    if (format == NULL) format = output != NULL && file_ends_in(output, ".mat") ? "mat" : "csv";
    if (strcmp(format, "csv") != 0) {
        const char *removed = removed_hint(REMOVED_FORMAT, format);
        return error_invalid(error, "--format: expected csv, found %s%s", format,
                             removed != NULL ? removed : "");
    }
    ends_by(costab_results_close) costab_results *results = NULL;
    text_local path = {0};
    TRY(costab_results_open(input, &results, error));
    if (output != NULL) path_output(&path, output, input, ".csv");
    if (path.failed) return error_memory(error);
    if (path.data != NULL && path_same(input, path.data))
        return error_invalid(error, "'%s' would replace the results themselves", path.data);
    if (path.data != NULL && !file_ends_in(path.data, ".csv"))
        return error_invalid(error, "--output: '%s' would be a CSV file: let its name end in .csv",
                             path.data);
    TRY(write_csv(results, field, path.data, arguments->force, error));
    if (path.data != NULL) cli_tell_file(path.data, arguments);
    return COSTAB_OK;
}

static const cli_operands results = {"FILE.h5", 1, 1, &cli_results_files};

const cli_command cli_export_command = {
    .name = "export",
    .operands = &results,
    .summary = "a results file for other programs, as CSV",
    .details = "CSV is in long form: a row for each point of a field, the last axis varying fastest, with a "
               "column for each axis and for each field that has no other axes.",
    .examples = "costab export zigzag.h5 -o zigzag.csv\n"
                "costab export zigzag.h5 --of cause",
    .options = {&opt_format_export, &opt_output_export, &opt_rows_of, &opt_force, CLI_COMMON},
    .run = cli_export};
