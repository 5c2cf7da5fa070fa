/* The eigenvalues of the last point in an order that rounding does not change: falling by their modulus,
 * rounded to 40 bits, then by real, then by imaginary part; and which of them belong to equilibria that were
 * set aside. Cost: a sort. */
#include <math.h>
#include <stdlib.h>

#include "network/work.h"

/* To 40 bits: rounding does not tell moduli apart, and what is alike to one is so to all. */
static double rounded_modulus(costab_complex value) {
    enum { BITS = 40 };
    int exponent;
    double mantissa = frexp(hypot(value.re, value.im), &exponent);
    return ldexp(round(ldexp(mantissa, BITS)), exponent - BITS);
}

static int compare_eigenvalues(const void *left, const void *right) {
    const costab_complex *a = left, *b = right;
    double p = rounded_modulus(*a), q = rounded_modulus(*b);
    if (p != q) return p < q ? 1 : -1;
    if (a->re != b->re) return a->re < b->re ? 1 : -1;
    return a->im < b->im ? 1 : a->im > b->im ? -1 : 0;
}

void costab_network_spectrum(const costab_network_work *work, costab_complex *values, bool *neutral) {
    for (int i = 0; i < work->size; i++)
        values[i] = (costab_complex){work->eigen.real[i], work->eigen.imaginary[i]};
    for (int i = 0; i < work->size && neutral != NULL; i++) neutral[i] = false;
    if (isnan(values[0].re)) return; /* and so are all: the map is not finite */
    qsort(values, (size_t)work->size, sizeof *values, compare_eigenvalues);
    /* What was set aside is 1 exactly, and alike. */
    int aside = work->size - work->eigenvalue_count;
    for (int i = 0; i < work->size && neutral != NULL; i++) {
        neutral[i] = aside > 0 && values[i].re == 1 && values[i].im == 0;
        aside -= neutral[i];
    }
}
