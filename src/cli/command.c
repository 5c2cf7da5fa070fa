/* The table of commands, and the command that tells of it. */
#include "cli/command.h"

#include <string.h>

#include "base/error.h"
#include "base/removed.h"
#include "base/spelling.h"
#include "cli/table.h"

/* What every command takes. */
#define COMMON OPTION_THREADS, OPTION_QUIET, OPTION_VERBOSE, OPTION_VERSION, OPTION_HELP
#define FMUS   OPTION_TIME, OPTION_FMU_TIMEOUT, OPTION_FMU_MEMORY, OPTION_FMU_ACCURACY, OPTION_NO_FMU
/* What commands take that print a table, or write it into a results file; that ask a model; that know the
 * planar system's discretisations. */
#define TABLE         OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE
#define TABLE_OR_FILE OPTION_FORMAT_TABLE, OPTION_OUTPUT_HISTORY, OPTION_FORCE
#define MODEL         OPTION_SET, FMUS, OPTION_COUPLING
#define PLANAR        OPTION_SCHEME, OPTION_METHOD, OPTION_SUBSTEPS

static const char *command(int i);
static costab_status help(const cli_arguments *arguments, costab_error *error);

/* What operands are. */
static const cli_takes model_files = {.kind = CLI_FILE, .words = ".yaml .yml .ssp .ssd .xml .fmu"};
static const cli_takes unit_files = {.kind = CLI_FILE, .words = ".fmu .ssp .ssd .xml"};
static const cli_takes told_files = {.kind = CLI_FILE, .words = ".h5 .yaml .yml .fmu .ssp .ssd .xml"};
static const cli_takes slice_files = {.kind = CLI_FILE, .words = ".part"};
static const cli_takes a_command = {.kind = CLI_WORD, .each = command};

static const cli_operands specs = {"SPEC...", 1, -1, &cli_yaml_files};
static const cli_operands slices = {"SLICE...", 1, -1, &slice_files};
static const cli_operands some_results = {"FILE.h5...", 1, -1, &cli_results_files};
static const cli_operands a_model = {"MODEL", 1, 1, &model_files};
static const cli_operands results = {"FILE.h5", 1, 1, &cli_results_files};
static const cli_operands maybe_results = {"[FILE.h5]", 0, 1, &cli_results_files};
static const cli_operands units = {"FMU|SSP", 1, 1, &unit_files};
static const cli_operands told = {"FILE", 1, 1, &told_files};
static const cli_operands two_results = {"A.h5 B.h5", 2, 2, &cli_results_files};
static const cli_operands maybe_command = {"[COMMAND|TOPIC]", 0, 1, &a_command};

const cli_command cli_commands[] = {
    {.name = "sweep",
     .operands = &specs,
     .summary = "run a sweep spec into one HDF5 file",
     .details = "Computes the grid of a YAML spec (-: the standard input) on all cores and writes one HDF5 "
                "file, whole or not at all. A run that was stopped, was killed or filled the disk continues "
                "with the same command and --resume. With --axis it charts a model file that has no spec of "
                "its own: class and spectral radius of all its couplings. Fields are listed by costab help "
                "fields.",
     .examples = "costab sweep sweeps/kns2014/fig09.yaml -o fig09.h5\n"
                 "costab sweep model.yaml --axis k=1:100:101 --axis H=0.001:0.05:201 -o chart.h5\n"
                 "costab sweep sweeps/gomes2018/two-mass.yaml --slice 1/4\n"
                 "srun -n 4 costab sweep sweeps/gomes2018/two-mass.yaml --slice auto",
     .options = {OPTION_AXIS, OPTION_OUTPUT, OPTION_FORCE, OPTION_SET, FMUS, OPTION_RESUME, OPTION_SLICE,
                 OPTION_DRY_RUN, COMMON},
     .run = cli_sweep},
    {.name = "plot",
     .operands = &some_results,
     .summary = "draw a results file with gnuplot, or as a page for a browser",
     .details = "Writes a figure, with its script, made to be edited, and its data; with -o NAME.html a page "
                "for a browser, to be zoomed and asked (docs/how-to/figures.md).",
     .examples = "costab plot fig09.h5 --format pdf,png\n"
                 "costab plot fig09.h5 --size 8.9cm --colours grey -o figures/zigzag.eps\n"
                 "costab plot chart.h5 --kind contour --levels 0.8,0.9,1 --points nominal.csv",
     .options = {OPTION_KIND,
                 OPTION_OF,
                 OPTION_X,
                 OPTION_Y,
                 OPTION_X_RANGE,
                 OPTION_Y_RANGE,
                 OPTION_X_LABEL,
                 OPTION_Y_LABEL,
                 OPTION_SELECT,
                 OPTION_ONLY,
                 OPTION_LEVELS,
                 OPTION_OWN_POINTS,
                 OPTION_OWN_LINE,
                 OPTION_FORMAT_FIGURE,
                 OPTION_DPI,
                 OPTION_OUTPUT_FIGURE,
                 OPTION_SCRIPT_ONLY,
                 OPTION_SIZE,
                 OPTION_COLUMNS,
                 OPTION_PANELS,
                 OPTION_FONT,
                 OPTION_COLOURS,
                 OPTION_NO_HATCHING,
                 OPTION_TITLE,
                 OPTION_NAMES,
                 OPTION_LEGEND,
                 OPTION_NOTES,
                 OPTION_FORCE,
                 COMMON},
     .run = cli_plot},
    {.name = "limit",
     .operands = &a_model,
     .summary = "in which intervals of one parameter a network is stable",
     .details =
         "Prints the intervals of one parameter in which the co-simulation does not grow, what ends "
         "each of them (lower_kind, upper_kind) and what passes its limit there: the cause, the frequency in "
         "Hz and the subsystem that it belongs to. Where a coupling has none, a line on stderr says "
         "why. No change of stability that a formula makes is passed over: formulas are bounded "
         "between samples. How eigenvalues depend on the model's numbers is interpolated from at "
         "least 17 values in each cell, with an estimated error.",
     .examples = "costab limit model.yaml --over H=0.001:2 --coupling all\n"
                 "costab limit model.yaml --over H=1e-6:1 --spacing log --over k=10:1000",
     .options = {OPTION_OVER_EACH, OPTION_ALONE, OPTION_SPACING, MODEL, TABLE_OR_FILE, COMMON},
     .with_model = cli_limit},
    {.name = "advise",
     .operands = &a_model,
     .summary = "which coupling to take, and how large a macro step",
     .details =
         "Compares couplings over a range of the macro step, one row each, the recommended first, then "
         "by cost: up to where each is stable (max_stable_step) and keeps the error that is allowed "
         "(max_accurate_step), what a simulated second costs there in subsystem steps, and what ends it "
         "(limited_by). Within 5 % of the least cost the simplest is recommended; a sentence says why. "
         "--time and an interrupt end it with the best so far.",
     .examples = "costab advise model.yaml --over H=1e-4:0.1\n"
                 "costab advise model.yaml --over H=1e-4:0.1 --error 1e-3 --until 5 --format md\n"
                 "costab advise model.yaml --over H=1e-4:0.1 --error 1% --error load.x1=1e-3 --until 5",
     .options = {OPTION_OVER, OPTION_ERRORS, OPTION_UNTIL, OPTION_TUNE, OPTION_ALL_ROWS, MODEL, TABLE,
                 COMMON},
     .with_model = cli_advise},
    {.name = "map",
     .operands = &a_model,
     .summary = "the macro-step map of a network at one point",
     .details = "Prints, for every coupling at one point, the class, the spectral radius of the macro step's "
                "map, how fast it decays, its eigenvalues, and the leading modes: frequency, damping, and "
                "whose they are. Of FMUs also how good what was measured is.",
     .examples = "costab map model.yaml\n"
                 "costab map model.yaml --set H=0.05 --coupling all\n"
                 "costab map model.yaml -o map.h5\n"
                 "costab map model.yaml --over H=0.001:0.1 -o locus.h5 && costab plot locus.h5",
     .options = {OPTION_OVER_CURVES, OPTION_CONTINUOUS, MODEL, OPTION_MAP_MATRIX, TABLE_OR_FILE, COMMON},
     .with_model = cli_map},
    {.name = "simulate",
     .operands = &a_model,
     .summary = "time history of a network beside the monolithic one",
     .details =
         "Prints states, inputs and outputs at communication points and at the ends of micro steps, "
         "each beside the monolithic solution, and the residual energy of power bonds. It simulates "
         "the model's first coupling, or the one that --coupling names. A simulation in which a "
         "state passes 1e100, or an equation has no finite value, ends with exit status 1 after its rows so "
         "far; the message names the state or the equation, the time and the arguments. With -o it is a warning.",
     .examples = "costab simulate model.yaml --until 20 --set H=0.5 > history.csv\n"
                 "costab simulate model.yaml --until 20 -o history.h5\n"
                 "costab simulate model.yaml --until 20 --signals motor.angle --points 200 -f json\n"
                 "costab simulate model.yaml --until 20 --steps 0.001,0.025 -o uneven.h5\n"
                 "costab simulate model.yaml --until 20 --error",
     .options = {OPTION_UNTIL, OPTION_TURNS, OPTION_TURNS_FILE, OPTION_SIGNALS, OPTION_ROW_POINTS,
                 OPTION_ERROR_MADE, MODEL, TABLE_OR_FILE, COMMON},
     .with_model = cli_simulate,
     .time_varying = true},
    {.name = "margin",
     .operands = &a_model,
     .summary = "how close a network is to another class, and what is to blame there",
     .details =
         "Prints, for every parameter and side, the nearest value at which the class changes, the "
         "factor to it, the class beyond, and what is to blame: what passes its limit (cause), its "
         "frequency in Hz and the subsystem with the largest share. Empty is what has no change within "
         "a factor of 1000. With --connections also for the gain of every connection and for delay on "
         "it.",
     .examples = "costab margin model.yaml\n"
                 "costab margin model.yaml --parameters k,H --connections --format md\n"
                 "costab margin model.yaml --coupling all --set H=0.005\n"
                 "costab margin model.yaml --uncertain --parameters k,m\n"
                 "costab margin model.yaml --connections -o margin.h5 && costab plot margin.h5",
     .options = {OPTION_PARAMETERS, OPTION_CONNECTIONS, OPTION_UNCERTAIN, MODEL, TABLE_OR_FILE, COMMON},
     .with_model = cli_margin},
    {.name = "info",
     .operands = &told,
     .summary = "print what a results file, a model or an FMU holds",
     .details =
         "Prints title, origin, axes, fields and the spec of a results file; the states, inputs, "
         "outputs and parameters of an FMU; subsystems, connections, "
         "parameters, methods and couplings of a model or a system of FMUs; of a checkpoint or a slice "
         "how many of its tiles are there. No FMU is run.",
     .examples = "costab info chart.h5\n"
                 "costab info model.yaml\n"
                 "costab info plant.fmu",
     .options = {TABLE, OPTION_SET, OPTION_NO_FMU, COMMON},
     .run = cli_info,
     .reads = true},
    {.name = "classify",
     .summary = "classify points of the planar system",
     .details = "Prints, for every point and scheme, trace and determinant of the macro step's map, its "
                "spectral radius, the class (costab help classes) and, where the map is unstable, why. Lists "
                "stand for all combinations.",
     .examples = "costab classify --a 0.5 --gamma -2 --delta 3\n"
                 "costab classify --a -1,0,1 --gamma -4:0:5 --delta 3 --scheme zigzag\n"
                 "costab classify --points points.csv --scheme cross,strong --method heun\n"
                 "costab classify --matrix 10,3000,-2767,-110 --step 1e-3",
     .options = {OPTION_A_LIST, OPTION_GAMMA, OPTION_DELTA, OPTION_POINTS, OPTION_MATRIX, OPTION_STEP, PLANAR,
                 TABLE, COMMON},
     .run = cli_classify},
    {.name = "area",
     .summary = "areas of the regions SS and US",
     .details = "Prints, for every scheme and a, the areas of SS and US in the whole (Gamma, Delta) plane, "
                "each with a proved bound of its error; what is 0 or inf is decided exactly. The simulation "
                "does not depend on a.",
     .examples = "costab area --a 0.5\n"
                 "costab area --a 0.3 --scheme strong --digits 30\n"
                 "costab area --a -4:4:801 --scheme zigzag --method heun --substeps 2,1",
     .options = {OPTION_A_LIST, OPTION_DIGITS, PLANAR, TABLE, COMMON},
     .run = cli_area},
    {.name = "boundary",
     .operands = &maybe_results,
     .summary = "boundary curves as polylines",
     .details =
         "Prints the curves on which a stability condition is an equality, cut at the window; or, of "
         "the results of a network's sweep over two axes, the lines on which the spectral radius is 1.",
     .examples = "costab boundary --a 0 --scheme simulation --gamma -6:2 --delta -2:14\n"
                 "costab boundary two-mass-stiffness.h5",
     .options = {OPTION_A_LIST, OPTION_GAMMA_WINDOW, OPTION_DELTA_WINDOW, PLANAR, OPTION_LINE_OF, TABLE,
                 COMMON},
     .run = cli_boundary},
    {.name = "critical",
     .summary = "values of a at which an area changes its kind",
     .details = "Prints the values of a at which the area of SS, of US, or of the part of US with Gamma > 0 "
                "(us_right) becomes positive or 0, infinite or finite, as a increases.",
     .examples = "costab critical --scheme zigzag --a -5:5",
     .options = {OPTION_A_WINDOW, PLANAR, TABLE, COMMON},
     .run = cli_critical},
    {.name = "reproduce",
     .summary = "published numbers beside computed ones",
     .details =
         "Computes every number that a source publishes and prints both: `agrees` where they are equal to "
         "the printed digits, `differs` otherwise, with the reason. Where a source prints none, `checked` "
         "is what a second program, written on its own, found.",
     .options = {OPTION_SOURCE, TABLE, COMMON},
     .run = cli_reproduce},
    {.name = "merge",
     .operands = &slices,
     .summary = "join the slices of a sweep into one HDF5 file",
     .details =
         "Joins the slices that `costab sweep --slice K/N` wrote, given in any order, into the file that "
         "one sweep would have written, byte for byte. Slices of different sweeps or versions, and "
         "damaged, unfinished, missing or repeated slices are refused.",
     .examples = "costab merge map.1-of-2.part map.2-of-2.part -o map.h5",
     .options = {OPTION_OUTPUT, OPTION_FORCE, COMMON},
     .run = cli_merge},
    {.name = "report",
     .operands = &a_model,
     .summary = "all of a model on one page, to be sent to somebody",
     .details = "Writes one HTML file that needs no network and no costab: whether the co-simulation is "
                "stable at its macro step, up to which one it is, how wrong it is and what is cheapest, with "
                "limits, margins, modes, histories, a chart and the commands that print each number. It is "
                "about the model's first coupling, or the one that --coupling names.",
     .examples = "costab report model.yaml -o report.html\n"
                 "costab report system.ssp --over H=1e-4:0.1 --error 1e-3 --until 5",
     .options = {OPTION_OUTPUT_PAGE, OPTION_FORCE, OPTION_OVER_STEP, OPTION_ERRORS, OPTION_UNTIL, OPTION_TUNE,
                 MODEL, COMMON},
     .with_model = cli_report},
    {.name = "pattern",
     .operands = &a_model,
     .summary = "bounds over all sequences of macro steps",
     .details = "Every constant step can be stable and a sequence of steps not; step-size controllers walk "
                "into that. pattern bounds the growth of all sequences of the listed steps, or of all steps "
                "of a range: all are stable where `upper` is below 1. `pattern` is a cycle of steps that "
                "grows by `lower` per step; safe_from and safe_to are the largest part of a range that was "
                "found to be safe.",
     .examples = "costab pattern model.yaml --steps 0.001,0.025\n"
                 "costab pattern model.yaml --over H=0.0005:0.015 --coupling jacobi,jacobi-linear",
     .options = {OPTION_STEPS, OPTION_OVER_STEP_RANGE, MODEL, TABLE_OR_FILE, COMMON},
     .with_model = cli_pattern},
    {.name = "tune",
     .operands = &a_model,
     .summary = "extrapolation tuned to a model",
     .details = "Finds weights of former values with which jacobi is stable up to the longest macro step, in "
                "the worst of the varied models, and prints them beside the best of the couplings with fixed "
                "weights: the same messages, at no cost per step. Complete limits confirm what is printed; "
                "that there are no better weights is not shown. Below a gain of 1.05 the row is the fixed "
                "coupling.",
     .examples =
         "costab tune model.yaml --over H=0.001:0.5\n"
         "costab tune model.yaml --over H=0.001:0.5 --coupling jacobi-solved --order 3 -o weights.yaml\n"
         "costab tune model.yaml --over H=0.001:0.5 --groups target --error 1e-2 --until 5",
     .options = {OPTION_OVER, OPTION_ORDER, OPTION_MEMORY, OPTION_VARY, OPTION_GROUPS, OPTION_ERROR_KEPT,
                 OPTION_UNTIL, MODEL, OPTION_FORMAT_TABLE, OPTION_OUTPUT_BLOCK, OPTION_FORCE, COMMON},
     .with_model = cli_tune},
    {.name = "bound",
     .operands = &a_model,
     .summary = "largest macro step for an error, and the error that is really made",
     .details = "For two subsystems, the plant first: the published bound of the error per macro step ([MS] "
                "eq. 30) and the macro step that it allows, beside the error that this step really makes and "
                "the macro step that really keeps the error.",
     .examples = "costab bound model.yaml --error 0.5 --at 0.1,0.15,0.2",
     .options = {OPTION_ERROR, OPTION_HORIZON, OPTION_PRINTED, OPTION_AT, MODEL, TABLE, COMMON},
     .with_model = cli_bound},
    {.name = "export",
     .operands = &results,
     .summary = "a results file for other programs, as CSV",
     .details = "CSV is in long form: a row for each point of a field, the last axis varying fastest, with a "
                "column for each axis and for each field that has no other axes.",
     .examples = "costab export zigzag.h5 -o zigzag.csv\n"
                 "costab export zigzag.h5 --of cause",
     .options = {OPTION_FORMAT_EXPORT, OPTION_OUTPUT_EXPORT, OPTION_ROWS_OF, OPTION_FORCE, COMMON},
     .run = cli_export},
    {.name = "compare",
     .operands = &two_results,
     .summary = "points whose class differs between two results files",
     .details =
         "Prints the points at which the classes of two results files over the same axes differ, one row "
         "per point, and on stderr how many there are of each pair of classes. The exit status is then 1. "
         "It is 0 where all classes agree, and 2 where the axes differ by more than rounding. With --numbers "
         "all other fields that both files have are compared, too, and those that differ are listed on "
         "stderr, with the fields that only one of the files has; files need no classes then.",
     .examples = "costab compare before.h5 after.h5\n"
                 "costab compare before.h5 after.h5 --numbers 1e-12",
     .options = {OPTION_NUMBERS, TABLE, COMMON},
     .run = cli_compare},
    {.name = "import",
     .operands = &units,
     .summary = "an FMU or a system of FMUs as a model file",
     .details =
         "Writes a model file to be edited, with an entry `fmu:` for each FMU, whose parameters become the "
         "model's. The coupling is jacobi, with the macro step H. No FMU is run.",
     .examples = "costab import plant.fmu\n"
                 "costab import system.ssp -o model.yaml --set H=0.01",
     .options = {OPTION_OUTPUT_MODEL, OPTION_FORCE, OPTION_SET, OPTION_NO_FMU, COMMON},
     .with_model = cli_import,
     .time_varying = true,
     .reads = true},
    {.name = "help",
     .operands = &maybe_command,
     .summary = "this help, or a command's; the man page; completion; references",
     .details =
         "Prints the overview, or the help of one command or of a topic, `classes`, `couplings` or `fields`. The man page and the completion are made from "
         "the same table; `make install` puts both in their places. So are docs/reference/commands.md and, "
         "from the tables that read specs and models, docs/reference/keys.md.",
     .examples = "costab help sweep\n"
                 "costab help couplings\n"
                 "costab help fields\n"
                 "source <(costab help --completion bash)\n"
                 "costab help --man | man -l -\n"
                 "costab help --markdown keys",
     .options = {OPTION_MANUAL, OPTION_COMPLETION, OPTION_MARKDOWN, COMMON},
     .run = help},
    {.name = NULL},
};

static const char *command(int i) {
    return cli_commands[i].name;
}

const cli_command *cli_find_command(const char *name) {
    for (const cli_command *c = cli_commands; c->name != NULL; c++)
        if (strcmp(name, c->name) == 0) return c;
    return NULL;
}

costab_status cli_unknown_command(const char *name, costab_error *error) {
    const char *removed = removed_hint(REMOVED_COMMAND, name);
    if (removed != NULL) return error_invalid(error, "unknown command '%s'%s", name, removed);
    char guess[SPELLING_GUESS_MAX];
    size_t count = sizeof cli_commands / sizeof *cli_commands - 1;
    return error_invalid(error, "unknown command '%s'%s", name,
                         spelling_guess(name, &cli_commands[0].name, count, sizeof *cli_commands, guess));
}

static costab_status help(const cli_arguments *arguments, costab_error *error) {
    static const cli_option documents[] = {OPTION_MANUAL, OPTION_COMPLETION, OPTION_MARKDOWN};
    bool manual = arguments->values[OPTION_MANUAL] != NULL;
    const char *shell = arguments->values[OPTION_COMPLETION];
    const char *page = arguments->values[OPTION_MARKDOWN];
    const char *name = arguments->operand_count > 0 ? arguments->operands[0] : NULL;
    if ((name != NULL) + manual + (shell != NULL) + (page != NULL) > 1)
        return error_invalid(error, "a command, --man, --completion and --markdown exclude each other");
    if (shell != NULL && strcmp(shell, "bash") != 0)
        return error_invalid(error, "--completion: no shell '%s'; there is: bash", shell);
    if (page != NULL && strcmp(page, "commands") != 0 && strcmp(page, "keys") != 0)
        return error_invalid(error, "--markdown: no page '%s'; there are: commands, keys", page);
    if (name != NULL && cli_topic_help(name)) return cli_flush(error);
    const cli_command *command = name != NULL ? cli_find_command(name) : NULL;
    for (size_t i = 0; i < sizeof documents / sizeof *documents && name != NULL; i++)
        if (strcmp(name, cli_option_name(documents[i])) == 0)
            return error_invalid(error, "'%s' is no command; write: costab help --%s", name, name);
    if (name != NULL && command == NULL) return cli_unknown_command(name, error);
    if (command != NULL)
        cli_command_help(command);
    else if (manual)
        cli_manual(cli_commands);
    else if (shell != NULL)
        cli_completion(cli_commands);
    else if (page != NULL)
        strcmp(page, "keys") == 0 ? cli_markdown_keys() : cli_markdown_commands(cli_commands);
    else
        cli_overview(cli_commands);
    return cli_flush(error);
}
