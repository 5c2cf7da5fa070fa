/* The list of commands, each in the file of its name, and the command `help`. */
#include "cli/command.h"

#include <string.h>

#include "base/error.h"
#include "base/removed.h"
#include "base/spelling.h"
#include "cli/table.h"

static const cli_command cli_help_command;

const cli_command *const cli_commands[] = {&cli_sweep_command,
                                           &cli_plot_command,
                                           &cli_limit_command,
                                           &cli_advise_command,
                                           &cli_map_command,
                                           &cli_simulate_command,
                                           &cli_margin_command,
                                           &cli_info_command,
                                           &cli_classify_command,
                                           &cli_area_command,
                                           &cli_boundary_command,
                                           &cli_critical_command,
                                           &cli_reproduce_command,
                                           &cli_merge_command,
                                           &cli_report_command,
                                           &cli_pattern_command,
                                           &cli_tune_command,
                                           &cli_bound_command,
                                           &cli_export_command,
                                           &cli_compare_command,
                                           &cli_import_command,
                                           &cli_help_command,
                                           NULL};

static const char *command(int i) {
    return cli_commands[i] != NULL ? cli_commands[i]->name : NULL;
}

const cli_command *cli_find_command(const char *name) {
    for (int i = 0; cli_commands[i] != NULL; i++)
        if (strcmp(name, cli_commands[i]->name) == 0) return cli_commands[i];
    return NULL;
}

costab_status cli_unknown_command(const char *name, costab_error *error) {
    const char *removed = removed_hint(REMOVED_COMMAND, name);
    if (removed != NULL) return error_invalid(error, "unknown command '%s'%s", name, removed);
    const char *names[sizeof cli_commands / sizeof *cli_commands];
    char guess[SPELLING_GUESS_MAX];
    size_t count = 0;
    for (; cli_commands[count] != NULL; count++) names[count] = cli_commands[count]->name;
    return error_invalid(error, "unknown command '%s'%s", name,
                         spelling_guess(name, names, count, sizeof *names, guess));
}

/* ---- help ---- */

static const cli_takes references = {.kind = CLI_WORD, .words = "commands keys"};
static const cli_takes a_shell = {.kind = CLI_WORD, .words = "bash"};
static const cli_takes a_command = {.kind = CLI_WORD, .each = command};
static CLI_OPTION(opt_manual, "man", 0, NULL, NULL, "print the man page costab.1");
static CLI_OPTION(opt_markdown, "markdown", 0, "commands|keys", &references,
                  "print a page of docs/reference: all commands, or all keys of specs and models");
static CLI_OPTION(opt_completion, "completion", 0, "SHELL", &a_shell,
                  "print the completion for a shell, to be sourced");

static costab_status help(const cli_arguments *arguments, costab_error *error) {
    static const cli_option *const documents[] = {&opt_manual, &opt_completion, &opt_markdown};
    bool manual = cli_value(arguments, &opt_manual) != NULL;
    const char *shell = cli_value(arguments, &opt_completion);
    const char *page = cli_value(arguments, &opt_markdown);
    const char *name = arguments->operand_count > 0 ? arguments->operands[0] : NULL;
    if ((name != NULL) + manual + (shell != NULL) + (page != NULL) > 1)
        return error_invalid(error, "a command, --man, --completion and --markdown exclude each other");
    if (shell != NULL && strcmp(shell, "bash") != 0)
        return error_invalid(error, "--completion: no shell '%s'; there is: bash", shell);
    if (page != NULL && strcmp(page, "commands") != 0 && strcmp(page, "keys") != 0)
        return error_invalid(error, "--markdown: no page '%s'; there are: commands, keys", page);
    if (name != NULL && cli_topic_help(name)) return cli_flush(error);
    const cli_command *command = name != NULL ? cli_find_command(name) : NULL;
    for (size_t i = 0; i < sizeof documents / sizeof *documents && name != NULL; i++)
        if (strcmp(name, documents[i]->name) == 0)
            return error_invalid(error, "unknown command '%s'; write: costab help --%s", name, name);
    if (name != NULL && command == NULL) return cli_unknown_command(name, error);
    if (command != NULL)
        cli_command_help(command);
    else if (manual)
        cli_manual(cli_commands);
    else if (shell != NULL)
        cli_completion(cli_commands);
    else if (page != NULL)
        strcmp(page, "keys") == 0 ? cli_markdown_keys() : cli_markdown_commands(cli_commands);
    else
        cli_overview(cli_commands);
    return cli_flush(error);
}

static const cli_operands maybe_command = {"[COMMAND|TOPIC]", 0, 1, &a_command};

static const cli_command cli_help_command = {
    .name = "help",
    .operands = &maybe_command,
    .summary = "this help, or a command's; the man page; completion; references",
    .details =
        "Prints the overview, or the help of one command or of a topic, `classes`, `couplings` or `fields`. The man page and the completion are made from "
        "the same table; `make install` puts both in their places. So are docs/reference/commands.md and, "
        "from the tables that read specs and models, docs/reference/keys.md.",
    .examples = "costab help sweep\n"
                "costab help couplings\n"
                "costab help fields\n"
                "source <(costab help --completion bash)\n"
                "costab help --man | man -l -\n"
                "costab help --markdown keys",
    .options = {&opt_manual, &opt_completion, &opt_markdown, CLI_COMMON},
    .run = help};
