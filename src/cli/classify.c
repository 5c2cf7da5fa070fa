/* costab classify: trace and determinant of the macro step's map, spectral and iteration radius, class and
 * cause of points of the planar system. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/points.h"
#include "cli/table.h"
#include "cli/value.h"

static CLI_OPTION(opt_gamma, "gamma", 0, "LIST", NULL,
                  "trace of the scaled system matrix: a list like that of --a");
static CLI_OPTION(opt_delta, "delta", 0, "LIST", NULL, "determinant of that matrix: a list like that of --a");
static CLI_OPTION(opt_points, "points", 0, "FILE", &cli_csv_files,
                  "CSV file with columns a, gamma, delta; - is the standard input");
static CLI_OPTION(opt_matrix, "matrix", 0, "a,b,c,d", NULL,
                  "entries of an unscaled system matrix; needs --step");
static CLI_OPTION(opt_step, "step", 0, "H", NULL, "macro step for --matrix");

static const char columns[] =
    "scheme,method,substeps,a,gamma,delta,trace,determinant,spectral_radius,iteration_radius,class,cause";

/* Prints a point. Returns true if the map is stable. */
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

/* Reads an unscaled system, --matrix a,b,c,d and --step h: partition parameter a h, gamma = trace h, delta =
 * determinant h^2. */
/* Returns true if the product of two numbers that are not 0 loses digits by underflow. */
static bool underflows(double x, double y) {
    return x != 0 && y != 0 && fabs(x * y) < DBL_MIN;
}

static costab_status read_matrix(const cli_arguments *arguments, cli_points *points, costab_error *error) {
    memory_local double *entries = NULL;
    double h;
    size_t count;
    TRY(cli_list(arguments, &opt_matrix, &entries, &count, error));
    if (count != 4)
        return error_invalid(error, "--matrix: expected the four entries a,b,c,d, found %zu", count);
    TRY(cli_number(arguments, &opt_step, &h, error));
    if (!(h > 0)) return error_invalid(error, "--step: the macro step must be positive, not %g", h);
    TRY(cli_points_create(points, 1, error));
    double a = entries[0] * h, b = entries[1] * h, c = entries[2] * h, d = entries[3] * h;
    points->count = 1;
    points->a[0] = a;
    points->gamma[0] = a + d;
    const double product = b * c; /* ad - bc without cancellation (Kahan) */
    points->delta[0] = fma(a, d, -product) + fma(-b, c, product);
    if (underflows(a, d) || underflows(b, c))
        return error_invalid(error, "--matrix: the determinant underflows; take another unit of time");
    if (!isfinite(points->gamma[0]) || !isfinite(points->delta[0]))
        return error_invalid(error, "--matrix: trace or determinant overflows");
    return COSTAB_OK;
}

#define POINTS_MAX ((size_t)100000000) /* 2.4 GB of coordinates */

/* Reads lists of a, gamma and delta: all combinations, the last one varying fastest. */
static costab_status read_lists(const cli_arguments *arguments, cli_points *points, costab_error *error) {
    static const cli_option *const options[3] = {&opt_a_list, &opt_gamma, &opt_delta};
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

/* Reads the points from exactly one of the three kinds of options. */
static costab_status read_points(const cli_arguments *arguments, cli_points *points, costab_error *error) {
    bool lists = cli_value(arguments, &opt_a_list) != NULL || cli_value(arguments, &opt_gamma) != NULL ||
                 cli_value(arguments, &opt_delta) != NULL;
    bool matrix = cli_value(arguments, &opt_matrix) != NULL || cli_value(arguments, &opt_step) != NULL;
    bool file = cli_value(arguments, &opt_points) != NULL;
    if (lists + matrix + file != 1)
        return error_invalid(error, "give either --a, --gamma and --delta, or --points FILE, or --matrix "
                                    "a,b,c,d and --step H");
    if (file) return cli_points_read(cli_value(arguments, &opt_points), points, error);
    return matrix ? read_matrix(arguments, points, error) : read_lists(arguments, points, error);
}

static costab_status cli_classify(const cli_arguments *arguments, costab_error *error) {
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

const cli_command cli_classify_command = {
    .name = "classify",
    .summary = "classify points of the planar system",
    .details = "Prints, for every point and scheme, trace and determinant of the macro step's map, its "
               "spectral radius, with strong coupling the iteration radius, the class (costab help classes) "
               "and, if the map is unstable, why. Lists stand for all combinations.",
    .examples = "costab classify --a 0.5 --gamma -2 --delta 3\n"
                "costab classify --a -1,0,1 --gamma -4:0:5 --delta 3 --scheme zigzag\n"
                "costab classify --points points.csv --scheme cross,strong --method heun\n"
                "costab classify --matrix 10,3000,-2767,-110 --step 1e-3",
    .options = {&opt_a_list, &opt_gamma, &opt_delta, &opt_points, &opt_matrix, &opt_step, CLI_PLANAR,
                CLI_TABLE, CLI_COMMON},
    .run = cli_classify};
