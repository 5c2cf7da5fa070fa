/* costab boundary: boundary curves as polylines. */
#include "base/memory.h"
#include "cli/table.h"
#include "cli/value.h"

/* Pieces are numbered from 0 within each kind of curve. */
static void print_boundary(cli_table *table, const costab_planar *planar, double a,
                           const costab_boundary *boundary) {
    size_t piece = 0;
    for (size_t c = 0; c < boundary->count; c++) {
        const costab_curve *curve = &boundary->curves[c];
        piece = c > 0 && boundary->curves[c - 1].cause == curve->cause ? piece + 1 : 0;
        for (size_t i = 0; i < curve->count; i++) {
            cli_table_planar(table, planar);
            cli_table_numbers(table, a);
            cli_table_text(table, cli_cause_name(curve->cause));
            cli_table_numbers(table, (double)piece, curve->gamma[i], curve->delta[i]);
        }
    }
}

costab_status cli_boundary(const cli_arguments *arguments, costab_error *error) {
    static const double default_gamma[2] = {-6, 2}, default_delta[2] = {-4, 14};
    cli_planar planar;
    cli_table table;
    double *a = NULL, gamma[2], delta[2];
    size_t count = 0;
    costab_status status = cli_planar_options(arguments, &planar, error);
    if (!status) status = cli_list(arguments, OPTION_A_LIST, &a, &count, error);
    if (!status) status = cli_window(arguments, OPTION_GAMMA_WINDOW, default_gamma, gamma, error);
    if (!status) status = cli_window(arguments, OPTION_DELTA_WINDOW, default_delta, delta, error);
    if (!status)
        status =
            cli_table_begin(&table, arguments, "scheme,method,substeps,a,curve,piece,gamma,delta", error);
    for (int s = 0; s < planar.count && !status; s++)
        for (size_t i = 0; i < count && !status; i++) {
            costab_boundary boundary;
            status = costab_planar_boundary(&planar.schemes[s], a[i], gamma, delta, &boundary, error);
            if (status) break;
            print_boundary(&table, &planar.schemes[s], a[i], &boundary);
            costab_boundary_free(&boundary);
        }
    if (!status) status = cli_table_end(&table, error);
    memory_free(a);
    return status;
}
