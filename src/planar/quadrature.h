/* planar/quadrature.h - adaptive integration of an analytic function over an interval. */
#ifndef PLANAR_QUADRATURE_H
#define PLANAR_QUADRATURE_H

#include <stdbool.h>

/* The extended precision in which areas are computed: the error of a sum over many rows then lies below a
 * double's rounding. Where long double is no wider than double, the error estimates grow with it. */
typedef long double wide;

/* What an integrand returns: the value, and a bound of what rounding may do to it. */
typedef struct quadrature_sample {
    wide value, noise;
} quadrature_sample;

typedef quadrature_sample quadrature_function(void *context, wide x);

typedef struct quadrature_sum {
    wide value;
    wide noise;      /* the integrated noise */
    wide truncation; /* bound of the quadrature's own error */
    bool converged;
} quadrature_sum;

/* Integrates over [lower, upper], lower < upper both finite, until the truncation is below `relative` times
 * the integral of the magnitude or below the noise. The ends are not evaluated. Adds to *sum. */
void quadrature_add(quadrature_function *function, void *context, wide lower, wide upper, wide relative,
                    quadrature_sum *sum);

#endif
