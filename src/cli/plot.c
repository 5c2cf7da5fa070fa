/* costab plot: a results file to script, data and figure (costab_plot). Options are keys of the spec's
 * `figure`, which replace those of the file; a table says how the words of each are separated. */
#include "costab/figure.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/path.h"
#include "cli/value.h"
#include "costab/page.h"
#include "costab/store.h"

/* ---- What is drawn, and how ---- */

/* Options that are keys of `figure`; separator: of the words of their values, '\0': one word. */
static const struct {
    cli_option option;
    const char *key;
    char separator;
} figure_options[] = {{OPTION_KIND, "kind", ','},
                      {OPTION_OF, "of", '\0'},
                      {OPTION_X, "x", '\0'},
                      {OPTION_Y, "y", '\0'},
                      {OPTION_X_RANGE, "x_range", ':'},
                      {OPTION_Y_RANGE, "y_range", ':'},
                      {OPTION_X_LABEL, "x_label", '\0'},
                      {OPTION_Y_LABEL, "y_label", '\0'},
                      {OPTION_SELECT, "select", ','},
                      {OPTION_ONLY, "couplings", ','},
                      {OPTION_LEVELS, "levels", ','},
                      {OPTION_OWN_POINTS, "points", '\0'},
                      {OPTION_OWN_LINE, "lines", '\0'},
                      {OPTION_DPI, "dpi", '\0'},
                      {OPTION_SIZE, "size", ','},
                      {OPTION_COLUMNS, "columns", '\0'},
                      {OPTION_PANELS, "panels", '\0'},
                      {OPTION_FONT, "font", ','},
                      {OPTION_COLOURS, "colours", '\0'},
                      {OPTION_TITLE, "title", '\0'},
                      {OPTION_NAMES, "names", ','},
                      {OPTION_LEGEND, "legend", '\0'},
                      {OPTION_NOTES, "notes", '\0'},
                      {OPTION_NO_HATCHING, "hatching", '\0'}};
enum { FIGURE_OPTIONS = sizeof figure_options / sizeof *figure_options, CALLED_MAX = 24 };

typedef struct figure_choices {
    costab_figure_choice list[FIGURE_OPTIONS + 1];
    size_t count;
    cli_names values[FIGURE_OPTIONS + 1];
    char called[FIGURE_OPTIONS + 1][CALLED_MAX];
} figure_choices;

static void free_choices(figure_choices *choices) {
    for (int k = 0; k <= FIGURE_OPTIONS; k++) cli_names_free(&choices->values[k]);
}

static costab_status add_choice(figure_choices *choices, cli_option option, const char *key,
                                const char *given, char separator, costab_error *error) {
    size_t k = choices->count++;
    (void)snprintf(choices->called[k], CALLED_MAX, "--%s", cli_option_name(option));
    TRY(cli_names_read(given, separator, &choices->values[k], error));
    choices->list[k] = (costab_figure_choice){key, choices->values[k].of, (size_t)choices->values[k].count,
                                              choices->called[k]};
    return COSTAB_OK;
}

static costab_status read_choices(const cli_arguments *arguments, figure_choices *choices,
                                  costab_error *error) {
    text_local selects = {0}; /* --select may be repeated */
    for (int i = 0; i < arguments->select_count; i++)
        text_printf(&selects, "%s%s", i > 0 ? "," : "", arguments->selects[i]);
    if (selects.failed) return error_memory(error);
    for (int k = 0; k < FIGURE_OPTIONS; k++) {
        const cli_option option = figure_options[k].option;
        const char *given = arguments->values[option];
        if (given == NULL) continue;
        if (option == OPTION_SELECT) given = selects.data;
        if (option == OPTION_NOTES) given = "true";
        if (option == OPTION_NO_HATCHING) given = "false";
        TRY(add_choice(choices, option, figure_options[k].key, given, figure_options[k].separator, error));
    }
    const char *size = arguments->values[OPTION_SIZE];
    if (size == NULL || strchr(size, ',') != NULL || arguments->values[OPTION_COLUMNS] != NULL)
        return COSTAB_OK;
    return add_choice(choices, OPTION_SIZE, "columns", "0", '\0', error); /* as many as fit the width */
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

/* ---- Where the figure goes ---- */

/* The format that a file name ends in, "gp" for the script alone; NULL if it ends in none of them. */
static const char *format_of(const char *path) {
    const char *name = file_name(path), *dot = strrchr(name, '.'), *format = "gp";
    for (int k = 0; dot != NULL && dot > name && format != NULL; format = costab_format_name(k++))
        if (strcmp(dot + 1, format) == 0) return format;
    return NULL;
}

/* --output NAME.FORMAT: sets the name and the format. */
static costab_status choose_file(const cli_arguments *arguments, costab_plot_options *options, text *name,
                                 costab_error *error) {
    const char *output = arguments->values[OPTION_OUTPUT_FIGURE], *format = format_of(output);
    if (format == NULL) {
        text known = cli_option_help(cli_option_at(OPTION_FORMAT_FIGURE));
        costab_status status =
            error_set(error, COSTAB_IO,
                      "--output: '%s' is no folder, and its ending is no format of figures; make the folder, "
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

/* Fills folder, name and formats of the options; `folder` and `name` hold the words. Without a name each
 * figure has that of its results. */
static costab_status choose_target(const cli_arguments *arguments, costab_plot_options *options, text *folder,
                                   text *name, costab_error *error) {
    const char *output = arguments->values[OPTION_OUTPUT_FIGURE];
    options->folder = output != NULL ? output : ".";
    if (path_is_folder(options->folder)) return COSTAB_OK;
    size_t above = (size_t)(file_name(output) - output);
    text_append_n(folder, above > 0 ? output : "./", above > 0 ? above : 2);
    if (folder->failed) return error_memory(error);
    options->folder = folder->data;
    TRY(choose_file(arguments, options, name, error));
    if (path_is_folder(folder->data)) return COSTAB_OK;
    return error_set(error, COSTAB_IO, "--output: the folder '%s' does not exist", folder->data);
}

/* ---- Drawing ---- */

/* Ends a run: the files that were written. */
static void tell_written(const costab_plot_options *options, bool drawn) {
    const char *formats = options->formats != NULL ? options->formats : "pdf", *format;
    const char *folder = strcmp(options->folder, ".") == 0 ? "" : options->folder;
    text_local files = {0};
    text_printf(&files, "%s%s%s", folder, folder[0] != '\0' && folder[strlen(folder) - 1] != '/' ? "/" : "",
                options->name);
    if (files.failed) return;
    cli_print(stderr, "wrote ");
    while (drawn && formats != NULL) {
        size_t n = cli_next_piece(&formats, &format);
        cli_print(stderr, "%s.%.*s, ", files.data, (int)n, format);
    }
    cli_print(stderr, "%s.gp and its data; draw it again: gnuplot %s.gp\n", files.data, options->name);
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
            "costab plot: %s.gp was a figure of another kind, %s, which this one replaces; -o NAME.pdf gives it a "
            "name of its own\n",
            options.name, outcome.replaced);
    if (!quiet && outcome.notes[0] != '\0') fprintf(stderr, "costab plot: %s\n", outcome.notes);
    if (!quiet) tell_written(&options, !options.script_only && !outcome.gnuplot_missing);
    return COSTAB_OK;
}

/* --output NAME.html: the page of one results file. */
static bool is_page(const char *output) {
    return output != NULL && file_ends_in(output, ".html") && !path_is_folder(output);
}

/* Options that say how a figure is drawn say nothing of a page, which its reader turns. */
static costab_status check_page(const cli_arguments *arguments, const figure_choices *choices,
                                costab_error *error) {
    if (arguments->operand_count > 1)
        return error_invalid(error, "--output: '%s' names one page, but there are %d results files",
                             arguments->values[OPTION_OUTPUT_FIGURE], arguments->operand_count);
    if (choices->count > 0 || arguments->values[OPTION_FORMAT_FIGURE] != NULL ||
        arguments->values[OPTION_SCRIPT_ONLY] != NULL)
        return error_invalid(
            error,
            "--output: '%s' is a page, whose reader chooses what is drawn; leave the options of "
            "figures out",
            arguments->values[OPTION_OUTPUT_FIGURE]);
    return COSTAB_OK;
}

static costab_status write_page(const cli_arguments *arguments, const figure_choices *choices,
                                costab_error *error) {
    const char *output = arguments->values[OPTION_OUTPUT_FIGURE], *path = arguments->operands[0];
    ends_by(costab_results_close) costab_results *results = NULL;
    ends_by(costab_page_free) char *page = NULL;
    const bool force = arguments->force;
    TRY(check_page(arguments, choices, error));
    TRY(costab_results_open(path, &results, error));
    TRY(costab_explore(results, file_name(path), &page, error));
    TRY(costab_page_write(output, page, force, error));
    if (!arguments->quiet)
        cli_print(stderr, "wrote %s: %.0f kB; open it in a browser\n", output, (double)strlen(page) / 1e3);
    return COSTAB_OK;
}

costab_status cli_plot(const cli_arguments *arguments, costab_error *error) {
    costab_plot_options options = {.formats = arguments->values[OPTION_FORMAT_FIGURE],
                                   .force = arguments->force,
                                   .script_only = arguments->values[OPTION_SCRIPT_ONLY] != NULL};
    const bool quiet = arguments->quiet;
    text_local folder = {0}, name = {0};
    ends_by(free_choices) figure_choices choices = {.count = 0};
    const char *clash = path_clash(arguments->operands, arguments->operand_count);
    const bool page = is_page(arguments->values[OPTION_OUTPUT_FIGURE]);
    if (!page) TRY(choose_target(arguments, &options, &folder, &name, error));
    if (clash != NULL)
        return error_invalid(error, "%s: an earlier file has the same name; its figure would be replaced",
                             clash);
    TRY(read_choices(arguments, &choices, error));
    options.choices = choices.list;
    options.choice_count = choices.count;
    if (page) return write_page(arguments, &choices, error);
    for (int k = 0; k < arguments->operand_count; k++)
        TRY(plot_one(arguments->operands[k], options, quiet, error));
    return COSTAB_OK;
}
