/* Real Schur form of a large balanced matrix, and eigenvectors from it. LAPACK's column-major routines read
 * the row-major matrix M as M'.
 *
 * 1. Hessenberg form (dgehrd), stored, and its orthogonal factor Z (dorghr) if vectors are wanted.
 * 2. Schur form M' = Z T Z' and eigenvalues (dhseqr).
 * 3. Vectors of T by back substitution (dtrevc), times Z, in the units before balancing. Left vectors of M',
 *    u* M' = l u*, are conj(v); right vectors, M' r = l r, are conj(w).
 *
 * Also eigenvalues of complex matrices (zgeev). Cost: 25 n^3 for the form, n^2 per vector. Limitation:
 * vectors of almost equal eigenvalues may have errors far above rounding. */
#include <cblas.h>
#include <lapacke.h>
#include <string.h>

#include "method/eigen.h"
#include "method/eigen_components.h"

bool eigen_schur_find(int n, double *h, double norm, eigen_schur *schur, double *re, double *im,
                      double *work) {
    size_t square = (size_t)n * (size_t)n;
    double *tau = work, *inner = work + n;
    if (LAPACKE_dgehrd_work(LAPACK_COL_MAJOR, n, 1, n, h, n, tau, inner, EIGEN_PANEL * n) != 0) return false;
    bool turn = schur->turn != NULL;
    if (turn) memcpy(schur->turn, h, square * sizeof *h);
    memset(schur->form, 0, square * sizeof *h);
    for (int j = 0; j < n; j++) {
        int rows = j + 2 < n ? j + 2 : n;
        memcpy(schur->form + j * n, h + j * n, (size_t)rows * sizeof *h);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) schur->hessenberg[i * n + j] = schur->form[j * n + i];
    if (turn &&
        LAPACKE_dorghr_work(LAPACK_COL_MAJOR, n, 1, n, schur->turn, n, tau, inner, EIGEN_PANEL * n) != 0)
        return false;
    if (LAPACKE_dhseqr_work(LAPACK_COL_MAJOR, 'S', turn ? 'V' : 'N', n, 1, n, schur->form, n, re, im,
                            schur->turn, n, inner, EIGEN_PANEL * n) != 0)
        return false;
    schur->n = n;
    schur->norm = norm;
    return true;
}

/* columns = s Z of_form: vectors of M' from those of T; s: the scale (`up`), or its inverse. */
static void turn_back(const eigen_schur *schur, int count, bool up, const double *of_form, double *columns) {
    int n = schur->n;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, count, n, 1, schur->turn, n, of_form, n, 0,
                columns, n);
    for (int c = 0; c < count; c++)
        for (int i = 0; i < n; i++)
            columns[c * n + i] =
                up ? columns[c * n + i] * schur->scale[i] : columns[c * n + i] / schur->scale[i];
}

void eigen_normalise(int n, int columns, bool conjugate, double *x) {
    double length = cblas_dnrm2(columns * n, x, 1);
    for (int e = 0; e < columns * n && length > 0; e++) x[e] /= conjugate && e >= n ? -length : length;
}

bool eigen_schur_vectors(const eigen_schur *schur, const bool *chosen, double *right, double *left,
                         double *work, int *iwork) {
    int n = schur->n, count = 0, found = 0, at = 0;
    for (int i = 0; i < n; i++) {
        iwork[i] = chosen[i];
        count += chosen[i];
    }
    size_t space = (size_t)n * (size_t)count;
    if (LAPACKE_dtrevc_work(LAPACK_COL_MAJOR, 'B', 'S', iwork, n, schur->form, n, work, n, work + space, n,
                            count, &found, work + 2 * space) != 0 ||
        found != count)
        return false;
    turn_back(schur, count, true, work, right);
    turn_back(schur, count, false, work + space, left);
    for (int i = 0; i < n; i++) {
        if (!chosen[i]) continue;
        bool pair = i + 1 < n && schur->form[i * n + i + 1] != 0;
        eigen_normalise(n, pair ? 2 : 1, true, right + at * n);
        eigen_normalise(n, pair ? 2 : 1, false, left + at * n);
        at += pair ? 2 : 1;
        i += pair;
    }
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
