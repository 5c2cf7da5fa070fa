/* The table of commands and options, and what follows from it: parsing and help. */
#include "cli/command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static const struct {
    const char *name;
    char letter;          /* 0 if none */
    const char *argument; /* NULL if it takes none */
    const char *help;
} options[OPTION_COUNT] = {
    [OPTION_A] = {"a", 0, "A", "partition parameter a, scaled by the macro step"},
    [OPTION_GAMMA] = {"gamma", 0, "G", "trace of the scaled system matrix"},
    [OPTION_DELTA] = {"delta", 0, "D", "determinant of the scaled system matrix"},
    [OPTION_A_LIST] = {"a", 0, "LIST",
                       "partition parameter: 0.5, or -1,0,1, or FROM:TO:COUNT (both ends in)"},
    [OPTION_A_WINDOW] = {"a", 0, "LO:HI", "range of a that is searched (default -8:8)"},
    [OPTION_SOURCE] = {"source", 0, "LIST", "of kns2014, skjong2019, gomes2018, ma2015 (default: all)"},
    [OPTION_GAMMA_WINDOW] = {"gamma", 0, "LO:HI", "window of Gamma (default -6:2)"},
    [OPTION_DELTA_WINDOW] = {"delta", 0, "LO:HI", "window of Delta (default -4:14)"},
    [OPTION_POINTS] = {"points", 0, "FILE", "CSV file with columns a, gamma, delta; - is the standard input"},
    [OPTION_MATRIX] = {"matrix", 0, "a,b,c,d", "entries of an unscaled system matrix; needs --step"},
    [OPTION_STEP] = {"step", 0, "H", "macro step for --matrix"},
    [OPTION_SCHEME] = {"scheme", 's', "LIST", "of simulation, cross, zigzag, strong; or all (default)"},
    [OPTION_METHOD] = {"method", 'm', "NAME", "one-step method (default rk4); costab --help lists them"},
    [OPTION_SUBSTEPS] = {"substeps", 'n', "N[,M]",
                         "micro steps a macro step, of the two subsystems (default 1)"},
    [OPTION_FORMAT_TABLE] = {"format", 'f', "csv|json|md",
                             "form of the output: CSV (default), JSON, Markdown"},
    [OPTION_OUTPUT] = {"output", 'o', "PATH",
                       "results file, or a folder for NAME.h5 (default: current folder)"},
    [OPTION_OUTPUT_HISTORY] = {"output", 'o', "PATH",
                               "a results file (HDF5), or a folder for NAME.h5, instead of rows"},
    [OPTION_THREADS] = {"threads", 't', "N", "threads (default: all cores, or OMP_NUM_THREADS)"},
    [OPTION_DRY_RUN] = {"dry-run", 0, NULL, "print points, bytes and tiles; compute nothing"},
    [OPTION_QUIET] = {"quiet", 'q', NULL, "no progress"},
    [OPTION_FORMAT_FIGURE] = {"format", 'f', "LIST", "of pdf, png, svg, tex (default pdf)"},
    [OPTION_FOLDER] = {"output", 'o', "DIR", "folder for script, data and figures (default: current folder)"},
    [OPTION_SCRIPT_ONLY] = {"script-only", 0, NULL, "write script and data; do not run gnuplot"},
    [OPTION_SET] = {"set", 0, "NAME=VALUE", "give a parameter another value; may be repeated"},
    [OPTION_COUPLING] =
        {"coupling", 'c', "LIST",
         "of the model's couplings and jacobi, jacobi-extrapolated, gauss-seidel,\n"
         "                             gauss-seidel-linear, iterated, iterated-linear, or all of "
         "these six (default: the model's)"},
    [OPTION_MAP_MATRIX] = {"matrix", 0, NULL, "print the map itself, a row of it a row"},
    [OPTION_OVER] = {"over", 0, "NAME=LO:HI", "the parameter and its range"},
    [OPTION_SAMPLES] = {"samples", 0, "N", "points at which the range is looked at (default 1000)"},
    [OPTION_UNTIL] = {"until", 0, "T", "end of the time history"},
    [OPTION_ERROR] = {"error", 0, "E", "the error allowed"},
    [OPTION_HORIZON] = {"horizon", 0, "T",
                        "time up to which suprema are taken (default 20 slowest time constants)"},
    [OPTION_PRINTED] =
        {"printed", 0, NULL,
         "the recipe as [MS] section 5 carries it out: M_f the largest later extremum, M_g = M_f"},
    [OPTION_AT] = {"at", 0, "LIST", "macro steps at which the error really made is measured"},
    [OPTION_HELP] = {"help", 'h', NULL, "this help"},
};

static const cli_command commands[] = {
    {"classify",
     "",
     0,
     0,
     "classify points of the planar system",
     "Prints, for every point and scheme, trace and determinant of the macro step's map, its spectral "
     "radius, the\n"
     "iteration radius of strong coupling, the class (continuous system, then its simulation: S stable, U "
     "unstable)\n"
     "and, where the map is unstable, the cause: det, fold, flip, iteration, joined by +.\n\n"
     "Examples:\n"
     "  costab classify --a 0.5 --gamma -2 --delta 3\n"
     "  costab classify --points points.csv --scheme cross,strong --method heun\n"
     "  costab classify --matrix 10,3000,-2767,-110 --step 1e-3\n",
     {OPTION_A, OPTION_GAMMA, OPTION_DELTA, OPTION_POINTS, OPTION_MATRIX, OPTION_STEP, OPTION_SCHEME,
      OPTION_METHOD, OPTION_SUBSTEPS, OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_classify},
    {"area",
     "",
     0,
     0,
     "areas of the regions SS and US",
     "Prints, for every scheme and a, the areas in the whole (Gamma, Delta) plane of the regions where the "
     "map is stable:\n"
     "SS, the continuous system stable too, and US, the continuous system unstable. An area may be 0 or inf, "
     "which is\n"
     "decided exactly (error 0); otherwise the error is a bound. The simulation does not depend on a.\n\n"
     "Examples:\n"
     "  costab area --a 0.5\n"
     "  costab area --a -4:4:801 --scheme zigzag --method heun --substeps 2,1\n",
     {OPTION_A_LIST, OPTION_SCHEME, OPTION_METHOD, OPTION_SUBSTEPS, OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_area},
    {"boundary",
     "",
     0,
     0,
     "boundary curves as polylines",
     "Prints the curves on which a stability condition is an equality, cut at the window: det (Det D = 1), "
     "fold\n"
     "(1 - Tr D + Det D = 0), flip (1 + Tr D + Det D = 0) and, for strong coupling, iteration (iteration "
     "radius 1).\n"
     "These are whole zero sets: not every part of them bounds the stable region. A piece of one point is "
     "isolated.\n\n"
     "Example:\n"
     "  costab boundary --a 0 --scheme simulation --gamma -6:2 --delta -2:14\n",
     {OPTION_A_LIST, OPTION_GAMMA_WINDOW, OPTION_DELTA_WINDOW, OPTION_SCHEME, OPTION_METHOD, OPTION_SUBSTEPS,
      OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_boundary},
    {"critical",
     "",
     0,
     0,
     "values of a at which an area changes its kind",
     "Prints the values of a at which the area of SS, of US, or of the part of US with Gamma > 0 (us_right) "
     "begins or ends\n"
     "to be positive, or to be infinite, as a increases. The simulation does not depend on a and has "
     "none.\n\n"
     "Example:\n"
     "  costab critical --scheme zigzag --a -5:5\n",
     {OPTION_A_WINDOW, OPTION_SCHEME, OPTION_METHOD, OPTION_SUBSTEPS, OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_critical},
    {"reproduce",
     "",
     0,
     0,
     "published numbers beside computed ones",
     "Computes every number that a source publishes, and prints it beside the printed one: `agrees` where "
     "they are equal\n"
     "to the printed digits, `differs` otherwise, with the reason.\n",
     {OPTION_SOURCE, OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_reproduce},
    {"sweep",
     "SPEC...",
     1,
     -1,
     "run a sweep spec into one HDF5 file",
     "Reads a YAML spec, computes its grid on all cores and writes one HDF5 file, whole or not at all.\n\n"
     "Example:\n"
     "  costab sweep sweeps/kns2014/fig09.yaml -o fig09.h5\n",
     {OPTION_OUTPUT, OPTION_THREADS, OPTION_DRY_RUN, OPTION_QUIET, OPTION_HELP},
     cli_sweep},
    {"plot",
     "FILE.h5...",
     1,
     -1,
     "draw a results file with gnuplot",
     "Writes NAME.gp and its data NAME.dat, and runs gnuplot if it is there. The script redraws the figure "
     "from the\n"
     "data alone and is made to be edited.\n\n"
     "Example:\n"
     "  costab plot fig09.h5 --format pdf,png\n",
     {OPTION_FORMAT_FIGURE, OPTION_FOLDER, OPTION_SCRIPT_ONLY, OPTION_HELP},
     cli_plot},
    {"map",
     "MODEL.yaml",
     1,
     1,
     "the macro-step map of a network at one point",
     "Prints, for every coupling, the size of the macro step's map, its spectral radius with the rounding "
     "that is "
     "added before\n"
     "it is compared with 1, the spectral abscissa of the continuous system, the iteration radius of an "
     "iterated "
     "coupling, the\n"
     "period in macro steps, the class (continuous system, then co-simulation: S stable, U unstable) and "
     "every "
     "eigenvalue as\n"
     "its real and imaginary part. With micro_steps: clocks the map and its eigenvalues are those of a whole "
     "period.\n\n"
     "Examples:\n"
     "  costab map model.yaml\n"
     "  costab map model.yaml --set H=0.05 --coupling all\n",
     {OPTION_SET, OPTION_COUPLING, OPTION_MAP_MATRIX, OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_map},
    {"limit",
     "MODEL.yaml",
     1,
     1,
     "where along one parameter a network is stable",
     "Prints the intervals of one parameter in which the co-simulation is stable, split where the continuous "
     "class "
     "changes;\n"
     "ends are good to 1e-10 relative. Intervals narrower than the sampling distance, which is printed on "
     "stderr, may "
     "be missed.\n"
     "With micro steps of fixed length under micro_steps: whole the macro step runs over their common "
     "multiples, and "
     "from and to\n"
     "are the first and last stable ones; under real-power and with substeps it is continuous.\n\n"
     "Example:\n"
     "  costab limit model.yaml --over H=0.001:2 --coupling all\n",
     {OPTION_OVER, OPTION_SET, OPTION_COUPLING, OPTION_SAMPLES, OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_limit},
    {"simulate",
     "MODEL.yaml",
     1,
     1,
     "time history of a network beside the monolithic one",
     "Prints states, inputs and outputs at the micro steps' ends (local) and at communication points, each "
     "with the "
     "value of\n"
     "the monolithic solution, and the residual power and energy of every power bond. The model's first "
     "coupling is "
     "taken, or\n"
     "the one named. A run that grows beyond all bounds ends with exit 1; its rows up to there are "
     "printed.\n\n"
     "Example:\n"
     "  costab simulate model.yaml --until 20 --set H=0.5 > history.csv\n"
     "  costab simulate model.yaml --until 20 -o history.h5\n",
     {OPTION_UNTIL, OPTION_SET, OPTION_COUPLING, OPTION_FORMAT_TABLE, OPTION_OUTPUT_HISTORY, OPTION_HELP},
     cli_simulate},
    {"bound",
     "MODEL.yaml",
     1,
     1,
     "largest macro step for an error, and the error really made",
     "For two subsystems, the plant first: the suprema M_f of |f| along the continuous solution, the "
     "Lipschitz "
     "constants M_g of\n"
     "the outputs, the bound of the error a macro step [MS] eq. 30, and the largest macro step for the error "
     "allowed. "
     "--at\n"
     "simulates at given macro steps and prints the largest difference to the monolithic states up to the "
     "horizon.\n\n"
     "Example:\n"
     "  costab bound model.yaml --error 0.5 --at 0.1,0.15,0.2\n",
     {OPTION_ERROR, OPTION_HORIZON, OPTION_PRINTED, OPTION_AT, OPTION_SET, OPTION_COUPLING,
      OPTION_FORMAT_TABLE, OPTION_HELP},
     cli_bound},
    {"info",
     "FILE.h5",
     1,
     1,
     "print what a results file holds",
     "Prints title, origin, axes, fields and the spec of a results file.\n",
     {OPTION_HELP},
     cli_info},
};

const cli_command *cli_commands(int *count) {
    *count = (int)(sizeof commands / sizeof commands[0]);
    return commands;
}

const char *cli_option_name(cli_option option) {
    return options[option].name;
}

static int options_of(const cli_command *command) {
    int count = 0;
    while (command->options[count] != OPTION_HELP) count++;
    return count + 1;
}

costab_status cli_parse(const cli_command *command, int argc, char **argv, cli_arguments *arguments,
                        costab_error *error) {
    int count = options_of(command), index = 0;
    struct option longs[OPTION_COUNT + 1];
    char letters[3 * OPTION_COUNT + 2] = ":";
    memset(longs, 0, sizeof longs);
    for (int k = 0; k < count; k++) {
        cli_option o = command->options[k];
        bool takes = options[o].argument != NULL;
        longs[k] =
            (struct option){options[o].name, takes ? required_argument : no_argument, NULL, 256 + (int)o};
        if (options[o].letter == 0) continue;
        size_t n = strlen(letters);
        letters[n] = options[o].letter;
        letters[n + 1] = takes ? ':' : '\0';
    }

    *arguments = (cli_arguments){0};
    opterr = 0;
    optind = 1;
    for (int found; (found = getopt_long(argc, argv, letters, longs, &index)) != -1;) {
        if (found == ':') return error_set(error, COSTAB_INVALID, "%s needs a value", argv[optind - 1]);
        cli_option option = OPTION_COUNT;
        for (int k = 0; k < count; k++)
            if (found == 256 + (int)command->options[k] || found == options[command->options[k]].letter)
                option = command->options[k];
        if (found == '?' || option == OPTION_COUNT) {
            const char *culprit = argv[optind - 1];
            if (optopt >= 256) return error_set(error, COSTAB_INVALID, "%s takes no value", culprit);
            if (optopt != 0) /* a letter: optind may not have moved on from a bundle like -dash */
                return error_set(error, COSTAB_INVALID, "unknown option -%c", optopt);
            return error_set(error, COSTAB_INVALID, "unknown or ambiguous option %s", culprit);
        }
        if (option == OPTION_SET) {
            if (arguments->set_count == CLI_SETS_MAX)
                return error_set(error, COSTAB_INVALID, "--set is given more than %d times", CLI_SETS_MAX);
            arguments->sets[arguments->set_count++] = optarg;
            continue;
        }
        if (arguments->values[option] != NULL)
            return error_set(error, COSTAB_INVALID, "--%s is given twice", options[option].name);
        arguments->values[option] = options[option].argument != NULL ? optarg : "";
    }
    arguments->operands = argv + optind;
    arguments->operand_count = argc - optind;
    if (arguments->values[OPTION_HELP] != NULL) return COSTAB_OK;
    if (arguments->operand_count < command->operands_min)
        return error_set(error, COSTAB_INVALID, "%s is missing", command->operands);
    if (command->operands_max >= 0 && arguments->operand_count > command->operands_max)
        return error_set(error, COSTAB_INVALID, "unexpected argument '%s'",
                         arguments->operands[command->operands_max]);
    return COSTAB_OK;
}

void cli_command_help(const cli_command *command) {
    printf("Usage: costab %s%s%s [OPTION]...\n\n%s\nOptions:\n", command->name,
           command->operands[0] != '\0' ? " " : "", command->operands, command->details);
    for (int k = 0, count = options_of(command); k < count; k++) {
        cli_option o = command->options[k];
        char left[64];
        const char *argument = options[o].argument;
        if (options[o].letter != 0)
            snprintf(left, sizeof left, "-%c, --%s%s%s", options[o].letter, options[o].name,
                     argument != NULL ? " " : "", argument != NULL ? argument : "");
        else
            snprintf(left, sizeof left, "    --%s%s%s", options[o].name, argument != NULL ? " " : "",
                     argument != NULL ? argument : "");
        printf("  %-26s %s\n", left, options[o].help);
    }
}

void cli_help(void) {
    printf("Usage: costab COMMAND [OPTION]...\n\n"
           "Maps where a co-simulation is numerically stable.\n\nCommands:\n");
    int count;
    const cli_command *all = cli_commands(&count);
    for (int k = 0; k < count; k++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", all[k].name, all[k].operands[0] != '\0' ? " " : "",
                 all[k].operands);
        printf("  %-20s %s\n", left, all[k].summary);
    }
    printf("\n  costab COMMAND --help tells more; costab --version prints version, compiler and "
           "flags.\n\nMethods:\n");
    for (int i = 0; i < costab_method_count(); i++)
        printf("  %-20s %s\n", costab_method_name(i), costab_method_title(i));
    printf("\nExit status: 0 done; 1 the run failed (a full disk, an unwritable folder); 2 the command line "
           "or an input\n"
           "file is wrong.\n");
}
