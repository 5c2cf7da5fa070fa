/* On which side of a circle all eigenvalues of one matrix lie, or one of them, from norms and traces of
 * powers (eigen_powers_template.h), a part after the other: certain or not known. */
#include <float.h>
#include <math.h>
#include <string.h>

#define LANE_WIDTH 1
#include "base/lanes_template.h"
#include "method/eigen.h"
#include "method/eigen_parts.h"
#include "method/matrix.h"

#include "method/eigen_powers_template.h"

#include "base/lanes_end.h"

eigen_where eigen_side(int n, const double *a, double *work, int *iwork) {
    double *part = work, *inner = work + (size_t)n * (size_t)n;
    eigen_where all = EIGEN_INSIDE;
    int first = 0, size;
    eigen_parts_start(n, iwork);
    while ((size = eigen_parts_gather(n, a, &first, part, inner, iwork)) > 0) {
        powers_1 found;
        side_of_part_1(size, part, inner, true, &found);
        if (found.outside) return EIGEN_OUTSIDE;
        if (!found.inside) all = EIGEN_UNKNOWN;
    }
    return all;
}
