/* Eigenvalues of a point's matrices, and the largest excess over the stability limit
 * (docs/explanation/algorithms.md, Verdicts and rounding).
 *
 * 1. Eigenvalues of real matrices by method/eigen.h, of complex matrices by LAPACK's zgeev; the radius is
 *    infinite if an entry is not finite.
 * 2. Error bound of each eigenvalue: its condition times the backward error.
 * 3. Excess: the largest as computed; the largest plus its error bound (all are below it); the largest of the
 *    values minus their error bounds (one is above it).
 *
 * Cost: 10 n^3, and 15 n^3 for conditions. Limitation: error bounds are of first order. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "network/work.h"

static costab_status not_found(costab_error *error) {
    return error_set(error, COSTAB_NUMERIC, "the eigenvalues were not found: the iteration did not converge");
}

void spectrum_moduli(costab_network_work *work, int n, double *radius, double *abscissa) {
    *radius = 0;
    *abscissa = -(double)INFINITY;
    for (int i = 0; i < n; i++) {
        double modulus = work->eigen.modulus[i] = hypot(work->eigen.real[i], work->eigen.imaginary[i]);
        if (modulus > *radius) *radius = modulus;
        if (work->eigen.real[i] > *abscissa) *abscissa = work->eigen.real[i];
    }
}

costab_status spectrum_radius(costab_network_work *work, int n, const double *matrix, double *radius,
                              double *abscissa, costab_error *error) {
    spectrum_moduli(work, 0, radius, abscissa);
    if (n == 0) return COSTAB_OK;
    if (!matrix_finite((size_t)n * (size_t)n, matrix)) {
        *radius = *abscissa = (double)INFINITY;
        for (int i = 0; i < n; i++)
            work->eigen.real[i] = work->eigen.imaginary[i] = work->eigen.modulus[i] = (double)NAN;
        return COSTAB_OK;
    }
    eigen_list found = {work->eigen.real, work->eigen.imaginary, work->eigen.components, NULL};
    if (!eigen_find(n, matrix, &found, work->eigen.work, work->eigen.iwork)) return not_found(error);
    spectrum_moduli(work, n, radius, abscissa);
    return COSTAB_OK;
}

costab_status spectrum_complex(costab_network_work *work, int n, const double *re, const double *im,
                               double *radius, costab_error *error) {
    size_t count = (size_t)n * (size_t)n;
    *radius = (double)INFINITY;
    if (!matrix_finite(count, re) || !matrix_finite(count, im)) {
        for (int i = 0; i < n; i++)
            work->eigen.real[i] = work->eigen.imaginary[i] = work->eigen.modulus[i] = (double)NAN;
        return COSTAB_OK;
    }
    if (!eigen_complex_values(n, re, im, work->eigen.real, work->eigen.imaginary, work->eigen.complex_work))
        return not_found(error);
    double abscissa;
    spectrum_moduli(work, n, radius, &abscissa);
    return COSTAB_OK;
}

void spectrum_real_form(int n, int halves, const double *rows, double *matrix) {
    int size = halves * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double re = rows[i * size + j];
            matrix[i * size + j] = re;
            if (halves == 1) continue;
            double im = rows[i * size + n + j];
            matrix[(n + i) * size + n + j] = re;
            matrix[i * size + n + j] = -im;
            matrix[(n + i) * size + j] = im;
        }
}

/* ---- Rounding ---- */

double spectrum_doubt(const costab_network_work *work) {
    double most = 0;
    for (int s = 0; s < work->count; s++)
        if (work->network->subsystems[s].doubt > most) most = work->network->subsystems[s].doubt;
    return most;
}

/* Micro steps are composed by repeated squaring; each squaring adds rounding. */
double spectrum_roundings(const costab_network_work *work) {
    int64_t most = 1;
    for (int s = 0; s < work->count; s++)
        if (work->subs[s].counts[0] > most) most = work->subs[s].counts[0];
    return most == 1 ? 1 : 1 + ceil(log2((double)most));
}

static void find_slack(const costab_network_work *work, const spectrum_asked *asked) {
    bool real = asked->count == asked->n;
    eigen_found found = {.count = asked->count,
                         .re = work->eigen.real,
                         .im = work->eigen.imaginary,
                         .components = real ? work->eigen.components : NULL,
                         .slack = work->eigen.slack,
                         .limit = asked->limit,
                         .roundings = asked->roundings,
                         .entry_error = asked->noise > 0 && !asked->unbalanced
                                            ? 0
                                            : SPECTRUM_ENTRY_ERROR + spectrum_doubt(work) / DBL_EPSILON,
                         .noise = asked->noise,
                         .unbalanced = asked->unbalanced};
    eigen_slack(asked->n, asked->matrix, &found, work->eigen.work, work->eigen.iwork);
}

spectrum_reach spectrum_reach_of_slack(const costab_network_work *work, int count, eigen_limit limit) {
    const double *slacks = work->eigen.slack;
    double furthest = -(double)INFINITY, slack = 0;
    spectrum_reach reach = {.computed = furthest, .upper = furthest, .lower = furthest};
    for (int i = 0; i < count; i++) {
        double beyond = eigen_beyond(limit, work->eigen.real[i], work->eigen.imaginary[i]);
        if (beyond > reach.computed) reach.computed = beyond;
        if (beyond - slacks[i] > reach.lower) reach.lower = beyond - slacks[i];
        if (!(beyond + slacks[i] > reach.upper)) continue;
        reach.upper = beyond + slacks[i];
        furthest = beyond;
        slack = slacks[i];
    }
    reach.rounding = count > 0 ? slack - (reach.computed - furthest) : 0;
    return reach;
}

spectrum_reach spectrum_reach_of(const costab_network_work *work, const spectrum_asked *asked) {
    if (asked->count > 0 && isnan(work->eigen.real[0])) /* the matrix is not finite */
        return (spectrum_reach){(double)INFINITY, (double)INFINITY, (double)INFINITY, (double)INFINITY};
    find_slack(work, asked);
    spectrum_reach reach = spectrum_reach_of_slack(work, asked->count, asked->limit);
    if (asked->count == 0) reach.rounding = asked->noise;
    return reach;
}

eigen_where spectrum_side(const costab_network_work *work, int n, const double *matrix) {
    if (!matrix_finite((size_t)n * (size_t)n, matrix)) return EIGEN_UNKNOWN;
    return eigen_side(n, matrix, work->eigen.work, work->eigen.iwork);
}

/* ---- Sorted eigenvalues ----
 * Order that rounding does not change: by decreasing modulus rounded to 40 bits, then by decreasing real
 * part, then by decreasing imaginary part. Cost: a sort. */

/* Rounds to 40 bits, so that moduli that differ by rounding compare equal and the order is transitive. */
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
    if (work->size == 0 || isnan(values[0].re)) return; /* all are NaN: the map is not finite */
    qsort(values, (size_t)work->size, sizeof *values, compare_eigenvalues);
    /* Removed eigenvalues are exactly 1. */
    int aside = work->size - work->eigenvalue_count;
    for (int i = 0; i < work->size && neutral != NULL; i++) {
        neutral[i] = aside > 0 && values[i].re == 1 && values[i].im == 0;
        aside -= neutral[i];
    }
}
