/* costab boundary: boundary curves as polylines, one row per point. For the planar system: curves on which
 * one stability condition is an equality (costab_planar_boundary). For a swept network: curves on which a
 * field has its limit (costab_levels_find). */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/area.h"
#include "costab/figure.h"
#include "costab/store.h"

static CLI_OPTION(opt_gamma_window, "gamma", 0, "LO:HI", NULL, "window of Gamma (default -6:2)");
static CLI_OPTION(opt_delta_window, "delta", 0, "LO:HI", NULL, "window of Delta (default -4:14)");
static CLI_OPTION(
    opt_line_of, "of", 0, "FIELD", NULL,
    "of a results file: the field that is at its limit, 1 for radii, 1/2 for the probability, 0 for others "
    "(default spectral_radius)");

/* Prints curves. Pieces are numbered from 0 within each kind of curve. */
static void print_boundary(const cli_arguments *arguments, const costab_planar *planar, size_t i, double a,
                           const costab_boundary *boundary) {
    size_t piece = 0;
    for (size_t c = 0; c < boundary->count; c++) {
        const costab_curve *curve = &boundary->curves[c];
        piece = c > 0 && boundary->curves[c - 1].cause == curve->cause ? piece + 1 : 0;
        for (size_t p = 0; p < curve->count; p++) {
            table_planar(planar);
            cli_list_cell(arguments, &opt_a_list, i, a);
            table_text(cli_cause_name(curve->cause));
            table_numbers((double)piece, curve->gamma[p], curve->delta[p]);
        }
    }
}

static costab_status find_listed(const cli_arguments *arguments, const costab_planar *planar, size_t i,
                                 const double gamma[2], const double delta[2], costab_boundary *boundary,
                                 costab_error *error) {
    text_local exact = {0};
    number_list_exact(cli_value(arguments, &opt_a_list), i, &exact);
    if (exact.failed) return error_memory(error);
    return costab_planar_boundary_at(planar, exact.data, gamma, delta, boundary, error);
}

/* ---- Boundaries from a results file ---- */

/* Returns true if both lines have the same coupling and the same value of every axis except their own two
 * axes. */
static bool same_grid(const costab_plan *plan, const costab_levels *levels, size_t one, size_t other) {
    bool same = true;
    for (int k = 0; k < plan->swept && same; k++)
        same = k == levels->x || k == levels->y || levels->lines[one].at[k] == levels->lines[other].at[k];
    return same;
}

/* Returns true if the sweep stored where the lines of a field cross the edges of the grid. */
static bool has_crossings(const costab_plan *plan, const char *field) {
    const bool radius = strcmp(field, "spectral_radius") == 0 || strcmp(field, "decay") == 0;
    const char *const stored = radius                                   ? "level_one_"
                               : strcmp(field, "iteration_radius") == 0 ? "iteration_one_"
                                                                        : NULL;
    for (int f = 0; f < plan->field_count && stored != NULL; f++)
        if (strncmp(plan->fields[f].name, stored, strlen(stored)) == 0) return true;
    return false;
}

static void print_levels(const costab_plan *plan, const costab_levels *levels) {
    size_t piece = 0;
    for (size_t l = 0; l < levels->count; l++) {
        const costab_level *line = &levels->lines[l];
        piece = l > 0 && same_grid(plan, levels, l, l - 1) ? piece + 1 : 0;
        for (size_t i = 0; i < line->count + line->closed; i++) {
            size_t p = i % line->count;
            for (int k = 0; k < plan->swept; k++) {
                const costab_axis *axis = &plan->axes[k];
                if (axis->labels != NULL)
                    table_text(axis->labels[line->at[k]]);
                else
                    table_number(k == levels->x   ? line->x[p]
                                 : k == levels->y ? line->y[p]
                                                  : axis->values[line->at[k]]);
            }
            table_number((double)piece);
        }
    }
}

static costab_status of_results(const cli_arguments *arguments, costab_error *error) {
    static const cli_option *const planar[] = {&opt_a_list, &opt_gamma_window, &opt_delta_window,
                                               &opt_scheme, &opt_method,       &opt_substeps};
    ends_by(costab_results_close) costab_results *results = NULL;
    ends_by(costab_levels_free) costab_levels levels = {.count = 0};
    text_local columns = {0};
    const char *field = cli_value(arguments, &opt_line_of);
    for (size_t k = 0; k < sizeof planar / sizeof *planar; k++)
        if (cli_value(arguments, planar[k]) != NULL)
            return error_invalid(error, "--%s: of results there is nothing to choose but --of",
                                 planar[k]->name);
    TRY(costab_results_open(arguments->operands[0], &results, error));
    TRY(costab_levels_find(results, field, &levels, error));
    if (field == NULL) field = "spectral_radius";
    const costab_plan *plan = costab_results_plan(results);
    for (int k = 0; k < plan->swept; k++) text_printf(&columns, "%s,", plan->axes[k].name);
    text_append(&columns, "piece");
    TRY(columns.failed ? error_memory(error) : table_check(columns.data, error));
    if (!has_crossings(plan, field))
        cli_print(stderr,
                  "costab boundary: note: the lines of %s are interpolated between the points of the sweep\n",
                  field);
    table_begin(arguments, columns.data);
    print_levels(plan, &levels);
    return table_end(error);
}

static costab_status cli_boundary(const cli_arguments *arguments, costab_error *error) {
    if (arguments->operand_count > 0) return of_results(arguments, error);
    static const double default_gamma[2] = {-6, 2}, default_delta[2] = {-4, 14};
    cli_planar planar;
    memory_local double *a = NULL;
    double gamma[2], delta[2];
    size_t count = 0;
    if (cli_value(arguments, &opt_line_of) != NULL)
        return error_invalid(error, "--%s is of a results file, and none is given", opt_line_of.name);
    TRY(cli_planar_options(arguments, &planar, error));
    TRY(cli_list(arguments, &opt_a_list, &a, &count, error));
    TRY(cli_window(arguments, &opt_gamma_window, default_gamma, gamma, error));
    TRY(cli_window(arguments, &opt_delta_window, default_delta, delta, error));
    table_begin(arguments, "scheme,method,substeps,a,curve,piece,gamma,delta");
    for (int s = 0; s < planar.count; s++)
        for (size_t i = 0; i < count; i++) {
            ends_by(costab_boundary_free) costab_boundary boundary = {0};
            TRY(find_listed(arguments, &planar.schemes[s], i, gamma, delta, &boundary, error));
            print_boundary(arguments, &planar.schemes[s], i, a[i], &boundary);
        }
    table_say("Class of a point next to it: costab classify");
    return table_end(error);
}

static const cli_operands maybe_results = {"[FILE.h5]", 0, 1, &cli_results_files};

const cli_command cli_boundary_command = {
    .name = "boundary",
    .operands = &maybe_results,
    .summary = "boundary curves as polylines",
    .details = "Prints the curves on which a stability condition is an equality, cut at the window; or, of "
               "the results of a network's sweep over two axes, the lines on which the spectral radius is 1.",
    .examples = "costab boundary --a 0 --scheme simulation --gamma -6:2 --delta -2:14\n"
                "costab boundary two-mass-stiffness.h5",
    .options = {&opt_a_list, &opt_gamma_window, &opt_delta_window, CLI_PLANAR, &opt_line_of, CLI_TABLE,
                CLI_COMMON},
    .run = cli_boundary};
