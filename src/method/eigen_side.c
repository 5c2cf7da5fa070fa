/* On which side of the unit circle all eigenvalues of one matrix lie, or one of them.
 *
 * 1. The strongly connected components one after the other, balanced (eigen_components.h).
 * 2. Of each the powers M^2, M^4, ..: all eigenvalues are inside where a norm is below 1, one is outside
 *    where |trace| > n (powers_kernel.c).
 * 3. Outside where one component has one outside; inside where all are inside; else EIGEN_UNKNOWN.
 *
 * Cost: n^3 a power, up to EIGEN_SQUARINGS of them. Not guaranteed: an answer within some per cent of the
 * circle. */

#define W 1 /* one matrix */
#include "method/eigen_components.h"
#include "method/eigen_kernel.h"

eigen_where eigen_side(int n, const double *a, double *work, int *iwork) {
    double *component = work, *inner = work + (size_t)n * (size_t)n;
    eigen_where all = EIGEN_INSIDE;
    int first = 0, size;
    eigen_components_start(n, iwork);
    while ((size = eigen_components_gather(n, a, &first, component, inner, iwork)) > 0) {
        const eigen_sides found = eigen_sides_of_1(size, component, inner, true);
        if (found.outside) return EIGEN_OUTSIDE;
        if (!found.inside) all = EIGEN_UNKNOWN;
    }
    return all;
}
