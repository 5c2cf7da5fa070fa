/* Reads a command line by the tables of commands and options.
 *   1. Options may appear before, between and after operands. Long options may be shortened while they stay
 *      unique. -- ends the options.
 *   2. Each option is checked against the options of the command. An unknown option is reported with the
 *      nearest name; a former name is accepted with a warning.
 *   3. The number of operands is checked. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/removed.h"
#include "base/spelling.h"
#include "cli/command.h"
#include "cli/path.h"
#include "cli/print.h"
#include "cli/value.h"

/* Adds a given option, checked, to the arguments. */
static costab_status take_value(cli_arguments *arguments, const cli_option *option, const char *value,
                                costab_error *error) {
    const char *form = option->argument;
    if (form != NULL && value[0] == '\0' && !option->may_be_empty) /* such as an unset variable of a script */
        return error_invalid(error, "--%s needs a value, %s, not an empty one", option->name, form);
    if (!option->repeats && cli_value(arguments, option) != NULL)
        return error_invalid(error, "--%s is given twice", option->name);
    if (cli_value_at(arguments, option, CLI_REPEATS_MAX - 1) != NULL ||
        arguments->given_count == CLI_GIVEN_MAX)
        return error_invalid(error, "--%s is given more than %d times", option->name, CLI_REPEATS_MAX);
    arguments->given[arguments->given_count++] = (struct cli_given){option, form != NULL ? value : ""};
    return COSTAB_OK;
}

/* Reports a long option that is unknown, or short for several. */
static costab_status unknown_option(const struct option *longs, size_t count, const char *culprit,
                                    costab_error *error) {
    size_t dashes = strspn(culprit, "-");
    memory_local char *name = memory_copy_n(culprit + dashes, strcspn(culprit + dashes, "="));
    if (name == NULL) return error_memory(error);
    const char *removed = removed_hint(REMOVED_OPTION, name);
    if (removed != NULL) return error_invalid(error, "unknown option %s%s", culprit, removed);
    const char *fits[CLI_OPTIONS_MAX];
    size_t fit_count = 0;
    for (size_t k = 0; k < count; k++)
        if (strncmp(longs[k].name, name, strlen(name)) == 0) fits[fit_count++] = longs[k].name;
    char words[200];
    if (fit_count > 1)
        return error_invalid(error, "option %s is ambiguous: %s", culprit,
                             spelling_list(fits, fit_count, sizeof *fits, " or ", words, sizeof words));
    const char *nearest = spelling_nearest(name, &longs[0].name, count, sizeof *longs);
    return nearest != NULL ? error_invalid(error, "unknown option %s; did you mean --%s?", culprit, nearest)
                           : error_invalid(error, "unknown option %s", culprit);
}

/* Removes an option from the arguments, so that the command does not read it. */
static void take_back(cli_arguments *arguments, const cli_option *option) {
    for (int k = 0; k < arguments->given_count; k++)
        if (arguments->given[k].option == option) arguments->given[k].option = NULL;
}

/* Takes the file of a table from --output; its ending determines *format. A results file, a folder for a
 * results file, or a block of a model file is left to the command. */
static costab_status choose_table(cli_arguments *arguments, const cli_option *option, const char *output,
                                  const char **format, costab_error *error) {
    static const struct {
        const char *ending, *format;
    } files[] = {{".csv", "csv"}, {".json", "json"}, {".md", "md"}, {".txt", "text"}};
    bool results = option->output == CLI_OUTPUT_TABLE_OR_RESULTS,
         block = option->output == CLI_OUTPUT_TABLE_OR_MODEL;
    const char *dot = strrchr(file_name(output), '.');
    if (dot == NULL) dot = "";
    if (results && (strcmp(dot, ".h5") == 0 || output[strlen(output) - 1] == '/' || path_is_folder(output)))
        return *format == NULL
                   ? COSTAB_OK
                   : error_invalid(error, "--output: a results file, '%s', does not go with --format %s",
                                   output, *format);
    if (block && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) return COSTAB_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(dot, files[i].ending) != 0) continue;
        if (*format != NULL && strcmp(*format, files[i].format) != 0)
            return error_invalid(error, "--output: '%s' does not go with --format %s", output, *format);
        *format = files[i].format;
        arguments->table = output;
        take_back(arguments, option);
        return COSTAB_OK;
    }
    return error_invalid(error, "--output: '%s' ends in none of %s.csv, .json, .md and .txt%s", output,
                         results ? ".h5, "
                         : block ? ".yaml, "
                                 : "",
                         results ? ", and is no folder" : "");
}

/* Checks --output. Refuses -, because it would create a file of this name, and the endings of text tables for
 * a results file. */
static costab_status check_output(cli_arguments *arguments, const char **format, costab_error *error) {
    static const char *const endings[] = {".csv", ".json", ".md", ".txt", ".mat"};
    const cli_option *option = cli_option_named(arguments->command, "output");
    const char *output = option != NULL ? cli_value(arguments, option) : NULL;
    if (output == NULL) return COSTAB_OK;
    const bool results = option->output == CLI_OUTPUT_RESULTS, file = option->output == CLI_OUTPUT_FILE;
    if (strcmp(output, "-") == 0)
        return error_invalid(
            error, "--output: '-' is not a file name; %s",
            results || file ? "this command does not write to the standard output: give the name of a file"
                            : "to write to the standard output, leave --output out");
    for (size_t i = 0; results && i < sizeof endings / sizeof *endings; i++)
        if (file_ends_in(output, endings[i]))
            return error_invalid(error,
                                 "--output: '%s' would be a results file (HDF5): let its name end "
                                 "in .h5; costab export makes a CSV file of it",
                                 output);
    return option->output >= CLI_OUTPUT_TABLE ? choose_table(arguments, option, output, format, error)
                                              : COSTAB_OK;
}

/* Reads the options common to all commands. */
static costab_status settle(cli_arguments *arguments, costab_error *error) {
    long threads;
    const char *format = cli_value(arguments, &opt_format_table);
    arguments->quiet = cli_value(arguments, &opt_quiet) != NULL;
    arguments->verbose = cli_value(arguments, &opt_verbose) != NULL;
    arguments->force = cli_value(arguments, &opt_force) != NULL;
    TRY(cli_whole(arguments, &opt_threads, 1, 4096, 0, &threads, error));
    arguments->threads = (int)threads;
    TRY(check_output(arguments, &format, error));
    if (format == NULL) format = isatty(STDOUT_FILENO) ? "text" : "csv";
    return cli_format_find(format, &arguments->format, error);
}

/* Lists the long options and letters of a command for getopt_long, present names before former names. Returns
 * the number of long options with present names. */
static int list_options(const cli_command *command, struct option *longs, char *letters) {
    int count = cli_option_number(command), all = count;
    for (int k = 0; k < count; k++) {
        const cli_option *o = command->options[k];
        const int takes = o->argument != NULL ? required_argument : no_argument;
        longs[k] = (struct option){o->name, takes, NULL, 256 + k};
        if (o->former != NULL) longs[all++] = (struct option){o->former, takes, NULL, 256 + k};
        size_t n = strlen(letters);
        if (o->letter != 0) letters[n] = o->letter;
        if (o->letter != 0 && takes == required_argument) letters[n + 1] = ':';
    }
    return count;
}

costab_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                        costab_error *error) {
    struct option longs[2 * CLI_OPTIONS_MAX + 1];
    char letters[2 * CLI_OPTIONS_MAX + 2] = ":";
    memset(longs, 0, sizeof longs);
    int count = list_options(command, longs, letters), index = 0;
    *arguments = (cli_arguments){.command = command};
    opterr = 0;
    optind = 1;
    for (int found; (found = getopt_long(argc, argv, letters, longs, &index)) != -1;) {
        if (found == ':') return error_invalid(error, "%s needs a value", argv[optind - 1]);
        const cli_option *option = NULL;
        for (int k = 0; k < count; k++)
            if (found == 256 + k || found == command->options[k]->letter) option = command->options[k];
        if (found == '?' || option == NULL) {
            const char *culprit = argv[optind - 1];
            if (optopt >= 256) return error_invalid(error, "%s takes no value", culprit);
            if (optopt != 0) /* a letter: optind may still be at a bundle such as -dash */
                return error_invalid(error, "unknown option -%c", optopt);
            return unknown_option(longs, (size_t)count, culprit, error);
        }
        if (index >= count)
            cli_print(
                stderr,
                "costab %s: warning: --%s is now --%s; the old name is accepted until the next version\n",
                command->name, longs[index].name, option->name);
        index = 0;
        TRY(take_value(arguments, option, optarg, error));
    }
    arguments->operands = argv + optind;
    arguments->operand_count = argc - optind;
    if (cli_value(arguments, &opt_help) != NULL || cli_value(arguments, &opt_version) != NULL)
        return COSTAB_OK;
    const cli_operands *operands = command->operands;
    int most = operands != NULL ? operands->most : 0;
    if (operands != NULL && arguments->operand_count < operands->least)
        return error_invalid(error, "%s is missing", operands->words);
    if (most >= 0 && arguments->operand_count > most)
        return error_invalid(error, "unexpected argument '%s'", arguments->operands[most]);
    return settle(arguments, error);
}
