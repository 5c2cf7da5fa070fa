/* lapacke.h of a page: what kernels ask of LAPACK for matrices of some dozen rows (page/wasm/lapack.c). What
 * is declared here and not defined there is asked of matrices that are not followed into a page. */
#pragma once

/* Every matrix counts as small: no code of blocks is there for large ones (method/lapack.h). */
#define LAPACK_IS_ABSENT 1

enum { LAPACK_ROW_MAJOR = 101, LAPACK_COL_MAJOR = 102 };
typedef int lapack_int;
typedef double _Complex lapack_complex_double;

/* Column-major; the workspaces are not used. */
int LAPACKE_dgetrf_work(int layout, int m, int n, double *a, int step, int *pivots);
int LAPACKE_dgetrs_work(int layout, char turn, int n, int columns, const double *a, int step,
                        const int *pivots, double *b, int step_b);
int LAPACKE_dgecon_work(int layout, char norm, int n, const double *factors, int step, double size,
                        double *reciprocal, double *work, int *iwork);
int LAPACKE_dgeqrf_work(int layout, int m, int n, double *a, int step, double *tau, double *work, int room);
int LAPACKE_dormqr_work(int layout, char side, char turn, int m, int n, int k, const double *a, int step,
                        const double *tau, double *c, int step_c, double *work, int room);
int LAPACKE_dgeev(int layout, char left, char right, int n, double *a, int step, double *re, double *im,
                  double *vl, int step_l, double *vr, int step_r);
int LAPACKE_zgeev_work(int layout, char left, char right, int n, lapack_complex_double *a, int step,
                       lapack_complex_double *values, lapack_complex_double *vl, int step_l,
                       lapack_complex_double *vr, int step_r, lapack_complex_double *work, int room,
                       double *real);
int LAPACKE_zgees_work(int layout, char vectors, char sort, const void *select, int n,
                       lapack_complex_double *a, int step, int *count, lapack_complex_double *values,
                       lapack_complex_double *q, int step_q, lapack_complex_double *work, int room,
                       double *real, const void *flags);

/* Of large matrices alone. */
int LAPACKE_dgehrd_work(int layout, int n, int low, int high, double *a, int step, double *tau, double *work,
                        int room);
int LAPACKE_dorghr_work(int layout, int n, int low, int high, double *a, int step, const double *tau,
                        double *work, int room);
int LAPACKE_dhseqr_work(int layout, char job, char vectors, int n, int low, int high, double *h, int step,
                        double *re, double *im, double *z, int step_z, double *work, int room);
int LAPACKE_dtrevc_work(int layout, char side, char how, int *select, int n, const double *t, int step,
                        double *vl, int step_l, double *vr, int step_r, int most, int *count, double *work);
int LAPACKE_zgetrf_work(int layout, int m, int n, lapack_complex_double *a, int step, int *pivots);
int LAPACKE_zgetrs_work(int layout, char turn, int n, int columns, const lapack_complex_double *a, int step,
                        const int *pivots, lapack_complex_double *b, int step_b);
