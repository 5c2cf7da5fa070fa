/* cli/value.h - reads the values of options that several commands share: numbers, lists, ranges, couplings,
 * ... */
#pragma once

#include "cli/command.h"
#include "cli/table.h"
#include "costab/advise.h"
#include "costab/area.h"
#include "costab/spec.h"

/* Reads a number, or a decimal with the unit and perhaps an SI prefix: 0.001, 0.001s, 1ms. unit NULL: none.
 * [out] plain: the number without the unit, 1e-3, is appended. Returns false if it is none of these. */
bool cli_without_unit(const char *given, size_t size, const char *unit, text *plain);

/* Reads a number: a decimal or a fraction (number_parse), here and below. A missing option is an error. */
costab_status cli_number(const cli_arguments *arguments, const cli_option *option, double *value,
                         costab_error *error);

/* Reads a number above 0. A missing option leaves *value unchanged. */
costab_status cli_positive(const cli_arguments *arguments, const cli_option *option, double *value,
                           costab_error *error);

/* Reads an integer from `low` to `high`. A missing option has the value `fallback`. */
costab_status cli_whole(const cli_arguments *arguments, const cli_option *option, long low, long high,
                        long fallback, long *value, costab_error *error);

/* Reads a LIST: 0.5, or -1,0,1/3, or LO:HI:N, N numbers with both ends. [out] *values: `*count`
 * numbers, to be freed with memory_free. */
costab_status cli_list(const cli_arguments *arguments, const cli_option *option, double **values,
                       size_t *count, costab_error *error);

/* Reads a LIST from the value of an option. */
costab_status cli_list_read(const cli_option *option, const char *given, double **values, size_t *count,
                            costab_error *error);

/* Prints the cell of number i of a LIST with the double `value`: the written number of a list, or the
 * shortest form of the double of a range. JSON has the double. */
void cli_list_cell(const cli_arguments *arguments, const cli_option *option, size_t i, double value);

/* Returns true if `given` is NAME=VALUE. [out] *name: NAME, to be freed; NULL after an allocation failure.
 * *value: VALUE, a part of `given`. */
bool cli_divide(const char *given, char **name, const char **value);

/* Returns the unit of a parameter; NULL if it has none, if the model does not have it, and without a model.
 */
const char *cli_unit_of(const costab_model *model, const char *name);

/* The parameters of --set, also with units if the model, which gives these, is not NULL; end with
 * cli_settings_free, also after an error. */
typedef struct cli_settings {
    int count;
    costab_setting list[CLI_REPEATS_MAX];
    char *names[CLI_REPEATS_MAX];
} cli_settings;
costab_status cli_settings_read(const cli_arguments *arguments, const costab_model *model,
                                cli_settings *settings, costab_error *error);
void cli_settings_free(cli_settings *settings);

/* The errors allowed by --error: E, E%, SIGNAL=E or SIGNAL=E%; end with cli_errors_free, also after an error.
 */
typedef struct cli_errors {
    int count;
    costab_advise_error list[CLI_REPEATS_MAX];
    char *names[CLI_REPEATS_MAX]; /* names of the errors' signals */
} cli_errors;
costab_status cli_errors_read(const cli_arguments *arguments, cli_errors *errors, costab_error *error);
void cli_errors_free(cli_errors *errors);

/* Takes the next word from a comma-separated text. Returns its length. [in, out] *rest: moves after the
 * comma, or becomes NULL at the end. [out] *piece: the first character of the word. */
size_t cli_next_piece(const char **rest, const char **piece);

/* Returns true if the comma-separated list has the word. */
bool cli_has_word(const char *list, const char *word);

/* The words of a list. Separators inside brackets, as in an order, do not divide it. End with cli_names_free,
 * also after an error. */
typedef struct cli_names {
    int count;
    char *bytes;     /* the words; NULL: they are static */
    const char **of; /* NULL: no list was given */
} cli_names;
costab_status cli_names_read(const char *list, char separator, cli_names *names, costab_error *error);
/* Returns an error if a word of the option's list is repeated. */
costab_status cli_names_differ(const cli_names *names, const cli_option *option, costab_error *error);
void cli_names_free(cli_names *names);

/* The discretisations of --scheme, --method and --substeps. */
typedef struct cli_planar {
    int count;
    costab_planar schemes[COSTAB_SCHEME_COUNT];
} cli_planar;

costab_status cli_planar_options(const cli_arguments *arguments, cli_planar *planar, costab_error *error);

/* The window of --gamma and --delta, to which areas are restricted. */
typedef struct cli_plane_window {
    bool given;           /* false: the whole plane */
    costab_number end[4]; /* the ends of Gamma, then those of Delta */
    char *written[4];     /* their texts, which `end` borrows */
} cli_plane_window;

/* [out] window: free with cli_plane_window_free, also after a failure. */
costab_status cli_plane_window_options(const cli_arguments *arguments, cli_plane_window *window,
                                       costab_error *error);
void cli_plane_window_free(cli_plane_window *window);

/* Returns true if `given` is X, X,Y or LO:HI:N instead of a range LO:HI. */
bool cli_lists_points(const char *given);
/* Reads LO:HI with LO < HI from an option. A missing option has the value `fallback`. */
costab_status cli_window(const cli_arguments *arguments, const cli_option *option, const double fallback[2],
                         double window[2], costab_error *error);
/* Copies both ends of an option that cli_window has read, as they are written; free them. A missing option
 * has none. */
costab_status cli_window_written(const cli_arguments *arguments, const cli_option *option, char *written[2],
                                 costab_error *error);
