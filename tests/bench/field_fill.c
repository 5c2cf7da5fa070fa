/* Rate of the float fields in memory as a ratio to memcpy of as many bytes, in the same run, on one thread:
 * rows of 2001 points of the window of the class sweep are written one after the other into a block, of a
 * tile's size (1 MiB, as in a run) and of 64 MiB (beyond the caches); memcpy fills the same block from
 * another one. The rows' coefficients count. The best of several rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "costab/planar.h"

enum { ROUNDS = 7, WIDTH = 2001, ROWS = 2001 };

static const double window[4] = {-6, 2, -2, 14}; /* gamma, delta */

/* Seconds for `rows` rows of a field, the block being used again and again. */
static double fill(const costab_planar *planar, int field, size_t block_rows, size_t rows, double *block) {
    static double delta[WIDTH];
    for (int i = 0; i < WIDTH; i++) delta[i] = window[2] + (window[3] - window[2]) * i / (WIDTH - 1);
    costab_planar_slice slice = costab_planar_at(planar, 0.5);
    double begin = now();
    for (size_t r = 0; r < rows; r++) {
        double gamma = window[0] + (window[1] - window[0]) * (double)(r % ROWS) / (ROWS - 1);
        double *at = block + r % block_rows * WIDTH;
        costab_planar_fields fields = {field == 0 ? at : NULL, field == 1 ? at : NULL, field == 2 ? at : NULL,
                                       NULL};
        costab_planar_field_row(&slice, gamma, WIDTH, delta, &fields);
    }
    return now() - begin;
}

static double copy(const double *source, size_t block_rows, size_t rows, double *block) {
    double begin = now();
    for (size_t r = 0; r < rows; r += block_rows) {
        memcpy(block, source, block_rows * WIDTH * sizeof *block);
        __asm__ volatile("" ::"r"(block) : "memory"); /* the bytes count as used */
    }
    return now() - begin;
}

static void measure(const costab_method *method, const char *size, size_t block_rows, size_t rows) {
    static const char *const names[] = {"trace", "determinant", "spectral_radius"};
    size_t bytes = block_rows * WIDTH * sizeof(double);
    double *block = malloc(bytes), *source = malloc(bytes), points = (double)rows * WIDTH;
    if (block == NULL || source == NULL) exit(EXIT_FAILURE);
    memset(block, 1, bytes);
    memset(source, 1, bytes); /* not 0, for which the kernel might map one page again and again */
    for (costab_scheme scheme = 0; scheme < COSTAB_SCHEME_COUNT; scheme++) {
        costab_planar planar;
        costab_error error;
        check(costab_planar_init(&planar, scheme, method, 1, 1, &error), &error);
        double ours[3] = {1e9, 1e9, 1e9}, memory = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            for (int field = 0; field < 3; field++) {
                double time = fill(&planar, field, block_rows, rows, block);
                ours[field] = time < ours[field] ? time : ours[field];
            }
            double time = copy(source, block_rows, rows, block);
            memory = time < memory ? time : memory;
        }
        for (int field = 0; field < 3; field++)
            printf("field fill, %s block, %-10s %-15s %.3g GB/s, memcpy %.3g GB/s, ratio %.2f\n", size,
                   costab_scheme_name(scheme), names[field], 8e-9 * points / ours[field],
                   8e-9 * points / memory, memory / ours[field]);
    }
    free(block);
    free(source);
}

int main(void) {
    costab_method method;
    costab_error error;
    if (costab_method_find("rk4", &method, &error) != COSTAB_OK) return EXIT_FAILURE;
    measure(&method, "1 MiB", 65, 65 * 60);
    measure(&method, "64 MiB", 4160, 4160);
    return EXIT_SUCCESS;
}
