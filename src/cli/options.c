/* Options of several commands and the types of their values. Options of one command are in its file. {} in a
 * help is replaced by the names that the value can take. Also the options that a command line gives
 * (cli_value). */
#include <string.h>

#include "cli/command.h"
#include "costab/network.h"

const cli_takes cli_yaml_files = {.kind = CLI_FILE, .words = ".yaml .yml"};
const cli_takes cli_results_files = {.kind = CLI_FILE, .words = ".h5"};
const cli_takes cli_csv_files = {.kind = CLI_FILE, .words = ".csv"};

static const char *scheme(int i) {
    return costab_scheme_name((costab_scheme)i);
}

static const cli_takes schemes = {.kind = CLI_WORDS, .words = "all", .each = scheme};
static const char *coupling(int i) {
    return i < costab_coupling_count() ? costab_coupling_name(i) : NULL;
}

static const cli_takes couplings = {.kind = CLI_WORDS, .words = "all", .each = coupling};
static const char *method(int i) {
    return i < costab_method_count() ? costab_method_name(i) : NULL;
}

static const cli_takes a_method = {.kind = CLI_WORD, .each = method};
static const cli_takes table_format = {.kind = CLI_WORD, .words = "text csv json md"};
static const cli_takes table_files = {.kind = CLI_FILE, .words = ".csv .json .md .txt"};
static const cli_takes table_or_results_files = {.kind = CLI_FILE, .words = ".h5 .csv .json .md .txt"};
static const cli_takes model_files = {.kind = CLI_FILE, .words = ".yaml .yml .ssp .ssd .xml .fmu"};

const cli_operands cli_a_model = {"MODEL", 1, 1, &model_files};

CLI_OPTION(
    opt_a_list, "a", 0, "LIST", NULL,
    "partition parameter, scaled by the macro step: 0.5, or -1,0,1/3, or LO:HI:N, N values with both ends");
CLI_OPTION(opt_plane_gamma, "gamma", 0, "LO:HI", NULL,
           "with --delta: areas in this window only (default: in the whole plane)");
CLI_OPTION(opt_plane_delta, "delta", 0, "LO:HI", NULL, "window of Delta");
CLI_OPTION(opt_scheme, "scheme", 's', "LIST", &schemes, "of {}; or all (default)");
CLI_OPTION(opt_method, "method", 'm', "NAME", &a_method,
           "one-step method (default rk4), which costab --help lists, or a tableau as in a spec: "
           "'{A: [[0, 0], [1, 0]], b: [1/2, 1/2]}'");
CLI_OPTION(opt_substeps, "substeps", 'n', "N[,M]", NULL,
           "micro steps per macro step, one number or one per subsystem (default 1)");
CLI_OPTION(
    opt_format_table, "format", 'f', "text|csv|json|md", &table_format,
    "form of the table: aligned text (default on a terminal), CSV (default elsewhere), JSON or Markdown");
CLI_OPTION(opt_output_table, "output", 'o', "PATH", &table_files,
           "the table's file, in the form of its ending: .csv, .json, .md or .txt",
           .output = CLI_OUTPUT_TABLE);
CLI_OPTION(opt_output, "output", 'o', "PATH", &cli_results_files,
           "results file, or a folder for NAME.h5 (default: current folder)", .output = CLI_OUTPUT_RESULTS);
CLI_OPTION(opt_output_history, "output", 'o', "PATH", &table_or_results_files,
           "a results file (.h5), or a folder for NAME.h5; or the table's file: .csv, .json, .md or .txt",
           .output = CLI_OUTPUT_TABLE_OR_RESULTS);
CLI_OPTION(opt_threads, "threads", 't', "N", NULL, "threads (default: all cores, or OMP_NUM_THREADS)");
CLI_OPTION(opt_force, "force", 0, NULL, NULL,
           "also replace files of others, edited since, or (sweep) up to date");
CLI_OPTION(
    opt_slice, "slice", 0, "K/N|auto", NULL,
    "compute slice K of N of the grid only, into NAME.K-of-N.part; costab merge joins all slices. auto: K and N "
    "are those of this process under mpirun or srun; auto/N: K is the index of a job array 1-N");
CLI_OPTION(opt_quiet, "quiet", 'q', NULL, NULL, "print no progress, and not what was written");
CLI_OPTION(opt_verbose, "verbose", 'v', NULL, NULL, "say what is done, on how many threads, how long");
CLI_OPTION(opt_set, "set", 0, "NAME=VALUE", NULL,
           "give a parameter another value, perhaps with its unit and an SI prefix, H=5ms; may be repeated",
           .repeats = true);
CLI_OPTION(opt_coupling, "coupling", 'c', "LIST", &couplings,
           "couplings of the model, or " COSTAB_COUPLING_GRAMMAR
           " (costab help couplings); all stands for the 42 without -smoothed (default: the model's)");
CLI_OPTION(opt_over, "over", 0, "NAME=LO:HI", NULL, "the parameter that varies, and its range");
CLI_OPTION(opt_over_curves, "over", 0, "NAME=LO:HI", NULL,
           "the eigenvalues along this parameter: where they pass the unit circle; with -o their curves");
CLI_OPTION(opt_continuous, "continuous", 0, NULL, NULL,
           "with --over: those of the continuous system, too, and where they pass the imaginary axis");
CLI_OPTION(opt_turns, "steps", 0, "LIST", NULL,
           "macro steps that are taken in turn, over and over, in place of the model's: 0.001,0.025");
CLI_OPTION(opt_until, "until", 0, "T", NULL, "end time of the simulation");
CLI_OPTION(
    opt_errors, "error", 0, "E", NULL,
    "the error that is allowed: 1e-3 of every state, 1% of the largest value of every state and exchanged output, or of one state or "
    "output, vehicle.v=0.01 or vehicle.v=1%; may be repeated, and needs --until",
    .repeats = true);
CLI_OPTION(
    opt_tune, "tune", 0, NULL, NULL,
    "compare jacobi with weights tuned to the model (costab tune), too, where they gain: one row more");
CLI_OPTION(opt_time, "time", 0, "SECONDS", NULL,
           "end then: advise and report answer with what they have found, others end unfinished");
CLI_OPTION(opt_fmu_timeout, "fmu-timeout", 0, "SECONDS", NULL, "time of an FMU for one request (default 10)");
CLI_OPTION(opt_fmu_memory, "fmu-memory", 0, "GIB", NULL, "memory of an FMU's process, in GiB (default 4)");
CLI_OPTION(opt_fmu_accuracy, "fmu-accuracy", 0, "X", NULL,
           "relative error of an FMU's map (default 1e-4) or derivatives (1e-6)");
CLI_OPTION(
    opt_no_fmu, "no-fmu", 0, NULL, NULL,
    "run no FMU: a model whose numbers need one is refused; costab info, costab import and sweep --dry-run "
    "never run any");
CLI_OPTION(opt_version, "version", 'V', NULL, NULL, "version, compiler and flags");
CLI_OPTION(opt_help, "help", 'h', NULL, NULL, "this help");

text cli_option_help(const cli_option *option) {
    text help = {0};
    const char *names = strstr(option->help, "{}"), *name;
    text_append_n(&help, option->help, names != NULL ? (size_t)(names - option->help) : strlen(option->help));
    for (int i = 0; names != NULL && (name = option->takes->each(i)) != NULL; i++)
        text_printf(&help, "%s%s", i > 0 ? ", " : "", name);
    if (names != NULL) text_append(&help, names + 2);
    return help;
}

int cli_option_number(const cli_command *of) {
    int count = 0;
    while (of->options[count] != &opt_help) count++;
    return count + 1;
}

/* ---- Options of a command line ---- */

const char *cli_value_at(const cli_arguments *arguments, const cli_option *option, int i) {
    for (int k = 0; k < arguments->given_count; k++)
        if (arguments->given[k].option == option && i-- == 0) return arguments->given[k].value;
    return NULL;
}

const char *cli_value(const cli_arguments *arguments, const cli_option *option) {
    return cli_value_at(arguments, option, 0);
}

const cli_option *cli_option_named(const cli_command *command, const char *name) {
    for (int k = 0, count = cli_option_number(command); k < count; k++)
        if (strcmp(command->options[k]->name, name) == 0) return command->options[k];
    return NULL;
}

bool cli_is_given(const cli_arguments *arguments, const char *name) {
    const cli_option *option = cli_option_named(arguments->command, name);
    return option != NULL && cli_value(arguments, option) != NULL;
}
