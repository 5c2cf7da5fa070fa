/* planar/simulation_map.h - the simulation's map along a row, as a combination of A and I.
 *
 * With Gamma' = Gamma/m and Delta' = Delta/m^2 of one micro step, D = alpha A' + (1 + b) I, where for one
 * micro step alpha and b are polynomials in Delta' (for an implicit method ratios of such) whose coefficients
 * depend on Gamma' alone: A^k = u_k A + v_k I with u_(k+1) = Gamma u_k + v_k, v_(k+1) = -Delta u_k. Then
 *
 *     Tr D - 2 = t = alpha Gamma' + 2 b,     Det D - 1 = t + alpha (alpha Delta' + b Gamma') + b^2,
 *     eigenvalues 1 + b + alpha Gamma'/2 +- alpha sqrt(Gamma'^2/4 - Delta'). */
#pragma once

#include <math.h>

#include "costab/planar.h"

enum { MAP_TERMS = COSTAB_STAGES_MAX / 2 + 1 };

/* The coefficients of a row, ascending in Delta'. */
typedef struct map_row {
    bool usable;   /* a tableau, and Gamma is not so large that products of the terms might overflow */
    bool rational; /* an implicit method: there is a denominator */
    int substeps, terms;
    double gamma, half;                           /* Gamma', Gamma'/2 */
    double square, square_low;                    /* Gamma'^2/4 and what its rounding lost */
    double scale;                                 /* m^2 */
    double alpha[MAP_TERMS], b[MAP_TERMS];        /* of the numerator of D1 - I */
    double trace[MAP_TERMS];                      /* Tr D1 of an explicit method */
    double alpha_q[MAP_TERMS], beta_q[MAP_TERMS]; /* of the denominator */
    double alpha_n[MAP_TERMS], beta_n[MAP_TERMS]; /* of the numerator of D1 itself */
} map_row;

map_row map_row_at(const costab_planar *planar, double gamma);

/* Whether Delta is not too large either. */
bool map_row_holds(const map_row *map, double delta);

/* All nan alike: which sign an operation gives a nan is the compiler's choice, and must not show in a file.
 */
static inline double map_canonical(double value) {
    return value == value ? value : (double)NAN;
}

/* n points; any output may be NULL. Each Delta must hold. */
void map_row_fields(const map_row *map, size_t n, const double *delta, double *trace, double *determinant,
                    double *radius);
