/* limit/interpolant.h - intervals of a cell on which a function has no zero, derived from its values at the
 * nodes. The other intervals are unresolved. */
#pragma once

#include "limit/chebyshev.h"
#include "limit/crossing.h"

/* ---- Scaling ---- */

/* Division of a function of widely varying size by 2^q before its interpolation.
 *
 * A product of many factors may vary over hundreds of decades, beyond any polynomial, though each factor
 * varies by a few per cent. The logarithm is a sum, close to a polynomial of low degree. With a polynomial q
 * in the parameter p and log p (p > 0), f / 2^q has the zeros of f and is analytic wherever f is. */

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

/* Check points are samples for comparison with the interpolant: one between the first two nodes, one between
 * the last two, and one next to a known zero. */
enum { INTERPOLANT_CHECKS = 2, INTERPOLANT_SAMPLES = CHEBYSHEV_MOST + 1 + INTERPOLANT_CHECKS + 1 };

_Static_assert((int)INTERPOLANT_SAMPLES <= (int)SCALING_SAMPLES, "a scaling holds all samples");

/* A function is scaled only if it varies by at least this much, as log2, over the nodes. */
#define INTERPOLANT_SCALED 6

typedef struct interpolant_nodes {
    const chebyshev_table *table;
    int k, count;                  /* degree chebyshev_degree(k); number of nodes */
    int checks;                    /* check points between nodes: INTERPOLANT_CHECKS permits scaling; or 0 */
    int zero_check;                /* 1: one more check point, for every interpolant; or 0 */
    double zero_check_at;          /* its position in [-1, 1] */
    double p[INTERPOLANT_SAMPLES]; /* parameter at all of these */
    bool narrow;                   /* permits `final` in interpolant_reading */
    bool deflated;                 /* a zero was divided out: small coefficients count fully as error */
} interpolant_nodes;

typedef struct interpolant_reading {
    chebyshev_interval unresolved[CHEBYSHEV_INTERVALS]; /* intervals of possible zeros */
    int count;
    double width;  /* total width; the whole cell has 2 */
    bool final;    /* the cause is rounding: more nodes would not help */
    bool neutral;  /* rounding is as large as the values, at every node */
    double spread; /* log2 of largest over smallest value; 0 if all is resolved */
} interpolant_reading;

/* Returns the position of check point i between nodes of degree number k, in [-1, 1]. */
double interpolant_check(const chebyshev_table *table, int k, int i);

/* Analyses one function from its values at nodes and check points: plain and, with checks, divided by 2^q for
 * several degrees of q. Keeps the scaled interpolant with the least unresolved width, intersected with the
 * plain one. A scaled interpolant must match the check points between nodes, and every interpolant the check
 * point next to a known zero, within its error. */
void interpolant_read(const interpolant_nodes *nodes, const crossing_value *at, interpolant_reading *r);
