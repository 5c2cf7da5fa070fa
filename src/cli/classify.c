/* costab classify: points of the planar system. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/points.h"
#include "cli/table.h"
#include "cli/value.h"

static const char columns[] =
    "scheme,method,substeps,a,gamma,delta,trace,determinant,spectral_radius,iteration_radius,class,cause";

/* Whether the map is stable. */
static bool print_point(const costab_planar *planar, double a, double gamma, double delta) {
    costab_planar_point point;
    costab_planar_points(planar, 1, &a, &gamma, &delta, &point);
    table_planar(planar);
    table_numbers(a, gamma, delta, point.trace, point.determinant, point.spectral_radius);
    if (planar->scheme == COSTAB_STRONG)
        table_numbers(point.iteration_radius);
    else
        table_empty();
    table_text(costab_class_name(point.class_code));
    table_causes(point.cause);
    return point.cause == 0;
}

/* Reads an unscaled system: --matrix a,b,c,d and --step h. */
static costab_status read_matrix(const cli_arguments *arguments, cli_points *points, costab_error *error) {
    memory_local double *entries = NULL;
    double h;
    size_t count;
    TRY(cli_list(arguments, OPTION_MATRIX, &entries, &count, error));
    if (count != 4)
        return error_invalid(error, "--matrix: expected the four entries a,b,c,d, found %zu", count);
    TRY(cli_number(arguments, OPTION_STEP, &h, error));
    if (!(h > 0)) return error_invalid(error, "--step: the macro step must be positive, not %g", h);
    TRY(cli_points_create(points, 1, error));
    double a = entries[0] * h, b = entries[1] * h, c = entries[2] * h, d = entries[3] * h;
    points->count = 1;
    points->a[0] = a;
    points->gamma[0] = a + d;
    points->delta[0] = a * d - b * c;
    if (!isfinite(points->gamma[0]) || !isfinite(points->delta[0]))
        return error_invalid(error, "--matrix: trace or determinant overflows");
    return COSTAB_OK;
}

#define POINTS_MAX ((size_t)100000000)

/* Reads lists of a, gamma and delta: all combinations, the last one varying fastest. */
static costab_status read_lists(const cli_arguments *arguments, cli_points *points, costab_error *error) {
    static const cli_option options[3] = {OPTION_A_LIST, OPTION_GAMMA, OPTION_DELTA};
    double *lists[3] = {NULL, NULL, NULL};
    size_t counts[3] = {0, 0, 0}, all = 1;
    costab_status status = COSTAB_OK;
    for (int k = 0; k < 3 && !status; k++) {
        status = cli_list(arguments, options[k], &lists[k], &counts[k], error);
        if (!status && counts[k] > POINTS_MAX / all)
            status = error_invalid(error, "more than %zu points", POINTS_MAX);
        all *= counts[k];
    }
    if (!status) status = cli_points_create(points, all, error);
    for (size_t i = 0; i < all && !status; i++) {
        points->a[i] = lists[0][i / (counts[1] * counts[2])];
        points->gamma[i] = lists[1][i / counts[2] % counts[1]];
        points->delta[i] = lists[2][i % counts[2]];
        points->count++;
    }
    for (int k = 0; k < 3; k++) memory_free(lists[k]);
    return status;
}

/* Reads the points, which are given in exactly one of three ways. */
static costab_status read_points(const cli_arguments *arguments, cli_points *points, costab_error *error) {
    const char *const *given = arguments->values;
    bool lists = given[OPTION_A_LIST] != NULL || given[OPTION_GAMMA] != NULL || given[OPTION_DELTA] != NULL;
    bool matrix = given[OPTION_MATRIX] != NULL || given[OPTION_STEP] != NULL;
    bool file = given[OPTION_POINTS] != NULL;
    if (lists + matrix + file != 1)
        return error_invalid(error, "give either --a, --gamma and --delta, or --points FILE, or --matrix "
                                    "a,b,c,d and --step H");
    if (file) return cli_points_read(given[OPTION_POINTS], points, error);
    return matrix ? read_matrix(arguments, points, error) : read_lists(arguments, points, error);
}

costab_status cli_classify(const cli_arguments *arguments, costab_error *error) {
    cli_planar planar;
    ends_by(cli_points_free) cli_points points = {0};
    size_t stable = 0;
    TRY(cli_planar_options(arguments, &planar, error));
    TRY(read_points(arguments, &points, error));
    table_begin(arguments, columns);
    for (size_t i = 0; i < points.count; i++)
        for (int s = 0; s < planar.count; s++)
            stable += print_point(&planar.schemes[s], points.a[i], points.gamma[i], points.delta[i]);
    table_say("%zu of %zu maps are stable. How large their regions are: costab area --a A", stable,
              points.count * (size_t)planar.count);
    return table_end(error);
}
