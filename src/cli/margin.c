/* costab margin: how far each quantity may change before the class changes, and the cause at that point; with
 * --uncertain the probability of stability. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "costab/margin.h"
#include "model/instance.h"

static CLI_OPTION(opt_parameters, "parameters", 0, "NAME,...", NULL,
                  "these parameters only (default: all); may be repeated", .repeats = true, .former = "over");
static CLI_OPTION(
    opt_uncertain, "uncertain", 0, NULL, NULL,
    "instead: the probability of stability where parameters are uncertain, those of the spec's uncertain "
    "axes, else those of --parameters (default: all but counts; at most 8) by 10 %, and which of them makes most of it");
static CLI_OPTION(opt_connections, "connections", 0, NULL, NULL,
                  "the gain and extra delay of every connection too");

/* Largest relative distance of an own limit that still counts: 10 % further out, 1 / 0.9, plus a tolerance.
 */
#define OWN_BEYOND 0.12

/* Returns the distance of a factor from 1 on a logarithmic scale; infinite for NaN, which is that of 0. */
static double distance(double factor) {
    return factor > 0 ? fabs(log(factor)) : (double)INFINITY;
}

static void say_nearest(const cli_network *network, const costab_margins *margins,
                        const cli_arguments *arguments) {
    text_local words = {0};
    const costab_margin *nearest = NULL;
    char value[NUMBER_SHOWN_MAX], times[60] = "";
    bool delayed = false, searched = false;
    for (size_t i = 0; i < margins->count; i++) {
        const costab_margin *row = &margins->rows[i];
        searched = searched || row->kind == COSTAB_MARGIN_PARAMETER;
        delayed = delayed || row->kind == COSTAB_MARGIN_DELAY;
        if (row->kind == COSTAB_MARGIN_PARAMETER && !isnan(row->value) &&
            (nearest == NULL || distance(row->factor) < distance(nearest->factor)))
            nearest = row;
    }
    cli_network_words(arguments, true, &words);
    if (words.failed) return;
    const char *delays = delayed ? " Extra delays are in macro steps." : "";
    if (nearest != NULL && !isnan(nearest->factor))
        (void)text_format(times, sizeof times, ", %.4g times its value", nearest->factor);
    if (nearest == NULL)
        table_say("%s%s",
                  searched ? "No change of the class was found by one parameter alone."
                           : "No parameter could be searched.",
                  delays);
    else
        table_say("Nearest is %s: the class changes at %s%s (%s).%s All intervals of "
                  "it: costab limit %s --over %s=LO:HI",
                  nearest->name, number_rounded(nearest->value, NUMBER_LIMIT_DIGITS, -nearest->side, value),
                  times, network->couplings[nearest->coupling].name, delays, words.data, nearest->name);
}

/* State of the search. Each row is printed once it is complete. */
typedef struct search {
    const cli_network *network;
    const cli_arguments *arguments;
    costab_names names;
    costab_margins margins;
    size_t printed;
    progress bar;
} search;

/* Prints the new rows; the last time also the head of a table without rows. */
static void put_rows(search *s, bool last) {
    const bool any = s->printed < s->margins.count || (last && s->margins.count == 0);
    if (cli_value(s->arguments, &opt_output_history) != NULL || !any) return;
    if (s->printed == 0) table_begin_rows(s->arguments, &costab_margin_record, NULL);
    while (s->printed < s->margins.count)
        table_row(&costab_margin_record, &s->margins.rows[s->printed++], &s->names);
}

/* Prints the rows so far, which are complete during searches. */
static bool follow(void *context, size_t done, size_t total) {
    search *s = context;
    put_rows(s, false);
    return progress_follow(&s->bar, done, total);
}

/* Prints skipped quantities and undecided intervals on stderr. */
static void print_notes(const costab_margins *margins) {
    for (const char *line = margins->notes; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1)
        cli_print(stderr, "costab margin: %.*s\n", (int)strcspn(line, "\n"), line);
}

/* Prints on stderr the stand-alone limit of a subsystem that coincides with a parameter's margin. */
static costab_status print_own_limit(cli_network *network, const costab_margin *row, costab_error *error) {
    bool searched = row->kind == COSTAB_MARGIN_PARAMETER && !isnan(row->value) &&
                    row->cause != COSTAB_PASSES_CONTINUOUS && row->cause != COSTAB_PASSES_ILL_POSED;
    if (!searched) return COSTAB_OK;
    analysis_family family =
        analysis_variant_family(&network->variant, network->instance, network->work, row->coupling);
    double past = row->value + row->side * OWN_BEYOND * fabs(row->value);
    costab_analysis_limit_options options = {.lower = fmin(row->nominal, past),
                                             .upper = fmax(row->nominal, past)};
    ends_by(costab_own_limits_free) costab_own_limits own = {.count = 0};
    TRY(costab_model_find_parameter(network->model, row->name, &family.parameter, error));
    TRY(cli_network_reset(network, error));
    family.instance = network->instance;
    TRY(costab_own_limits_find(&family, &options, &own, error));
    TRY(cli_network_reset(network, error));
    family.instance = network->instance;
    const costab_own_end *end = costab_own_limit_at(&own, row->value, row->side > 0);
    if (end != NULL) {
        char sentence[COSTAB_OWN_SENTENCE_MAX];
        TRY(costab_own_sentence(&family, costab_model_parameter_unit(network->model, family.parameter), end,
                                costab_own_limit_equal(end, row->value), sentence, error));
        cli_print(stderr, "costab margin: %s: %s\n", network->couplings[row->coupling].name, sentence);
    }
    return COSTAB_OK;
}

/* Reads the names of all options --parameters. */
static costab_status read_names(const cli_arguments *arguments, cli_names *names, costab_error *error) {
    text all = {0};
    const char *given;
    for (int i = 0; (given = cli_value_at(arguments, &opt_parameters, i)) != NULL; i++) {
        const char *sign = strchr(given, '=');
        if (sign != NULL) {
            text_free(&all);
            return error_invalid(error,
                                 "--parameters: '%s': margin searches outwards from a parameter's own "
                                 "value: give its name alone, and another value with --set %.*s=X",
                                 given, (int)(sign - given), given);
        }
        text_printf(&all, "%s%s", i > 0 ? "," : "", given);
    }
    costab_status status = all.failed ? error_memory(error) : cli_names_read(all.data, ',', names, error);
    text_free(&all);
    return status ? status : cli_names_differ(names, &opt_parameters, error);
}

/* ---- --uncertain ---- */

static costab_status choose_uncertain(const cli_network *network, const cli_names *names,
                                      costab_uncertain chosen[COSTAB_UNCERTAIN_MAX],
                                      costab_uncertainty_options *options, costab_error *error) {
    const costab_spec *spec = network->spec;
    options->samples = 4 * COSTAB_SAMPLES;
    options->uncertain = chosen;
    if (spec->uncertain_count > 0 && names->count == 0) {
        options->samples = spec->samples;
        options->uncertain = spec->uncertain;
        options->uncertain_count = spec->uncertain_count;
        return COSTAB_OK;
    }
    int all = names->count > 0 ? names->count : network->model->parameter_count, count = 0;
    for (int u = 0; u < all; u++) {
        int parameter = u;
        if (names->count > 0)
            TRY(costab_model_find_parameter(network->model, names->of[u], &parameter, error));
        else if (network->model->parameters[u].derived || costab_model_instance_counts(network->instance, u))
            continue;
        if (costab_model_instance_counts(network->instance, parameter))
            return error_invalid(
                error, "--uncertain: '%s' is a count, which has no values within 10 %% of it", names->of[u]);
        if (count < COSTAB_UNCERTAIN_MAX)
            chosen[count] = (costab_uncertain){.parameter = parameter, .first = 0.1};
        count++;
    }
    options->uncertain_count = count;
    if (count == 0 || count > COSTAB_UNCERTAIN_MAX)
        return error_invalid(error,
                             "--uncertain: %d parameters; name 1 to %d of them: --parameters k,m, or "
                             "write axes: {k: {uncertain: 10 %%}}",
                             count, COSTAB_UNCERTAIN_MAX);
    cli_print(stderr, "costab margin: each parameter is anywhere within 10 %% of its value, all alike\n");
    return COSTAB_OK;
}

static void put_sampled(const char *coupling, const char *name, costab_sampled found) {
    table_text(coupling);
    table_text(name);
    table_maybe(found.value);
    table_maybe(found.error);
}

static const char *parameter_of(const cli_network *network, const costab_uncertainty_options *options,
                                int u) {
    return network->model->parameters[options->uncertain[u].parameter].name;
}

static void say_uncertain(const cli_network *network, const costab_uncertainty_options *options,
                          const char *coupling, const costab_uncertainty *found) {
    int first = 0; /* the parameter with the largest contribution alone */
    for (int u = 1; u < options->uncertain_count; u++)
        if (found->alone[u].value > found->alone[first].value) first = u;
    if (isnan(found->alone[first].value))
        table_say("%s: %s of %d samples is stable.", coupling, found->probability.value > 0 ? "each" : "none",
                  options->samples);
    else if (!(found->alone[first].value > 2 * found->alone[first].error))
        table_say(
            "%s is stable with probability %.4g; of %d samples no single parameter explains the unstable samples.",
            coupling, found->probability.value, options->samples);
    else
        table_say("%s is stable with probability %.4g; %s alone makes %.0f %% of what decides it.", coupling,
                  found->probability.value, parameter_of(network, options, first),
                  100 * found->alone[first].value);
}

static costab_status put_uncertain(const cli_network *network, const cli_names *names,
                                   const cli_arguments *arguments, costab_error *error) {
    progress bar;
    costab_uncertain chosen[COSTAB_UNCERTAIN_MAX];
    costab_uncertainty_options options = {.progress = progress_follow, .progress_context = &bar};
    if (cli_value(arguments, &opt_output_history) != NULL || cli_value(arguments, &opt_connections) != NULL)
        return error_invalid(error, "--uncertain makes a table: -o takes .csv, .json, .md or .txt; no "
                                    "--connections");
    costab_status status = choose_uncertain(network, names, chosen, &options, error);
    if (status) return status;
    table_begin(arguments, "coupling,name,value,error");
    for (int c = 0; c < network->coupling_count && !status; c++) {
        const char *coupling = network->couplings[c].name;
        costab_uncertainty found;
        progress_start_file(&bar, arguments, "samples");
        status = costab_uncertainty_find(&network->asked, c, &options, &found, error);
        progress_end(&bar);
        if (status) break;
        put_sampled(coupling, "probability", found.probability);
        for (int u = 0; u < options.uncertain_count; u++)
            put_sampled(coupling, parameter_of(network, &options, u), found.alone[u]);
        say_uncertain(network, &options, coupling, &found);
    }
    return status ? status : table_end(error);
}

/* Writes the results file, also after a search that a signal ended. */
static costab_status write_found(search *s, costab_status status, costab_error *error) {
    const bool stopped = status == COSTAB_CANCELLED && s->margins.count > 0;
    if (status && !stopped) return status;
    if (s->margins.count == 0) {
        print_notes(&s->margins);
        return error_invalid(error, "there are no margins to write: every parameter is skipped");
    }
    TRY(cli_write_rows(s->network, &costab_margin_record, s->margins.rows, s->margins.count, &s->names,
                       error));
    if (stopped) signals_set_unfinished();
    return COSTAB_OK;
}

static costab_status cli_margin(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    ends_by(cli_names_free) cli_names names = {.count = 0};
    search s = {.network = network, .arguments = arguments};
    costab_margin_options options = {.connections = cli_value(arguments, &opt_connections) != NULL,
                                     .threads = arguments->threads,
                                     .progress = follow,
                                     .progress_context = &s};
    TRY(read_names(arguments, &names, error));
    options.parameters = names.of;
    options.parameter_count = names.count;
    if (cli_value(arguments, &opt_uncertain) != NULL) return put_uncertain(network, &names, arguments, error);
    const bool file = cli_value(arguments, &opt_output_history) != NULL;
    progress_start_file(&s.bar, arguments, "margins");
    if (file) signals_orderly(NULL);
    costab_status status = cli_row_names(network, &s.names, error);
    if (!status) status = costab_margins_find(&network->asked, &options, &s.margins, error);
    progress_end(&s.bar);
    const bool whole = status == COSTAB_OK;
    if (file) status = write_found(&s, status, error);
    if (!status && !file) {
        put_rows(&s, true);
        say_nearest(network, &s.margins, arguments);
        status = table_end(error);
    }
    if (!status) print_notes(&s.margins);
    for (size_t i = 0; i < s.margins.count && !status && whole; i++)
        status = print_own_limit(network, &s.margins.rows[i], error);
    costab_margins_free(&s.margins);
    cli_row_names_free(&s.names);
    return status;
}

const cli_command cli_margin_command = {
    .name = "margin",
    .operands = &cli_a_model,
    .summary = "how close a network is to another class, and which subsystem contributes most there",
    .details =
        "Prints, for every parameter and side, the nearest value at which the class changes, the "
        "factor to it, the class beyond, what passes its limit there (cause), its "
        "frequency in Hz and the subsystem with the largest participation. Empty is what has no change within "
        "a factor of 1000. With --connections also for the gain of every connection and for delay on "
        "it.",
    .examples = "costab margin model.yaml\n"
                "costab margin model.yaml --parameters k,H --connections --format md\n"
                "costab margin model.yaml --coupling all --set H=0.005\n"
                "costab margin model.yaml --uncertain --parameters k,m\n"
                "costab margin model.yaml --connections -o margin.h5 && costab plot margin.h5",
    .options = {&opt_parameters, &opt_connections, &opt_uncertain, CLI_MODEL, CLI_TABLE_OR_FILE, CLI_COMMON},
    .with_model = cli_margin};
