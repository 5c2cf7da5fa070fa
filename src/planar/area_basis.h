/* planar/area_basis.h - the six functions of d from which every stability bound of a row is put together.
 *
 * At fixed a, the coefficients of all bounds of a row (planar/row.h) are linear combinations of 1, phi_d,
 * P0_d, P1_d, d phi_d = R_d - 1 and d P1_d, with factors that depend on a only. So what depends on the method
 * and the micro steps is here, for one d in extended precision and for a whole box of d as power series.
 *
 * The line of all d is covered by two charts: zeta = d / m, and t = 1 / zeta about infinity (m micro steps;
 * for the exact solver, for which micro steps change nothing, m = 1). On a box the six functions carry a
 * common factor that is chosen so that nothing overflows; it vanishes nowhere but, possibly, at t = 0 and at
 * poles. */
#ifndef PLANAR_AREA_BASIS_H
#define PLANAR_AREA_BASIS_H

#include "costab/planar.h"
#include "planar/area_series.h"
#include "planar/quadrature.h"

enum { BASIS_ONE, BASIS_PHI, BASIS_P0, BASIS_P1, BASIS_DPHI, BASIS_DP1, BASIS_COUNT };

/* A value with the magnitude that its relative rounding counts from: a value that cancels has a larger size.
 */
typedef struct area_value {
    wide value, size;
} area_value;

typedef struct area_weights {
    area_value phi, p0, p1;
} area_weights;

/* phi, P0 and P1 of a macro step. The sizes are those of the method's coefficients in the result. */
area_weights area_weights_at(const costab_method *method, int substeps, wide z);

/* The same values alone, in a third of the time for one micro step of an explicit method. */
void area_weight_values(const costab_method *method, int substeps, wide z, wide *phi, wide *p0, wide *p1);

typedef struct area_box {
    bool inverse; /* the variable is t, else zeta */
    double centre, radius;
} area_box;

typedef struct area_basis {
    series of[BASIS_COUNT];
} area_basis;

/* False where the box is too wide for the series. */
bool area_basis_make(const costab_method *method, int substeps, const area_box *box, area_basis *basis);

/* |zeta| at which the charts meet. */
double area_basis_joint(const costab_method *method);

/* What the two charts' variables are scaled by: d = scale zeta. */
double area_basis_scale(const costab_method *method, int substeps);

#endif
