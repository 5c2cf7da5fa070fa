/* costab tune: weights of previous values with the largest stable macro step of jacobi (costab_tune): a row
 * for each group of connections, and the gain over the best fixed coupling. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/tune.h"
#include "network/words.h"

static const cli_takes table_or_yaml_files = {.kind = CLI_FILE, .words = ".yaml .yml .csv .json .md .txt"};
static const cli_takes an_order = {.kind = CLI_WORD, .words = "1 2 3"};
static const cli_takes a_memory = {.kind = CLI_WORD, .words = "1 2"};
static const cli_takes some_groups = {.kind = CLI_WORD, .words = "all target connection"};
static CLI_OPTION(
    opt_output_block, "output", 'o', "PATH", &table_or_yaml_files,
    "a model file's block with the weights (.yaml); or the table's file: .csv, .json, .md or .txt",
    .output = CLI_OUTPUT_TABLE_OR_MODEL);
static CLI_OPTION(
    opt_order, "order", 0, "1|2|3", &an_order,
    "order of convergence that the weights keep (default 2); 1 can be stable far out and wrong");
static CLI_OPTION(opt_memory, "memory", 0, "1|2", &a_memory,
                  "former values that the coupling remembers (default: as few as the order takes)");
static CLI_OPTION(
    opt_vary, "vary", 0, "SHARE", NULL,
    "every number of the model, named or not, gains of connections too, is off by this share, one at a "
    "time, up and down (default 10%); 0: none");
static CLI_OPTION(opt_groups, "groups", 0, "all|target|connection", &some_groups,
                  "connections that share their weights: all (default), those to one subsystem, or none");
static CLI_OPTION(
    opt_error_kept, "error", 0, "E", NULL,
    "the error that is allowed to any state at half of the step to which the best fixed coupling is stable; "
    "needs --until");

/* Reads a share: 10% or 0.1. given NULL: leaves *share. */
static costab_status read_share(const char *given, double *share, costab_error *error) {
    if (given == NULL) return COSTAB_OK;
    size_t length = strlen(given);
    bool percent = length > 0 && given[length - 1] == '%';
    bool number = number_parse_double(given, length - percent, share);
    if (number && percent) *share /= 100;
    if (number && *share >= 0 && *share < 1) return COSTAB_OK;
    return error_invalid(error, "--vary: '%s' is not a share from 0 to below 1, such as 10%%", given);
}

static costab_status read_groups(const char *given, costab_tune_groups *groups, costab_error *error) {
    static const char *const names[COSTAB_TUNE_GROUPS_COUNT] = {"all", "target", "connection"};
    int group = 0;
    while (given != NULL && group < COSTAB_TUNE_GROUPS_COUNT && strcmp(given, names[group]) != 0) group++;
    *groups = (costab_tune_groups)group;
    return group < COSTAB_TUNE_GROUPS_COUNT
               ? COSTAB_OK
               : error_invalid(error, "--groups: '%s': expected all, target or connection", given);
}

static costab_status read_options(const cli_network *network, const cli_arguments *arguments,
                                  costab_tune_options *o, costab_error *error) {
    const char *given = cli_value(arguments, &opt_over);
    long order = 2, memory = 0;
    double range[2];
    int parameter;
    if (cli_value(arguments, &opt_coupling) != NULL && network->coupling_count != 1)
        return error_invalid(error, "--coupling: one at a time is tuned");
    TRY(cli_network_range(network, &opt_over, given, &parameter, range, error));
    TRY(cli_whole(arguments, &opt_order, 1, 3, 2, &order, error));
    TRY(cli_whole(arguments, &opt_memory, 1, 2, 0, &memory, error));
    TRY(read_share(cli_value(arguments, &opt_vary), &o->vary, error));
    TRY(read_groups(cli_value(arguments, &opt_groups), &o->groups, error));
    TRY(cli_positive(arguments, &opt_error_kept, &o->error, error));
    TRY(cli_positive(arguments, &opt_until, &o->until, error));
    if ((o->until > 0) != (o->error > 0))
        return error_invalid(error, "%s",
                             o->until > 0 ? "--until requires --error E, the allowed error"
                                          : "--error requires --until T, the end time of the simulation");
    if (order == 1)
        cli_print(stderr,
                  "costab tune: order 1: the longest stable step is often a wrong answer that decays; "
                  "look at the error (--error E --until T)\n");
    o->parameter = network->model->parameters[parameter].name;
    o->lower = range[0], o->upper = range[1];
    o->order = (int)order, o->memory = (int)memory;
    return COSTAB_OK;
}

/* ---- The table ---- */

static void say_term(text *words, const char *before, double weight, const char *difference) {
    text_printf(words, "%s%s%.10g %s", before,
                weight < 0        ? "- "
                : *before != '\0' ? "+ "
                                  : "",
                fabs(weight), difference);
}

/* Appends the computation of a master, in two lines. */
static void say_lines(text *words, const char *parameter, const costab_tune_row *row) {
    static const char first[] = "(y - y1)", second[] = "(y - 2 y1 + y2)";
    text_printf(words, "%s: value at the start of the step  y", row->name);
    say_term(words, " ", row->by.a0, first);
    if (row->by.hold == COSTAB_TUNED_2) say_term(words, " ", row->by.b0, second);
    text_printf(words, "\n%s: derivative in the step  (", row->name);
    say_term(words, "", row->by.a1, first);
    if (row->by.hold == COSTAB_TUNED_2) say_term(words, " ", row->by.b1, second);
    text_printf(words, ")/%s\n", parameter);
}

/* Prints the result and the next steps. */
static costab_status say(const cli_arguments *arguments, const costab_tune_options *o,
                         const costab_tuned *tuned, costab_error *error) {
    text_local words = {0};
    bool solved = strstr(tuned->fixed, "-solved") != NULL;
    char stable_to[NUMBER_SHOWN_MAX], fixed_to[NUMBER_SHOWN_MAX];
    number_rounded(tuned->stable_to, NUMBER_LIMIT_DIGITS, -1, stable_to);
    number_rounded(tuned->fixed_to, NUMBER_LIMIT_DIGITS, -1, fixed_to);
    for (int g = 0; g < tuned->count && tuned->better; g++) say_lines(&words, o->parameter, &tuned->rows[g]);
    if (!tuned->better)
        text_printf(&words, "No gain: take %s, stable up to %s = %s.\n", tuned->fixed, o->parameter,
                    fixed_to);
    else
        text_printf(&words, "y, y1%s: the source's last values. Stable up to %s = %s; %s is up to %s.\n",
                    o->order == 3 || o->memory == 2 ? ", y2" : "", o->parameter, stable_to, tuned->fixed,
                    fixed_to);
    if (tuned->better && tuned->count > 0 && strcmp(tuned->rows[tuned->count - 1].name, "feedthrough") == 0)
        text_append(&words,
                    "Inputs that feed through, delayed, are held at the weights that keep the order.\n");
    if (tuned->better && tuned->count == 1 && tuned->rows[0].by.hold == COSTAB_TUNED)
        text_printf(&words, "As a coupling: --coupling 'jacobi(%.10g,%.10g)%s'\n", tuned->rows[0].by.a0,
                    tuned->rows[0].by.a1, solved ? "-solved" : "");
    if (tuned->left_out > 0)
        text_printf(&words, "%d varied models are not stable themselves and were left out.\n",
                    tuned->left_out);
    if (words.failed) return error_memory(error);
    words.data[--words.size] = '\0';
    table_say("%s", words.data);
    if (arguments->format != CLI_TEXT && !arguments->quiet) cli_print(stderr, "%s\n", words.data);
    return COSTAB_OK;
}

static costab_status put_table(const cli_network *network, const cli_arguments *arguments,
                               const costab_tune_options *o, const costab_tuned *tuned, costab_error *error) {
    ends_by(cli_row_names_free) costab_names names = {.unit = NULL};
    TRY(cli_row_names(network, &names, error));
    table_begin_rows(arguments, &costab_tune_record, NULL);
    for (int g = 0; g < tuned->count; g++) {
        const costab_tune_result row = {.order = o->order, .group = tuned->rows[g], .tuned = *tuned};
        table_row(&costab_tune_record, &row, &names);
    }
    TRY(say(arguments, o, tuned, error));
    return table_end(error);
}

/* ---- The block of a model ---- */

static void put_weights(text *out, const costab_extrapolation *by) {
    text_printf(out, "extrapolation: {a: [%.17g, %.17g]", by->a0, by->a1);
    if (by->hold == COSTAB_TUNED_2) text_printf(out, ", b: [%.17g, %.17g]", by->b0, by->b1);
    text_append(out, "}");
}

/* Appends the weights of each tuned connection. */
static void put_connections(text *out, const costab_network *of, const costab_tuned *tuned) {
    text_append(out, "# to be added to the model's connections\nconnections:\n");
    for (int c = 0; c < tuned->connections; c++) {
        char output[COSTAB_SIGNAL_NAME_MAX], input[COSTAB_SIGNAL_NAME_MAX];
        const costab_connection *k = &of->connections[c];
        if (tuned->group[c] < 0) continue;
        text_local from = {0}, to = {0};
        text_printf(&from, "%s.%s", of->subsystems[k->from].name,
                    costab_signal_name(of, k->from, COSTAB_SIGNAL_OUTPUT, k->output, output));
        text_printf(&to, "%s.%s", of->subsystems[k->to].name,
                    costab_signal_name(of, k->to, COSTAB_SIGNAL_INPUT, k->input, input));
        out->failed = out->failed || from.failed || to.failed;
        if (out->failed) return;
        text_append(out, "  - {from: ");
        escape(out, ESCAPE_YAML, from.data);
        text_append(out, ", to: ");
        escape(out, ESCAPE_YAML, to.data);
        text_append(out, ", ");
        put_weights(out, &tuned->rows[tuned->group[c]].by);
        text_append(out, "}\n");
    }
}

static costab_status write_block(const cli_network *network, const cli_arguments *arguments,
                                 const costab_tune_options *o, const costab_tuned *tuned,
                                 costab_error *error) {
    const char *path = cli_value(arguments, &opt_output_block);
    const file_terms terms = {.force = arguments->force};
    costab_coupling fixed;
    char stable_to[NUMBER_SHOWN_MAX];
    text_local out = {0}, marked = {0};
    TRY(costab_coupling_find(tuned->fixed, &fixed, error));
    text_printf(&out, "coupling: {scheme: jacobi, macro_step: %s, feedthrough: %s", o->parameter,
                network_feedthrough_words[fixed.feedthrough]);
    if (!tuned->better)
        text_printf(&out, ", extrapolation: %s, smoothed: %s", network_hold_words[fixed.extrapolation],
                    fixed.smoothed ? "true" : "false");
    if (tuned->better && tuned->count == 1) text_append(&out, ", "), put_weights(&out, &tuned->rows[0].by);
    text_printf(&out, "} # stable up to %s\n",
                number_rounded(tuned->stable_to, NUMBER_LIMIT_DIGITS, -1, stable_to));
    if (tuned->better && tuned->count > 1)
        put_connections(&out, costab_model_instance_network(network->instance), tuned);
    file_mark(&marked, "model", &out);
    TRY(marked.failed ? error_memory(error) : file_write(path, &terms, marked.data, marked.size, error));
    cli_tell_file(path, arguments);
    return COSTAB_OK;
}

static costab_status cli_tune(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    ends_by(progress_end) progress bar = {.label = NULL};
    ends_by(costab_tuned_free) costab_tuned tuned = {.count = 0};
    costab_tune_options options = {.vary = 0.1, .progress = progress_follow, .progress_context = &bar};
    TRY(read_options(network, arguments, &options, error));
    progress_start_file(&bar, arguments, "weights");
    signals_orderly(NULL);
    TRY(costab_tune(&network->asked, &options, &tuned, error));
    progress_end(&bar);
    TRY(put_table(network, arguments, &options, &tuned, error));
    if (cli_value(arguments, &opt_output_block) == NULL) return COSTAB_OK;
    return write_block(network, arguments, &options, &tuned, error);
}

const cli_command cli_tune_command = {
    .name = "tune",
    .operands = &cli_a_model,
    .summary = "extrapolation tuned to a model",
    .details = "Finds weights of former values with which jacobi is stable up to the longest macro step, in "
               "the worst of the varied models, and prints them with the best of the couplings with fixed "
               "weights: the same messages, at no cost per step. Complete limits confirm what is printed; "
               "better weights may exist. If the weights lengthen this step by less than 5 %, the row is the "
               "best coupling with fixed weights.",
    .examples =
        "costab tune model.yaml --over H=0.001:0.5\n"
        "costab tune model.yaml --over H=0.001:0.5 --coupling jacobi-solved --order 3 -o weights.yaml\n"
        "costab tune model.yaml --over H=0.001:0.5 --groups target --error 1e-2 --until 5",
    .options = {&opt_over, &opt_order, &opt_memory, &opt_vary, &opt_groups, &opt_error_kept, &opt_until,
                CLI_MODEL, &opt_format_table, &opt_output_block, &opt_force, CLI_COMMON},
    .with_model = cli_tune};
