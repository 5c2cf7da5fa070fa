/* area/bounds.h - the stability conditions of a row of a co-simulation scheme as exact polynomials.
 *
 * A row is the set of all Delta at one a and one Gamma. Each of its stability conditions is x0 + x1 Delta >
 * 0, where x0 and x1 depend on a and d = Gamma - a alone (planar/row.h): a bound -x0 / x1 of Delta from below
 * or from above. At a fixed a, over a common denominator, x0 and x1 are polynomials in d with coefficients in
 * Z[sqrt D] (area/surd.h). */
#pragma once

#include "area/stability.h"
#include "costab/planar.h"

/* The conditions:
 *
 *     det          1 - Det D > 0
 *     flip         1 + Tr D + Det D > 0
 *     contracting  1 - w q > 0: of the iterated scheme, whose iteration has the factor w q with
 *                  w = a d - Delta and q = P1_a P1_d
 *     converging   1 + w q > 0, of the same
 *     low, high    Delta lies between the window's ends
 *
 * The remaining one, 1 - Tr D + Det D > 0, is Delta phi_a phi_d > 0: it gives the sign of Delta (`fold`
 * below). */
enum { BOUND_DET, BOUND_FLIP, BOUND_CONTRACTING, BOUND_CONVERGING, BOUND_LOW, BOUND_HIGH, BOUND_COUNT };

/* Where the stable interval of a row ends at no bound: at Delta = 0, or nowhere. */
enum { END_ZERO = -1, END_INFINITE = -2 };

/* (x0 + x1 Delta) / den > 0 */
typedef struct area_bound {
    bool used;
    surd_poly x0, x1;
} area_bound;

/* The functions of one subsystem's macro step from which the bounds are made: its denominator, phi, P0, P1, z
 * phi and z P1, each times one common factor. Of the subsystem d they are polynomials in d; of the subsystem
 * a numbers, or polynomials in a variable that stands for a. */
typedef struct area_subsystem {
    surd_poly den, phi, p0, p1, zphi, zp1;
} area_subsystem, area_subsystem_t[1];

void area_subsystem_init(area_subsystem *s);
void area_subsystem_clear(area_subsystem *s);
FLINT_LOCAL(area_subsystem)

/* The functions of a macro step, as polynomials in z. */
void area_subsystem_set(area_subsystem *s, const method_exact *exact);

/* Their values at z = num / den, den > 0. */
void area_subsystem_set_value(area_subsystem *s, const area_subsystem *of, const fmpq_t x);

typedef struct area_bounds {
    int root; /* D */
    fmpq_t a;
    bool no_stable;  /* phi_a = 0 or infinite: no row holds a stable point */
    surd_poly den;   /* the common denominator of all bounds */
    surd_poly fold;  /* phi_a phi_d den */
    surd_poly gamma; /* a + d, scaled: its sign is that of Gamma */
    area_bound bound[BOUND_COUNT];
} area_bounds;

void area_bounds_init(area_bounds *bounds);
void area_bounds_clear(area_bounds *bounds);

/* Makes the bounds from the functions A and D of both subsystems. [in] delta: the window's two ends, or NULL.
 * The members a and gamma stay as they are. */
void area_bounds_combine(area_bounds *bounds, costab_scheme scheme, const area_subsystem *A,
                         const area_subsystem *D, const fmpq *delta);

/* The bounds at one a, as polynomials in d. [in] subsystem: the functions of both, as polynomials. */
void area_bounds_at(area_bounds *bounds, costab_scheme scheme, const area_subsystem subsystem[2], int root,
                    const fmpq_t a, const fmpq *delta);

/* x0 x1' - x0' x1 of the bounds i and j, which vanishes where they cross. */
void area_bounds_crossing(const area_bounds *bounds, int i, int j, surd_poly *crossing);
