/* cli/command.h - the table of commands and options. Parsing (parse.c), help (help.c), the man page
 * (manual.c) and completion (completion.c) come from it. */
#pragma once

#include "base/text.h"
#include "costab/planar.h"

/* Every option of every command. A command's row names the options that it takes. */
#define OPTION(row, ...) OPTION_##row,
typedef enum cli_option {
#include "cli/options.h"
    OPTION_COUNT
} cli_option;
#undef OPTION

/* What an option's value or an operand can be. Completion offers what fits. */
typedef enum cli_kind {
    CLI_FILE, /* a file whose name has one of the endings in `words` */
    CLI_WORD, /* one of the words */
    CLI_WORDS /* some of the words, joined by commas */
} cli_kind;

/* Files: `words` holds the endings. Words: the choices are those of `words` and each(0), each(1), ... up to
 * the first NULL. `words` is separated by blanks; both may be NULL. */
typedef struct cli_takes {
    cli_kind kind;
    const char *words;
    const char *(*each)(int index);
} cli_takes;

/* Spec and model files; results files. */
extern const cli_takes cli_yaml_files, cli_results_files;

/* The forms of a table (cli/table.h). */
typedef enum cli_format { CLI_CSV, CLI_JSON, CLI_MARKDOWN, CLI_TEXT } cli_format;

#define CLI_SETS_MAX  64
#define CLI_OVERS_MAX 64

/* A parsed command line. */
typedef struct cli_arguments {
    const char *values[OPTION_COUNT]; /* NULL: not given; "": given, without a value */
    /* All values of --set, --over, --select and advise's --error, where they may be repeated. */
    const char *sets[CLI_SETS_MAX], *overs[CLI_OVERS_MAX], *selects[CLI_OVERS_MAX], *errors[CLI_OVERS_MAX];
    int set_count, over_count, select_count, error_count;
    const char *table; /* the table's file, of --output; NULL: the standard output */
    cli_format format; /* of the table: text on a terminal, else CSV, unless --format names one */
    int threads;       /* 0: not given */
    bool quiet, verbose, force;
    int operand_count;
    char **operands;
} cli_arguments;

/* One option, a row of cli/options.h. {} in the help stands for the names of takes->each, so that a new name
 * needs no new text. */
typedef struct cli_option_row {
    const char *name;
    char letter;            /* 0 if none */
    const char *argument;   /* NULL if it takes none */
    const cli_takes *takes; /* what its value can be; NULL: completion offers nothing */
    const char *help;
} cli_option_row;

/* The operands of a command. */
typedef struct cli_operands {
    const char *words;      /* how they are written */
    int least, most;        /* how many it takes; most -1: any number */
    const cli_takes *takes; /* what each of them is */
} cli_operands;

/* What a command does; each stands in a file of its name. Some do it with the model that their operand names,
 * which is read before and closed after (cli/network.h). */
typedef struct cli_network cli_network;
typedef costab_status cli_run(const cli_arguments *arguments, costab_error *error);
typedef costab_status cli_network_run(cli_network *network, const cli_arguments *arguments,
                                      costab_error *error);
cli_run cli_classify, cli_area, cli_boundary, cli_critical, cli_reproduce, cli_sweep, cli_merge, cli_plot,
    cli_info, cli_info_model, cli_export, cli_compare;
cli_network_run cli_map, cli_locus, cli_limit, cli_advise, cli_report, cli_margin, cli_pattern, cli_tune,
    cli_simulate, cli_bound, cli_import;

/* One command. A paragraph has no line breaks; an empty line separates two paragraphs. */
typedef struct cli_command {
    const char *name;
    const cli_operands *operands;     /* NULL: the command takes none */
    const char *summary;              /* one line */
    const char *details;              /* paragraphs */
    const char *examples;             /* one command line per line; NULL: none */
    cli_option options[OPTION_COUNT]; /* ended by OPTION_HELP */
    cli_run *run;
    cli_network_run *with_model; /* where `run` is NULL */
    bool time_varying;           /* it states no stability: coefficients of the model may vary in time */
    bool reads;                  /* it never runs FMUs */
} cli_command;

/* Exit codes and environment variables, up to a row whose name is NULL. */
typedef struct cli_note {
    const char *name, *text;
} cli_note;

extern const cli_note cli_exit_codes[], cli_environment[];
/* What help tells besides commands. */
extern const cli_note cli_topics[];

/* The commands in the order of the help, up to a row whose name is NULL. The first CLI_EVERYDAY are those
 * that most work needs. */
enum { CLI_EVERYDAY = 8 };
extern const cli_command cli_commands[];

/* The command of this name, or NULL. */
const cli_command *cli_find_command(const char *name);
/* Says that there is no such command. Returns COSTAB_INVALID. */
costab_status cli_unknown_command(const char *name, costab_error *error);

/* The row of an option. */
const cli_option_row *cli_option_at(cli_option option);

/* An option's help with the names in place of {}. Free it with text_free. */
text cli_option_help(const cli_option_row *row);

/* The long name of an option, without dashes. */
const char *cli_option_name(cli_option option);

/* The number of a command's options, --help included. */
int cli_option_number(const cli_command *of);

/* The format of a table by its name. */
costab_status cli_format_find(const char *name, cli_format *format, costab_error *error);

/* Reads the command's options from argv[1...] (argv[0] is the command's name). COSTAB_INVALID where they are
 * wrong. */
costab_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                        costab_error *error);

/* Prints to stdout: the overview, one command's help, the man page costab.1, the completion for bash, and in
 * Markdown all commands, and all keys of specs and models. */
void cli_overview(const cli_command *commands);
void cli_command_help(const cli_command *command);
/* False if there is no such topic. */
bool cli_topic_help(const char *name);
void cli_manual(const cli_command *commands);
void cli_completion(const cli_command *commands);
void cli_markdown_commands(const cli_command *commands);
void cli_markdown_keys(void);
