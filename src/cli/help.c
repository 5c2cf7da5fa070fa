/* The overview of commands, --help of every command, the topics of `costab help`, and the lists of exit codes
 * and environment variables. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "network/network.h"
#include "spec/fields.h"

const cli_note cli_exit_codes[] = {
    {"0", "Done."},
    {"1", "The run failed, for instance because the disk is full, the folder cannot be written, or a "
          "computation did not reach its accuracy."},
    {"2", "The command line or an input file is wrong, or an input file cannot be read. The mistakes of a "
          "file are reported together, as FILE:LINE:COLUMN; one that hides others is reported before them."},
    {"3",
     "Not finished: --time, or a signal after the start of a table. All complete rows are printed; the last row "
     "starts with unfinished (JSON: an object with that key; text: a sentence), and the missing rows were not "
     "computed."},
    {"128 + N", "Signal N ended the run with nothing to print: 130 after Ctrl-C, in a shell."},
    {NULL, NULL},
};

const cli_note cli_environment[] = {
    {"OMP_NUM_THREADS", "Number of threads where --threads is not given."},
    {"SOURCE_DATE_EPOCH", "The date (seconds since 1970) that a report shows; without it, it shows none."},
    {"TERM", "On a terminal progress is one line that is rewritten, unless TERM is dumb; elsewhere it is a "
             "line from time to time."},
    {"COSTAB_NO_FMU", "1 forbids all commands to run FMUs, as --no-fmu does."},
    {"HDF5_USE_FILE_LOCKING", "FALSE switches file locks off, for file systems without them."},
    {NULL, NULL},
};

const cli_note cli_topics[] = {
    {"classes",
     "A class has two letters: the first is the system, the second its simulation.\n\n"
     "S stable\nU unstable\n"
     "N on the limit within rounding, or neutral in what remains after structural modes are removed: "
     "equilibria that the model has at all values of its parameters (removed_modes in files)\n"
     "X not known: the continuous system of an FMU for co-simulation (N in files of earlier "
     "versions; costab info says which version wrote a file)\n\n"
     "SS is as it should be; SU blows up though the system does not; US hides that the system is "
     "unstable; UU is unstable both ways. Charts of the planar system count the limit as U, "
     "networks as N.\n\n"
     "Codes in files are sums: 1 the simulation is stable, 2 the system is stable, 16 the system is "
     "neutral, 32 the simulation is neutral, 64 the system is not known. Without classes: 4 not computed, 8 "
     "failed, 12 undecided."},
    {"couplings",
     "A coupling is " COSTAB_COUPLING_GRAMMAR ". (-extrapolated is an older word for -linear.)\n\n"
     "jacobi: all subsystems step at once, with extrapolated inputs; gauss-seidel: one after the "
     "other; iterated: until nothing changes; newton: the same, solved for. -linear to -hermite: "
     "polynomials that inputs follow, else they are held. -spectral: a line by weights of the last "
     "two values. -smoothed: an extrapolation begins "
     "where the last one ended. -solved: feedthrough is solved for, not delayed.\n\n"
     "In a model or spec a name stands for a mapping: coupling: [jacobi, gauss-seidel-linear]. The macro "
     "step is that of the list's first mapping, else of the model's, else the parameter H."},
    {"fields",
     "Results of each point of a network sweep, selected by the key `fields`; the numbers of a run (error, "
     "error_bound, energy_residual, spurious_energy) need the key `history`, and spurious_energy exact or "
     "Runge-Kutta methods. `figure: {kind: curve, of: FIELD}` draws one of them against an axis."},
    {NULL, NULL},
};

enum { WIDTH = 80, HELP_COLUMN = 26, SUMMARY_COLUMN = 23, COUPLING_COLUMN = 34 };

/* Prints a text; its first line starts at column `from`, the others at `indent`. */
static void wrap(const char *words, size_t from, size_t indent) {
    size_t column = from;
    bool first = true;
    for (const char *word = words; *word != '\0';) {
        if (word[0] == '\n') { /* the end of a paragraph */
            printf("\n%s", word[1] == '\n' ? "\n" : "");
            word += strspn(word, "\n");
            column = indent;
            printf("%*s", (int)indent, "");
            first = true;
            continue;
        }
        size_t length = strcspn(word, " \n");
        if (!first && column + 1 + length > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)length, word);
        column += length;
        first = false;
        word += length;
        if (*word == ' ') word++;
    }
    putchar('\n');
}

/* Prints `left` and the explanation to its right, from column `indent` on. A long `left` has a line of its
 * own. */
static void entry(const char *left, size_t indent, const char *words) {
    size_t length = 2 + strlen(left);
    if (length + 2 <= indent)
        printf("  %-*s", (int)indent - 2, left);
    else
        printf("  %s\n%*s", left, (int)indent, "");
    wrap(words, indent, indent);
}

static void print_examples(const char *examples) {
    printf("\n%s:\n", strchr(examples, '\n') != NULL ? "Examples" : "Example");
    for (const char *line = examples; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_notes(const char *title, const cli_note *notes) {
    printf("\n%s:\n", title);
    for (; notes->name != NULL; notes++) entry(notes->name, SUMMARY_COLUMN, notes->text);
}

static const char *usage_of(const cli_command *command, char usage[64]) {
    const cli_operands *operands = command->operands;
    snprintf(usage, 64, "%s%s%s", command->name, operands != NULL ? " " : "",
             operands != NULL ? operands->words : "");
    return usage;
}

void cli_command_help(const cli_command *command) {
    char usage[64];
    printf("Usage: costab %s [OPTION]...\n\n", usage_of(command, usage));
    wrap(command->details, 0, 0);
    if (command->examples != NULL) print_examples(command->examples);
    printf("\nOptions:\n");
    for (int k = 0, count = cli_option_number(command); k < count; k++) {
        const cli_option *row = command->options[k];
        char left[64], letter[8] = "   ";
        if (row->letter != 0) snprintf(letter, sizeof letter, "-%c,", row->letter);
        snprintf(left, sizeof left, "%s --%s%s%s", letter, row->name, row->argument != NULL ? " " : "",
                 row->argument != NULL ? row->argument : "");
        text help = cli_option_help(row);
        entry(left, HELP_COLUMN, help.failed ? row->help : help.data);
        text_free(&help);
    }
}

/* Prints a named coupling with its keys in a model. */
static void print_coupling(const char *name) {
    text_local keys = {0};
    costab_coupling choices = {.macro_step = 1};
    if (costab_coupling_find(name, &choices, NULL)) return;
    costab_coupling_put_keys(&choices, &keys);
    entry(name, COUPLING_COLUMN, keys.failed ? "" : keys.data);
}

bool cli_topic_help(const char *name) {
    const cli_note *topic = cli_topics;
    while (topic->name != NULL && strcmp(topic->name, name) != 0) topic++;
    if (topic->name == NULL) return false;
    wrap(topic->text, 0, 0);
    if (strcmp(name, "couplings") == 0) {
        puts("\n--coupling all stands for these, with their keys in a model:");
        for (int i = 0; i < costab_coupling_count(); i++) print_coupling(costab_coupling_name(i));
    }
    if (strcmp(name, "fields") == 0) {
        puts("");
        for (int i = 0; i < network_field_count(); i++)
            entry(network_field_at(i)->name, SUMMARY_COLUMN, network_field_at(i)->meaning);
    }
    return true;
}

/* Prints the commands that run FMUs: they have the option for the time of an FMU's answers. */
static void print_fmu_commands(const cli_command *const *commands) {
    text_local words = {0};
    text_append(&words,
                "FMUs are programs, which have your rights. These commands run them, unless --no-fmu is "
                "given or COSTAB_NO_FMU is 1:");
    const char *sign = " ";
    for (int i = 0; commands[i] != NULL; i++) {
        if (cli_option_named(commands[i], opt_fmu_timeout.name) == NULL) continue;
        text_printf(&words, "%s%s%s", sign, commands[i]->name,
                    commands[i] == &cli_sweep_command  ? " (not with --dry-run)"
                    : commands[i] == &cli_plot_command ? " (of a spec)"
                                                       : "");
        sign = ", ";
    }
    text_append(&words, ". All others, info and import among them, run none.");
    putchar('\n');
    if (!words.failed) wrap(words.data, 0, 0);
}

void cli_overview(const cli_command *const *commands) {
    printf("Usage: costab COMMAND [OPTION]...\n\n"
           "Maps where a co-simulation is numerically stable.\n\nCommands:\n");
    for (int i = 0; commands[i] != NULL; i++) {
        char usage[64];
        if (i == CLI_EVERYDAY) printf("\nMore commands:\n");
        entry(usage_of(commands[i], usage), SUMMARY_COLUMN, commands[i]->summary);
    }
    putchar('\n');
    wrap(
        "costab COMMAND --help tells more; costab help classes, costab help couplings and costab help fields explain names, docs/reference/columns.md explains columns; costab --version prints version, compiler and flags.",
        0, 0);
    print_fmu_commands(commands);
    printf("\nMethods:\n");
    for (int i = 0; i < costab_method_count(); i++)
        entry(costab_method_name(i), SUMMARY_COLUMN, costab_method_title(i));
    printf("\nIn networks also:\n");
    for (int i = 0; i < costab_solver_count(); i++)
        entry(costab_solver_name(i), SUMMARY_COLUMN, costab_solver_title(i));
    print_notes("Exit status", cli_exit_codes);
    print_notes("Environment", cli_environment);
}
