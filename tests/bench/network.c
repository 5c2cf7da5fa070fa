/* Rate of a network sweep: rings of 1 to 16 oscillators (2 to 32 states) and of 1 to 32 lags, jacobi, RK4,
 * 64 x 256 points, on one thread and on all, through the sweep's own evaluator. Oscillators are swept over
 * the stiffness of the coupling and the macro step: once with the class alone, which most points have without
 * eigenvalues; once with the stiffness as the last axis, along which all matrices change; once the decay too,
 * the logarithm of the spectral radius, which has every point analysed in full; once the radius itself, for
 * which the places where it passes 1 are found on the edges of the grid; and class and radius over stiffness
 * and damping at one macro step, where no two points share a matrix. The lags are swept for the radius alone:
 * their feedback makes them unstable without any turn, and steps that are too long do, too: on all edges it
 * is an eigenvalue +1 that passes. For comparison, a bare loop of LAPACKE_dgeev on one thread, over maps of
 * the same sweep that lie ready. The best of several rounds counts: of as many as fill half a second, as a
 * run of a few milliseconds on two threads is often one for which a thread had to wait. */
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "costab/study.h"
#include "study/create.h"
#include "support/nowhere.h"
#include "sweep/run.h"

enum { ROUNDS = 3, MAPS = 64, POINTS = 64 * 256, SIZE_MAX_BENCH = 32 };
#define SECONDS 0.5

typedef struct sweep_axis {
    const char *name;
    double from, to;
    int points;
} sweep_axis;

static const sweep_axis stiffness = {"k", 0.1, 10, 64}, step = {"H", 0.01, 1.5, 256},
                        damping = {"c", 0.01, 1.5, 256}, gain = {"k", 0.1, 2, 64};

/* The parts of a ring: a subsystem's equations, in k and c. Its input is the sum of its neighbours'
 * outputs.
 */
typedef struct ring {
    int states;
    const char *subsystem;
} ring;

static const ring oscillators = {2, "A: [[0, 1], [-1 - 2*k, -c]], B: [[0], [k]], C: [[1, 0]]"},
                  lags = {1, "A: [[-1 - c]], B: [[k]], C: [[1]]"};

/* The second axis is the last one, along which a row's points lie. */
typedef struct sweep_kind {
    const char *name;
    const ring *of;
    const sweep_axis *axes[2];
    const char *fields;
} sweep_kind;

/* Two are neighbours once, and one alone is its own. */
static void write_model(char *text, size_t size, int count, const sweep_kind *kind) {
    int n = snprintf(text, size, "system: network\nparameters: {k: 1, c: 1, H: 0.1}\nsubsystems:\n");
    for (int i = 0; i < count; i++)
        n += snprintf(text + n, size - (size_t)n,
                      "  - {name: m%d, %s, inputs: [u], outputs: [y], method: rk4, substeps: 1}\n", i,
                      kind->of->subsystem);
    n += snprintf(text + n, size - (size_t)n, "connections:\n");
    for (int i = 0; i < count; i++)
        for (int side = 1; side == 1 || side<count; side += count> 2 ? count - 2 : count)
            n +=
                snprintf(text + n, size - (size_t)n, "  - {from: m%d.y, to: m%d.u}\n", (i + side) % count, i);
    n += snprintf(text + n, size - (size_t)n, "coupling: {scheme: jacobi, macro_step: H}\naxes:\n");
    for (int i = 0; i < 2; i++)
        n += snprintf(text + n, size - (size_t)n, "  %s: {from: %g, to: %g, points: %d}\n",
                      kind->axes[i]->name, kind->axes[i]->from, kind->axes[i]->to, kind->axes[i]->points);
    snprintf(text + n, size - (size_t)n, "fields: [%s]\n", kind->fields);
}

static double sweep_seconds(const costab_study *study, int threads) {
    costab_error error = {.message = ""};
    costab_evaluator evaluator = costab_study_evaluator(study);
    costab_run_options options = {.threads = threads};
    double best = 1e9, sum = 0;
    for (int round = 0; round < ROUNDS || sum < SECONDS; round++) {
        double begin = now();
        check(costab_run(costab_study_plan(study), &evaluator, &nowhere_sink, &options, &error), &error);
        double spent = now() - begin;
        best = spent < best ? spent : best;
        sum += spent;
    }
    return best;
}

typedef struct rates {
    double one, all;
} rates; /* points per second, on one thread and on all */

static rates sweep_rates(costab_spec *spec) {
    costab_error error = {.message = ""};
    costab_study *study = NULL;
    check(costab_study_create(spec, &study, &error), &error);
    rates found = {POINTS / sweep_seconds(study, 1), POINTS / sweep_seconds(study, 0)};
    costab_study_destroy(&study);
    return found;
}

/* Maps from all over the grid. */
static void take_maps(costab_spec *spec, const sweep_kind *kind, int n,
                      double maps[MAPS][SIZE_MAX_BENCH * SIZE_MAX_BENCH]) {
    costab_error error = {.message = ""};
    costab_model_instance *instance = NULL;
    costab_network_work *work = NULL;
    check(costab_model_instance_create(spec->model, &instance, &error), &error);
    check(costab_network_work_create(&work, &error), &error);
    for (int m = 0; m < MAPS; m++) {
        costab_network_point point;
        const double *map, *imaginary;
        for (int i = 0; i < 2; i++) {
            const sweep_axis *axis = kind->axes[i];
            costab_model_instance_set(instance, spec->axis_parameters[i],
                                      axis->from + (axis->to - axis->from) * (i == 0 ? m % 8 : m / 8) / 7.0);
        }
        check(costab_model_instance_update(instance, &error), &error);
        check(costab_network_analyse(work, costab_model_instance_network(instance),
                                     costab_model_instance_coupling(instance, 0), &point, &error),
              &error);
        costab_network_matrix(work, &map, &imaginary);
        memcpy(maps[m], map, (size_t)(n * n) * sizeof *map);
    }
    costab_network_work_destroy(&work);
    costab_model_instance_destroy(&instance);
}

static double lapack_rate(costab_spec *spec, const sweep_kind *kind, int n) {
    static double maps[MAPS][SIZE_MAX_BENCH * SIZE_MAX_BENCH];
    double copy[SIZE_MAX_BENCH * SIZE_MAX_BENCH], re[SIZE_MAX_BENCH], im[SIZE_MAX_BENCH], best = 1e9;
    take_maps(spec, kind, n, maps);
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (int i = 0; i < POINTS; i++) {
            memcpy(copy, maps[i % MAPS], (size_t)(n * n) * sizeof(double));
            if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, copy, n, re, im, NULL, 1, NULL, 1) != 0)
                exit(EXIT_FAILURE);
        }
        double spent = now() - begin;
        best = spent < best ? spent : best;
    }
    return POINTS / best;
}

static void measure(const sweep_kind *kind, int count) {
    char text[8192];
    costab_error error = {.message = ""};
    costab_spec *spec = NULL;
    int states = count * kind->of->states;
    write_model(text, sizeof text, count, kind);
    check(costab_spec_parse("bench.yaml", text, strlen(text), &spec, &error), &error);
    rates sweep = sweep_rates(spec);
    double lapack = lapack_rate(spec, kind, states);
    printf("network sweep, %d states, %s: %.3g points/s on one thread, %.3g on all; bare LAPACKE_dgeev "
           "on one thread %.3g/s; ratio on one thread %.2f\n",
           states, kind->name, sweep.one, sweep.all, lapack, sweep.one / lapack);
    (void)fflush(stdout);
    costab_spec_destroy(&spec);
}

/* Arguments: none, all sizes; or one number of states, and if wanted a part of the names of what is measured.
 */
int main(int argc, char **argv) {
    static const sweep_kind kinds[] = {
        {"class", &oscillators, {&stiffness, &step}, "class"},
        {"class along the stiffness", &oscillators, {&step, &stiffness}, "class"},
        {"radius", &oscillators, {&stiffness, &step}, "class, decay"},
        {"radius and its level 1", &oscillators, {&stiffness, &step}, "class, spectral_radius"},
        {"radius and its level 1 over the damping",
         &oscillators,
         {&stiffness, &damping},
         "class, spectral_radius"},
        {"class over the damping", &oscillators, {&stiffness, &damping}, "class"},
        {"radius and its level 1 of lags", &lags, {&gain, &step}, "class, spectral_radius"},
        {"radius and its level 1 of lags over the damping",
         &lags,
         {&gain, &damping},
         "class, spectral_radius"}};
    static const int sizes[] = {1, 2, 3, 4, 8, 16, 31, 32};
    int wanted = argc > 1 ? atoi(argv[1]) : 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t f = 0; f < sizeof kinds / sizeof *kinds; f++) {
            if (sizes[i] % kinds[f].of->states != 0 || (wanted > 0 && wanted != sizes[i])) continue;
            if (argc > 2 && strstr(kinds[f].name, argv[2]) == NULL) continue;
            measure(&kinds[f], sizes[i] / kinds[f].of->states);
        }
    return EXIT_SUCCESS;
}
