/* Aberth's simultaneous iteration (O. Aberth, Mathematics of Computation 27, 1973). */
#include "planar/complex_roots.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Products and quotients without C's detours for infinities, which cost more than the rest. */
static wide_complex product(wide_complex a, wide_complex b) {
    long double ar = creall(a), ai = cimagl(a), br = creall(b), bi = cimagl(b);
    return (ar * br - ai * bi) + (ar * bi + ai * br) * (wide_complex)_Complex_I;
}

static wide_complex quotient(wide_complex a, wide_complex b) {
    long double br = creall(b), bi = cimagl(b), scale = fmaxl(fabsl(br), fabsl(bi));
    br /= scale;
    bi /= scale;
    long double norm = (br * br + bi * bi) * scale;
    return product(a, br / norm - bi / norm * (wide_complex)_Complex_I);
}

/* Between |z| and sqrt 2 |z|. */
static long double extent(wide_complex z) {
    return fabsl(creall(z)) + fabsl(cimagl(z));
}

wide_complex complex_value(const wide_complex *coefficients, int degree, wide_complex z,
                           wide_complex *slope) {
    wide_complex sum = coefficients[degree], derivative = 0;
    for (int k = degree - 1; k >= 0; k--) {
        derivative = product(derivative, z) + sum;
        sum = product(sum, z) + coefficients[k];
    }
    if (slope != NULL) *slope = derivative;
    return sum;
}

long double complex_size(const wide_complex *coefficients, int degree, wide_complex z) {
    long double distance = cabsl(z), sum = extent(coefficients[degree]);
    for (int k = degree - 1; k >= 0; k--) sum = sum * distance + extent(coefficients[k]);
    return sum;
}

/* First guesses on a circle about the roots' mean; the angles avoid the symmetry of conjugate roots. */
static void start(const wide_complex *p, int degree, wide_complex *roots) {
    wide_complex mean = -p[degree - 1] / (degree * p[degree]);
    long double radius = 0;
    for (int k = 0; k < degree; k++)
        radius = fmaxl(radius, powl(cabsl(p[k] / p[degree]), 1.0L / (degree - k)));
    const long double turn = 6.283185307179586476925287L;
    for (int k = 0; k < degree; k++) {
        long double angle = turn * k / degree + 0.4L;
        roots[k] = mean + (radius + 1e-6L) * (cosl(angle) + sinl(angle) * (wide_complex)I);
    }
}

bool complex_roots(const wide_complex *coefficients, int degree, wide_complex *roots, bool started) {
    if (degree < 1) return true;
    if (!started) start(coefficients, degree, roots);
    for (int round = 0; round < 400; round++) {
        bool settled = true;
        for (int i = 0; i < degree; i++) {
            wide_complex slope, value = complex_value(coefficients, degree, roots[i], &slope);
            if (value == 0) continue;
            if (extent(value) <= 4 * LDBL_EPSILON * complex_size(coefficients, degree, roots[i])) continue;
            wide_complex others = 0;
            for (int j = 0; j < degree; j++)
                if (j != i && roots[j] != roots[i]) others += quotient(1, roots[i] - roots[j]);
            wide_complex step = quotient(value, slope - product(value, others));
            if (!isfinite(extent(step))) {
                step = (1e-3L + 1e-3L * (wide_complex)I) * (1 + extent(roots[i]));
            }
            roots[i] -= step;
            if (extent(step) > 4 * LDBL_EPSILON * extent(roots[i])) settled = false;
        }
        if (settled) return true;
    }
    return false;
}
