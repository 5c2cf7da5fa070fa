/* Eigenvalues of a real matrix and its right and left eigenvectors:
 *
 * 1. Where the workspace has analysed the matrix its eigenvalues and real Schur form are kept. The chosen
 *    vectors follow from that: those of the triangular form by back substitution (LAPACK's dtrevc), turned
 *    back.
 * 2. Of any other matrix LAPACK's dgeev finds all eigenvalues and vectors at once.
 *
 * Cost: n^2 for each vector from a Schur form; 25 n^3 by dgeev. Not guaranteed: vectors of eigenvalues that
 * almost coincide may be off by much more than rounding. */
#include "network/modes_vectors.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "method/lapack.h"
#include "network/rows.h"

static costab_status not_found(costab_error *error) {
    return error_set(error, COSTAB_NUMERIC, "the eigenvectors were not found");
}

/* Step 2. LAPACK reads the row-major M as its transpose M'. So the left vectors that it finds, u* M' = l u*,
 * are conj(v), and the right ones, M' r = l r, are conj(w). conj(v) becomes v by the sign of imaginary parts.
 */
static costab_status find_all(modes_vectors *v, const double *matrix, costab_error *error) {
    int n = v->n;
    memory_local_array(double, copy, cells(n, n), error);
    v->width = n;
    TRY(memory_make(&v->right, cells(n, n), error));
    TRY(memory_make(&v->left, cells(n, n), error));
    memcpy(copy, matrix, cells(n, n) * sizeof *copy);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'V', 'V', n, copy, n, v->re, v->im, v->right, n, v->left, n) != 0)
        return not_found(error);
    for (int i = 0; i < n; i++) {
        v->column[i] = v->im[i] < 0 ? i - 1 : i;
        for (int k = 0; k < n && v->im[i] < 0; k++) v->right[cells(i, n) + (size_t)k] *= -1;
    }
    return COSTAB_OK;
}

/* Whether step 1 is possible. A Schur form is kept of large maps whose indices are one strongly connected
 * component. */
static bool has_schur(const costab_network_work *work, int n) {
    return work != NULL && work->eigen.schur.n == n;
}

costab_status modes_vectors_begin(modes_vectors *v, const costab_network_work *work, int n,
                                  const double *matrix, costab_error *error) {
    size_t row = (size_t)n;
    *v = (modes_vectors){.n = n, .count = n};
    TRY(memory_make(&v->re, row, error));
    TRY(memory_make(&v->im, row, error));
    TRY(memory_make(&v->column, row, error));
    if (!has_schur(work, n)) return find_all(v, matrix, error);
    memcpy(v->re, work->eigen.real, row * sizeof *v->re);
    memcpy(v->im, work->eigen.imaginary, row * sizeof *v->im);
    return COSTAB_OK;
}

costab_status modes_vectors_choose(modes_vectors *v, const costab_network_work *work, const bool *chosen,
                                   costab_error *error) {
    if (v->right != NULL) return COSTAB_OK;
    for (int i = 0; i < v->n; i++) {
        v->column[i] = !chosen[i] ? -1 : v->im[i] < 0 ? v->column[i - 1] : v->width;
        v->width += chosen[i];
    }
    size_t count = cells(v->n, v->width);
    memory_local_array(double, room, 2 * count + 3 * (size_t)v->n, error);
    memory_local_array(int, iroom, (size_t)v->n, error);
    TRY(memory_make(&v->right, count, error));
    TRY(memory_make(&v->left, count, error));
    if (!eigen_schur_vectors(&work->eigen.schur, chosen, v->right, v->left, room, iroom))
        return not_found(error);
    return COSTAB_OK;
}

void modes_vectors_free(modes_vectors *v) {
    memory_free_all(v->re, v->im, v->column, v->right, v->left);
    *v = (modes_vectors){.n = 0};
}
