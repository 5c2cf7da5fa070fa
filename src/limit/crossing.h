/* limit/crossing.h - eigenvalues of one matrix, and crossing functions: functions that vanish if an
 * eigenvalue is on the stability limit.
 *
 * For a real matrix and the circle of radius r = 1 + beyond:
 *
 *     f1 = prod (1 - l_i/r)     f2 = prod (1 + l_i/r)     f3 = prod_{i<j} (1 - l_i l_j/r^2)
 *
 * Each is a polynomial in the matrix entries, and f1 f2 f3 = 0 if an eigenvalue is on the circle. A complex
 * matrix needs only prod_{i,j} (1 - l_i conj(l_j)/r^2). The line Re l = r (abscissa) uses prod (l_i - r) and
 * prod_{i<j} (l_i + l_j - 2 r).
 *
 * For circles, eigenvalues are stored as k = l - 1, and 1 - l_i l_j/r^2 = (beyond (2 + beyond) - k_i - k_j -
 * k_i k_j)/r^2. For short macro steps all k are small, and so is their rounding. */
#pragma once

#include <math.h>

#include "costab/limit.h"

typedef enum crossing_kind {
    CROSSING_CIRCLE,
    CROSSING_CIRCLE_COMPLEX,
    CROSSING_LINE,
    CROSSING_ONE /* only f1 = prod (1 - l_i): is I minus the matrix singular? */
} crossing_kind;

enum { CROSSING_FUNCTIONS = 3 };

/* Largest phase advance (radians per macro step) of the fastest subsystem over a first cell of a search
 * (costab_family_point.turn). The map's entries and the crossing functions oscillate with it. */
#define CROSSING_TURN_MOST 4.0

/* Eigenvalues of one matrix, conjugates next to each other. For circles l - 1 is stored. */
typedef struct crossing_spectrum {
    int n;
    double *re, *im;
    double *slack;   /* rounding error bound of each: method/eigen.h */
    double backward; /* backward error of all */
    double *ranks;   /* distance of each beyond radius 1 (line 0), largest first */
    double furthest; /* the largest distance; infinite on overflow */
    bool overflow;   /* eigenvalues are unavailable or too large */
} crossing_spectrum;

/* The number mantissa 2^exponent, with the relative error bound `noise`. */
typedef struct crossing_value {
    double mantissa, noise;
    long exponent;
} crossing_value;

/* Returns log2 of the magnitude; -infinity at 0. */
static inline double crossing_log(const crossing_value *v) {
    return log2(fabs(v->mantissa)) + (double)v->exponent;
}

/* Returns the number of functions of a kind: 3, 1, 2, 1. */
int crossing_count(crossing_kind kind);

/* Computes all functions of a spectrum for the circle of radius 1 + beyond, or the line Re = beyond. */
void crossing_values(crossing_kind kind, const crossing_spectrum *spectrum, double beyond,
                     crossing_value values[CROSSING_FUNCTIONS]);

/* Scales `count` values, `stride` apart, by one power of 2 to a largest magnitude of about 1. [out] *noise:
 * largest rounding error, scaled as well. Returns false if rounding hides every value. */
bool crossing_scale(const crossing_value *first, int stride, int count, double *scaled, double *noise);

/* Returns f d^k, which cancels a pole of order k of f at d = 0. */
crossing_value crossing_without_pole(crossing_value f, crossing_value d, int k);

/* Returns the number of eigenvalues beyond the circle (line). */
int crossing_beyond(const crossing_spectrum *spectrum, double beyond);

/* Returns the real part of the trace of the k-th power; infinite on overflow. */
double crossing_trace(const crossing_spectrum *spectrum, int k);
