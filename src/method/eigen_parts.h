/* method/eigen_parts.h - the parts of a matrix one after the other, balanced; shared by what looks at
 * eigenvalues. */
#ifndef METHOD_EIGEN_PARTS_H
#define METHOD_EIGEN_PARTS_H

/* Before the first part. */
void eigen_parts_start(int n, int *iwork);

/* The next part of a into `part`, size x size, balanced but not scaled; returns its size, 0 after the last.
 * *first is 0 at first. work: 2 n doubles. */
int eigen_parts_gather(int n, const double *a, int *first, double *part, double *work, int *iwork);

#endif
