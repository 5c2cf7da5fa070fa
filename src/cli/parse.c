/* Reads a command line by the tables of commands and options.
 *   1. Options may stand before, between and behind operands, long ones be shortened as far as they stay
 *      unique; -- ends them.
 *   2. Each is checked against the options of the command; an unknown one is told with the nearest. An old
 *      name of an option is accepted with a warning.
 *   3. Operands are counted against what the command takes. */
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

/* Names of options in 0.1.0, which are accepted with a warning until the next version. */
static const struct {
    const char *command, *name;
    cli_option option;
} renamed[] = {{"margin", "over", OPTION_PARAMETERS}};
enum { RENAMED = sizeof renamed / sizeof *renamed };

/* Appends the command's old names to its long options. */
static void append_renamed(const cli_command *command, struct option *longs, int count) {
    for (size_t i = 0; i < RENAMED; i++)
        if (strcmp(renamed[i].command, command->name) == 0)
            longs[count++] =
                (struct option){renamed[i].name, required_argument, NULL, 256 + (int)renamed[i].option};
}

/* The values of an option that may be given several times, and their number; NULL: this one may not. */
static const char **repeated(cli_arguments *arguments, cli_option option, int **count) {
    switch (option) {
    case OPTION_SET:
        *count = &arguments->set_count;
        return arguments->sets;
    case OPTION_OVER_EACH:
    case OPTION_PARAMETERS:
    case OPTION_AXIS:
        *count = &arguments->over_count;
        return arguments->overs;
    case OPTION_SELECT:
        *count = &arguments->select_count;
        return arguments->selects;
    case OPTION_ERRORS:
        *count = &arguments->error_count;
        return arguments->errors;
    default:
        return NULL;
    }
}

static costab_status take_value(cli_arguments *arguments, cli_option option, const char *value,
                                costab_error *error) {
    const char *form = cli_option_at(option)->argument;
    int *count = NULL, most = option == OPTION_SET ? CLI_SETS_MAX : CLI_OVERS_MAX;
    const char **values = repeated(arguments, option, &count);
    if (form != NULL && value[0] == '\0' &&
        option != OPTION_TITLE) /* such as an unset variable of a script */
        return error_invalid(error, "--%s needs a value, %s, not an empty one", cli_option_name(option),
                             form);
    if (values == NULL && arguments->values[option] != NULL)
        return error_invalid(error, "--%s is given twice", cli_option_name(option));
    if (values != NULL && *count == most)
        return error_invalid(error, "--%s is given more than %d times", cli_option_name(option), most);
    if (values != NULL) values[(*count)++] = value;
    arguments->values[option] = form != NULL ? value : "";
    return COSTAB_OK;
}

/* The words of a long option that is none, or the beginning of several. */
static costab_status unknown_option(const struct option *longs, size_t count, const char *culprit,
                                    costab_error *error) {
    size_t dashes = strspn(culprit, "-");
    memory_local char *name = memory_copy_n(culprit + dashes, strcspn(culprit + dashes, "="));
    if (name == NULL) return error_memory(error);
    const char *removed = removed_hint(REMOVED_OPTION, name);
    if (removed != NULL) return error_invalid(error, "unknown option %s%s", culprit, removed);
    char guess[SPELLING_GUESS_MAX];
    (void)spelling_guess(name, &longs[0].name, count, sizeof *longs, guess);
    return error_invalid(error, "unknown or ambiguous option %s%s", culprit, guess);
}

/* --output of a table: its ending is the format. A results file or a folder for one, and a block of a model
 * file, are left to the command. */
static costab_status choose_table(cli_arguments *arguments, cli_option option, costab_error *error) {
    static const struct {
        const char *ending, *format;
    } files[] = {{".csv", "csv"}, {".json", "json"}, {".md", "md"}, {".txt", "text"}};
    const char *output = arguments->values[option], **format = &arguments->values[OPTION_FORMAT_TABLE];
    bool results = option == OPTION_OUTPUT_HISTORY;
    if (output == NULL) return COSTAB_OK;
    const char *dot = strrchr(file_name(output), '.');
    if (dot == NULL) dot = "";
    if (results && (strcmp(dot, ".h5") == 0 || output[strlen(output) - 1] == '/' || path_is_folder(output)))
        return COSTAB_OK;
    bool block = option == OPTION_OUTPUT_BLOCK;
    if (block && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) return COSTAB_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (strcmp(dot, files[i].ending) != 0) continue;
        if (*format != NULL && strcmp(*format, files[i].format) != 0)
            return error_invalid(error, "--output: '%s' does not go with --format %s", output, *format);
        *format = files[i].format;
        arguments->table = output;
        arguments->values[option] = NULL;
        return COSTAB_OK;
    }
    return error_invalid(error, "--output: '%s' ends in none of %s.csv, .json, .md and .txt%s", output,
                         results ? ".h5, "
                         : block ? ".yaml, "
                                 : "",
                         results ? ", and is no folder" : "");
}

/* Every --output names a file or a folder: - would be a file that is called so. Without it tables and texts
 * are printed. */
static costab_status check_dash(const cli_arguments *arguments, costab_error *error) {
    for (int k = 0; k < OPTION_COUNT; k++) {
        const char *value = arguments->values[k];
        if (value == NULL || strcmp(value, "-") != 0 || strcmp(cli_option_name((cli_option)k), "output") != 0)
            continue;
        const bool file = k == OPTION_OUTPUT || k == OPTION_OUTPUT_PAGE || k == OPTION_OUTPUT_FIGURE;
        return error_invalid(
            error, "--output: '-' is not a file name; %s",
            file ? "this command does not write to the standard output: give the name of a file"
                 : "to write to the standard output, leave --output out");
    }
    return COSTAB_OK;
}

/* Whoever names a results file as a table of text wants rows of text. */
static costab_status check_output(cli_arguments *arguments, costab_error *error) {
    static const char *const endings[] = {".csv", ".json", ".md", ".txt", ".mat"};
    const char *output = arguments->values[OPTION_OUTPUT];
    TRY(check_dash(arguments, error));
    for (size_t i = 0; output != NULL && i < sizeof endings / sizeof *endings; i++)
        if (file_ends_in(output, endings[i]))
            return error_invalid(error,
                                 "--output: '%s' would be a results file (HDF5): let its name end "
                                 "in .h5; costab export makes a CSV file of it",
                                 output);
    TRY(choose_table(arguments, OPTION_OUTPUT_TABLE, error));
    TRY(choose_table(arguments, OPTION_OUTPUT_BLOCK, error));
    return choose_table(arguments, OPTION_OUTPUT_HISTORY, error);
}

/* What every command reads in the same way. */
static costab_status settle(cli_arguments *arguments, costab_error *error) {
    long threads;
    arguments->quiet = arguments->values[OPTION_QUIET] != NULL;
    arguments->verbose = arguments->values[OPTION_VERBOSE] != NULL;
    arguments->force = arguments->values[OPTION_FORCE] != NULL;
    TRY(cli_whole(arguments, OPTION_THREADS, 1, 4096, 0, &threads, error));
    arguments->threads = (int)threads;
    TRY(check_output(arguments, error));
    const char *format = arguments->values[OPTION_FORMAT_TABLE];
    if (format == NULL) format = isatty(STDOUT_FILENO) ? "text" : "csv";
    return cli_format_find(format, &arguments->format, error);
}

costab_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                        costab_error *error) {
    int count = cli_option_number(command), index = 0;
    struct option longs[OPTION_COUNT + RENAMED + 1];
    char letters[3 * OPTION_COUNT + 2] = ":";
    memset(longs, 0, sizeof longs);
    for (int k = 0; k < count; k++) {
        cli_option o = command->options[k];
        const cli_option_row *row = cli_option_at(o);
        bool takes = row->argument != NULL;
        longs[k] = (struct option){row->name, takes ? required_argument : no_argument, NULL, 256 + (int)o};
        if (row->letter == 0) continue;
        size_t n = strlen(letters);
        letters[n] = row->letter;
        letters[n + 1] = takes ? ':' : '\0';
    }

    append_renamed(command, longs, count);
    *arguments = (cli_arguments){0};
    opterr = 0;
    optind = 1;
    for (int found; (found = getopt_long(argc, argv, letters, longs, &index)) != -1;) {
        if (found == ':') return error_invalid(error, "%s needs a value", argv[optind - 1]);
        cli_option option = OPTION_COUNT;
        for (int k = 0; k < count; k++)
            if (found == 256 + (int)command->options[k] ||
                found == cli_option_at(command->options[k])->letter)
                option = command->options[k];
        if (found == '?' || option == OPTION_COUNT) {
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
                command->name, longs[index].name, cli_option_name(option));
        index = 0;
        TRY(take_value(arguments, option, optarg, error));
    }
    arguments->operands = argv + optind;
    arguments->operand_count = argc - optind;
    if (arguments->values[OPTION_HELP] != NULL || arguments->values[OPTION_VERSION] != NULL) return COSTAB_OK;
    const cli_operands *operands = command->operands;
    int most = operands != NULL ? operands->most : 0;
    if (operands != NULL && arguments->operand_count < operands->least)
        return error_invalid(error, "%s is missing", operands->words);
    if (most >= 0 && arguments->operand_count > most)
        return error_invalid(error, "unexpected argument '%s'", arguments->operands[most]);
    return settle(arguments, error);
}
