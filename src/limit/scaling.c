/* Fits a polynomial q to log2 |f| at the nodes of a cell and divides f by 2^q.
 *
 * 1. Terms: a constant, log p if p > 0, and Chebyshev polynomials of p.
 * 2. Fit: modified Gram-Schmidt over the nodes with f != 0; dependent terms are dropped.
 * 3. Division: f / 2^q, with the rounding of q added to the error bound.
 *
 * Cost: n terms^2. A poor fit is harmless, since f / 2^q has the zeros of f. */
#include "limit/scaling.h"

#include <float.h>
#include <math.h>

#include "limit/chebyshev.h"

/* Rounding of a term of q, in units of the last place. */
#define ROUNDINGS 8
/* A term this close to the span of the previous ones is dropped. */
#define DEPENDENT 1e-10

void scaling_make(scaling *t, int nodes, int more, const double *p, int degree) {
    double from = p[0], to = p[nodes - 1];
    t->nodes = nodes;
    t->samples = nodes + more;
    t->terms = from > 0;
    for (int i = 0; i < t->samples && from > 0; i++) t->basis[0][i] = log2(p[i] / to);
    for (int k = 1; k <= degree && t->terms <= SCALING_DEGREE; k++, t->terms++)
        for (int i = 0; i < t->samples; i++) {
            double x = chebyshev_coordinate(p[i], from, to);
            t->basis[t->terms][i] = cos(k * acos(fmax(-1, fmin(1, x))));
        }
}

static double product(int count, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void take_away(int count, double share, const double *from, double *rest) {
    for (int i = 0; i < count; i++) rest[i] -= share * from[i];
}

/* Fits the coefficients of the terms, with a constant, by least squares over the nodes of `weight` 1
 * (modified Gram-Schmidt). Leaves the residual in `rest`. */
static void fit(const scaling *t, const double *weight, double *rest, double *coefficients) {
    double rows[SCALING_DEGREE + 2][SCALING_SAMPLES],
        upper[SCALING_DEGREE + 2][SCALING_DEGREE + 2] = {{0}}, share[SCALING_DEGREE + 2];
    int n = t->nodes, terms = t->terms + 1;
    for (int k = 0; k < terms; k++) {
        for (int i = 0; i < n; i++) rows[k][i] = weight[i] * (k == 0 ? 1 : t->basis[k - 1][i]);
        double before = sqrt(product(n, rows[k], rows[k]));
        for (int j = 0; j < k; j++) {
            upper[j][k] = product(n, rows[j], rows[k]);
            take_away(n, upper[j][k], rows[j], rows[k]);
        }
        double size = sqrt(product(n, rows[k], rows[k]));
        bool tells = size > DEPENDENT * before;
        upper[k][k] = tells ? size : 1;
        for (int i = 0; i < n; i++) rows[k][i] = tells ? rows[k][i] / size : 0;
        share[k] = product(n, rows[k], rest);
        take_away(n, share[k], rows[k], rest);
    }
    for (int k = terms - 1; k >= 0; k--) {
        for (int j = k + 1; j < terms; j++) share[k] -= upper[k][j] * share[j];
        share[k] /= upper[k][k];
        if (k > 0) coefficients[k - 1] = share[k];
    }
}

void scaling_divide(const scaling *t, crossing_value *values) {
    double weight[SCALING_SAMPLES], rest[SCALING_SAMPLES], coefficients[SCALING_DEGREE + 1];
    for (int i = 0; i < t->nodes; i++) {
        weight[i] = values[i].mantissa != 0;
        rest[i] = values[i].mantissa != 0 ? crossing_log(&values[i]) : 0;
    }
    fit(t, weight, rest, coefficients);
    for (int i = 0; i < t->samples; i++) {
        double q = 0, size = 0;
        for (int k = 0; k < t->terms; k++) {
            q += coefficients[k] * t->basis[k][i];
            size += fabs(coefficients[k] * t->basis[k][i]);
        }
        double whole = floor(q);
        values[i].exponent -= (long)whole;
        values[i].mantissa *= exp2(whole - q);
        values[i].noise += ROUNDINGS * DBL_EPSILON * (1 + size);
    }
}

double scaling_spread(const crossing_value *values, int count) {
    double most = -(double)INFINITY, least = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        const crossing_value *v = &values[i];
        if (v->mantissa == 0) continue;
        if (!isfinite(v->mantissa)) return (double)INFINITY;
        most = fmax(most, crossing_log(v));
        least = fmin(least, crossing_log(v));
    }
    return most - least;
}
