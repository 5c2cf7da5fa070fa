/* cli/options.h - every option of every command, one row per option: its name in the program, its long name,
 * its letter (0: none), its argument (NULL: none), what its value can be (NULL: completion offers nothing)
 * and its help, a paragraph without line breaks, in which {} stands for the names that the value can be.
 *
 * This is no header but a table, without a guard: who includes it has defined what OPTION makes of a row. */

OPTION(GAMMA, "gamma", 0, "LIST", NULL, "trace of the scaled system matrix, as --a")
OPTION(DELTA, "delta", 0, "LIST", NULL, "determinant of the scaled system matrix, as --a")
OPTION(A_LIST, "a", 0, "LIST", NULL,
       "partition parameter, scaled by the macro step: 0.5, or -1,0,1/3, or LO:HI:N, N values with both ends")
OPTION(DIGITS, "digits", 0, "N", NULL,
       "correct decimal digits of the areas, 1 to 1000 (default: those of a double)")
OPTION(A_WINDOW, "a", 0, "LO:HI", NULL, "range of a that is searched (default -8:8)")
OPTION(GAMMA_WINDOW, "gamma", 0, "LO:HI", NULL, "window of Gamma (default -6:2)")
OPTION(DELTA_WINDOW, "delta", 0, "LO:HI", NULL, "window of Delta (default -4:14)")
OPTION(POINTS, "points", 0, "FILE", &csv_files,
       "CSV file with columns a, gamma, delta; - is the standard input")
OPTION(MATRIX, "matrix", 0, "a,b,c,d", NULL, "entries of an unscaled system matrix; needs --step")
OPTION(STEP, "step", 0, "H", NULL, "macro step for --matrix")
OPTION(SCHEME, "scheme", 's', "LIST", &schemes, "of {}; or all (default)")
OPTION(METHOD, "method", 'm', "NAME", &a_method, "one-step method (default rk4); costab --help lists them")
OPTION(SUBSTEPS, "substeps", 'n', "N[,M]", NULL,
       "micro steps per macro step, one number or one per subsystem (default 1)")
OPTION(FORMAT_TABLE, "format", 'f', "text|csv|json|md", &table_format,
       "form of the table: aligned text (default on a terminal), CSV (default elsewhere), JSON or Markdown")
OPTION(OUTPUT_TABLE, "output", 'o', "PATH", &table_files,
       "the table's file, in the form of its ending: .csv, .json, .md or .txt")
OPTION(FORMAT_EXPORT, "format", 'f', "csv", &export_format, "CSV in long form, one row per point (default)")
OPTION(OUTPUT_EXPORT, "output", 'o', "PATH", &csv_files,
       "the file, or a folder for NAME.csv (default: the standard output)")
OPTION(ROWS_OF, "of", 0, "FIELD", NULL, "the field whose points are the rows of CSV (default: the first one)")
OPTION(LINE_OF, "of", 0, "FIELD", NULL,
       "of a results file: the field that is at its limit, 1 for radii, 0 for growth and decay (default "
       "spectral_radius)")
OPTION(SOURCE, "source", 0, "LIST", &sources, "of {} (default: all)")
OPTION(OUTPUT, "output", 'o', "PATH", &cli_results_files,
       "results file, or a folder for NAME.h5 (default: current folder)")
OPTION(OUTPUT_HISTORY, "output", 'o', "PATH", &table_or_results_files,
       "a results file (.h5), or a folder for NAME.h5; or the table's file: .csv, .json, .md or .txt")
OPTION(OUTPUT_MODEL, "output", 'o', "FILE", &cli_yaml_files,
       "the model file to be written (default: the standard output)")
OPTION(OUTPUT_BLOCK, "output", 'o', "PATH", &table_or_yaml_files,
       "a model file's block with the weights (.yaml); or the table's file: .csv, .json, .md or .txt")
OPTION(OUTPUT_PAGE, "output", 'o', "FILE", &page_files,
       "the page to be written (default: NAME.html in the current folder)")
OPTION(OVER_STEP, "over", 0, "NAME=LO:HI", NULL,
       "the macro step's parameter, and its range (default: from a 20th of its value to 400 times it)")
OPTION(THREADS, "threads", 't', "N", NULL, "threads (default: all cores, or OMP_NUM_THREADS)")
OPTION(DRY_RUN, "dry-run", 0, NULL, NULL,
       "print points, bytes and tiles, and whether existing results are of this spec; compute nothing, and "
       "run no FMU")
OPTION(RESUME, "resume", 0, NULL, NULL, "continue from OUTPUT.checkpoint if a stopped run left one")
OPTION(FORCE, "force", 0, NULL, NULL, "also replace files of others, or edited since")
OPTION(
    SLICE, "slice", 0, "K/N|auto", NULL,
    "compute slice K of N of the grid only, into NAME.K-of-N.part; costab merge joins all slices. auto: K and N "
    "are those of this process under mpirun or srun; auto/N: K is the index of a job array 1-N")
OPTION(QUIET, "quiet", 'q', NULL, NULL, "print no progress, and not what was written")
OPTION(VERBOSE, "verbose", 'v', NULL, NULL, "say what is done, on how many threads, how long")
OPTION(FORMAT_FIGURE, "format", 'f', "LIST", &figure_formats, "of {} (default pdf)")
OPTION(OUTPUT_FIGURE, "output", 'o', "PATH", &figure_files,
       "NAME.pdf or another format, NAME.html, or a folder")
OPTION(SCRIPT_ONLY, "script-only", 0, NULL, NULL, "write script and data; do not run gnuplot")
OPTION(KIND, "kind", 0, "LIST", &some_kinds, "of {} (default: the spec's)")
OPTION(OF, "of", 0, "FIELD", NULL, "the field that a curve or contour draws")
OPTION(X, "x", 0, "NAME", NULL, "axis that runs horizontally")
OPTION(Y, "y", 0, "NAME", NULL, "axis that runs vertically")
OPTION(X_RANGE, "x-range", 0, "LO:HI", NULL, "range of the horizontal axis")
OPTION(Y_RANGE, "y-range", 0, "LO:HI", NULL, "range of the vertical axis")
OPTION(X_LABEL, "xlabel", 0, "TEXT", NULL, "name of the horizontal axis")
OPTION(Y_LABEL, "ylabel", 0, "TEXT", NULL, "name of the vertical axis")
OPTION(
    SELECT, "select", 0, "A=VALUE", NULL,
    "draw only this value of axis A; several are given as A=1,A=2,B=x and make a panel each (of curve: a curve)")
OPTION(ONLY, "coupling", 'c', "LIST", NULL, "draw these couplings or schemes only")
OPTION(LEVELS, "levels", 0, "LIST", NULL, "levels of contours, ascending; 1 is always there")
OPTION(OWN_POINTS, "points", 0, "FILE", &csv_files, "points of your own: CSV with x, y, perhaps label")
OPTION(OWN_LINE, "line", 0, "FILE", &csv_files, "lines of your own: CSV with x, y, empty rows between")
OPTION(DPI, "dpi", 0, "N", NULL, "dots per inch of a PNG (default 300)")
OPTION(SIZE, "size", 0, "W[,H]", NULL, "of the whole figure: 8.9cm or 8.9cm,6.4cm; cm, mm, in")
OPTION(COLUMNS, "columns", 0, "N", NULL, "how many panels stand side by side")
OPTION(PANELS, "panels", 0, "NAME", &a_panels, "one per value of an axis, or of all or none of them")
OPTION(FONT, "font", 0, "NAME[,PT]", NULL, "and its size on paper (default Helvetica, 8 pt)")
OPTION(COLOURS, "colours", 0, "NAME", &some_colours, "colour (default), grey, or black on grey")
OPTION(NAMES, "names", 0, "A=WORDS,..", NULL, "words for couplings, parameters and signals")
OPTION(LEGEND, "legend", 0, "WHERE", &some_legends, "right, below, inside or none")
OPTION(NOTES, "notes", 0, NULL, NULL, "say in the figure, too, what is cut or left out")
OPTION(NO_HATCHING, "no-hatching", 0, NULL, NULL, "draw tints without hatching")
OPTION(TITLE, "title", 0, "TEXT", NULL, "title in place of the sweep's; '' for none")
OPTION(SET, "set", 0, "NAME=VALUE", NULL, "give a parameter another value; may be repeated")
OPTION(COUPLING, "coupling", 'c', "LIST", &couplings,
       "couplings of the model, or " COSTAB_COUPLING_GRAMMAR
       " (costab help couplings); all stands for the 42 without -smoothed (default: the model's)")
OPTION(MAP_MATRIX, "matrix", 0, NULL, NULL, "print the map itself as well")
OPTION(OVER, "over", 0, "NAME=LO:HI", NULL, "the parameter that varies, and its range")
OPTION(ORDER, "order", 0, "1|2|3", &an_order,
       "order of convergence that the weights keep (default 2); 1 can be stable far out and wrong")
OPTION(MEMORY, "memory", 0, "1|2", &a_memory,
       "former values that the master remembers (default: as few as the order takes)")
OPTION(VARY, "vary", 0, "SHARE", NULL,
       "every number of the model, named or not, is off by this share, one at a time, up and down (default "
       "10%); 0: none")
OPTION(GROUPS, "groups", 0, "all|target|connection", &some_groups,
       "connections that share their weights: all (default), those to one subsystem, or none")
OPTION(
    AXIS, "axis", 0, "NAME=NUMBERS", NULL,
    "of a model: values X,Y of a parameter, or LO:HI:N, N values with both ends; may be repeated, the last "
    "one runs fastest")
OPTION(OVER_CURVES, "over", 0, "NAME=LO:HI", NULL,
       "the eigenvalues along this parameter: where they pass the unit circle; with -o their curves")
OPTION(CONTINUOUS, "continuous", 0, NULL, NULL,
       "with --over: those of the continuous system, too, and where they pass the imaginary axis")
OPTION(OVER_STEP_RANGE, "over", 0, "NAME=LO:HI", NULL, "the macro step's parameter: all steps of a range")
OPTION(STEPS, "steps", 0, "LIST", NULL, "macro steps that may follow each other in any order")
OPTION(OVER_EACH, "over", 0, "NAME=LO:HI", NULL,
       "the parameter that varies, and its range; may be given several times: one table each")
OPTION(ALONE, "alone", 0, NULL, NULL,
       "instead of couplings every subsystem with a stable matrix of its own, its inputs 0: where its solver "
       "alone is stable")
OPTION(SPACING, "spacing", 0, "log|linear", &a_spacing,
       "how the search begins: with cells of one factor, for ranges over many decades, or of one width "
       "(default); the answer is the same")
OPTION(PARAMETERS, "parameters", 0, "NAME,...", NULL, "these parameters only (default: all); may be repeated")
OPTION(
    UNCERTAIN, "uncertain", 0, NULL, NULL,
    "instead: the probability of stability where parameters are uncertain, those of the spec's uncertain "
    "axes, else those of --parameters (default: all; at most 8) by 10 %, and which of them makes most of it")
OPTION(CONNECTIONS, "connections", 0, NULL, NULL, "the gain and extra delay of every connection too")
OPTION(TURNS, "steps", 0, "LIST", NULL,
       "macro steps that are taken in turn, over and over, in place of the model's: 0.001,0.025")
OPTION(TURNS_FILE, "steps-file", 0, "FILE", NULL,
       "the same from the first column of a CSV file, such as the steps that a master has taken")
OPTION(UNTIL, "until", 0, "T", NULL, "end time of the simulation")
OPTION(SIGNALS, "signals", 0, "LIST", NULL,
       "these signals only, such as motor.angle,load.torque (default: all)")
OPTION(
    ROW_POINTS, "points", 0, "N", NULL,
    "N communication points only, spread evenly from the first to the last; what lies between is left out, "
    "peaks too")
OPTION(ERROR_MADE, "error", 0, NULL, NULL,
       "instead of the rows: how far every state and output is from the monolithic one, at most, over all "
       "micro steps")
OPTION(ERROR, "error", 0, "E", NULL, "the error that is allowed")
OPTION(
    ERRORS, "error", 0, "E", NULL,
    "the error that is allowed: 1e-3 of every state, 1% of the largest value of every state and exchanged output, or of one state or "
    "output, vehicle.v=0.01 or vehicle.v=1%; may be repeated, and needs --until")
OPTION(
    ERROR_KEPT, "error", 0, "E", NULL,
    "the error that is allowed to any state at half of the step to which the best fixed coupling is stable; "
    "needs --until")
OPTION(TUNE, "tune", 0, NULL, NULL,
       "compare jacobi with weights tuned to the model (costab tune), too, where they gain: one row more")
OPTION(TIME, "time", 0, "SECONDS", NULL,
       "end then: advise and report answer with what they have found, others end unfinished")
OPTION(ALL_ROWS, "all", 0, NULL, NULL,
       "all rows instead of ten, and the error of every coupling, also of those that cannot win")
OPTION(NUMBERS, "numbers", 0, "TOL", NULL,
       "compare all fields, numbers within TOL times the larger of both amounts and 1")
OPTION(HORIZON, "horizon", 0, "T", NULL,
       "time up to which suprema are taken (default 20 slowest time constants)")
OPTION(PRINTED, "printed", 0, NULL, NULL,
       "follow [MS] section 5 to the letter: M_f is the largest later extremum, M_g = M_f")
OPTION(AT, "at", 0, "LIST", NULL, "macro steps at which the error that is really made is measured")
OPTION(FMU_TIMEOUT, "fmu-timeout", 0, "SECONDS", NULL, "time of an FMU for one request (default 10)")
OPTION(FMU_MEMORY, "fmu-memory", 0, "GIB", NULL, "memory of an FMU's process, in GiB (default 4)")
OPTION(FMU_ACCURACY, "fmu-accuracy", 0, "X", NULL,
       "relative error of an FMU's map (default 1e-4) or derivatives (1e-6)")
OPTION(
    NO_FMU, "no-fmu", 0, NULL, NULL,
    "run no FMU: a model whose numbers need one is refused; costab info, costab import and sweep --dry-run "
    "never run any")
OPTION(MANUAL, "man", 0, NULL, NULL, "print the man page costab.1")
OPTION(MARKDOWN, "markdown", 0, "commands|keys", &references,
       "print a page of docs/reference: all commands, or all keys of specs and models")
OPTION(COMPLETION, "completion", 0, "SHELL", &a_shell, "print the completion for a shell, to be sourced")
OPTION(VERSION, "version", 'V', NULL, NULL, "version, compiler and flags")
OPTION(HELP, "help", 'h', NULL, NULL, "this help")
