/* A time history of a model and its monolithic solution, with parameters set: simulate MODEL.yaml UNTIL
 * [NAME VALUE]... Prints the signals at communication points as CSV. Exit status: 0 done, 1 failed or
 * diverged.
 *
 *     cc simulate.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes one row; false would stop the simulation. */
static bool print(void *context, const costab_row *row) {
    const costab_network *network = context;
    char name[COSTAB_SIGNAL_NAME_MAX];
    if (!row->communication || row->subsystem < 0) return true;
    printf("%.17g,%s,%s,%.17g,%.17g\n", row->t, network->subsystems[row->subsystem].name,
           costab_signal_name(network, row->subsystem, row->kind, row->index, name), row->value,
           row->monolithic);
    return ferror(stdout) == 0;
}

static costab_status run(costab_model_instance *instance, double until, costab_error *error) {
    const costab_network *network = costab_model_instance_network(instance);
    costab_simulate_options options = {.until = until, .monolithic = true};
    costab_simulate_outcome outcome;
    printf("t,subsystem,signal,value,monolithic\n");
    costab_status status = costab_network_simulate(network, costab_model_instance_coupling(instance, 0),
                                                   &options, print, (void *)network, &outcome, error);
    if (!status && outcome.diverged) {
        fprintf(stderr, "diverged at t = %g\n", outcome.t);
        exit(1);
    }
    return status;
}

int main(int argc, char **argv) {
    costab_error error;
    costab_spec *spec = NULL;
    costab_model_instance *instance = NULL;
    if (argc < 3) {
        fprintf(stderr, "usage: simulate MODEL.yaml UNTIL [NAME VALUE]...\n");
        return 1;
    }
    costab_status status = costab_spec_read(argv[1], &spec, &error);
    if (!status) status = costab_model_instance_create(spec->model, &instance, &error);
    for (int k = 3; k + 1 < argc && !status; k += 2) {
        int parameter;
        status = costab_model_find_parameter(spec->model, argv[k], &parameter, &error);
        if (!status) costab_model_instance_set(instance, parameter, atof(argv[k + 1]));
    }
    if (!status) status = costab_model_instance_update(instance, &error);
    if (!status) status = run(instance, atof(argv[2]), &error);
    if (status) fprintf(stderr, "%s\n", error.message);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
    return !status ? 0 : 1;
}
