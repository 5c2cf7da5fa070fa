/* costab export: a results file in the form of other programs. */
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

static costab_status put_stdout(void *context, const char *bytes, size_t size, costab_error *error) {
    (void)context;
    return fwrite(bytes, 1, size, stdout) == size ? COSTAB_OK : cli_flush(error);
}

/* A file that is written, and its name. */
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

costab_status cli_export(const cli_arguments *arguments, costab_error *error) {
    const char *format = arguments->values[OPTION_FORMAT_EXPORT], *input = arguments->operands[0],
               *output = arguments->values[OPTION_OUTPUT_EXPORT], *field = arguments->values[OPTION_ROWS_OF];
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
    TRY(write_csv(results, field, path.data, arguments->force, error));
    if (path.data != NULL) cli_tell_file(path.data, arguments);
    return COSTAB_OK;
}
