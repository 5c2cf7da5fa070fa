/* method/eigen_kernel.h - functions shared by the eigenvalue kernels of one width (base/lane.h). */
#pragma once

#include "base/lane.h"
#include "method/eigen_lanes.h"

/* Functions of balance_kernel.c. Sums the moduli of rows and columns in the lanes `which`. */
void OF_WIDTH(eigen_sum_sizes)(int n, const lane *h, mask which, lane *rows, lane *columns);
/* Lanes whose sums are so large or small that results could overflow or underflow. */
mask OF_WIDTH(eigen_extreme)(int count, const lane *sums);
/* Balances the open lanes from known sums. scale: multiplied by the diagonal of D; may be NULL. */
void OF_WIDTH(eigen_balance_by_sums)(int n, lane *h, mask open, lane *rows, lane *columns, lane *scale);
/* Sums and balances. Returns the lanes of `open` without extreme sums. sums: workspace of 2 n lanes. */
mask OF_WIDTH(eigen_balance)(int n, lane *h, mask open, lane *sums);

/* Lanes in which all eigenvalues of a balanced component x (overwritten) are inside the unit circle and away
 * from it, and lanes with an eigenvalue outside. space: n^2 lanes. */
typedef struct eigen_sides {
    mask inside, outside;
} eigen_sides;
eigen_sides OF_WIDTH(eigen_sides_of)(int n, lane *x, lane *space, mask open);

/* eigen_kernels.side and left_of_axis, in powers_kernel.c. */
void OF_WIDTH(eigen_side)(int n, double *a, const eigen_lanes_components *components, eigen_where *where,
                          double *work);
void OF_WIDTH(eigen_left_of_axis)(int n, double *a, const eigen_lanes_components *components, bool *left,
                                  double *work);

/* Functions of values_kernel.c. */
lane OF_WIDTH(eigen_frobenius)(int n, const lane *h);
/* Reduces a matrix with rows of `places` lanes to Hessenberg form. v: workspace of n lanes. */
void OF_WIDTH(eigen_reduce)(int n, int places, lane *h, lane *v);
/* Computes the eigenvalues of a balanced matrix with two rows or more and the given Frobenius norm. Returns
 * the open lanes with convergence. work: n (n + 9) + 12 lanes. */
mask OF_WIDTH(eigen_find_values)(int n, const lane *a, lane norm, mask open, lane *re, lane *im, lane *work);

/* Lanes whose matrix is finite and has exactly the zeros of `rows`. */
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

/* Returns a component of the matrix in `component`, or the matrix itself if it is a single component. */
static inline lane *take_component(int n, lane *a, const eigen_lanes_components *components, const int *list,
                                   int size, lane *component) {
    if (components->count == 1) return a;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) component[i * size + j] = a[list[i] * n + list[j]];
    return component;
}
