/* The eigenvalues of the last point in an order that readers expect. */
#include <math.h>
#include <stdlib.h>

#include "network/work.h"

static int compare(const void *left, const void *right) {
    const costab_complex *a = left, *b = right;
    double p = hypot(a->re, a->im), q = hypot(b->re, b->im);
    /* The two of a pair have the same modulus, but for rounding. */
    if (fabs(p - q) > 1e-12 * (p + q)) return p < q ? 1 : -1;
    if (a->re != b->re) return a->re < b->re ? 1 : -1;
    return a->im < b->im ? 1 : a->im > b->im ? -1 : 0;
}

void costab_network_spectrum(const costab_network_work *work, costab_complex *values) {
    for (int i = 0; i < work->size; i++)
        values[i] = (costab_complex){work->eigen_real[i], work->eigen_imaginary[i]};
    qsort(values, (size_t)work->size, sizeof *values, compare);
}
