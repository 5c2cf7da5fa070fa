/* method/eigen_parts.h - the parts of a matrix one after the other, balanced; shared by what analyses
 * eigenvalues. */
#ifndef METHOD_EIGEN_PARTS_H
#define METHOD_EIGEN_PARTS_H

#include "method/eigen.h"

/* Before the first part. */
void eigen_parts_start(int n, int *iwork);

/* The next part of a into `part`, size x size, balanced but not scaled; returns its size, 0 after the last.
 * *first is 0 at first. work: 2 n doubles. */
int eigen_parts_gather(int n, const double *a, int *first, double *part, double *work, int *iwork);

/* The next part, balanced, with its norm, not yet in Hessenberg form, at the begin of `work`; false after the
 * last. */
bool eigen_part_gather(int n, const double *a, int *first, eigen_part *part, double *work, int *iwork);

/* Brings the part that eigen_part_gather left in `work` to Hessenberg form. inner: the workspace behind its
 * entries. False where LAPACK fails. */
bool eigen_part_reduce(const eigen_part *part, double *work, double *inner);

/* Eigenvalues nearer to the limit than this times the norm of their part have their condition asked for:
 * rounding moves one of a Jordan block of four rows so far. */
double eigen_vicinity(int n);

#endif
