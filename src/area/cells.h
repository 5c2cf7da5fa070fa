/* area/cells.h - the stable intervals of all rows of a co-simulation scheme at one a.
 *
 * A row is the set of all Delta at one a and one Gamma. Each stability condition has the form x0 + x1 Delta >
 * 0, with x0 and x1 functions of a and d = Gamma - a (planar/row.h), so it bounds Delta by -x0 / x1 from
 * below or above. The d axis is cut at the roots of all x0 and x1, of phi_d and of the denominator, at
 * crossings of bounds, and at Gamma = 0. Between adjacent roots (a cell) the stable intervals of all rows end
 * at the same two bounds, which are determined exactly at one number in the cell. Adjacent cells with the
 * same bounds form one piece. */
#pragma once

#include "area/exact_method.h"
#include "area/real_roots.h"
#include "costab/planar.h"

/* ---- Bounds ---- */

/* At fixed a, over a common denominator, x0 and x1 are polynomials in d with coefficients in Z[sqrt(root)]
 * (area/surd.h). The conditions on the map M of one macro step are
 *
 *     det          1 - Det M > 0
 *     flip         1 + Tr M + Det M > 0
 *     contracting  1 - w q > 0 (iterated scheme; iteration factor w q with w = a d - Delta, q = P1_a P1_d)
 *     converging   1 + w q > 0 (iterated scheme)
 *     low, high    Delta between the window's ends
 *
 * The remaining condition 1 - Tr M + Det M > 0 is Delta phi_a phi_d > 0 and gives the sign of Delta (`fold`
 * below). */
enum { BOUND_DET, BOUND_FLIP, BOUND_CONTRACTING, BOUND_CONVERGING, BOUND_LOW, BOUND_HIGH, BOUND_COUNT };

/* Ends of a stable interval that are not bounds: Delta = 0, or infinity. */
enum { END_ZERO = -1, END_INFINITE = -2 };

/* (x0 + x1 Delta) / den > 0 */
typedef struct area_bound {
    bool used;
    surd_poly x0, x1;
} area_bound;

/* Functions of one subsystem's macro step: denominator, phi, P0, P1, z phi and z P1, times a common factor.
 * For subsystem d they are polynomials in d; for subsystem a numbers, or polynomials in a variable that
 * represents a. */
typedef struct area_subsystem {
    surd_poly den, phi, p0, p1, zphi, zp1;
} area_subsystem, area_subsystem_t[1];

void area_subsystem_init(area_subsystem *s);
void area_subsystem_clear(area_subsystem *s);
FLINT_LOCAL(area_subsystem)

/* Sets the functions of a macro step as polynomials in z. */
void area_subsystem_set(area_subsystem *s, const method_exact *exact);

/* Evaluates them at z = x. */
void area_subsystem_set_value(area_subsystem *s, const area_subsystem *of, const fmpq_t x);

typedef struct area_bounds {
    int radicand; /* D of the coefficients (area/surd.h) */
    fmpq_t a;
    bool no_stable;  /* phi_a = 0 or infinite: no row has a stable point */
    surd_poly den;   /* common denominator of all bounds */
    surd_poly fold;  /* phi_a phi_d den */
    surd_poly gamma; /* a + d, scaled: has the sign of Gamma */
    area_bound bound[BOUND_COUNT];
} area_bounds;

void area_bounds_init(area_bounds *bounds);
void area_bounds_clear(area_bounds *bounds);

/* Computes the bounds from the functions A of subsystem a and D of subsystem d. [in] delta: the window's
 * ends, or NULL. The members a and gamma are unchanged. */
void area_bounds_combine(area_bounds *bounds, costab_scheme scheme, const area_subsystem *A,
                         const area_subsystem *D, const fmpq *delta);

/* Computes the bounds at one a, as polynomials in d. [in] subsystem: the functions of both as polynomials. */
void area_bounds_at(area_bounds *bounds, costab_scheme scheme, const area_subsystem subsystem[2],
                    int radicand, const fmpq_t a, const fmpq *delta);

/* value := x0 + x1 Delta, times the denominator of Delta. */
void area_bound_at(const area_bound *bound, const fmpq_t delta, surd_poly *value);

/* Computes x0 x1' - x0' x1 of bounds i and j, which vanishes at their crossings. */
void area_bounds_crossing(const area_bounds *bounds, int i, int j, surd_poly *crossing);

/* Rows between the roots with indices `from` and `to`; their stable intervals end at the same bounds. -1
 * represents d = -infinity, the number of roots +infinity. */
typedef struct area_piece {
    int from, to;
    int lower, upper;      /* bounds at the ends of the intervals, or END_ZERO, END_INFINITE */
    bool ss;               /* the rows are in SS, otherwise in US */
    bool right;            /* Gamma > 0 */
    bool infinite;         /* its area is infinite */
    surd_poly top, bottom; /* the interval's length is top / bottom, in lowest terms */
} area_piece;

typedef struct area_cells {
    const area_bounds *bounds; /* borrowed */
    real_roots roots;
    int count;
    size_t capacity;
    area_piece *piece;
    bool failed; /* memory is exhausted */
} area_cells;

/* Finds all pieces. [in] gamma: the window's ends, or NULL for all Gamma. [out] cells: to be cleared in any
 * case. Returns false if memory is exhausted. */
bool area_cells_find(const area_bounds *bounds, const fmpq *gamma, area_cells *cells);
void area_cells_clear(area_cells *cells);

/* Computes the area of a finite piece to `bits` bits, relative. Returns false if more than 16000 bits of
 * working precision would be required. */
bool area_cells_integral(area_cells *cells, const area_piece *piece, slong bits, arb_t area);
