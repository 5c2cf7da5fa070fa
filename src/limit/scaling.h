/* limit/scaling.h - divides a function of widely varying size by 2^q before its interpolation.
 *
 * A product of many factors may vary over hundreds of decades, beyond any polynomial, though each factor
 * varies by a few per cent. The logarithm is a sum, close to a polynomial of low degree. With a polynomial q
 * in the parameter p and log p (p > 0), f / 2^q has the zeros of f and is analytic wherever f is. */
#pragma once

#include "limit/crossing.h"

enum { SCALING_SAMPLES = 36, SCALING_DEGREE = 8 };

typedef struct scaling {
    int nodes, samples, terms; /* samples: nodes and check points; terms: of q, without the constant */
    double basis[SCALING_DEGREE + 1][SCALING_SAMPLES]; /* terms at the samples; log p first if p > 0 */
} scaling;

/* Sets up the terms for nodes at the ascending parameters p, from one end of the cell to the other, followed
 * by `more` check points. degree: of the polynomial, at most SCALING_DEGREE. */
void scaling_make(scaling *t, int nodes, int more, const double *p, int degree);

/* Fits q to log2 |f| at the nodes by least squares and divides by 2^q, up to a constant, at all samples. Adds
 * the rounding of q to the error bounds. */
void scaling_divide(const scaling *t, crossing_value *values);

/* Returns log2 of the largest over the smallest magnitude, ignoring zeros. */
double scaling_spread(const crossing_value *values, int count);
