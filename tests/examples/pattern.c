/* Whether steps of a model may follow each other in any order: pattern MODEL.yaml STEP... Prints the bounds
 * of the growth per step and per second under the model's first coupling, and a cycle of steps that attains
 * the lower one. Exit status: 0 done, 1 failed.
 *
 *     cc pattern.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS_MAX = 16 };

int main(int argc, char **argv) {
    costab_error error;
    costab_spec *spec = NULL;
    costab_model_instance *instance = NULL;
    costab_pattern pattern = {.length = 0};
    double steps[STEPS_MAX];
    int count = 0;
    if (argc < 3 || argc > 2 + STEPS_MAX) {
        fprintf(stderr, "usage: pattern MODEL.yaml STEP...\n");
        return 1;
    }
    for (int i = 2; i < argc; i++) steps[count++] = atof(argv[i]);
    costab_status status = costab_spec_read(argv[1], &spec, &error);
    if (!status && spec->model == NULL) {
        fprintf(stderr, "%s: not a network\n", argv[1]);
        return 1;
    }
    if (!status) status = costab_model_instance_create(spec->model, &instance, &error);
    if (!status)
        status = costab_pattern_steps(costab_model_instance_network(instance),
                                      costab_model_instance_coupling(instance, 0), steps, count, NULL,
                                      &pattern, &error);
    if (!status) {
        printf("lower,%.17g\nupper,%.17g\nrate_lower,%.17g\nrate_upper,%.17g\npattern,", pattern.lower,
               pattern.upper, pattern.rate_lower, pattern.rate_upper);
        for (size_t k = 0; k < pattern.length; k++) printf("%s%.17g", k > 0 ? " " : "", pattern.steps[k]);
        printf("\n");
    }
    if (status) fprintf(stderr, "%s\n", error.message);
    costab_pattern_free(&pattern);
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
    return status ? 1 : 0;
}
