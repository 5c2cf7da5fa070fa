/* planar/area_rows.h - rows of a co-simulation scheme as functions of d = Gamma - a. */
#ifndef PLANAR_AREA_ROWS_H
#define PLANAR_AREA_ROWS_H

#include "planar/area_basis.h"

/* A linear combination of the six functions of d. */
typedef struct area_form {
    wide factor[BASIS_COUNT];
    wide size[BASIS_COUNT]; /* of what the factors were made from */
} area_form;

/* The bounds of a row, each x0 + x1 Delta > 0; Delta phi_a phi_d > 0 comes besides. contracting: 1 - w q > 0,
 * converging: 1 + w q > 0 with q = P1_a P1_d; low and high: the window's. */
enum { BOUND_DET, BOUND_FLIP, BOUND_CONTRACTING, BOUND_CONVERGING, BOUND_LOW, BOUND_HIGH, BOUND_COUNT };

/* What ends an interval besides a bound. */
enum { END_ZERO = -1, END_INFINITE = -2 };

typedef struct area_bound {
    bool used;
    area_form x0, x1;
} area_bound;

typedef struct area_plan {
    const costab_planar *planar;
    double a;
    bool nothing;   /* phi_a = 0: no row holds a stable point */
    area_form fold; /* phi_a phi_d */
    area_bound bound[BOUND_COUNT];
} area_plan;

/* delta: the window's range, or NULL. */
area_plan area_plan_make(const costab_planar *planar, double a, const double *delta);

/* The six functions at d, and a form of them. */
void area_basis_values(const area_plan *plan, wide d, wide *basis);
wide area_form_value(const area_form *form, const wide *basis);

/* The stable interval of one row. */
typedef struct area_row {
    bool empty;
    bool positive;    /* it lies in Delta > 0, else in Delta < 0 */
    int lower, upper; /* the bounds that end it, or END_ */
} area_row;

area_row area_row_at(const area_plan *plan, wide d);

/* One bound alone at d. */
void area_bound_at(const area_plan *plan, wide d, int bound, wide *x0, wide *x1);

/* The ends -x0/x1 of two bounds at d (0 for END_ZERO), with a bound of their errors: four units roundoff on
 * every term, for the rounding of the method's coefficients and of the tableau that they were made from. */
void area_ends_at(const area_plan *plan, wide d, int lower, int upper, quadrature_sample *low,
                  quadrature_sample *high);

/* All d at which the ends of the rows' stable intervals may change which bounds they are: the roots of every
 * x0, x1 and phi_a phi_d, where two bounds meet, and poles. In ascending order, each root to extended
 * precision; more points than needed may come. Returns their number, -1 where there are more than `max` or a
 * root could not be told. */
int area_breaks(const area_plan *plan, wide *points, int max);

enum { AREA_BREAKS_MAX = 4096 };

#endif
