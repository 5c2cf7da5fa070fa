/* costab area: areas of the regions SS and US in the whole plane, or of all classes in a window, with proved
 * errors. An area that cannot be computed to its accuracy, for example near a critical value, is nan; a
 * note gives the reason. With -o FILE.h5 the areas are swept like those of a spec, and such an area ends the
 * command. */
#include "costab/area.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/path.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/table.h"
#include "cli/value.h"
#include "spec/sections.h"
#include "study/study.h"

static CLI_OPTION(opt_digits, "digits", 0, "N", NULL,
                  "correct decimal digits of the areas, 1 to 1000 (default: those of a double)");

/* The areas at one a, to the digits of a double, or (digits > 0) to more as text; or in a window. */
typedef struct found_areas {
    costab_areas numbers;
    costab_area_digits texts;
    costab_window_areas inside;
} found_areas;

static const int classes[4] = {COSTAB_SS, COSTAB_US, COSTAB_SU, COSTAB_UU}; /* in the order of columns */

static costab_status read_window(const cli_arguments *arguments, cli_plane_window *window,
                                 costab_error *error) {
    TRY(cli_plane_window_options(arguments, window, error));
    if (window->given && cli_value(arguments, &opt_digits) != NULL)
        return error_invalid(error,
                             "--digits is for areas in the whole plane; leave --gamma and --delta out");
    return COSTAB_OK;
}

/* Finds the areas at `a`, a text for costab_planar_areas_at. */
static costab_status find(const costab_planar *planar, const char *a, const cli_plane_window *window,
                          long digits, found_areas *found, costab_error *error) {
    if (window->given)
        return costab_planar_window_areas(planar, (costab_number){.written = a}, window->end, window->end + 2,
                                          &found->inside, error);
    if (digits == 0) return costab_planar_areas_at(planar, a, &found->numbers, error);
    costab_area_digits_free(&found->texts);
    return costab_planar_area_digits(planar, a, (int)digits, &found->texts, error);
}

static costab_status find_listed(const cli_arguments *arguments, const costab_planar *planar, size_t i,
                                 const cli_plane_window *window, long digits, found_areas *found,
                                 costab_error *error) {
    text_local exact = {0};
    number_list_exact(cli_value(arguments, &opt_a_list), i, &exact);
    return exact.failed ? error_memory(error) : find(planar, exact.data, window, digits, found, error);
}

/* Replaces the areas at one a by nan, so that the other areas are still printed. */
static void leave_out(found_areas *found, const costab_error *why) {
    costab_area_digits_free(&found->texts);
    found->texts = (costab_area_digits){NULL, NULL, (double)INFINITY, (double)INFINITY};
    found->numbers = (costab_areas){
        .ss = (double)NAN, .us = (double)NAN, .error_ss = (double)INFINITY, .error_us = (double)INFINITY};
    for (int k = 0; k < 4; k++) {
        found->inside.area[k] = (double)NAN;
        found->inside.error[k] = (double)INFINITY;
    }
    fprintf(stderr, "costab area: note: %s\n", why->message);
}

static void print_areas(const cli_plane_window *window, long digits, const found_areas *found) {
    const costab_areas *n = &found->numbers;
    if (window->given) {
        for (int k = 0; k < 4; k++) table_number(found->inside.area[classes[k]]);
        for (int k = 0; k < 4; k++) table_number(found->inside.error[classes[k]]);
    } else if (digits == 0) {
        table_numbers(n->ss, n->us, n->error_ss, n->error_us);
    } else {
        table_digits(found->texts.ss != NULL ? found->texts.ss : "nan");
        table_digits(found->texts.us != NULL ? found->texts.us : "nan");
        table_numbers(found->texts.error_ss, found->texts.error_us);
    }
}

/* Prints a note if an area in a window is known to less than six digits of the window's. */
static void tell_wide(const costab_planar *planar, double a, const found_areas *found) {
    double whole = 0, worst = 0;
    for (int k = 0; k < 4; k++) {
        whole += found->inside.area[k];
        worst = fmax(worst, found->inside.error[k]);
    }
    if (worst > 1e-6 * whole)
        fprintf(stderr, "costab area: note: %s at a = %g: the areas are only known to %.2g\n",
                costab_scheme_name(planar->scheme), a, worst);
}

static costab_status put_table(const cli_arguments *arguments, const cli_planar *planar,
                               const cli_plane_window *window, const double *a, size_t count,
                               costab_error *error) {
    static const char plane[] = "scheme,method,substeps,a,area_ss,area_us,error_ss,error_us",
                      inside[] = "scheme,method,substeps,a,area_ss,area_us,area_su,area_uu,error_ss,error_us,"
                                 "error_su,error_uu";
    long digits = 0;
    progress bar;
    found_areas found = {.texts = {NULL, NULL, 0, 0}};
    TRY(cli_whole(arguments, &opt_digits, 1, 1000, 0, &digits, error));
    table_begin(arguments, window->given ? inside : plane);
    progress_start(&bar, "area", "areas", 1, arguments->quiet);
    costab_status status = COSTAB_OK;
    for (int s = 0; s < planar->count && !status; s++)
        for (size_t i = 0; i < count && !status; i++) {
            progress_update(&bar, (size_t)s * count + i, (size_t)planar->count * count);
            if (i == 0 || planar->schemes[s].scheme != COSTAB_SIMULATION)
                status = find_listed(arguments, &planar->schemes[s], i, window, digits, &found, error);
            if (status == COSTAB_NUMERIC) {
                leave_out(&found, error);
                status = COSTAB_OK;
            }
            if (status) break;
            table_planar(&planar->schemes[s]);
            cli_list_cell(arguments, &opt_a_list, i, a[i]);
            print_areas(window, digits, &found);
            if (window->given) tell_wide(&planar->schemes[s], a[i], &found);
        }
    progress_end(&bar);
    if (!status)
        table_say("The errors are proved bounds. Where an area becomes 0 or infinite: costab critical");
    if (!status) status = table_end(error);
    costab_area_digits_free(&found.texts);
    return status;
}

/* ---- A results file ---- */

/* Adds the method of --method, a name or a tableau. */
static costab_status add_method(spec_builder *to, const char *given, const char *name, costab_error *error) {
    ends_by(spec_file_free) spec_file file = {.path = "--method"};
    spec_add_word(to, "method");
    if (given == NULL || strchr(given, ':') == NULL) {
        spec_add_word(to, name);
        return COSTAB_OK;
    }
    const spec_node *tableau = spec_load(&file, file.path, given, strlen(given));
    TRY(spec_finish(&file, error));
    spec_add_copy(to, &file, tableau);
    to->line = to->column = 0;
    return COSTAB_OK;
}

/* Adds the spec of a sweep over the same areas. */
static costab_status add_spec(spec_builder *to, const cli_arguments *arguments, const cli_planar *planar,
                              const cli_plane_window *window, size_t count, costab_error *error) {
    static const char *const sides[] = {"gamma", "delta"};
    const costab_planar *first = &planar->schemes[0];
    spec_open(to, SPEC_MAPPING);
    spec_add_pair(to, "system", "planar", false);
    spec_open_key(to, "schemes", SPEC_LIST);
    for (int s = 0; s < planar->count; s++) spec_add_word(to, costab_scheme_name(planar->schemes[s].scheme));
    spec_close(to);
    TRY(add_method(to, cli_value(arguments, &opt_method), first->method.name, error));
    spec_open_key(to, "substeps", SPEC_LIST);
    for (int k = 0; k < 2; k++) spec_add_number(to, first->substeps[k]);
    spec_close(to);
    spec_open_key(to, "axes", SPEC_MAPPING);
    study_spec_axis(to, &(costab_chart_axis){
                            .parameter = "a", .points = count, .written = cli_value(arguments, &opt_a_list)});
    for (int k = 0; k < 2 && window->given; k++) {
        spec_open_key(to, sides[k], SPEC_LIST);
        for (int end = 0; end < 2; end++) spec_add_word(to, window->written[2 * k + end]);
        spec_close(to);
    }
    spec_close(to);
    spec_open_key(to, "fields", SPEC_LIST);
    spec_add_word(to, "areas");
    spec_close(to);
    spec_open_key(to, "figure", SPEC_MAPPING);
    spec_add_pair(to, "kind", "areas", false);
    spec_close(to);
    spec_close(to);
    return COSTAB_OK;
}

static costab_status put_file(const cli_arguments *arguments, const cli_planar *planar,
                              const cli_plane_window *window, const double *a, size_t count,
                              costab_error *error) {
    static const char name[] = "area";
    ends_by(costab_study_destroy) costab_study *study = NULL;
    ends_by(spec_file_free) spec_file document = {.path = "costab area"};
    spec_builder to = {.file = &document};
    costab_spec *spec = NULL;
    text_local target = {0};
    bool current;
    const costab_study_run_options options = {.threads = arguments->threads, .force = arguments->force};
    if (cli_value(arguments, &opt_digits) != NULL)
        return error_invalid(error, "--digits is for tables; a results file has the digits of a double");
    if (count < 2)
        return error_invalid(error, "--output: a results file has areas against a: give --a several values");
    for (size_t i = 1; i < count; i++)
        if (!(a[i - 1] < a[i]))
            return error_invalid(error, "--output: the values of a results file ascend: --a has %g after %g",
                                 a[i], a[i - 1]);
    TRY(add_spec(&to, arguments, planar, window, count, error));
    path_output(&target, cli_value(arguments, &opt_output_history), name, ".h5");
    if (document.memory_failed || target.failed) return error_memory(error);
    TRY(spec_read_document(document.path, &document, NULL, &spec, error));
    TRY(study_set_and_make(spec, &(costab_changes){.setting_count = 0}, document.path, &study, error));
    TRY(cli_write_results(study, target.data, &options, arguments->quiet, &current, error));
    if (!current && !arguments->quiet) cli_tell_written(target.data, study);
    return COSTAB_OK;
}

static costab_status cli_area(const cli_arguments *arguments, costab_error *error) {
    cli_planar planar;
    ends_by(cli_plane_window_free) cli_plane_window window = {.given = false};
    memory_local double *a = NULL;
    size_t count = 0;
    TRY(cli_planar_options(arguments, &planar, error));
    TRY(cli_list(arguments, &opt_a_list, &a, &count, error));
    TRY(read_window(arguments, &window, error));
    return cli_value(arguments, &opt_output_history) != NULL
               ? put_file(arguments, &planar, &window, a, count, error)
               : put_table(arguments, &planar, &window, a, count, error);
}

const cli_command cli_area_command = {
    .name = "area",
    .summary = "areas of the regions SS and US",
    .details =
        "Prints, for every scheme and a, the areas of SS and US in the whole (Gamma, Delta) plane, or of "
        "all classes in a window, each with a proved bound of its error; what is 0 or inf is decided "
        "exactly. The areas of the scheme simulation do not depend on a. With -o FILE.h5 it writes a results file, of "
        "which costab plot draws the areas against a.",
    .examples = "costab area --a 0.5\n"
                "costab area --a 0.3 --scheme strong --digits 30\n"
                "costab area --a -1,0,1 --gamma -4:0 --delta 0:10\n"
                "costab area --a -4:4:801 --scheme zigzag --method heun --substeps 2,1 -o area.h5",
    .options = {&opt_a_list, &opt_plane_gamma, &opt_plane_delta, &opt_digits, CLI_PLANAR, CLI_TABLE_OR_FILE,
                CLI_COMMON},
    .run = cli_area};
