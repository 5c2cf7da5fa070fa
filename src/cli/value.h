/* cli/value.h - values of options. */
#pragma once

#include "cli/command.h"
#include "cli/table.h"
#include "costab/advise.h"
#include "costab/spec.h"

/* Numbers are decimals or fractions (number_parse). */

/* Reads a number; an option that was not given is an error. */
costab_status cli_number(const cli_arguments *arguments, const cli_option *option, double *value,
                         costab_error *error);

/* The same of a number above 0; an option that was not given leaves *value. */
costab_status cli_positive(const cli_arguments *arguments, const cli_option *option, double *value,
                           costab_error *error);

/* Reads a whole number from `low` to `high`. An option that was not given has the value `fallback`. */
costab_status cli_whole(const cli_arguments *arguments, const cli_option *option, long low, long high,
                        long fallback, long *value, costab_error *error);

/* Reads a LIST: 0.5, or -1,0,1/3, or LO:HI:N, N numbers with both ends. [out] *values: `*count`
 * numbers, to be freed with memory_free. */
costab_status cli_list(const cli_arguments *arguments, const cli_option *option, double **values,
                       size_t *count, costab_error *error);

/* The same of a LIST that stands in the value of an option. */
costab_status cli_list_read(const cli_option *option, const char *given, double **values, size_t *count,
                            costab_error *error);

/* The cell of number i of a LIST, whose double is `value`: what was written where it is listed, the shortest
 * form of the double where it is of a range. In JSON always the double. */
void cli_list_cell(const cli_arguments *arguments, const cli_option *option, size_t i, double value);

/* Whether `given` is NAME=VALUE. [out] *name: its name, to be freed, NULL where memory is out; *value. */
bool cli_divide(const char *given, char **name, const char **value);

/* The parameters that --set gives; end with cli_settings_free, also after an error. */
typedef struct cli_settings {
    int count;
    costab_setting list[CLI_REPEATS_MAX];
    char *names[CLI_REPEATS_MAX];
} cli_settings;
costab_status cli_settings_read(const cli_arguments *arguments, cli_settings *settings, costab_error *error);
void cli_settings_free(cli_settings *settings);

/* The errors that --error allows: E or E%, or SIGNAL= before it; end with cli_errors_free, also after an
 * error.
 */
typedef struct cli_errors {
    int count;
    costab_advise_error list[CLI_REPEATS_MAX];
    char *names[CLI_REPEATS_MAX]; /* of their signals */
} cli_errors;
costab_status cli_errors_read(const cli_arguments *arguments, cli_errors *errors, costab_error *error);
void cli_errors_free(cli_errors *errors);

/* Takes the next word from a text that commas separate. Returns its length. [in, out] *rest: moves behind the
 * comma, or becomes NULL at the end. [out] *piece: the word's first character. */
size_t cli_next_piece(const char **rest, const char **piece);

/* Whether the list, whose words commas separate, has the word. */
bool cli_has_word(const char *list, const char *word);

/* The words of a list, whose separators in brackets, as of an order, do not divide it. End with
 * cli_names_free, also after an error. */
typedef struct cli_names {
    int count;
    char *bytes;     /* of the words; NULL: they are static */
    const char **of; /* NULL: no list was given */
} cli_names;
costab_status cli_names_read(const char *list, char separator, cli_names *names, costab_error *error);
void cli_names_free(cli_names *names);

/* The discretisations that --scheme, --method and --substeps ask for. */
typedef struct cli_planar {
    int count;
    costab_planar schemes[COSTAB_SCHEME_COUNT];
} cli_planar;

costab_status cli_planar_options(const cli_arguments *arguments, cli_planar *planar, costab_error *error);

/* Reads LO:HI with LO < HI; false where it is none. */
bool cli_parse_range(const char *given, double range[2]);
/* Whether it is X, X,Y or LO:HI:N, and no range. */
bool cli_lists_points(const char *given);
/* The same of an option. An option that was not given has the value `fallback`. */
costab_status cli_window(const cli_arguments *arguments, const cli_option *option, const double fallback[2],
                         double window[2], costab_error *error);
