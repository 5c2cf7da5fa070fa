/* cli/network.h - what the network commands share: the model, the parameters set, the couplings asked for. */
#pragma once

#include "analysis/variant.h"
#include "cli/value.h"
#include "costab/record.h"

typedef struct cli_network {
    const cli_arguments *arguments; /* borrowed */
    costab_spec *spec;
    const costab_model *model; /* the spec owns it */
    cli_settings settings;     /* what --set gives */
    costab_variant asked;      /* settings and couplings that were asked for, by name */
    analysis_variant variant;  /* the same, found in the model */
    int coupling_count;        /* how many couplings the variant has */
    const analysis_named_coupling *couplings;
    costab_model_instance *instance; /* the model at these settings */
    costab_network_work *work;
    cli_names names; /* of --coupling; none: the model's own couplings */
} cli_network;

/* The names that --coupling gives; none if `given` is NULL: the model's own. End with cli_names_free, also
 * after an error. */
costab_status cli_couplings(const char *given, cli_names *names, costab_error *error);

/* Reads the model, sets what --set gives and finds the couplings of --coupling (the model's own where it is
 * not given), with warnings on stderr, and runs a command with them. time_varying: the command states no
 * stability, so that coefficients may vary in time. */
costab_status cli_network_with(cli_network_run *run, bool time_varying, const cli_arguments *arguments,
                               costab_error *error);

/* All parameters as --set and the model give them, whatever was varied since. */
costab_status cli_network_reset(cli_network *network, costab_error *error);

/* The choices of the c-th coupling asked for, at the instance's present parameters; cli_network_fitting:
 * checked. */
costab_status cli_network_coupling(const cli_network *network, int c, costab_coupling *coupling,
                                   costab_error *error);
costab_status cli_network_fitting(const cli_network *network, int c, costab_coupling *coupling,
                                  costab_error *error);

/* Refuses a coupling with which there is nothing to analyse at the present parameters
 * (costab_model_instance_check_modes); of several with --coupling it is left out, unless all are. What cannot
 * be analysed there passes. */
costab_status cli_network_check_modes(cli_network *network, costab_error *error);

/* NAME=LO:HI with LO < HI: the number of the parameter, and the range. `given` NULL: it is missing. */
costab_status cli_network_range(const cli_network *network, const cli_option *option, const char *given,
                                int *parameter, double range[2], costab_error *error);

/* What is stored with results above the model's text: the options that set parameters, as comments. */
costab_status cli_network_notes(const cli_arguments *arguments, text *notes, costab_error *error);

/* The names that described rows number: of the couplings, behind them "continuous system", which is not
 * counted, and of the subsystems. Free with cli_row_names_free. */
costab_status cli_row_names(const cli_network *network, costab_names *names, costab_error *error);
void cli_row_names_free(costab_names *names);

/* Writes the results file that --output names. */
costab_status cli_write_rows(const cli_network *network, const costab_record *of, const void *rows,
                             size_t count, const costab_names *names, costab_error *error);
