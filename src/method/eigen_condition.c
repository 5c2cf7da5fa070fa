/* The conditions of all eigenvalues of a large component from one real Schur form:
 *
 *  1. The Schur form T is made (LAPACK's dhseqr), or it is known; then its left and right vectors w and v
 *     (dtrevc).
 *  2. The condition of an eigenvalue is |w| |v| / |w* v|. It is the same for T and for the matrix, as the
 *     Schur form is reached by an orthogonal transformation.
 *  3. The resolvent's norm at z is at most the sum of condition / |z - l| over all eigenvalues l.
 *
 * Cost: some 20 n^3; worth it from 41 rows and 4 eigenvalues near the limit on. */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "method/eigen.h"
#include "method/eigen_components.h"

/* Below this many rows eigen_resolvent() for each eigenvalue is as fast. */
enum { CONDITIONS_LEAST = 41 };

size_t eigen_condition_work(int n) {
    size_t k = (size_t)n;
    return n < CONDITIONS_LEAST ? 0 : 3 * k * k + (3 + EIGEN_PANEL) * k;
}

static double condition_of(int n, const double *left, const double *right, bool pair) {
    double sums[4] = {0}; /* |w|^2, |v|^2, and the two parts of w* v */
    for (int i = 0; i < n; i++) {
        double w = left[i], v = right[i], wi = pair ? left[n + i] : 0, vi = pair ? right[n + i] : 0;
        sums[0] += w * w + wi * wi;
        sums[1] += v * v + vi * vi;
        sums[2] += w * v + wi * vi;
        sums[3] += w * vi - wi * v;
    }
    return sqrt(sums[0]) * sqrt(sums[1]) / hypot(sums[2], sums[3]);
}

/* Of the form T, by columns; the vectors of T have the same angles as those of the matrix. */
static bool find(int n, const double *form, double *left, double *right, eigen_conditions *found,
                 double *inner) {
    int count = 0;
    if (LAPACKE_dtrevc_work(LAPACK_COL_MAJOR, 'B', 'A', NULL, n, form, n, left, n, right, n, n, &count,
                            inner) != 0)
        return false;
    for (int i = 0; i < n; i++) {
        bool pair = found->im[i] != 0;
        found->condition[i] =
            condition_of(n, left + (size_t)i * (size_t)n, right + (size_t)i * (size_t)n, pair);
        if (pair) {
            found->condition[i + 1] = found->condition[i];
            i++;
        }
    }
    return true;
}

static eigen_conditions conditions_at(int n, double *values) {
    return (eigen_conditions){.n = n, .re = values, .im = values + n, .condition = values + 2 * n};
}

bool eigen_conditions_find(const eigen_component *component, eigen_conditions *found, double *work) {
    int n = component->n;
    size_t square = (size_t)n * (size_t)n;
    double *schur = work, *left = schur + square, *right = left + square, *inner = right + square + 3 * n;
    *found = conditions_at(n, right + square);
    if (n < CONDITIONS_LEAST) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) schur[j * n + i] = component->hessenberg[i * n + j];
    return LAPACKE_dhseqr_work(LAPACK_COL_MAJOR, 'S', 'N', n, 1, n, schur, n, found->re, found->im, NULL, 1,
                               inner, EIGEN_PANEL * n) == 0 &&
           find(n, schur, left, right, found, inner);
}

bool eigen_conditions_of_schur(const eigen_schur *schur, const double *re, const double *im,
                               eigen_conditions *found, double *work) {
    int n = schur->n;
    size_t square = (size_t)n * (size_t)n, row = (size_t)n * sizeof *re;
    double *left = work, *right = left + square, *inner = right + square + 3 * n;
    *found = conditions_at(n, right + square);
    memcpy(found->re, re, row);
    memcpy(found->im, im, row);
    return find(n, schur->form, left, right, found, inner);
}

double eigen_conditions_resolvent(const eigen_conditions *known, double re, double im, double *most) {
    double sum = 0;
    *most = 0;
    for (int i = 0; i < known->n; i++) {
        double share = known->condition[i] / hypot(re - known->re[i], im - known->im[i]);
        sum += share;
        *most = fmax(*most, share);
    }
    return sum;
}
