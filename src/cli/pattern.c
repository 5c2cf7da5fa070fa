/* costab pattern: sequences of macro steps, of a list or of a range. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/pattern_file.h"
#include "cli/table.h"
#include "costab/pattern.h"

/* What is asked for. */
typedef struct request {
    cli_network network;
    double *steps; /* NULL: all of the range */
    size_t count;
    double range[2];
    costab_pattern_options options;
} request;

/* Whether the parameter is the macro step of all couplings. */
static costab_status check_parameter(request *r, int parameter, const char *given, costab_error *error) {
    double nominal = costab_model_instance_value(r->network.instance, parameter);
    costab_status status = COSTAB_OK;
    for (int c = 0; c < r->network.coupling_count && !status; c++)
        for (int k = 0; k < 2 && !status; k++) {
            costab_coupling coupling;
            costab_model_instance_set(r->network.instance, parameter, r->range[k]);
            status = costab_model_instance_update(r->network.instance, error);
            if (!status) status = cli_network_coupling(&r->network, c, &coupling, error);
            if (!status && coupling.macro_step != r->range[k])
                status = error_set(error, COSTAB_INVALID,
                                   "--over: '%s': the macro step of coupling '%s' is not this parameter",
                                   given, r->network.couplings[c].name);
        }
    costab_model_instance_set(r->network.instance, parameter, nominal);
    return status ? status : costab_model_instance_update(r->network.instance, error);
}

static costab_status read_request(request *r, const cli_arguments *arguments, costab_error *error) {
    const char *given = arguments->values[OPTION_OVER];
    int parameter;
    if ((given == NULL) == (arguments->values[OPTION_STEPS] == NULL))
        return error_set(error, COSTAB_INVALID, "give either --steps LIST or --over NAME=LO:HI");
    if (given == NULL) {
        costab_status status = cli_list(arguments, OPTION_STEPS, &r->steps, &r->count, error);
        return !status && r->count > UINT8_MAX
                   ? error_set(error, COSTAB_INVALID, "--steps: at most %d steps", UINT8_MAX)
                   : status;
    }
    costab_status status = cli_network_range(&r->network, OPTION_OVER, given, &parameter, r->range, error);
    if (status) return status;
    if (!(r->range[0] > 0))
        return error_set(error, COSTAB_INVALID, "--over: '%s' is not NAME=LO:HI with 0 < LO < HI", given);
    return check_parameter(r, parameter, given, error);
}

static void put_row(cli_table *table, const char *coupling, const char *name, double value) {
    cli_table_text(table, coupling);
    cli_table_text(table, name);
    cli_table_maybe(table, value);
}

static costab_status put_pattern(cli_table *table, const request *r, const char *coupling,
                                 const costab_pattern *pattern, costab_error *error) {
    text steps = {0};
    put_row(table, coupling, "lower", pattern->lower);
    put_row(table, coupling, "upper", pattern->upper);
    put_row(table, coupling, "rate_lower", pattern->rate_lower);
    put_row(table, coupling, "rate_upper", pattern->rate_upper);
    for (size_t k = 0; k < pattern->length; k++)
        text_append_number(&steps, k > 0 ? " " : "", pattern->steps[k]);
    cli_table_text(table, coupling);
    cli_table_text(table, "pattern");
    costab_status status = cli_table_joined(table, &steps, error);
    if (status) return status;
    if (r->steps == NULL) {
        put_row(table, coupling, "safe_from", pattern->safe_from);
        put_row(table, coupling, "safe_to", pattern->safe_to);
    }
    cli_table_text(table, coupling);
    cli_table_text(table, "proved");
    cli_table_text(table, pattern->proved ? "yes" : "no");
    if (pattern->neutral > 0)
        fprintf(stderr, "costab pattern: %s: %d neutral direction%s of all steps set aside\n", coupling,
                pattern->neutral, pattern->neutral == 1 ? "" : "s");
    return COSTAB_OK;
}

/* Finds the pattern of a coupling; one that was left out has no steps, and NaN. */
static costab_status find_pattern(request *r, int c, costab_pattern *pattern, costab_error *error) {
    const costab_network *model = costab_model_instance_network(r->network.instance);
    costab_coupling coupling;
    costab_status status = cli_network_coupling(&r->network, c, &coupling, error);
    if (!status && r->steps != NULL)
        status = costab_pattern_steps(model, &coupling, r->steps, (int)r->count, &r->options, pattern, error);
    else if (!status)
        status = costab_pattern_over(model, &coupling, r->range, &r->options, pattern, error);
    /* Of several couplings those are named that sequences of steps have no meaning for. */
    if (status != COSTAB_INVALID || r->network.coupling_count == 1) return status;
    cli_print(stderr, "costab pattern: %s: left out: %s\n", r->network.couplings[c].name, error->message);
    *error = (costab_error){.status = COSTAB_OK};
    const double none = (double)NAN;
    costab_pattern_free(pattern);
    *pattern = (costab_pattern){.lower = none,
                                .upper = none,
                                .rate_lower = none,
                                .rate_upper = none,
                                .safe_from = none,
                                .safe_to = none};
    return COSTAB_OK;
}

static costab_status write_file(const request *r, const costab_pattern *patterns,
                                const cli_arguments *arguments, costab_error *error) {
    double asked[2] = {r->range[0], r->range[1]};
    for (size_t k = 0; k < r->count; k++) {
        asked[0] = k == 0 ? r->steps[k] : fmin(asked[0], r->steps[k]);
        asked[1] = k == 0 ? r->steps[k] : fmax(asked[1], r->steps[k]);
    }
    return pattern_file_write(&r->network, patterns, asked, arguments, error);
}

costab_status cli_pattern(const cli_arguments *arguments, costab_error *error) {
    request r = {.count = 0};
    cli_table table;
    costab_pattern *patterns = NULL;
    bool rows = arguments->values[OPTION_OUTPUT_HISTORY] == NULL;
    costab_status status = cli_network_open(&r.network, arguments, error);
    int count = !status ? r.network.coupling_count : 0;
    if (!status) status = read_request(&r, arguments, error);
    if (!status) patterns = memory_alloc((size_t)count, sizeof *patterns);
    if (!status && patterns == NULL) status = error_memory(error);
    if (!status && rows) status = cli_table_begin(&table, arguments, "coupling,name,value", error);
    for (int c = 0; c < count && !status; c++) {
        status = find_pattern(&r, c, &patterns[c], error);
        if (!status && rows && !isnan(patterns[c].lower))
            status = put_pattern(&table, &r, r.network.couplings[c].name, &patterns[c], error);
    }
    if (!status) status = rows ? cli_table_end(&table, error) : write_file(&r, patterns, arguments, error);
    for (int c = 0; c < count && patterns != NULL; c++) costab_pattern_free(&patterns[c]);
    memory_free_all(patterns, r.steps);
    cli_network_close(&r.network);
    return status;
}
