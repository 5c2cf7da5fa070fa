/* Rate of the in-memory class fill, 4 schemes x 3 a x 2001 x 2001 points on one thread, as a ratio to memset of as many
 * bytes, in the same run. Both fill the same buffer, whose pages are there already; the best of several rounds counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "costab/planar.h"

enum { N = 2001, ROUNDS = 9, SLICES = 12 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(const costab_planar *planar, double a, const double *gamma, const double *delta, unsigned char *out) {
    costab_planar_slice slice = costab_planar_at(planar, a);
    for (size_t g = 0; g < N; g++) costab_planar_class_row(&slice, gamma[g], N, delta, out + g * N);
}

int main(void) {
    static const double values_of_a[3] = {-0.5, 0, 0.5};
    size_t points = (size_t)N * N, bytes = SLICES * points;
    double *gamma = malloc(N * sizeof *gamma), *delta = malloc(N * sizeof *delta);
    unsigned char *out = malloc(bytes);
    costab_method method;
    costab_planar planar[COSTAB_SCHEME_COUNT];
    if (gamma == NULL || delta == NULL || out == NULL || costab_method_find("rk4", &method, NULL) != COSTAB_OK)
        return EXIT_FAILURE;
    for (size_t i = 0; i < N; i++) {
        gamma[i] = number_linspace(-6, 2, N, i);
        delta[i] = number_linspace(-2, 14, N, i);
    }
    for (int s = 0; s < COSTAB_SCHEME_COUNT; s++)
        if (costab_planar_init(&planar[s], (costab_scheme)s, &method, 1, 1, NULL) != COSTAB_OK) return EXIT_FAILURE;

    double fastest = 1e9, memory = 1e9, by_scheme[COSTAB_SCHEME_COUNT] = {1e9, 1e9, 1e9, 1e9};
    memset(out, 7, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        double t0 = now();
        memset(out, round, bytes);
        double t1 = now(), sum = 0;
        memory = t1 - t0 < memory ? t1 - t0 : memory;
        for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) {
            double begin = now();
            for (int k = 0; k < 3; k++)
                fill(&planar[s], values_of_a[k], gamma, delta, out + ((size_t)s * 3 + (size_t)k) * points);
            double spent = now() - begin;
            sum += spent;
            by_scheme[s] = spent < by_scheme[s] ? spent : by_scheme[s];
        }
        fastest = sum < fastest ? sum : fastest;
    }
    printf("class fill, one thread, %zu points: %.3g points/s; memset %.3g bytes/s; ratio %.2f\n", bytes,
           (double)bytes / fastest, (double)bytes / memory, memory / fastest);
    for (int s = 0; s < COSTAB_SCHEME_COUNT; s++)
        printf("  %-10s ratio %.2f\n", costab_scheme_name((costab_scheme)s), memory / 4 / by_scheme[s]);
    free(gamma);
    free(delta);
    free(out);
    return EXIT_SUCCESS;
}
