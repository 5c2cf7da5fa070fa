/* limit/interpolant.h - intervals of a cell on which a function has no zero, derived from its values at the
 * nodes. The other intervals are unresolved. */
#pragma once

#include "limit/crossing.h"
#include "method/chebyshev.h"

/* Check points are samples for comparison with the interpolant: one between the first two nodes, one between
 * the last two, and one next to a known zero. */
enum { INTERPOLANT_CHECKS = 2, INTERPOLANT_SAMPLES = CHEBYSHEV_MOST + 1 + INTERPOLANT_CHECKS + 1 };

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
