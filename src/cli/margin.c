/* costab margin: how close a network is to another class, and what is to blame there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/margin_file.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "costab/margin.h"

static void put_row(cli_table *table, const cli_network *network, const costab_margin *row) {
    const costab_network *model = costab_model_instance_network(network->instance);
    cli_table_text(table, network->couplings[row->coupling].name);
    cli_table_text(table, costab_margin_kind_name(row->kind));
    cli_table_text(table, row->name);
    cli_table_maybe(table, row->nominal);
    cli_table_text(table, row->side < 0 ? "lower" : row->side > 0 ? "upper" : "");
    cli_table_maybe(table, row->value);
    cli_table_maybe(table, row->factor);
    cli_table_text(table, costab_class_name(row->class_code));
    cli_table_text(table, costab_passes_name(row->cause));
    cli_table_maybe(table, row->frequency);
    cli_table_text(table, row->blame >= 0 ? model->subsystems[row->blame].name : "");
    cli_table_maybe(table, row->share);
}

static costab_status put_table(const cli_network *network, const costab_margins *margins,
                               const cli_arguments *arguments, costab_error *error) {
    cli_table table;
    costab_status status = cli_table_begin(
        &table, arguments, "coupling,kind,name,nominal,side,value,factor,class,cause,frequency,blame,share",
        error);
    if (status) return status;
    for (size_t i = 0; i < margins->count; i++) put_row(&table, network, &margins->rows[i]);
    return cli_table_end(&table, error);
}

/* What was hidden on the way, and what was skipped, on stderr. */
static void tell(const cli_network *network, const costab_margins *margins) {
    for (const char *line = margins->notes; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1)
        cli_print(stderr, "costab margin: %.*s\n", (int)strcspn(line, "\n"), line);
    for (size_t i = 0; i < margins->count; i++) {
        const costab_margin *row = &margins->rows[i];
        if (!isnan(row->undecided[0]))
            cli_print(stderr, "costab margin: %s: %s: %.10g to %.10g is undecided\n",
                      network->couplings[row->coupling].name, row->name, row->undecided[0],
                      row->undecided[1]);
    }
}

costab_status cli_margin(const cli_arguments *arguments, costab_error *error) {
    cli_network network;
    progress bar;
    cli_names names = {.count = 0};
    long threads = 0;
    costab_margins margins = {.count = 0};
    costab_margin_options options = {.connections = arguments->values[OPTION_CONNECTIONS] != NULL,
                                     .progress = progress_follow,
                                     .progress_context = &bar};
    costab_status status = cli_network_open(&network, arguments, error);
    if (!status) status = cli_names_read(arguments->values[OPTION_OVER_NAMES], &names, error);
    if (!status) status = cli_whole(arguments, OPTION_THREADS, 1, 4096, 0, &threads, error);
    options.threads = (int)threads;
    options.parameters = names.of;
    options.parameter_count = names.count;
    progress_begin(&bar, arguments, "margins");
    if (!status) status = costab_margins_find(&network.asked, &options, &margins, error);
    progress_end(&bar);
    if (!status && arguments->values[OPTION_OUTPUT_HISTORY] != NULL)
        status = margin_file_write(&network, &margins, arguments, error);
    else if (!status)
        status = put_table(&network, &margins, arguments, error);
    if (!status) tell(&network, &margins);
    costab_margins_free(&margins);
    cli_names_free(&names);
    cli_network_close(&network);
    return status;
}
