/* How close a model is to another class: margin MODEL.yaml. Prints the margins of all parameters, gains and
 * delays under the model's first coupling as CSV, with radii and disk margins, then frequency, growth rate
 * and the subsystems' shares of its leading modes. Exit status: 0 done, 1 failed.
 *
 *     cc margin.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <math.h>
#include <stdio.h>

static void number(double value) {
    if (isnan(value))
        printf(",");
    else
        printf(",%.17g", value);
}

static void print_margin(const costab_margin *row, const costab_network *network) {
    printf("%s,%s,%s", costab_margin_kind_name(row->kind), row->name,
           row->side < 0   ? "lower"
           : row->side > 0 ? "upper"
                           : "");
    number(row->value);
    number(row->factor);
    printf(",%s,%s", costab_class_name(row->class_code), costab_passes_name(row->cause));
    number(row->frequency);
    printf(",%s", row->blame >= 0 ? network->subsystems[row->blame].name : "");
    number(row->share);
    printf("\n");
}

static void print_modes(const costab_modes *modes) {
    for (int m = 0; m < modes->count; m++) {
        printf("%.17g,%.17g", modes->modes[m].frequency, modes->modes[m].growth);
        for (int s = 0; s < modes->subsystems; s++)
            printf(",%.17g", modes->shares[m * modes->subsystems + s]);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    costab_error error;
    costab_spec *spec = NULL;
    costab_model_instance *instance = NULL;
    costab_margins margins = {.count = 0};
    costab_modes modes = {.count = 0};
    if (argc != 2) {
        fprintf(stderr, "usage: margin MODEL.yaml\n");
        return 1;
    }
    costab_status status = costab_spec_read(argv[1], &spec, &error);
    if (!status && spec->model == NULL) {
        fprintf(stderr, "%s: not a network\n", argv[1]);
        return 1;
    }
    if (!status) status = costab_model_instance_create(spec->model, &instance, &error);
    if (!status) {
        costab_variant variant = {.model = spec->model};
        costab_margin_options options = {.connections = true};
        status = costab_margins_find(&variant, &options, &margins, &error);
    }
    if (!status)
        status = costab_network_modes(costab_model_instance_network(instance),
                                      costab_model_instance_coupling(instance, 0), COSTAB_MODES_MAP, 6,
                                      &modes, &error);
    for (size_t i = 0; i < margins.count && !status; i++)
        if (margins.rows[i].coupling == 0)
            print_margin(&margins.rows[i], costab_model_instance_network(instance));
    if (!status) print_modes(&modes);
    if (status) fprintf(stderr, "%s\n", error.message);
    costab_modes_free(&modes);
    costab_margins_free(&margins);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
    return status ? 1 : 0;
}
