/* proof/ball_cell.h - proofs that no eigenvalue of a family of matrices crosses a circle. */
#pragma once

#include "base/flint.h"
#include "costab/base.h"

/* A real matrix that depends analytically on one number, or on two. make: [out] matrix at the ball `at`, real
 * or complex, initialised there and cleared by the caller whatever comes back; false where it cannot be shown
 * to exist on all of the ball. */
typedef struct ball_family {
    void *context;
    bool (*make)(void *context, acb_srcptr at, slong precision, acb_mat_t matrix);
} ball_family;

/* What is proved of a matrix, or of all matrices of a cell. */
typedef enum ball_verdict { BALL_UNDECIDED, BALL_INSIDE, BALL_OUTSIDE } ball_verdict;

/* Are all eigenvalues of the real matrix inside the circle of this radius, or is one outside? By the
 * recursion of Schur and Cohn on the characteristic polynomial. */
ball_verdict ball_point(const acb_mat_t matrix, const arb_t radius, slong precision);

enum { BALL_DIMENSIONS = 2 };

/* An interval, or a rectangle where dimensions is 2. */
typedef struct ball_region {
    int dimensions;
    double from[BALL_DIMENSIONS], to[BALL_DIMENSIONS];
} ball_region;

/* Are all eigenvalues inside the circle for all matrices of the family over the region, or is one outside for
 * all of them? Where none of f1, f2, f3 has a zero the number outside is constant, and one matrix decides.
 * Zeros are excluded by interpolation at Chebyshev points, with the bound of an analytic function's
 * interpolant on a Bernstein ellipse (L. N. Trefethen, Approximation Theory and Approximation Practice,
 * theorems 8.2 and 15.2); that the matrix exists on a box around the ellipse shows that it is analytic there.
 * BALL_UNDECIDED: not shown; the region may be too wide. *evaluations grows by the number of matrices made.
 */
ball_verdict ball_cell(const ball_family *family, const ball_region *region, double radius, slong precision,
                       long *evaluations);
