/* Decides the side of the unit circle of the eigenvalues of one matrix by powers.
 *
 * 1. The strongly connected components, balanced (eigen_components.h), one after the other.
 * 2. Powers M^2, M^4, ... of each: all eigenvalues are inside if a norm is below 1; one is outside if |trace|
 *    > n (powers_kernel.c).
 * 3. EIGEN_OUTSIDE if a component has an eigenvalue outside, EIGEN_INSIDE if all are inside, otherwise
 *    EIGEN_UNKNOWN.
 *
 * Cost: n^3 per squaring of a component with n rows, at most EIGEN_SQUARINGS each. Limitation: undecided near
 * the circle (powers_kernel.c). */

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
