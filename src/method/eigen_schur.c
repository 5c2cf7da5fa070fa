/* Real Schur form of a large balanced matrix, by LAPACK's dgehrd and dhseqr, whose column-major routines read
 * the row-major matrix M as M'. Also eigenvalues of complex matrices (zgeev). Cost: 10 n^3. */
#include <lapacke.h>
#include <string.h>

#include "method/eigen.h"
#include "method/eigen_components.h"

bool eigen_schur_find(int n, double *h, double norm, eigen_schur *schur, double *re, double *im,
                      double *work) {
    size_t square = (size_t)n * (size_t)n;
    double *tau = work, *inner = work + n;
    if (LAPACKE_dgehrd_work(LAPACK_COL_MAJOR, n, 1, n, h, n, tau, inner, EIGEN_PANEL * n) != 0) return false;
    memset(schur->form, 0, square * sizeof *h);
    for (int j = 0; j < n; j++) {
        int rows = j + 2 < n ? j + 2 : n;
        memcpy(schur->form + j * n, h + j * n, (size_t)rows * sizeof *h);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) schur->hessenberg[i * n + j] = schur->form[j * n + i];
    if (LAPACKE_dhseqr_work(LAPACK_COL_MAJOR, 'S', 'N', n, 1, n, schur->form, n, re, im, NULL, 1, inner,
                            EIGEN_PANEL * n) != 0)
        return false;
    schur->n = n;
    schur->norm = norm;
    return true;
}

/* ---- Complex matrices ---- */

enum { COMPLEX_PANEL = 34 };

size_t eigen_complex_work(int n) {
    size_t k = (size_t)n;
    return 2 * k * k + (4 + 2 * COMPLEX_PANEL) * k;
}

/* LAPACK stores complex numbers as pairs of doubles. */
bool eigen_complex_values(int n, const double *a_re, const double *a_im, double *re, double *im,
                          double *work) {
    size_t count = (size_t)n * (size_t)n;
    double *matrix = work, *values = matrix + 2 * count, *inner = values + 2 * n,
           *real = inner + 2 * COMPLEX_PANEL * n;
    for (size_t e = 0; e < count; e++) {
        matrix[2 * e] = a_re[e];
        matrix[2 * e + 1] = a_im[e];
    }
    if (LAPACKE_zgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, (lapack_complex_double *)matrix, n,
                           (lapack_complex_double *)values, NULL, 1, NULL, 1, (lapack_complex_double *)inner,
                           COMPLEX_PANEL * n, real) != 0)
        return false;
    for (int i = 0; i < n; i++) {
        re[i] = values[2 * i];
        im[i] = values[2 * i + 1];
    }
    return true;
}
