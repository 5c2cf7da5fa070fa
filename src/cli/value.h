/* cli/value.h - values of options. */
#ifndef CLI_VALUE_H
#define CLI_VALUE_H

#include "cli/command.h"

/* A number; `fallback` where the option was not given and fallback is not NULL, else it is required. */
costab_status cli_number(const cli_arguments *arguments, cli_option option, const double *fallback,
                         double *value, costab_error *error);

/* Says that n bytes of an option's value are no number. Returns COSTAB_INVALID. */
costab_status cli_not_a_number(cli_option option, const char *given, size_t n, costab_error *error);

/* A whole number from `low` to `high`; `fallback` where the option was not given. */
costab_status cli_whole(const cli_arguments *arguments, cli_option option, long low, long high, long fallback,
                        long *value, costab_error *error);

/* LIST: 0.5, or -1,0,1, or FROM:TO:COUNT (both ends in). [out] *values: free with memory_free. */
costab_status cli_list(const cli_arguments *arguments, cli_option option, double **values, size_t *count,
                       costab_error *error);

/* The next piece of a comma-separated text: its length, with *rest moved behind the comma (NULL at the end).
 */
size_t cli_next_piece(const char **rest, const char **piece);

/* --scheme, --method and --substeps: the discretisations asked for. */
typedef struct cli_planar {
    int count;
    costab_planar schemes[COSTAB_SCHEME_COUNT];
} cli_planar;

costab_status cli_planar_options(const cli_arguments *arguments, cli_planar *planar, costab_error *error);

/* LO:HI with LO < HI; `fallback` where the option was not given. */
costab_status cli_window(const cli_arguments *arguments, cli_option option, const double fallback[2],
                         double window[2], costab_error *error);

#endif
