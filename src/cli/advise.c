/* costab advise: which coupling, and how large a macro step. */
#include <stdio.h>

#include "base/error.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/advise.h"

static costab_status read_options(const cli_network *network, const cli_arguments *arguments,
                                  costab_advise_options *options, costab_error *error) {
    const char *given = arguments->values[OPTION_OVER];
    const double none = 0;
    if (given == NULL) return error_set(error, COSTAB_INVALID, "--over is missing: NAME=LO:HI");
    int parameter;
    double range[2];
    costab_status status = cli_network_range(network, OPTION_OVER, given, &parameter, range, error);
    if (status) return status;
    options->lower = range[0];
    options->upper = range[1];
    options->parameter = network->model->parameters[parameter].name;
    status = cli_number(arguments, OPTION_ERROR, &none, &options->error, error);
    if (!status) status = cli_number(arguments, OPTION_UNTIL, &none, &options->until, error);
    bool both = arguments->values[OPTION_ERROR] != NULL && arguments->values[OPTION_UNTIL] != NULL;
    bool one = arguments->values[OPTION_ERROR] != NULL || arguments->values[OPTION_UNTIL] != NULL;
    if (!status && one && (!both || !(options->error > 0) || !(options->until > 0)))
        return error_set(error, COSTAB_INVALID, "--error and --until belong together, and are positive");
    return status;
}

static void put_row(cli_table *table, const costab_advice_row *row) {
    const double numbers[] = {row->stable_to, row->accurate_to, row->cost, row->margin, row->growth};
    cli_table_text(table, row->name);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) cli_table_maybe(table, numbers[k]);
    cli_table_text(table, row->recommended ? "yes" : "no");
}

static costab_status put_table(const costab_advice *advice, const cli_arguments *arguments,
                               costab_error *error) {
    cli_table table;
    costab_status status = cli_table_begin(
        &table, arguments, "coupling,stable_to,accurate_to,cost,margin,growth,recommended", error);
    if (status) return status;
    for (size_t i = 0; i < advice->count; i++) put_row(&table, &advice->rows[i]);
    bool markdown = table.format == TABLE_MARKDOWN;
    status = cli_table_end(&table, error);
    if (status) return status;
    if (!markdown) cli_print(stderr, "%s\n", advice->sentence);
    if (markdown) cli_print(stdout, "\n%s\n", advice->sentence);
    return markdown ? cli_flush(error) : COSTAB_OK;
}

costab_status cli_advise(const cli_arguments *arguments, costab_error *error) {
    cli_network network;
    progress bar;
    costab_advice advice = {.count = 0};
    costab_advise_options options = {.progress = progress_follow, .progress_context = &bar};
    costab_status status = cli_network_open(&network, arguments, error);
    if (!status) status = read_options(&network, arguments, &options, error);
    progress_begin(&bar, arguments, "couplings");
    if (!status) status = costab_advise(&network.asked, &options, &advice, error);
    progress_end(&bar);
    if (!status) status = put_table(&advice, arguments, error);
    costab_advice_free(&advice);
    cli_network_close(&network);
    return status;
}
