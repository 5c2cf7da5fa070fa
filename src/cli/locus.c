/* costab map --over: the eigenvalues along a parameter, those of the continuous system last where they are
 * asked for. A table of where they pass the unit circle (or the imaginary axis); as a file with axes
 * coupling, parameter, curve, sample and crossing, which `costab plot` draws as curves. Couplings with fewer
 * curves, samples or crossings are filled up with NaN. */
#include "costab/locus.h"
#include "base/error.h"
#include "base/memory.h"
#include "cli/network.h"
#include "cli/progress.h"
#include "cli/table.h"

typedef struct loci {
    cli_network *network;
    progress bar;
    const char *parameter;
    int done, count; /* the couplings, and the continuous system behind them */
    costab_names names;
    costab_locus_row *of;
} loci;

static bool show_progress(void *context, double share) {
    enum { STEPS = 1000 };
    loci *l = context;
    return progress_follow(&l->bar, (size_t)l->done * STEPS + (size_t)(share * STEPS),
                           (size_t)l->count * STEPS);
}

static void tell(const loci *l, int c) {
    if (l->of[c].locus.undecided)
        cli_print(
            stderr,
            "costab map: %s: some ends of stability are undecided and may not be marked; costab limit tells "
            "which\n",
            l->names.of[COSTAB_LIST_COUPLINGS][c]);
}

costab_status cli_locus(cli_network *network, const cli_arguments *arguments, costab_error *error) {
    loci l = {.network = network};
    int parameter;
    double range[2];
    costab_status status = cli_network_range(
        network, &opt_over_curves, cli_value(arguments, &opt_over_curves), &parameter, range, error);
    if (status) return status;
    costab_locus_options options = {
        .lower = range[0], .upper = range[1], .progress = show_progress, .progress_context = &l};
    const bool file = cli_value(arguments, &opt_output_history) != NULL;
    l.parameter = network->model->parameters[parameter].name;
    l.count = network->coupling_count + (cli_value(arguments, &opt_continuous) != NULL);
    status = cli_row_names(network, &l.names, error);
    if (!status) status = memory_make(&l.of, (size_t)l.count, error);
    l.names.counts[COSTAB_LIST_COUPLINGS] = l.count;
    l.names.of[COSTAB_LIST_PARAMETERS] = &l.parameter;
    l.names.counts[COSTAB_LIST_PARAMETERS] = 1;
    l.names.unit = costab_model_parameter_unit(network->model, parameter);
    progress_begin(&l.bar, arguments, "values");
    for (; l.done < l.count && !status; l.done++) {
        options.continuous = l.done >= network->coupling_count;
        l.of[l.done] = (costab_locus_row){.coupling = l.done, .continuous = options.continuous};
        status = costab_model_locus(&network->asked, options.continuous ? 0 : l.done, l.parameter, &options,
                                    &l.of[l.done].locus, error);
        progress_end(&l.bar);
        if (status) break;
        if (!file && l.done == 0) table_begin_rows(arguments, &costab_locus_record);
        if (!file) table_row(&costab_locus_record, &l.of[l.done], &l.names);
        tell(&l, l.done);
    }
    if (!status)
        status = file ? cli_write_rows(network, &costab_locus_record, l.of, (size_t)l.count, &l.names, error)
                      : table_end(error);
    for (int c = 0; c < l.count && l.of != NULL; c++) costab_locus_free(&l.of[c].locus);
    cli_row_names_free(&l.names);
    memory_free(l.of);
    return status;
}
