/* The man page costab.1, in man macros common to groff and mandoc. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"

/* Prints text without requests to troff: escapes backslashes, and dots and apostrophes at the start of a
 * line. It also escapes dashes, circumflexes, tildes, back-ticks and apostrophes, so that they stay ASCII
 * characters. */
static void put(const char *words, size_t length, bool begins_line) {
    static const char special[] = "\\-^~`'";
    static const char *const written[] = {"\\e", "\\-", "\\(ha", "\\(ti", "\\(ga", "\\(aq"};
    for (size_t i = 0; i < length; i++) {
        const char *found = memchr(special, words[i], sizeof special - 1);
        if (i == 0 && begins_line && (words[i] == '.' || words[i] == '\'')) fputs("\\&", stdout);
        if (found != NULL)
            fputs(written[found - special], stdout);
        else
            putchar(words[i]);
    }
}

static void put_text(const char *words) {
    put(words, strlen(words), false);
}

/* Prints paragraphs; troff fills their lines. */
static void put_paragraphs(const char *words) {
    while (*words != '\0') {
        size_t length = strcspn(words, "\n");
        put(words, length, true);
        putchar('\n');
        words += length;
        if (*words == '\n') puts(".PP");
        words += strspn(words, "\n");
    }
}

static void put_examples(const char *examples) {
    puts(".PP\n.nf\n.RS 4");
    for (const char *line = examples; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        put(line, length, true);
        putchar('\n');
        line += length + (line[length] == '\n');
    }
    puts(".RE\n.fi");
}

static void put_entry(const char *name, const char *words) {
    fputs(".TP\n\\fB", stdout);
    put_text(name);
    puts("\\fR");
    put_paragraphs(words);
}

static void put_option(const cli_option *row) {
    fputs(".TP\n", stdout);
    if (row->letter != 0) printf("\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB\\-\\-", stdout);
    put_text(row->name);
    fputs("\\fR", stdout);
    if (row->argument != NULL) {
        fputs(" \\fI", stdout);
        put_text(row->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    text help = cli_option_help(row);
    put_paragraphs(help.failed ? row->help : help.data);
    text_free(&help);
}

static void put_usage(const cli_command *command) {
    printf("\\fBcostab %s\\fR", command->name);
    if (command->operands != NULL) printf(" \\fI%s\\fR", command->operands->words);
    puts(" [\\fIOPTION\\fR]...");
}

static void put_command(const cli_command *command) {
    fputs(".SS ", stdout);
    put_usage(command);
    put_paragraphs(command->details);
    if (command->examples != NULL) put_examples(command->examples);
    for (int k = 0, count = cli_option_number(command); k < count; k++)
        if (command->options[k] != &opt_help) put_option(command->options[k]);
}

static void put_notes(const char *title, const cli_note *notes) {
    printf(".SH %s\n", title);
    for (; notes->name != NULL; notes++) put_entry(notes->name, notes->text);
}

void cli_manual(const cli_command *const *commands) {
    puts(".\\\" Made by costab help --man.");
    puts(".TH COSTAB 1 \"\" \"costab " COSTAB_VERSION "\" \"User Commands\"");
    puts(".SH NAME\ncostab \\- maps where a co-simulation is numerically stable");
    puts(".SH SYNOPSIS\n\\fBcostab\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.br\n\\fBcostab\\fR "
         "\\fICOMMAND\\fR \\fB\\-\\-help\\fR\n.br\n\\fBcostab \\-\\-version\\fR");
    puts(".SH DESCRIPTION");
    put_paragraphs("costab sweeps parameters of coupled systems, classifies every point (is the continuous "
                   "system stable? is its co-simulation?), finds the boundaries and areas of the stable "
                   "regions, writes HDF5 grids that other tools open, and draws figures for a paper. "
                   "Results go to the standard output or a file, messages to the standard error.");
    puts(".SH COMMANDS");
    for (int i = 0; commands[i] != NULL; i++) put_command(commands[i]);
    puts(".SH METHODS\nThe names that \\fB\\-\\-method\\fR and the key \\fBmethod\\fR of a spec take.");
    for (int i = 0; i < costab_method_count(); i++) put_entry(costab_method_name(i), costab_method_title(i));
    puts(".PP\nIn networks the key takes these, too.");
    for (int i = 0; i < costab_solver_count(); i++) put_entry(costab_solver_name(i), costab_solver_title(i));
    put_notes("EXIT STATUS", cli_exit_codes);
    put_notes("ENVIRONMENT", cli_environment);
    puts(".SH SEE ALSO\n\\fBgnuplot\\fR(1), \\fBh5dump\\fR(1), \\fBncdump\\fR(1)");
}
