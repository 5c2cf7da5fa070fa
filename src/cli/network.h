/* cli/network.h - shared code of the network commands: the model, its parameters, the requested couplings,
 * and the output of rows into results files. */
#pragma once

#include "analysis/variant.h"
#include "cli/value.h"
#include "costab/record.h"

typedef struct cli_network {
    const cli_arguments *arguments; /* borrowed */
    costab_spec *spec;
    const costab_model *model;                /* owned by the spec */
    cli_settings settings;                    /* values of --set */
    costab_variant asked;                     /* settings and requested couplings, by name */
    analysis_variant variant;                 /* settings and couplings as found in the model */
    int coupling_count;                       /* number of `couplings` */
    const analysis_named_coupling *couplings; /* of the variant */
    costab_model_instance *instance;          /* the model at these settings */
    costab_network_work *work;
    cli_names names; /* of --coupling; empty: the model's own couplings */
} cli_network;

/* Appends the model's file, --set, --fmu-accuracy and (coupling) --coupling as words of a shell command, for
 * another command on the same system. */
void cli_network_words(const cli_arguments *arguments, bool coupling, text *to);
/* Returns the name of the parameter that is the macro step, for such a command; "NAME" without one. */
const char *cli_step_name(const cli_network *network);

/* Reads the names of --coupling. given NULL: without names, for the model's own couplings. End with
 * cli_names_free, also after an error. */
costab_status cli_couplings(const char *given, cli_names *names, costab_error *error);

/* Reads the model, applies --set, finds the couplings of --coupling (by default the model's own), prints
 * warnings on stderr, and runs a command. time_varying: the command does not analyse stability, so
 * coefficients may vary in time. */
costab_status cli_network_with(cli_network_run *run, bool time_varying, const cli_arguments *arguments,
                               costab_error *error);

/* Makes the instance again, with the parameters of the model and of --set. */
costab_status cli_network_reset(cli_network *network, costab_error *error);

/* Returns the options of the c-th requested coupling at the instance's parameters; cli_network_fitting also
 * checks them. */
costab_status cli_network_coupling(const cli_network *network, int c, costab_coupling *coupling,
                                   costab_error *error);
costab_status cli_network_fitting(const cli_network *network, int c, costab_coupling *coupling,
                                  costab_error *error);

/* Refuses a coupling without anything to analyse at the present parameters
 * (costab_model_instance_check_modes). If --coupling names several couplings, such couplings are left out,
 * unless all are. A coupling that cannot be analysed passes. */
costab_status cli_network_check_modes(cli_network *network, costab_error *error);

/* Reads NAME=LO:HI with LO < HI. [out] *parameter: its number; range: LO and HI. COSTAB_INVALID, also for a
 * missing value (given NULL). */
costab_status cli_network_range(const cli_network *network, const cli_option *option, const char *given,
                                int *parameter, double range[2], costab_error *error);

/* Appends all values of an option (NULL: none) as comments, to be stored above a spec's text in results
 * files. */
void cli_append_note(const cli_arguments *arguments, const cli_option *option, text *notes);
/* Appends the options --set, --fmu-accuracy, --steps and --steps-file as comments, to be stored above the
 * model's text in results files. */
costab_status cli_network_notes(const cli_arguments *arguments, text *notes, costab_error *error);

/* Fills the names for described rows: the couplings, then "continuous system" (not counted), and the
 * subsystems. Free with cli_row_names_free. */
costab_status cli_row_names(const cli_network *network, costab_names *names, costab_error *error);
void cli_row_names_free(costab_names *names);

/* Writes the results file of --output. */
costab_status cli_write_rows(const cli_network *network, const costab_record *of, const void *rows,
                             size_t count, const costab_names *names, costab_error *error);
