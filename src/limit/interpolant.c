/* Finds the intervals of possible zeros of a function by plain and scaled interpolants
 * (docs/explanation/algorithms.md, Complete limits).
 * 1. Scales the values by one power of 2 and interpolates them. The error is eight times the sum of the last
 *    half of the coefficients, plus rounding.
 * 2. If a known zero was divided out, compares the interpolant with the check point next to that zero. The
 *    whole cell remains unresolved if they differ by more than the error.
 * 3. Lists the intervals of possible |interpolant| <= error as unresolved.
 * 4. A product of many factors may vary by a factor of 2^6 or more at the nodes. It is divided by 2^q, with a
 *    polynomial q fitted to its logarithm (below), and analysed in the same way. This interpolant must also
 *    match the check points between nodes. Intervals cleared by the first interpolant stay clear.
 * Cost: n^2 products for each of up to 5 interpolants through n nodes. Limitation: the interpolation error is
 * an estimate. */
#include "limit/interpolant.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "method/chebyshev.h"

/* ---- Scaling ---- */

/* Divides a function f of widely varying size by 2^q before its interpolation. A product of many factors may
 * vary over hundreds of decades, beyond any polynomial, though each factor varies by a few per cent. The
 * logarithm is a sum, close to a polynomial q of low degree in the parameter p and log p. f / 2^q has the
 * zeros of f and is analytic wherever f is.
 * 1. Terms: a constant, log p if p > 0, and Chebyshev polynomials of p.
 * 2. Fit: modified Gram-Schmidt over the nodes with f != 0; dependent terms are dropped.
 * 3. Division: f / 2^q, with the rounding of q added to the error bound.
 * Cost: n terms^2. A poor fit is harmless, since f / 2^q has the zeros of f. */

enum { SCALING_DEGREE = 8 };

typedef struct scaling {
    int nodes, samples, terms; /* samples: nodes and check points; terms: of q, without the constant */
    double basis[SCALING_DEGREE + 1][INTERPOLANT_SAMPLES]; /* terms at the samples; log p first if p > 0 */
} scaling;

/* Rounding of a term of q, in units of the last place. */
#define ROUNDINGS 8
/* A term this close to the span of the previous ones is dropped. */
#define DEPENDENT 1e-10

/* Sets up the terms for nodes at the ascending parameters p, from one end of the cell to the other, followed
 * by `more` check points. degree: of the polynomial, at most SCALING_DEGREE. */
static void scaling_make(scaling *t, int nodes, int more, const double *p, int degree) {
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
    double rows[SCALING_DEGREE + 2][INTERPOLANT_SAMPLES],
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

/* Fits q to log2 |f| at the nodes by least squares and divides by 2^q, up to a constant, at all samples. Adds
 * the rounding of q to the error bounds. */
static void scaling_divide(const scaling *t, crossing_value *values) {
    double weight[INTERPOLANT_SAMPLES], rest[INTERPOLANT_SAMPLES], coefficients[SCALING_DEGREE + 1];
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

/* Returns log2 of the largest over the smallest magnitude, ignoring zeros. */
static double scaling_spread(const crossing_value *values, int count) {
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

/* ---- Interpolation ---- */

double interpolant_check(const chebyshev_table *table, int k, int i) {
    int next = k + 1;
    if (next < CHEBYSHEV_DEGREES) return table->points[next][i == 0 ? 1 : chebyshev_degree(next) - 1];
    double quarter = (1 + table->points[k][1]) / 4; /* x ~ -1 + t^2/2: half of t */
    return i == 0 ? -1 + quarter : 1 - quarter;
}

/* Returns true if the interpolant matches the check points: those between nodes if `checked`, and the
 * point next to a known zero. */
static bool is_right_at_checks(const interpolant_nodes *nodes, const double *coefficients,
                               const double *values, bool checked, double error) {
    for (int i = checked ? 0 : nodes->checks; i < nodes->checks + nodes->zero_check; i++) {
        double x = i < nodes->checks ? interpolant_check(nodes->table, nodes->k, i) : nodes->zero_check_at,
               slope, found = chebyshev_value(nodes->count - 1, coefficients, x, &slope);
        if (!(fabs(found - values[nodes->count + i]) <= error)) return false;
    }
    return true;
}

/* Analyses one interpolant. `checked`: the values are scaled, and the interpolant must match the check points
 * between nodes. */
static void read_values(const interpolant_nodes *nodes, const crossing_value *at, bool checked,
                        interpolant_reading *r) {
    double values[INTERPOLANT_SAMPLES], coefficients[CHEBYSHEV_MOST + 1], most;
    int degree = nodes->count - 1,
        more = checked || nodes->zero_check > 0 ? nodes->checks + nodes->zero_check : 0;
    *r = (interpolant_reading){.count = 1, .unresolved = {{.from = -1, .to = 1}}, .width = 2};
    r->neutral = !crossing_scale(at, 1, nodes->count + more, values, &most);
    if (r->neutral) return;
    chebyshev_coefficients(nodes->table, degree, values, coefficients);
    bool fitted = checked || nodes->deflated;
    double rounding = most + 16 * DBL_EPSILON,
           tail = chebyshev_error(degree, coefficients, fitted ? 0 : rounding), error = tail + rounding;
    /* Next to a zero that was divided out, rounding may be as large as the value; elsewhere it is not. */
    bool final = nodes->narrow && rounding > 0.5 && !nodes->deflated;
    if (!is_right_at_checks(nodes, coefficients, values, checked, error)) return;
    if (error < 2 && !final) {
        r->count = chebyshev_unresolved(degree, coefficients, error, r->unresolved);
        r->width = 0;
        for (int i = 0; i < r->count; i++) r->width += r->unresolved[i].to - r->unresolved[i].from;
        final = nodes->narrow && tail <= 4 * rounding && r->width > 0.5;
    }
    r->final = final;
    for (int i = 0; i < r->count; i++) r->unresolved[i].final = final;
}

/* Intersects the unresolved intervals of two interpolants. */
static void meet(interpolant_reading *r, const interpolant_reading *other) {
    if (r->neutral || r->final || other->final) return;
    r->count = chebyshev_meet(r->unresolved, r->count, other->unresolved, other->count);
    r->width = 0;
    for (int i = 0; i < r->count; i++) r->width += r->unresolved[i].to - r->unresolved[i].from;
}

void interpolant_read(const interpolant_nodes *nodes, const crossing_value *at, interpolant_reading *r) {
    int all = nodes->count + nodes->checks + nodes->zero_check;
    read_values(nodes, at, false, r);
    const interpolant_reading plain = *r;
    double spread = r->count > 0 && !r->neutral ? scaling_spread(at, nodes->count) : 0;
    bool scaling_asked = nodes->checks > 0 && spread >= INTERPOLANT_SCALED;
    r->spread = spread;
    for (int degree = 1; degree <= nodes->count / 4 && scaling_asked && r->count > 0; degree *= 2) {
        crossing_value scaled[INTERPOLANT_SAMPLES];
        interpolant_reading other;
        scaling t;
        memcpy(scaled, at, (size_t)all * sizeof *at);
        scaling_make(&t, nodes->count, nodes->checks + nodes->zero_check, nodes->p, degree);
        scaling_divide(&t, scaled);
        read_values(nodes, scaled, true, &other);
        other.spread = spread;
        if (other.neutral || other.width >= r->width) continue;
        *r = other;
        meet(r, &plain);
    }
}
