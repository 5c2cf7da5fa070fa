/* Real roots of a polynomial p of degree n by its derivatives:
 *
 *  1. The derivative of degree 1 has its root in closed form or none in the range.
 *  2. Between neighbouring sign changes of a derivative the function of one degree more is monotone, so that
 *     it has one sign change there at most: it is bracketed by the signs at both ends, and found by
 *     Laguerre's method, kept inside the bracket.
 *  3. So from degree to degree up to p itself.
 *
 * No sign change is missed but by rounding; double roots are none, but lie next to a sign change of p'
 * (turns). Cost: n^2 brackets; a microsecond at degree 4. No complex arithmetic. */
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

/* A number between two, the geometric mean where they have one sign and differ much in size. */
static double middle(double left, double right) {
    if (left > 0 && right > 4 * left) return sqrt(left) * sqrt(right);
    if (right < 0 && left < 4 * right) return -sqrt(-left) * sqrt(-right);
    if (left < -2 && right > 2) return 0;
    return left + 0.5 * (right - left);
}

/* The sign change of p in (left, right), where p is negative to its left if `rising`, else positive. */
static double bracketed_root(const double *p, int degree, double left, double right, bool rising) {
    if (degree == 1) return -p[0] / p[1];
    double x = middle(left, right), n = degree, last = INFINITY;
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

int polynomial_roots(const double *coefficients, int degree, double lower, double upper, double *roots,
                     double *turns, int *turn_count) {
    if (turn_count != NULL) *turn_count = 0;
    while (degree > 0 && coefficients[degree] == 0) degree--;
    if (degree < 1) return 0;

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
                next[fresh++] = bracketed_root(p, n, left, right, value < 0);
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
