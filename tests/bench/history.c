/* Time of a history in memory: rings of oscillators (20 and 200 states), jacobi, one RK4 step per macro step,
 * co-simulation and monolithic solution, every signal of every communication point handed
 * to a sink that keeps it. Beside it, in tests/bench/history.py, NumPy's loop of two matrix-vector products.
 * The best of several rounds counts. Arguments: STATES STEPS, for the seconds of that alone. */
#include <string.h>

#include "bench.h"
#include "costab/spec.h"

enum { ROUNDS = 3, TEXT_SIZE = 1 << 16, KEPT = 1 << 12 };

#define MACRO_STEP 0.01

static void write_model(char *text, int oscillators) {
    int n = snprintf(text, TEXT_SIZE, "system: network\nsubsystems:\n");
    for (int i = 0; i < oscillators; i++)
        n += snprintf(
            text + n, TEXT_SIZE - (size_t)n,
            "  - {name: s%d, A: [[0, 1], [-3, -0.1]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], "
            "x0: [%d, 0], method: rk4, substeps: 1}\n",
            i, i == 0);
    n += snprintf(text + n, TEXT_SIZE - (size_t)n, "connections:\n");
    for (int i = 0; i < oscillators; i++)
        n += snprintf(text + n, TEXT_SIZE - (size_t)n,
                      "  - {from: s%d.x, to: s%d.l}\n  - {from: s%d.x, to: s%d.r}\n", i,
                      (i + 1) % oscillators, i, (i + oscillators - 1) % oscillators);
    snprintf(text + n, TEXT_SIZE - (size_t)n, "coupling: {scheme: jacobi, macro_step: %g}\n", MACRO_STEP);
}

/* The last values, over and over. */
typedef struct keeper {
    double values[KEPT], monolithic[KEPT];
    size_t rows;
} keeper;

static bool keep(void *context, const costab_row *row) {
    keeper *k = context;
    k->values[k->rows % KEPT] = row->value;
    k->monolithic[k->rows++ % KEPT] = row->monolithic;
    return true;
}

static double measure(int states, long steps) {
    static char text[TEXT_SIZE];
    static keeper kept;
    costab_error error = {.message = ""};
    costab_spec *spec = NULL;
    costab_model_instance *instance = NULL;
    costab_simulate_options options = {.until = ((double)steps + 0.5) * MACRO_STEP, .monolithic = true};
    costab_simulate_outcome outcome;
    write_model(text, states / 2);
    check(costab_spec_parse("ring.yaml", text, strlen(text), &spec, &error), &error);
    check(costab_model_instance_create(spec->model, &instance, &error), &error);
    check(costab_model_instance_update(instance, &error), &error);
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        check(costab_network_simulate(costab_model_instance_network(instance),
                                      costab_model_instance_coupling(instance, 0), &options, keep, &kept,
                                      &outcome, &error),
              &error);
        double spent = now() - begin;
        best = spent < best ? spent : best;
    }
    costab_model_instance_destroy(&instance);
    costab_spec_destroy(&spec);
    return best;
}

int main(int argc, char **argv) {
    static const struct {
        int states;
        long steps;
    } runs[] = {{20, 200000}, {200, 20000}};
    if (argc == 3) {
        printf("%g\n", measure(atoi(argv[1]), atol(argv[2])));
        return EXIT_SUCCESS;
    }
    for (int k = 0; k < 2; k++) {
        double seconds = measure(runs[k].states, runs[k].steps);
        printf("history in memory, %d states, %ld steps: %.2f s, %.2g steps/s\n", runs[k].states,
               runs[k].steps, seconds, (double)runs[k].steps / seconds);
    }
    return EXIT_SUCCESS;
}
