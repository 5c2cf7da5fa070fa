/* proof/interpolant.h - where on a cell a function surely has no zero, told from its values at the cell's
 * nodes. */
#ifndef PROOF_INTERPOLANT_H
#define PROOF_INTERPOLANT_H

#include "proof/chebyshev.h"
#include "proof/trend.h"

/* Places between the first two nodes and between the last two; and one beside an end. */
enum { INTERPOLANT_CHECKS = 2, INTERPOLANT_PLACES = CHEBYSHEV_MOST + 1 + INTERPOLANT_CHECKS + 1 };

_Static_assert((int)INTERPOLANT_PLACES <= (int)TREND_PLACES, "a trend has room for all nodes and checks");

/* Functions that vary by fewer factors of 2 at the nodes have no trend worth looking for. */
#define INTERPOLANT_TREND 6

typedef struct interpolant_nodes {
    const chebyshev_table *table;
    int k, count; /* number of the degree, nodes */
    int checks; /* 0, or INTERPOLANT_CHECKS: functions may have a trend, and are known at these places, too */
    int beside; /* 1: every interpolant has to be right at a place that follows these, too; or 0 */
    double beside_at;             /* where that is, in [-1, 1] */
    double p[INTERPOLANT_PLACES]; /* the parameter at all these places */
    bool narrow;                  /* rounding alone may decide */
    /* A zero was taken out: of the coefficients that count as the error (chebyshev_error) none is taken for
     * rounding, as beside a trend. */
    bool divided;
    /* So here, too, and what is grey at a node is grey everywhere: it matters only whether anything is. */
    bool careful;
    /* 0, or the function is one eigenvalue's: how far others may move past it, beside its largest value.
     * Where it meets one it moves by e, but at nodes away from there only by e^2 over how far the two are
     * apart, so that the root of the error times this counts as the error, and no less than 32 times the
     * error. */
    double meeting;
} interpolant_nodes;

typedef struct interpolant_reading {
    chebyshev_stretch grey[CHEBYSHEV_STRETCHES]; /* may have zeros */
    int count;
    double width; /* of all of them together; all is 2 */
    bool final;   /* more nodes would not make them narrower */
    bool neutral; /* rounding is as large as the values, at every node */
    double
        spread; /* how many factors of 2 the largest value is above the smallest; 0 where nothing is grey */
} interpolant_reading;

/* Where check number i of a cell with degree number k is, in [-1, 1]. */
double interpolant_check(const chebyshev_table *table, int k, int i);

/* Reads the values of one function at nodes and checks, as it is and, with checks, beside trends of several
 * degrees: the one that is grey on least. An interpolant beside a trend counts only where it is right at the
 * checks within the error that is estimated for it, any one only where it is so at the place beside an end.
 */
void interpolant_read(const interpolant_nodes *nodes, const crossing_value *at, interpolant_reading *r);

#endif
