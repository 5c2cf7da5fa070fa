/* method/eigen_lanes.h - eigen_side and eigen_find for a batch of matrices, one per SIMD lane (base/lanes.h):
 * the eigenvalues of network sweeps. */
#pragma once

#include <stdint.h>

#include "base/lanes.h"
#include "method/eigen.h"

/* Largest order of a matrix; eigen_side and eigen_find handle larger matrices. */
enum { EIGEN_LANES_MOST = 32 };

/* Components of the last matrices; the matrices of a sweep usually share them. */
typedef struct eigen_lanes_components {
    int n, count;
    uint32_t rows[EIGEN_LANES_MOST];                     /* bit j of row i: entry (i, j) is nonzero */
    int sizes[EIGEN_LANES_MOST], list[EIGEN_LANES_MOST]; /* indices, one component after the other */
} eigen_lanes_components;

/* Eigenvalues of a batch of matrices, and derived data. */
typedef struct eigen_lanes_found {
    double *re, *im;        /* n entries, in the order of eigen_find */
    double *norm;           /* per component: Frobenius norm, balanced; sizes are in eigen_lanes_components */
    bool known[LANES_MOST]; /* false: eigen_find must analyse the matrix; see eigen_lanes_values */
    /* Results of eigen_kernels.circle: */
    double *largest_square;       /* per component: the square of the largest modulus */
    bool near_circle[LANES_MOST]; /* an eigenvalue is so near the circle that its condition matters */
    double *outweighs;            /* one entry per matrix: near_circle has no effect if another eigenvalue
                                   * exceeds the circle by more than this */
} eigen_lanes_found;

/* Kernels of one width. eigen_lanes_side, eigen_lanes_left_of_axis and eigen_lanes_values below also find the
 * components. */
typedef struct eigen_kernels {
    int width;
    void (*side)(int n, double *a, const eigen_lanes_components *components, eigen_where *where,
                 double *work);
    void (*left_of_axis)(int n, double *a, const eigen_lanes_components *components, bool *left,
                         double *work);
    void (*values)(int n, double *a, const eigen_lanes_components *components, eigen_lanes_found *found,
                   double *work);
    /* Computes largest_square, near_circle and outweighs from the eigenvalues. */
    void (*circle)(const eigen_lanes_components *components, eigen_lanes_found *found);
    /* Side of the axis, with the error bounds of eigen_slack: EIGEN_INSIDE if all eigenvalues are certainly
     * left of it, EIGEN_OUTSIDE if one is certainly right, provided that none is close enough to 0 to count
     * as 0. EIGEN_UNKNOWN otherwise, and if a condition would matter. a: the matrices; entry_error: as in
     * eigen_found. */
    void (*axis)(int n, const double *a, const eigen_lanes_components *components,
                 const eigen_lanes_found *found, double entry_error, eigen_where *where);
} eigen_kernels;

extern const eigen_kernels eigen_kernels_2, eigen_kernels_4, eigen_kernels_8;

/* Workspace in doubles. */
size_t eigen_lanes_work(int width, int n);

/* where[l]: the side of the l-th matrix as by eigen_side. The code is the same, but the order of sums
 * differs, so that either may leave a matrix undecided that the other barely decides. EIGEN_UNKNOWN also if a
 * matrix is not finite, has different zeros than the first, or entries of extreme magnitude. a: n * n
 * entries, overwritten, n at most EIGEN_LANES_MOST. components: zero before the first call. Arrays are
 * aligned to the width's doubles. iwork: eigen_iwork(n). */
void eigen_lanes_side(const eigen_kernels *kernels, int n, double *a, eigen_lanes_components *components,
                      eigen_where *where, double *work, int *iwork);

/* left[l]: true if all eigenvalues of the l-th matrix, and the values that eigen_find would compute,
 * certainly have real parts below -eigen_vicinity(n) times the norm of their component and of the matrix.
 * Arguments as above. */
void eigen_lanes_left_of_axis(const eigen_kernels *kernels, int n, double *a,
                              eigen_lanes_components *components, bool *left, double *work, int *iwork);

/* eigen_find for a batch of matrices, equal to the last bit; arguments as above. The components are in
 * *components. eigen_find must analyse a matrix for the reasons above, or if the iteration does not
 * converge. */
void eigen_lanes_values(const eigen_kernels *kernels, int n, double *a, eigen_lanes_components *components,
                        eigen_lanes_found *found, double *work, int *iwork);
