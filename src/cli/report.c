/* costab report: writes the page with all results on a model (costab_report). */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/network.h"
#include "cli/path.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "costab/page.h"

static const cli_takes page_files = {.kind = CLI_FILE, .words = ".html"};
static CLI_OPTION(opt_output_page, "output", 'o', "FILE", &page_files,
                  "the page to be written (default: NAME.html in the current folder)",
                  .output = CLI_OUTPUT_FILE);
static CLI_OPTION(
    opt_over_step, "over", 0, "NAME=LO:HI", NULL,
    "the macro step's parameter, and its range (default: from a 20th of its value to 400 times it, 20 times it for maps of more than 24 rows)");

static costab_status read_options(const cli_network *network, const cli_arguments *arguments,
                                  costab_report_options *options, cli_errors *errors, costab_error *error) {
    const char *over = cli_value(arguments, &opt_over_step);
    double range[2];
    TRY(cli_errors_read(arguments, errors, error));
    TRY(cli_positive(arguments, &opt_until, &options->until, error));
    TRY(cli_positive(arguments, &opt_time, &options->seconds, error));
    options->threads = arguments->threads;
    options->fmu_accuracy = cli_value(arguments, &opt_fmu_accuracy);
    options->tune = cli_value(arguments, &opt_tune) != NULL;
    options->errors = errors->list;
    options->error_count = errors->count;
    if (over == NULL) return COSTAB_OK;
    int parameter;
    TRY(cli_network_range(network, &opt_over_step, over, &parameter, range, error));
    options->parameter = network->model->parameters[parameter].name;
    options->lower = range[0];
    options->upper = range[1];
    return range[0] > 0 ? COSTAB_OK
                        : error_invalid(error, "--over: '%s' is not NAME=LO:HI with 0 < LO < HI", over);
}

/* Makes the page and writes it if the file may be written. */
static costab_status write_page(cli_network *network, const cli_arguments *arguments, const char *path,
                                costab_error *error) {
    const file_terms terms = {.force = arguments->force};
    costab_report_options options = {.spec = network->spec};
    ends_by(cli_errors_free) cli_errors errors = {.count = 0};
    ends_by(progress_end) progress bar = {.label = NULL};
    ends_by(costab_page_free) char *page = NULL;
    TRY(read_options(network, arguments, &options, &errors, error));
    TRY(file_may_replace(path, &terms, error));
    progress_start_file(&bar, arguments, "shares");
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

static costab_status cli_report(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    text_local path = {0};
    if (cli_value(arguments, &opt_coupling) != NULL && network->names.count != 1)
        return error_invalid(error, "--coupling: a report is about one coupling");
    path_output(&path, cli_value(arguments, &opt_output_page), arguments->operands[0], ".html");
    if (path.failed) return error_memory(error);
    return write_page(network, arguments, path.data, error);
}

const cli_command cli_report_command = {
    .name = "report",
    .operands = &cli_a_model,
    .summary = "a full report on a model, as one HTML page to share",
    .details = "Writes one HTML file that needs no network and no costab: whether the co-simulation is "
               "stable at its macro step, up to which one it is, how wrong it is and what is cheapest, with "
               "limits, margins, modes, histories, a chart and the commands that print each number. It "
               "describes the model's first coupling, or the coupling of --coupling.",
    .examples = "costab report model.yaml -o report.html\n"
                "costab report system.ssp --over H=1e-4:0.1 --error 1e-3 --until 5",
    .options = {&opt_output_page, &opt_force, &opt_over_step, &opt_errors, &opt_until, &opt_tune, CLI_MODEL,
                CLI_COMMON},
    .with_model = cli_report};
