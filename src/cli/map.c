/* costab map: one point of a network. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/network.h"
#include "cli/table.h"

typedef struct eigenvalue {
    double re, im;
} eigenvalue;

/* Largest modulus first; a pair with its positive imaginary part first. */
static int compare(const void *left, const void *right) {
    const eigenvalue *a = left, *b = right;
    double p = hypot(a->re, a->im), q = hypot(b->re, b->im);
    /* The two of a pair have the same modulus, but for rounding. */
    if (fabs(p - q) > 1e-12 * (p + q)) return p < q ? 1 : -1;
    if (a->re != b->re) return a->re < b->re ? 1 : -1;
    return a->im < b->im ? 1 : a->im > b->im ? -1 : 0;
}

static void number_row(cli_table *table, const char *coupling, const char *name, double value) {
    cli_table_text(table, coupling);
    cli_table_text(table, name);
    if (isnan(value))
        cli_table_empty(table);
    else
        cli_table_number(table, value);
}

static void text_row(cli_table *table, const char *coupling, const char *name, const char *value) {
    cli_table_text(table, coupling);
    cli_table_text(table, name);
    cli_table_text(table, value);
}

static costab_status eigenvalue_rows(cli_table *table, const char *coupling, const costab_network_work *work,
                                     int size, costab_error *error) {
    const double *re = costab_network_eigenvalues_real(work),
                 *im = costab_network_eigenvalues_imaginary(work);
    eigenvalue *all = memory_alloc((size_t)size, sizeof *all);
    if (all == NULL) return error_memory(error);
    for (int i = 0; i < size; i++) all[i] = (eigenvalue){re[i], im[i]};
    qsort(all, (size_t)size, sizeof *all, compare);
    for (int i = 0; i < size; i++) {
        char value[80];
        snprintf(value, sizeof value, "%.17g %.17g", all[i].re, all[i].im);
        text_row(table, coupling, "eigenvalue", value);
    }
    memory_free(all);
    return COSTAB_OK;
}

/* One row a row of the map: its name says which entry of the state it gives. */
static costab_status matrix_rows(cli_table *table, const char *coupling, const costab_network_work *work,
                                 int size, costab_error *error) {
    const double *parts[2];
    costab_network_matrix(work, &parts[0], &parts[1]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < size && parts[k] != NULL; i++) {
            char label[300], name[320];
            text value = {0};
            costab_network_label(work, i, label, sizeof label);
            snprintf(name, sizeof name, "%s %s", k == 0 ? "row" : "imaginary", label);
            for (int j = 0; j < size; j++)
                text_printf(&value, "%s%.17g", j > 0 ? " " : "", parts[k][i * size + j]);
            if (value.failed) return error_memory(error);
            text_row(table, coupling, name, value.data);
            text_free(&value);
        }
    return COSTAB_OK;
}

static costab_status coupling_rows(cli_table *table, cli_network *network, int c, bool matrix,
                                   costab_error *error) {
    const char *name = network->couplings[c].name;
    const costab_network *model = costab_model_instance_network(network->instance);
    costab_coupling coupling;
    costab_network_point point;
    costab_status status = cli_network_coupling(network, c, &coupling, error);
    if (!status) status = costab_coupling_check(model, &coupling, error);
    if (!status) status = costab_network_analyse(network->work, model, &coupling, &point, error);
    if (status) return status;
    number_row(table, name, "size", point.size);
    number_row(table, name, "spectral_radius", point.spectral_radius);
    number_row(table, name, "rounding", point.rounding);
    number_row(table, name, "spectral_abscissa", point.spectral_abscissa);
    number_row(table, name, "iteration_radius", point.iteration_radius);
    number_row(table, name, "period", (double)point.period);
    text_row(table, name, "class", cli_network_class(&point));
    status = eigenvalue_rows(table, name, network->work, point.size, error);
    if (!status && matrix) status = matrix_rows(table, name, network->work, point.size, error);
    return status;
}

costab_status cli_map(const cli_arguments *arguments, costab_error *error) {
    cli_network network;
    cli_table table;
    costab_status status = cli_network_open(&network, arguments, error);
    if (!status) status = cli_table_begin(&table, arguments, "coupling,name,value", error);
    for (int c = 0; c < network.coupling_count && !status; c++)
        status = coupling_rows(&table, &network, c, arguments->values[OPTION_MAP_MATRIX] != NULL, error);
    if (!status) status = cli_table_end(&table, error);
    cli_network_close(&network);
    return status;
}
