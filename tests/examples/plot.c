/* The figure of a results file, in another style than that of its spec: plot FILE.h5 NAME [COLOURS] writes
 * NAME.gp, NAME.dat and, where gnuplot is installed, NAME.pdf. COLOURS: colour, grey or black.
 *
 *     cc plot.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>

int main(int argc, char **argv) {
    costab_error error;
    costab_plot_outcome outcome = {.gnuplot_missing = false};
    costab_results *results = NULL;
    if (argc < 3) {
        fprintf(stderr, "usage: plot FILE.h5 NAME [COLOURS]\n");
        return 1;
    }
    const char *const size[] = {"8cm", "6cm"}, *const colours[] = {argc > 3 ? argv[3] : "grey"};
    const costab_figure_choice choices[] = {{.key = "size", .values = size, .count = 2},
                                            {.key = "colours", .values = colours, .count = 1}};
    costab_plot_options options = {
        .folder = ".", .name = argv[2], .formats = "pdf", .choices = choices, .choice_count = 2};
    costab_status status = costab_results_open(argv[1], &results, &error);
    if (!status) {
        const costab_plan *plan = costab_results_plan(results);
        printf("%s: %d fields over", costab_results_title(results), plan->field_count);
        for (int k = 0; k < plan->axis_count; k++)
            printf(" %s (%zu)", plan->axes[k].name, plan->axes[k].count);
        printf("\n");
        status = costab_plot(results, &options, &outcome, &error);
    }
    costab_results_close(&results);
    if (status) fprintf(stderr, "%s\n", error.message);
    if (outcome.gnuplot_missing) fprintf(stderr, "gnuplot is not installed: script and data only\n");
    return !status ? 0 : 1;
}
