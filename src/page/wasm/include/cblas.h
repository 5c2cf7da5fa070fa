/* cblas.h of a page: what kernels ask of BLAS, by plain loops (page/wasm/lapack.c). */
#pragma once

enum { CblasRowMajor = 101, CblasColMajor = 102, CblasNoTrans = 111, CblasTrans = 112 };
enum { CblasUpper = 121, CblasLower = 122, CblasNonUnit = 131, CblasUnit = 132, CblasLeft = 141 };

void cblas_dgemm(int layout, int turn_a, int turn_b, int rows, int columns, int inner, double alpha,
                 const double *a, int step_a, const double *b, int step_b, double beta, double *c,
                 int step_c);
/* Row-major, from the left, not transposed. */
void cblas_dtrsm(int layout, int side, int part, int turn, int diagonal, int rows, int columns, double alpha,
                 const double *a, int step_a, double *b, int step_b);
double cblas_dnrm2(int n, const double *x, int step);
void cblas_dscal(int n, double alpha, double *x, int step);
