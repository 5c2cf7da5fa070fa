/* costab plot: draws a results file, or a spec that it sweeps first, as script, data and figure
 * (costab_plot). Options are keys of the spec's `figure` and replace the keys of the file; a table gives the
 * separator of each option's values. */
#include "costab/figure.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/network.h"
#include "cli/path.h"
#include "cli/results.h"
#include "cli/value.h"
#include "costab/page.h"
#include "costab/store.h"
#include "study/create.h"

static const cli_takes a_panels = {.kind = CLI_WORD, .words = "none all"};
static const cli_takes some_kinds = {.kind = CLI_WORDS, .each = costab_figure_kind_name};
static const char *colours_name(int i) {
    return costab_colours_name((costab_colours)i);
}

static const cli_takes some_colours = {.kind = CLI_WORD, .each = colours_name};
static const cli_takes some_legends = {.kind = CLI_WORD, .words = "right below inside none"};
static const cli_takes figure_formats = {.kind = CLI_WORDS, .each = costab_format_name};
static const cli_takes figure_files = {.kind = CLI_FILE, .words = "gp", .each = costab_format_name};
static CLI_OPTION(opt_format_figure, "format", 'f', "LIST", &figure_formats, "of {} (default pdf)");
static CLI_OPTION(opt_output_figure, "output", 'o', "PATH", &figure_files,
                  "NAME.pdf or another format, NAME.html, or a folder", .output = CLI_OUTPUT_FILE);
static CLI_OPTION(opt_script_only, "script-only", 0, NULL, NULL, "write script and data; do not run gnuplot");
static CLI_OPTION(opt_kind, "kind", 0, "LIST", &some_kinds, "of {} (default: the spec's)");
static CLI_OPTION(opt_of, "of", 0, "FIELD", NULL, "the field that a curve or contour draws");
static CLI_OPTION(opt_x, "x", 0, "NAME", NULL, "axis that runs horizontally");
static CLI_OPTION(opt_y, "y", 0, "NAME", NULL, "axis that runs vertically");
static CLI_OPTION(opt_x_range, "x-range", 0, "LO:HI", NULL, "range of the horizontal axis");
static CLI_OPTION(opt_y_range, "y-range", 0, "LO:HI", NULL, "range of the vertical axis");
static CLI_OPTION(opt_x_label, "xlabel", 0, "TEXT", NULL, "label of the horizontal axis, with its unit");
static CLI_OPTION(opt_y_label, "ylabel", 0, "TEXT", NULL, "label of the vertical axis, with its unit");
static CLI_OPTION(
    opt_select, "select", 0, "A=VALUE", NULL,
    "draw only this value of axis A; several are given as A=1,A=2,B=x and make a panel each (of curve: a curve)",
    .repeats = true);
static CLI_OPTION(opt_only, "coupling", 'c', "LIST", NULL, "draw these couplings or schemes only");
static CLI_OPTION(opt_schemes, "scheme", 's', "LIST", NULL, "of a planar system: the same as --coupling");
static CLI_OPTION(opt_levels, "levels", 0, "LIST", NULL, "levels of contours, ascending; 1 is always there");
static CLI_OPTION(opt_own_points, "points", 0, "FILE", &cli_csv_files,
                  "points of your own: CSV with x, y, perhaps label");
static CLI_OPTION(opt_own_line, "line", 0, "FILE", &cli_csv_files,
                  "lines of your own: CSV with x, y, empty rows between");
static CLI_OPTION(opt_dpi, "dpi", 0, "N", NULL, "dots per inch of a PNG (default 300)");
static CLI_OPTION(opt_size, "size", 0, "W[,H]", NULL,
                  "of the whole figure: 8.9cm or 8.9cm,6.4cm; cm, mm, in");
static CLI_OPTION(opt_columns, "columns", 0, "N", NULL, "number of panels side by side");
static CLI_OPTION(opt_panels, "panels", 0, "NAME", &a_panels,
                  "one per value of an axis, or of all or none of them");
static CLI_OPTION(opt_font, "font", 0, "NAME[,PT]", NULL, "and its size on paper (default Helvetica, 8 pt)");
static CLI_OPTION(opt_colours, "colours", 0, "NAME", &some_colours,
                  "colour (default), grey, or black on grey");
static CLI_OPTION(opt_names, "names", 0, "A=WORDS,..", NULL, "words for couplings, parameters and signals");
static CLI_OPTION(opt_legend, "legend", 0, "WHERE", &some_legends, "right, below, inside or none");
static CLI_OPTION(opt_notes, "notes", 0, NULL, NULL, "say in the figure, too, what is cut or left out");
static CLI_OPTION(opt_no_hatching, "no-hatching", 0, NULL, NULL, "draw tints without hatching");
static CLI_OPTION(opt_title, "title", 0, "TEXT", NULL, "title in place of the sweep's; '' for none",
                  .may_be_empty = true);

/* ---- Content and style of the figure ---- */

/* Options that are keys of `figure`; separator: character between the words of a value, '\0': a single word.
 */
static const struct {
    const cli_option *option;
    const char *key;
    char separator;
} figure_options[] = {{&opt_kind, "kind", ','},
                      {&opt_of, "of", '\0'},
                      {&opt_x, "x", '\0'},
                      {&opt_y, "y", '\0'},
                      {&opt_x_range, "x_range", ':'},
                      {&opt_y_range, "y_range", ':'},
                      {&opt_x_label, "x_label", '\0'},
                      {&opt_y_label, "y_label", '\0'},
                      {&opt_select, "select", ','},
                      {&opt_only, "couplings", ','},
                      {&opt_schemes, "couplings", ','},
                      {&opt_levels, "levels", ','},
                      {&opt_own_points, "points", '\0'},
                      {&opt_own_line, "lines", '\0'},
                      {&opt_dpi, "dpi", '\0'},
                      {&opt_size, "size", ','},
                      {&opt_columns, "columns", '\0'},
                      {&opt_panels, "panels", '\0'},
                      {&opt_font, "font", ','},
                      {&opt_colours, "colours", '\0'},
                      {&opt_title, "title", '\0'},
                      {&opt_names, "names", ','},
                      {&opt_legend, "legend", '\0'},
                      {&opt_notes, "notes", '\0'},
                      {&opt_no_hatching, "hatching", '\0'}};
enum { FIGURE_OPTIONS = sizeof figure_options / sizeof *figure_options, CALLED_MAX = 24 };

/* The keys given by options; --size without --columns gives one key more. */
typedef struct figure_choices {
    costab_figure_choice list[FIGURE_OPTIONS + 1];
    size_t count;
    cli_names values[FIGURE_OPTIONS + 1];
    char called[FIGURE_OPTIONS + 1][CALLED_MAX]; /* names of the options, for messages */
} figure_choices;

static void free_choices(figure_choices *choices) {
    for (int k = 0; k <= FIGURE_OPTIONS; k++) cli_names_free(&choices->values[k]);
}

static costab_status add_choice(figure_choices *choices, const cli_option *option, const char *key,
                                const char *given, char separator, costab_error *error) {
    size_t k = choices->count++;
    (void)snprintf(choices->called[k], CALLED_MAX, "--%s", option->name);
    const bool pairs = option == &opt_select || option == &opt_names;
    TRY(cli_names_read(given, separator, &choices->values[k], error));
    if ((separator == ':' && choices->values[k].count != 2) || (pairs && strchr(given, '=') == NULL))
        return error_invalid(error, "--%s: expected %s, found '%s'", option->name, option->argument, given);
    choices->list[k] = (costab_figure_choice){key, choices->values[k].of, (size_t)choices->values[k].count,
                                              choices->called[k]};
    return COSTAB_OK;
}

static costab_status read_choices(const cli_arguments *arguments, figure_choices *choices,
                                  costab_error *error) {
    text_local selects = {0}; /* --select may be repeated */
    const char *pick;
    if (cli_value(arguments, &opt_only) != NULL && cli_value(arguments, &opt_schemes) != NULL)
        return error_invalid(error, "--coupling and --scheme are the same; give one of them");
    for (int i = 0; (pick = cli_value_at(arguments, &opt_select, i)) != NULL; i++)
        text_printf(&selects, "%s%s", i > 0 ? "," : "", pick);
    if (selects.failed) return error_memory(error);
    for (int k = 0; k < FIGURE_OPTIONS; k++) {
        const cli_option *option = figure_options[k].option;
        const char *given = cli_value(arguments, option);
        if (given == NULL) continue;
        if (option == &opt_select) given = selects.data;
        if (option == &opt_notes) given = "true";
        if (option == &opt_no_hatching) given = "false";
        TRY(add_choice(choices, option, figure_options[k].key, given, figure_options[k].separator, error));
    }
    const char *size = cli_value(arguments, &opt_size);
    if (size == NULL || strchr(size, ',') != NULL || cli_value(arguments, &opt_columns) != NULL)
        return COSTAB_OK;
    return add_choice(choices, &opt_size, "columns", "0", '\0', error); /* as many as fit the width */
}

/* Refuses to replace the results file itself: it may have the name of one of the figure's files. */
static costab_status check_names(const char *path, const char *folder, const char *name,
                                 costab_error *error) {
    for (int k = -2; k < 0 || costab_format_name(k) != NULL; k++) {
        text_local target = {0};
        text_printf(&target, "%s/%s.%s", folder, name,
                    k == -2   ? "gp"
                    : k == -1 ? "dat"
                              : costab_format_name(k));
        if (target.failed) return error_memory(error);
        if (path_same(path, target.data))
            return error_invalid(
                error, "'%s' would be replaced by a file of its own figure; rename it to %s.h5", path, name);
    }
    return COSTAB_OK;
}

/* ---- Output files ---- */

/* Returns the format given by the ending of a file name, "gp" for the script alone, or NULL for another
 * ending. */
static const char *format_of(const char *path) {
    const char *name = file_name(path), *dot = strrchr(name, '.'), *format = "gp";
    for (int k = 0; dot != NULL && dot > name && format != NULL; format = costab_format_name(k++))
        if (strcmp(dot + 1, format) == 0) return format;
    return NULL;
}

/* --output NAME.FORMAT: sets the name and the format. */
static costab_status choose_file(const cli_arguments *arguments, costab_plot_options *options, text *name,
                                 costab_error *error) {
    const char *output = cli_value(arguments, &opt_output_figure), *format = format_of(output);
    if (format == NULL) {
        text known = cli_option_help(&opt_format_figure);
        costab_status status = error_set(
            error, strchr(file_name(output), '.') != NULL ? COSTAB_INVALID : COSTAB_IO,
            "--output: '%s' is not a folder, and its ending is not a format of figures; make the folder, "
            "or give a name that ends in .gp or one %s",
            output, known.failed ? "of the formats" : known.data);
        text_free(&known);
        return status;
    }
    if (arguments->operand_count > 1)
        return error_invalid(error,
                             "--output: '%s' names one figure, but there are %d results files; give a folder",
                             output, arguments->operand_count);
    bool drawn = strcmp(format, "gp") != 0;
    if (drawn && options->formats != NULL && !cli_has_word(options->formats, format))
        return error_invalid(error, "--output: '%s' does not go with --format %s; leave one out", output,
                             options->formats);
    path_stem(name, output);
    options->name = name->data;
    if (!drawn && options->formats == NULL) options->script_only = true;
    if (drawn && options->formats == NULL) options->formats = format;
    return name->failed ? error_memory(error) : COSTAB_OK;
}

/* Fills folder, name and formats of the options; `folder` and `name` store the strings. Without a name each
 * figure is named like its results. */
static costab_status choose_target(const cli_arguments *arguments, costab_plot_options *options, text *folder,
                                   text *name, costab_error *error) {
    const char *output = cli_value(arguments, &opt_output_figure);
    const bool is_folder = output == NULL || path_is_folder(output);
    size_t size = output == NULL ? 0 : is_folder ? strlen(output) : (size_t)(file_name(output) - output);
    while (size > 1 && output[size - 1] == '/') size--;
    text_append_n(folder, size > 0 ? output : ".", size > 0 ? size : 1);
    if (folder->failed) return error_memory(error);
    options->folder = folder->data;
    if (is_folder) return COSTAB_OK;
    TRY(choose_file(arguments, options, name, error));
    if (path_is_folder(folder->data)) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "--output: the folder '%s' does not exist", folder->data);
}

/* ---- Drawing ---- */

/* Prints the command that draws the first format again. folder: NULL for the current folder. */
static void tell_command(const costab_plot_options *options, const char *folder) {
    const char *formats = options->formats != NULL ? options->formats : "pdf", *format;
    const int n = (int)cli_next_piece(&formats, &format);
    text_local script = {0};
    text_printf(&script, "%s.gp", options->name);
    if (script.failed) return;
    if (folder != NULL) cli_print(stderr, "cd %s && ", cli_word(folder));
    cli_print(stderr, "gnuplot ");
    if (n != 3 || strncmp(format, "pdf", 3) != 0) cli_print(stderr, "-e \"FMT='%.*s'\" ", n, format);
    cli_print(stderr, "%s\n", cli_word(script.data));
}

/* Prints the names of the written files, and the command that draws them again. */
static void tell_written(const costab_plot_options *options, bool drawn) {
    const char *formats = options->formats != NULL ? options->formats : "pdf", *format;
    const bool here = strcmp(options->folder, ".") == 0;
    text_local files = {0};
    text_printf(&files, "%s%s%s", here ? "" : options->folder,
                here || strcmp(options->folder, "/") == 0 ? "" : "/", options->name);
    if (files.failed) return;
    cli_print(stderr, "wrote ");
    while (drawn && formats != NULL) {
        size_t n = cli_next_piece(&formats, &format);
        cli_print(stderr, "%s.%.*s, ", files.data, (int)n, format);
    }
    cli_print(stderr, "%s.gp and its data; draw it again: ", files.data);
    tell_command(options, here ? NULL : options->folder);
}

static costab_status plot_one(const char *path, costab_plot_options options, bool quiet,
                              costab_error *error) {
    ends_by(costab_results_close) costab_results *results = NULL;
    costab_plot_outcome outcome = {0};
    text_local name = {0};
    if (options.name == NULL) path_stem(&name, path);
    if (options.name == NULL) options.name = name.data;
    TRY(name.failed ? error_memory(error) : costab_results_open(path, &results, error));
    TRY(check_names(path, options.folder, options.name, error));
    TRY(costab_plot(results, &options, &outcome, error));
    if (outcome.gnuplot_missing)
        fprintf(stderr,
                "costab plot: gnuplot was not found: wrote %s.gp and its data only; install gnuplot, then "
                "run it on the script\n",
                options.name);
    if (!quiet && outcome.replaced[0] != '\0')
        fprintf(
            stderr,
            "costab plot: %s.gp was a figure of another kind, %s, which the new figure replaces; -o NAME.pdf gives it a "
            "name of its own\n",
            options.name, outcome.replaced);
    if (!quiet && outcome.notes[0] != '\0') fprintf(stderr, "costab plot: %s\n", outcome.notes);
    if (!quiet) tell_written(&options, !options.script_only && !outcome.gnuplot_missing);
    return COSTAB_OK;
}

/* [out] *results: path of an operand's results: the file itself, or for a spec the file that sweep writes,
 * which is computed unless it is up to date. */
static costab_status find_results(const char *path, const cli_arguments *arguments, text *results,
                                  costab_error *error) {
    ends_by(costab_study_destroy) costab_study *study = NULL;
    text_local notes = {0};
    const costab_study_run_options run = {
        .threads = arguments->threads, .checkpoint = true, .force = arguments->force};
    const bool is_spec = file_ends_in(path, ".yaml") || file_ends_in(path, ".yml");
    bool current;
    if (!is_spec) text_append(results, path);
    if (is_spec) path_output(results, NULL, path, ".h5");
    if (results->failed) return error_memory(error);
    if (!is_spec) return COSTAB_OK;
    cli_append_note(arguments, &opt_fmu_accuracy, &notes);
    if (notes.failed) return error_memory(error);
    TRY(costab_study_read_set(path, &(costab_changes){.notes = notes.data}, &study, error));
    const char *warnings = costab_study_origin_of(study)->warnings;
    if (warnings[0] != '\0') cli_print(stderr, "%s\n", warnings);
    TRY(cli_write_results(study, results->data, &run, arguments->quiet, &current, error));
    if (current) return COSTAB_OK;
    cli_tell_failures(path, study);
    cli_tell_file(results->data, arguments);
    return COSTAB_OK;
}

/* Returns true for --output NAME.html, the page of one results file. */
static bool is_page(const char *output) {
    return output != NULL && file_ends_in(output, ".html") && !path_is_folder(output);
}

/* Refuses options of figures for a page: the reader of a page chooses the view. */
static costab_status check_page(const cli_arguments *arguments, const figure_choices *choices,
                                costab_error *error) {
    if (arguments->operand_count > 1)
        return error_invalid(error, "--output: '%s' names one page, but there are %d results files",
                             cli_value(arguments, &opt_output_figure), arguments->operand_count);
    if (choices->count > 0 || cli_value(arguments, &opt_format_figure) != NULL ||
        cli_value(arguments, &opt_script_only) != NULL)
        return error_invalid(
            error,
            "--output: '%s' is a page, whose reader chooses what is drawn; leave the options of "
            "figures out",
            cli_value(arguments, &opt_output_figure));
    return COSTAB_OK;
}

static costab_status write_page(const cli_arguments *arguments, const figure_choices *choices,
                                costab_error *error) {
    const char *output = cli_value(arguments, &opt_output_figure);
    text_local path = {0};
    ends_by(costab_results_close) costab_results *results = NULL;
    ends_by(costab_page_free) char *page = NULL;
    const bool force = arguments->force;
    TRY(check_page(arguments, choices, error));
    TRY(find_results(arguments->operands[0], arguments, &path, error));
    TRY(costab_results_open(path.data, &results, error));
    TRY(costab_explore(results, file_name(path.data), &page, error));
    TRY(costab_page_write(output, page, force, error));
    if (!arguments->quiet)
        cli_print(stderr, "wrote %s: %.0f kB; open it in a browser\n", output, (double)strlen(page) / 1e3);
    return COSTAB_OK;
}

static costab_status plot_operand(const char *path, const cli_arguments *arguments,
                                  const costab_plot_options *options, costab_error *error) {
    text_local results = {0};
    TRY(find_results(path, arguments, &results, error));
    return plot_one(results.data, *options, arguments->quiet, error);
}

static costab_status cli_plot(const cli_arguments *arguments, costab_error *error) {
    costab_plot_options options = {.formats = cli_value(arguments, &opt_format_figure),
                                   .force = arguments->force,
                                   .script_only = cli_value(arguments, &opt_script_only) != NULL};
    text_local folder = {0}, name = {0};
    ends_by(free_choices) figure_choices choices = {.count = 0};
    const char *clash = path_clash(arguments->operands, arguments->operand_count);
    const bool page = is_page(cli_value(arguments, &opt_output_figure));
    if (!page) TRY(choose_target(arguments, &options, &folder, &name, error));
    if (clash != NULL)
        return error_invalid(error, "%s: an earlier file has the same name; its figure would be replaced",
                             clash);
    TRY(read_choices(arguments, &choices, error));
    options.choices = choices.list;
    options.choice_count = choices.count;
    if (page) return write_page(arguments, &choices, error);
    for (int k = 0; k < arguments->operand_count; k++)
        TRY(plot_operand(arguments->operands[k], arguments, &options, error));
    return COSTAB_OK;
}

static const cli_takes results_or_specs = {.kind = CLI_FILE, .words = ".h5 .yaml .yml"};
static const cli_operands some_results = {"FILE.h5|SPEC...", 1, -1, &results_or_specs};

const cli_command cli_plot_command = {
    .name = "plot",
    .operands = &some_results,
    .summary = "draw a results file or a spec with gnuplot, or as a page for a browser",
    .details =
        "Writes a figure, with its script, made to be edited, and its data; with -o NAME.html a page "
        "for a browser, to be zoomed and asked (docs/how-to/figures.md). A spec, NAME.yaml, is swept into "
        "NAME.h5 in the current folder first, unless that is up to date.",
    .examples = "costab plot sweeps/kns2014/fig09.yaml\n"
                "costab plot fig09.h5 --format pdf,png\n"
                "costab plot fig09.h5 --size 8.9cm --colours grey -o figures/zigzag.eps\n"
                "costab plot chart.h5 --kind contour --levels 0.8,0.9,1 --points nominal.csv",
    .options = {&opt_kind,
                &opt_of,
                &opt_x,
                &opt_y,
                &opt_x_range,
                &opt_y_range,
                &opt_x_label,
                &opt_y_label,
                &opt_select,
                &opt_only,
                &opt_schemes,
                &opt_levels,
                &opt_own_points,
                &opt_own_line,
                &opt_format_figure,
                &opt_dpi,
                &opt_output_figure,
                &opt_script_only,
                &opt_size,
                &opt_columns,
                &opt_panels,
                &opt_font,
                &opt_colours,
                &opt_no_hatching,
                &opt_title,
                &opt_names,
                &opt_legend,
                &opt_notes,
                &opt_force,
                CLI_FMUS,
                CLI_COMMON},
    .run = cli_plot};
