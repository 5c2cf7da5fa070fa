/* Rate of a network sweep: rings of 2, 4, 8 and 16 oscillators (4 to 32 states), jacobi, RK4, 64 x 256 points
 * over the stiffness of the coupling and the macro step, on one thread and on all, through the sweep's own
 * evaluator. Once the class alone is asked for, which most points have without eigenvalues; once with the
 * stiffness as the last axis, along which all matrices change; once the decay too, the logarithm of the
 * spectral radius, which has every point analysed in full; once the radius itself, for which the places where
 * it passes 1 are found on the edges of the grid; and once the class over stiffness and damping at one macro
 * step, where no point has a matrix of another one. Beside it a bare loop of LAPACKE_dgeev on one thread,
 * over maps of the same sweep that lie ready. The best of several rounds counts: of as many as fill half a
 * second, as a run of a few milliseconds on two threads is often one for which a thread had to wait. */
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "costab/study.h"
#include "support/nowhere.h"

enum { ROUNDS = 3, MAPS = 64, POINTS = 64 * 256, SIZE_MAX_BENCH = 32 };
#define SECONDS 0.5

typedef struct sweep_axis {
    const char *name;
    double from, to;
    int points;
} sweep_axis;

static const sweep_axis stiffness = {"k", 0.1, 10, 64}, step = {"H", 0.01, 1.5, 256},
                        damping = {"c", 0.01, 1.5, 256};

/* The second axis is the last one, along which a row's points lie. */
typedef struct sweep_kind {
    const char *name;
    const sweep_axis *axes[2];
    const char *fields;
} sweep_kind;

/* Oscillators in a ring of springs: each takes the sum of its neighbours' positions. */
static void write_model(char *text, size_t size, int oscillators, const sweep_kind *kind) {
    int n = snprintf(text, size, "system: network\nparameters: {k: 1, c: 1, H: 0.1}\nsubsystems:\n");
    for (int i = 0; i < oscillators; i++)
        n += snprintf(
            text + n, size - (size_t)n,
            "  - {name: m%d, A: [[0, 1], [-1 - 2*k, -c]], B: [[0], [k]], C: [[1, 0]], inputs: [u], outputs: "
            "[y], method: rk4, substeps: 1}\n",
            i);
    n += snprintf(text + n, size - (size_t)n, "connections:\n");
    for (int i = 0; i < oscillators; i++)
        for (int side = 1; side<oscillators; side += oscillators> 2 ? oscillators - 2 : 1)
            n += snprintf(text + n, size - (size_t)n, "  - {from: m%d.y, to: m%d.u}\n",
                          (i + side) % oscillators, i);
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

int main(void) {
    static const sweep_kind kinds[] = {
        {"class", {&stiffness, &step}, "class"},
        {"class along the stiffness", {&step, &stiffness}, "class"},
        {"radius", {&stiffness, &step}, "class, decay"},
        {"radius and its level 1", {&stiffness, &step}, "class, spectral_radius"},
        {"class over the damping", {&stiffness, &damping}, "class"}};
    for (int oscillators = 2; oscillators <= 16; oscillators *= 2)
        for (size_t f = 0; f < sizeof kinds / sizeof *kinds; f++) {
            char text[8192];
            costab_error error = {.message = ""};
            costab_spec *spec = NULL;
            write_model(text, sizeof text, oscillators, &kinds[f]);
            check(costab_spec_parse("bench.yaml", text, strlen(text), &spec, &error), &error);
            rates sweep = sweep_rates(spec);
            double lapack = lapack_rate(spec, &kinds[f], 2 * oscillators);
            printf(
                "network sweep, %d states, %s: %.3g points/s on one thread, %.3g on all; bare LAPACKE_dgeev "
                "on one thread %.3g/s; ratio on one thread %.2f\n",
                2 * oscillators, kinds[f].name, sweep.one, sweep.all, lapack, sweep.one / lapack);
            costab_spec_destroy(&spec);
        }
    return EXIT_SUCCESS;
}
