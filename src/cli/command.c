/* The table of commands, and the command that tells of it. */
#include "cli/command.h"

#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "cli/table.h"

/* What every command takes. */
#define COMMON OPTION_THREADS, OPTION_QUIET, OPTION_VERBOSE, OPTION_HELP
#define FMUS   OPTION_TIME, OPTION_FMU_TIMEOUT, OPTION_FMU_MEMORY

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
    {.name = "classify",
     .summary = "classify points of the planar system",
     .details =
         "Prints, for every point and scheme, trace and determinant of the macro step's map, its spectral "
         "radius, the iteration radius of strong coupling, the class (continuous system, then its "
         "simulation: S stable, U unstable) and, where the map is unstable, the cause: det, fold, flip, "
         "iteration, joined by +. Lists of --a, --gamma and --delta stand for all combinations.",
     .examples = "costab classify --a 0.5 --gamma -2 --delta 3\n"
                 "costab classify --a -1,0,1 --gamma -4:0:5 --delta 3 --scheme zigzag\n"
                 "costab classify --points points.csv --scheme cross,strong --method heun\n"
                 "costab classify --matrix 10,3000,-2767,-110 --step 1e-3",
     .options = {OPTION_A_LIST, OPTION_GAMMA, OPTION_DELTA, OPTION_POINTS, OPTION_MATRIX, OPTION_STEP,
                 OPTION_SCHEME, OPTION_METHOD, OPTION_SUBSTEPS, OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE,
                 OPTION_FORCE, COMMON},
     .run = cli_classify},
    {.name = "area",
     .summary = "areas of the regions SS and US",
     .details =
         "Prints, for every scheme and a, the areas in the whole (Gamma, Delta) plane of the regions where "
         "the map is stable: SS, the continuous system stable too, and US, the continuous system unstable. "
         "An area may be 0 or inf, which is decided exactly (error 0); otherwise the error is a proved "
         "bound, for the decimal or fraction that is written; where no bound is found, as next to a critical "
         "value, the area is nan, its error inf, and a line on stderr says so. Value k of FROM:TO:COUNT is the "
         "fraction FROM + k (TO - FROM)/(COUNT - 1), of which a double is printed. More than 1024 stages times micro steps "
         "are refused. The simulation does not depend on a.",
     .examples = "costab area --a 0.5\n"
                 "costab area --a 0.3 --scheme strong --digits 30\n"
                 "costab area --a -4:4:801 --scheme zigzag --method heun --substeps 2,1",
     .options = {OPTION_A_LIST, OPTION_DIGITS, OPTION_SCHEME, OPTION_METHOD, OPTION_SUBSTEPS,
                 OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE, COMMON},
     .run = cli_area},
    {.name = "boundary",
     .operands = &maybe_results,
     .summary = "boundary curves as polylines",
     .details =
         "Prints the curves on which a stability condition is an equality, cut at the window: det (Det D = "
         "1), fold (1 - Tr D + Det D = 0), flip (1 + Tr D + Det D = 0) and, for strong coupling, iteration "
         "(iteration radius 1). These are whole zero sets: not every piece of them bounds the stable "
         "region. A piece of one point is isolated.\n\n"
         "With the results of a network's sweep over two axes it prints the lines on which the spectral "
         "radius is 1: its columns are the coupling, the axes and the number of the piece. On the grid's "
         "edges they go through the places that the sweep found. A closed line ends where it begins.",
     .examples = "costab boundary --a 0 --scheme simulation --gamma -6:2 --delta -2:14\n"
                 "costab boundary two-mass-stiffness.h5",
     .options = {OPTION_A_LIST, OPTION_GAMMA_WINDOW, OPTION_DELTA_WINDOW, OPTION_SCHEME, OPTION_METHOD,
                 OPTION_SUBSTEPS, OPTION_LINE_OF, OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE,
                 COMMON},
     .run = cli_boundary},
    {.name = "critical",
     .summary = "values of a at which an area changes its kind",
     .details =
         "Prints the values of a at which the area of SS, of US, or of the part of US with Gamma > 0 "
         "(us_right) becomes positive or 0, infinite or finite, as a increases. For at most 16 stages times "
         "micro steps the search is complete, however narrow what lies between two values; else values are "
         "found by sampling and are marked not complete, and more than 256 are refused. Marked undecided is "
         "where it is open whether an area vanishes at one irrational a. The simulation does not depend on "
         "a and has none.",
     .examples = "costab critical --scheme zigzag --a -5:5",
     .options = {OPTION_A_WINDOW, OPTION_SCHEME, OPTION_METHOD, OPTION_SUBSTEPS, OPTION_FORMAT_TABLE,
                 OPTION_OUTPUT_TABLE, OPTION_FORCE, COMMON},
     .run = cli_critical},
    {.name = "reproduce",
     .summary = "published numbers beside computed ones",
     .details =
         "Computes every number that a source publishes and prints both: `agrees` where they are equal to "
         "the printed digits, `differs` otherwise, with the reason. Where a source prints none, `checked` "
         "is what a second program, written on its own, found.",
     .options = {OPTION_SOURCE, OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE, COMMON},
     .run = cli_reproduce},
    {.name = "sweep",
     .operands = &specs,
     .summary = "run a sweep spec into one HDF5 file",
     .details =
         "Reads a YAML spec (-: the standard input), computes its grid on all cores and writes one HDF5 "
         "file, whole or not at all. Until the file is whole it is OUTPUT.checkpoint, to which finished "
         "tiles are added: every value is written once. It is synchronised every 10 s, which is what a loss "
         "of power costs. A run that was stopped, was killed or filled the disk continues with the same "
         "command and --resume.\n\n"
         "Fields of a network are listed by costab help fields.\n\n"
         "With --axis it charts a model file that has no spec of its own: class and spectral radius of all "
         "its couplings over the axes. The results file holds the spec that this amounts to, and costab plot "
         "draws it.\n\n"
         "`refine: true` analyses a network only where its class changes, and gives all other points the "
         "class of their coarse cell. It can miss islands smaller than a cell of 16 points; `refine: {cell: "
         "8}` makes the cells smaller. `refine: {certified: true}` searches cells on which no "
         "eigenvalue crosses the limit; the field certificate tells of each point whether its class holds up "
         "to half the way to the next ones, and costab prove checks it.\n\n"
         "The ranks of a program that was built with `make MPI=1` and is started by mpirun or srun share "
         "the sweep. The file is the same, byte for byte, and --resume works with any number of ranks. "
         "`make batch` writes scripts for Slurm.",
     .examples = "costab sweep sweeps/kns2014/fig09.yaml -o fig09.h5\n"
                 "costab sweep model.yaml --axis k=1:100:101 --axis H=0.001:0.05:201 -o chart.h5\n"
                 "mpirun -n 4 build-mpi/costab sweep sweeps/gomes2018/two-mass.yaml",
     .options = {OPTION_AXIS, OPTION_OUTPUT, OPTION_FORCE, OPTION_SET, FMUS, OPTION_RESUME, OPTION_SLICE,
                 OPTION_DRY_RUN, COMMON},
     .threaded = true,
     .run = cli_sweep},
    {.name = "merge",
     .operands = &slices,
     .summary = "join the slices of a sweep into one HDF5 file",
     .details =
         "Joins the slices that `costab sweep --slice K/N` wrote, given in any order, into the file that "
         "one sweep would have written, byte for byte. Slices of different sweeps or versions, overlapping, "
         "damaged, unfinished or missing slices are refused.",
     .examples = "costab merge map.1-of-2.part map.2-of-2.part -o map.h5",
     .options = {OPTION_OUTPUT, OPTION_FORCE, COMMON},
     .run = cli_merge},
    {.name = "plot",
     .operands = &some_results,
     .summary = "draw a results file with gnuplot, or as a page for a browser",
     .details =
         "Writes NAME.gp and its data NAME.dat, and runs gnuplot if it is installed. The script redraws the "
         "figure from the data alone and is made to be edited: a script or data file that was edited is not "
         "replaced without --force. With -o NAME.html it writes one page for a browser instead, which needs no "
         "network: there the chart, or the curves, can be zoomed and asked, and knobs turned.",
     .examples = "costab plot fig09.h5 --format pdf,png\n"
                 "costab plot fig09.h5 -o fig09.html\n"
                 "costab plot fig09.h5 -o figures/zigzag.eps\n"
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
    {.name = "map",
     .operands = &a_model,
     .summary = "the macro-step map of a network at one point",
     .details =
         "Prints, for every coupling, the size of the macro step's map, its spectral radius with the "
         "rounding that is added before it is compared with 1, the spectral abscissa of the continuous "
         "system, the iteration radius of an iterated coupling, the period in macro steps, the class "
         "(continuous system, then co-simulation: S stable, U unstable, N on the limit within rounding) and "
         "every eigenvalue as its real and imaginary part. With micro_steps: clocks the map and its "
         "eigenvalues are those of a whole period. The rounding is that of the map's entries, and more near "
         "1 where eigenvalues are ill-conditioned.\n\n"
         "An integrator without feedback, or bodies that drift freely, have equilibria without end: "
         "`neutral` counts those that are set aside before the rest is classified, `motions` the rigid "
         "motions among them, `kept` those that the co-simulation keeps; which eigenvalues these "
         "are `set_aside` says, counted from 1 (in JSON: of each whether it was). `decay` is ln(spectral_radius) per "
         "unit of time, `growth` what coupling and solvers add to the slowest decay of the continuous "
         "system.\n\n"
         "A row `mode` says what moves in one of the at most 6 leading modes: frequency in Hz (at most 1/(2 "
         "H): the true one may be an alias), damping ratio, growth rate in 1/s, then NAME:SHARE for the "
         "share of every subsystem and of every connection (from 0.5 % on). A subsystem's share is its part "
         "of the mode's participation; a connection's is how far its gain moves the mode, relative to the "
         "others. --format json also has the shares that do not depend on the choice of states.\n\n"
         "A row `check` gives a number of what was measured of an FMU, relative, 0 the best: of derivatives "
         "the estimated error of differences (derivative_error), or how far those that it gives are from "
         "differences (derivatives_apart); of a step of its own how far answers to half an impulse, to a "
         "later one and to changing inputs are from those expected (nonlinearity, time_variance, long_run), "
         "what its outputs move by without any (drift), what the realised map misses (residual), and what "
         "changes where its state is set back, or might be (rollback, set_back_flag), and by which share of the "
         "macro step less it was measured, where at that itself its map changes with time (measured_below).",
     .examples = "costab map model.yaml\n"
                 "costab map model.yaml --set H=0.05 --coupling all\n"
                 "costab map model.yaml -o map.h5",
     .options = {OPTION_SET, FMUS, OPTION_COUPLING, OPTION_MAP_MATRIX, OPTION_FORMAT_TABLE,
                 OPTION_OUTPUT_HISTORY, OPTION_FORCE, COMMON},
     .run = cli_map},
    {.name = "limit",
     .operands = &a_model,
     .summary = "in which intervals of one parameter a network is stable",
     .details =
         "Prints the intervals of one parameter in which the co-simulation does not grow, split where the "
         "class changes: from_is and to_is say whether an end is a limit, the range's own, a place where the "
         "model is ill-posed, or where an undecided interval begins. Between the intervals it is not stable. "
         "The search is complete: crossing functions are interpolated on cells that adapt themselves, no "
         "distance between samples decides what is found. What rounding hides, or where the limit is only "
         "touched, has the class undecided. With --prove every cell is shown again in ball arithmetic, from "
         "a second implementation of the maps: proved is yes where all of the interval is, up to 2e-8 "
         "relative before its ends; what cannot be shown becomes undecided. Real powers of micro steps are "
         "refused: their maps are complex, and the proofs are for real ones. With micro steps of fixed "
         "length under micro_steps: whole every common multiple of them is tried, under clocks many ratios "
         "of it, and from and to are the first and last stable ones; under real-power and with substeps the "
         "macro step is continuous.\n\n"
         "Where a coupling has no interval, a line on stderr says why, with the numbers: the model is "
         "unstable or neutral, the coupling makes it so or diverges at every value, or how near it comes to "
         "being stable, and where. With several --over the tables are separated by an empty line; in JSON "
         "all rows are one array. With -o the intervals go to a results file, which `costab plot` draws as "
         "bars. Networks of 32 states or more are evaluated at several values at once; the answer does not "
         "depend on the number of threads.\n\n"
         "What passes its limit at an end is named as in `margin`: from_cause and to_cause (fold, flip, "
         "oscillation, iteration, continuous, own, ill-posed), the frequency of that mode in Hz and the "
         "subsystem with its largest share; nothing where the end is the range's or undecided. Of single "
         "values it is what the next one shows. In text they stand in from_is and to_is.\n\n"
         "With --alone the rows are those of the subsystems instead, each alone with its inputs 0 (coupling "
         "alone:NAME): where its own solver is stable. Subsystems without a stable matrix of their own are "
         "left out, and integrators. Without --alone a line on stderr names the subsystem whose own limit an "
         "interval ends at, within 10 % of it or beyond.",
     .examples = "costab limit model.yaml --over H=0.001:2 --coupling all\n"
                 "costab limit model.yaml --over H=1e-6:1 --spacing log --over k=10:1000\n"
                 "costab limit model.yaml --over H=0.001:2 --prove",
     .options = {OPTION_OVER_EACH, OPTION_ALONE, OPTION_SPACING, OPTION_SET, FMUS, OPTION_COUPLING,
                 OPTION_PROVE, OPTION_FORMAT_TABLE, OPTION_OUTPUT_HISTORY, OPTION_FORCE, COMMON},
     .threaded = true,
     .run = cli_limit},
    {.name = "margin",
     .operands = &a_model,
     .summary = "how close a network is to another class, and what is to blame there",
     .details =
         "Prints, for every parameter and side, the nearest value at which the class changes (empty: none "
         "from p/1000 to 1000 p; of a parameter 0, from -1e6 to 1e6), the factor to it, and the class "
         "beyond. With --connections also for the gain of every connection, as a factor from -1000 to 1000 "
         "(0: the connection is cut), and for 1 to 50 further macro steps of delay on it. The search goes "
         "outwards and is complete, as in `limit`: no gap between samples is jumped over; what is undecided "
         "on the way is named on stderr. Of parameters that are counts every whole number up to 50 from the "
         "nominal one is tried; delays in seconds are skipped. Networks of 32 states or more are evaluated at "
         "several values at once, as in `limit`.\n\n"
         "`cause` says what passes its limit there: a real eigenvalue of the macro step's map at 1 (fold) or "
         "-1 (flip), a pair of them (oscillation), the coupling's iteration (iteration), an eigenvalue of "
         "the continuous system (continuous), or a subsystem's own macro step with its inputs 0, so that its "
         "solver is to blame and not the coupling (own). `frequency` in Hz is that of the mode that passes, "
         "at most 1/(2 H), `blame` the subsystem with the largest share of it, as in the rows `mode` of "
         "`map`. A mode that passes need not be the slowest one.\n\n"
         "Rows of the kind radius have no parameter, and are left out where --over names some: how large a "
         "matrix (2-norm) added to the macro step's map can make it unstable, of the map as it stands and "
         "scaled by powers of 2, which does not depend on units; and how far the factor of a connection may "
         "go from 1, also to complex values. Rows of the kind disk have the disk margin alpha of a "
         "connection as their value: every gain between the two factors, and every change of phase up to 2 "
         "atan(alpha/2), keeps the co-simulation stable.",
     .examples = "costab margin model.yaml\n"
                 "costab margin model.yaml --over k,H --connections --format md\n"
                 "costab margin model.yaml --coupling all --set H=0.005\n"
                 "costab margin model.yaml --connections -o margin.h5 && costab plot margin.h5",
     .options = {OPTION_OVER_NAMES, OPTION_CONNECTIONS, OPTION_SET, FMUS, OPTION_COUPLING,
                 OPTION_FORMAT_TABLE, OPTION_OUTPUT_HISTORY, OPTION_FORCE, COMMON},
     .threaded = true,
     .run = cli_margin},
    {.name = "advise",
     .operands = &a_model,
     .summary = "which coupling to take, and how large a macro step",
     .details =
         "Compares couplings over a range of the macro step, one row per coupling, the recommended first, then "
         "by cost, ten of them: all schemes and orders, extrapolations smoothed or not, feedthrough solved and "
         "delayed where there is any, gauss-seidel in every order of up to 4 subsystems, and the model's own; "
         "or those of --coupling alone (which takes all of these by name, too, as in `limit`; its `all` stands "
         "for 40 of them, as with every command). Those that are the same here stand once. `stable_to` is the macro step "
         "up to which every smaller one of the range is stable (empty: the smallest is not). With --error and "
         "--until `accurate_to` is the one up to which the error stays within the one allowed: the largest "
         "difference from the monolithic solution over all micro steps up to that time, which is a sweep's "
         "`error`. It is empty for couplings that cannot win. `cost` counts subsystem steps per simulated "
         "second at the largest macro step that may be taken, every sweep of an iteration counted (to 1e-6 of "
         "the first guess where it goes to convergence, at the macro step where that costs least; newton "
         "counts as 2). `margin` is stable_to over the model's own macro step, `growth` what that step adds to "
         "the slowest decay (see `map`); --set gives another one. `limited_by` says what ends the macro steps "
         "that may be taken: the coupling, a subsystem's own solver (own:NAME, see `limit --alone`), accuracy, "
         "or the range.\n\n"
         "Stability comes first, then errors, the cheapest couplings first, until no other can win; --time and "
         "an interrupt end it with the best so far. Of the couplings within 5 % of the least cost the simplest "
         "is recommended: the one with the fewest sweeps, then the fewest remembered values, not smoothed, in "
         "the order as listed, of the lowest degree. One sentence says what is recommended and why, on stderr, "
         "or below a Markdown table; JSON is {rows, today, says}, with the stable intervals in each row; today is "
         "the model's first coupling at its own macro step, with its class and cost.",
     .examples = "costab advise model.yaml --over H=1e-4:0.1\n"
                 "costab advise model.yaml --over H=1e-4:0.1 --error 1e-3 --until 5 --format md\n"
                 "costab advise model.yaml --over H=1e-4:0.1 --error 1% --error load.x1=1e-3 --until 5",
     .options = {OPTION_OVER, OPTION_ERRORS, OPTION_UNTIL, OPTION_ALL_ROWS, OPTION_SET, FMUS, OPTION_COUPLING,
                 OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE, COMMON},
     .run = cli_advise},
    {.name = "report",
     .operands = &a_model,
     .summary = "all of a model on one page, to be sent to somebody",
     .details =
         "Writes one HTML file that needs no network and no costab: whether the co-simulation is stable at its "
         "macro step, from which one on it blows up, how wrong it is and what is cheapest; all couplings with "
         "their stable intervals and the own limits of the subsystems; the margins with their causes; the "
         "modes and whose they are, eigenvalues, time histories, a chart; what to set in other programs that "
         "run co-simulations; the model's text, and the commands that print each of these numbers. It is about "
         "the model's first coupling, or the one that --coupling names. What the model does not allow is said "
         "in place of the part.\n\n"
         "Errors count up to --until: the end of the model's key `history`, else three of its slowest time "
         "constants, between 20 and 2000 macro steps. Without --error 1 % of every state's largest value is "
         "allowed. The same model gives the same bytes; only with SOURCE_DATE_EPOCH does the page have a date.",
     .examples = "costab report model.yaml -o report.html\n"
                 "costab report system.ssp --over H=1e-4:0.1 --error 1e-3 --until 5",
     .options = {OPTION_OUTPUT_PAGE, OPTION_FORCE, OPTION_OVER_STEP, OPTION_ERRORS, OPTION_UNTIL, OPTION_SET,
                 FMUS, OPTION_COUPLING, COMMON},
     .run = cli_report},
    {.name = "pattern",
     .operands = &a_model,
     .summary = "bounds over all sequences of macro steps",
     .details =
         "Every constant step can be stable and a sequence of steps not; step-size controllers walk into "
         "that. pattern bounds the growth of all sequences of the steps in --steps, or of all steps of a "
         "range: `lower` and `upper` of the joint spectral radius, per step, and `rate_lower` and "
         "`rate_upper` per second, in 1/s. All sequences are stable where upper is below 1, and likewise "
         "where rate_upper is below 0. `pattern` is a cycle of steps that grows by `lower` per step: below 1 "
         "it decays.\n\n"
         "With --over also `safe_from` and `safe_to`, the largest range found, beginning with its shortest "
         "stable steps, in which all sequences are stable by a common quadratic norm; empty where none was "
         "found. `proved` is yes where the upper bounds hold but for rounding: for a list of steps, and over "
         "a range for jacobi with held inputs and exact subsystems; else the bound between steps rests on "
         "second differences.\n\n"
         "Polynomials run through the true times at which values arrived, and a delay in seconds is as many "
         "steps as take so long: such a delay goes with a list of steps, not with a range. With quadratic "
         "and cubic polynomials a map depends on the steps before its own, too, which takes longer. Refused "
         "are strides, whose subsystems would have to know the steps to come, own clocks, and bdf2 with "
         "`substeps`. With -o the rows go to a results file, which `costab plot` draws: the cycle of steps, "
         "and the steps all sequences of which are stable.",
     .examples = "costab pattern model.yaml --steps 0.001,0.025\n"
                 "costab pattern model.yaml --over H=0.0005:0.015 --coupling jacobi,jacobi-linear",
     .options = {OPTION_STEPS, OPTION_OVER, OPTION_SET, FMUS, OPTION_COUPLING, OPTION_FORMAT_TABLE,
                 OPTION_OUTPUT_HISTORY, OPTION_FORCE, COMMON},
     .run = cli_pattern},
    {.name = "simulate",
     .operands = &a_model,
     .summary = "time history of a network beside the monolithic one",
     .details =
         "Prints states, inputs and outputs at the ends of micro steps (local) and at communication points, "
         "each beside the monolithic solution, and of every power bond the residual power and energy, which "
         "use communication points alone (and are 0 for a converged iteration, whatever it does inside "
         "a step), and `energy_made`, the energy that the coupling makes inside the macro step (empty: "
         "a method has no quadrature for it). It simulates the model's first coupling, or the one that "
         "--coupling names. A simulation that grows beyond all bounds ends with exit status 1, after its "
         "rows so far.\n\n"
         "--signals and --points choose among the rows. With --error a row of each state and output says how "
         "far it is from the monolithic one at most, over all micro steps, when, and how large that one is "
         "at most; the worst state's error is the error of this run, as `advise`, `bound --at` and the field "
         "`error` of a sweep have it. Where the run diverges that is infinite. What a results file holds is "
         "not chosen: all signals, at all points.",
     .examples = "costab simulate model.yaml --until 20 --set H=0.5 > history.csv\n"
                 "costab simulate model.yaml --until 20 -o history.h5\n"
                 "costab simulate model.yaml --until 20 --signals motor.angle --points 200 -f json\n"
                 "costab simulate model.yaml --until 20 --error",
     .options = {OPTION_UNTIL, OPTION_SIGNALS, OPTION_ROW_POINTS, OPTION_ERROR_MADE, OPTION_SET, FMUS,
                 OPTION_COUPLING, OPTION_FORMAT_TABLE, OPTION_OUTPUT_HISTORY, OPTION_FORCE, COMMON},
     .run = cli_simulate},
    {.name = "bound",
     .operands = &a_model,
     .summary = "largest macro step for an error, and the error that is really made",
     .details =
         "For two subsystems, the plant first: the suprema M_f of |f| along the continuous solution, the "
         "Lipschitz constants M_g of the outputs, the bound of the error per macro step ([MS] eq. 30), and "
         "the largest macro step for the allowed error, `macro_step`. That step is published, not proved: "
         "`stable_to` is the macro step up to which every smaller one is stable (searched up to 30 times "
         "macro_step), `error_at_macro_step` the error that macro_step really makes, and `macro_step_made` "
         "the macro step up to which every smaller one is stable and keeps the error, at communication "
         "points up to the horizon; a hump narrower than 0.5 % may be missed. Where the horizon has too many "
         "of the smallest macro steps their errors are not measured (a note says from where on they are); "
         "empty is what rests on none. A warning says where macro_step is larger than one of them. --at "
         "simulates at given macro steps and prints the largest difference to the monolithic states, micro "
         "steps included.",
     .examples = "costab bound model.yaml --error 0.5 --at 0.1,0.15,0.2",
     .options = {OPTION_ERROR, OPTION_HORIZON, OPTION_PRINTED, OPTION_AT, OPTION_SET, FMUS, OPTION_COUPLING,
                 OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE, COMMON},
     .run = cli_bound},
    {.name = "prove",
     .operands = &results,
     .summary = "check the certificates of a results file in ball arithmetic",
     .details =
         "A sweep with `refine: {certified: true}` certifies most of its points: as far as floating point "
         "can tell, their class holds on all of their parcel, the rectangle half the way to the next "
         "points. prove checks them again, with nothing but the file. A point is confirmed where balls of "
         "128 bits and more show its class at the point and at the corners of its parcel, with maps that "
         "come from the definition of the couplings, and where the search certifies the parcel again; or "
         "where balls show the class on a whole rectangle of parcels. It is refuted, which makes the exit "
         "status 1, where balls show another class at one of these places, and undecided else.",
     .examples = "costab prove chart.h5\ncostab prove chart.h5 --evaluations 100000",
     .options = {OPTION_EVALUATIONS, OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE, COMMON},
     .run = cli_prove},
    {.name = "export",
     .operands = &results,
     .summary = "a results file for other programs: CSV or MATLAB",
     .details =
         "CSV is in long form: a row for each point of a field, the last axis varying fastest, with a column "
         "for each axis and for each field that has no other axes. Numbers have the shortest form that reads "
         "back, codes their names. A MATLAB file (version 7.3, HDF5) has all axes and fields as variables, "
         "arrays in the order of the axes; FIELD_axes names them, FIELD_codes and FIELD_meanings tell what "
         "codes are.",
     .examples = "costab export zigzag.h5 --format csv -o zigzag.csv\n"
                 "costab export zigzag.h5 --format mat",
     .options = {OPTION_FORMAT_EXPORT, OPTION_OUTPUT_EXPORT, OPTION_ROWS_OF, OPTION_FORCE, COMMON},
     .run = cli_export},
    {.name = "compare",
     .operands = &two_results,
     .summary = "points whose class differs between two results files",
     .details =
         "Prints the points at which the classes of two results files over the same axes differ, one row "
         "per point, and on stderr how many there are of each pair of classes. The exit status is then 1. "
         "It is 0 where all classes agree, and 2 where the axes differ. With --numbers all other fields are "
         "compared, too, and those that differ told on stderr; files need no classes then.",
     .examples = "costab compare before.h5 after.h5\n"
                 "costab compare before.h5 after.h5 --numbers 1e-12",
     .options = {OPTION_NUMBERS, OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE, COMMON},
     .run = cli_compare},
    {.name = "import",
     .operands = &units,
     .summary = "an FMU or a system of FMUs as a model file",
     .details =
         "Writes a model file to be edited. FMUs for model exchange become matrices, at their operating "
         "points; those for co-simulation stay entries with `fmu:`, whose parameters stay parameters. The "
         "coupling is jacobi, with the macro step H.",
     .examples = "costab import plant.fmu\n"
                 "costab import system.ssp -o model.yaml --set H=0.01",
     .options = {OPTION_OUTPUT_MODEL, OPTION_FORCE, OPTION_SET, FMUS, COMMON},
     .run = cli_import},
    {.name = "info",
     .operands = &told,
     .summary = "print what a results file, a model or an FMU holds",
     .details =
         "Prints title, origin, axes, fields and the spec of a results file; of an FMU its kinds, what it can "
         "do, and its states, inputs, outputs and parameters. Nothing of an FMU is run for that. Of a model or"
         " a system of FMUs (.ssp) tables of its subsystems, connections, parameters, methods with their "
         "tableaux (A row by row) and couplings; of a checkpoint or a slice how many of its tiles are there. "
         "Where a model has FMUs, other commands run each in a process of its own, so that a crash is a "
         "message, and so is what it writes to the standard output. That is no sandbox: an FMU is a program "
         "with the rights of whoever runs it.",
     .examples = "costab info chart.h5\n"
                 "costab info model.yaml\n"
                 "costab info plant.fmu",
     .options = {OPTION_FORMAT_TABLE, OPTION_OUTPUT_TABLE, OPTION_FORCE, OPTION_SET, FMUS, COMMON},
     .run = cli_info},
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
    char guess[SPELLING_GUESS_MAX];
    size_t count = sizeof cli_commands / sizeof *cli_commands - 1;
    return error_set(error, COSTAB_INVALID, "unknown command '%s'%s", name,
                     spelling_guess(name, &cli_commands[0].name, count, sizeof *cli_commands, guess));
}

static costab_status help(const cli_arguments *arguments, costab_error *error) {
    bool manual = arguments->values[OPTION_MANUAL] != NULL;
    const char *shell = arguments->values[OPTION_COMPLETION];
    const char *page = arguments->values[OPTION_MARKDOWN];
    const char *name = arguments->operand_count > 0 ? arguments->operands[0] : NULL;
    if ((name != NULL) + manual + (shell != NULL) + (page != NULL) > 1)
        return error_set(error, COSTAB_INVALID,
                         "a command, --man, --completion and --markdown exclude each other");
    if (shell != NULL && strcmp(shell, "bash") != 0)
        return error_set(error, COSTAB_INVALID, "--completion: no shell '%s'; there is: bash", shell);
    if (page != NULL && strcmp(page, "commands") != 0 && strcmp(page, "keys") != 0)
        return error_set(error, COSTAB_INVALID, "--markdown: no page '%s'; there are: commands, keys", page);
    if (name != NULL && cli_topic_help(name)) return cli_flush(error);
    const cli_command *command = name != NULL ? cli_find_command(name) : NULL;
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
