/* proof/interpolant.h - where on a cell a function surely has no zero, told from its values at the cell's
 * nodes. */
#pragma once

#include "proof/chebyshev.h"
#include "proof/scaling.h"

/* Check points: between the first two nodes and between the last two; and one next to a known zero. */
enum { INTERPOLANT_CHECKS = 2, INTERPOLANT_SAMPLES = CHEBYSHEV_MOST + 1 + INTERPOLANT_CHECKS + 1 };

_Static_assert((int)INTERPOLANT_SAMPLES <= (int)SCALING_SAMPLES, "a scaling has room for all samples");

/* Functions that vary by fewer factors of 2 at the nodes are not scaled. */
#define INTERPOLANT_SCALED 6

typedef struct interpolant_nodes {
    const chebyshev_table *table;
    int k, count;   /* number of the degree, nodes */
    int checks;     /* check points between nodes: 0, or INTERPOLANT_CHECKS: functions may be scaled */
    int zero_check; /* 1: another check point follows, at which every interpolant has to be right; or 0 */
    double zero_check_at;          /* where that is, in [-1, 1] */
    double p[INTERPOLANT_SAMPLES]; /* the parameter at all of these */
    bool narrow;                   /* rounding alone may decide */
    bool deflated;                 /* a zero was divided out: small coefficients are not taken for rounding */
    bool strict; /* nor are they here; and it is asked only whether anything is unresolved */
    /* 0, or the function is one eigenvalue's: how far others may move past it, beside its largest value.
     * Where it meets one it moves by e, but at nodes away from there only by e^2 over how far the two are
     * apart, so that the root of the error times this counts as the error, and no less than 32 times the
     * error. */
    double reach;
} interpolant_nodes;

typedef struct interpolant_reading {
    chebyshev_interval unresolved[CHEBYSHEV_INTERVALS]; /* where it may be 0 */
    int count;
    double width;  /* of all of them together; all is 2 */
    bool final;    /* more nodes would not make them narrower */
    bool neutral;  /* rounding is as large as the values, at every node */
    double spread; /* how many factors of 2 the largest value is above the smallest; 0 where nothing is
                      unresolved */
} interpolant_reading;

/* Where check point i between nodes of degree number k is, in [-1, 1]. */
double interpolant_check(const chebyshev_table *table, int k, int i);

/* Reads the values of one function at nodes and check points, as it is and, with checks, scaled by 2^q of
 * several degrees of q: of the latter the one with which least is unresolved in both. A scaled interpolant
 * counts only where it is right at the check points between nodes within the error that is estimated for it,
 * any one only where it is so at the one next to a known zero. */
void interpolant_read(const interpolant_nodes *nodes, const crossing_value *at, interpolant_reading *r);
