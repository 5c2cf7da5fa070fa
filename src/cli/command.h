/* cli/command.h - commands and their options. A command's file holds its options, its code and its
 * description, in this order. Parsing (parse.c), help (help.c), the man page (manual.c) and completion
 * (completion.c) follow from the description. */
#pragma once

#include "base/text.h"
#include "costab/planar.h"

/* Type of an option's value or of an operand, for completion. */
typedef enum cli_kind {
    CLI_FILE, /* a file with one of the endings in `words` */
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

/* The forms of a table (cli/table.h). */
typedef enum cli_format { CLI_CSV, CLI_JSON, CLI_MARKDOWN, CLI_TEXT } cli_format;

/* Kind of file that --output of a command names. */
typedef enum cli_output {
    CLI_OUTPUT_NONE,    /* the option is not --output */
    CLI_OUTPUT_TEXT,    /* text that is otherwise printed */
    CLI_OUTPUT_FILE,    /* a file, never printed */
    CLI_OUTPUT_RESULTS, /* a results file, never printed */
    CLI_OUTPUT_TABLE,
    CLI_OUTPUT_TABLE_OR_RESULTS,
    CLI_OUTPUT_TABLE_OR_MODEL
} cli_output;

/* An option. {} in the help is replaced by the names of takes->each, so that a new name needs no new text. */
typedef struct cli_option {
    const char *name;
    char letter;            /* 0 if none */
    const char *argument;   /* NULL for an option without a value */
    const cli_takes *takes; /* type of its value; NULL: completion offers nothing */
    const char *help;
    bool repeats;      /* it may be given several times */
    bool may_be_empty; /* '' is a value */
    const char
        *former; /* its name in 0.1.0, accepted with a warning until the next version; NULL: the same */
    cli_output output;
} cli_option;

/* Defines an option by name, letter, argument, type of the value and help; further members by their names. */
#define CLI_OPTION(id, its_name, its_letter, its_argument, it_takes, ...)                                    \
    const cli_option id = {.name = its_name,                                                                 \
                           .letter = its_letter,                                                             \
                           .argument = its_argument,                                                         \
                           .takes = it_takes,                                                                \
                           .help = __VA_ARGS__}

/* The operands of a command. */
typedef struct cli_operands {
    const char *words;      /* as help shows them */
    int least, most;        /* number of operands; most -1: any number */
    const cli_takes *takes; /* type of each operand */
} cli_operands;

typedef struct cli_command cli_command;

enum { CLI_REPEATS_MAX = 64, CLI_OPTIONS_MAX = 48, CLI_GIVEN_MAX = 256 };

/* A parsed command line. */
typedef struct cli_arguments {
    const cli_command *command;
    struct cli_given {
        const cli_option *option;
        const char *value; /* "" for an option without a value */
    } given[CLI_GIVEN_MAX];
    int given_count;
    const char *table; /* file of the table, from --output; NULL: the standard output */
    cli_format format; /* of the table; default: text on a terminal, otherwise CSV */
    int threads;       /* 0: not given */
    bool quiet, verbose, force;
    int operand_count;
    char **operands;
} cli_arguments;

/* Returns the value of an option, or NULL if it is not given; cli_value_at returns the i-th value of a
 * repeated option, or NULL after the last. */
const char *cli_value(const cli_arguments *arguments, const cli_option *option);
const char *cli_value_at(const cli_arguments *arguments, const cli_option *option, int i);
/* Returns true if the command has an option of this name, and it is given. */
bool cli_is_given(const cli_arguments *arguments, const char *name);
/* Returns the command's option of this name; NULL: none. */
const cli_option *cli_option_named(const cli_command *command, const char *name);

/* Run a command. A command on a model gets the open model, which is read before and closed after the call
 * (cli/network.h). */
typedef struct cli_network cli_network;
typedef costab_status cli_run(const cli_arguments *arguments, costab_error *error);
typedef costab_status cli_network_run(cli_network *network, const cli_arguments *arguments,
                                      costab_error *error);

/* One command. A paragraph has no line breaks; an empty line separates two paragraphs. */
struct cli_command {
    const char *name;
    const cli_operands *operands;               /* NULL: the command takes none */
    const char *summary;                        /* one line */
    const char *details;                        /* paragraphs */
    const char *examples;                       /* one command line per line; NULL: none */
    const cli_option *options[CLI_OPTIONS_MAX]; /* ended by opt_help */
    cli_run *run;
    cli_network_run *with_model; /* if `run` is NULL */
    bool time_varying;           /* it states no stability: coefficients of the model may vary in time */
    bool reads;                  /* it never runs FMUs */
};

/* Exit codes or environment variables; a row with name NULL ends the list. */
typedef struct cli_note {
    const char *name, *text;
} cli_note;

extern const cli_note cli_exit_codes[], cli_environment[];
/* Topics of help other than commands. */
extern const cli_note cli_topics[];

/* The commands in the order of the help, ended by NULL. The first CLI_EVERYDAY commands suffice for most
 * work. */
enum { CLI_EVERYDAY = 8 };
extern const cli_command *const cli_commands[];
extern const cli_command cli_sweep_command, cli_plot_command, cli_limit_command, cli_advise_command,
    cli_map_command, cli_simulate_command, cli_margin_command, cli_info_command, cli_classify_command,
    cli_area_command, cli_boundary_command, cli_critical_command, cli_reproduce_command, cli_merge_command,
    cli_report_command, cli_pattern_command, cli_tune_command, cli_bound_command, cli_export_command,
    cli_compare_command, cli_import_command;

/* Operands and options of several commands, and the types of their values. */
extern const cli_takes cli_yaml_files, cli_results_files, cli_csv_files;
extern const cli_operands cli_a_model;
extern const cli_option opt_a_list, opt_plane_gamma, opt_plane_delta, opt_scheme, opt_method, opt_substeps,
    opt_format_table, opt_output_table, opt_output, opt_output_history, opt_threads, opt_force, opt_slice,
    opt_quiet, opt_verbose, opt_set, opt_coupling, opt_over, opt_over_curves, opt_continuous, opt_turns,
    opt_until, opt_errors, opt_tune, opt_time, opt_fmu_timeout, opt_fmu_memory, opt_fmu_accuracy, opt_no_fmu,
    opt_version, opt_help;

/* Options of every command, and of commands that run FMUs, print a table, write it into a results file,
 * analyse a model, or use the planar system's discretisations. */
#define CLI_COMMON        &opt_threads, &opt_quiet, &opt_verbose, &opt_version, &opt_help
#define CLI_FMUS          &opt_time, &opt_fmu_timeout, &opt_fmu_memory, &opt_fmu_accuracy, &opt_no_fmu
#define CLI_TABLE         &opt_format_table, &opt_output_table, &opt_force
#define CLI_TABLE_OR_FILE &opt_format_table, &opt_output_history, &opt_force
#define CLI_MODEL         &opt_set, CLI_FMUS, &opt_coupling
#define CLI_PLANAR        &opt_scheme, &opt_method, &opt_substeps

/* Returns the command of this name, or NULL. */
const cli_command *cli_find_command(const char *name);
/* Reports an unknown command. Returns COSTAB_INVALID. */
costab_status cli_unknown_command(const char *name, costab_error *error);

/* Returns an option's help with the names in place of {}. Free it with text_free. */
text cli_option_help(const cli_option *option);

/* Returns the number of a command's options, including --help. */
int cli_option_number(const cli_command *of);

/* Finds the format of a table by its name. */
costab_status cli_format_find(const char *name, cli_format *format, costab_error *error);

/* Reads the command's options from argv[1...] (argv[0] is the command's name). Returns COSTAB_INVALID if they
 * are wrong. */
costab_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                        costab_error *error);

/* Prints to stdout: the overview, one command's help, the man page costab.1, the completion for bash, and in
 * Markdown all commands, and all keys of specs and models. */
void cli_overview(const cli_command *const *commands);
void cli_command_help(const cli_command *command);
/* Prints a topic of help. Returns false if the topic is unknown. */
bool cli_topic_help(const char *name);
void cli_manual(const cli_command *const *commands);
void cli_completion(const cli_command *const *commands);
void cli_markdown_commands(const cli_command *const *commands);
void cli_markdown_keys(void);
