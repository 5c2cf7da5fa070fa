/* costab plot: a results file to script, data and figure (costab_plot). Options become keys of the spec's
 * `figure`, in one YAML mapping that replaces those of the file; a table says in which form each is written.
 */
#include "costab/figure.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/path.h"
#include "cli/value.h"
#include "costab/page.h"
#include "costab/store.h"

/* Appends a scalar, in quotes if YAML could give a character of it a meaning. */
static void put_scalar(text *yaml, const char *bytes, size_t size) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-_";
    size_t harmless = 0;
    while (harmless < size && bytes[harmless] != '\0' && strchr(plain, bytes[harmless]) != NULL) harmless++;
    if (size > 0 && harmless == size && bytes[size - 1] != '-') {
        text_append_n(yaml, bytes, size);
        return;
    }
    escape_n(yaml, ESCAPE_YAML, bytes, size);
}

/* How the value of an option becomes YAML. */
typedef enum form {
    SCALAR,
    LIST,  /* A,B,C; a single one stays a scalar */
    LISTS, /* A,B,C; a single one becomes a list, too */
    RANGE, /* LO:HI */
    PAIRS  /* NAME=VALUE,... */
} form;

/* The pieces between separators, in brackets. */
static void put_list(text *yaml, const char *list, char separator) {
    text_append(yaml, "[");
    for (const char *at = list; at != NULL;) {
        size_t n = strcspn(at, (const char[]){separator, '\0'});
        put_scalar(yaml, at, n);
        at = at[n] == separator ? at + n + 1 : NULL;
        if (at != NULL) text_append(yaml, ", ");
    }
    text_append(yaml, "]");
}

/* --select may be repeated. */
static void put_pairs(text *yaml, const cli_arguments *arguments, cli_option option) {
    bool several = option == OPTION_SELECT;
    const char *const *lists = several ? arguments->selects : &arguments->values[option];
    int count = several ? arguments->select_count : 1;
    const char *gap = "{";
    for (int i = 0; i < count; i++)
        for (const char *rest = lists[i], *piece; rest != NULL; gap = ", ") {
            size_t n = cli_next_piece(&rest, &piece), name = strcspn(piece, "=,");
            text_append(yaml, gap);
            put_scalar(yaml, piece, name);
            text_append(yaml, ": ");
            if (name < n)
                put_scalar(yaml, piece + name + 1, n - name - 1);
            else
                text_append(yaml, "''");
        }
    text_append(yaml, "}");
}

/* Appends the options that say how to draw, as keys of `figure`; nothing if none is given. */
static void put_figure(text *yaml, const cli_arguments *arguments) {
    static const struct {
        cli_option option;
        const char *key;
        form form;
    } keys[] = {{OPTION_KIND, "kind", LIST},
                {OPTION_OF, "of", SCALAR},
                {OPTION_X, "x", SCALAR},
                {OPTION_Y, "y", SCALAR},
                {OPTION_X_RANGE, "x_range", RANGE},
                {OPTION_Y_RANGE, "y_range", RANGE},
                {OPTION_X_LABEL, "x_label", SCALAR},
                {OPTION_Y_LABEL, "y_label", SCALAR},
                {OPTION_SELECT, "select", PAIRS},
                {OPTION_ONLY, "couplings", LIST},
                {OPTION_LEVELS, "levels", LISTS},
                {OPTION_OWN_POINTS, "points", SCALAR},
                {OPTION_OWN_LINE, "lines", SCALAR},
                {OPTION_DPI, "dpi", SCALAR},
                {OPTION_SIZE, "size", LIST},
                {OPTION_COLUMNS, "columns", SCALAR},
                {OPTION_PANELS, "panels", SCALAR},
                {OPTION_FONT, "font", LIST},
                {OPTION_COLOURS, "colours", SCALAR},
                {OPTION_TITLE, "title", SCALAR},
                {OPTION_NAMES, "names", PAIRS},
                {OPTION_LEGEND, "legend", SCALAR}};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const char *value = arguments->values[keys[k].option];
        form f = keys[k].form;
        if (value == NULL) continue;
        text_printf(yaml, "%s%s: ", yaml->size > 0 ? ", " : "{", keys[k].key);
        if (f == PAIRS)
            put_pairs(yaml, arguments, keys[k].option);
        else if (f == RANGE || f == LISTS || (f == LIST && strchr(value, ',') != NULL))
            put_list(yaml, value, f == RANGE ? ':' : ',');
        else
            put_scalar(yaml, value, strlen(value));
    }
    const char *size = arguments->values[OPTION_SIZE];
    if (size != NULL && strchr(size, ',') == NULL && arguments->values[OPTION_COLUMNS] == NULL)
        text_append(yaml, ", columns: 0");
    if (arguments->values[OPTION_NOTES] != NULL)
        text_printf(yaml, "%snotes: true", yaml->size > 0 ? ", " : "{");
    if (arguments->values[OPTION_NO_HATCHING] != NULL)
        text_printf(yaml, "%shatching: false", yaml->size > 0 ? ", " : "{");
    if (yaml->size > 0) text_append(yaml, "}");
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
static costab_status check_page(const cli_arguments *arguments, const text *figure, costab_error *error) {
    if (arguments->operand_count > 1)
        return error_invalid(error, "--output: '%s' names one page, but there are %d results files",
                             arguments->values[OPTION_OUTPUT_FIGURE], arguments->operand_count);
    if (figure->size > 0 || arguments->values[OPTION_FORMAT_FIGURE] != NULL ||
        arguments->values[OPTION_SCRIPT_ONLY] != NULL)
        return error_invalid(
            error,
            "--output: '%s' is a page, whose reader chooses what is drawn; leave the options of "
            "figures out",
            arguments->values[OPTION_OUTPUT_FIGURE]);
    return COSTAB_OK;
}

static costab_status write_page(const cli_arguments *arguments, const text *figure, costab_error *error) {
    const char *output = arguments->values[OPTION_OUTPUT_FIGURE], *path = arguments->operands[0];
    ends_by(costab_results_close) costab_results *results = NULL;
    ends_by(costab_page_free) char *page = NULL;
    const bool force = arguments->force;
    TRY(check_page(arguments, figure, error));
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
    text_local folder = {0}, name = {0}, figure = {0};
    const char *clash = path_clash(arguments->operands, arguments->operand_count);
    const bool page = is_page(arguments->values[OPTION_OUTPUT_FIGURE]);
    if (!page) TRY(choose_target(arguments, &options, &folder, &name, error));
    if (clash != NULL)
        return error_invalid(error, "%s: an earlier file has the same name; its figure would be replaced",
                             clash);
    put_figure(&figure, arguments);
    if (figure.failed) return error_memory(error);
    options.figure = figure.size > 0 ? figure.data : NULL;
    if (page) return write_page(arguments, &figure, error);
    for (int k = 0; k < arguments->operand_count; k++)
        TRY(plot_one(arguments->operands[k], options, quiet, error));
    return COSTAB_OK;
}
