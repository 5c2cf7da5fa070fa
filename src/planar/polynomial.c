/* Roots by the chain of derivatives: between neighbouring sign changes of p' (and the ends) p is monotone, so
 * that each piece holds at most one sign change, found by Laguerre's method kept inside its bracket. Degree 1
 * starts the chain. It needs no complex arithmetic, misses nothing that changes sign, and costs a microsecond
 * at degree 4. */
#include "planar/polynomial.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

double polynomial_value(const double *coefficients, int degree, double x) {
    double sum = coefficients[degree];
    for (int k = degree - 1; k >= 0; k--) sum = sum * x + coefficients[k];
    return sum;
}

void polynomial_shift(double *coefficients, int degree, double x) {
    for (int i = 0; i < degree; i++)
        for (int k = degree - 1; k >= i; k--) coefficients[k] += x * coefficients[k + 1];
}

static double middle(double left, double right) {
    if (left > 0 && right > 4 * left) return sqrt(left) * sqrt(right);
    if (right < 0 && left < 4 * right) return -sqrt(-left) * sqrt(-right);
    if (left < -2 && right > 2) return 0;
    return left + 0.5 * (right - left);
}

/* The sign change of p in (left, right), where p is negative to its left if `rising`, else positive; searched
 * from `start` where that lies inside. */
static double bracketed_root(const double *p, int degree, double left, double right, bool rising,
                             double start) {
    if (degree == 1) return -p[0] / p[1];
    double x = start > left && start < right ? start : middle(left, right), n = degree, last = INFINITY;
    for (int i = 1; i < 2200; i++) {
        double value = p[degree], slope = 0, half_bend = 0;
        for (int k = degree - 1; k >= 0; k--) {
            half_bend = half_bend * x + slope;
            slope = slope * x + value;
            value = value * x + p[k];
        }
        if (value == 0) return x;
        if ((value < 0) == rising)
            left = x;
        else
            right = x;
        double square = (n - 1) * ((n - 1) * slope * slope - 2 * n * value * half_bend);
        double step = square >= 0 ? n * value / (slope + copysign(sqrt(square), slope)) : value / slope;
        /* steps shrink cubically until rounding makes them noise */
        double next = x - step, share = fabs(step) / fabs(x);
        bool inside = next > left && next < right;
        if (share <= 4 * DBL_EPSILON || (inside && share < 1e-10 && share > 0.125 * last)) return next;
        last = share;
        if (!inside || (i % 12 == 0 && share > 0.01)) next = middle(left, right);
        if (next <= left || next >= right || right - left <= DBL_EPSILON * fabs(x)) return next;
        x = next;
    }
    return x;
}

/* All roots lie within this distance of 0 (Cauchy). */
static double root_bound(const double *p, int degree) {
    double largest = 0;
    for (int k = 0; k < degree; k++) largest = fmax(largest, fabs(p[k] / p[degree]));
    return fmin(1 + largest, DBL_MAX / 4);
}

/* Number of sign changes in the sequence of coefficients: by Descartes' rule the number of positive roots, or
 * more by an even number. */
static int sign_variations(const double *p, int degree) {
    int variations = 0;
    double last = 0;
    for (int k = 0; k <= degree; k++) {
        if (p[k] == 0) continue;
        if (last * p[k] < 0 || (last * p[k] == 0 && last != 0 && (last < 0) != (p[k] < 0))) variations++;
        last = p[k];
    }
    return variations;
}

/* Sign variations of sums whose terms had the sizes given; -1 where rounding leaves a sign open. */
static int sure_variations(const double *value, const double *size, int degree) {
    for (int k = 0; k <= degree; k++)
        if (!(fabs(value[k]) > 8 * degree * DBL_EPSILON * size[k]) || !isfinite(size[k])) return -1;
    return sign_variations(value, degree);
}

/* Descartes' rule for (0, x): the coefficients of (1 + t)^n p(x t / (1 + t)). */
static int variations_below(const double *p, int degree, double x) {
    double value[POLYNOMIAL_DEGREE_MAX + 1], size[POLYNOMIAL_DEGREE_MAX + 1], power = 1;
    for (int k = 0; k <= degree; k++, power *= x) {
        value[k] = p[k] * power;
        size[k] = fabs(value[k]);
    }
    for (int i = 0; i < degree; i++)
        for (int k = 1; k <= degree - i; k++) {
            value[k] += value[k - 1];
            size[k] += size[k - 1];
        }
    return sure_variations(value, size, degree);
}

/* Descartes' rule for (x, inf): the coefficients of p(x + t). */
static int variations_above(const double *p, int degree, double x) {
    double value[POLYNOMIAL_DEGREE_MAX + 1], size[POLYNOMIAL_DEGREE_MAX + 1];
    for (int k = 0; k <= degree; k++) {
        value[k] = p[k];
        size[k] = fabs(p[k]);
    }
    for (int i = 0; i < degree; i++)
        for (int k = degree - 1; k >= i; k--) {
            value[k] += x * value[k + 1];
            size[k] += x * size[k + 1];
        }
    return sure_variations(value, size, degree);
}

/* A power of 2 above all positive roots, and twice more: a term of the leading one's sign bounds nothing
 * (J. B. Kioustelidis, Bounds for positive roots of polynomials, Journal of Computational and Applied
 * Mathematics 16, 1986). */
static double positive_bound(const double *p, int degree) {
    int most = -1000;
    for (int k = 0; k < degree; k++) {
        if (p[k] == 0 || (p[k] < 0) == (p[degree] < 0)) continue;
        int exponent, order = degree - k;
        (void)frexp(p[k] / p[degree], &exponent);
        int root = exponent > 0 ? (exponent + order - 1) / order : -(-exponent / order);
        if (root > most) most = root;
    }
    return ldexp(1, most + 2);
}

/* How often (0, inf) is cut in two before polynomial_roots takes over. */
enum { CUTS = 5 };

int polynomial_positive_root(const double *coefficients, int degree, double start, double *root) {
    while (degree > 0 && coefficients[degree] == 0) degree--;
    int variations = degree < 1 ? 0 : sign_variations(coefficients, degree);
    if (variations == 0) return 0;
    double bound = positive_bound(coefficients, degree), left = 0, right = bound;
    double cut = start > 0 && start < bound ? 1.5 * start : 0.5 * bound;
    for (int i = 0; i < CUTS && variations > 1; i++, cut *= 0.5) {
        int below = variations_below(coefficients, degree, cut);
        if (below < 0 || below > 1) continue;
        int above = variations_above(coefficients, degree, cut);
        if (above < 0 || below + above > 1) continue;
        variations = below + above;
        left = above == 1 ? cut : 0;
        right = above == 1 ? bound : cut;
    }
    if (variations > 1) return -1;
    if (variations == 1)
        *root = bracketed_root(coefficients, degree, left, right, coefficients[degree] > 0, start);
    return variations;
}

int polynomial_roots(const double *coefficients, int degree, double lower, double upper, double *roots,
                     double *turns, int *turn_count) {
    if (turn_count != NULL) *turn_count = 0;
    while (degree > 0 && coefficients[degree] == 0) degree--;
    if (degree < 1) return 0;
    if (lower == 0 && upper > DBL_MAX) {
        int count = polynomial_positive_root(coefficients, degree, NAN, roots);
        if (count >= 0) return count;
    }

    double chain[POLYNOMIAL_DEGREE_MAX + 1][POLYNOMIAL_DEGREE_MAX + 1];
    memcpy(chain[0], coefficients, (size_t)(degree + 1) * sizeof(double));
    for (int d = 1; d < degree; d++)
        for (int k = 0; k <= degree - d; k++) chain[d][k] = (k + 1) * chain[d - 1][k + 1];

    double found[POLYNOMIAL_DEGREE_MAX + 2], next[POLYNOMIAL_DEGREE_MAX + 2];
    int count = 0;
    for (int d = degree - 1; d >= 0; d--) {
        const double *p = chain[d];
        int n = degree - d, fresh = 0;
        double bound = root_bound(p, n);
        double left = fmax(lower, -bound);
        double end = fmin(upper, bound);
        double value = polynomial_value(p, n, left);
        for (int i = 0; i <= count && left < end; i++) {
            double right = i < count ? found[i] : end;
            if (right <= left) continue;
            right = fmin(right, end);
            double at_right = polynomial_value(p, n, right);
            if ((value < 0 && at_right > 0) || (value > 0 && at_right < 0))
                next[fresh++] = bracketed_root(p, n, left, right, value < 0, NAN);
            left = right;
            if (at_right != 0) value = at_right;
        }
        if (d == 0 && turns != NULL && turn_count != NULL) {
            memcpy(turns, found, (size_t)count * sizeof(double));
            *turn_count = count;
        }
        memcpy(found, next, (size_t)fresh * sizeof(double));
        count = fresh;
    }
    memcpy(roots, found, (size_t)count * sizeof(double));
    return count;
}
