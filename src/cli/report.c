/* costab report: all of a model on one page. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/network.h"
#include "cli/path.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "costab/page.h"

static costab_status read_options(const cli_network *network, const cli_arguments *arguments,
                                  costab_report_options *options, cli_errors *errors, costab_error *error) {
    const char *over = arguments->values[OPTION_OVER_STEP];
    double range[2];
    TRY(cli_errors_read(arguments, errors, error));
    TRY(cli_positive(arguments, OPTION_UNTIL, &options->until, error));
    TRY(cli_positive(arguments, OPTION_TIME, &options->seconds, error));
    options->threads = arguments->threads;
    options->tune = arguments->values[OPTION_TUNE] != NULL;
    options->errors = errors->list;
    options->error_count = errors->count;
    if (over == NULL) return COSTAB_OK;
    int parameter;
    TRY(cli_network_range(network, OPTION_OVER_STEP, over, &parameter, range, error));
    options->parameter = network->model->parameters[parameter].name;
    options->lower = range[0];
    options->upper = range[1];
    return range[0] > 0 ? COSTAB_OK
                        : error_invalid(error, "--over: '%s' is not NAME=LO:HI with 0 < LO < HI", over);
}

/* Makes and writes it, where the file may be written. */
static costab_status write_page(cli_network *network, const cli_arguments *arguments, const char *path,
                                costab_error *error) {
    const file_terms terms = {.force = arguments->force};
    costab_report_options options = {.spec = network->spec};
    ends_by(cli_errors_free) cli_errors errors = {.count = 0};
    ends_by(progress_end) progress bar = {.label = NULL};
    ends_by(costab_page_free) char *page = NULL;
    TRY(read_options(network, arguments, &options, &errors, error));
    TRY(file_may_replace(path, &terms, error));
    progress_begin(&bar, arguments, "shares");
    options.progress = progress_follow;
    options.progress_context = &bar;
    signals_orderly(NULL);
    const costab_status status = costab_report(&network->asked, &options, &page, error);
    progress_end(&bar);
    if (page == NULL) return status;
    TRY(costab_page_write(path, page, terms.force, error));
    if (status) signals_set_unfinished();
    if (!arguments->quiet)
        cli_print(stderr, "wrote %s: %.0f kB; open it in a browser%s\n", path, (double)strlen(page) / 1e3,
                  status ? "; parts are missing for want of time" : "");
    return COSTAB_OK;
}

costab_status cli_report(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    text_local path = {0};
    if (arguments->values[OPTION_COUPLING] != NULL && network->names.count != 1)
        return error_invalid(error, "--coupling: a report is about one coupling");
    path_output(&path, arguments->values[OPTION_OUTPUT_PAGE], arguments->operands[0], ".html");
    if (path.failed) return error_memory(error);
    return write_page(network, arguments, path.data, error);
}
