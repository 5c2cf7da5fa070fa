/* exact/area_bounds.h - the bounds of a row of a co-simulation scheme, exactly.
 *
 * At fixed a every stability bound of a row is x0 + x1 Delta > 0 with x0 and x1 explicit in d = Gamma - a
 * (planar/row.h). Over a common denominator they are polynomials in d whose coefficients lie in Q(sqrt D),
 * scaled to Z[sqrt D]. */
#pragma once

#include "costab/planar.h"
#include "exact/stability.h"

/* contracting: 1 - w q > 0, converging: 1 + w q > 0 with q = P1_a P1_d; low and high: the window's. Delta
 * phi_a phi_d > 0 comes besides. */
enum { BOUND_DET, BOUND_FLIP, BOUND_CONTRACTING, BOUND_CONVERGING, BOUND_LOW, BOUND_HIGH, BOUND_COUNT };

/* What ends an interval besides a bound. */
enum { END_ZERO = -1, END_INFINITE = -2 };

/* (x0 + x1 Delta) / den > 0 */
typedef struct area_bound {
    bool used;
    surd_poly x0, x1;
} area_bound;

/* The functions of one subsystem from which the bounds are put together: den, phi, P0, P1, z phi and z P1,
 * each times one common factor. For the subsystem d they are polynomials in d; for the subsystem a numbers,
 * or polynomials in the variable that stands for a. */
typedef struct area_side {
    surd_poly den, phi, p0, p1, zphi, zp1;
} area_side;

void area_side_init(area_side *side);
void area_side_clear(area_side *side);

/* Of the functions of a macro step: as polynomials in z. */
void area_side_set(area_side *side, const method_exact *exact);

/* Their values at z = num / den, den > 0. */
void area_side_set_value(area_side *side, const area_side *of, const fmpq_t x);

typedef struct area_bounds {
    int root; /* D */
    fmpq_t a;
    bool nothing;    /* phi_a = 0 or infinite: no row holds a stable point */
    surd_poly den;   /* of all bounds */
    surd_poly fold;  /* phi_a phi_d den */
    surd_poly gamma; /* a + d, scaled: its sign is that of Gamma */
    area_bound bound[BOUND_COUNT];
} area_bounds;

void area_bounds_init(area_bounds *bounds);
void area_bounds_clear(area_bounds *bounds);

/* Puts the bounds together; [in] A, D: the sides; delta: the window's two ends, or NULL. Leaves a and gamma
 * alone. */
void area_bounds_combine(area_bounds *bounds, costab_scheme scheme, const area_side *A, const area_side *D,
                         const fmpq *delta);

/* The bounds at a. [in] sides: of a and of d, as polynomials. */
void area_bounds_at(area_bounds *bounds, costab_scheme scheme, const area_side sides[2], int root,
                    const fmpq_t a, const fmpq *delta);

/* x0 x1' - x0' x1 of the bounds i and j, which vanishes where they cross. */
void area_bounds_crossing(const area_bounds *bounds, int i, int j, surd_poly *crossing);
