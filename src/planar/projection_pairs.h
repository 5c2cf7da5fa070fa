/* planar/projection_pairs.h - which polynomials in a and d tell of changes, and where: contents and leading
 * coefficients, discriminants and resultants.
 *
 * Every polynomial in a and d whose roots in d cut the rows (area_cells.c) is split into factors without
 * multiple ones, of which no two have one in common. What changes with a is told by contents and leading
 * coefficients (a root comes from infinity or is there for one a only), discriminants (two roots of one
 * factor meet) and resultants (roots of two factors meet). Of the resultants those are left out that tell of
 * no change:
 *
 *  - x0_i and x1_j, i != j, or x1_i and the meeting of j and k: bound i ends at infinity there, the others do
 * not;
 *  - the meeting of i and j with x0_i or x1_i: all that happens is found from x0_i with x0_j, x0_i with x1_i
 * and x1_i with x1_j; with x0_k: ends at 0 and ends elsewhere, one above the other;
 *  - det, flip and contracting meet where K = K Tr = K Det = 0 only, which is at Delta = 0 or phi_d = 0;
 *  - det, flip and converging: where two of the three meetings coincide the third does. */
#ifndef PLANAR_PROJECTION_PAIRS_H
#define PLANAR_PROJECTION_PAIRS_H

#include "planar/range.h"
#include "planar/resultant.h"

/* What a polynomial is, as a flag. */
enum {
    PROJECTION_PHI = 1,
    PROJECTION_DEN = 2,
    PROJECTION_GAMMA = 4,
    PROJECTION_X0 = 8,          /* << bound, 4 bounds */
    PROJECTION_X1 = 8 << 4,     /* << bound */
    PROJECTION_MEETING = 8 << 8 /* << number of the meeting, in the order of i and then of j > i; of
                                   contracting with converging there is none */
};

/* A factor with positive degree in d: coefficient[k] of d^k, a polynomial in a. */
typedef struct projection_factor {
    unsigned from; /* the polynomials that it divides */
    int degree;
    resultant_poly *coefficient;
    const planar_range *meets; /* where it may meet factor j, from its own number on; NULL: anywhere */
    const planar_range *far;   /* where its leading coefficient may matter; NULL: anywhere */
} projection_factor;

void projection_factor_clear(projection_factor *factor);

/* Whether a change may happen where factors i and j meet, or two roots of factor i = j. */
bool projection_matters(const projection_factor *factors, int i, int j);

/* Takes the polynomials in a one by one; of roots outside of the range none matters; NULL: all may. What is
 * not RESULTANT_FOUND ends the search. */
typedef struct projection_sink {
    resultant_outcome (*add)(void *context, const resultant_poly *f, const planar_range *range);
    void *context;
    planar_watch *watch;
} projection_sink;

/* Finds the leading coefficients, and all resultants that tell of changes. */
resultant_outcome projection_pairs(const projection_factor *factors, int count, const projection_sink *sink);

#endif
