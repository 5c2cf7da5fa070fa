/* method/eigen_lanes.h - eigen_side and eigen_find of a batch of matrices (base/lanes.h). */
#pragma once

#include <stdint.h>

#include "base/lanes.h"
#include "method/eigen.h"

/* Larger matrices are left to eigen_side. */
enum { EIGEN_LANES_MOST = 32 };

/* The components of the matrices that came last, which those of one sweep share. */
typedef struct eigen_lanes_components {
    int n, count;
    uint32_t rows[EIGEN_LANES_MOST];                     /* bit j of row i: is entry (i, j) other than 0? */
    int sizes[EIGEN_LANES_MOST], list[EIGEN_LANES_MOST]; /* the indices of one component after the other */
} eigen_lanes_components;

/* The eigenvalues of a batch of matrices, and what follows from them. */
typedef struct eigen_lanes_found {
    double *re, *im;        /* n entries, in the order of eigen_find */
    double *norm;           /* per component its Frobenius norm, balanced; sizes in eigen_lanes_components */
    bool known[LANES_MOST]; /* false: left to eigen_find; see eigen_lanes_values */
    /* Of eigen_kernels.circle: */
    double *largest_square;       /* per component: the square of the largest modulus */
    bool near_circle[LANES_MOST]; /* some eigenvalue is so near the circle that its condition matters, */
    double *outweighs;            /* one entry: unless another one is further beyond the circle than this */
} eigen_lanes_found;

/* The kernels of one width. eigen_lanes_side, _left_of_axis and _values below find the components first. */
typedef struct eigen_kernels {
    int width;
    void (*side)(int n, double *a, const eigen_lanes_components *components, eigen_where *where,
                 double *work);
    void (*left_of_axis)(int n, double *a, const eigen_lanes_components *components, bool *left,
                         double *work);
    void (*values)(int n, double *a, const eigen_lanes_components *components, eigen_lanes_found *found,
                   double *work);
    /* Where the eigenvalues that were found are beside the unit circle: fills largest_square, near_circle and
     * outweighs. */
    void (*circle)(const eigen_lanes_components *components, eigen_lanes_found *found);
    /* Where the eigenvalues that were found are: all left of the axis for sure, EIGEN_INSIDE, or one right of
     * it, EIGEN_OUTSIDE, as eigen_slack says it; and none is so near 0 that it counts as 0. EIGEN_UNKNOWN
     * also where the condition of one would have to be known. a: the matrices; entry_error: of eigen_found.
     */
    void (*axis)(int n, const double *a, const eigen_lanes_components *components,
                 const eigen_lanes_found *found, double entry_error, eigen_where *where);
} eigen_kernels;

extern const eigen_kernels eigen_kernels_2, eigen_kernels_4, eigen_kernels_8;

/* Workspace in doubles. */
size_t eigen_lanes_work(int width, int n);

/* where[l]: where the eigenvalues of the l-th matrix are, as eigen_side says it; by the same code, but
 * products are added up otherwise, so that one of both may leave open what the other just knows.
 * EIGEN_UNKNOWN also where a matrix is not finite, has other zeros than the first one, or entries so large or
 * small that their squares might overflow or vanish. a: n * n entries, which are destroyed, n up to
 * EIGEN_LANES_MOST. components: zero before the first call. Arrays of numbers are aligned to the width's
 * doubles. iwork: eigen_iwork(n). */
void eigen_lanes_side(const eigen_kernels *kernels, int n, double *a, eigen_lanes_components *components,
                      eigen_where *where, double *work, int *iwork);

/* left[l]: is it known for sure that all eigenvalues of the l-th matrix, and whatever eigen_find takes for
 * them, have real parts below 0, and further from 0 than eigen_vicinity(n) times the norm of their component
 * and of the matrix? Arguments as above. */
void eigen_lanes_left_of_axis(const eigen_kernels *kernels, int n, double *a,
                              eigen_lanes_components *components, bool *left, double *work, int *iwork);

/* eigen_find of a batch of matrices, to the last bit; arguments as above. The components stay in *components.
 * Matrices are left to eigen_find for the reasons above, or if the iteration does not converge. */
void eigen_lanes_values(const eigen_kernels *kernels, int n, double *a, eigen_lanes_components *components,
                        eigen_lanes_found *found, double *work, int *iwork);
