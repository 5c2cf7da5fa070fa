/* planar/quick_bounds.h - the bounds of a row of a co-simulation scheme, exactly: those of
 * planar/area_bounds.h in GMP's integers, for one micro step of a method with rational functions. */
#ifndef PLANAR_QUICK_BOUNDS_H
#define PLANAR_QUICK_BOUNDS_H

#include "costab/planar.h"
#include "planar/quick_roots.h"

enum { QUICK_DEN, QUICK_PHI, QUICK_P0, QUICK_P1, QUICK_Z_PHI, QUICK_Z_P1, QUICK_SIDE };

/* The functions of one subsystem, as in area_bounds.h: polynomials in z, or numbers, times one common factor.
 * Initialise and clear each. */
typedef struct quick_side {
    integer_poly of[QUICK_SIDE];
} quick_side;

void quick_side_init(quick_side *side);
void quick_side_clear(quick_side *side);

/* Of both subsystems of a co-simulation, as polynomials in z. False where they take more than one micro step,
 * or their method is no Runge-Kutta method with exact entries and rational functions. */
bool quick_side_make(const costab_planar *planar, quick_side *side);

/* The length of the longest. */
int quick_side_length(const quick_side *side);

/* Their values at z = num / den, den > 0. [in, out] value: zeros. */
void quick_side_set_value(quick_side *value, const quick_side *side, const mpz_t num, const mpz_t den);

/* In the order of area_bounds.h, of which a scheme uses the first ones. */
enum { QUICK_DET, QUICK_FLIP, QUICK_CONTRACTING, QUICK_CONVERGING, QUICK_BOUNDS };

/* x0 + x1 Delta > 0, times the sign of the common denominator. */
typedef struct quick_bound {
    integer_poly x0, x1;
    quick_form x0_form, x1_form; /* not set here */
} quick_bound;

typedef struct quick_bounds {
    integer_poly den, fold; /* as in area_bounds.h */
    int count;
    quick_bound bound[QUICK_BOUNDS];
} quick_bounds;

void quick_bounds_init(quick_bounds *bounds, costab_scheme scheme);
void quick_bounds_clear(quick_bounds *bounds);

/* The bounds of area_bounds_combine. [in, out] bounds: zeros. */
void quick_bounds_set(quick_bounds *bounds, costab_scheme scheme, const quick_side *A, const quick_side *D);

/* meeting := meeting + x0_j x1_i - x0_i x1_j of the bounds i and j, which vanishes where they meet. */
void quick_bounds_meeting(const quick_bounds *bounds, int i, int j, integer_poly *meeting);

#endif
