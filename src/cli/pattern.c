/* costab pattern: bounds of the growth of all sequences of macro steps from a list or a range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/moves.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/table.h"
#include "costab/pattern.h"

static CLI_OPTION(opt_over_step_range, "over", 0, "NAME=LO:HI", NULL,
                  "the macro step's parameter: all steps of a range");
static CLI_OPTION(opt_steps, "steps", 0, "LIST", NULL, "macro steps that may follow each other in any order");

/* The request of the command line. */
typedef struct request {
    cli_network *network;
    double *steps; /* NULL: all steps of the range */
    size_t count;
    double range[2]; /* the shortest step and the longest */
    costab_pattern_options options;
    costab_names names;
} request;

/* Returns COSTAB_INVALID unless the parameter is the macro step of all couplings. */
static costab_status check_parameter(request *r, int parameter, const char *given, costab_error *error) {
    double nominal = costab_model_instance_value(r->network->instance, parameter);
    for (int c = 0; c < r->network->coupling_count; c++)
        for (int k = 0; k < 2; k++) {
            costab_coupling coupling;
            costab_model_instance_set(r->network->instance, parameter, r->range[k]);
            TRY(costab_model_instance_update(r->network->instance, error));
            TRY(cli_network_coupling(r->network, c, &coupling, error));
            if (coupling.macro_step != r->range[k])
                return error_invalid(error,
                                     "--over: '%s': the macro step of coupling '%s' is not this parameter",
                                     given, r->network->couplings[c].name);
        }
    costab_model_instance_set(r->network->instance, parameter, nominal);
    return costab_model_instance_update(r->network->instance, error);
}

static costab_status read_steps(request *r, const cli_option *option, const char *given,
                                costab_error *error) {
    TRY(cli_list_read(option, given, &r->steps, &r->count, error));
    for (size_t k = 0; k < r->count; k++) {
        r->range[0] = k == 0 ? r->steps[k] : fmin(r->range[0], r->steps[k]);
        r->range[1] = k == 0 ? r->steps[k] : fmax(r->range[1], r->steps[k]);
    }
    if (r->count <= UINT8_MAX) return COSTAB_OK;
    return error_invalid(error, "--%s: at most %d steps", option->name, UINT8_MAX);
}

static costab_status read_request(request *r, const cli_arguments *arguments, costab_error *error) {
    const char *given = cli_value(arguments, &opt_over_step_range), *numbers;
    memory_local char *name = NULL;
    int parameter;
    if ((given == NULL) == (cli_value(arguments, &opt_steps) == NULL))
        return error_invalid(error, "give either --steps LIST or --over NAME=LO:HI");
    if (given == NULL) return read_steps(r, &opt_steps, cli_value(arguments, &opt_steps), error);
    bool points = cli_divide(given, &name, &numbers) && cli_lists_points(numbers);
    if (points) {
        TRY(name != NULL ? costab_model_find_parameter(r->network->model, name, &parameter, error)
                         : error_memory(error));
        cli_print(stderr,
                  "costab pattern: warning: --over is a range NAME=LO:HI; write --steps %s. The list after "
                  "--over is accepted until the next version\n",
                  numbers);
        TRY(read_steps(r, &opt_over_step_range, numbers, error));
    } else {
        TRY(cli_network_range(r->network, &opt_over_step_range, given, &parameter, r->range, error));
        if (!(r->range[0] > 0))
            return error_invalid(error, "--over: '%s' is not NAME=LO:HI with 0 < LO < HI", given);
    }
    return check_parameter(r, parameter, given, error);
}

/* ---- The command ---- */

/* Finds the pattern of a coupling. A coupling that is left out has the lower bound NaN. */
static costab_status find_pattern(request *r, int c, costab_pattern *pattern, costab_error *error) {
    const costab_network *model = costab_model_instance_network(r->network->instance);
    costab_coupling coupling;
    costab_status status = cli_network_coupling(r->network, c, &coupling, error);
    if (!status && r->steps != NULL)
        status = costab_pattern_steps(model, &coupling, r->steps, (int)r->count, &r->options, pattern, error);
    else if (!status)
        status = costab_pattern_over(model, &coupling, r->range, &r->options, pattern, error);
    /* With several couplings, leave out those for which sequences of steps have no meaning. */
    if (status != COSTAB_INVALID || r->network->coupling_count == 1) return status;
    cli_print(stderr, "costab pattern: %s: left out: %s\n", r->network->couplings[c].name, error->message);
    *error = (costab_error){.status = COSTAB_OK};
    costab_pattern_free(pattern);
    *pattern = (costab_pattern){.lower = (double)NAN};
    return COSTAB_OK;
}

/* Finds the patterns of all couplings except those left out. */
static costab_status find_patterns(request *r, costab_pattern_row *rows, size_t *count, bool print,
                                   costab_error *error) {
    for (int c = 0; c < r->network->coupling_count; c++) {
        costab_pattern_row *row = &rows[*count];
        *row = (costab_pattern_row){.coupling = c, .range = {r->range[0], r->range[1]}};
        costab_status status = find_pattern(r, c, &row->pattern, error);
        if (status) costab_pattern_free(&row->pattern);
        TRY(status);
        if (isnan(row->pattern.lower)) continue;
        ++*count;
        if (print) table_row_list(&costab_pattern_record, row, &r->names);
        if (print && row->pattern.neutral > 0)
            fprintf(stderr, "costab pattern: %s: %d neutral direction%s of all steps set aside\n",
                    r->network->couplings[c].name, row->pattern.neutral,
                    row->pattern.neutral == 1 ? "" : "s");
    }
    return COSTAB_OK;
}

static costab_status cli_pattern(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    request r = {.network = network};
    memory_local costab_pattern_row *rows = NULL;
    const bool print = cli_value(arguments, &opt_output_history) == NULL;
    text_local words = {0};
    cli_network_words(arguments, network->coupling_count == 1, &words);
    size_t count = 0;
    costab_status status = read_request(&r, arguments, error);
    if (!status) status = analysis_check_steps(network->instance, error);
    if (!status) status = memory_make(&rows, (size_t)network->coupling_count, error);
    if (!status) status = cli_row_names(network, &r.names, error);
    if (!status && print) table_begin(arguments, "coupling,name,value");
    if (!status) status = find_patterns(&r, rows, &count, print, error);
    if (!status && print && !words.failed)
        table_say("All sequences are stable where upper is below 1. To play a pattern: costab simulate %s "
                  "--until T --steps LIST. Each step alone: costab limit %s --over %s=LO:HI",
                  words.data, words.data, cli_step_name(network));
    if (!status)
        status = print ? table_end(error)
                       : cli_write_rows(network, &costab_pattern_record, rows, count, &r.names, error);
    for (size_t i = 0; i < count; i++) costab_pattern_free(&rows[i].pattern);
    cli_row_names_free(&r.names);
    memory_free(r.steps);
    return status;
}

const cli_command cli_pattern_command = {
    .name = "pattern",
    .operands = &cli_a_model,
    .summary = "bounds over all sequences of macro steps",
    .details = "Every constant step can be stable and a sequence of steps not; step-size controllers walk "
               "into that. pattern bounds the growth of all sequences of the listed steps, or of all steps "
               "of a range: all are stable where `upper` is below 1. `pattern` is a cycle of steps that "
               "grows by `lower` per step; safe_from and safe_to are the largest part of a range that was "
               "found to be safe.",
    .examples = "costab pattern model.yaml --steps 0.001,0.025\n"
                "costab pattern model.yaml --over H=0.0005:0.015 --coupling jacobi,jacobi-linear",
    .options = {&opt_steps, &opt_over_step_range, CLI_MODEL, CLI_TABLE_OR_FILE, CLI_COMMON},
    .with_model = cli_pattern};
