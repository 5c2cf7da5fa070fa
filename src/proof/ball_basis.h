/* proof/ball_basis.h - coordinates in which a matrix is nearly as small as its eigenvalues. */
#pragma once

#include <stdbool.h>

/* The coordinates of a real matrix of n rows, row-major: its columns are eigenvectors where eigenvalues are
 * not small, and span the invariant subspace of the small ones, chosen by Stein's equation there so that the
 * matrix shrinks them. Nothing of it is exact. [out] re, im: n x n, row-major; sign: n, -1 for a column of an
 * eigenvalue outside the unit circle, else 1. false: not found. matrix is overwritten. */
bool ball_basis(int n, double *matrix, double *re, double *im, int *sign);
