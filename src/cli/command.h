/* cli/command.h - the table of commands and options; help, parsing and (later) man page and completion come
 * from it. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "costab/planar.h"

/* Every option of every command; a command names those it takes. */
typedef enum cli_option {
    OPTION_A,
    OPTION_GAMMA,
    OPTION_DELTA,
    OPTION_A_LIST,
    OPTION_A_WINDOW,
    OPTION_GAMMA_WINDOW,
    OPTION_DELTA_WINDOW,
    OPTION_POINTS,
    OPTION_MATRIX,
    OPTION_STEP,
    OPTION_SCHEME,
    OPTION_METHOD,
    OPTION_SUBSTEPS,
    OPTION_FORMAT_TABLE,
    OPTION_SOURCE,
    OPTION_OUTPUT,
    OPTION_OUTPUT_HISTORY,
    OPTION_THREADS,
    OPTION_DRY_RUN,
    OPTION_QUIET,
    OPTION_FORMAT_FIGURE,
    OPTION_FOLDER,
    OPTION_SCRIPT_ONLY,
    OPTION_SET,
    OPTION_COUPLING,
    OPTION_MAP_MATRIX,
    OPTION_OVER,
    OPTION_SAMPLES,
    OPTION_UNTIL,
    OPTION_ERROR,
    OPTION_HORIZON,
    OPTION_PRINTED,
    OPTION_AT,
    OPTION_HELP,
    OPTION_COUNT
} cli_option;

#define CLI_SETS_MAX 64

/* A parsed command line. */
typedef struct cli_arguments {
    const char *values[OPTION_COUNT]; /* NULL where not given; "" for an option without a value */
    const char *sets[CLI_SETS_MAX];   /* all values of --set, the one option that may be repeated */
    int set_count;
    int operand_count;
    char **operands;
} cli_arguments;

typedef struct cli_command {
    const char *name;
    const char *operands;             /* usage of the operands, "" if none */
    int operands_min, operands_max;   /* -1: any number */
    const char *summary;              /* one line */
    const char *details;              /* paragraphs for --help */
    cli_option options[OPTION_COUNT]; /* ended by OPTION_HELP */
    costab_status (*run)(const cli_arguments *arguments, costab_error *error);
} cli_command;

costab_status cli_classify(const cli_arguments *arguments, costab_error *error);
costab_status cli_area(const cli_arguments *arguments, costab_error *error);
costab_status cli_boundary(const cli_arguments *arguments, costab_error *error);
costab_status cli_critical(const cli_arguments *arguments, costab_error *error);
costab_status cli_reproduce(const cli_arguments *arguments, costab_error *error);
costab_status cli_sweep(const cli_arguments *arguments, costab_error *error);
costab_status cli_plot(const cli_arguments *arguments, costab_error *error);
costab_status cli_map(const cli_arguments *arguments, costab_error *error);
costab_status cli_limit(const cli_arguments *arguments, costab_error *error);
costab_status cli_simulate(const cli_arguments *arguments, costab_error *error);
costab_status cli_bound(const cli_arguments *arguments, costab_error *error);
costab_status cli_info(const cli_arguments *arguments, costab_error *error);

/* The commands in the order of the help; *count of them. */
const cli_command *cli_commands(int *count);

/* How an option is written: its long name without dashes. */
const char *cli_option_name(cli_option option);

/* Reads the command's options from argv[1...] (argv[0] is the command's name). COSTAB_INVALID where they are
 * wrong. */
costab_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                        costab_error *error);

/* Prints the overview or one command's help to stdout. */
void cli_help(void);
void cli_command_help(const cli_command *command);

#endif
