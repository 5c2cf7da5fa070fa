/* Computes the map of a period (docs/explanation/algorithms.md, Maps).
 *
 * 1. Takes the macro steps of the period (step.h) from the unit states.
 * 2. Scales the product by a power of 2 if its norm leaves 2^+-200; *exponent is the sum of these powers.
 *
 * Cost: the macro steps on n columns. */
#include "network/map.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/step.h"

costab_status map_make(costab_network_work *work, double *iteration_radius, long *exponent,
                       costab_error *error) {
    int size = work->size, width = size * work->halves;
    size_t cells = (size_t)size * (size_t)width;
    memset(work->map, 0, cells * sizeof *work->map);
    for (int i = 0; i < size; i++) work->map[(size_t)i * (size_t)width + (size_t)i] = 1;
    *iteration_radius = work->coupling.scheme == COSTAB_ITERATED ? 0 : (double)NAN;
    *exponent = 0;
    for (int64_t k = 0; k < work->period; k++) {
        TRY(work_step(work, k, width, work->map, work->next, error));
        memcpy(work->map, work->next, cells * sizeof *work->map);
        if (work->iteration.radius > *iteration_radius) *iteration_radius = work->iteration.radius;
        if (work->period == 1) break;
        double norm = matrix_norm(cells, work->map);
        if (!isfinite(norm)) break;
        if (norm < MAP_SCALE_LIMIT && norm > 1 / MAP_SCALE_LIMIT) continue;
        if (norm == 0) break;
        int shift = ilogb(norm);
        *exponent += shift;
        for (size_t e = 0; e < cells; e++) work->map[e] = ldexp(work->map[e], -shift);
    }
    return COSTAB_OK;
}

void map_split(costab_network_work *work) {
    int size = work->size;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            work->map_real[i * size + j] = work->map[i * 2 * size + j];
            work->map_imaginary[i * size + j] = work->map[i * 2 * size + size + j];
        }
}
