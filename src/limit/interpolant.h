/* limit/interpolant.h - where on a cell a function surely has no zero, told from its values at the cell's
 * nodes. Elsewhere it is unresolved. */
#pragma once

#include "limit/chebyshev.h"
#include "limit/scaling.h"

/* Check points are samples that are not interpolated, but at which an interpolant has to be right: one
 * between the first two nodes, one between the last two; and one next to a known zero. */
enum { INTERPOLANT_CHECKS = 2, INTERPOLANT_SAMPLES = CHEBYSHEV_MOST + 1 + INTERPOLANT_CHECKS + 1 };

_Static_assert((int)INTERPOLANT_SAMPLES <= (int)SCALING_SAMPLES, "a scaling has room for all samples");

/* Functions whose largest and smallest values at the nodes differ by fewer factors of 2 are not scaled. */
#define INTERPOLANT_SCALED 6

typedef struct interpolant_nodes {
    const chebyshev_table *table;
    int k, count;   /* the degree is chebyshev_degree(k); nodes */
    int checks;     /* check points between nodes: 0, or INTERPOLANT_CHECKS: functions may be scaled */
    int zero_check; /* 1: another check point follows, at which every interpolant has to be right; or 0 */
    double zero_check_at;          /* where that is, in [-1, 1] */
    double p[INTERPOLANT_SAMPLES]; /* the parameter at all of these */
    bool narrow;                   /* what rounding hides may be `final`: see interpolant_reading */
    bool deflated; /* a zero was divided out: small coefficients count as the interpolation's error in full */
} interpolant_nodes;

typedef struct interpolant_reading {
    chebyshev_interval unresolved[CHEBYSHEV_INTERVALS]; /* where it may be 0 */
    int count;
    double width;  /* of all of them together; that of the whole cell is 2 */
    bool final;    /* rounding, not the interpolation, leaves them open: more nodes do not help */
    bool neutral;  /* rounding is as large as the values, at every node */
    double spread; /* how many factors of 2 the largest value is above the smallest; 0 where nothing is
                      unresolved */
} interpolant_reading;

/* Where check point i between nodes of degree number k is, in [-1, 1]. */
double interpolant_check(const chebyshev_table *table, int k, int i);

/* Reads the values of one function at nodes and check points: as it is, and, with checks, divided by 2^q for
 * several degrees of q. Of the scaled ones the one that leaves least unresolved is kept; what the plain one
 * shows to be clear stays clear. A scaled interpolant counts only where it is right at the check points
 * between nodes, every one only where it is right at the check point next to a known zero, both within its
 * error. */
void interpolant_read(const interpolant_nodes *nodes, const crossing_value *at, interpolant_reading *r);
