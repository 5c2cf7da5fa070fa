/* Eigenvalue computations for a batch of matrices, one matrix per lane.
 *
 * 1. Strongly connected components of the first matrix, unless its zeros are those of the last call.
 * 2. Kernels of the batch's width: powers_kernel.c, values_kernel.c. Lanes with different zeros than the
 *    first are left undecided.
 *
 * Cost: per batch about that of one matrix in scalar code. */
#include "method/eigen_lanes.h"

#include <string.h>

#include "method/eigen_components.h"

size_t eigen_lanes_work(int width, int n) {
    size_t k = (size_t)n;
    return (3 * k * k + 9 * k + 12) * (size_t)width;
}

/* Finds the components of lane 0 if its zeros differ from those of the last matrices. */
static void find_components(int width, int n, const double *a, eigen_lanes_components *components,
                            double *matrix, int *iwork) {
    bool same = components->n == n;
    for (int i = 0; i < n; i++) {
        uint32_t row = 0;
        for (int j = 0; j < n; j++) row |= (uint32_t)(a[(i * n + j) * width] != 0) << j;
        same = same && row == components->rows[i];
        components->rows[i] = row;
    }
    if (same) return;
    for (int e = 0; e < n * n; e++) matrix[e] = a[e * width];
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

void eigen_lanes_side(const eigen_kernels *kernels, int n, double *a, eigen_lanes_components *components,
                      eigen_where *where, double *work, int *iwork) {
    find_components(kernels->width, n, a, components, work, iwork);
    kernels->side(n, a, components, where, work);
}

void eigen_lanes_left_of_axis(const eigen_kernels *kernels, int n, double *a,
                              eigen_lanes_components *components, bool *left, double *work, int *iwork) {
    find_components(kernels->width, n, a, components, work, iwork);
    kernels->left_of_axis(n, a, components, left, work);
}

void eigen_lanes_values(const eigen_kernels *kernels, int n, double *a, eigen_lanes_components *components,
                        eigen_lanes_found *found, double *work, int *iwork) {
    find_components(kernels->width, n, a, components, work, iwork);
    kernels->values(n, a, components, found, work);
}
