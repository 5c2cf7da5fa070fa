/* limit/crossing.h - the eigenvalues of one matrix, and the crossing functions made of them: functions that
 * are 0 where an eigenvalue is on the limit.
 *
 * For a real matrix and the circle of radius r = 1 + beyond:
 *
 *     f1 = prod (1 - l_i/r)     f2 = prod (1 + l_i/r)     f3 = prod_{i<j} (1 - l_i l_j/r^2)
 *
 * f1 f2 f3 is 0 wherever an eigenvalue is on the circle, and each is a polynomial in the matrix' entries. For
 * a complex matrix prod_{i,j} (1 - l_i conj(l_j)/r^2) alone does it; for the line Re l = r (an abscissa) prod
 * (l_i - r) and prod_{i<j} (l_i + l_j - 2 r).
 *
 * For circles eigenvalues are kept as k = l - 1, and factors formed of these, 1 - l_i l_j/r^2 as (beyond (2 +
 * beyond) - k_i - k_j - k_i k_j)/r^2: for short macro steps all k are small, and their rounding is too. */
#pragma once

#include <math.h>

#include "costab/limit.h"

typedef enum crossing_kind {
    CROSSING_CIRCLE,
    CROSSING_CIRCLE_COMPLEX,
    CROSSING_LINE,
    CROSSING_ONE /* only f1 = prod (1 - l_i): whether I minus the matrix is singular */
} crossing_kind;

enum { CROSSING_FUNCTIONS = 3 };

/* Over a first cell of a search the fastest subsystem's oscillation turns by no more radians
 * (costab_family_point.turn): a map's entries oscillate with it, and so do the crossing functions. */
#define CROSSING_TURN_MOST 4.0

/* The eigenvalues of one matrix, of a real one conjugates next to each other: for circles minus 1. */
typedef struct crossing_spectrum {
    int n;
    double *re, *im;
    double *slack;   /* how far rounding may have moved each: method/eigen.h */
    double backward; /* the backward error of all */
    double *ranks;   /* how far each is beyond the circle of radius 1 (the line 0), furthest first */
    double furthest; /* the first of them; infinite where numbers overflow */
    bool overflow;   /* no eigenvalues, or too large ones to compute with */
} crossing_spectrum;

/* A number mantissa 2^exponent; rounding may have changed it by `noise` times itself. */
typedef struct crossing_value {
    double mantissa, noise;
    long exponent;
} crossing_value;

/* The logarithm of its size to base 2; -infinity at 0. */
static inline double crossing_log(const crossing_value *v) {
    return log2(fabs(v->mantissa)) + (double)v->exponent;
}

/* How many functions a kind has: 3, 1, 2, 1. */
int crossing_count(crossing_kind kind);

/* All functions of a spectrum at the circle of radius 1 + beyond, or the line Re = beyond. */
void crossing_values(crossing_kind kind, const crossing_spectrum *spectrum, double beyond,
                     crossing_value values[CROSSING_FUNCTIONS]);

/* `count` values that are `stride` apart, scaled by one power of 2 so that the largest is about 1. [out]
 * *noise: the largest rounding of any, scaled too. false: rounding is as large as every value. */
bool crossing_scale(const crossing_value *first, int stride, int count, double *scaled, double *noise);

/* f d^k: without the pole of order k that f has where d = 0. */
crossing_value crossing_without_pole(crossing_value f, crossing_value d, int k);

/* How many eigenvalues are beyond that circle (line). */
int crossing_beyond(const crossing_spectrum *spectrum, double beyond);

/* The trace of the k-th power: its real part; infinite where it overflows. */
double crossing_trace(const crossing_spectrum *spectrum, int k);
