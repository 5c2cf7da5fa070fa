/* Eight matrices at a time, one lane per matrix.
 *
 * 1. The strongly connected components of the first matrix, unless its zeros are those of the last call.
 * 2. Groups of 2, 4 or 8 lanes, as many as a vector of the instruction set holds, go through
 *    eigen_lanes_template.h, which is compiled once for each set. Lanes whose matrix has other zeros than the
 *    first give no answer.
 *
 * Cost: for each group about that of one matrix in scalar code. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "method/eigen_components.h"
#include "method/eigen_lanes.h"

/* Once per instruction set. */
#include "method/eigen_lanes_template.h"
#if LANES_X86
#include "method/eigen_lanes_template.h"
/* and */
#include "method/eigen_lanes_template.h"
#endif

size_t eigen_lanes_work(int n) {
    size_t k = (size_t)n;
    return (3 * k * k + 9 * k + 12) * LANES;
}

/* The components of lane 0, if its zeros are others than those of the last matrices. */
static void find_components(int n, const double *a, eigen_lanes_components *components, double *matrix,
                            int *iwork) {
    bool same = components->n == n;
    for (int i = 0; i < n; i++) {
        uint32_t row = 0;
        for (int j = 0; j < n; j++) row |= (uint32_t)(a[(size_t)(i * n + j) * LANES] != 0) << j;
        same = same && row == components->rows[i];
        components->rows[i] = row;
    }
    if (same) return;
    for (int e = 0; e < n * n; e++) matrix[e] = a[(size_t)e * LANES];
    const int *list;
    int first = 0, at = 0, size;
    components->n = n;
    components->count = 0;
    eigen_components_start(n, iwork);
    while ((size = eigen_components_next(n, matrix, &first, &list, iwork)) > 0) {
        memcpy(components->list + at, list, (size_t)size * sizeof *list);
        components->sizes[components->count++] = size;
        at += size;
    }
}

void eigen_lanes_side(lanes_set set, int n, double *a, eigen_lanes_components *components, eigen_where *where,
                      double *work, int *iwork) {
    find_components(n, a, components, work, iwork);
    int width = 2 << set;
    for (int l = 0; l < LANES; l += width) LANES_CALL(set, side, n, a + l, components, where + l, work);
}

void eigen_lanes_left_of_axis(lanes_set set, int n, double *a, eigen_lanes_components *components, bool *left,
                              double *work, int *iwork) {
    find_components(n, a, components, work, iwork);
    int width = 2 << set;
    for (int l = 0; l < LANES; l += width) LANES_CALL(set, left, n, a + l, components, left + l, work);
}

void eigen_lanes_values(lanes_set set, int n, double *a, eigen_lanes_components *components,
                        eigen_lanes_found *found, double *work, int *iwork) {
    find_components(n, a, components, work, iwork);
    int width = 2 << set;
    for (int l = 0; l < LANES; l += width) LANES_CALL(set, values, n, a, components, found, l, work);
}

void eigen_lanes_circle(lanes_set set, const eigen_lanes_components *components, eigen_lanes_found *found) {
    int width = 2 << set;
    for (int l = 0; l < LANES; l += width) LANES_CALL(set, circle, components, found, l);
}

void eigen_lanes_axis(lanes_set set, int n, const double *a, const eigen_lanes_components *components,
                      const eigen_lanes_found *found, double entry_error, eigen_where where[LANES]) {
    int width = 2 << set;
    for (int l = 0; l < LANES; l += width)
        LANES_CALL(set, axis, n, a + l, components, found, entry_error, l, where + l);
}
