/* The pages of docs/reference in Markdown, from the tables of commands and of spec keys. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "costab/spec.h"
#include "spec/fields.h"
#include "spec/spec.h"

static const char introduction[] =
    "Numbers in a spec are decimals, or fractions of whole numbers such as 1/3; tableaux take constant "
    "expressions; everything in a network takes expressions in its parameters: `+ - * / ^ ( )`, `pi`, and the "
    "functions sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp ln log log2 log10 sqrt "
    "abs sign rint min max sum avg. `-x^2` is -(x²), `rint` takes halves to the even number.\n\n"
    "Reading is strict: an unknown, repeated or missing key, a wrong type or characters after a number is an "
    "error at file:line:column, and the errors of a file are reported together. A model for `map`, `limit`, "
    "`simulate` and `bound` is a network's file; it needs no axes. Most keys of `figure` are options of "
    "`costab plot`, too.\n\n"
    "The spec is stored with the results as one text that needs no other file: the spec, then, each after a line "
    "that starts with `--- #`, the file that `model` names, matrices of other files, own points and "
    "lines, and the parameters of `sweep --set`.\n\nThe numbers of axes are decimals or fractions, not "
    "expressions; value k of a range with equal steps is the fraction from + k (to - from)/(points - 1), k from "
    "0. The field `areas` takes a as this fraction or as it is listed; axes and all other fields have the "
    "double nearest to it.\n";

/* Prints a cell of a table; escapes the bar. */
static void cell(const char *words) {
    for (; *words != '\0'; words++) {
        if (*words == '|') putchar('\\');
        if (*words == '\n')
            fputs("<br>", stdout);
        else
            putchar(*words);
    }
}

static void put_option(const cli_option *row) {
    fputs("| `", stdout);
    if (row->letter != 0) printf("-%c`, `", row->letter);
    printf("--%s%s", row->name, row->argument != NULL ? " " : "");
    cell(row->argument != NULL ? row->argument : "");
    fputs("` | ", stdout);
    text help = cli_option_help(row);
    cell(help.failed ? row->help : help.data);
    text_free(&help);
    puts(" |");
}

static void put_command(const cli_command *command) {
    printf("\n## %s\n\n    costab %s%s%s [OPTION]...\n\n%s\n", command->name, command->name,
           command->operands != NULL ? " " : "", command->operands != NULL ? command->operands->words : "",
           command->details);
    for (const char *line = command->examples; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        printf("%s    %.*s\n", line == command->examples ? "\n" : "", (int)length, line);
        line += length + (line[length] == '\n');
    }
    puts("\n| option | |\n| --- | --- |");
    for (int k = 0, count = cli_option_number(command); k < count; k++)
        if (command->options[k] != &opt_help) put_option(command->options[k]);
}

static void put_notes(const char *title, const cli_note *notes) {
    printf("\n## %s\n\n| | |\n| --- | --- |\n", title);
    for (; notes->name != NULL; notes++) {
        printf("| `%s` | ", notes->name);
        cell(notes->text);
        puts(" |");
    }
}

void cli_markdown_commands(const cli_command *const *commands) {
    puts("# Commands\n\nMade by `costab help --markdown commands`; a test compares it with what the program "
         "prints.");
    for (int i = 0; commands[i] != NULL; i++) put_command(commands[i]);
    put_notes("Topics", cli_topics);
    put_notes("Exit status", cli_exit_codes);
    put_notes("Environment", cli_environment);
}

static const char *field_meaning(int i) {
    return network_field_at(i)->meaning;
}

static void put_names(const char *title, int count, const char *(*name)(int), const char *(*words)(int)) {
    printf("\n## %s\n\n| | |\n| --- | --- |\n", title);
    for (int i = 0; i < count; i++) printf("| `%s` | %s |\n", name(i), words(i));
}

void cli_markdown_keys(void) {
    costab_key key;
    const char *mapping = "";
    printf("# Keys of specs and models\n\nMade by `costab help --markdown keys` from the tables that read "
           "them; a test compares.\n\n%s",
           introduction);
    for (int i = 0; costab_key_at(i, &key); i++) {
        if (strcmp(mapping, key.mapping) != 0)
            printf("\n## %s\n\n| key | such as | meaning |\n| --- | --- | --- |\n", key.mapping);
        mapping = key.mapping;
        printf("| `%s`%s | `", key.name, key.required ? ", required" : "");
        cell(key.example);
        fputs("` | ", stdout);
        cell(key.help);
        puts(" |");
    }
    put_names("Fields of networks", network_field_count(), costab_network_field_name, field_meaning);
    put_names("Methods", costab_method_count(), costab_method_name, costab_method_title);
    put_names("Methods of networks alone", costab_solver_count(), costab_solver_name, costab_solver_title);
}
