/* method/eigen_kernel.h - what the kernels of eigenvalues have from each other, for their width
 * (base/lane.h).
 */
#pragma once

#include "base/lane.h"
#include "method/eigen_lanes.h"

/* Steps of balance_kernel.c. The sizes of rows and columns are summed up in the lanes `which`. */
void OF_WIDTH(eigen_sum_sizes)(int n, const lane *h, mask which, lane *rows, lane *columns);
/* Lanes in which sums are so large or so small that what comes of them might overflow or vanish. */
mask OF_WIDTH(eigen_extreme)(int count, const lane *sums);
/* Balances the open lanes, whose sums are known. scale: it is multiplied by the diagonal of D; or NULL. */
void OF_WIDTH(eigen_balance_by_sums)(int n, lane *h, mask open, lane *rows, lane *columns, lane *scale);
/* All of them. Returns the lanes of `open` without extreme sums. sums: 2 n lanes of room. */
mask OF_WIDTH(eigen_balance)(int n, lane *h, mask open, lane *sums);

/* Lanes in which all eigenvalues of a balanced component x, destroyed, are inside of the unit circle and
 * further from it than their vicinity, and lanes in which one is outside. room: n^2 lanes. */
typedef struct eigen_sides {
    mask inside, outside;
} eigen_sides;
eigen_sides OF_WIDTH(eigen_sides_of)(int n, lane *x, lane *room, mask open);

/* eigen_kernels.side and .left_of_axis, in powers_kernel.c. */
void OF_WIDTH(eigen_side)(int n, double *a, const eigen_lanes_components *components, eigen_where *where,
                          double *work);
void OF_WIDTH(eigen_left_of_axis)(int n, double *a, const eigen_lanes_components *components, bool *left,
                                  double *work);

/* Steps of values_kernel.c. */
lane OF_WIDTH(eigen_frobenius)(int n, const lane *h);
/* A matrix in rows of `places` lanes becomes a Hessenberg matrix. v: n lanes of room. */
void OF_WIDTH(eigen_reduce)(int n, int places, lane *h, lane *v);
/* The eigenvalues of a balanced matrix of two rows or more, which stays as it is, with that Frobenius norm.
 * Returns the open lanes in which the iteration converges. work: n (n + 9) + 12 lanes. */
mask OF_WIDTH(eigen_find_values)(int n, const lane *a, lane norm, mask open, lane *re, lane *im, lane *work);

/* Lanes whose matrix is finite and has its zeros where `rows` has. */
static inline mask is_regular(int n, const lane *a, const uint32_t *rows) {
    lane sum = {0};
    mask odd = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const lane entry = a[i * n + j];
            const mask zero = entry == 0;
            sum += entry * 0.0;
            odd |= (rows[i] >> j & 1) != 0 ? zero : lane_not(zero);
        }
    return (sum == 0) & lane_not(odd);
}

/* A component of the matrix in `component`, or the matrix itself if that is one. */
static inline lane *take_component(int n, lane *a, const eigen_lanes_components *components, const int *list,
                                   int size, lane *component) {
    if (components->count == 1) return a;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) component[i * size + j] = a[list[i] * n + list[j]];
    return component;
}
